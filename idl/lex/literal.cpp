// SPDX-License-Identifier: Apache-2.0
#include "idl/lex/literal.hpp"

#include <cmath>
#include <cstdlib>

namespace tenon::idl {

namespace {

// One element of a literal's inside, decoded.
struct Unit {
  std::uint32_t value = 0;
  bool escaped = false;
};

int hex_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

class Inside {
 public:
  Inside(const Token& token, bool wide, Diagnostics& diagnostics)
      : token_(token), diagnostics_(diagnostics), wide_(wide) {
    const std::size_t open = wide ? 2 : 1;
    text_ = token.text.substr(open, token.text.size() - open - 1);
    offset_ = open;
  }

  bool done() const { return pos_ >= text_.size(); }

  Unit next() {
    const char c = text_[pos_];
    if (c == '\\') return {escape(), true};
    if (!wide_) {
      ++pos_;
      return {static_cast<unsigned char>(c), false};
    }
    return {utf8(), false};
  }

  void error(std::size_t from, std::size_t length, std::string message) {
    Span span = token_.span;
    if (span.length >= token_.text.size()) {  // a literal that a macro made keeps the macro's place
      span.where.column += static_cast<std::uint32_t>(offset_ + from);
      span.length = static_cast<std::uint32_t>(length);
    }
    diagnostics_.error(span, std::move(message));
  }
  std::size_t position() const { return pos_; }

 private:
  std::uint32_t utf8() {
    const auto byte = [&](std::size_t i) {
      return i < text_.size() ? static_cast<std::uint32_t>(static_cast<unsigned char>(text_[i])) : 0u;
    };
    const std::uint32_t lead = byte(pos_);
    std::size_t more = 0;
    std::uint32_t value = lead;
    if (lead >= 0xc2 && lead <= 0xdf) {
      more = 1;
      value = lead & 0x1f;
    } else if (lead >= 0xe0 && lead <= 0xef) {
      more = 2;
      value = lead & 0x0f;
    } else if (lead >= 0xf0 && lead <= 0xf4) {
      more = 3;
      value = lead & 0x07;
    }
    for (std::size_t i = 1; i <= more; ++i) {
      if ((byte(pos_ + i) & 0xc0) != 0x80) {  // not UTF-8: ISO 8859-1
        ++pos_;
        return lead;
      }
      value = (value << 6) | (byte(pos_ + i) & 0x3f);
    }
    const bool overlong = (more == 2 && value < 0x800) || (more == 3 && value < 0x10000);
    if (overlong || value > 0x10ffff || (value >= 0xd800 && value <= 0xdfff)) {
      ++pos_;
      return lead;
    }
    pos_ += more + 1;
    return value;
  }

  std::uint32_t digits(std::size_t most, std::uint32_t base) {
    std::uint32_t value = 0;
    for (std::size_t n = 0; n < most && pos_ < text_.size(); ++n) {
      const int digit = hex_value(text_[pos_]);
      if (digit < 0 || static_cast<std::uint32_t>(digit) >= base) break;
      value = value * base + static_cast<std::uint32_t>(digit);
      ++pos_;
    }
    return value;
  }

  // IDL 4.2 §7.2.6.2.2, table 7-9.
  std::uint32_t escape() {
    const std::size_t start = pos_++;
    const char c = pos_ < text_.size() ? text_[pos_] : '\0';
    switch (c) {
      case 'n': ++pos_; return '\n';
      case 't': ++pos_; return '\t';
      case 'v': ++pos_; return '\v';
      case 'b': ++pos_; return '\b';
      case 'r': ++pos_; return '\r';
      case 'f': ++pos_; return '\f';
      case 'a': ++pos_; return '\a';
      case '\\': ++pos_; return '\\';
      case '?': ++pos_; return '?';
      case '\'': ++pos_; return '\'';
      case '"': ++pos_; return '"';
      case 'x': {
        ++pos_;
        const std::size_t first = pos_;
        const std::uint32_t value = digits(2, 16);
        if (pos_ == first) error(start, 2, "'\\x' needs one or two hexadecimal digits");
        return value;
      }
      case 'u': {
        ++pos_;
        const std::size_t first = pos_;
        const std::uint32_t value = digits(4, 16);
        if (pos_ == first) error(start, 2, "'\\u' needs one to four hexadecimal digits");
        if (!wide_)
          error(start, pos_ - start, "'\\u' may stand only in wide characters and strings (L\"...\")");
        return value;
      }
      default: break;
    }
    if (c >= '0' && c <= '7') {
      const std::uint32_t value = digits(3, 8);
      if (value > 255 && !wide_) error(start, pos_ - start, "this octal escape is larger than a character");
      return wide_ ? value : value & 0xff;
    }
    error(start, 2, "unknown escape sequence");
    if (pos_ < text_.size()) ++pos_;
    return static_cast<unsigned char>(c);
  }

  const Token& token_;
  Diagnostics& diagnostics_;
  std::string_view text_;
  std::size_t offset_ = 0;
  std::size_t pos_ = 0;
  bool wide_;
};

}  // namespace

std::uint64_t decode_integer(const Token& token, Diagnostics& diagnostics) {
  std::string_view text = token.text;
  std::uint64_t base = 10;
  if (text.size() > 1 && text[0] == '0') {
    const bool hex = text[1] == 'x' || text[1] == 'X';
    base = hex ? 16 : 8;
    text.remove_prefix(hex ? 2 : 1);
  }
  std::uint64_t value = 0;
  for (const char c : text) {
    const auto digit = static_cast<std::uint64_t>(hex_value(c));
    if (digit >= base) {
      diagnostics.error(token.span, std::string("'") + c + "' is not an octal digit",
                        "a leading 0 makes this number octal");
      return value;
    }
    if (value > (~std::uint64_t{0} - digit) / base) {
      diagnostics.error(token.span, "this number does not fit in 64 bits");
      return 0;  // is in every range, so that no further errors follow
    }
    value = value * base + digit;
  }
  return value;
}

long double decode_float(const Token& token, Diagnostics& diagnostics) {
  const std::string text(token.text);  // strtold wants a terminator; the program never calls setlocale
  const long double value = std::strtold(text.c_str(), nullptr);
  if (std::isinf(value)) {
    diagnostics.error(token.span, "this number does not fit in a long double");
    return 0;
  }
  return value;
}

std::uint32_t decode_char(const Token& token, Diagnostics& diagnostics) {
  const bool wide = token.kind == TokenKind::WChar;
  Inside inside(token, wide, diagnostics);
  if (inside.done()) {
    diagnostics.error(token.span, "a character literal must hold one character");
    return 0;
  }
  const Unit unit = inside.next();
  if (!inside.done()) {
    const bool foreign = !wide && !unit.escaped && unit.value >= 0x80;
    diagnostics.error(
        token.span,
        foreign ? "this character needs more than one byte" : "a character literal holds one character",
        foreign ? "use a wide character: L'...'" : "use a string: \"...\"");
  }
  return unit.value;
}

std::string decode_string(const Token& token, Diagnostics& diagnostics) {
  std::string out;
  Inside inside(token, false, diagnostics);
  while (!inside.done()) {
    const std::size_t start = inside.position();
    const Unit unit = inside.next();
    if (unit.value == 0) {  // IDL 4.2 §7.2.6.3
      inside.error(start, inside.position() - start, "a string must not contain a null character");
      continue;
    }
    out.push_back(static_cast<char>(unit.value));
  }
  return out;
}

std::u32string decode_wide_string(const Token& token, Diagnostics& diagnostics) {
  std::u32string out;
  Inside inside(token, token.kind == TokenKind::WString, diagnostics);
  bool after_high_escape = false;
  while (!inside.done()) {
    const std::size_t start = inside.position();
    const Unit unit = inside.next();
    if (unit.value == 0) {
      inside.error(start, inside.position() - start, "a string must not contain a null character");
      continue;
    }
    if (after_high_escape && unit.escaped && unit.value >= 0xdc00 && unit.value <= 0xdfff) {
      out.back() = 0x10000 + ((out.back() - 0xd800) << 10) + (unit.value - 0xdc00);
      after_high_escape = false;
      continue;
    }
    out.push_back(unit.value);
    after_high_escape = unit.escaped && unit.value >= 0xd800 && unit.value <= 0xdbff;
  }
  for (const char32_t c : out) {
    if (c >= 0xd800 && c <= 0xdfff) {
      diagnostics.error(token.span, "this string has a surrogate code point without its partner");
      break;
    }
  }
  return out;
}

}  // namespace tenon::idl
