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

// Activates the servant; its reference as text.
std::string reference_of(CORBA::ORB_ptr orb, PortableServer::POA_ptr poa,
                         PortableServer::ServantBase* servant) {
  PortableServer::ObjectId_var id = poa->activate_object(servant);
  servant->_remove_ref();
  CORBA::Object_var object = poa->id_to_reference(id);
  CORBA::String_var text = orb->object_to_string(object);
  return text.in();
}

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
    const std::string param = reference_of(orb, poa, new Servant);
    const std::string echo = reference_of(orb, poa, new EchoServant);
    peer::publish(options.ior, (param + "\n" + echo).c_str());
    peer::wait_for_the_end(options.idle_seconds);
    orb->shutdown(true);
    orb->destroy();
    return 0;
  } catch (const CORBA::Exception& e) {
    std::fprintf(stderr, "server: CORBA exception %s\n", e._name());
    return 1;
  }
}
