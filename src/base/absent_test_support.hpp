// SPDX-License-Identifier: Apache-2.0
//
// For tests that need what may be missing: a tool that is not installed, something that the system does not permit.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <string_view>

namespace tenon {

/// Where CI is `true` everything is to be there (the same in tests/absent.py).
inline bool in_ci() {
  const char* value = std::getenv("CI");
  return value != nullptr && std::string_view(value) == "true";
}

/// Whether this is a program of a cross build under an emulator (cmake/TenonFolder.cmake says so to its tests). What comes with the
/// target's whole system is not there then: the C library's conversions of code sets, for one.
inline bool emulated() { return std::getenv("TENON_EMULATED") != nullptr; }

}  // namespace tenon

/// Ends the test: skipped, or failed where CI is `true`. For what another machine cannot have either there is GTEST_SKIP.
#define TENON_ABSENT(what)                                        \
  do {                                                            \
    if (tenon::in_ci()) FAIL() << "missing under CI: " << (what); \
    GTEST_SKIP() << (what);                                       \
  } while (false)
