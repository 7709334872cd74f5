// SPDX-License-Identifier: Apache-2.0
//
// The shelf of kept parameters by itself: which values are found again, which are dropped, and how much memory values hold. tests/mapping
// tests it in skeletons.
#include "mapping/cpp11/calls/kept.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <thread>

namespace tenon::gen {
namespace {

using Octets = std::vector<std::uint8_t>;
using Words = std::vector<std::string>;

class Shelf : public testing::Test {
 protected:
  Shelf() { empty(); }
  ~Shelf() override {
    set_kept_bytes_most(usual_);
    empty();
  }
  static void empty() {
    const std::size_t most = kept_bytes_most();
    set_kept_bytes_most(0);
    give(1);
    set_kept_bytes_most(most);
  }
  static std::size_t give(std::size_t octets) {
    const Kept<Octets> kept;
    kept.value().assign(octets, 1);
    kept.value().shrink_to_fit();
    return sizeof(KeptValue<Octets>) + octets;
  }

 private:
  const std::size_t usual_ = kept_bytes_most();
};

TEST_F(Shelf, ValuesComeBackByType) {
  const std::uint8_t* first = nullptr;
  {
    const Kept<Octets> kept;
    kept.value().resize(100);
    first = kept.value().data();
  }
  {
    const Kept<Words> other;
    EXPECT_TRUE(other.value().empty());
    other.value().push_back("word");
  }
  const Kept<Octets> again;
  EXPECT_EQ(again.value().data(), first);
  EXPECT_EQ(again.value().size(), 100u);
  const Kept<Words> words;
  EXPECT_EQ(words.value().size(), 1u);
}

TEST_F(Shelf, InUseIsNotOnTheShelf) {
  const Kept<Octets> outer;
  outer.value().assign(10, 1);
  {
    const Kept<Octets> inner;
    EXPECT_TRUE(inner.value().empty());
    inner.value().assign(20, 2);
  }
  EXPECT_EQ(outer.value(), Octets(10, 1));
  const Kept<Octets> next;
  EXPECT_EQ(next.value().size(), 20u);
}

TEST_F(Shelf, TheOldestGoesWhereBytesRunOut) {
  set_kept_bytes_most(1000);
  {
    const Kept<Words> oldest;
    oldest.value().push_back("word");
  }
  const std::size_t first = give(700);
  EXPECT_GT(kept_bytes(), first);
  {
    const Kept<Octets> in_use;  // so that the next one is new
    give(1001 - kept_bytes());
  }
  EXPECT_LE(kept_bytes(), 1000u);
  EXPECT_TRUE(Kept<Words>().value().empty()) << "the words were used before the octets";
}

TEST_F(Shelf, LargeValuesAreNotKept) {
  set_kept_bytes_most(1000);
  const std::size_t small = give(100);
  EXPECT_EQ(kept_bytes(), small);
  {
    const Kept<Octets> in_use;
    give(1000);
  }
  EXPECT_EQ(kept_bytes(), small) << "what was there before stays";
  set_kept_bytes_most(0);
  give(1);
  EXPECT_EQ(kept_bytes(), 0u);
}

TEST_F(Shelf, NoMoreThanSoMany) {
  {
    std::vector<std::unique_ptr<Kept<Octets>>> many(kept_values_most + 5);
    for (auto& one : many) one = std::make_unique<Kept<Octets>>();
  }
  EXPECT_EQ(kept_bytes(), kept_values_most * sizeof(KeptValue<Octets>));
}

TEST_F(Shelf, EachThreadHasItsOwn) {
  give(100);
  std::thread([] {
    EXPECT_EQ(kept_bytes(), 0u);
    give(50);
    EXPECT_GT(kept_bytes(), 0u);
  }).join();
  EXPECT_EQ(kept_bytes(), sizeof(KeptValue<Octets>) + 100);
}

TEST(HeldMemory, IsWhatTheValueAllocated) {
  EXPECT_EQ(held(5), 0u);
  Words words(2);
  words.shrink_to_fit();
  words[0].assign(100, 'x');
  EXPECT_EQ(held(words), 2 * sizeof(std::string) + words[0].capacity() + words[1].capacity());
  const std::array<Octets, 2> both{Octets(7), Octets(9)};
  EXPECT_EQ(held(both), 16u);
  EXPECT_EQ(held(std::wstring(50, L'x')), std::wstring(50, L'x').capacity() * sizeof(wchar_t));
}

}  // namespace
}  // namespace tenon::gen
