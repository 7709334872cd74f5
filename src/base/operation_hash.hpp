// SPDX-License-Identifier: Apache-2.0
//
// The hash behind the operation tables of compiled skeletons. The IDL compiler searches a seed without
// collisions with this very function, so it is the same on every machine and may only change together with
// the generated code. No state; safe from any thread.
#pragma once

#include <string_view>

#include "base/bytes.hpp"

namespace tenon {

inline std::uint32_t operation_hash(std::string_view name, std::uint32_t seed) noexcept {
  const auto* at = reinterpret_cast<const std::uint8_t*>(name.data());
  std::size_t left = name.size();
  std::uint64_t hash = seed ^ (left * 0x9E3779B97F4A7C15u);
  constexpr bool swap = native_order == ByteOrder::big;
  for (; left >= 8; left -= 8, at += 8) {
    hash = (hash ^ load<std::uint64_t>(at, swap)) * 0xFF51AFD7ED558CCDu;
    hash ^= hash >> 29;  // a product carries only upwards
  }
  std::uint64_t tail = 0;
  for (std::size_t i = 0; i < left; ++i) tail |= static_cast<std::uint64_t>(at[i]) << (8 * i);
  hash = (hash ^ tail) * 0xC4CEB9FE1A85EC53u;
  return static_cast<std::uint32_t>(hash >> 32);
}

}  // namespace tenon
