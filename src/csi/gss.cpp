// SPDX-License-Identifier: Apache-2.0
#include "csi/gss.hpp"

#include <algorithm>
#include <iterator>

#include "cdr/reader.hpp"
#include "cdr/writer.hpp"

namespace tenon::csi {
namespace {

constexpr std::uint8_t application_0 = 0x60;
constexpr std::uint8_t object_identifier = 0x06;

void append(Octets& to, ByteView octets) { to.insert(to.end(), octets.begin(), octets.end()); }

void append_text(cdr::Writer& out, std::string_view text) {
  out.put_octet_sequence({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
}

/// A length of DER (X.690 §8.1.3).
void append_length(Octets& to, std::size_t length) {
  if (length < 0x80) {
    to.push_back(static_cast<std::uint8_t>(length));
    return;
  }
  Octets digits;
  for (; length != 0; length >>= 8) digits.push_back(static_cast<std::uint8_t>(length));
  to.push_back(static_cast<std::uint8_t>(0x80 | digits.size()));
  to.insert(to.end(), digits.rbegin(), digits.rend());
}

/// Octets that are taken from the front; `good` is false as soon as something was missing.
struct Rest {
  ByteView left;
  bool good = true;

  ByteView take(std::size_t count) noexcept {
    if (!good || count > left.size()) {
      good = false;
      return {};
    }
    const ByteView taken = left.first(count);
    left = left.subspan(count);
    return taken;
  }
  std::size_t number(std::size_t octets) noexcept {
    std::size_t value = 0;
    for (const std::uint8_t each : take(octets)) value = value << 8 | each;
    return value;
  }
  std::size_t length() noexcept {
    const std::size_t first = number(1);
    if (first < 0x80) return first;
    const std::size_t digits = first & 0x7f;
    if (digits == 0 || digits > 4) good = false;
    return good ? number(digits) : 0;
  }
};

bool get_text(cdr::Reader& in, std::string& into, std::size_t longest) {
  const ByteView octets = in.get_octet_sequence();
  if (!in.good() || octets.size() > longest) return false;
  into.assign(octets.begin(), octets.end());
  return into.find('\0') == std::string::npos;
}

}  // namespace

bool is_gssup(ByteView oid) noexcept { return std::ranges::equal(oid, gssup_oid); }

Octets encode(const UserToken& token) {
  cdr::Encapsulation inner;
  append_text(inner.content(), token.user);
  append_text(inner.content(), token.password);
  inner.content().put_octet_sequence(token.target_name);
  const ByteView content = inner.bytes();
  Octets framed{application_0};
  append_length(framed, std::size(gssup_oid) + content.size());
  append(framed, gssup_oid);
  append(framed, content);
  return framed;
}

TokenFault decode(ByteView framed, UserToken& into) {
  Rest rest{framed};
  if (rest.number(1) != application_0) return TokenFault::malformed;
  const std::size_t length = rest.length();
  if (!rest.good || length != rest.left.size()) return TokenFault::malformed;
  if (rest.left.size() < 2 || rest.left[0] != object_identifier || rest.left[1] >= 0x80)
    return TokenFault::malformed;
  const ByteView oid = rest.take(std::size_t{2} + rest.left[1]);
  if (!rest.good) return TokenFault::malformed;
  if (!is_gssup(oid)) return TokenFault::mechanism;
  cdr::Reader in = cdr::Reader::encapsulation(rest.left);
  UserToken read;
  if (!get_text(in, read.user, longest_user) || !get_text(in, read.password, longest_password))
    return TokenFault::malformed;
  const ByteView target = in.get_octet_sequence();
  if (!in.good() || target.size() > longest_name) return TokenFault::malformed;
  read.target_name.assign(target.begin(), target.end());
  into = std::move(read);
  return TokenFault::none;
}

Octets encode_error(std::uint32_t code) {
  cdr::Encapsulation body;
  body.content().put(code);
  const ByteView bytes = body.bytes();
  return {bytes.begin(), bytes.end()};
}

std::uint32_t decode_error(ByteView token) noexcept {
  cdr::Reader in = cdr::Reader::encapsulation(token);
  const auto code = in.get<std::uint32_t>();
  return in.good() ? code : 0;
}

Octets export_name(std::string_view name) {
  if (name.empty()) return {};
  Octets made{exported_name_begins, 0x01, 0x00, static_cast<std::uint8_t>(std::size(gssup_oid))};
  append(made, gssup_oid);
  for (const int shift : {24, 16, 8, 0}) made.push_back(static_cast<std::uint8_t>(name.size() >> shift));
  append(made, {reinterpret_cast<const std::uint8_t*>(name.data()), name.size()});
  return made;
}

std::optional<std::string> imported_name(ByteView exported) {
  Rest rest{exported};
  if (rest.number(1) != exported_name_begins || rest.number(1) != 0x01) return std::nullopt;
  const std::size_t oid = rest.number(2);
  static_cast<void>(rest.take(oid));
  const std::size_t length = rest.number(4);
  if (!rest.good || length == 0 || length > longest_name || length != rest.left.size()) return std::nullopt;
  std::string name(rest.left.begin(), rest.left.end());
  if (name.find('\0') != std::string::npos) return std::nullopt;
  return name;
}

std::optional<Octets> unwrapped(ByteView token, std::uint8_t first) {
  if (token.empty()) return std::nullopt;
  if (token[0] == first) return Octets(token.begin(), token.end());
  cdr::Reader in = cdr::Reader::encapsulation(token);
  const ByteView inner = in.get_octet_sequence();
  if (!in.good() || inner.empty() || inner[0] != first || inner.size() > longest_name) return std::nullopt;
  return Octets(inner.begin(), inner.end());
}

Octets wrapped(ByteView name) {
  cdr::Encapsulation body;
  body.content().put_octet_sequence(name);
  const ByteView bytes = body.bytes();
  return {bytes.begin(), bytes.end()};
}

}  // namespace tenon::csi
