// SPDX-License-Identifier: Apache-2.0
//
// Tenon's server of late.idl in C++. Options: --ior FILE, --idle SECONDS; the rest goes to ORB_init.
//
// Threads: the ORB's.

#include <tenon/portable_server.hpp>
#include <tenon/tenon.hpp>

#include "bench/late/tenon/servant.hpp"
#include "tests/interop/tenon/serve.hpp"

int main(int argc, char** argv) {
  return program::serve(argc, argv, [](const auto& orb) {
    auto object = tenon::publish(orb, CORBA::make_reference<late::Servant>());
    return orb->object_to_string(object);
  });
}
