// SPDX-License-Identifier: Apache-2.0
#include "base/known_memory.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <random>
#include <thread>
#include <vector>

#include "base/buffer.hpp"

namespace tenon::memory {
namespace {

class PoolTest : public testing::Test {
 protected:
  explicit PoolTest(std::size_t octets = 12 * 4096) : marks_(Pool::marks_for(octets)) {
    memory_ = static_cast<std::byte*>(std::aligned_alloc(4096, octets));
    pool.open(memory_, octets, marks_.data());
  }
  ~PoolTest() override { std::free(memory_); }

  Pool pool;

 private:
  std::vector<std::uint8_t> marks_;
  std::byte* memory_;
};

TEST_F(PoolTest, blocks_are_aligned_and_counted) {
  void* const one = pool.allocate(1);
  void* const other = pool.allocate(65);
  ASSERT_NE(one, nullptr);
  ASSERT_NE(other, nullptr);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(one) % 64, 0U);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(other) % 64, 0U);
  EXPECT_EQ(pool.used().reserved, 12 * 4096U);
  EXPECT_EQ(pool.used().in_use, 64U + 128U);
  pool.release(one);
  pool.release(other);
  EXPECT_EQ(pool.used().in_use, 0U);
  EXPECT_EQ(pool.used().most, 64U + 128U);
}

TEST_F(PoolTest, all_of_it_can_be_given_out_whatever_its_size) {
  std::vector<void*> blocks;
  while (void* block = pool.allocate(4096)) blocks.push_back(block);
  EXPECT_EQ(blocks.size(), 12U);
  EXPECT_EQ(pool.used().refused, 1U);
  for (void* block : blocks) pool.release(block);
  // Twelve pages are a block of eight and one of four.
  void* const eight = pool.allocate(8 * 4096);
  void* const four = pool.allocate(4 * 4096);
  EXPECT_NE(eight, nullptr);
  EXPECT_NE(four, nullptr);
  EXPECT_EQ(pool.allocate(1), nullptr);
}

TEST_F(PoolTest, what_was_split_becomes_one_again) {
  for (int round = 0; round < 3; ++round) {
    std::vector<void*> blocks;
    while (void* block = pool.allocate(64)) blocks.push_back(block);
    EXPECT_EQ(blocks.size(), 12 * 64U);
    std::ranges::shuffle(blocks, std::minstd_rand(static_cast<unsigned>(round)));
    for (void* block : blocks) pool.release(block);
    void* const large = pool.allocate(8 * 4096);
    ASSERT_NE(large, nullptr) << "round " << round;
    pool.release(large);
  }
}

TEST_F(PoolTest, more_than_there_is_is_refused) {
  EXPECT_EQ(pool.allocate(13 * 4096), nullptr);
  EXPECT_EQ(pool.allocate(~std::size_t{0}), nullptr);
  EXPECT_EQ(pool.used().refused, 2U);
  EXPECT_EQ(pool.used().in_use, 0U);
}

TEST_F(PoolTest, blocks_do_not_overlap) {
  struct Held {
    unsigned char* at;
    std::size_t octets;
    unsigned char content;
  };
  std::minstd_rand random(7);
  std::vector<Held> held;
  for (int step = 0; step < 20000; ++step) {
    if (held.empty() || random() % 2 == 0) {
      const std::size_t octets = 1 + random() % 3000;
      if (void* block = pool.allocate(octets)) {
        held.push_back({static_cast<unsigned char*>(block), octets, static_cast<unsigned char>(random())});
        std::memset(block, held.back().content, octets);
      }
    } else {
      std::swap(held[random() % held.size()], held.back());
      const Held last = held.back();
      held.pop_back();
      for (std::size_t i = 0; i < last.octets; ++i) ASSERT_EQ(last.at[i], last.content);
      pool.release(last.at);
    }
  }
  for (const Held& each : held) pool.release(each.at);
  EXPECT_EQ(pool.used().in_use, 0U);
  EXPECT_NE(pool.allocate(8 * 4096), nullptr);
}

TEST_F(PoolTest, threads_share_it) {
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < 4; ++i) {
    threads.emplace_back([this, i] {
      std::minstd_rand random(i);
      for (int step = 0; step < 5000; ++step) {
        void* const block = pool.allocate(1 + random() % 500);
        if (block != nullptr) pool.release(block);
      }
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(pool.used().in_use, 0U);
  EXPECT_NE(pool.allocate(8 * 4096), nullptr);
}

/// What the engine asks for belongs to the process, so this is tried in one that ends with it.
bool known_memory_serves() {
  const Buffer early = Buffer::acquire(Buffer::largest_kept + 1);
  const std::size_t wanted[kinds] = {3 << 20, 8192, 4096, 4096};
  if (!early || is_known() || !reserve(wanted) || !is_known()) return false;
  std::size_t used[4];
  const auto in_use = [&](Kind kind) {
    source.load()->report(kind, used);
    return used[1];
  };
  {
    Buffer buffer = Buffer::acquire(100);
    if (!buffer || in_use(Kind::buffers) != Buffer::small) return false;
    std::memset(buffer.data(), 7, 100);
    // Whole pages are of the pool, too, and growing keeps what is there.
    if (!buffer.grow(600 * 1024, 0, 100) || buffer.data()[99] != 7) return false;
    if (in_use(Kind::buffers) != 1 << 20) return false;
    buffer.trim(100);
    if (buffer.grow(3 << 20, 0, 100) || buffer.data()[99] != 7) return false;
  }
  if (in_use(Kind::buffers) != 0 || used[2] != (1 << 20) + Buffer::small) return false;
  // The other kinds have not less because of that.
  void* const block = allocate(Kind::connections, 8192);
  if (block == nullptr || allocate(Kind::connections, 1) != nullptr) return false;
  release(block);
  const std::size_t more[kinds] = {4 << 20, 8192, 4096, 4096};
  return in_use(Kind::connections) == 0 && reserve(wanted) && !reserve(more);
}

TEST(known_memory, serves_buffers_and_blocks_and_refuses_more) {
  // On a thread of its own, which keeps no buffers of earlier tests.
  const auto serves = [] {
    bool good = false;
    std::thread([&good] { good = known_memory_serves(); }).join();
    return good;
  };
  EXPECT_EXIT(std::_Exit(serves() ? 0 : 1), testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace tenon::memory
