// SPDX-License-Identifier: Apache-2.0
#include "idl/support/decimal.hpp"

#include <algorithm>

namespace tenon::idl {

namespace {

// Natural numbers as strings of decimal digits: 62 digits at most, so simplicity beats speed.
void trim(std::string& digits) {
  const std::size_t first = digits.find_first_not_of('0');
  digits.erase(0, first == std::string::npos ? digits.size() - 1 : first);
}

int compare(const std::string& a, const std::string& b) {
  if (a.size() != b.size()) return a.size() < b.size() ? -1 : 1;
  return a.compare(b);
}

std::string sum(std::string a, std::string b) {
  if (a.size() < b.size()) std::swap(a, b);
  b.insert(0, a.size() - b.size(), '0');
  int carry = 0;
  for (std::size_t i = a.size(); i-- > 0;) {
    const int digit = a[i] - '0' + b[i] - '0' + carry;
    a[i] = static_cast<char>('0' + digit % 10);
    carry = digit / 10;
  }
  if (carry != 0) a.insert(0, 1, '1');
  return a;
}

std::string difference(std::string a, std::string b) {  // a >= b
  b.insert(0, a.size() - b.size(), '0');
  int borrow = 0;
  for (std::size_t i = a.size(); i-- > 0;) {
    int digit = a[i] - b[i] - borrow;
    borrow = digit < 0 ? 1 : 0;
    if (digit < 0) digit += 10;
    a[i] = static_cast<char>('0' + digit);
  }
  trim(a);
  return a;
}

std::string product(const std::string& a, const std::string& b) {
  std::string out(a.size() + b.size(), '\0');
  for (std::size_t i = a.size(); i-- > 0;) {
    int carry = 0;
    for (std::size_t j = b.size(); j-- > 0;) {
      const int value = out[i + j + 1] + (a[i] - '0') * (b[j] - '0') + carry;
      out[i + j + 1] = static_cast<char>(value % 10);
      carry = value / 10;
    }
    out[i] = static_cast<char>(out[i] + carry);
  }
  for (char& c : out) c = static_cast<char>(c + '0');
  trim(out);
  return out;
}

std::string quotient(const std::string& a, const std::string& b) {
  std::string out;
  std::string rest = "0";
  for (const char digit : a) {
    rest.push_back(digit);
    trim(rest);
    char times = '0';
    while (compare(rest, b) >= 0) {
      rest = difference(rest, b);
      ++times;
    }
    out.push_back(times);
  }
  trim(out);
  return out;
}

}  // namespace

std::optional<Decimal> Decimal::made(bool negative, std::string digits, std::uint32_t scale) {
  trim(digits);
  if (digits.size() < scale) digits.insert(0, scale - digits.size(), '0');
  while (digits.size() > most_digits && scale > 0) {  // cut the fraction
    digits.pop_back();
    --scale;
  }
  if (digits.size() > most_digits) return std::nullopt;
  while (scale > 0 && digits.back() == '0') {
    digits.pop_back();
    --scale;
  }
  if (digits.empty()) digits = "0";
  trim(digits);
  Decimal out;
  out.negative_ = negative && digits != "0";
  out.digits_ = std::move(digits);
  out.scale_ = scale;
  return out;
}

std::optional<Decimal> Decimal::parse(std::string_view text) {
  std::string digits;
  std::uint32_t scale = 0;
  bool fraction = false;
  for (const char c : text) {
    if (c == '.') {
      fraction = true;
    } else if (c >= '0' && c <= '9') {
      digits.push_back(c);
      if (fraction) ++scale;
    }
  }
  if (digits.empty()) digits = "0";
  // Zeros at the ends say nothing: IDL 4.2 §7.2.6.4 counts them out.
  while (scale > 0 && digits.size() > 1 && digits.back() == '0') {
    digits.pop_back();
    --scale;
  }
  trim(digits);
  if (std::max<std::size_t>(digits.size(), scale) > most_digits) return std::nullopt;
  return made(false, std::move(digits), scale);
}

Decimal Decimal::negated() const {
  Decimal out = *this;
  out.negative_ = !negative_ && !is_zero();
  return out;
}

std::uint32_t Decimal::digits() const { return std::max(static_cast<std::uint32_t>(digits_.size()), scale_); }

std::optional<Decimal> Decimal::add(const Decimal& a, const Decimal& b) {
  const std::uint32_t scale = std::max(a.scale_, b.scale_);
  std::string left = a.digits_ + std::string(scale - a.scale_, '0');
  std::string right = b.digits_ + std::string(scale - b.scale_, '0');
  trim(left);
  trim(right);
  if (a.negative_ == b.negative_) return made(a.negative_, sum(left, right), scale);
  if (compare(left, right) >= 0) return made(a.negative_, difference(left, right), scale);
  return made(b.negative_, difference(right, left), scale);
}

std::optional<Decimal> Decimal::subtract(const Decimal& a, const Decimal& b) { return add(a, b.negated()); }

std::optional<Decimal> Decimal::multiply(const Decimal& a, const Decimal& b) {
  return made(a.negative_ != b.negative_, product(a.digits_, b.digits_), a.scale_ + b.scale_);
}

std::optional<Decimal> Decimal::divide(const Decimal& a, const Decimal& b) {
  if (b.is_zero()) return std::nullopt;
  // Enough zeros for 62 digits of quotient, of which 31 stay.
  const std::uint32_t zeros = 2 * most_digits + b.scale_;
  return made(a.negative_ != b.negative_, quotient(a.digits_ + std::string(zeros, '0'), b.digits_),
              a.scale_ + zeros - b.scale_);
}

std::optional<Decimal> Decimal::fitted(std::uint32_t digits, std::uint32_t scale) const {
  std::string kept = digits_;
  std::uint32_t kept_scale = scale_;
  while (kept_scale > scale) {
    if (!kept.empty()) kept.pop_back();
    --kept_scale;
  }
  if (kept.empty()) kept = "0";
  const std::size_t integral = kept.size() > kept_scale ? kept.size() - kept_scale : 0;
  if (kept != "0" && integral > digits - scale) return std::nullopt;
  return made(negative_, std::move(kept), kept_scale);
}

std::string Decimal::text() const {
  std::string out = digits_;
  if (scale_ != 0) {
    if (out.size() <= scale_) out.insert(0, scale_ + 1 - out.size(), '0');
    out.insert(out.size() - scale_, 1, '.');
  }
  return negative_ ? "-" + out : out;
}

}  // namespace tenon::idl
