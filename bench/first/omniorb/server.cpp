// SPDX-License-Identifier: Apache-2.0
//
// omniORB's server of bench.idl. Options: --ior FILE, --idle SECONDS; the rest goes to omniORB.
//
// Threads: omniORB's, one per connection.

#include "bench.hh"
#include "tests/interop/omniorb/peer_main.hpp"

namespace {

class BenchServant : public POA_BenchFirst::Bench {
 public:
  void noop() override {}
  BenchFirst::Small exchange(const BenchFirst::Small& value, char*&, BenchFirst::Bench_out self) override {
    self = BenchFirst::Bench::_duplicate(self_);
    return value;
  }
  void flood_binstruct(const BenchFirst::BinStructSeq& values) override { add(values); }
  void flood_char(const BenchFirst::CharSeq& values) override { add(values); }
  void flood_double(const BenchFirst::DoubleSeq& values) override { add(values); }
  void flood_octet(const BenchFirst::OctetSeq& values) override { add(values); }
  void flood_short(const BenchFirst::ShortSeq& values) override { add(values); }
  void flood_long(const BenchFirst::LongSeq& values) override { add(values); }
  CORBA::ULongLong flush() override { return received_.exchange(0); }

  void set_self(BenchFirst::Bench_ptr self) { self_ = BenchFirst::Bench::_duplicate(self); }

 private:
  template <class Seq>
  void add(const Seq& values) {
    received_ += values.length() * sizeof(*values.get_buffer());
    peer::touch();
  }

  std::atomic<CORBA::ULongLong> received_{0};
  BenchFirst::Bench_var self_;
};

}  // namespace

int main(int argc, char** argv) {
  return peer::server_main(argc, argv, [](const peer::Server& server) {
    auto* servant = new BenchServant;
    CORBA::Object_var object = server.activate(servant);
    BenchFirst::Bench_var bench = BenchFirst::Bench::_narrow(object);
    servant->set_self(bench);
    return server.text(bench);
  });
}
