// SPDX-License-Identifier: Apache-2.0
#include "cdr/masked_copy.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "base/bytes.hpp"
#include "cdr/compatibility.hpp"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

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

#if defined(__SSE2__)

/// Vectors of 16 bytes until element and vector begin together again, at most so many.
constexpr std::size_t most_vectors = 16;

/// Vectors is the count, 0 when it is known at run time only: up to 4 the masks stay in registers.
template <bool Copy, std::size_t Vectors>
bool vectorwise(std::uint8_t* to, const std::uint8_t* from, std::size_t rounds, const __m128i* keep,
                const __m128i* forbid, std::size_t count) noexcept {
  __m128i bad = _mm_setzero_si128();
  const std::size_t vectors = Vectors == 0 ? count : Vectors;
  for (std::size_t round = 0; round < rounds; ++round) {
#pragma GCC unroll 4
    for (std::size_t i = 0; i < vectors; ++i) {
      const __m128i octets = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from) + i);
      bad = _mm_or_si128(bad, _mm_and_si128(octets, forbid[i]));
      if constexpr (Copy) {
        _mm_storeu_si128(reinterpret_cast<__m128i*>(to) + i, _mm_and_si128(octets, keep[i]));
      }
    }
    from += vectors * 16;
    if constexpr (Copy) to += vectors * 16;
  }
  return _mm_movemask_epi8(_mm_cmpeq_epi8(bad, _mm_setzero_si128())) == 0xFFFF;
}

template <bool Copy>
bool run(std::uint8_t* to, const std::uint8_t* from, std::size_t bytes, const ElementMask& mask) noexcept {
  const std::size_t vectors = mask.size / std::gcd(mask.size, std::size_t{16});
  const std::size_t period = vectors * 16;
  if (vectors > most_vectors || bytes < 2 * period) return bytewise<Copy>(to, from, bytes, mask);
  // The first bytes one by one, so that stores (loads where nothing is stored) stay within cache lines; the pattern then starts
  // at place `at` of an element.
  const std::size_t head = padding_to(reinterpret_cast<std::uintptr_t>(Copy ? to : from), 16);
  bool good = bytewise<Copy>(to, from, head, mask);
  from += head;
  if constexpr (Copy) to += head;
  bytes -= head;
  const std::size_t at = head % mask.size;
  __m128i keep[most_vectors];
  __m128i forbid[most_vectors];
  for (std::size_t done = 0; done < period;) {
    const std::size_t from_at = done == 0 ? at : 0;
    const std::size_t now = std::min(mask.size - from_at, period - done);
    std::memcpy(reinterpret_cast<std::uint8_t*>(keep) + done, mask.keep + from_at, now);
    std::memcpy(reinterpret_cast<std::uint8_t*>(forbid) + done, mask.forbid + from_at, now);
    done += now;
  }
  const std::size_t rounds = bytes / period;
  switch (vectors) {
    case 1: good &= vectorwise<Copy, 1>(to, from, rounds, keep, forbid, 1); break;
    case 2: good &= vectorwise<Copy, 2>(to, from, rounds, keep, forbid, 2); break;
    case 3: good &= vectorwise<Copy, 3>(to, from, rounds, keep, forbid, 3); break;
    case 4: good &= vectorwise<Copy, 4>(to, from, rounds, keep, forbid, 4); break;
    default: good &= vectorwise<Copy, 0>(to, from, rounds, keep, forbid, vectors); break;
  }
  const std::size_t done = rounds * period;
  return bytewise<Copy>(Copy ? to + done : to, from + done, bytes - done, mask, at) && good;
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
