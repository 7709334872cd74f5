// SPDX-License-Identifier: Apache-2.0
//
// Three forms of long double occur: binary128 itself (AArch64, RISC-V), x87's 80 bits (x86) and binary64 (ARM
// 32).
#include "cdr/binary128.hpp"

#include <bit>
#include <cfloat>
#include <cmath>
#include <cstring>
#include <limits>

namespace tenon::cdr {
namespace {

constexpr unsigned exponent_shift = 48;
constexpr std::uint64_t exponent_mask = 0x7FFF;
constexpr std::uint64_t high_fraction = (std::uint64_t{1} << exponent_shift) - 1;
constexpr unsigned x87_shift =
    63 - exponent_shift;  // of the upper part of the fraction, below the bit before the point

}  // namespace

Binary128 to_x87(Binary128 value) noexcept {
  const std::uint64_t exponent = value.high >> exponent_shift & exponent_mask;
  const std::uint64_t before_the_point = exponent != 0 ? std::uint64_t{1} << 63 : 0;
  return {value.high >> exponent_shift,
          before_the_point | (value.high & high_fraction) << x87_shift | value.low >> (64 - x87_shift)};
}

Binary128 from_x87(Binary128 value) noexcept {
  return {(value.high & 0xFFFF) << exponent_shift | (value.low << 1 >> (64 - exponent_shift)),
          value.low << (64 - x87_shift)};
}

#if LDBL_MANT_DIG == 113

static_assert(sizeof(long double) == 16);

Binary128 to_binary128(long double value) noexcept {
  std::uint64_t words[2];
  std::memcpy(words, &value, sizeof words);
  return std::endian::native == std::endian::little ? Binary128{words[1], words[0]}
                                                    : Binary128{words[0], words[1]};
}

long double from_binary128(Binary128 value) noexcept {
  const bool little = std::endian::native == std::endian::little;
  const std::uint64_t words[2] = {little ? value.low : value.high, little ? value.high : value.low};
  long double out;
  std::memcpy(&out, words, sizeof out);
  return out;
}

#elif LDBL_MANT_DIG == 64

// x87: mantissa 64 (its top bit is the integer part, explicit) | sign 1, exponent 15. The bias is that of
// binary128.
namespace {

constexpr std::uint64_t integer_bit = std::uint64_t{1} << 63;
constexpr unsigned lost_bits = 112 - 63;

}  // namespace

Binary128 to_binary128(long double value) noexcept {
  std::uint64_t mantissa = 0;
  std::uint16_t top = 0;
  std::memcpy(&mantissa, &value, sizeof mantissa);
  std::memcpy(&top, reinterpret_cast<const char*>(&value) + sizeof mantissa, sizeof top);
  std::uint64_t exponent = top & exponent_mask;
  if (exponent == 0 && (mantissa & integer_bit) != 0) exponent = 1;  // pseudo-denormal
  const std::uint64_t fraction = mantissa & ~integer_bit;
  return {std::uint64_t{top} >> 15 << 63 | exponent << exponent_shift | fraction >> (63 - exponent_shift),
          fraction << lost_bits};
}

long double from_binary128(Binary128 value) noexcept {
  std::uint64_t exponent = value.high >> exponent_shift & exponent_mask;
  std::uint64_t fraction = (value.high & high_fraction) << (63 - exponent_shift) | value.low >> lost_bits;
  const std::uint64_t rest = value.low & ((std::uint64_t{1} << lost_bits) - 1);
  constexpr std::uint64_t half = std::uint64_t{1} << (lost_bits - 1);
  if (exponent == exponent_mask) {
    const bool nan = (value.high & high_fraction) != 0 || value.low != 0;
    if (nan) fraction |= std::uint64_t{1} << 62;  // quiet, and not infinity whatever was cut off
  } else if (rest > half || (rest == half && (fraction & 1) != 0)) {
    ++fraction;
    if (fraction == integer_bit) {
      fraction = 0;
      ++exponent;
    }
  }
  const std::uint64_t mantissa = exponent != 0 ? fraction | integer_bit : fraction;
  const auto top = static_cast<std::uint16_t>(value.high >> 63 << 15 | exponent);
  long double out = 0;
  std::memcpy(&out, &mantissa, sizeof mantissa);
  std::memcpy(reinterpret_cast<char*>(&out) + sizeof mantissa, &top, sizeof top);
  return out;
}

#else

static_assert(LDBL_MANT_DIG == 53, "an unknown form of long double");

namespace {

constexpr std::uint64_t sign_bit = std::uint64_t{1} << 63;

}  // namespace

Binary128 to_binary128(long double value) noexcept {
  const std::uint64_t sign = std::signbit(value) ? sign_bit : 0;
  if (std::isnan(value)) return {sign | exponent_mask << exponent_shift | std::uint64_t{1} << 47, 0};
  if (std::isinf(value)) return {sign | exponent_mask << exponent_shift, 0};
  if (value == 0) return {sign, 0};
  int exponent = 0;
  const long double mantissa = std::frexp(std::fabs(value), &exponent);  // in [0.5, 1)
  const auto bits = static_cast<std::uint64_t>(std::ldexp(mantissa, 53)) & ((std::uint64_t{1} << 52) - 1);
  const auto biased = static_cast<std::uint64_t>(exponent - 1 + 16383);
  return {sign | biased << exponent_shift | bits >> 4, bits << 60};
}

long double from_binary128(Binary128 value) noexcept {
  const bool negative = (value.high & sign_bit) != 0;
  const std::uint64_t exponent = value.high >> exponent_shift & exponent_mask;
  const bool fraction = (value.high & high_fraction) != 0 || value.low != 0;
  long double out = 0;
  if (exponent == exponent_mask) {
    out = fraction ? std::numeric_limits<long double>::quiet_NaN()
                   : std::numeric_limits<long double>::infinity();
  } else if (exponent != 0) {
    // The upper 62 bits of the fraction below its integer bit, and whether anything follows: enough to round
    // once.
    const std::uint64_t bits = std::uint64_t{1} << 62 | (value.high & high_fraction) << 14 | value.low >> 50 |
                               ((value.low << 14) != 0 ? 1 : 0);
    out = std::ldexp(static_cast<long double>(bits), static_cast<int>(exponent) - 16383 - 62);
  }
  return negative ? -out : out;
}

#endif

}  // namespace tenon::cdr
