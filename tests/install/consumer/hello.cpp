// SPDX-License-Identifier: Apache-2.0
// Everything a first program does: an object, a reference to it as text, a call, an exception.
#include <cstdio>
#include <string>

#include <tenon/portable_server.hpp>
#include <tenon/tenon.hpp>

#include "hello_skel.hpp"

namespace {

class Greeter final : public CORBA::servant_traits<Greeting::Hello>::base_type {
 public:
  std::string greet(const std::string& name) override {
    if (name.empty()) throw Greeting::Nobody();
    return "hello, " + name;
  }
};

bool refuses_nobody(IDL::traits<Greeting::Hello>::ref_type hello) {
  try {
    hello->greet("");
  } catch (const Greeting::Nobody&) {
    return true;
  }
  return false;
}

}  // namespace

int main(int argc, char** argv) {
  auto orb = CORBA::ORB_init(argc, argv);
  auto poa = IDL::traits<PortableServer::POA>::narrow(orb->resolve_initial_references("RootPOA"));
  poa->the_POAManager()->activate();
  auto id = poa->activate_object(CORBA::make_reference<Greeter>());
  const std::string reference = orb->object_to_string(poa->id_to_reference(id));

  auto hello = IDL::traits<Greeting::Hello>::narrow(orb->string_to_object(reference));
  const std::string answer = hello->greet("world");
  const bool refused = refuses_nobody(hello);
  std::printf("%s; nobody is %s\n", answer.c_str(), refused ? "refused" : "greeted");
  orb->destroy();
  return answer == "hello, world" && refused ? 0 : 1;
}
