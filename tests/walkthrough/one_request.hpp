// SPDX-License-Identifier: Apache-2.0
//
// One call of add(2, 40) in steady state, taken apart.
#pragma once

#include <string>
#include <vector>

#include "observe.hpp"
#include "symbols.hpp"
#include "trace.hpp"

namespace tenon::walk {

using Names = std::vector<std::string>;

struct OneRequest {
  std::vector<std::uint8_t> request;
  std::vector<std::uint8_t> reply;

  // Functions of this program, outermost first, without those of the C library.
  Names client_send;     ///< from the stub
  Names client_receive;  ///< from the stub
  Names server_receive;  ///< from the thread's first function
  Names server_servant;  ///< from there to the servant's function
  Names server_send;     ///< from there to the reply's way out

  // As they are written in the sources, those that were inlined too; empty where there is no debug information.
  std::vector<WrittenFunction> stub_to_syscall;  ///< from the stub to the one that makes the system call
  std::vector<WrittenFunction>
      syscall_to_servant;  ///< from the one that has received the message to the servant's

  // The functions that lock a mutex, in order.
  Names client_locks;
  Names server_locks;
};

/// Fails the running test when anything is missing.
OneRequest observe_one_request();

/// Counts system calls of `calls` calls, then of twice as many.
Trace trace_calls(int calls);

}  // namespace tenon::walk
