// SPDX-License-Identifier: Apache-2.0
//
// Functions that a test has called at points that threads pass too quickly for a race there to be seen. All are null in programs, and
// none is on the path of a call. Any thread sets and reads them.
#pragma once

#include <atomic>

#include "base/clock.hpp"

namespace tenon::giop {

struct TestHooks {
  /// Called by the thread that closes a connection, when nothing begins on it any more and CloseConnection is not sent yet. `by`: as
  /// given to Connection::close_by().
  std::atomic<void (*)(Deadline by)> before_goodbye{nullptr};
};

inline constinit TestHooks test_hooks;

}  // namespace tenon::giop
