// SPDX-License-Identifier: Apache-2.0
#include "base/over_bound.hpp"

#include "base/joined.hpp"
#include "base/memory.hpp"
#include "base/minor_codes.hpp"

namespace tenon {

namespace {

struct Noted {
  std::size_t found = 0;
  std::size_t bound = 0;  // 0: nothing was noted
};
thread_local constinit Noted noted;

bool same(const Error& one, const Error& other) noexcept {
  return one.id == other.id && one.minor == other.minor;
}

}  // namespace

void note_over_bound(std::size_t found, std::size_t bound) noexcept { noted = {found, bound}; }

void forget_over_bound() noexcept { noted = {}; }

std::string take_over_bound(const Error& error) noexcept {
  if (noted.bound == 0) return {};
  if (!same(error, errors::over_bound) && !same(error, errors::length_above_bound)) return {};
  const Noted taken = noted;
  noted = {};
  if (memory::is_known()) return {};  // text is of the heap
  return std::string(describe(error)) + ": " + decimal(taken.found) + " where " + decimal(taken.bound) +
         " are allowed";
}

}  // namespace tenon
