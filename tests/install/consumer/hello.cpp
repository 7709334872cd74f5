// SPDX-License-Identifier: Apache-2.0
// Everything a first program does: an object, a reference to it as text, a call, exceptions; those of the program and those of the
// library, which each must be known on the other side.
#include <cstdio>
#include <exception>
#include <string>

#include <tenon/portable_server.hpp>
#include <tenon/tenon.hpp>

#include "hello_skel.hpp"

namespace {

class Greeter final : public CORBA::servant_traits<Greeting::Hello>::base_type {
 public:
  std::string greet(const std::string& name) override {
    if (name.empty()) throw Greeting::Nobody();
    if (name == "thief") throw CORBA::NO_PERMISSION(7, CORBA::CompletionStatus::COMPLETED_NO);
    return "hello, " + name;
  }
};

template <typename Exception, typename Action>
bool raises(Action action) {
  try {
    action();
  } catch (const Exception&) {
    return true;
  }
  return false;
}

int wrong(const char* what) {
  std::printf("wrong: %s\n", what);
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  auto orb = CORBA::ORB_init(argc, argv);
  auto poa = IDL::traits<PortableServer::POA>::narrow(orb->resolve_initial_references("RootPOA"));
  poa->the_POAManager()->activate();
  auto servant = CORBA::make_reference<Greeter>();
  auto id = poa->activate_object(servant);
  const std::string reference = orb->object_to_string(poa->id_to_reference(id));

  auto hello = IDL::traits<Greeting::Hello>::narrow(orb->string_to_object(reference));
  if (hello->greet("world") != "hello, world") return wrong("the answer");
  if (!raises<Greeting::Nobody>([&] { hello->greet(""); })) return wrong("the program's own exception");
  if (!raises<CORBA::UserException>([&] { hello->greet(""); })) return wrong("its base, the library's");
  if (!raises<CORBA::SystemException>([&] { hello->greet("thief"); }))
    return wrong("a system exception of the servant");

  // Thrown inside the library.
  if (!raises<CORBA::BAD_PARAM>([&] { orb->string_to_object("nonsense"); })) return wrong("BAD_PARAM");
  if (!raises<CORBA::SystemException>([&] { orb->string_to_object("nonsense"); }))
    return wrong("SystemException");
  if (!raises<std::exception>([&] { orb->string_to_object("nonsense"); })) return wrong("std::exception");
  if (!raises<CORBA::ORB::InvalidName>([&] { orb->resolve_initial_references("nothing"); }))
    return wrong("InvalidName");
  if (!raises<PortableServer::POA::ServantAlreadyActive>([&] { poa->activate_object(servant); })) {
    return wrong("ServantAlreadyActive");
  }

  // The same servant, found by its type again.
  auto found = poa->reference_to_servant(poa->id_to_reference(id));
  if (dynamic_cast<Greeter*>(found.get()) == nullptr) return wrong("the servant's type");

  orb->destroy();
  std::puts("hello, world; nobody is refused");
}
