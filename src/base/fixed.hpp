// SPDX-License-Identifier: Apache-2.0
//
// Fixed-point decimal numbers of up to 31 digits (CORBA 3.4 part 1 §7.4.1.4.3): exact values with a number of
// digits and a scale. The mapping's fixed types and the IDL compiler's constants are built upon it. It knows
// nothing of CDR but the form of the digits. Plain value; one thread at a time per object.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/bytes.hpp"
#include "base/error.hpp"

namespace tenon {

/// A number of `digits()` decimal digits, `scale()` of them after the point (0 <= scale <= digits <= 31). Results of
/// arithmetic have the digits that the value needs, without leading zeros before the point and without
/// trailing zeros after it.
class Fixed {
 public:
  static constexpr unsigned max_digits = 31;

  constexpr Fixed() noexcept = default;  ///< 0, fixed<1,0>
  explicit Fixed(long long value) noexcept;
  explicit Fixed(unsigned long long value) noexcept;
  explicit Fixed(int value) noexcept : Fixed(static_cast<long long>(value)) {}

  /// An IDL literal without or with its `d`, optionally signed: "-12.50", "0.5d". Digits and scale are those
  /// written (leading zeros and, as IDL has it, trailing zeros do not count). DATA_CONVERSION if malformed or
  /// above 31 significant digits before the point.
  static Result<Fixed> parse(std::string_view text) noexcept;
  /// The nearest decimal with as many places as 31 digits leave, at most those a long double carries.
  /// DATA_CONVERSION if too large.
  static Result<Fixed> from_long_double(long double value) noexcept;

  unsigned digits() const noexcept { return digits_; }
  unsigned scale() const noexcept { return scale_; }
  bool negative() const noexcept { return negative_; }
  bool is_zero() const noexcept;

  std::string to_string() const;
  long double to_long_double() const noexcept;
  /// Truncates; DATA_CONVERSION if the integer part does not fit.
  Result<long long> to_long_long() const noexcept;

  /// Rounds half away from zero, or cuts, to `scale` digits after the point.
  Result<Fixed> round(unsigned scale) const noexcept;
  Fixed truncate(unsigned scale) const noexcept;
  /// The same value as fixed<digits, scale>: extra places are cut; DATA_CONVERSION if the integer part does
  /// not fit.
  Result<Fixed> as(unsigned digits, unsigned scale) const noexcept;

  Fixed operator-() const noexcept;
  /// A result that does not fit into 31 digits loses places after the point; DATA_CONVERSION if the integer part does
  /// not fit, or on division by zero.
  friend Result<Fixed> add(const Fixed& a, const Fixed& b) noexcept;
  friend Result<Fixed> subtract(const Fixed& a, const Fixed& b) noexcept;
  friend Result<Fixed> multiply(const Fixed& a, const Fixed& b) noexcept;
  friend Result<Fixed> divide(const Fixed& a, const Fixed& b) noexcept;

  /// Compares values: 1.0 equals 1.00.
  friend std::strong_ordering operator<=>(const Fixed& a, const Fixed& b) noexcept;
  friend bool operator==(const Fixed& a, const Fixed& b) noexcept { return (a <=> b) == 0; }

  // CDR's form (CORBA 3.4 part 2 §9.3.2.8): two digits an octet, the most significant first, the sign in the
  // last half octet (C not negative, D negative), a leading zero half octet where the count of digits is
  // even.
  static constexpr unsigned max_octets = max_digits / 2 + 1;
  static constexpr unsigned octets(unsigned digits) noexcept { return digits / 2 + 1; }
  /// Writes octets(digits) octets. The value is taken as(digits, scale).
  Status to_bcd(std::uint8_t* into, unsigned digits, unsigned scale) const noexcept;
  /// Reads octets(digits) octets; MARSHAL if they are malformed.
  static Result<Fixed> from_bcd(const std::uint8_t* from, unsigned digits, unsigned scale) noexcept;

 private:
  struct Wide;
  static Result<Fixed> narrow(const Wide& wide, bool negative) noexcept;
  Wide widen(unsigned scale) const noexcept;

  std::array<std::uint8_t, max_digits> digit_{};  // least significant first; zero from digits_ on
  std::uint8_t digits_ = 1;
  std::uint8_t scale_ = 0;
  bool negative_ = false;
};

}  // namespace tenon
