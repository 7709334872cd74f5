// SPDX-License-Identifier: Apache-2.0
//
// Blocks: runs of fixed-size parts whose memory is their CDR (program.hpp). One or many side by side. No state; any thread.
#pragma once

#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "marshal/forms.hpp"
#include "marshal/program.hpp"

namespace tenon::marshal {

/// The operands of a block.
class Block {
 public:
  explicit Block(const Word* at) noexcept : at_(at) {}

  std::size_t bytes() const noexcept { return at_[1]; }
  std::size_t align() const noexcept { return std::size_t{1} << (at_[2] & block_align_mask); }
  bool has_chars() const noexcept { return (at_[2] & block_characters) != 0; }
  bool has_enumerations() const noexcept { return (at_[2] & block_enumerations) != 0; }
  bool repeats() const noexcept { return (at_[2] & block_repeats) != 0; }
  const Word* parts() const noexcept { return at_ + 3 + mask_words(bytes()); }
  /// Behind the last part.
  const Word* after() const noexcept { return parts() + (at_[2] >> 8); }

  /// A ByteMask for each byte.
  const std::uint8_t* masks() const noexcept { return reinterpret_cast<const std::uint8_t*>(at_ + 3); }

 private:
  const Word* at_;
};

/// The instruction after `at`, blocks as a whole.
inline const Word* past(const Word* at) noexcept {
  return op_of(*at) == Op::block ? Block(at).after() : at + lengths[*at & 0xFF];
}

#if defined(__SSE2__)

/// Bytes of a block against their masks, sixteen or eight at a time.
template <bool AllChars, bool FromWire>
class Lanes {
 public:
  /// Moves `bytes` bytes and says whether all of them were allowed. What came from the wire loses its padding.
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

/// Copies one block to the wire; false when an octet is not allowed there.
inline bool copy_out(const Block& block, std::uint8_t* to, const void* memory, bool all_chars) noexcept {
  const auto* from = static_cast<const std::uint8_t*>(memory);
  return all_chars ? Lanes<true, false>::move(block.masks(), to, from, block.bytes())
                   : Lanes<false, false>::move(block.masks(), to, from, block.bytes());
}
/// One block from the wire; zeroes padding; false when an octet is not allowed. Enumerations are not looked at.
inline bool copy_in(const Block& block, void* to, const std::uint8_t* from, bool all_chars) noexcept {
  auto* into = static_cast<std::uint8_t*>(to);
  return all_chars ? Lanes<true, true>::move(block.masks(), into, from, block.bytes())
                   : Lanes<false, true>::move(block.masks(), into, from, block.bytes());
}

/// After copy_in() has failed: whether all is well once each boolean is 0 or 1, if it may be any octet (cdr/compatibility.hpp).
bool mend_booleans(const Block& block, void* memory, bool all_chars) noexcept;

/// Whether what a peer sent for a block's enumerations are enumerators. `first`: the block's first byte.
bool enumerations_good(const Block& block, const std::byte* first) noexcept;

/// copy_in() and what it checks for elements of `stride` bytes side by side, `bytes` bytes of them.
bool check_run(const Block& block, std::size_t stride, const void* memory, std::size_t bytes,
               bool all_chars) noexcept;
bool copy_run(const Block& block, std::size_t stride, void* to, const void* from, std::size_t bytes,
              bool all_chars) noexcept;

}  // namespace tenon::marshal
