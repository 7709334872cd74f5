// SPDX-License-Identifier: Apache-2.0
//
// For tests that run out of memory: in processes of their own, whose address space has an end.
#pragma once

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>

#include "base/absent_test_support.hpp"
#include "base/memory.hpp"

// A sanitizer's heap needs more address space than RLIMIT_AS would leave it; such tests are then left out.
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
#define TENON_OWN_HEAP 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer) || __has_feature(address_sanitizer)
#define TENON_OWN_HEAP 1
#endif
#endif

namespace tenon::test {

/// From now on there is no memory but in pieces of less than 4 KiB, and what is set aside.
inline void end_memory() {
  memory::set_aside();
  const rlimit end{.rlim_cur = 1, .rlim_max = RLIM_INFINITY};
  ::setrlimit(RLIMIT_AS, &end);
  // What earlier tests have left in the heap.
  for (std::size_t size = std::size_t{64} << 20; size >= 4096; size /= 2) {
    while (void* const piece = std::malloc(size)) *static_cast<void* volatile*>(piece) = nullptr;
  }
}

/// Calls `work` in another process: it returns 0, or the number of what was wrong.
inline void expect_0_of(int (*work)()) {
  if (emulated())
    GTEST_SKIP() << "qemu-user does not limit the address space: the test would take all memory there is";
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) ::_exit(work());
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status)) << "signal " << WTERMSIG(status);
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

}  // namespace tenon::test
