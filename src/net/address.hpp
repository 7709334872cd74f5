// SPDX-License-Identifier: Apache-2.0
//
// Host and port as text, and socket addresses as the kernel has them. Names are looked up by resolve() alone, which may block for long:
// threads that make calls use HostNames instead (host_names.hpp). An address is always formatted as numbers, so no reverse look-up
// ever happens.
//
// Not here: what a reference may publish (the plug-ins decide). Values; safe from any thread.
#pragma once

#include <sys/socket.h>
#include <sys/un.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tenon::net {

/// "host:port" as a person writes it: a name, an IPv4 address, or an IPv6 address (without brackets here).
struct HostPort {
  std::string host;  ///< empty: every interface of this machine
  std::uint16_t port = 0;

  bool operator==(const HostPort&) const = default;
  /// "host:port", with brackets around an IPv6 address.
  std::string text() const;
};

/// Reads "host", "host:port", ":port", "[v6]" or "[v6]:port". nullopt: `why` names what is wrong and what would be right.
std::optional<HostPort> parse_host_port(std::string_view text, std::uint16_t default_port, std::string& why);

/// Digits only, up to 65535.
std::optional<std::uint16_t> parse_port(std::string_view digits) noexcept;

class SocketAddress {
 public:
  SocketAddress() noexcept = default;
  SocketAddress(const sockaddr* address, socklen_t size) noexcept;

  const sockaddr* get() const noexcept { return reinterpret_cast<const sockaddr*>(&storage_); }
  socklen_t size() const noexcept { return size_; }
  int family() const noexcept { return storage_.any.ss_family; }

  std::uint16_t port() const noexcept;  ///< 0 when it has none
  void set_port(std::uint16_t port) noexcept;
  bool is_wildcard() const noexcept;
  bool is_loopback() const noexcept;
  /// IPv4 169.254/16, IPv6 fe80::/10: means nothing to a machine that is not on the same link.
  bool is_link_local() const noexcept;

  /// Numbers only: "127.0.0.1", "::1", "fe80::1%2"; an IPv4 address inside IPv6 as IPv4; a Unix path as it is, an abstract
  /// one with '@' in front.
  std::string host_text() const;
  /// "127.0.0.1:2809", "[::1]:2809", "/run/app.sock"
  std::string text() const;

  bool operator==(const SocketAddress& other) const noexcept;

 private:
  // A union, because a Unix path may fill its structure to the last byte.
  union Storage {
    sockaddr_storage any;
    sockaddr_un path;
  };
  Storage storage_ = {};
  socklen_t size_ = 0;
};

enum class Purpose : std::uint8_t { connect, listen };

/// How many addresses of one host are used: a name server says how many there are.
inline constexpr std::size_t most_addresses = 64;

/// The stream addresses of a host, in the order to try. Numbers are not looked up; a name may block for as long as the
/// system's resolver takes. Empty: `why` is the reason. An empty host is the wildcard (listen) or loopback (connect).
std::vector<SocketAddress> resolve(const HostPort& where, Purpose purpose, std::string& why);

/// Whether a host is not a name: it has only digits and dots, or a colon. It may still be no address.
bool in_numbers(std::string_view host) noexcept;

/// The address of a host that is written in numbers; never looks anything up. nullopt: it is a name, or no address.
std::optional<SocketAddress> numeric_address(std::string_view host, std::uint16_t port) noexcept;
inline std::optional<SocketAddress> numeric_address(const HostPort& where) noexcept {
  return numeric_address(where.host, where.port);
}

/// The address of a Unix-domain socket. '@' at the front makes it abstract (Linux). nullopt: too long or empty, see `why`.
std::optional<SocketAddress> unix_address(std::string_view path, std::string& why);

/// Addresses of this machine's interfaces that are up: without loopback and wildcard; IPv4 before IPv6, link-local last.
std::vector<SocketAddress> interface_addresses();

/// Where the socket is bound / what it is connected to; an empty address (size() == 0) when the kernel does not know.
SocketAddress local_address(int fd) noexcept;
SocketAddress peer_address(int fd) noexcept;

/// "Connection refused (errno 111)"; thread-safe.
std::string error_text(int os_error);

}  // namespace tenon::net
