// SPDX-License-Identifier: Apache-2.0
#include "base/stable_array.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace tenon {
namespace {

struct alignas(64) Element {
  std::uint32_t value = 7;
};
using Elements = StableArray<Element, 2, 16, memory::Kind::objects>;

TEST(StableArray, ElementsStayWhereTheyAre) {
  Elements::Pool pool;
  Elements array;
  EXPECT_EQ(array.at(0), nullptr);
  constexpr std::uint32_t count = 100000;
  std::vector<Element*> seen;
  for (std::uint32_t i = 0; i < count; ++i) {
    Element* const made = array.grow(i, pool);
    ASSERT_EQ(made->value, 7u);
    made->value = i;
    seen.push_back(made);
  }
  for (std::uint32_t i = 0; i < count; ++i) {
    ASSERT_EQ(array.at(i), seen[i]);
    ASSERT_EQ(seen[i]->value, i);
  }
  EXPECT_EQ(array.at(Elements::capacity), nullptr);
  array.give_back(pool);
  EXPECT_EQ(array.at(0), nullptr);
  // The pool gives back the same memory with the same content.
  EXPECT_EQ(array.grow(0, pool), seen[0]);
  EXPECT_EQ(seen[0]->value, 0u);
}

TEST(StableArray, LargeChunksBeginAtHugePages) {
  constexpr std::size_t first = huge_page / sizeof(Element);
  static_assert((first & (first - 1)) == 0);
  Elements::Pool pool;
  Elements array;
  // The chunk of so many elements holds those from `first` less the first chunk's size on.
  const auto index = static_cast<std::uint32_t>(first - Elements::size(0));
  for (std::uint32_t i = 0; i <= index; ++i) array.grow(i, pool);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(array.at(index)) % huge_page, 0u);
  array.give_back(pool);
}

/// Shows where an element is destroyed.
struct Counted {
  static int alive;
  Counted() { ++alive; }
  ~Counted() { --alive; }
};
int Counted::alive = 0;

TEST(StableArray, ThePoolDestroysWhatItMadeWhereverThatIs) {
  {
    using Array = StableArray<Counted, 1, 8, memory::Kind::objects>;
    Array::Pool pool;
    Array kept;
    Array given_back;
    ASSERT_NE(kept.grow(0, pool), nullptr);
    for (std::uint32_t i = 0; i < 3; ++i) ASSERT_NE(given_back.grow(i, pool), nullptr);
    EXPECT_EQ(Counted::alive, 2 + 2 + 4);
    given_back.give_back(pool);
    EXPECT_EQ(Counted::alive, 2 + 2 + 4);
  }
  EXPECT_EQ(Counted::alive, 0);
}

}  // namespace
}  // namespace tenon
