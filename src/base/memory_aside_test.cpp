// SPDX-License-Identifier: Apache-2.0
//
// Runs out of memory for good: in a process of its own, whose address space has an end.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <cstdlib>
#include <new>
#include <string>
#include <vector>

#include "base/memory.hpp"
#include "base/no_memory_test_support.hpp"

#ifndef TENON_OWN_HEAP

namespace tenon::memory {
namespace {

/// What the heap still has: all of it, in pieces that get smaller. First the small ones that it keeps by size for this thread.
void exhaust(std::vector<void*>& pieces) {
  for (std::size_t size = 16; size < 1100; size += 16) {
    for (int i = 0; i < 8; ++i) {
      if (void* const piece = std::malloc(size)) pieces.push_back(piece);
    }
  }
  for (std::size_t size = std::size_t{1} << 20; size >= 16; size /= 2) {
    while (void* const piece = std::malloc(size)) pieces.push_back(piece);
  }
}

/// 0: as it should be; otherwise the number of what was not.
int run_out() {
  set_aside();
  if (is_exhausted()) return 1;
  std::vector<void*> pieces;
  pieces.reserve(1 << 20);
  const rlimit end{.rlim_cur = std::size_t{256} << 20, .rlim_max = RLIM_INFINITY};
  if (::setrlimit(RLIMIT_AS, &end) != 0) return 2;
  exhaust(pieces);
  if (std::malloc(1000) != nullptr) return 3;
  std::vector<std::string> made;
  made.reserve(100);  // from what is set aside, as is what follows
  for (int i = 0; i < 100; ++i) made.emplace_back(200, 'x');
  if (!is_exhausted()) return 4;
  bool thrown = false;
  try {
    made.emplace_back(aside_octets, 'x');
  } catch (const std::bad_alloc&) {
    thrown = true;
  }
  if (!thrown) return 5;
  for (void* const piece : pieces) std::free(piece);
  if (is_exhausted()) return 6;
  pieces.clear();
  exhaust(pieces);
  made[0] = std::string(1000, 'x');  // set aside again, so that it serves again
  return is_exhausted() ? 0 : 7;
}

/// How often operator new may ask again once the memory set aside has been given back: that may have been for another thread.
int times_asked() {
  set_aside();
  const std::new_handler asked = std::get_new_handler();
  int times = 0;
  try {
    for (; times < 1000; ++times) asked();
    return times;
  } catch (const std::bad_alloc&) {
    return times;
  }
}

int serves_threads_together() {
  const int times = times_asked();
  if (times < 2) return 1;
  if (times >= 1000) return 2;
  if (!is_exhausted() && times_asked() == times) return 0;  // set aside again
  return 3;
}

TEST(MemoryAside, AsksAgainAFewTimesForThreadsThatFindTheHeapEmptyTogether) {
  test::expect_0_of(serves_threads_together);
}
TEST(MemoryAside, ServesSmallPiecesWhereTheHeapHasNothingLeft) { test::expect_0_of(run_out); }

}  // namespace
}  // namespace tenon::memory
#endif
