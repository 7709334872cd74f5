// SPDX-License-Identifier: Apache-2.0
//
// The writer's bulk paths: one copy, one swapped copy, or no copy at all; and the primitives that are not
// plain words.
#include <algorithm>

#include "base/fixed.hpp"
#include "base/minor_codes.hpp"
#include "cdr/binary128.hpp"
#include "cdr/byte_ops.hpp"
#include "cdr/code_sets.hpp"
#include "cdr/compatibility.hpp"
#include "cdr/writer.hpp"

namespace tenon::cdr {

void Writer::put_length(std::size_t count) noexcept {
  if constexpr (sizeof(std::size_t) > sizeof(std::uint32_t)) {
    if (count > 0xFFFFFFFF) [[unlikely]] {
      fail(errors::count_above_ulong);
      return;
    }
  }
  put(static_cast<std::uint32_t>(count));
}

void Writer::put_octet_sequence(ByteView octets) noexcept {
  put_length(octets.size());
  put_block(octets.data(), octets.size(), 1);
}

void Writer::put_block(const void* memory, std::size_t bytes, std::size_t alignment) noexcept {
  if (bytes == 0) return;
  align(alignment);
  if (lends(bytes)) {
    lend(static_cast<const std::uint8_t*>(memory), bytes);
  } else if (std::uint8_t* const to = claim(bytes)) {
    copy_octets(to, memory, bytes);
  }
}

void Writer::put_elements(const std::uint8_t* values, std::size_t count, std::size_t size) noexcept {
  if (!swap_ || size == 1) {
    put_block(values, count * size, size);
    return;
  }
  align(size);
  std::uint8_t* to = claim(count * size);
  if (to != nullptr) copy_swapped(to, values, count, size);
}

void Writer::put_chars(const char* values, std::size_t count) noexcept {
  const auto* octets = reinterpret_cast<const std::uint8_t*>(values);
  if (plain_chars_) {
    put_block(octets, count, 1);
  } else if (lends(count)) {
    // Checking is cheaper than copying: the pages are read again only by the system call.
    if (is_ascii(octets, count)) {
      lend(octets, count);
    } else {
      put_converted_chars(values, count);
    }
  } else {
    std::uint8_t* to = claim(count);
    if (to == nullptr || copy_ascii(to, octets, count)) return;
    cur_ = to;
    put_converted_chars(values, count);
  }
}

void Writer::put_converted_char(char value) noexcept {
  // §7.10.2.6: where either code set has characters of several octets, an octet above 0x7F is only a part of a character.
  const Result<char> made = convert_char(format_.native.chars, format_.chars, value);
  if (!made) return fail(made.error());
  put(static_cast<std::uint8_t>(*made));
}

/// Characters of which some are not in ASCII.
void Writer::put_converted_chars(const char* values, std::size_t count) noexcept {
  for (std::size_t i = 0; i < count && good(); ++i) put_char(values[i]);
}

void Writer::put_boolean_array(const bool* values, std::size_t count) noexcept {
  static_assert(sizeof(bool) == 1);
  put_octets({reinterpret_cast<const std::uint8_t*>(values), count});
}

void Writer::put_booleans(const std::vector<bool>& values) noexcept {
  if (values.empty()) return;
  std::uint8_t* to = claim(values.size());
  if (to == nullptr) return;
  std::size_t done = 0;
#if defined(__GLIBCXX__)
  // The library keeps bits in words, the first bit lowest; on little-endian machines that is the same as in octets. Bit by bit is 20
  // times slower.
  if constexpr (native_order == ByteOrder::little) {
    unpack_booleans(to, reinterpret_cast<const std::uint8_t*>(values.begin()._M_p), values.size() / 8);
    done = values.size() / 8 * 8;
  }
#endif
  for (; done < values.size(); ++done) to[done] = values[done] ? 1 : 0;
}

void Writer::put_long_double(long double value) noexcept {
  // CDR §9.3.1.3: 16 octets, aligned to 8.
  Binary128 quad = to_binary128(value);
  if (is_on(compatibility().x87_long_double)) [[unlikely]]
    quad = to_x87(quad);
  const bool big = format_.order == ByteOrder::big;
  put(big ? quad.high : quad.low);
  put(big ? quad.low : quad.high);
}

void Writer::put_fixed(const Fixed& value, unsigned digits, unsigned scale) noexcept {
  std::uint8_t octets[Fixed::max_octets];
  const Status encoded = value.to_bcd(octets, digits, scale);
  if (!encoded) {
    fail(encoded.error());
    return;
  }
  put_octets({octets, Fixed::octets(digits)});
}

}  // namespace tenon::cdr
