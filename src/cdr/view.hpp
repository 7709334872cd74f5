// SPDX-License-Identifier: Apache-2.0
//
// Elements of a message as memory, where they lie: how a sequence is received without a copy (@tenon::view in an IDL file). The message
// must neither move nor change while they are used. In files of their own, so that a program without views links none of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "cdr/block.hpp"
#include "cdr/reader.hpp"

namespace tenon::cdr {

// What view() is for each kind of element.
const std::uint8_t* view_numbers(Reader& in, std::size_t count, std::size_t size) noexcept;
const std::uint8_t* view_characters(Reader& in, std::size_t count) noexcept;
const std::uint8_t* view_booleans(Reader& in, std::size_t count) noexcept;

/// The next `count` elements of a sequence whose length has been read, if what the message has of them is memory that holds them: in this
/// machine's byte order, in one piece, and at an address that is a multiple of their size; characters also want no conversion, and
/// booleans must be 0 or 1. They are passed over then. Else null, and nothing is passed over: the functions of Reader read them, or
/// say what is wrong.
template <typename T>
  requires(std::is_arithmetic_v<T> && !std::is_same_v<T, wchar_t> && !std::is_same_v<T, long double>)
const T* view(Reader& in, std::size_t count) noexcept {
  if constexpr (std::is_same_v<T, bool>) {
    return reinterpret_cast<const bool*>(view_booleans(in, count));
  } else if constexpr (std::is_same_v<T, char>) {
    return reinterpret_cast<const char*>(view_characters(in, count));
  } else {
    return reinterpret_cast<const T*>(view_numbers(in, count, sizeof(T)));
  }
}

/// Reads `count` booleans into memory that `into` gets, since std::vector<bool> has none of them side by side. Null after an error.
const bool* copy_booleans(Reader& in, std::size_t count, std::vector<std::uint8_t>& into) noexcept;

/// The same for structs that are blocks, the first member of which is aligned to `first`: the memory of all must be there, the padding
/// behind the last one, too, and nothing in it but what such a struct may hold. Padding has whatever octets came.
const std::uint8_t* view_blocks(Reader& in, const Block& block, std::size_t first,
                                std::size_t count) noexcept;

}  // namespace tenon::cdr
