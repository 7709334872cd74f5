// SPDX-License-Identifier: Apache-2.0
//
// omniORB's server of param.idl and echo.idl: publishes the two references, a line each. Options: --ior FILE, --idle SECONDS; the rest goes to omniORB.
//
// Threads: omniORB's, one per connection.

#include "echo.hh"
#include "tests/interop/omniorb/peer_main.hpp"

namespace {

// What the paper's servant does: the in parameter goes into all that is sent back.
template <class T, class Out>
T* copy(const T& in, T& inout, Out out) {
  inout = in;
  out = new T(in);
  return new T(in);
}

class Servant : public POA_Param::ParamTest {
 public:
  CORBA::Short test_short(CORBA::Short s1, CORBA::Short& s2, CORBA::Short& s3) override {
    s2 = s3 = s1;
    return s1;
  }
  char* test_ubstring(const char* s1, char*& s2, CORBA::String_out s3) override {
    CORBA::string_free(s2);
    s2 = CORBA::string_dup(s1);
    s3 = CORBA::string_dup(s1);
    return CORBA::string_dup(s1);
  }
  Param::FixedStruct test_fixed_struct(const Param::FixedStruct& s1, Param::FixedStruct& s2,
                                       Param::FixedStruct& s3) override {
    s2 = s3 = s1;
    return s1;
  }
  Param::StrSeq* test_strseq(const Param::StrSeq& s1, Param::StrSeq& s2, Param::StrSeq_out s3) override {
    return copy<Param::StrSeq, Param::StrSeq_out>(s1, s2, s3);
  }
  Param::VarStruct* test_var_struct(const Param::VarStruct& s1, Param::VarStruct& s2,
                                    Param::VarStruct_out s3) override {
    return copy<Param::VarStruct, Param::VarStruct_out>(s1, s2, s3);
  }
  Param::NestedStruct* test_nested_struct(const Param::NestedStruct& s1, Param::NestedStruct& s2,
                                          Param::NestedStruct_out s3) override {
    return copy<Param::NestedStruct, Param::NestedStruct_out>(s1, s2, s3);
  }
  Param::StructSeq* test_struct_seq(const Param::StructSeq& s1, Param::StructSeq& s2,
                                    Param::StructSeq_out s3) override {
    return copy<Param::StructSeq, Param::StructSeq_out>(s1, s2, s3);
  }
};

class EchoServant : public POA_Param::Echo {
 public:
  Param::StructSeq* echo_seq(const Param::StructSeq& s) override { return new Param::StructSeq(s); }
  void nothing() override {}
};

}  // namespace

int main(int argc, char** argv) {
  return peer::server_main(argc, argv, [](const peer::Server& server) {
    CORBA::Object_var param = server.activate(new Servant);
    CORBA::Object_var echo = server.activate(new EchoServant);
    return server.text(param) + "\n" + server.text(echo);
  });
}
