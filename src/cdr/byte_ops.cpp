// SPDX-License-Identifier: Apache-2.0
//
// The vector loops. GCC 12 at -O2 does not vectorise these by itself (a plain swap loop reaches a third of
// the SSE2 one).
#include "cdr/byte_ops.hpp"

#include "cdr/wide.hpp"

namespace tenon::cdr {
namespace {

template <typename T>
void copy_swapped_words(std::uint8_t* to, const std::uint8_t* from, std::size_t count) noexcept {
  for (std::size_t i = 0; i < count; ++i)
    store(to + i * sizeof(T), load<T>(from + i * sizeof(T), true), false);
}

#ifdef TENON_SSE2

constexpr std::size_t width = sizeof(__m128i);
constexpr std::size_t wide = sizeof(__m256i);

__m128i load_vector(const std::uint8_t* from) noexcept {
  return _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
}
void store_vector(std::uint8_t* to, __m128i vector) noexcept {
  _mm_storeu_si128(reinterpret_cast<__m128i*>(to), vector);
}
TENON_AVX2 inline __m256i load_wide(const std::uint8_t* from) noexcept {
  return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
}
TENON_AVX2 inline void store_wide(std::uint8_t* to, __m256i vector) noexcept {
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), vector);
}

/// Reverses the bytes of each element: first within 16-bit words, then the words.
template <std::size_t Size>
__m128i swap_vector(__m128i v) noexcept {
  v = _mm_or_si128(_mm_slli_epi16(v, 8), _mm_srli_epi16(v, 8));
  if constexpr (Size == 4) {
    constexpr int pairs = _MM_SHUFFLE(2, 3, 0, 1);
    v = _mm_shufflehi_epi16(_mm_shufflelo_epi16(v, pairs), pairs);
  } else if constexpr (Size == 8) {
    constexpr int fours = _MM_SHUFFLE(0, 1, 2, 3);
    v = _mm_shufflehi_epi16(_mm_shufflelo_epi16(v, fours), fours);
  }
  return v;
}

template <typename T>
void copy_swapped_vectors(std::uint8_t* to, const std::uint8_t* from, std::size_t count) noexcept {
  std::size_t bytes = count * sizeof(T);
  for (; bytes >= 2 * width; bytes -= 2 * width, from += 2 * width, to += 2 * width) {
    const __m128i first = load_vector(from);
    const __m128i second = load_vector(from + width);
    store_vector(to, swap_vector<sizeof(T)>(first));
    store_vector(to + width, swap_vector<sizeof(T)>(second));
  }
  copy_swapped_words<T>(to, from, bytes / sizeof(T));
}

/// One shuffle instead of SSE2's three to five steps: twice as fast, and nearly a memcpy.
template <typename T>
TENON_AVX2 void copy_swapped_wide(std::uint8_t* to, const std::uint8_t* from, std::size_t count) noexcept {
  std::uint8_t places[wide];
  for (std::size_t i = 0; i < wide; ++i) places[i] = static_cast<std::uint8_t>((i ^ (sizeof(T) - 1)) & 15);
  const __m256i order = load_wide(places);
  std::size_t bytes = count * sizeof(T);
  for (; bytes >= 2 * wide; bytes -= 2 * wide, from += 2 * wide, to += 2 * wide) {
    const __m256i first = load_wide(from);
    const __m256i second = load_wide(from + wide);
    store_wide(to, _mm256_shuffle_epi8(first, order));
    store_wide(to + wide, _mm256_shuffle_epi8(second, order));
  }
  _mm256_zeroupper();
  copy_swapped_vectors<T>(to, from, bytes / sizeof(T));
}

template <typename T>
void copy_swapped_best(std::uint8_t* to, const std::uint8_t* from, std::size_t count) noexcept {
  if (goes_wide(count * sizeof(T))) {
    copy_swapped_wide<T>(to, from, count);
  } else {
    copy_swapped_vectors<T>(to, from, count);
  }
}

#else

template <typename T>
void copy_swapped_best(std::uint8_t* to, const std::uint8_t* from, std::size_t count) noexcept {
  copy_swapped_words<T>(to, from, count);
}

#endif

#ifdef TENON_SSE2

/// Where the second vector begins; the first one is copied unaligned. From there on stores stay within cache lines, which decides how
/// fast many bytes are copied.
std::size_t first_aligned(const std::uint8_t* to, std::size_t alignment) noexcept {
  return padding_to(reinterpret_cast<std::uintptr_t>(to), alignment);
}

/// The bits of all bytes that were seen, or-ed into 64 bits, and how many bytes those were.
struct Gathered {
  std::uint64_t seen = 0;
  std::size_t count = 0;
};

TENON_AVX2 inline std::uint64_t bits_of(__m256i all) noexcept {
  const __m128i half = _mm_or_si128(_mm256_castsi256_si128(all), _mm256_extracti128_si256(all, 1));
  return static_cast<std::uint64_t>(_mm_cvtsi128_si64(_mm_or_si128(half, _mm_unpackhi_epi64(half, half))));
}

template <bool Copy>
TENON_AVX2 Gathered gather_wide(std::uint8_t* to, const std::uint8_t* from, std::size_t count) noexcept {
  __m256i all = _mm256_setzero_si256();
  std::size_t i = 0;
  // Twice because GCC inlines no function for AVX2 into a template that is not for AVX2 itself.
  if constexpr (Copy) {
    all = load_wide(from);
    store_wide(to, all);
    i = first_aligned(to, wide);
  }
  for (; i + 4 * wide <= count; i += 4 * wide) {
    const __m256i a = load_wide(from + i);
    const __m256i b = load_wide(from + i + wide);
    const __m256i c = load_wide(from + i + 2 * wide);
    const __m256i d = load_wide(from + i + 3 * wide);
    if constexpr (Copy) {
      store_wide(to + i, a);
      store_wide(to + i + wide, b);
      store_wide(to + i + 2 * wide, c);
      store_wide(to + i + 3 * wide, d);
    }
    all = _mm256_or_si256(all, _mm256_or_si256(_mm256_or_si256(a, b), _mm256_or_si256(c, d)));
  }
  const std::uint64_t seen = bits_of(all);
  _mm256_zeroupper();
  return {seen, i};
}

#endif

/// The bits of all bytes, or-ed into one. Copies on the way if there is somewhere to copy to.
template <bool Copy>
std::uint8_t gather_bits(std::uint8_t* to, const std::uint8_t* from, std::size_t count) noexcept {
  std::uint64_t seen = 0;
  std::size_t i = 0;
#ifdef TENON_SSE2
  __m128i all = _mm_setzero_si128();
  if (is_worth_wide(count)) {
    const Gathered most = gather_wide<Copy>(to, from, count);
    seen = most.seen;
    i = most.count;
  } else if (Copy && count >= 8 * width) {
    all = load_vector(from);
    store_vector(to, all);
    i = first_aligned(to, width);
  }
  for (; i + 4 * width <= count; i += 4 * width) {
    const __m128i a = load_vector(from + i);
    const __m128i b = load_vector(from + i + width);
    const __m128i c = load_vector(from + i + 2 * width);
    const __m128i d = load_vector(from + i + 3 * width);
    if constexpr (Copy) {
      store_vector(to + i, a);
      store_vector(to + i + width, b);
      store_vector(to + i + 2 * width, c);
      store_vector(to + i + 3 * width, d);
    }
    all = _mm_or_si128(all, _mm_or_si128(_mm_or_si128(a, b), _mm_or_si128(c, d)));
  }
  all = _mm_or_si128(all, _mm_unpackhi_epi64(all, all));
  seen |= static_cast<std::uint64_t>(_mm_cvtsi128_si64(all));
#endif
  for (; i + sizeof(std::uint64_t) <= count; i += sizeof(std::uint64_t)) {
    const auto word = load<std::uint64_t>(from + i, false);
    if constexpr (Copy) store(to + i, word, false);
    seen |= word;
  }
  for (; i < count; ++i) {
    if constexpr (Copy) to[i] = from[i];
    seen |= from[i];
  }
  seen |= seen >> 32;
  seen |= seen >> 16;
  seen |= seen >> 8;
  return static_cast<std::uint8_t>(seen);
}

/// Whether any byte is 0: only then does the borrow reach a byte whose top bit was clear.
bool has_zero(std::uint64_t word) noexcept {
  return ((word - 0x0101010101010101) & ~word & 0x8080808080808080) != 0;
}

/// The same for text shorter than a vector; from 8 bytes on the two words overlap.
bool copy_short_text(std::uint8_t* to, const std::uint8_t* from, std::size_t count) noexcept {
  if (count >= 8) {
    const auto first = load<std::uint64_t>(from, false);
    const auto last = load<std::uint64_t>(from + count - 8, false);
    store(to, first, false);
    store(to + count - 8, last, false);
    return !has_zero(first) && !has_zero(last);
  }
  bool good = true;
  for (std::size_t i = 0; i < count; ++i) {
    to[i] = from[i];
    good &= from[i] != 0;
  }
  return good;
}

#ifdef TENON_SSE2

/// Copies the vectors at two offsets; returns the lesser one of each two octets.
inline __m128i copy_two(std::uint8_t* to, const std::uint8_t* from, std::size_t one,
                        std::size_t other) noexcept {
  const __m128i first = load_vector(from + one);
  const __m128i second = load_vector(from + other);
  store_vector(to + one, first);
  store_vector(to + other, second);
  return _mm_min_epu8(first, second);
}
/// What a loop over long texts copies at a time: four vectors, or two in small code. Returns the least one of their octets at each place.
constexpr std::size_t step = small_code ? 2 * width : 4 * width;
inline __m128i copy_step(std::uint8_t* to, const std::uint8_t* from) noexcept {
  const __m128i least = copy_two(to, from, 0, width);
  if constexpr (small_code) return least;
  return _mm_min_epu8(least, copy_two(to, from, 2 * width, 3 * width));
}

/// movemask takes the highest bit of each byte.
TENON_AVX2 inline std::uint32_t lowest_bits(__m256i bytes) noexcept {
  return static_cast<std::uint32_t>(_mm256_movemask_epi8(_mm256_slli_epi16(bytes, 7)));
}

/// One octet of each of eight times eight booleans. `all`: or-ed with what was seen.
TENON_AVX2 inline void pack_eight(std::uint8_t* to, const std::uint8_t* bytes, __m256i& all) noexcept {
  const __m256i first = load_wide(bytes);
  const __m256i second = load_wide(bytes + wide);
  all = _mm256_or_si256(all, _mm256_or_si256(first, second));
  store(to, lowest_bits(first) | std::uint64_t{lowest_bits(second)} << 32, false);
}

// The two loops that follow do several steps a round. A round of one step is so short that it takes up to 1.6 times as long where it
// crosses a cache line of code, and where it lies changes with every build.

/// pack_booleans() for rounds of 16 octets; counts octets.
TENON_AVX2 Gathered pack_wide(std::uint8_t* to, const std::uint8_t* bytes, std::size_t octets) noexcept {
  __m256i all = _mm256_setzero_si256();
  std::size_t i = 0;
  for (; i + 16 <= octets; i += 16) {
    pack_eight(to + i, bytes + 8 * i, all);
    pack_eight(to + i + 8, bytes + 8 * (i + 8), all);
  }
  const std::uint64_t seen = bits_of(all);
  _mm256_zeroupper();
  return {seen, i};
}

/// Four octets to 32 booleans.
TENON_AVX2 inline void unpack_four(std::uint8_t* to, const std::uint8_t* octets) noexcept {
  constexpr auto eight = [](char octet) { return 0x0101010101010101 * octet; };
  const __m256i places = _mm256_setr_epi64x(eight(0), eight(1), eight(2), eight(3));
  const __m256i bits = _mm256_set1_epi64x(static_cast<long long>(0x8040201008040201));
  const __m256i four = _mm256_set1_epi32(static_cast<int>(load<std::uint32_t>(octets, false)));
  const __m256i set = _mm256_cmpeq_epi8(_mm256_and_si256(_mm256_shuffle_epi8(four, places), bits), bits);
  store_wide(to, _mm256_and_si256(set, _mm256_set1_epi8(1)));
}

/// unpack_booleans() for rounds of 16 octets; how many octets that were.
TENON_AVX2 std::size_t unpack_wide(std::uint8_t* to, const std::uint8_t* octets, std::size_t count) noexcept {
  std::size_t i = 0;
  for (; i + 16 <= count; i += 16) {
    unpack_four(to + 8 * i, octets + i);
    unpack_four(to + 8 * i + wide, octets + i + 4);
    unpack_four(to + 8 * i + 2 * wide, octets + i + 8);
    unpack_four(to + 8 * i + 3 * wide, octets + i + 12);
  }
  _mm256_zeroupper();
  return i;
}

#endif

}  // namespace

void copy_many_octets(void* to, const void* from, std::size_t size) noexcept {
  // From some 2 KiB on glibc's memcpy is one instruction, `rep movsb`. On AMD's Zen 3 and 4 that takes up to 17 times as long where,
  // modulo a page, the destination is a few octets behind the source (glibc's bug 30994). Parts that are too small for it are as fast
  // as any other copy. Their size is computed, because compilers make such an instruction themselves of a constant one.
  constexpr std::uintptr_t page = 4096;
  constexpr std::uintptr_t few = 64;
  auto* into = static_cast<std::uint8_t*>(to);
  const auto* octets = static_cast<const std::uint8_t*>(from);
  if ((reinterpret_cast<std::uintptr_t>(to) - reinterpret_cast<std::uintptr_t>(from)) % page < few) {
    const std::size_t part = size / (size / in_one_part + 1);
    for (; size > part; size -= part, into += part, octets += part) std::memcpy(into, octets, part);
  }
  std::memcpy(into, octets, size);
}

void copy_swapped(std::uint8_t* to, const std::uint8_t* from, std::size_t count, std::size_t size) noexcept {
  switch (size) {
    case 2: copy_swapped_best<std::uint16_t>(to, from, count); break;
    case 4: copy_swapped_best<std::uint32_t>(to, from, count); break;
    case 8: copy_swapped_best<std::uint64_t>(to, from, count); break;
    default: copy_octets(to, from, count); break;
  }
}

bool is_ascii(const std::uint8_t* bytes, std::size_t count) noexcept {
  return gather_bits<false>(nullptr, bytes, count) < 0x80;
}

bool copy_ascii(std::uint8_t* to, const std::uint8_t* from, std::size_t count) noexcept {
  return gather_bits<true>(to, from, count) < 0x80;
}

bool pack_booleans(std::uint8_t* to, const std::uint8_t* bytes, std::size_t octets) noexcept {
  std::uint64_t seen = 0;
  std::size_t i = 0;
#ifdef TENON_SSE2
  if (goes_wide(8 * octets)) {
    const Gathered most = pack_wide(to, bytes, octets);
    seen = most.seen;
    i = most.count;
  }
  __m128i all = _mm_setzero_si128();
  for (; i + 4 <= octets; i += 4) {
    const __m128i first = load_vector(bytes + 8 * i);
    const __m128i second = load_vector(bytes + 8 * i + width);
    all = _mm_or_si128(all, _mm_or_si128(first, second));
    // movemask takes the highest bit of each byte
    const auto low = static_cast<std::uint32_t>(_mm_movemask_epi8(_mm_slli_epi16(first, 7)));
    const auto high = static_cast<std::uint32_t>(_mm_movemask_epi8(_mm_slli_epi16(second, 7)));
    store(to + i, low | high << 16, false);
  }
  const __m128i more = _mm_and_si128(all, _mm_set1_epi8(static_cast<char>(0xFE)));
  if (_mm_movemask_epi8(_mm_cmpeq_epi8(more, _mm_setzero_si128())) != 0xFFFF) seen |= 2;
#endif
  for (; i < octets; ++i) {
    seen |= load<std::uint64_t>(bytes + 8 * i, false);
    to[i] = pack_booleans(bytes + 8 * i);
  }
  return (seen & 0xFEFEFEFEFEFEFEFE) == 0;
}

void unpack_booleans(std::uint8_t* to, const std::uint8_t* octets, std::size_t count) noexcept {
  std::size_t i = 0;
#ifdef TENON_SSE2
  if (goes_wide(8 * count)) i = unpack_wide(to, octets, count);
  const __m128i bits = _mm_set1_epi64x(static_cast<long long>(0x8040201008040201));
  for (; i + 2 <= count; i += 2) {
    __m128i two = _mm_cvtsi32_si128(load<std::uint16_t>(octets + i, false));
    two = _mm_unpacklo_epi8(two, two);                        // a a b b
    two = _mm_shufflelo_epi16(two, _MM_SHUFFLE(1, 1, 0, 0));  // a a a a b b b b
    two = _mm_shuffle_epi32(two, _MM_SHUFFLE(1, 1, 0, 0));    // eight of each
    const __m128i set = _mm_cmpeq_epi8(_mm_and_si128(two, bits), bits);
    store_vector(to + 8 * i, _mm_and_si128(set, _mm_set1_epi8(1)));
  }
#endif
  for (; i < count; ++i) unpack_booleans(to + 8 * i, octets[i]);
}

bool are_booleans(const std::uint8_t* bytes, std::size_t count) noexcept {
  return gather_bits<false>(nullptr, bytes, count) <= 1;
}

bool copy_text(void* into, const void* text, std::size_t count) noexcept {
  auto* const to = static_cast<std::uint8_t*>(into);
  const auto* const from = static_cast<const std::uint8_t*>(text);
#ifdef TENON_SSE2
  // The last vectors overlap those before them, so that there is no loop over single octets.
  __m128i least;
  if (count >= step) {
    least = copy_step(to + count - step, from + count - step);
    for (std::size_t i = 0; i + step < count; i += step)
      least = _mm_min_epu8(least, copy_step(to + i, from + i));
  } else if (count >= width) {
    least = copy_two(to, from, 0, count - width);
    if (!small_code && count > 2 * width)
      least = _mm_min_epu8(least, copy_two(to, from, width, count - 2 * width));
  } else {
    return copy_short_text(to, from, count);
  }
  return _mm_movemask_epi8(_mm_cmpeq_epi8(least, _mm_setzero_si128())) == 0;
#else
  constexpr std::size_t word = sizeof(std::uint64_t);
  bool good = true;
  std::size_t i = 0;
  for (; i + 2 * word <= count; i += word) good &= copy_short_text(to + i, from + i, word);
  return good & copy_short_text(to + i, from + i, count - i);
#endif
}

}  // namespace tenon::cdr
