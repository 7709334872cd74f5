// SPDX-License-Identifier: Apache-2.0
#include "cdr/masked_copy.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "base/bytes.hpp"
#include "cdr/compatibility.hpp"
#include "cdr/wide.hpp"

namespace tenon::cdr {

namespace {

/// One byte after the other, starting at place `at` of the element: heads, tails and machines without SSE2.
template <bool Copy>
bool bytewise(std::uint8_t* to, const std::uint8_t* from, std::size_t bytes, const ElementMask& mask,
              std::size_t at = 0) noexcept {
  unsigned bad = 0;
  for (std::size_t i = 0; i < bytes; ++i) {
    const std::uint8_t octet = from[i];
    bad |= octet & mask.forbid[at];
    if constexpr (Copy) to[i] = octet & mask.keep[at];
    if (++at == mask.size) at = 0;
  }
  return bad == 0;
}

#ifdef TENON_SSE2

/// Vectors until element and vector begin together again, at most so many.
constexpr std::size_t most_vectors = 16;

/// The masks of the vectors of a round, side by side.
struct Masks {
  const std::uint8_t* keep;
  const std::uint8_t* forbid;
};

// A kind of vectors has their width and rounds<Copy, Vectors>(): `count` rounds of as many vectors as there are masks. Vectors is
// how many, 0 when that is known at run time only. The masks are copied, so that no store can change them and few stay in registers.

struct Narrow {
  static constexpr std::size_t width = sizeof(__m128i);

  template <bool Copy, std::size_t Vectors>
  static bool rounds(std::uint8_t* to, const std::uint8_t* from, std::size_t count, Masks masks,
                     std::size_t vectors = Vectors) noexcept {
    if constexpr (Vectors != 0) vectors = Vectors;
    __m128i keep[Vectors == 0 ? most_vectors : Vectors];
    __m128i forbid[Vectors == 0 ? most_vectors : Vectors];
    std::memcpy(keep, masks.keep, vectors * width);
    std::memcpy(forbid, masks.forbid, vectors * width);
    __m128i bad = _mm_setzero_si128();
    for (; count != 0; --count) {
#pragma GCC unroll 4
      for (std::size_t i = 0; i < vectors; ++i) {
        const __m128i octets = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from) + i);
        bad = _mm_or_si128(bad, _mm_and_si128(octets, forbid[i]));
        if constexpr (Copy)
          _mm_storeu_si128(reinterpret_cast<__m128i*>(to) + i, _mm_and_si128(octets, keep[i]));
      }
      from += vectors * width;
      if constexpr (Copy) to += vectors * width;
    }
    return _mm_movemask_epi8(_mm_cmpeq_epi8(bad, _mm_setzero_si128())) == 0xFFFF;
  }
};

struct Wide {
  static constexpr std::size_t width = sizeof(__m256i);

  template <bool Copy, std::size_t Vectors>
  TENON_AVX2 static bool rounds(std::uint8_t* to, const std::uint8_t* from, std::size_t count, Masks masks,
                                std::size_t vectors = Vectors) noexcept {
    if constexpr (Vectors != 0) vectors = Vectors;
    __m256i keep[Vectors == 0 ? most_vectors : Vectors];
    __m256i forbid[Vectors == 0 ? most_vectors : Vectors];
    std::memcpy(keep, masks.keep, vectors * width);
    std::memcpy(forbid, masks.forbid, vectors * width);
    __m256i bad = _mm256_setzero_si256();
    for (; count != 0; --count) {
#pragma GCC unroll 4
      for (std::size_t i = 0; i < vectors; ++i) {
        const __m256i octets = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from) + i);
        bad = _mm256_or_si256(bad, _mm256_and_si256(octets, forbid[i]));
        if constexpr (Copy)
          _mm256_storeu_si256(reinterpret_cast<__m256i*>(to) + i, _mm256_and_si256(octets, keep[i]));
      }
      from += vectors * width;
      if constexpr (Copy) to += vectors * width;
    }
    const bool good = _mm256_testz_si256(bad, bad) != 0;
    _mm256_zeroupper();
    return good;
  }
};

/// Whether there is enough for vectors of this width.
template <typename Kind>
bool fits(std::size_t bytes, const ElementMask& mask) noexcept {
  const std::size_t period = std::lcm(mask.size, Kind::width);
  return period <= most_vectors * Kind::width && bytes >= 2 * period;
}

template <bool Copy, typename Kind>
bool vectorwise(std::uint8_t* to, const std::uint8_t* from, std::size_t bytes,
                const ElementMask& mask) noexcept {
  const std::size_t period = std::lcm(mask.size, Kind::width);
  // The first bytes one by one, so that stores (loads where nothing is stored) stay within cache lines; the pattern then starts
  // at place `at` of an element.
  const std::size_t head = padding_to(reinterpret_cast<std::uintptr_t>(Copy ? to : from), Kind::width);
  bool good = bytewise<Copy>(to, from, head, mask);
  from += head;
  if constexpr (Copy) to += head;
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
  switch (period / Kind::width) {
    case 1: good &= Kind::template rounds<Copy, 1>(to, from, count, masks); break;
    case 2: good &= Kind::template rounds<Copy, 2>(to, from, count, masks); break;
    case 3: good &= Kind::template rounds<Copy, 3>(to, from, count, masks); break;
    case 4: good &= Kind::template rounds<Copy, 4>(to, from, count, masks); break;
    default: good &= Kind::template rounds<Copy, 0>(to, from, count, masks, period / Kind::width); break;
  }
  const std::size_t done = count * period;
  return bytewise<Copy>(Copy ? to + done : to, from + done, bytes - done, mask, at) && good;
}

template <bool Copy>
bool run(std::uint8_t* to, const std::uint8_t* from, std::size_t bytes, const ElementMask& mask) noexcept {
  if (goes_wide(bytes) && fits<Wide>(bytes, mask)) return vectorwise<Copy, Wide>(to, from, bytes, mask);
  if (fits<Narrow>(bytes, mask)) return vectorwise<Copy, Narrow>(to, from, bytes, mask);
  return bytewise<Copy>(to, from, bytes, mask);
}

#else

template <bool Copy>
bool run(std::uint8_t* to, const std::uint8_t* from, std::size_t bytes, const ElementMask& mask) noexcept {
  return bytewise<Copy>(to, from, bytes, mask);
}

#endif

}  // namespace

bool copy_masked(std::uint8_t* to, const std::uint8_t* from, std::size_t bytes,
                 const ElementMask& mask) noexcept {
  if (run<true>(to, from, bytes, mask)) [[likely]]
    return true;
  if (!is_on(compatibility().any_octet_is_boolean)) return false;
  constexpr std::uint8_t of_boolean = 0xFE;
  for (std::size_t i = 0; i < bytes; ++i) {
    if (mask.forbid[i % mask.size] == of_boolean && to[i] != 0) to[i] = 1;
  }
  return run<false>(nullptr, to, bytes, mask);
}

bool check_masked(const std::uint8_t* from, std::size_t bytes, const ElementMask& mask) noexcept {
  return run<false>(nullptr, from, bytes, mask);
}

}  // namespace tenon::cdr
