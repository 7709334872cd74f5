// SPDX-License-Identifier: Apache-2.0
//
// omniORB as the client of an object whose reference offers operation numbers: it does not know them, keeps them, and calls by name.
// Prints what the operations of plain.idl return, and the reference as omniORB writes it.
//
// Threads: one.
#include <omniORB4/CORBA.h>

#include <cstdio>

#include "plain.hh"

int main(int argc, char** argv) {
  try {
    CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
    CORBA::Object_var object = orb->string_to_object(argv[argc - 1]);
    Plain::Left_var left = Plain::Left::_narrow(object);
    if (CORBA::is_nil(left)) return 2;
    left->note(5);
    left->level(7);
    std::printf("%d %d %d\n", static_cast<int>(left->one(10)), static_cast<int>(left->two(10)),
                static_cast<int>(left->level()));
    try {
      left->refuse(3);
    } catch (const Plain::Refused& refused) {
      std::printf("refused %d\n", static_cast<int>(refused.number));
    }
    CORBA::String_var text = orb->object_to_string(left);
    std::printf("%s\n", static_cast<const char*>(text));
    orb->destroy();
    return 0;
  } catch (const CORBA::Exception& e) {
    std::fprintf(stderr, "client: %s\n", e._name());
    return 1;
  }
}
