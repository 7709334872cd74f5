// SPDX-License-Identifier: Apache-2.0
// server: prints a reference and serves, as tools/footprint/programs/server.cpp does, for omniORB.
#include <cstdio>
#include <string>

#include "hello.hh"

class Greeter : public POA_Footprint::Hello {
 public:
  char* greet(const char* name) override {
    if (*name == 0) throw Footprint::Nobody();
    return CORBA::string_dup((std::string("hello, ") + name).c_str());
  }
};

int main(int argc, char** argv) {
  CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
  CORBA::Object_var object = orb->resolve_initial_references("RootPOA");
  PortableServer::POA_var poa = PortableServer::POA::_narrow(object);
  PortableServer::Servant_var<Greeter> servant = new Greeter;
  PortableServer::ObjectId_var id = poa->activate_object(servant);
  CORBA::Object_var reference = servant->_this();
  CORBA::String_var text = orb->object_to_string(reference);
  std::puts(text);
  std::fflush(stdout);
  PortableServer::POAManager_var manager = poa->the_POAManager();
  manager->activate();
  orb->run();
}
