// SPDX-License-Identifier: Apache-2.0
// IOR:, corbaloc: and corbaname: read and written. See object_url.hpp.
#include "ior/object_url.hpp"

#include <algorithm>

#include "cdr/value_memory.hpp"
#include "ior/uiop_profile.hpp"

namespace tenon::ior {

namespace {

constexpr std::string_view white = " \t\r\n";

int hex_digit(char letter) noexcept {
  if (letter >= '0' && letter <= '9') return letter - '0';
  if (letter >= 'a' && letter <= 'f') return letter - 'a' + 10;
  if (letter >= 'A' && letter <= 'F') return letter - 'A' + 10;
  return -1;
}

bool starts_with(std::string_view text, std::string_view prefix) noexcept {
  return text.size() >= prefix.size() && same_host(text.substr(0, prefix.size()), prefix);
}

/// The longest name of a protocol.
constexpr std::size_t longest_protocol = 32;

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& letter : result) {
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
  }
  return result;
}

bool protocol_name(std::string_view text) noexcept {
  if (text.size() > longest_protocol) return false;
  for (const char letter : text) {
    const bool known = (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
                       (letter >= '0' && letter <= '9') || letter == '-' || letter == '+' || letter == '.';
    if (!known) return false;
  }
  return true;
}

/// Parses "address,address/key" from `at` on; shared by corbaloc and corbaname.
class AddressListParser {
 public:
  AddressListParser(std::string_view text, std::size_t at) noexcept : text_(text), at_(at) {}

  /// On success position() is behind the list: at the end, or behind the character that starts the key.
  Parsed<std::vector<UrlAddress>> parse() {
    std::vector<UrlAddress> addresses;
    const std::string_view list = text_.substr(at_);
    if (!cdr::reserve(addresses, 1 + static_cast<std::size_t>(std::count(list.begin(), list.end(), ','))))
      return UrlError::without_memory();
    for (;;) {
      Parsed<UrlAddress> address = one();
      if (!address) return address.error();
      if (address->protocol == "rir" && !(addresses.empty() && at_end_of_list())) {
        return UrlError{address->position, "rir: stands alone; it cannot be combined with other addresses"};
      }
      cdr::emplace(addresses, std::move(*address));
      if (at_ >= text_.size()) return addresses;
      if (text_[at_++] != ',') return addresses;
    }
  }
  std::size_t position() const noexcept { return at_; }

 private:
  bool at_end_of_list() const noexcept { return at_ >= text_.size() || text_[at_] != ','; }

  Parsed<UrlAddress> one() {
    const std::size_t colon = text_.find(':', at_);
    const std::string_view head = text_.substr(at_, colon == std::string_view::npos ? colon : colon - at_);
    if (colon == std::string_view::npos || !protocol_name(head)) {
      return UrlError{at_,
                      "an address starts with its protocol and a colon, such as iiop:host:2809 or :host"};
    }
    UrlAddress address;
    address.protocol = head.empty() ? "iiop" : lower(head);
    if (address.protocol == "unix") address.protocol = "uiop";
    at_ = colon + 1;
    address.position = at_;
    // A path contains '/', so the key behind a local address starts with '|'; where another address follows, with either.
    const bool path = address.protocol == "uiop";
    had_path_ = had_path_ || path;
    const std::size_t end = text_.find_first_of(path ? ",|" : had_path_ ? ",|/" : ",/", at_);
    if (!cdr::assign(address.text, text_.substr(at_, end == std::string_view::npos ? end : end - at_)))
      return UrlError::without_memory();
    at_ = end == std::string_view::npos ? text_.size() : end;
    return check(std::move(address));
  }

  Parsed<UrlAddress> check(UrlAddress address) {
    for (std::size_t i = 0; i < address.text.size(); ++i) {
      const auto octet = static_cast<unsigned char>(address.text[i]);
      if (octet <= ' ' || octet == 0x7F) {
        return UrlError{address.position + i,
                        "white space and control characters cannot stand in an address"};
      }
    }
    if (address.protocol == "iiop") {
      const Parsed<ParsedIiopAddress> parsed = parse_iiop_address(address.text);
      if (!parsed) return parsed.error().moved(address.position);
    } else if (address.protocol == "uiop") {
      const Parsed<ParsedUiopAddress> parsed = parse_uiop_address(address.text);
      if (!parsed) return parsed.error().moved(address.position);
    } else if (address.protocol == "rir" && !address.text.empty()) {
      return UrlError{address.position, "rir: takes no address; write corbaloc:rir:/NameService"};
    }
    return address;
  }

  std::string_view text_;
  std::size_t at_;
  bool had_path_ = false;
};

/// Reads addresses and key of `location` from `scheme` on.
Parsed<ObjectUrl> parse_location(std::string_view location, std::size_t scheme, ObjectUrl url) {
  AddressListParser list(location, scheme);
  Parsed<std::vector<UrlAddress>> addresses = list.parse();
  if (!addresses) return addresses.error();
  url.addresses = std::move(*addresses);
  Parsed<std::vector<std::uint8_t>> key = unescape_key(location.substr(list.position()));
  if (!key) return key.error().moved(list.position());
  url.key = std::move(*key);
  // Both a corbaname and an initial reference without a key mean the Naming Service (§7.6.10.3).
  if (url.key.empty() && (url.kind == UrlKind::corbaname || url.initial_reference())) {
    constexpr std::string_view naming = "NameService";
    url.key.assign(naming.begin(), naming.end());
  }
  return url;
}

Parsed<ObjectUrl> parse_corbaname(std::string_view text, std::size_t scheme) {
  ObjectUrl url;
  url.kind = UrlKind::corbaname;
  const std::size_t hash = text.find('#');
  if (hash == std::string_view::npos) return parse_location(text, scheme, std::move(url));
  Parsed<std::vector<std::uint8_t>> name = unescape_key(text.substr(hash + 1));
  if (!name) return name.error().moved(hash + 1);
  if (!cdr::assign(url.name, {reinterpret_cast<const char*>(name->data()), name->size()}))
    return UrlError::without_memory();
  const Parsed<std::vector<NameComponent>> parts = parse_name(url.name);
  if (!parts && parts.error().no_memory) return parts.error();
  if (!parts) {
    // With escapes, positions in the name and in the URL differ: the error then points at the start of the name.
    const bool escaped = url.name.size() != text.size() - hash - 1;
    return UrlError{hash + 1 + (escaped ? 0 : parts.error().position), parts.error().text};
  }
  return parse_location(text.substr(0, hash), scheme, std::move(url));
}

/// The text without white space at its end, and where it begins.
std::size_t trim(std::string_view& text) noexcept {
  text = text.substr(0, text.find_last_not_of(white) + 1);
  return std::min(text.find_first_not_of(white), text.size());
}

}  // namespace

bool has_scheme(std::string_view text, std::string_view scheme) noexcept {
  return starts_with(text.substr(trim(text)), scheme);
}

namespace {

constexpr const char* no_memory = "there is no memory for it";

/// An error of read_ior_text().
UrlError ior_error(std::size_t at, const char* wrong) { return {at, wrong, wrong == no_memory}; }

/// Null, or what is wrong; then `at` is where.
const char* read_ior_text(std::string_view text, Ior& into, std::size_t& at) noexcept {
  if (!starts_with(text, "ior:")) return "a stringified reference starts with IOR:";
  at = 4;
  if (text.size() == at) return "hexadecimal digits must follow IOR:";
  std::vector<std::uint8_t> bytes;
  if (const std::size_t count = (text.size() - at) / 2; count != 0 && cdr::make_room(bytes, count) == nullptr)
    return no_memory;
  for (std::uint8_t& octet : bytes) {
    for (int half = 0; half < 2; ++half) {
      const int digit = hex_digit(text[at]);
      if (digit < 0) return "not a hexadecimal digit";
      octet = static_cast<std::uint8_t>(octet * 16 + digit);
      ++at;
    }
  }
  if (at != text.size())
    return hex_digit(text[at]) < 0 ? "not a hexadecimal digit"
                                   : "an odd number of hexadecimal digits; the text seems to be cut off";
  at = 4;
  Result<Ior> ior = from_encapsulation(bytes);
  if (!ior && ior.error() == errors::out_of_memory) return no_memory;
  if (!ior) return "the digits are no object reference; the text seems to be cut off or changed";
  into = *std::move(ior);
  return nullptr;
}

}  // namespace

Parsed<Ior> parse_ior_text(std::string_view text) {
  Ior ior;
  std::size_t at = 0;
  if (const char* wrong = read_ior_text(text, ior, at)) return ior_error(at, wrong);
  return ior;
}

Parsed<Ior> parse_ior(std::string_view text) {
  const std::size_t first = trim(text);
  Parsed<Ior> ior = parse_ior_text(text.substr(first));
  if (!ior) return ior.error().moved(first);
  return ior;
}

Parsed<ObjectUrl> parse_corbaloc(std::string_view text) {
  constexpr std::string_view scheme = "corbaloc:";
  const std::size_t first = trim(text);
  if (first == text.size()) return UrlError{0, "empty; write IOR:, corbaloc: or corbaname:"};
  if (!starts_with(text.substr(first), scheme))
    return UrlError{first, "unknown scheme; references start with IOR:, corbaloc:, corbaname: or file:"};
  if (const std::size_t hash = text.find('#'); hash != std::string_view::npos)
    return UrlError{hash, "a name after '#' belongs to corbaname:; in a key write %23"};
  return parse_location(text, first + scheme.size(), {});
}

Parsed<ObjectUrl> parse_object_url(std::string_view text) {
  if (has_scheme(text, "ior:")) {
    const std::size_t first = trim(text);
    ObjectUrl url;
    url.kind = UrlKind::ior;
    std::size_t at = 0;
    if (const char* wrong = read_ior_text(text.substr(first), url.reference, at))
      return ior_error(first + at, wrong);
    return url;
  }
  constexpr std::string_view naming = "corbaname:";
  if (!has_scheme(text, naming)) return parse_corbaloc(text);
  const std::size_t first = trim(text);
  return parse_corbaname(text, first + naming.size());
}

Parsed<Ior> to_reference(const ObjectUrl& url) {
  if (url.kind == UrlKind::ior) return url.reference;
  Ior ior;
  for (const UrlAddress& address : url.addresses) {
    if (address.protocol == "iiop") {
      Parsed<ParsedIiopAddress> parsed = parse_iiop_address(address.text);
      if (!parsed) return parsed.error().moved(address.position);
      ior.profiles.push_back(make_iiop_profile({parsed->minor, parsed->address, url.key, {}}));
    } else if (address.protocol == "uiop") {
      Parsed<ParsedUiopAddress> parsed = parse_uiop_address(address.text);
      if (!parsed) return parsed.error().moved(address.position);
      ior.profiles.push_back(make_uiop_profile({parsed->minor, parsed->path, url.key, {}}));
    } else {
      return UrlError{address.position, "no profile can be made for this protocol"};
    }
  }
  return ior;
}

std::string to_text(const ObjectUrl& url) {
  if (url.kind == UrlKind::ior) return to_ior_text(url.reference);
  std::string text = url.kind == UrlKind::corbaloc ? "corbaloc:" : "corbaname:";
  bool enough = true;
  const auto add = [&](std::string_view part) { enough = enough && cdr::append(text, part); };
  for (std::size_t i = 0; i < url.addresses.size(); ++i) {
    if (i != 0) add(",");
    add(url.addresses[i].protocol);
    add(":");
    add(url.addresses[i].text);
  }
  const auto add_escaped = [&](std::string_view before, ByteView octets) {
    const std::string escaped = escape_key(octets);
    enough = enough && !escaped.empty();
    add(before);
    add(escaped);
  };
  if (!url.key.empty()) add_escaped(url.addresses.back().protocol == "uiop" ? "|" : "/", url.key);
  if (!url.name.empty()) {
    const auto* octets = reinterpret_cast<const std::uint8_t*>(url.name.data());
    add_escaped("#", ByteView(octets, url.name.size()));
  }
  return enough ? text : std::string();
}

}  // namespace tenon::ior
