// SPDX-License-Identifier: Apache-2.0
//
// The frame of a program with an ORB of its own: options, ORB_init, destroy, and what an exception is told as.
#pragma once

#include <cstdio>
#include <tenon/tenon.hpp>

#include "tests/interop/tenon/program.hpp"

namespace program {

/// `run(orb, options)` gives the exit status; `name` stands before the text of an exception, whose status is 1.
template <class Run>
int with_orb(const char* name, int argc, char** argv, Run run) {
  Options options = parse(argc, argv);
  try {
    char** arguments = options.arguments();
    const auto orb = CORBA::ORB_init(options.argc, arguments);
    const int status = run(orb, options);
    orb->destroy();
    return status;
  } catch (const CORBA::Exception& e) {
    std::fprintf(stderr, "%s: %s\n", name, e.what());
    return 1;
  }
}

}  // namespace program
