// SPDX-License-Identifier: Apache-2.0
#include "base/stable_array.hpp"

#include <gtest/gtest.h>

namespace tenon {
namespace {

struct alignas(64) Element {
  std::uint32_t value = 7;
};
using Elements = StableArray<Element, 2, 16>;

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

}  // namespace
}  // namespace tenon
