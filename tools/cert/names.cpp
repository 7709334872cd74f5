// SPDX-License-Identifier: Apache-2.0
#include "tools/cert/names.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <unistd.h>

#include <algorithm>
#include <array>

#include "net/address.hpp"
#include "tools/cert/openssl.hpp"

namespace tenon::cert {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

Host of_address(int family, const void* octets) {
  const std::size_t size = family == AF_INET ? 4 : 16;
  const auto* const first = static_cast<const std::uint8_t*>(octets);
  std::array<char, INET6_ADDRSTRLEN> text{};
  ::inet_ntop(family, octets, text.data(), text.size());
  return {text.data(), {first, first + size}};
}

/// Why it is no label of a DNS name; null: it is one.
const char* wrong_with_label(std::string_view label) {
  if (label.empty()) return "it has an empty part";
  if (label.size() > 63) return "a part of it is longer than 63 characters";
  if (label.front() == '-' || label.back() == '-') return "a part of it begins or ends with '-'";
  for (const char c : label) {
    if (static_cast<unsigned char>(c) >= 0x80)
      return "it is not in ASCII; write the form that the name service has (xn--...)";
    if (!is_letter(c) && !is_digit(c) && c != '-' && c != '_')
      return "it has a character that is neither letter, digit, '-' nor '_'";
  }
  return nullptr;
}

const char* wrong_with_name(std::string_view name) {
  if (name.size() > 253) return "it is longer than 253 characters";
  if (name.find("://") != std::string_view::npos) return "it is a URL; give the host alone";
  const std::size_t colon = name.find(':');
  if (colon != std::string_view::npos) {
    const bool port = std::all_of(name.begin() + static_cast<long>(colon) + 1, name.end(), is_digit);
    return port ? "give the host without its port" : "it is not an IPv6 address";
  }
  if (std::all_of(name.begin(), name.end(), [](char c) { return is_digit(c) || c == '.'; }))
    return "it is not an IPv4 address";
  if (name.starts_with("*.")) name.remove_prefix(2);
  for (std::size_t at = 0; at <= name.size();) {
    const std::size_t end = std::min(name.find('.', at), name.size());
    if (const char* const wrong = wrong_with_label(name.substr(at, end - at))) return wrong;
    at = end + 1;
  }
  return nullptr;
}

}  // namespace

Host read_host(std::string_view text) {
  std::string plain(text);
  if (plain.size() > 2 && plain.front() == '[' && plain.back() == ']')
    plain = plain.substr(1, plain.size() - 2);
  std::array<std::uint8_t, 16> octets{};
  if (::inet_pton(AF_INET, plain.c_str(), octets.data()) == 1) return of_address(AF_INET, octets.data());
  if (::inet_pton(AF_INET6, plain.c_str(), octets.data()) == 1) return of_address(AF_INET6, octets.data());
  if (plain.size() > 1 && plain.ends_with('.')) plain.pop_back();
  if (const char* const wrong = wrong_with_name(plain))
    throw Problem("'" + std::string(text) + "' is no host: " + wrong);
  std::transform(plain.begin(), plain.end(), plain.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return {plain, {}};
}

std::vector<Host> read_hosts(const std::vector<std::string>& texts) {
  std::vector<Host> hosts;
  const auto add = [&hosts](Host host) {
    if (std::find(hosts.begin(), hosts.end(), host) == hosts.end()) hosts.push_back(std::move(host));
  };
  for (const std::string& text : texts) {
    add(read_host(text));
    if (hosts.back().text != "localhost") continue;
    add(read_host("127.0.0.1"));
    add(read_host("::1"));
  }
  return hosts;
}

std::vector<std::string> this_machine() {
  std::vector<std::string> found{"localhost"};
  std::array<char, 256> name{};
  if (::gethostname(name.data(), name.size() - 1) == 0 && wrong_with_name(name.data()) == nullptr)
    found.emplace_back(name.data());
  // Addresses of one link need a zone, which no certificate can say.
  for (const net::SocketAddress& each : net::interface_addresses()) {
    if (!each.is_link_local()) found.push_back(each.host_text());
  }
  return found;
}

void check_common_name(std::string_view name) {
  const auto characters = std::count_if(
      name.begin(), name.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; });
  const bool control = std::any_of(name.begin(), name.end(),
                                   [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; });
  if (name.empty()) throw Problem("the name is empty; a certificate needs one");
  if (control) throw Problem("'" + std::string(name) + "' is no name: it has a control character");
  if (characters > 64)
    throw Problem("'" + std::string(name) +
                  "' is no name: a common name has at most 64 characters (--name gives another one)");
}

}  // namespace tenon::cert
