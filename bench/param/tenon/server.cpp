// SPDX-License-Identifier: Apache-2.0
//
// Tenon's server of param.idl and echo.idl: Options: --ior FILE, --idle SECONDS; the rest
// goes to ORB_init. Built once with compiled and once with interpreted stubs.
//
// Threads: the ORB's.

#include <tenon/portable_server.hpp>
#include <tenon/tenon.hpp>

#include "echo_skel.hpp"
#include "tests/interop/tenon/program.hpp"

namespace {

// What the paper's servant does: the in parameter goes into all that is sent back.
template <class T>
T copy(const T& in, T& inout, T& out) {
  inout = in;
  out = in;
  return in;
}

class Servant final : public CORBA::servant_traits<Param::Echo>::base_type {
 public:
  std::int16_t test_short(std::int16_t s1, std::int16_t& s2, std::int16_t& s3) override {
    return copy(s1, s2, s3);
  }
  std::string test_ubstring(const std::string& s1, std::string& s2, std::string& s3) override {
    return copy(s1, s2, s3);
  }
  Param::FixedStruct test_fixed_struct(const Param::FixedStruct& s1, Param::FixedStruct& s2,
                                       Param::FixedStruct& s3) override {
    return copy(s1, s2, s3);
  }
  Param::StrSeq test_strseq(const Param::StrSeq& s1, Param::StrSeq& s2, Param::StrSeq& s3) override {
    return copy(s1, s2, s3);
  }
  Param::VarStruct test_var_struct(const Param::VarStruct& s1, Param::VarStruct& s2,
                                   Param::VarStruct& s3) override {
    return copy(s1, s2, s3);
  }
  Param::NestedStruct test_nested_struct(const Param::NestedStruct& s1, Param::NestedStruct& s2,
                                         Param::NestedStruct& s3) override {
    return copy(s1, s2, s3);
  }
  Param::StructSeq test_struct_seq(const Param::StructSeq& s1, Param::StructSeq& s2,
                                   Param::StructSeq& s3) override {
    return copy(s1, s2, s3);
  }
  Param::StructSeq echo_seq(const Param::StructSeq& s) override { return s; }
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
    auto servant = CORBA::make_reference<Servant>();
    program::publish(options.ior, orb->object_to_string(servant->_this()));
    program::wait_for_the_end(options.idle_seconds);
    orb->destroy();
    return 0;
  } catch (const CORBA::Exception& e) {
    std::fprintf(stderr, "server: %s\n", e.what());
    return 1;
  }
}
