// SPDX-License-Identifier: Apache-2.0
//
// The hash behind the operation tables of compiled skeletons. The IDL compiler searches for a seed without
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
    hash ^= hash >> 29;  // a multiplication passes bits only upwards
  }
  // The octets that are left, as a little-endian number. Loads may overlap: they put the same octet in the same place.
  std::uint64_t tail = 0;
  if (left >= 4) {
    tail = load<std::uint32_t>(at, swap) |
           static_cast<std::uint64_t>(load<std::uint32_t>(at + left - 4, swap)) << (8 * (left - 4));
  } else if (left != 0) {
    tail = at[0] | static_cast<std::uint32_t>(at[left / 2]) << (8 * (left / 2)) |
           static_cast<std::uint32_t>(at[left - 1]) << (8 * (left - 1));
  }
  hash = (hash ^ tail) * 0xC4CEB9FE1A85EC53u;
  return static_cast<std::uint32_t>(hash >> 32);
}

/// Whether two names are equal: short texts, so without a call.
inline bool same_operation(std::string_view a, std::string_view b) noexcept {
  const std::size_t size = a.size();
  if (size != b.size()) return false;
  const auto* x = reinterpret_cast<const std::uint8_t*>(a.data());
  const auto* y = reinterpret_cast<const std::uint8_t*>(b.data());
  if (size >= 8) {
    for (std::size_t i = 0; i < size - 8; i += 8) {
      if (load<std::uint64_t>(x + i, false) != load<std::uint64_t>(y + i, false)) return false;
    }
    return load<std::uint64_t>(x + size - 8, false) == load<std::uint64_t>(y + size - 8, false);
  }
  if (size >= 4) {
    return load<std::uint32_t>(x, false) == load<std::uint32_t>(y, false) &&
           load<std::uint32_t>(x + size - 4, false) == load<std::uint32_t>(y + size - 4, false);
  }
  return size == 0 || (x[0] == y[0] && x[size / 2] == y[size / 2] && x[size - 1] == y[size - 1]);
}

}  // namespace tenon
