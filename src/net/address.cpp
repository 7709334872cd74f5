// SPDX-License-Identifier: Apache-2.0
#include "net/address.hpp"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netdb.h>
#include <netinet/in.h>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstring>
#include <memory>

#include "base/error_text.hpp"
#include "base/joined.hpp"

namespace tenon::net {
namespace {

sockaddr_in v4_of(const SocketAddress& address) noexcept {
  sockaddr_in v4;
  std::memcpy(&v4, address.get(), sizeof v4);
  return v4;
}

sockaddr_in6 v6_of(const SocketAddress& address) noexcept {
  sockaddr_in6 v6;
  std::memcpy(&v6, address.get(), sizeof v6);
  return v6;
}

/// The bits of an IPv4 address in host order, also of one in the form ::ffff:a.b.c.d.
std::optional<std::uint32_t> v4_bits(const SocketAddress& address) noexcept {
  if (address.family() == AF_INET) return ntohl(v4_of(address).sin_addr.s_addr);
  if (address.family() != AF_INET6) return std::nullopt;
  const sockaddr_in6 v6 = v6_of(address);
  if (!IN6_IS_ADDR_V4MAPPED(&v6.sin6_addr)) return std::nullopt;
  std::uint32_t bits;
  std::memcpy(&bits, v6.sin6_addr.s6_addr + 12, sizeof bits);
  return ntohl(bits);
}

std::string quoted(std::string_view text) { return worded("'%'", {text}); }

std::vector<SocketAddress> look_up(const char* host, std::uint16_t port, int flags, std::string& why) {
  addrinfo hints{};
  hints.ai_family = AF_UNSPEC;
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = flags | AI_NUMERICSERV;
  const std::string service = decimal(port);

  addrinfo* list = nullptr;
  const int code = ::getaddrinfo(host, service.c_str(), &hints, &list);
  if (code != 0) {
    why = code == EAI_SYSTEM ? error_text(errno) : std::string(::gai_strerror(code));
    return {};
  }
  const std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> owner(list, &::freeaddrinfo);
  std::vector<SocketAddress> found;
  for (const addrinfo* at = list; at != nullptr && found.size() < most_addresses; at = at->ai_next) {
    if (at->ai_family == AF_INET || at->ai_family == AF_INET6)
      found.emplace_back(at->ai_addr, at->ai_addrlen);
  }
  return found;
}

}  // namespace

std::string HostPort::text() const {
  const bool v6 = host.find(':') != std::string::npos;
  return joined({v6 ? "[" : "", host, v6 ? "]:" : ":", decimal(port)});
}

std::optional<std::uint16_t> parse_port(std::string_view digits) noexcept {
  std::uint16_t port = 0;
  const auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), port);
  if (digits.empty() || code != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return port;
}

namespace {

/// Null, or what would be right.
const char* read_host_port(std::string_view text, std::uint16_t default_port, HostPort& into) {
  into.port = default_port;
  std::string_view host;
  std::string_view rest;
  if (!text.empty() && text.front() == '[') {
    const std::size_t close = text.find(']');
    if (close == std::string_view::npos || close == 1)
      return "write an IPv6 address as [address], for example [::1]:2809";
    host = text.substr(1, close - 1);
    if (host.find(':') == std::string_view::npos) return "brackets are for IPv6 addresses only";
    rest = text.substr(close + 1);
  } else {
    const std::size_t colon = text.find(':');
    if (colon != text.rfind(':')) {
      const std::size_t odd = text.find_first_not_of("0123456789abcdefABCDEF:.");
      if (odd == std::string_view::npos || text[odd] == '%')  // a zone follows
        return "put brackets around an IPv6 address, for example [::1]:2809";
      return "only a host and a port can stand here, for example host:2809";
    }
    host = text.substr(0, colon);
    if (colon != std::string_view::npos) rest = text.substr(colon);
    if (host.find_first_of(" \t/,@[]") != std::string_view::npos)
      return "a host name has no blanks and none of / , @ [ ]";
  }
  into.host = host;
  if (rest.empty() || rest == ":") return nullptr;  // "host:" is the default port, as corbaloc has it
  const std::optional<std::uint16_t> port = rest.front() == ':' ? parse_port(rest.substr(1)) : std::nullopt;
  if (!port) return "the port is a number from 0 to 65535, for example host:2809";
  into.port = *port;
  return nullptr;
}

}  // namespace

std::optional<HostPort> parse_host_port(std::string_view text, std::uint16_t default_port, std::string& why) {
  std::optional<HostPort> result(std::in_place);
  if (const char* const wrong = read_host_port(text, default_port, *result)) {
    why = worded("'%': %", {text, wrong});
    result.reset();
  }
  return result;
}

SocketAddress::SocketAddress(const sockaddr* address, socklen_t size) noexcept {
  size_ = std::min(size, static_cast<socklen_t>(sizeof storage_));
  std::memcpy(&storage_, address, size_);
}

std::uint16_t SocketAddress::port() const noexcept {
  if (family() == AF_INET) return ntohs(v4_of(*this).sin_port);
  if (family() == AF_INET6) return ntohs(v6_of(*this).sin6_port);
  return 0;
}

void SocketAddress::set_port(std::uint16_t port) noexcept {
  const std::uint16_t wire = htons(port);
  // sin_port and sin6_port are at the same place on all systems we know, but no standard promises it.
  const std::size_t at =
      family() == AF_INET ? offsetof(sockaddr_in, sin_port) : offsetof(sockaddr_in6, sin6_port);
  if (family() == AF_INET || family() == AF_INET6) {
    std::memcpy(reinterpret_cast<std::uint8_t*>(&storage_) + at, &wire, sizeof wire);
  }
}

bool SocketAddress::is_wildcard() const noexcept {
  if (const auto bits = v4_bits(*this)) return *bits == INADDR_ANY;
  if (family() != AF_INET6) return false;
  const sockaddr_in6 v6 = v6_of(*this);
  return IN6_IS_ADDR_UNSPECIFIED(&v6.sin6_addr);
}

bool SocketAddress::is_loopback() const noexcept {
  if (const auto bits = v4_bits(*this)) return *bits >> 24 == 127;
  if (family() != AF_INET6) return false;
  const sockaddr_in6 v6 = v6_of(*this);
  return IN6_IS_ADDR_LOOPBACK(&v6.sin6_addr);
}

bool SocketAddress::is_link_local() const noexcept {
  if (const auto bits = v4_bits(*this)) return *bits >> 16 == 0xA9FE;
  if (family() != AF_INET6) return false;
  const sockaddr_in6 v6 = v6_of(*this);
  return IN6_IS_ADDR_LINKLOCAL(&v6.sin6_addr);
}

std::string SocketAddress::host_text() const {
  char digits[INET6_ADDRSTRLEN];
  if (const auto bits = v4_bits(*this)) {
    const in_addr v4{htonl(*bits)};
    return ::inet_ntop(AF_INET, &v4, digits, sizeof digits);
  }
  if (family() == AF_INET6) {
    const sockaddr_in6 v6 = v6_of(*this);
    std::string out = ::inet_ntop(AF_INET6, &v6.sin6_addr, digits, sizeof digits);
    if (v6.sin6_scope_id != 0) out += '%' + decimal(v6.sin6_scope_id);
    return out;
  }
  if (family() == AF_UNIX && size_ > offsetof(sockaddr_un, sun_path)) {
    const char* path = storage_.path.sun_path;
    const std::size_t length = size_ - offsetof(sockaddr_un, sun_path);
    if (*path == '\0') return '@' + std::string(path + 1, length - 1);
    return std::string(path, ::strnlen(path, length));
  }
  return {};
}

std::string SocketAddress::text() const {
  if (family() == AF_INET || family() == AF_INET6) return HostPort{host_text(), port()}.text();
  return host_text();
}

bool SocketAddress::operator==(const SocketAddress& other) const noexcept {
  return size_ == other.size_ && std::memcmp(&storage_, &other.storage_, size_) == 0;
}

std::vector<SocketAddress> resolve(const HostPort& where, Purpose purpose, std::string& why) {
  const int passive = purpose == Purpose::listen ? AI_PASSIVE : 0;
  if (where.host.empty()) return look_up(nullptr, where.port, passive, why);
  const int numeric = in_numbers(where.host) ? AI_NUMERICHOST : 0;
  std::string reason;
  std::vector<SocketAddress> found = look_up(where.host.c_str(), where.port, passive | numeric, reason);
  if (found.empty()) {
    if (reason.empty()) reason = "it has no address";
    why = "no address for host " + quoted(where.host) + ": " + reason;
  }
  return found;
}

bool in_numbers(std::string_view host) noexcept {
  return host.find(':') != std::string_view::npos ||
         host.find_first_not_of("0123456789.") == std::string_view::npos;
}

namespace {

/// The number of a network interface, or the name of one if the address is of a link.
bool read_scope(const char* scope, sockaddr_in6& into) noexcept {
  const char* const end = scope + std::strlen(scope);
  const auto [stop, code] = std::from_chars(scope, end, into.sin6_scope_id);
  if (code == std::errc() && stop == end) return true;
  if (!IN6_IS_ADDR_LINKLOCAL(&into.sin6_addr) && !IN6_IS_ADDR_MC_LINKLOCAL(&into.sin6_addr)) return false;
  into.sin6_scope_id = ::if_nametoindex(scope);
  return into.sin6_scope_id != 0;
}

}  // namespace

std::optional<SocketAddress> numeric_address(std::string_view host, std::uint16_t port) noexcept {
  char text[INET6_ADDRSTRLEN + IF_NAMESIZE];  // what is longer is no address
  if (host.empty() || host.size() >= sizeof text || !in_numbers(host)) return std::nullopt;
  std::memcpy(text, host.data(), host.size());
  text[host.size()] = '\0';
  sockaddr_in v4{};
  if (::inet_aton(text, &v4.sin_addr) != 0) {
    v4.sin_family = AF_INET;
    v4.sin_port = htons(port);
    return SocketAddress(reinterpret_cast<const sockaddr*>(&v4), sizeof v4);
  }
  // An IPv6 address may name the network interface: "fe80::1%2", "fe80::1%eth0".
  char* const percent = std::strchr(text, '%');
  if (percent != nullptr) *percent = '\0';
  sockaddr_in6 v6{};
  v6.sin6_family = AF_INET6;
  v6.sin6_port = htons(port);
  if (::inet_pton(AF_INET6, text, &v6.sin6_addr) != 1) return std::nullopt;
  if (percent != nullptr && !read_scope(percent + 1, v6)) return std::nullopt;
  return SocketAddress(reinterpret_cast<const sockaddr*>(&v6), sizeof v6);
}

std::optional<SocketAddress> unix_address(std::string_view path, std::string& why) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const bool abstract = !path.empty() && path.front() == '@';
  // A path needs its NUL; an abstract name is as long as the size says.
  const std::size_t longest = sizeof address.sun_path - (abstract ? 0 : 1);
  if (path.empty() || path == "@") {
    why = "the path of a Unix-domain socket is empty; write for example /run/app.sock";
    return std::nullopt;
  }
  if (path.size() > longest || path.find('\0') != std::string_view::npos) {
    // It may come from a reference, and then is as long as a peer likes.
    why = quoted(path.substr(0, 2 * longest)) + ": the path of a Unix-domain socket has at most " +
          decimal(longest) + " characters, this one has " + decimal(path.size());
    return std::nullopt;
  }
  std::memcpy(address.sun_path, path.data(), path.size());
  if (abstract) address.sun_path[0] = '\0';
  const std::size_t size = offsetof(sockaddr_un, sun_path) + path.size() + (abstract ? 0 : 1);
  return SocketAddress(reinterpret_cast<const sockaddr*>(&address), static_cast<socklen_t>(size));
}

std::vector<SocketAddress> interface_addresses() {
  ifaddrs* list = nullptr;
  if (::getifaddrs(&list) != 0) return {};
  const std::unique_ptr<ifaddrs, decltype(&::freeifaddrs)> owner(list, &::freeifaddrs);
  std::size_t most = 0;
  for (const ifaddrs* at = list; at != nullptr; at = at->ifa_next) ++most;
  std::vector<SocketAddress> ordered(most);  // of its size at once: a vector that grows is much code
  std::size_t count = 0;
  // Four passes instead of a stable sort: the list is short, and the order within a rank is the kernel's.
  for (unsigned rank = 0; rank < 4; ++rank) {
    const int family = rank % 2 == 0 ? AF_INET : AF_INET6;
    const bool link_local = rank >= 2;
    for (const ifaddrs* at = list; at != nullptr; at = at->ifa_next) {
      if (at->ifa_addr == nullptr || (at->ifa_flags & IFF_UP) == 0 || at->ifa_addr->sa_family != family)
        continue;
      const SocketAddress address(at->ifa_addr,
                                  family == AF_INET ? sizeof(sockaddr_in) : sizeof(sockaddr_in6));
      if (!address.is_loopback() && !address.is_wildcard() && address.is_link_local() == link_local)
        ordered[count++] = address;
    }
  }
  while (ordered.size() > count) ordered.pop_back();
  return ordered;
}

SocketAddress local_address(int fd) noexcept {
  sockaddr_storage storage{};
  socklen_t size = sizeof storage;
  if (::getsockname(fd, reinterpret_cast<sockaddr*>(&storage), &size) != 0) return {};
  return SocketAddress(reinterpret_cast<const sockaddr*>(&storage),
                       std::min(size, socklen_t{sizeof storage}));
}

SocketAddress peer_address(int fd) noexcept {
  sockaddr_storage storage{};
  socklen_t size = sizeof storage;
  if (::getpeername(fd, reinterpret_cast<sockaddr*>(&storage), &size) != 0) return {};
  return SocketAddress(reinterpret_cast<const sockaddr*>(&storage),
                       std::min(size, socklen_t{sizeof storage}));
}

std::string error_text(int os_error) { return os_error_text(os_error); }

}  // namespace tenon::net
