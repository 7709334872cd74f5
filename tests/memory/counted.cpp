// SPDX-License-Identifier: Apache-2.0
//
// Linked into a program together with counting.cpp, so that a script counts what that program takes from the heap: SIGUSR1 begins, SIGUSR2
// reports to standard output and ends the process. The program's own sources stay as they are.
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <thread>

#include "tests/memory/counting.hpp"

namespace {

class Signals {
 public:
  /// Before main(), so that all threads leave the signals to this one.
  Signals() {
    sigset_t set{};
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    sigaddset(&set, SIGUSR2);
    ::pthread_sigmask(SIG_BLOCK, &set, nullptr);
    std::thread([set] { wait(set); }).detach();
  }

 private:
  static void wait(const sigset_t& set) {
    int which = 0;
    while (::sigwait(&set, &which) == 0) {
      if (which == SIGUSR2) break;
      std::puts("counting");
      std::fflush(stdout);
      counting::begin(0);
    }
    counting::report();
    std::_Exit(0);
  }
};

const Signals signals;

}  // namespace
