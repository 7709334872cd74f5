// SPDX-License-Identifier: Apache-2.0
//
// For the vector loops of this folder: what the compiler may use, and what is asked of the processor at run time. A loop with
// TENON_AVX2 ends with _mm256_zeroupper(): GCC 12 leaves it out where only an attribute asks for AVX2, and with the upper halves of
// the registers in use all SSE code of the thread is slower from there on, half as fast on some processors.
#pragma once

namespace tenon::cdr {

/// Whether the compiler is to make small code rather than fast code (-Os). Then there is one loop for each task, and vectors are of
/// 16 octets but where structs are moved.
#ifdef __OPTIMIZE_SIZE__
inline constexpr bool small_code = true;
#else
inline constexpr bool small_code = false;
#endif

}  // namespace tenon::cdr

#if defined(__SSE2__) && defined(__GNUC__)

#include <immintrin.h>

#include <cstddef>

#define TENON_SSE2 1
#define TENON_AVX2 [[gnu::target("avx2")]]

namespace tenon::cdr {

/// Whether a loop over so many bytes is to use AVX2: where the processor has it, and asking is worth it.
inline bool is_worth_wide(std::size_t bytes) noexcept {
  return bytes >= 512 && __builtin_cpu_supports("avx2");
}

/// The same for loops whose form with AVX2 small code does without.
inline bool goes_wide(std::size_t bytes) noexcept { return !small_code && is_worth_wide(bytes); }

}  // namespace tenon::cdr

#endif
