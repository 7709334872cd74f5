// SPDX-License-Identifier: Apache-2.0
// client REFERENCE NAME, as tools/footprint/programs/client.cpp is, for omniORB.
#include <cstdio>

#include "hello.hh"

int main(int argc, char** argv) {
  try {
    CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
    if (argc != 3) return 2;
    CORBA::Object_var object = orb->string_to_object(argv[1]);
    Footprint::Hello_var hello = Footprint::Hello::_narrow(object);
    if (CORBA::is_nil(hello)) return 1;
    omniORB::setClientCallTimeout(hello, 2000);
    CORBA::String_var greeting = hello->greet(argv[2]);
    std::puts(greeting);
    orb->destroy();
    return 0;
  } catch (const Footprint::Nobody&) {
    std::puts("nobody to greet");
  } catch (const CORBA::SystemException& e) {
    std::puts(e._name());
  }
  return 1;
}
