// SPDX-License-Identifier: Apache-2.0
//
// Fixed-point numbers: text, arithmetic against larger integers, the rules for too many digits, BCD.
#include "base/fixed.hpp"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "base/hex.hpp"
#include "base/minor_codes.hpp"

namespace tenon {
namespace {

// The model of an arithmetic: integers that hold a product of two numbers up to `largest`.
#ifdef __SIZEOF_INT128__
__extension__ typedef __int128 Scaled;
constexpr std::int64_t largest = 1'000'000'000'000;
#else
using Scaled = std::int64_t;
constexpr std::int64_t largest = 1'000'000'000;
#endif

Fixed fixed(std::string_view text) {
  const Result<Fixed> value = Fixed::parse(text);
  EXPECT_TRUE(value) << text;
  return value ? *value : Fixed();
}

std::string show(const Result<Fixed>& value) { return value ? value->to_string() : "error"; }

TEST(Fixed, ParsesWhatIdlWrites) {
  const struct {
    const char* text;
    const char* shown;
    unsigned digits, scale;
  } cases[] = {
      {"0", "0", 1, 0},
      {"12.50", "12.5", 3, 1},
      {"-12.5d", "-12.5", 3, 1},
      {"000.125", "0.125", 3, 3},
      {".5", "0.5", 1, 1},
      {"5.", "5", 1, 0},
      {"+100", "100", 3, 0},
      {"0.001D", "0.001", 3, 3},
      {"-0", "0", 1, 0},
      {"-0.00", "0", 1, 0},
      {"007", "7", 1, 0},
      {"1234567890123456789012345678901", "1234567890123456789012345678901", 31, 0},
      {"0.1234567890123456789012345678901", "0.1234567890123456789012345678901", 31, 31},
      // Places beyond 31 digits are cut, not rounded.
      {"1.2345678901234567890123456789019", "1.234567890123456789012345678901", 31, 30},
  };
  for (const auto& c : cases) {
    const Fixed value = fixed(c.text);
    EXPECT_EQ(value.to_string(), c.shown) << c.text;
    EXPECT_EQ(value.digits(), c.digits) << c.text;
    EXPECT_EQ(value.scale(), c.scale) << c.text;
  }
}

TEST(Fixed, RefusesWhatIsNoNumber) {
  for (const char* text : {"", "-", ".", "d", "1e5", "1..2", "1.2.3", "0x10", " 1", "1 ", "--1"}) {
    EXPECT_EQ(Fixed::parse(text).error(), errors::bad_fixed_text) << text;
  }
  EXPECT_EQ(Fixed::parse("12345678901234567890123456789012").error(), errors::fixed_overflow);
}

TEST(Fixed, FromIntegers) {
  EXPECT_EQ(Fixed(0).to_string(), "0");
  EXPECT_EQ(Fixed(-7).to_string(), "-7");
  EXPECT_EQ(Fixed(std::numeric_limits<long long>::min()).to_string(), "-9223372036854775808");
  EXPECT_EQ(Fixed(std::numeric_limits<unsigned long long>::max()).to_string(), "18446744073709551615");
  EXPECT_EQ(*Fixed(std::numeric_limits<long long>::min()).to_long_long(),
            std::numeric_limits<long long>::min());
  EXPECT_EQ(*Fixed(std::numeric_limits<long long>::max()).to_long_long(),
            std::numeric_limits<long long>::max());
  EXPECT_EQ(Fixed(std::numeric_limits<unsigned long long>::max()).to_long_long().error(),
            errors::fixed_overflow);
  EXPECT_EQ(fixed("99999999999999999999").to_long_long().error(), errors::fixed_overflow);
  EXPECT_EQ(*fixed("-12.99").to_long_long(), -12);
}

TEST(Fixed, LongDouble) {
  EXPECT_EQ(show(Fixed::from_long_double(0)), "0");
  EXPECT_EQ(show(Fixed::from_long_double(0.125L)), "0.125");
  EXPECT_EQ(show(Fixed::from_long_double(-1234.5L)), "-1234.5");
  EXPECT_EQ(show(Fixed::from_long_double(0.1L)), "0.1");
  EXPECT_EQ(show(Fixed::from_long_double(99.99L)), "99.99");
  EXPECT_EQ(show(Fixed::from_long_double(1e18L)), "1000000000000000000");
  EXPECT_EQ(Fixed::from_long_double(1e31L).error(), errors::fixed_overflow);
  EXPECT_EQ(Fixed::from_long_double(std::numeric_limits<long double>::quiet_NaN()).error(),
            errors::fixed_overflow);
  EXPECT_EQ(Fixed::from_long_double(-std::numeric_limits<long double>::infinity()).error(),
            errors::fixed_overflow);
  EXPECT_EQ(fixed("-2.5").to_long_double(), -2.5L);
  EXPECT_EQ(fixed("1234567.875").to_long_double(), 1234567.875L);
}

TEST(Fixed, ArithmeticByHand) {
  EXPECT_EQ(show(add(fixed("1.5"), fixed("2.75"))), "4.25");
  EXPECT_EQ(show(add(fixed("1.5"), fixed("-1.5"))), "0");
  EXPECT_EQ(show(subtract(fixed("1"), fixed("2.001"))), "-1.001");
  EXPECT_EQ(show(multiply(fixed("-1.5"), fixed("0.02"))), "-0.03");
  EXPECT_EQ(show(divide(fixed("1"), fixed("8"))), "0.125");
  EXPECT_EQ(show(divide(fixed("-10"), fixed("0.4"))), "-25");
  // 31 significant digits, cut.
  EXPECT_EQ(show(divide(fixed("1"), fixed("3"))), "0.3333333333333333333333333333333");
  EXPECT_EQ(show(divide(fixed("200"), fixed("3"))), "66.66666666666666666666666666666");
  EXPECT_EQ(divide(fixed("1"), fixed("0.0")).error(), errors::fixed_division_by_zero);
  EXPECT_EQ(multiply(fixed("1000000000000000000"), fixed("10000000000000")).error(), errors::fixed_overflow);
  const Fixed nines = fixed("9999999999999999999999999999999");
  EXPECT_EQ(add(nines, Fixed(1)).error(), errors::fixed_overflow);
  EXPECT_EQ(show(multiply(fixed("0.1234567890123456789"), fixed("0.9876543210987654321"))),
            "0.1219326311370217952237463801111");
}

/// Integers scaled by a power of ten are an independent model.
TEST(Fixed, ArithmeticAgainstScaledIntegers) {
  std::mt19937_64 random(7);
  std::uniform_int_distribution<std::int64_t> values(-largest, largest);
  const auto text_of = [](Scaled value, unsigned scale) {
    std::string digits;
    const bool negative = value < 0;
    for (Scaled rest = negative ? -value : value; rest != 0; rest /= 10) {
      digits.insert(digits.begin(), static_cast<char>('0' + static_cast<int>(rest % 10)));
    }
    while (digits.size() < scale + 1) digits.insert(digits.begin(), '0');
    if (scale != 0) digits.insert(digits.end() - static_cast<std::ptrdiff_t>(scale), '.');
    return (negative ? "-" : "") + digits;
  };
  for (int i = 0; i < 2000; ++i) {
    const std::int64_t a = values(random);
    const std::int64_t b = values(random);
    const Fixed left = fixed(text_of(a, 4));
    const Fixed right = fixed(text_of(b, 4));
    EXPECT_EQ(add(left, right)->to_string(), fixed(text_of(Scaled{a} + b, 4)).to_string());
    EXPECT_EQ(subtract(left, right)->to_string(), fixed(text_of(Scaled{a} - b, 4)).to_string());
    EXPECT_EQ(multiply(left, right)->to_string(), fixed(text_of(Scaled{a} * b, 8)).to_string());
    if (b != 0) {
      EXPECT_EQ(divide(left, right)->truncate(6), fixed(text_of(Scaled{a} * 1'000'000 / b, 6)));
    }
    EXPECT_EQ(left <=> right, a <=> b);
    EXPECT_EQ(left == right, a == b);
  }
}

TEST(Fixed, RoundAndTruncate) {
  EXPECT_EQ(show(fixed("1.25").round(1)), "1.3");
  EXPECT_EQ(show(fixed("-1.25").round(1)), "-1.3");
  EXPECT_EQ(show(fixed("1.24").round(1)), "1.2");
  EXPECT_EQ(show(fixed("9.99").round(1)), "10");
  EXPECT_EQ(show(fixed("0.5").round(0)), "1");
  EXPECT_EQ(show(fixed("7").round(5)), "7");
  EXPECT_EQ(fixed("-1.29").truncate(1).to_string(), "-1.2");
  EXPECT_EQ(fixed("-0.09").truncate(1).to_string(), "0.0");
  EXPECT_FALSE(fixed("-0.09").truncate(1).negative());
  EXPECT_EQ(show(fixed("12.345").as(6, 2)), "12.34");
  EXPECT_EQ(fixed("12.345").as(6, 2)->digits(), 6u);
  EXPECT_EQ(fixed("12.345").as(3, 2).error(), errors::fixed_overflow);
  EXPECT_EQ(fixed("1.0"), Fixed(1));
  EXPECT_LT(fixed("-2"), fixed("-1.99"));
}

TEST(Fixed, Bcd) {
  const struct {
    const char* value;
    unsigned digits, scale;
    const char* octets;
  } cases[] = {
      {"123.45", 5, 2, "12345c"},
      {"-123.45", 5, 2, "12345d"},
      {"12.34", 4, 2, "01234c"},
      {"0", 1, 0, "0c"},
      {"-7", 1, 0, "7d"},
      {"1.5", 6, 3, "0001500c"},
      {"-0.5", 3, 3, "500d"},
      {"9", 2, 0, "009c"},
      {"1234567890123456789012345678901", 31, 0, "1234567890123456789012345678901c"},
  };
  for (const auto& c : cases) {
    std::uint8_t octets[Fixed::max_octets] = {};
    ASSERT_TRUE(fixed(c.value).to_bcd(octets, c.digits, c.scale)) << c.value;
    EXPECT_EQ(to_hex({octets, Fixed::octets(c.digits)}), c.octets);
    const Result<Fixed> back = Fixed::from_bcd(octets, c.digits, c.scale);
    ASSERT_TRUE(back) << c.value;
    EXPECT_EQ(*back, fixed(c.value));
    EXPECT_EQ(back->digits(), c.digits);
    EXPECT_EQ(back->scale(), c.scale);
  }
  std::uint8_t octets[Fixed::max_octets];
  EXPECT_EQ(fixed("1000").to_bcd(octets, 3, 0).error(), errors::fixed_overflow);
}

TEST(Fixed, MalformedBcd) {
  const struct {
    std::vector<std::uint8_t> octets;
    unsigned digits;
  } cases[] = {
      {{0x12, 0x3A}, 3}, {{0x12, 0x3F}, 3}, {{0x1A, 0x3C}, 3}, {{0xA2, 0x3C}, 3},
      {{0x12, 0xAC}, 3}, {{0x10, 0x1C}, 2}, {{0x0C}, 0},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(Fixed::from_bcd(c.octets.data(), c.digits, 0).error(), errors::bad_fixed) << to_hex(c.octets);
  }
}

}  // namespace
}  // namespace tenon
