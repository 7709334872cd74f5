// SPDX-License-Identifier: Apache-2.0
//
// Exact decimal numbers, for constants of type fixed.
//
// Arithmetic is exact except for division; results are cut to 31 significant digits as IDL asks, fraction first,
// without rounding (IDL 4.2 §7.4.1.4.3: fixed-point constant expressions).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tenon::idl {

class Decimal {
 public:
  static constexpr std::uint32_t most_digits = 31;

  Decimal() = default;
  // "12.50" or "12.50d"; nothing when there are more than 31 significant digits.
  static std::optional<Decimal> parse(std::string_view text);

  Decimal negated() const;
  // Nothing when the integral part does not fit in 31 digits (or the divisor is zero).
  static std::optional<Decimal> add(const Decimal& a, const Decimal& b);
  static std::optional<Decimal> subtract(const Decimal& a, const Decimal& b);
  static std::optional<Decimal> multiply(const Decimal& a, const Decimal& b);
  static std::optional<Decimal> divide(const Decimal& a, const Decimal& b);

  // As fixed<digits, scale>: the fraction is cut; nothing when the integral part does not fit.
  std::optional<Decimal> fitted(std::uint32_t digits, std::uint32_t scale) const;

  bool is_zero() const { return digits_ == "0"; }
  std::uint32_t digits() const;  // significant ones, at least the scale
  std::uint32_t scale() const { return scale_; }
  std::string text() const;  // "-12.5"

 private:
  static std::optional<Decimal> made(bool negative, std::string digits, std::uint32_t scale);

  bool negative_ = false;
  std::string digits_ = "0";  // most significant first, no leading zeros
  std::uint32_t scale_ = 0;   // how many of them are behind the point
};

}  // namespace tenon::idl
