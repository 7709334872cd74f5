// SPDX-License-Identifier: Apache-2.0
//
// Tenon's client of late.idl in C++; commands on standard input (values.hpp). Options: --ior FILE; the rest goes to ORB_init.
//
// Threads: one.

#include <tenon/tenon.hpp>

#include "bench/late/tenon/calls.hpp"
#include "tests/interop/tenon/with_orb.hpp"

int main(int argc, char** argv) {
  return program::with_orb("client", argc, argv, [](const auto& orb, const program::Options& options) {
    const auto found = orb->string_to_object(program::read_reference(options.ior));
    CORBA::object_reference<Late::Target> object = IDL::traits<Late::Viewer>::narrow(found);
    if (!object) object = IDL::traits<Late::Target>::narrow(found);
    if (!object) return 2;
    return blocks::serve_commands(
        [&](const blocks::Words& words) { return late::commanded(*object, words); });
  });
}
