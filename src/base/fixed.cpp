// SPDX-License-Identifier: Apache-2.0
//
// Fixed-point arithmetic on digit arrays: twice 31 digits and a carry hold every intermediate result exactly.
#include "base/fixed.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include "base/minor_codes.hpp"

namespace tenon {

/// An intermediate result: digits with the least significant first, `scale` of them after the point.
struct Fixed::Wide {
  static constexpr std::size_t room = 4 * max_digits + 4;
  std::array<std::uint8_t, room> digit{};
  std::size_t scale = 0;

  std::size_t size() const noexcept {
    std::size_t n = room;
    while (n > 0 && digit[n - 1] == 0) --n;
    return n;
  }
};

namespace {

using Digits = std::array<std::uint8_t, 4 * Fixed::max_digits + 4>;

int compare(const Digits& a, const Digits& b) noexcept {
  for (std::size_t i = a.size(); i-- > 0;) {
    if (a[i] != b[i]) return a[i] < b[i] ? -1 : 1;
  }
  return 0;
}

void add_to(Digits& a, const Digits& b) noexcept {
  unsigned carry = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const unsigned sum = a[i] + b[i] + carry;
    carry = sum >= 10 ? 1 : 0;
    a[i] = static_cast<std::uint8_t>(sum - carry * 10);
  }
}

/// a -= b, for a >= b.
void subtract_from(Digits& a, const Digits& b) noexcept {
  int borrow = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const int difference = a[i] - b[i] - borrow;
    borrow = difference < 0 ? 1 : 0;
    a[i] = static_cast<std::uint8_t>(difference + borrow * 10);
  }
}

}  // namespace

// The standard's rule for results above 31 digits: zeros at both ends do not count, then places after the
// point are cut.
Result<Fixed> Fixed::narrow(const Wide& wide, bool negative) noexcept {
  const std::size_t size = wide.size();
  std::size_t drop = 0;
  while (drop < wide.scale && wide.digit[drop] == 0) ++drop;
  if (size > wide.scale && size - wide.scale > max_digits) return errors::fixed_overflow;
  if (const std::size_t count = std::max(size, wide.scale); count - drop > max_digits)
    drop = count - max_digits;

  Fixed out;
  const std::size_t scale = wide.scale - drop;
  const std::size_t digits = std::max(size > drop ? size - drop : 0, std::max<std::size_t>(scale, 1));
  std::copy_n(wide.digit.begin() + static_cast<std::ptrdiff_t>(drop), digits, out.digit_.begin());
  out.digits_ = static_cast<std::uint8_t>(digits);
  out.scale_ = static_cast<std::uint8_t>(scale);
  out.negative_ = negative && !out.is_zero();
  return out;
}

/// The digits with `scale` (at least ours) places.
Fixed::Wide Fixed::widen(unsigned scale) const noexcept {
  Wide wide;
  wide.scale = scale;
  std::copy_n(digit_.begin(), digits_, wide.digit.begin() + (scale - scale_));
  return wide;
}

Fixed::Fixed(unsigned long long value) noexcept {
  digits_ = 0;
  do {
    digit_[digits_++] = static_cast<std::uint8_t>(value % 10);
    value /= 10;
  } while (value != 0);
}

Fixed::Fixed(long long value) noexcept
    : Fixed(value < 0 ? 0ULL - static_cast<unsigned long long>(value)
                      : static_cast<unsigned long long>(value)) {
  negative_ = value < 0;
}

Result<Fixed> Fixed::parse(std::string_view text) noexcept {
  bool negative = false;
  if (!text.empty() && (text.front() == '-' || text.front() == '+')) {
    negative = text.front() == '-';
    text.remove_prefix(1);
  }
  if (!text.empty() && (text.back() == 'd' || text.back() == 'D')) text.remove_suffix(1);
  const std::size_t point = std::min(text.find('.'), text.size());
  std::string_view whole = text.substr(0, point);
  std::string_view places = point < text.size() ? text.substr(point + 1) : std::string_view{};
  if (whole.empty() && places.empty()) return errors::bad_fixed_text;
  for (const std::string_view part : {whole, places}) {
    for (const char c : part) {
      if (c < '0' || c > '9') return errors::bad_fixed_text;
    }
  }
  while (!whole.empty() && whole.front() == '0') whole.remove_prefix(1);
  if (whole.size() > max_digits) return errors::fixed_overflow;
  if (places.size() > max_digits) places = places.substr(0, max_digits);

  Wide wide;
  wide.scale = places.size();
  std::size_t at = 0;
  for (std::size_t i = places.size(); i-- > 0;) wide.digit[at++] = static_cast<std::uint8_t>(places[i] - '0');
  for (std::size_t i = whole.size(); i-- > 0;) wide.digit[at++] = static_cast<std::uint8_t>(whole[i] - '0');
  return narrow(wide, negative);
}

Result<Fixed> Fixed::from_long_double(long double value) noexcept {
  constexpr int carried = std::numeric_limits<long double>::digits10;
  const bool negative = std::signbit(value);
  value = std::fabs(value);
  if (!(value < 1e31L)) return errors::fixed_overflow;

  long double whole = 0;
  long double rest = std::modf(value, &whole);
  Wide wide;
  std::size_t whole_digits = 0;
  // fmod by ten is exact, and so is the difference; the quotient is then a whole number that fits the
  // mantissa.
  for (std::size_t i = max_digits + 1; whole > 0 && i < Wide::room; ++i, ++whole_digits) {
    const long double digit = std::fmod(whole, 10.0L);
    wide.digit[i] = static_cast<std::uint8_t>(digit);
    whole = std::round((whole - digit) / 10);
  }
  wide.scale = max_digits + 1;
  const int places = std::clamp(carried - static_cast<int>(whole_digits), 0, static_cast<int>(max_digits));
  for (int i = 0; i <= places; ++i) {
    rest *= 10;
    long double digit = 0;
    rest = std::modf(rest, &digit);
    wide.digit[static_cast<std::size_t>(static_cast<int>(max_digits) - i)] = static_cast<std::uint8_t>(digit);
  }
  // One digit more than is kept was made: it rounds.
  const std::size_t guard = static_cast<std::size_t>(static_cast<int>(max_digits) - places);
  const bool up = wide.digit[guard] >= 5;
  wide.digit[guard] = 0;
  if (up) {
    Digits one{};
    one[guard + 1] = 1;
    add_to(wide.digit, one);
  }
  return narrow(wide, negative);
}

bool Fixed::is_zero() const noexcept {
  return std::all_of(digit_.begin(), digit_.end(), [](std::uint8_t d) { return d == 0; });
}

std::string Fixed::to_string() const {
  std::string out;
  if (negative_) out += '-';
  std::size_t top = std::max<std::size_t>(digits_, scale_ + 1u);
  while (top > scale_ + 1u && (top > digits_ || digit_[top - 1] == 0)) --top;
  for (std::size_t i = top; i-- > 0;) {
    out += static_cast<char>('0' + (i < max_digits ? digit_[i] : 0));
    if (i == scale_ && i != 0) out += '.';
  }
  return out;
}

long double Fixed::to_long_double() const noexcept {
  long double value = 0;
  for (std::size_t i = digits_; i-- > 0;) value = value * 10 + digit_[i];
  value /= std::pow(10.0L, static_cast<long double>(scale_));
  return negative_ ? -value : value;
}

Result<long long> Fixed::to_long_long() const noexcept {
  constexpr unsigned long long most = std::numeric_limits<unsigned long long>::max();
  unsigned long long value = 0;
  for (std::size_t i = digits_; i-- > scale_;) {
    if (value > (most - digit_[i]) / 10) return errors::fixed_overflow;
    value = value * 10 + digit_[i];
  }
  constexpr auto limit = static_cast<unsigned long long>(std::numeric_limits<long long>::max());
  if (value > limit + (negative_ ? 1 : 0)) return errors::fixed_overflow;
  return static_cast<long long>(negative_ ? 0 - value : value);
}

Fixed Fixed::truncate(unsigned scale) const noexcept {
  if (scale >= scale_) return *this;
  Fixed out;
  const std::size_t drop = scale_ - scale;
  const std::size_t kept = digits_ > drop ? digits_ - drop : 0;
  std::copy_n(digit_.begin() + static_cast<std::ptrdiff_t>(drop), kept, out.digit_.begin());
  out.scale_ = static_cast<std::uint8_t>(scale);
  out.digits_ = static_cast<std::uint8_t>(std::max<std::size_t>({kept, scale, 1}));
  out.negative_ = negative_ && !out.is_zero();
  return out;
}

Result<Fixed> Fixed::round(unsigned scale) const noexcept {
  if (scale >= scale_) return *this;
  const bool up = digit_[scale_ - scale - 1u] >= 5;
  const Fixed cut = truncate(scale);
  if (!up) return cut;
  Wide wide = cut.widen(scale);
  Digits one{};
  one[0] = 1;
  add_to(wide.digit, one);
  return narrow(wide, negative_);
}

Result<Fixed> Fixed::as(unsigned digits, unsigned scale) const noexcept {
  if (digits > max_digits || scale > digits) return errors::fixed_overflow;
  const Fixed cut = truncate(scale);
  const Wide wide = cut.widen(scale);
  if (wide.size() > digits) return errors::fixed_overflow;
  Fixed out;
  std::copy_n(wide.digit.begin(), digits, out.digit_.begin());
  out.digits_ = static_cast<std::uint8_t>(std::max(digits, 1u));
  out.scale_ = static_cast<std::uint8_t>(scale);
  out.negative_ = cut.negative_;
  return out;
}

Fixed Fixed::operator-() const noexcept {
  Fixed out = *this;
  out.negative_ = !negative_ && !is_zero();
  return out;
}

Result<Fixed> add(const Fixed& a, const Fixed& b) noexcept {
  const unsigned scale = std::max(a.scale_, b.scale_);
  Fixed::Wide left = a.widen(scale);
  Fixed::Wide right = b.widen(scale);
  if (a.negative_ == b.negative_) {
    add_to(left.digit, right.digit);
    return Fixed::narrow(left, a.negative_);
  }
  if (compare(left.digit, right.digit) >= 0) {
    subtract_from(left.digit, right.digit);
    return Fixed::narrow(left, a.negative_);
  }
  subtract_from(right.digit, left.digit);
  return Fixed::narrow(right, b.negative_);
}

Result<Fixed> subtract(const Fixed& a, const Fixed& b) noexcept { return add(a, -b); }

Result<Fixed> multiply(const Fixed& a, const Fixed& b) noexcept {
  Fixed::Wide product;
  product.scale = static_cast<std::size_t>(a.scale_) + b.scale_;
  for (std::size_t i = 0; i < a.digits_; ++i) {
    unsigned carry = 0;
    for (std::size_t j = 0; j < b.digits_ || carry != 0; ++j) {
      const unsigned digit = j < b.digits_ ? b.digit_[j] : 0u;
      const unsigned sum = product.digit[i + j] + a.digit_[i] * digit + carry;
      product.digit[i + j] = static_cast<std::uint8_t>(sum % 10);
      carry = sum / 10;
    }
  }
  return Fixed::narrow(product, a.negative_ != b.negative_);
}

// Long division of a * 10^k by b, with k large enough that the quotient has at least 31 significant digits.
Result<Fixed> divide(const Fixed& a, const Fixed& b) noexcept {
  if (b.is_zero()) return errors::fixed_division_by_zero;
  constexpr std::size_t shift = 2 * Fixed::max_digits;
  Fixed::Wide quotient;
  quotient.scale = shift + a.scale_ - std::min<std::size_t>(b.scale_, shift + a.scale_);
  Digits divisor{};
  std::copy_n(b.digit_.begin(), b.digits_, divisor.begin());
  Digits rest{};
  for (std::size_t i = shift + a.digits_; i-- > 0;) {
    std::copy_backward(rest.begin(), rest.end() - 1, rest.end());
    rest[0] = i >= shift ? a.digit_[i - shift] : std::uint8_t{0};
    std::uint8_t digit = 0;
    while (compare(rest, divisor) >= 0) {
      subtract_from(rest, divisor);
      ++digit;
    }
    quotient.digit[i] = digit;
  }
  return Fixed::narrow(quotient, a.negative_ != b.negative_);
}

std::strong_ordering operator<=>(const Fixed& a, const Fixed& b) noexcept {
  const bool a_negative = a.negative_ && !a.is_zero();
  const bool b_negative = b.negative_ && !b.is_zero();
  if (a_negative != b_negative)
    return a_negative ? std::strong_ordering::less : std::strong_ordering::greater;
  const unsigned scale = std::max(a.scale_, b.scale_);
  const int order = compare(a.widen(scale).digit, b.widen(scale).digit) * (a_negative ? -1 : 1);
  return order <=> 0;
}

Status Fixed::to_bcd(std::uint8_t* into, unsigned digits, unsigned scale) const noexcept {
  const Result<Fixed> exact = as(digits, scale);
  if (!exact) return exact.error();
  const unsigned count = octets(digits);
  // Half octets from the end: the sign, then the digits from the least significant one.
  for (unsigned i = 0; i < count; ++i) {
    const unsigned low = i == 0 ? (exact->negative_ ? 0xDu : 0xCu) : exact->digit_[2 * i - 1];
    const unsigned high = 2 * i < digits ? exact->digit_[2 * i] : 0u;
    into[count - 1 - i] = static_cast<std::uint8_t>(high << 4 | low);
  }
  return {};
}

Result<Fixed> Fixed::from_bcd(const std::uint8_t* from, unsigned digits, unsigned scale) noexcept {
  if (digits == 0 || digits > max_digits || scale > digits) return errors::bad_fixed;
  const unsigned count = octets(digits);
  Fixed out;
  out.digits_ = static_cast<std::uint8_t>(digits);
  out.scale_ = static_cast<std::uint8_t>(scale);
  for (unsigned i = 0; i < count; ++i) {
    const unsigned octet = from[count - 1 - i];
    const unsigned low = octet & 15;
    const unsigned high = octet >> 4;
    if (i == 0) {
      if (low != 0xC && low != 0xD) return errors::bad_fixed;
    } else {
      if (low > 9) return errors::bad_fixed;
      out.digit_[2 * i - 1] = static_cast<std::uint8_t>(low);
    }
    if (2 * i < digits ? high > 9 : high != 0) return errors::bad_fixed;
    if (2 * i < digits) out.digit_[2 * i] = static_cast<std::uint8_t>(high);
  }
  out.negative_ = (from[count - 1] & 15) == 0xD && !out.is_zero();
  return out;
}

}  // namespace tenon
