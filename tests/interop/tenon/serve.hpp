// SPDX-License-Identifier: Apache-2.0
//
// The main() of Tenon's servers of tests and benchmarks that do nothing out of the ordinary.
//
// Threads: main only.
#pragma once

#include <tenon/tenon.hpp>

#include "tests/interop/tenon/program.hpp"

namespace program {

/// Makes an ORB of the arguments, writes the text that `references(orb)` returns into the file of --ior, and serves until it is told
/// to end. The result of main().
template <class References>
int serve(int argc, char** argv, References references) {
  Options options = parse(argc, argv);
  hold_signals();
  try {
    char** arguments = options.arguments();
    const auto orb = CORBA::ORB_init(options.argc, arguments);
    publish(options.ior, references(orb));
    wait_for_the_end(options.idle_seconds);
    orb->destroy();
    return 0;
  } catch (const CORBA::Exception& e) {
    std::fprintf(stderr, "server: %s\n", e.what());
    return 1;
  }
}

}  // namespace program
