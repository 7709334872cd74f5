// SPDX-License-Identifier: Apache-2.0
//
// Runs a piece of code in a child process and counts its system calls by thread, between marks that the code sets. Uses ptrace,
// so it sees every system call, those inside the C library included.
#pragma once

#include <sys/types.h>

#include <map>
#include <string>
#include <vector>

#include "base/function_ref.hpp"

namespace tenon::walk {

using CallCounts = std::map<long, unsigned>;  ///< system call number -> how often

struct Trace {
  std::string problem;  ///< why there is no trace; empty: there is one
  pid_t main_thread = 0;
  unsigned threads = 0;                                ///< that there were when the last mark was set
  std::vector<std::map<pid_t, CallCounts>> intervals;  ///< between mark i and mark i + 1
};

/// Whether the thread sent something. A thread that keeps an ORB's time does not; it wakes eight times a second, however many calls
/// there are.
bool takes_part(const CallCounts& counts);

/// In the child only.
void mark() noexcept;

/// Forks; the child runs `run` and exits. Call while this process has one thread.
Trace trace_child(FunctionRef<void()> run);

/// "sendto"; a number for those that no ORB makes on a call's path.
std::string system_call_name(long number);

}  // namespace tenon::walk
