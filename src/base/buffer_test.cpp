// SPDX-License-Identifier: Apache-2.0
//
// Recycled buffers: sizes, alignment, reuse within a thread, passage between threads, the end of a thread.
#include "base/buffer.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <set>
#include <thread>
#include <vector>

namespace tenon {
namespace {

TEST(Buffer, GivesAtLeastWhatIsAsked) {
  for (const std::size_t bytes :
       {std::size_t{0}, std::size_t{1}, Buffer::small, Buffer::small + 1, std::size_t{100'000},
        Buffer::largest_kept, Buffer::largest_kept + 1, std::size_t{5'000'000}}) {
    const Buffer buffer = Buffer::acquire(bytes);
    ASSERT_TRUE(buffer) << bytes;
    EXPECT_GE(buffer.capacity(), bytes);
    EXPECT_GE(buffer.capacity(), Buffer::small);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(buffer.data()) % 64, 0u);
    std::memset(buffer.data(), 0x5a, buffer.capacity());
  }
}

TEST(Buffer, MemoryThatCannotBeHadIsAnEmptyBuffer) {
  EXPECT_FALSE(Buffer::acquire(SIZE_MAX));
  EXPECT_FALSE(Buffer::acquire(SIZE_MAX / 2));
}

TEST(Buffer, AReleasedBufferComesBack) {
  Buffer first = Buffer::acquire(0);
  const std::uint8_t* const where = first.data();
  first.release();
  EXPECT_FALSE(first);
  const Buffer second = Buffer::acquire(100);
  EXPECT_EQ(second.data(), where);
}

TEST(Buffer, SizesDoNotMix) {
  Buffer small = Buffer::acquire(0);
  small.release();
  const Buffer large = Buffer::acquire(200'000);
  EXPECT_GE(large.capacity(), 200'000u);
  std::memset(large.data(), 1, large.capacity());
}

TEST(Buffer, ManyBuffersAtOnceAreDistinct) {
  for (int round = 0; round < 3; ++round) {
    std::vector<Buffer> held;
    std::set<const std::uint8_t*> places;
    for (int i = 0; i < 40; ++i) {
      held.push_back(Buffer::acquire(static_cast<std::size_t>(i) * 20'000));
      EXPECT_TRUE(places.insert(held.back().data()).second);
    }
  }
}

TEST(Buffer, MovesOwnership) {
  Buffer a = Buffer::acquire(0);
  const std::uint8_t* const where = a.data();
  Buffer b = std::move(a);
  EXPECT_FALSE(a);
  EXPECT_EQ(b.data(), where);
  Buffer& alias = b;
  b = std::move(alias);
  EXPECT_EQ(b.data(), where);
}

TEST(Buffer, MayBeReleasedOnAnotherThread) {
  std::vector<Buffer> made;
  for (int i = 0; i < 10; ++i) made.push_back(Buffer::acquire(0));
  std::thread other([&] {
    for (Buffer& buffer : made) buffer.release();
    const Buffer again = Buffer::acquire(0);
    EXPECT_TRUE(again);
  });
  other.join();
  EXPECT_TRUE(Buffer::acquire(0));
}

struct ReleasedLate {
  Buffer buffer;
};

// Constructed before the cache of its thread is opened, so destroyed after it was emptied.
TEST(Buffer, MayBeReleasedAfterTheCacheOfItsThread) {
  std::thread other([] {
    static thread_local ReleasedLate late;
    late.buffer = Buffer::acquire(0);
    Buffer::acquire(0).release();
  });
  other.join();
}

}  // namespace
}  // namespace tenon
