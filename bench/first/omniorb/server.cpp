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
  peer::Options options = peer::parse(argc, argv);
  peer::catch_signals();
  options.orb.emplace_back("-ORBendPoint");
  options.orb.push_back(peer::endpoint(options));
  try {
    CORBA::ORB_var orb = peer::init(options);
    CORBA::Object_var root = orb->resolve_initial_references("RootPOA");
    PortableServer::POA_var poa = PortableServer::POA::_narrow(root);
    PortableServer::POAManager_var gate = poa->the_POAManager();
    gate->activate();
    auto* servant = new BenchServant;
    PortableServer::ObjectId_var id = poa->activate_object(servant);
    CORBA::Object_var object = poa->id_to_reference(id);
    BenchFirst::Bench_var bench = BenchFirst::Bench::_narrow(object);
    servant->set_self(bench);
    servant->_remove_ref();
    CORBA::String_var ior = orb->object_to_string(bench);
    peer::publish(options.ior, ior);
    peer::wait_for_the_end(options.idle_seconds);
    orb->shutdown(true);
    orb->destroy();
    return 0;
  } catch (const CORBA::Exception& e) {
    std::fprintf(stderr, "server: CORBA exception %s\n", e._name());
    return 1;
  }
}
