// SPDX-License-Identifier: Apache-2.0
// The parts of an object URL: addresses of the protocols that are known here, and escaped keys. See object_url.hpp.
#include <algorithm>

#include "ior/object_url.hpp"

namespace tenon::ior {

namespace {

int digit_value(char letter) noexcept {
  if (letter >= '0' && letter <= '9') return letter - '0';
  if (letter >= 'a' && letter <= 'f') return letter - 'a' + 10;
  if (letter >= 'A' && letter <= 'F') return letter - 'A' + 10;
  return -1;
}

/// "1.2@" in front of an address; `at` moves behind it.
Parsed<std::uint8_t> parse_version(std::string_view text, std::size_t& at) {
  const std::size_t sign = text.find('@');
  if (sign == std::string_view::npos) return std::uint8_t{0};
  const std::string_view version = text.substr(0, sign);
  if (version.size() != 3 || version[1] != '.' || version[2] < '0' || version[2] > '9') {
    return UrlError{0, "before '@' stands a version such as 1.2"};
  }
  if (version[0] != '1') return UrlError{0, "only versions 1.0 to 1.2 exist"};
  at = sign + 1;
  return static_cast<std::uint8_t>(version[2] - '0');
}

Parsed<std::uint16_t> parse_port(std::string_view digits, std::size_t position) {
  unsigned port = 0;
  for (const char digit : digits) {
    if (digit < '0' || digit > '9') return UrlError{position, "a port is a number from 1 to 65535"};
    port = port * 10 + static_cast<unsigned>(digit - '0');
    if (port > 65535) return UrlError{position, "a port is a number from 1 to 65535"};
  }
  return static_cast<std::uint16_t>(port);
}

constexpr char upper_digits[] = "0123456789ABCDEF";

void append_escaped(std::string& to, std::uint8_t octet) {
  to += '%';
  to += upper_digits[octet >> 4];
  to += upper_digits[octet & 15];
}

bool alphanumeric(std::uint8_t octet) noexcept {
  return (octet >= '0' && octet <= '9') || (octet >= 'A' && octet <= 'Z') || (octet >= 'a' && octet <= 'z');
}

std::string escape(ByteView octets, std::string_view allowed) {
  std::string text;
  for (const std::uint8_t octet : octets) {
    if (alphanumeric(octet) ||
        (octet != 0 && allowed.find(static_cast<char>(octet)) != std::string_view::npos)) {
      text += static_cast<char>(octet);
    } else {
      append_escaped(text, octet);
    }
  }
  return text;
}

}  // namespace

Parsed<ParsedIiopAddress> parse_iiop_address(std::string_view text) {
  ParsedIiopAddress parsed;
  std::size_t at = 0;
  const Parsed<std::uint8_t> minor = parse_version(text, at);
  if (!minor) return minor.error();
  parsed.minor = *minor;

  std::size_t end = 0;
  if (at < text.size() && text[at] == '[') {
    const std::size_t closing = text.find(']', at);
    if (closing == std::string_view::npos) return UrlError{at, "the '[' of an IPv6 address has no ']'"};
    parsed.address.host = std::string(text.substr(at + 1, closing - at - 1));
    if (parsed.address.host.find(':') == std::string::npos) {
      return UrlError{at + 1, "brackets are for IPv6 addresses, such as [::1]"};
    }
    end = closing + 1;
    if (end < text.size() && text[end] != ':') return UrlError{end, "only ':' and a port can follow ']'"};
  } else {
    end = std::min(text.find(':', at), text.size());
    parsed.address.host = std::string(text.substr(at, end - at));
    if (end != text.size() && text.find(':', end + 1) != std::string_view::npos) {
      return UrlError{at, "an IPv6 address stands in brackets: [::1]:2809"};
    }
  }
  if (parsed.address.host.empty()) return UrlError{at, "the host is missing; write for example localhost"};
  if (const std::size_t odd = parsed.address.host.find_first_of(" \t\r\n%{}|\\"); odd != std::string::npos) {
    // '%' is allowed only before the zone index of an IPv6 address ("fe80::1%eth0").
    const bool zone = parsed.address.host[odd] == '%' && parsed.address.host.find(':') < odd;
    if (!zone) return UrlError{at + odd, "this character cannot stand in a host's name"};
  }
  // "host:" with nothing behind the colon is read as no port, as browsers do.
  const std::string_view digits = end < text.size() ? text.substr(end + 1) : std::string_view();
  const Parsed<std::uint16_t> port = parse_port(digits, end + 1);
  if (!port) return port.error();
  if (!digits.empty() && *port == 0) return UrlError{end + 1, "a port is a number from 1 to 65535"};
  parsed.address.port = digits.empty() ? default_corbaloc_port : *port;
  return parsed;
}

Parsed<ParsedUiopAddress> parse_uiop_address(std::string_view text) {
  ParsedUiopAddress parsed;
  std::size_t at = 0;
  const std::size_t slash = text.find('/');
  // A path may contain '@'; a version stands before the first '/'.
  const Parsed<std::uint8_t> minor = parse_version(text.substr(0, slash), at);
  if (!minor) return minor.error();
  parsed.minor = *minor;
  // TAO's own URLs have "//" before the path.
  std::string_view path = text.substr(at);
  if (path.substr(0, 2) == "//") path.remove_prefix(1);
  Parsed<std::vector<std::uint8_t>> plain = unescape_key(path);
  if (!plain) return plain.error().moved(text.size() - path.size());
  if (plain->empty())
    return UrlError{at, "the path of the socket is missing; write for example /run/app.sock"};
  parsed.path.assign(plain->begin(), plain->end());
  if (parsed.path.find('\0') != std::string::npos) return UrlError{at, "a path cannot contain %00"};
  return parsed;
}

std::string escape_key(ByteView key) { return escape(key, ";/:?@&=+$,-_.!~*'()"); }

Parsed<std::vector<std::uint8_t>> unescape_key(std::string_view text) {
  std::vector<std::uint8_t> octets;
  octets.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto octet = static_cast<std::uint8_t>(text[i]);
    if (octet <= ' ' || octet == 0x7F) {
      std::string hint = "white space and control characters must be escaped: ";
      append_escaped(hint, octet);
      return UrlError{i, std::move(hint)};
    }
    if (octet != '%') {
      octets.push_back(octet);
      continue;
    }
    const int high = i + 1 < text.size() ? digit_value(text[i + 1]) : -1;
    const int low = i + 2 < text.size() ? digit_value(text[i + 2]) : -1;
    if (high < 0 || low < 0)
      return UrlError{i, "two hexadecimal digits must follow '%'; write %25 for '%' itself"};
    octets.push_back(static_cast<std::uint8_t>(high * 16 + low));
    i += 2;
  }
  return octets;
}

}  // namespace tenon::ior
