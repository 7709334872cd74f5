// SPDX-License-Identifier: Apache-2.0
//
// omniORB's server of cubit.idl. Options: --ior FILE, --idle SECONDS; the rest goes to omniORB.
//
// Threads: omniORB's, one per connection.

#include "bench/cubit/values.hpp"
#include "cubit.hh"
#include "tests/interop/omniorb/peer_main.hpp"

namespace {

using cubit::cube;

template <class Seq>
Seq* cubes_of(const Seq& values) {
  auto* const made = new Seq(values);
  cubit::cube_all(made->get_buffer(), made->length());
  return made;
}

class CubitServant : public POA_BenchCubit::Cubit {
 public:
  void cube_void() override {}
  CORBA::Octet cube_octet(CORBA::Octet o) override { return cube(o); }
  CORBA::Short cube_short(CORBA::Short s) override { return cube(s); }
  CORBA::Long cube_long(CORBA::Long l) override { return cube(l); }
  BenchCubit::Many cube_struct(const BenchCubit::Many& values) override {
    return {cube(values.o), cube(values.l), cube(values.s)};
  }
  BenchCubit::LongSeq* cube_long_sequence(const BenchCubit::LongSeq& values) override {
    return cubes_of(values);
  }
  BenchCubit::OctetSeq* cube_octet_sequence(const BenchCubit::OctetSeq& values) override {
    return cubes_of(values);
  }
  void pass_octets(BenchCubit::OctetSeq&) override {}
};

}  // namespace

int main(int argc, char** argv) {
  return peer::server_main(argc, argv, [](const peer::Server& server) {
    CORBA::Object_var object = server.activate(new CubitServant);
    return server.text(object);
  });
}
