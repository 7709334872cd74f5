// SPDX-License-Identifier: Apache-2.0
//
// How the hello programs start their ORB. PARTS is what it consists of (tools/footprint/programs.toml lists the programs and the
// features; ALSO is the part that a feature adds); without it, ORB_init makes an ORB that has everything.
#pragma once

#include <tenon/parts.hpp>
#include <tenon/tenon.hpp>

namespace hello {

inline CORBA::object_reference<CORBA::ORB> start([[maybe_unused]] int& argc, [[maybe_unused]] char** argv) {
#ifdef PARTS
  tenon::Configuration configuration;
  configuration.endpoints = {"iiop://127.0.0.1:0"};
#ifndef ALSO
  return tenon::init_orb(configuration, {PARTS});
#else
  return tenon::init_orb(configuration, {PARTS, ALSO});
#endif
#else
  return CORBA::ORB_init(argc, argv);
#endif
}

}  // namespace hello
