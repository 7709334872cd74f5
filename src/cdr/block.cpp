// SPDX-License-Identifier: Apache-2.0
#include "cdr/block.hpp"

#include <algorithm>
#include <numeric>

#include "base/bytes.hpp"
#include "base/minor_codes.hpp"
#include "cdr/byte_ops.hpp"
#include "cdr/char_sets.hpp"
#include "cdr/code_sets.hpp"
#include "cdr/compatibility.hpp"
#include "cdr/enumerations.hpp"
#include "cdr/lanes.hpp"
#include "cdr/reader.hpp"
#include "cdr/wide.hpp"
#include "cdr/writer.hpp"

namespace tenon::cdr {

namespace {

/// The masks of one block spelled out, trailing padding included: octets are and-ed with `keep`; bits of `forbid` must not be set.
struct Pattern {
  std::size_t size;
  std::uint8_t keep[Block::largest + 16];
  std::uint8_t forbid[Block::largest + 16];

  Pattern(const Block& block, bool all_chars) noexcept : size(block.size) {
#ifdef TENON_SSE2
    const auto all_of = [](std::uint8_t octet) { return _mm_set1_epi8(static_cast<char>(octet)); };
    for (std::size_t at = 0; at < block.bytes; at += 8) {
      const __m128i mask = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(block.masks + at));
      const __m128i padding = _mm_cmpeq_epi8(mask, all_of(padding_octet));
      const __m128i allowed = all_chars ? _mm_cmpeq_epi8(mask, all_of(char_octet)) : padding;
      _mm_storel_epi64(reinterpret_cast<__m128i*>(keep + at), _mm_xor_si128(padding, all_of(0xFF)));
      _mm_storel_epi64(reinterpret_cast<__m128i*>(forbid + at),
                       _mm_andnot_si128(_mm_or_si128(padding, allowed), mask));
    }
#else
    for (std::size_t at = 0; at < block.bytes; ++at) {
      const std::uint8_t mask = block.masks[at];
      const bool allowed = mask == padding_octet || (mask == char_octet && all_chars);
      keep[at] = mask == padding_octet ? 0 : 0xFF;
      forbid[at] = allowed ? std::uint8_t{0} : mask;
    }
#endif
    std::memset(keep + block.bytes, 0, size - block.bytes);
    std::memset(forbid + block.bytes, 0, size - block.bytes);
  }
};

/// In small code one function copies and checks: then it is told where to by `to`, null for nowhere.
template <bool Copy>
constexpr bool copies(const std::uint8_t* to) noexcept {
  if constexpr (small_code) return to != nullptr;
  return Copy;
}

/// Goes byte by byte, starting at byte `at` of the element: for what precedes and follows whole vectors, and without SSE2.
template <bool Copy>
bool bytewise(std::uint8_t* to, const std::uint8_t* from, std::size_t bytes, const Pattern& mask,
              std::size_t at = 0) noexcept {
  unsigned bad = 0;
  for (std::size_t i = 0; i < bytes; ++i) {
    const std::uint8_t octet = from[i];
    bad |= octet & mask.forbid[at];
    if (copies<Copy>(to)) to[i] = octet & mask.keep[at];
    if (++at == mask.size) at = 0;
  }
  return bad == 0;
}

#ifdef TENON_SSE2

/// The most vectors of a round, after which an element and a vector begin at the same byte again.
constexpr std::size_t most_vectors = 32;
/// Rounds of up to so many vectors have their own code, but for small code.
constexpr std::size_t most_fixed = 4;

/// The masks of the vectors of a round, side by side.
struct Masks {
  const std::uint8_t* keep;
  const std::uint8_t* forbid;
};

// A `Kind` of vectors has their width and two ways to go through `count` rounds:
// - fixed<Copy, Vectors>(): a round has as many vectors as said. The masks are copied, so that no store can change them and they
//   stay in registers.
// - any(): a round has `period` octets, an even number of vectors; `to` moves on by `step` after each.

struct Narrow {
  static constexpr std::size_t width = sizeof(__m128i);

  template <bool Copy, std::size_t Vectors>
  static bool fixed(std::uint8_t* to, const std::uint8_t* from, std::size_t count, Masks masks) noexcept {
    __m128i keep[Vectors];
    __m128i forbid[Vectors];
    std::memcpy(keep, masks.keep, sizeof keep);
    std::memcpy(forbid, masks.forbid, sizeof forbid);
    __m128i bad = _mm_setzero_si128();
    for (; count != 0; --count) {
#pragma GCC unroll 4
      for (std::size_t i = 0; i < Vectors; ++i) {
        const __m128i octets = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from) + i);
        bad = _mm_or_si128(bad, _mm_and_si128(octets, forbid[i]));
        if constexpr (Copy)
          _mm_storeu_si128(reinterpret_cast<__m128i*>(to) + i, _mm_and_si128(octets, keep[i]));
      }
      from += sizeof keep;
      if constexpr (Copy) to += sizeof keep;
    }
    return none_of(bad);
  }

  static bool any(std::uint8_t* to, std::size_t step, const std::uint8_t* from, std::size_t count,
                  Masks masks, std::size_t period) noexcept {
    __m128i bad = _mm_setzero_si128();
    for (; count != 0; --count) {
      for (std::size_t at = 0; at != period; at += 2 * width) {
#pragma GCC unroll 2
        for (std::size_t i = at; i != at + 2 * width; i += width) {
          const __m128i octets = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + i));
          const __m128i keep = _mm_load_si128(reinterpret_cast<const __m128i*>(masks.keep + i));
          const __m128i forbid = _mm_load_si128(reinterpret_cast<const __m128i*>(masks.forbid + i));
          bad = _mm_or_si128(bad, _mm_and_si128(octets, forbid));
          _mm_storeu_si128(reinterpret_cast<__m128i*>(to + i), _mm_and_si128(octets, keep));
        }
      }
      from += period;
      to += step;
    }
    return none_of(bad);
  }

  static bool none_of(__m128i bad) noexcept {
    return _mm_movemask_epi8(_mm_cmpeq_epi8(bad, _mm_setzero_si128())) == 0xFFFF;
  }
};

struct Wide {
  static constexpr std::size_t width = sizeof(__m256i);

  template <bool Copy, std::size_t Vectors>
  TENON_AVX2 static bool fixed(std::uint8_t* to, const std::uint8_t* from, std::size_t count,
                               Masks masks) noexcept {
    // Twice because GCC inlines no function for AVX2 into a template that is not for AVX2 itself.
    __m256i keep[Vectors];
    __m256i forbid[Vectors];
    std::memcpy(keep, masks.keep, sizeof keep);
    std::memcpy(forbid, masks.forbid, sizeof forbid);
    __m256i bad = _mm256_setzero_si256();
    for (; count != 0; --count) {
#pragma GCC unroll 4
      for (std::size_t i = 0; i < Vectors; ++i) {
        const __m256i octets = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from) + i);
        bad = _mm256_or_si256(bad, _mm256_and_si256(octets, forbid[i]));
        if constexpr (Copy)
          _mm256_storeu_si256(reinterpret_cast<__m256i*>(to) + i, _mm256_and_si256(octets, keep[i]));
      }
      from += sizeof keep;
      if constexpr (Copy) to += sizeof keep;
    }
    return none_of(bad);
  }

  TENON_AVX2 static bool any(std::uint8_t* to, std::size_t step, const std::uint8_t* from, std::size_t count,
                             Masks masks, std::size_t period) noexcept {
    // Twice because of fixed().
    __m256i bad = _mm256_setzero_si256();
    for (; count != 0; --count) {
      for (std::size_t at = 0; at != period; at += 2 * width) {
#pragma GCC unroll 2
        for (std::size_t i = at; i != at + 2 * width; i += width) {
          const __m256i octets = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from + i));
          const __m256i keep = _mm256_load_si256(reinterpret_cast<const __m256i*>(masks.keep + i));
          const __m256i forbid = _mm256_load_si256(reinterpret_cast<const __m256i*>(masks.forbid + i));
          bad = _mm256_or_si256(bad, _mm256_and_si256(octets, forbid));
          _mm256_storeu_si256(reinterpret_cast<__m256i*>(to + i), _mm256_and_si256(octets, keep));
        }
      }
      from += period;
      to += step;
    }
    return none_of(bad);
  }

  TENON_AVX2 static bool none_of(__m256i bad) noexcept {
    const bool none = _mm256_testz_si256(bad, bad) != 0;
    _mm256_zeroupper();
    return none;
  }
};

/// How many octets a round has; 0: there are too few octets for vectors of this width.
template <typename Kind>
std::size_t period_of(std::size_t bytes, std::size_t size) noexcept {
  std::size_t period = std::lcm(size, Kind::width);
  if (small_code || period > most_fixed * Kind::width) period = std::lcm(period, 2 * Kind::width);
  return period <= most_vectors * Kind::width && bytes >= 2 * period ? period : 0;
}

template <bool Copy, typename Kind>
bool rounds(std::uint8_t* to, const std::uint8_t* from, std::size_t count, Masks masks,
            std::size_t period) noexcept {
  if constexpr (!small_code) {
    switch (period / Kind::width) {
      case 1: return Kind::template fixed<Copy, 1>(to, from, count, masks);
      case 2: return Kind::template fixed<Copy, 2>(to, from, count, masks);
      case 3: return Kind::template fixed<Copy, 3>(to, from, count, masks);
      case 4: return Kind::template fixed<Copy, 4>(to, from, count, masks);
    }
  }
  if (copies<Copy>(to)) return Kind::any(to, period, from, count, masks, period);
  alignas(Kind::width) std::uint8_t sink[most_vectors * Kind::width];
  return Kind::any(sink, 0, from, count, masks, period);
}

template <bool Copy, typename Kind>
bool vectorwise(std::uint8_t* to, const std::uint8_t* from, std::size_t bytes, const Pattern& mask,
                std::size_t period) noexcept {
  // The first bytes one by one, so that stores (loads where nothing is stored) stay within cache lines; the pattern then starts
  // at byte `at` of an element.
  const std::size_t head =
      padding_to(reinterpret_cast<std::uintptr_t>(copies<Copy>(to) ? to : from), Kind::width);
  bool good = bytewise<Copy>(to, from, head, mask);
  from += head;
  if (copies<Copy>(to)) to += head;
  bytes -= head;
  const std::size_t at = head % mask.size;
  alignas(Kind::width) std::uint8_t keep[most_vectors * Kind::width];
  alignas(Kind::width) std::uint8_t forbid[most_vectors * Kind::width];
  for (std::size_t done = 0; done < period;) {
    const std::size_t from_at = done == 0 ? at : 0;
    const std::size_t now = std::min(mask.size - from_at, period - done);
    std::memcpy(keep + done, mask.keep + from_at, now);
    std::memcpy(forbid + done, mask.forbid + from_at, now);
    done += now;
  }
  const std::size_t count = bytes / period;
  const Masks masks{keep, forbid};
  good &= rounds<Copy, Kind>(to, from, count, masks, period);
  const std::size_t done = count * period;
  return bytewise<Copy>(copies<Copy>(to) ? to + done : to, from + done, bytes - done, mask, at) && good;
}

template <bool Copy>
bool run(std::uint8_t* to, const std::uint8_t* from, std::size_t bytes, const Pattern& mask) noexcept {
  if (is_worth_wide(bytes)) {
    const std::size_t period = period_of<Wide>(bytes, mask.size);
    if (period != 0) return vectorwise<Copy, Wide>(to, from, bytes, mask, period);
  }
  if (const std::size_t period = period_of<Narrow>(bytes, mask.size); period != 0)
    return vectorwise<Copy, Narrow>(to, from, bytes, mask, period);
  return bytewise<Copy>(to, from, bytes, mask);
}

#else

template <bool Copy>
bool run(std::uint8_t* to, const std::uint8_t* from, std::size_t bytes, const Pattern& mask) noexcept {
  return bytewise<Copy>(to, from, bytes, mask);
}

#endif

}  // namespace

namespace {

/// Fewer bytes than this are moved one block after the other: they are not worth a pattern.
constexpr std::size_t few_bytes = 512;

template <bool AllChars>
bool blockwise(const Block& block, std::uint8_t* to, const std::uint8_t* from, std::size_t count) noexcept {
  for (bool good = true;; to += block.size, from += block.size) {
    good &= Lanes<AllChars, true>::move(block.masks, to, from, block.bytes);
    if (--count == 0) return good;
    if (block.size != block.bytes) std::memset(to + block.bytes, 0, block.size - block.bytes);
  }
}

}  // namespace

bool copy_blocks(const Block& block, void* to, const void* from, std::size_t count, bool all_chars) noexcept {
  const std::size_t bytes = block.bytes_of(count);
  if (block.masks == nullptr) {
    copy_octets(to, from, bytes);
    return true;
  }
  auto* const into = static_cast<std::uint8_t*>(to);
  const auto* const octets = static_cast<const std::uint8_t*>(from);
  if (bytes >= few_bytes) return run<true>(into, octets, bytes, Pattern(block, all_chars));
  return all_chars ? blockwise<true>(block, into, octets, count)
                   : blockwise<false>(block, into, octets, count);
}

bool check_blocks(const Block& block, const void* from, std::size_t count, bool all_chars) noexcept {
  return block.masks == nullptr || run<small_code>(nullptr, static_cast<const std::uint8_t*>(from),
                                                   block.bytes_of(count), Pattern(block, all_chars));
}

namespace {

/// Converts each char above ASCII; false if there is one that cannot be.
bool convert_block_chars(const Block& block, std::uint8_t* octets, std::size_t count, CodeSet from,
                         CodeSet to) noexcept {
  for (std::size_t i = 0; i < block.bytes_of(count); ++i) {
    const std::size_t at = i % block.size;
    if (octets[i] < 0x80 || at >= block.bytes || block.masks[at] != char_octet) continue;
    const Result<char> made = convert_char(from, to, static_cast<char>(octets[i]));
    if (!made) return false;
    octets[i] = static_cast<std::uint8_t>(*made);
  }
  return true;
}

/// Code sets in which an octet above ASCII may be a character.
bool has_other_chars(const WireFormat& format) noexcept {
  return has_one_octet_each(format.chars) && has_one_octet_each(format.native.chars);
}

}  // namespace

bool check_enumerations(const Block& block, const void* from, std::size_t count) noexcept {
  for (const EnumerationAt& one : block.enumerations) {
    for (std::size_t i = 0; i < count; ++i) {
      std::uint32_t value;
      std::memcpy(&value, static_cast<const std::uint8_t*>(from) + i * block.size + one.offset, sizeof value);
      if (value >= one.enumerators) [[unlikely]]
        return false;
    }
  }
  return true;
}

void put_blocks(Writer& out, const Block& block, const void* values, std::size_t count) noexcept {
  const std::size_t bytes = block.bytes_of(count);
  if (!block.has_chars || plain_chars(out.format())) return out.put_block(values, bytes, block.align);
  bool fits = false;
  if (out.lends(bytes)) {
    // Checking is cheaper than copying: the pages are read again only by the system call.
    fits = check_blocks(block, values, count, false);
    if (fits) return out.put_block(values, bytes, block.align);
  }
  out.align(block.align);
  std::uint8_t* const to = out.claim(bytes);
  if (to == nullptr || copy_blocks(block, to, values, count, false)) return;
  const WireFormat& format = out.format();
  fits = has_other_chars(format) && copy_blocks(block, to, values, count, true) &&
         convert_block_chars(block, to, count, format.native.chars, format.chars);
  if (!fits) out.fail(errors::char_not_in_code_set);
}

void get_blocks(Reader& in, const Block& block, void* values, std::size_t count) noexcept {
  const ByteView octets = in.get_block(block.bytes_of(count), block.align);
  if (in.good()) return take_blocks(in, block, values, octets.data(), count);
  std::memset(values, 0, count * block.size);
}

namespace {

/// Sets each boolean that is not 0 to 1, if any octet is allowed as a boolean. Returns whether all octets are allowed then.
bool mend_booleans(const Block& block, std::uint8_t* octets, std::size_t count, bool all_chars) noexcept {
  if (!is_on(compatibility().any_octet_is_boolean)) return false;
  for (std::size_t i = 0; i < block.bytes_of(count); ++i) {
    const std::size_t at = i % block.size;
    if (at < block.bytes && block.masks[at] == boolean_octet && octets[i] != 0) octets[i] = 1;
  }
  return check_blocks(block, octets, count, all_chars);
}

}  // namespace

void take_blocks(Reader& in, const Block& block, void* values, const std::uint8_t* octets,
                 std::size_t count) noexcept {
  auto* const into = static_cast<std::uint8_t*>(values);
  std::memset(into + block.bytes_of(count), 0, block.size - block.bytes);
  const bool plain = plain_chars(in.format());
  const WireFormat& format = in.format();
  if (!copy_blocks(block, into, octets, count, plain) && !mend_booleans(block, into, count, plain) &&
      !(has_other_chars(format) &&
        (copy_blocks(block, into, octets, count, true) || mend_booleans(block, into, count, true)) &&
        convert_block_chars(block, into, count, format.chars, format.native.chars))) [[unlikely]] {
    // Finds out which of the two was wrong: if every char is allowed, only booleans can be.
    in.fail(check_blocks(block, octets, count, true)
                ? char_without_place(format.chars, errors::char_not_in_code_set)
                : errors::bad_boolean);
  }
  if (!check_enumerations(block, into, count)) [[unlikely]]
    in.fail(errors::value_out_of_range);
  if (!in.good()) [[unlikely]]
    std::memset(values, 0, count * block.size);
}

}  // namespace tenon::cdr
