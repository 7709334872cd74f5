// SPDX-License-Identifier: Apache-2.0
//
// That vectors of the library in use are the three pointers which the engine takes them for.
#include "marshal/layout.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

namespace tenon::marshal {
namespace {

template <typename T>
void expect_three_pointers(std::vector<T> vector) {
  const RawVector raw = load_vector(&vector);
  EXPECT_EQ(raw.begin, reinterpret_cast<const std::byte*>(vector.data()));
  EXPECT_EQ(raw.bytes(), vector.size() * sizeof(T));
  EXPECT_EQ(raw.room(), vector.capacity() * sizeof(T));
}

TEST(Layout, VectorIsThreePointers) {
  std::vector<std::int32_t> numbers{1, 2, 3};
  numbers.reserve(10);
  expect_three_pointers(std::vector<std::int32_t>());
  expect_three_pointers(std::move(numbers));
  expect_three_pointers(std::vector<std::string>{"a", std::string(100, 'b')});
  expect_three_pointers(std::vector<std::vector<double>>(3));
}

TEST(Layout, MadeVectorIsAVector) {
  std::vector<std::int16_t> numbers;
  RawVector raw;
  raw.begin = allocate(6);
  raw.end = raw.capacity = raw.begin + 6;
  const std::int16_t values[] = {7, 8, 9};
  std::memcpy(raw.begin, values, 6);
  store_vector(&numbers, raw);
  EXPECT_EQ(numbers, (std::vector<std::int16_t>{7, 8, 9}));
  numbers.push_back(10);  // grows and frees what the engine allocated
  EXPECT_EQ(numbers.size(), 4u);
}

TEST(Layout, ZeroIsAnEmptyVector) {
  const std::vector<double> empty;
  RawVector zero;
  EXPECT_EQ(std::memcmp(&empty, &zero, sizeof zero), 0);  // NOLINT(bugprone-suspicious-memory-comparison)
}

}  // namespace
}  // namespace tenon::marshal
