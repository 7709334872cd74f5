// SPDX-License-Identifier: Apache-2.0
//
// IDL::Fixed<digits, scale> (IDL to C++11 1.6 §6.14): fixed-point decimals by value over tenon::Fixed, and their codec.
//
// A value always fits its type: what has too many places is cut, what is too large raises DATA_CONVERSION. The result of an
// arithmetic operation has the type that IDL gives it (CORBA 3.4 part 1 §7.4.1.4.3), cut to 31 digits.
// Plain values; one thread at a time per object.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/fixed.hpp"
#include "cdr/reader.hpp"
#include "cdr/writer.hpp"
#include "mapping/cpp11/types/traits.hpp"
#include "tenon/corba/exception.hpp"

namespace IDL {
inline namespace cpp11 {

template <std::uint16_t Digits, std::uint16_t Scale>
class Fixed {
  static_assert(Digits >= 1 && Digits <= tenon::Fixed::max_digits && Scale <= Digits);

 public:
  static constexpr std::uint16_t digits = Digits;
  static constexpr std::uint16_t scale = Scale;

  Fixed() = default;
  Fixed(int value) : Fixed(static_cast<long long>(value)) {}
  Fixed(long long value) : Fixed(tenon::Fixed(value)) {}
  Fixed(unsigned long long value) : Fixed(tenon::Fixed(value)) {}
  explicit Fixed(long double value) : Fixed(checked(tenon::Fixed::from_long_double(value))) {}
  explicit Fixed(double value) : Fixed(static_cast<long double>(value)) {}
  /// "-12.50"; DATA_CONVERSION when it is not a number.
  explicit Fixed(std::string_view text) : Fixed(checked(tenon::Fixed::parse(text))) {}
  explicit Fixed(const char* text) : Fixed(std::string_view(text)) {}
  explicit Fixed(const std::string& text) : Fixed(std::string_view(text)) {}
  explicit Fixed(const tenon::Fixed& value) : value_(checked(value.as(Digits, Scale))) {}
  template <std::uint16_t D, std::uint16_t S>
  explicit(D - S > Digits - Scale || S > Scale) Fixed(const Fixed<D, S>& other) : Fixed(other.exact()) {}

  std::string to_string() const { return value_.to_string(); }
  explicit operator long double() const noexcept { return value_.to_long_double(); }
  explicit operator double() const noexcept { return static_cast<double>(value_.to_long_double()); }
  explicit operator long long() const { return checked(value_.to_long_long()); }
  explicit operator bool() const noexcept { return !value_.is_zero(); }
  const tenon::Fixed& exact() const noexcept { return value_; }

  /// To fewer places: round() rounds half away from zero, truncate() cuts.
  template <std::uint16_t S>
  auto round() const {
    return Fixed<Digits, Scale>(checked(value_.round(S)));
  }
  template <std::uint16_t S>
  auto truncate() const {
    return Fixed<Digits, Scale>(value_.truncate(S));
  }

  Fixed operator-() const { return Fixed(-value_); }
  Fixed operator+() const { return *this; }
  Fixed& operator++() { return *this = Fixed(checked(add(value_, tenon::Fixed(1)))); }
  Fixed& operator--() { return *this = Fixed(checked(subtract(value_, tenon::Fixed(1)))); }
  Fixed operator++(int) {
    Fixed before = *this;
    ++*this;
    return before;
  }
  Fixed operator--(int) {
    Fixed before = *this;
    --*this;
    return before;
  }
  template <std::uint16_t D, std::uint16_t S>
  Fixed& operator+=(const Fixed<D, S>& other) {
    return *this = Fixed(checked(add(value_, other.exact())));
  }
  template <std::uint16_t D, std::uint16_t S>
  Fixed& operator-=(const Fixed<D, S>& other) {
    return *this = Fixed(checked(subtract(value_, other.exact())));
  }
  template <std::uint16_t D, std::uint16_t S>
  Fixed& operator*=(const Fixed<D, S>& other) {
    return *this = Fixed(checked(multiply(value_, other.exact())));
  }
  template <std::uint16_t D, std::uint16_t S>
  Fixed& operator/=(const Fixed<D, S>& other) {
    return *this = Fixed(checked(divide(value_, other.exact())));
  }

  template <typename T>
  static T checked(tenon::Result<T> result) {
    if (!result) tenon::gen::raise(result.error());
    return *std::move(result);
  }

 private:
  tenon::Fixed value_;
};

template <std::uint16_t D1, std::uint16_t S1, std::uint16_t D2, std::uint16_t S2>
auto operator<=>(const Fixed<D1, S1>& a, const Fixed<D2, S2>& b) noexcept {
  return a.exact() <=> b.exact();
}
template <std::uint16_t D1, std::uint16_t S1, std::uint16_t D2, std::uint16_t S2>
bool operator==(const Fixed<D1, S1>& a, const Fixed<D2, S2>& b) noexcept {
  return a.exact() == b.exact();
}

namespace fixed_result {

consteval int larger(int a, int b) { return a > b ? a : b; }
consteval int within(int value, int least, int most) {
  return value < least ? least : value > most ? most : value;
}

// fixed<digits before the point + scale, scale>, but at most 31 digits: if there would be more, places behind the point are cut.
consteval std::uint16_t total(int before, int scale) {
  return static_cast<std::uint16_t>(within(before + scale, 1, int{tenon::Fixed::max_digits}));
}
consteval std::uint16_t behind(int before, int scale) {
  return static_cast<std::uint16_t>(within(int{tenon::Fixed::max_digits} - before, 0, scale));
}
template <int Before, int Scale>
using Type = Fixed<total(Before, Scale), behind(Before, Scale)>;

}  // namespace fixed_result

template <std::uint16_t D1, std::uint16_t S1, std::uint16_t D2, std::uint16_t S2>
auto operator+(const Fixed<D1, S1>& a, const Fixed<D2, S2>& b) {
  using Sum = fixed_result::Type<fixed_result::larger(D1 - S1, D2 - S2) + 1, fixed_result::larger(S1, S2)>;
  return Sum(Sum::checked(add(a.exact(), b.exact())));
}
template <std::uint16_t D1, std::uint16_t S1, std::uint16_t D2, std::uint16_t S2>
auto operator-(const Fixed<D1, S1>& a, const Fixed<D2, S2>& b) {
  using Difference =
      fixed_result::Type<fixed_result::larger(D1 - S1, D2 - S2) + 1, fixed_result::larger(S1, S2)>;
  return Difference(Difference::checked(subtract(a.exact(), b.exact())));
}
template <std::uint16_t D1, std::uint16_t S1, std::uint16_t D2, std::uint16_t S2>
auto operator*(const Fixed<D1, S1>& a, const Fixed<D2, S2>& b) {
  using Product = fixed_result::Type<D1 - S1 + D2 - S2, S1 + S2>;
  return Product(Product::checked(multiply(a.exact(), b.exact())));
}
/// The quotient has as many places as 31 digits leave.
template <std::uint16_t D1, std::uint16_t S1, std::uint16_t D2, std::uint16_t S2>
auto operator/(const Fixed<D1, S1>& a, const Fixed<D2, S2>& b) {
  using Quotient = fixed_result::Type<D1 - S1 + S2, tenon::Fixed::max_digits>;
  return Quotient(Quotient::checked(divide(a.exact(), b.exact())));
}

template <std::uint16_t Digits, std::uint16_t Scale>
struct traits<Fixed<Digits, Scale>> : tenon::gen::ValueTraits<Fixed<Digits, Scale>> {
  static constexpr std::uint16_t digits() { return Digits; }
  static constexpr std::uint16_t scale() { return Scale; }
};

}  // namespace cpp11
}  // namespace IDL

namespace tenon::gen {

template <std::uint16_t Digits, std::uint16_t Scale>
struct FixedPoint {
  using value_type = IDL::Fixed<Digits, Scale>;
  static constexpr std::size_t smallest = tenon::Fixed::octets(Digits);
  static void put(cdr::Writer& out, const value_type& value) noexcept {
    out.put_fixed(value.exact(), Digits, Scale);
  }
  static void get(cdr::Reader& in, value_type& value) {
    tenon::Fixed exact;
    in.get_fixed(exact, Digits, Scale);
    if (in.good()) value = value_type(exact);
  }
};

}  // namespace tenon::gen
