// SPDX-License-Identifier: Apache-2.0
//
// Tenon's server of bench.idl. Options: --ior FILE, --idle SECONDS; the rest goes to ORB_init.
//
// Threads: the ORB's.

#include <atomic>
#include <tenon/portable_server.hpp>
#include <tenon/tenon.hpp>

#include "bench_skel.hpp"
#include "tests/interop/tenon/program.hpp"

namespace {

using Bench = IDL::traits<BenchFirst::Bench>;

class BenchServant final : public CORBA::servant_traits<BenchFirst::Bench>::base_type {
 public:
  void noop() override {}
  BenchFirst::Small exchange(const BenchFirst::Small& value, std::string&, Bench::ref_type& self) override {
    self = self_;
    return value;
  }
  void flood_binstruct(const std::vector<BenchFirst::BinStruct>& values) override { add(values); }
  void flood_char(const std::vector<char>& values) override { add(values); }
  void flood_double(const std::vector<double>& values) override { add(values); }
  void flood_octet(const std::vector<std::uint8_t>& values) override { add(values); }
  void flood_short(const std::vector<std::int16_t>& values) override { add(values); }
  void flood_long(const std::vector<std::int32_t>& values) override { add(values); }
  std::uint64_t flush() override { return received_.exchange(0); }

  void set_self(Bench::ref_type self) { self_ = std::move(self); }

 private:
  template <class T>
  void add(const std::vector<T>& values) {
    received_ += values.size() * sizeof(T);
  }

  std::atomic<std::uint64_t> received_{0};
  Bench::ref_type self_;  // set before the first call
};

}  // namespace

int main(int argc, char** argv) {
  program::Options options = program::parse(argc, argv);
  program::hold_signals();
  try {
    char** arguments = options.arguments();
    auto orb = CORBA::ORB_init(options.argc, arguments);
    auto poa = IDL::traits<PortableServer::POA>::narrow(orb->resolve_initial_references("RootPOA"));
    poa->the_POAManager()->activate();
    auto servant = CORBA::make_reference<BenchServant>();
    servant->set_self(servant->_this());
    program::publish(options.ior, orb->object_to_string(servant->_this()));
    program::wait_for_the_end(options.idle_seconds);
    servant->set_self(nullptr);
    orb->destroy();
    return 0;
  } catch (const CORBA::Exception& e) {
    std::fprintf(stderr, "server: %s\n", e.what());
    return 1;
  }
}
