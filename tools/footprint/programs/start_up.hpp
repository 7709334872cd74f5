// SPDX-License-Identifier: Apache-2.0
//
// How the hello programs start their ORB: the one place that changes when a start-up can name its parts. WITH_... is set by
// tools/footprint/programs.toml, which lists the programs and the features.
#pragma once

#include <tenon/tenon.hpp>

namespace hello {

inline CORBA::object_reference<CORBA::ORB> start(int& argc, char** argv) {
  return CORBA::ORB_init(argc, argv);
}

}  // namespace hello
