// SPDX-License-Identifier: Apache-2.0
//
// Recycled buffers: sizes, alignment, reuse within a thread, passage between threads, the end of a thread.
#include "base/buffer.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <algorithm>
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
  EXPECT_FALSE(a);  // NOLINT(bugprone-use-after-move): it is what is tested
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

bool is_resident(const std::uint8_t* page) {
  unsigned char there = 0;
  return ::mincore(const_cast<std::uint8_t*>(page), 1, &there) == 0;
}

TEST(Buffer, CapacityIsKnownBefore) {
  for (const std::size_t bytes :
       {std::size_t{0}, std::size_t{9'000}, Buffer::largest_kept, Buffer::largest_kept + 1,
        Buffer::kept_by_process + 1, std::size_t{100'000'000}}) {
    const Buffer buffer = Buffer::acquire(bytes);
    EXPECT_GE(buffer.capacity(), Buffer::capacity_for(bytes));
  }
  EXPECT_EQ(Buffer::acquire(std::size_t{40} << 20).capacity(), Buffer::capacity_for(std::size_t{40} << 20));
  EXPECT_EQ(Buffer::capacity_for(SIZE_MAX), 0u);
}

TEST(Buffer, LargeOnesGoBackToTheSystem) {
  Buffer large = Buffer::acquire(Buffer::kept_by_process + 1);
  std::memset(large.data(), 1, large.capacity());
  const std::uint8_t* const where = large.data();
  EXPECT_TRUE(is_resident(where));
  large.release();
  EXPECT_FALSE(is_resident(where));
}

// The process keeps some for the next large message of any thread, but no more octets than it may.
TEST(Buffer, TheProcessKeepsAFew) {
  const std::size_t size = Buffer::kept_by_process / 2;
  std::vector<Buffer> kept_before;
  for (int i = 0; i < 16; ++i) kept_before.push_back(Buffer::acquire(Buffer::largest_kept + 1));
  const std::uint8_t* where = nullptr;
  std::thread other([&] {
    Buffer one = Buffer::acquire(size);
    where = one.data();
  });
  other.join();
  EXPECT_EQ(Buffer::acquire(size).data(), where);
  std::vector<Buffer> many;
  std::vector<const std::uint8_t*> places;
  for (int i = 0; i < 20; ++i) {
    many.push_back(Buffer::acquire(size));
    places.push_back(many.back().data());
  }
  many.clear();
  EXPECT_LE(std::ranges::count_if(places, is_resident), 2);
}

TEST(Buffer, GrowsWithWhatItHolds) {
  Buffer buffer = Buffer::acquire(0);
  std::memset(buffer.data(), 0, buffer.capacity());
  for (std::size_t i = 0; i < 100; ++i) buffer.data()[i + 7] = static_cast<std::uint8_t>(i);
  std::size_t from = 7;
  for (const std::size_t bytes :
       {std::size_t{20'000}, Buffer::largest_kept, std::size_t{1} << 20, std::size_t{64} << 20}) {
    ASSERT_TRUE(buffer.grow(bytes, from, 100));
    EXPECT_GE(buffer.capacity(), bytes);
    for (std::size_t i = 0; i < 100; ++i) ASSERT_EQ(buffer.data()[i], i);
    std::memset(buffer.data() + 100, 0x5a, buffer.capacity() - 100);
    // The next one from the middle.
    from = 4000;
    std::memmove(buffer.data() + from, buffer.data(), 100);
  }
  const std::uint8_t* const where = buffer.data();
  EXPECT_FALSE(buffer.grow(SIZE_MAX, 0, 100));
  EXPECT_EQ(buffer.data(), where);
}

TEST(Buffer, IsTrimmedToWhatAFreshOneHas) {
  Buffer buffer = Buffer::acquire(Buffer::kept_by_process);
  buffer.data()[0] = 7;
  buffer.trim(1'000'000);
  EXPECT_EQ(buffer.capacity(), Buffer::capacity_for(1'000'000));
  EXPECT_EQ(buffer.data()[0], 7);
  Buffer small = Buffer::acquire(100);
  small.trim(0);
  EXPECT_EQ(small.capacity(), Buffer::small);
}

TEST(Buffer, GrowsFromNothing) {
  Buffer buffer;
  ASSERT_TRUE(buffer.grow(3'000'000, 0, 0));
  EXPECT_GE(buffer.capacity(), 3'000'000u);
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
