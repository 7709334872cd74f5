// SPDX-License-Identifier: Apache-2.0
// The parts of an object URL: addresses of the protocols that are known here, and escaped keys. See object_url.hpp.
#include <algorithm>

#include "cdr/value_memory.hpp"
#include "ior/object_url.hpp"
#include "ior/uiop_profile.hpp"

namespace tenon::ior {

namespace {

int digit_value(char letter) noexcept {
  if (letter >= '0' && letter <= '9') return letter - '0';
  if (letter >= 'a' && letter <= 'f') return letter - 'a' + 10;
  if (letter >= 'A' && letter <= 'F') return letter - 'A' + 10;
  return -1;
}

// Readers of addresses return null, or what is wrong; then `at` is where. Each makes no error of its own, since every program that knows
// TCP has these functions.

/// "1.2@" in front of an address; `at` moves behind it.
const char* read_version(std::string_view text, std::uint8_t& minor, std::size_t& at) noexcept {
  const std::size_t sign = text.find('@');
  if (sign == std::string_view::npos) return nullptr;
  const std::string_view version = text.substr(0, sign);
  if (version.size() != 3 || version[1] != '.' || version[2] < '0' || version[2] > '9')
    return "before '@' stands a version such as 1.2";
  if (version[0] != '1') return "only versions 1.0 to 1.2 exist";
  at = sign + 1;
  minor = static_cast<std::uint8_t>(version[2] - '0');
  return nullptr;
}

/// "host[:port]" from `at` on.
const char* read_host_and_port(std::string_view text, IiopAddress& address, std::size_t& at) noexcept {
  std::size_t end = 0;
  std::string_view host;
  if (at < text.size() && text[at] == '[') {
    const std::size_t closing = text.find(']', at);
    if (closing == std::string_view::npos) return "the '[' of an IPv6 address has no ']'";
    ++at;
    host = text.substr(at, closing - at);
    if (host.find(':') == std::string_view::npos) return "brackets are for IPv6 addresses, such as [::1]";
    end = closing + 1;
    if (end < text.size() && text[end] != ':') {
      at = end;
      return "only ':' and a port can follow ']'";
    }
  } else {
    end = std::min(text.find(':', at), text.size());
    host = text.substr(at, end - at);
    if (end != text.size() && text.find(':', end + 1) != std::string_view::npos)
      return "an IPv6 address stands in brackets: [::1]:2809";
  }
  if (host.empty()) return "the host is missing; write for example localhost";
  // '%' is allowed only before the zone index of an IPv6 address ("fe80::1%eth0").
  const std::size_t odd = host.find_first_of(" \t\r\n%{}|\\");
  if (odd != std::string_view::npos && (host[odd] != '%' || host.find(':') >= odd)) {
    at += odd;
    return "this character cannot stand in a host's name";
  }
  if (host.size() > longest_host) return "a host's name has at most 255 characters";
  address.host = host;
  // "host:" with nothing behind the colon is read as no port, as browsers do.
  at = end + 1;
  unsigned port = at < text.size() ? 0 : default_corbaloc_port;
  for (std::size_t i = at; i < text.size(); ++i) {
    const unsigned digit = static_cast<unsigned char>(text[i]) - unsigned{'0'};
    port = digit > 9 ? 65536 : port * 10 + digit;
    if (port > 65535) break;
  }
  if (port == 0 || port > 65535) return "a port is a number from 1 to 65535";
  address.port = static_cast<std::uint16_t>(port);
  return nullptr;
}

constexpr char upper_digits[] = "0123456789ABCDEF";

char* write_escaped(char* to, std::uint8_t octet) noexcept {
  *to++ = '%';
  *to++ = upper_digits[octet >> 4];
  *to++ = upper_digits[octet & 15];
  return to;
}

bool alphanumeric(std::uint8_t octet) noexcept {
  return (octet >= '0' && octet <= '9') || (octet >= 'A' && octet <= 'Z') || (octet >= 'a' && octet <= 'z');
}

std::string escape(ByteView octets, std::string_view allowed) noexcept {
  std::string text;
  if (!cdr::make_room(text, 3 * octets.size())) return text;
  char* to = text.data();
  for (const std::uint8_t octet : octets) {
    if (alphanumeric(octet) ||
        (octet != 0 && allowed.find(static_cast<char>(octet)) != std::string_view::npos)) {
      *to++ = static_cast<char>(octet);
    } else {
      to = write_escaped(to, octet);
    }
  }
  text.erase(static_cast<std::size_t>(to - text.data()));
  return text;
}

}  // namespace

Parsed<ParsedIiopAddress> parse_iiop_address(std::string_view text) {
  ParsedIiopAddress parsed;
  std::size_t at = 0;
  const char* wrong = read_version(text, parsed.minor, at);
  if (wrong == nullptr) wrong = read_host_and_port(text, parsed.address, at);
  if (wrong != nullptr) return UrlError{at, wrong};
  return parsed;
}

Parsed<ParsedUiopAddress> parse_uiop_address(std::string_view text) {
  ParsedUiopAddress parsed;
  std::size_t at = 0;
  const std::size_t slash = text.find('/');
  // A path may contain '@'; a version stands before the first '/'.
  if (const char* wrong = read_version(text.substr(0, slash), parsed.minor, at)) return UrlError{at, wrong};
  // TAO's own URLs have "//" before the path.
  std::string_view path = text.substr(at);
  if (path.substr(0, 2) == "//") path.remove_prefix(1);
  Parsed<std::vector<std::uint8_t>> plain = unescape_key(path);
  if (!plain) return plain.error().moved(text.size() - path.size());
  if (plain->empty())
    return UrlError{at, "the path of the socket is missing; write for example /run/app.sock"};
  if (plain->size() > longest_path) return UrlError{at, "a path has at most 1024 characters"};
  parsed.path.assign(plain->begin(), plain->end());
  if (parsed.path.find('\0') != std::string::npos) return UrlError{at, "a path cannot contain %00"};
  return parsed;
}

std::string escape_key(ByteView key) noexcept { return escape(key, ";/:?@&=+$,-_.!~*'()"); }

Parsed<std::vector<std::uint8_t>> unescape_key(std::string_view text) {
  std::vector<std::uint8_t> octets;
  if (text.empty()) return octets;
  std::uint8_t* to = cdr::make_room(octets, text.size());
  if (to == nullptr) return UrlError::without_memory();
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto octet = static_cast<std::uint8_t>(text[i]);
    if (octet <= ' ' || octet == 0x7F)
      return UrlError{i, "white space and control characters must be escaped; a blank is %20"};
    if (octet != '%') {
      *to++ = octet;
      continue;
    }
    const int high = i + 1 < text.size() ? digit_value(text[i + 1]) : -1;
    const int low = i + 2 < text.size() ? digit_value(text[i + 2]) : -1;
    if (high < 0 || low < 0)
      return UrlError{i, "two hexadecimal digits must follow '%'; write %25 for '%' itself"};
    *to++ = static_cast<std::uint8_t>(high * 16 + low);
    i += 2;
  }
  octets.erase(octets.begin() + (to - octets.data()), octets.end());
  return octets;
}

}  // namespace tenon::ior
