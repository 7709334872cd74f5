// SPDX-License-Identifier: Apache-2.0
//
// Raw bytes and byte order: loads, stores and swaps that never need an aligned address.
// Header only; no state; safe from any thread.
#pragma once

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>

namespace tenon {

using ByteView = std::span<const std::uint8_t>;
using MutableBytes = std::span<std::uint8_t>;

/// The values are those of the byte-order flag on the wire (CDR, GIOP 1.2 §15.3.3): 0 big, 1 little.
enum class ByteOrder : std::uint8_t { big = 0, little = 1 };

inline constexpr ByteOrder native_order =
    std::endian::native == std::endian::little ? ByteOrder::little : ByteOrder::big;

inline std::uint16_t swap_bytes(std::uint16_t v) noexcept { return __builtin_bswap16(v); }
inline std::uint32_t swap_bytes(std::uint32_t v) noexcept { return __builtin_bswap32(v); }
inline std::uint64_t swap_bytes(std::uint64_t v) noexcept { return __builtin_bswap64(v); }
inline std::uint8_t swap_bytes(std::uint8_t v) noexcept { return v; }

/// The unsigned integer with the size of T (1, 2, 4 or 8).
template <std::size_t Size>
using UnsignedOf =
    std::conditional_t<Size == 1, std::uint8_t,
                       std::conditional_t<Size == 2, std::uint16_t,
                                          std::conditional_t<Size == 4, std::uint32_t, std::uint64_t>>>;

template <typename T>
  requires(std::is_trivially_copyable_v<T> && sizeof(T) <= 8)
inline T load(const std::uint8_t* from, bool swap) noexcept {
  UnsignedOf<sizeof(T)> raw;
  std::memcpy(&raw, from, sizeof raw);
  if (swap) raw = swap_bytes(raw);
  return std::bit_cast<T>(raw);
}

template <typename T>
  requires(std::is_trivially_copyable_v<T> && sizeof(T) <= 8)
inline void store(std::uint8_t* to, T value, bool swap) noexcept {
  auto raw = std::bit_cast<UnsignedOf<sizeof(T)>>(value);
  if (swap) raw = swap_bytes(raw);
  std::memcpy(to, &raw, sizeof raw);
}

/// Bytes missing from `position` to the next multiple of `alignment` (a power of two).
constexpr std::size_t padding_to(std::size_t position, std::size_t alignment) noexcept {
  return (0 - position) & (alignment - 1);
}

}  // namespace tenon
