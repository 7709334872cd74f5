// SPDX-License-Identifier: Apache-2.0
// A program that uses Any and the objects over it: the typed wing of the installed library.
#include <cstdio>
#include <string>

#include <tenon/dynamic.hpp>
#include <tenon/tenon.hpp>

int main(int argc, char** argv) {
  auto orb = CORBA::ORB_init(argc, argv);
  auto factory =
      IDL::traits<DynamicAny::DynAnyFactory>::narrow(orb->resolve_initial_references("DynAnyFactory"));
  CORBA::Any number;
  number <<= std::int32_t{42};
  auto dynamic = factory->create_dyn_any(number);
  bool refused = false;
  try {
    dynamic->insert_string("forty-two");
  } catch (const DynamicAny::DynAny::TypeMismatch&) {
    refused = true;
  }
  dynamic->insert_long(43);
  std::int32_t value = 0;
  const bool read = dynamic->to_any() >>= value;
  orb->destroy();
  std::printf("%d, %s\n", static_cast<int>(value), refused ? "no string" : "a string");
  return read && value == 43 && refused ? 0 : 1;
}
