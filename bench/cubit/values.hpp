// SPDX-License-Identifier: Apache-2.0
//
// The numbers that the Cubit programs of all ORBs send, and what is made of them. Values, no state.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "bench/raw/blocks.hpp"

namespace cubit {

/// Modulo what fits into T.
template <class T>
T cube(T value) {
  const auto wide = static_cast<std::uint32_t>(value);
  return static_cast<T>(wide * wide * wide);
}

template <class T>
void cube_all(T* values, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) values[i] = cube(values[i]);
}

/// Numbers of which no two neighbours are alike.
template <class T>
std::vector<T> numbers(std::size_t count) {
  std::vector<T> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<T>(i % 5 + 2);
  return values;
}

template <class T>
std::vector<T> cubes(std::size_t count) {
  std::vector<T> values = numbers<T>(count);
  cube_all(values.data(), count);
  return values;
}

/// The commands that make calls, `words` being `pingpong TYPE COUNT` or `calls TYPE COUNT`. A call says whether its answer was right.
template <class Call>
std::string run(const blocks::Words& words, const Call& call) {
  const std::size_t count = blocks::number(words, 2);
  std::size_t wrong = 0;
  const auto checked = [&] { wrong += call() ? 0U : 1U; };
  std::string answer = "done";
  if (words[0] == "pingpong") {
    answer = blocks::time_calls(count, checked);
  } else if (words[0] == "calls") {
    for (std::size_t i = 0; i < count; ++i) checked();
  } else {
    return "";
  }
  return wrong == 0 ? answer : "error " + std::to_string(wrong) + " answers were wrong";
}

/// As many copies of so many octets, one after the other: what memcpy costs by the measure of the calls.
inline std::string copies(std::size_t octets, std::size_t count) {
  const std::vector<std::uint8_t> from(octets, 1);
  std::vector<std::uint8_t> to(octets);
  for (std::size_t i = 0; i < count; ++i) {
    std::memcpy(to.data(), from.data(), octets);
    asm volatile("" : : "r"(to.data()) : "memory");  // so that each is made
  }
  return "done";
}

}  // namespace cubit
