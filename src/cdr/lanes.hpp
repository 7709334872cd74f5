// SPDX-License-Identifier: Apache-2.0
//
// Moves a single block (block.hpp), inline. No state; any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "cdr/block.hpp"

namespace tenon::cdr {

#if defined(__SSE2__)

/// Checks the bytes of a block by their masks, sixteen or eight at a time.
template <bool AllChars, bool FromWire>
class Lanes {
 public:
  /// Moves `bytes` bytes and says whether all of them were allowed. Padding that came from the wire becomes zero.
  static bool move(const std::uint8_t* masks, std::uint8_t* to, const std::uint8_t* from,
                   std::size_t bytes) noexcept {
    __m128i bad = _mm_setzero_si128();
    std::size_t at = 0;
    for (; at + 16 <= bytes; at += 16) {
      const __m128i octets = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + at));
      const __m128i wanted = _mm_loadu_si128(reinterpret_cast<const __m128i*>(masks + at));
      _mm_storeu_si128(reinterpret_cast<__m128i*>(to + at), checked(octets, wanted, bad));
    }
    if (at + 8 <= bytes) {
      const __m128i octets = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(from + at));
      const __m128i wanted = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(masks + at));
      _mm_storel_epi64(reinterpret_cast<__m128i*>(to + at), checked(octets, wanted, bad));
      at += 8;
    }
    if (at != bytes) {
      std::uint64_t last = 0;
      std::memcpy(&last, from + at, bytes - at);
      const __m128i wanted = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(masks + at));
      const __m128i octets = checked(_mm_cvtsi64_si128(static_cast<long long>(last)), wanted, bad);
      last = static_cast<std::uint64_t>(_mm_cvtsi128_si64(octets));
      std::memcpy(to + at, &last, bytes - at);
    }
    return _mm_movemask_epi8(_mm_cmpeq_epi8(bad, _mm_setzero_si128())) == 0xFFFF;
  }

 private:
  static __m128i checked(__m128i octets, __m128i mask, __m128i& bad) noexcept {
    const __m128i padding = _mm_cmpeq_epi8(mask, _mm_set1_epi8(static_cast<char>(padding_octet)));
    const __m128i forbidden =
        AllChars ? _mm_and_si128(mask, _mm_cmpeq_epi8(mask, _mm_set1_epi8(static_cast<char>(boolean_octet))))
                 : _mm_andnot_si128(padding, mask);
    bad = _mm_or_si128(bad, _mm_and_si128(octets, forbidden));
    return FromWire ? _mm_andnot_si128(padding, octets) : octets;
  }
};

#else

template <bool AllChars, bool FromWire>
class Lanes {
 public:
  static bool move(const std::uint8_t* masks, std::uint8_t* to, const std::uint8_t* from,
                   std::size_t bytes) noexcept {
    unsigned bad = 0;
    for (std::size_t at = 0; at < bytes; ++at) {
      const std::uint8_t mask = masks[at];
      if (mask != padding_octet && !(AllChars && mask == char_octet)) bad |= from[at] & mask;
      to[at] = FromWire && mask == padding_octet ? std::uint8_t{0} : from[at];
    }
    return bad == 0;
  }
};

#endif

/// Copies one block with masks to the wire; false when an octet is not allowed there.
inline bool copy_out(const std::uint8_t* masks, std::size_t bytes, std::uint8_t* to, const void* memory,
                     bool all_chars) noexcept {
  const auto* from = static_cast<const std::uint8_t*>(memory);
  return all_chars ? Lanes<true, false>::move(masks, to, from, bytes)
                   : Lanes<false, false>::move(masks, to, from, bytes);
}
/// Copies one block from the wire and zeroes padding; false when an octet is not allowed. Enumerations are not checked.
inline bool copy_in(const std::uint8_t* masks, std::size_t bytes, void* to, const std::uint8_t* from,
                    bool all_chars) noexcept {
  auto* into = static_cast<std::uint8_t*>(to);
  return all_chars ? Lanes<true, true>::move(masks, into, from, bytes)
                   : Lanes<false, true>::move(masks, into, from, bytes);
}

}  // namespace tenon::cdr
