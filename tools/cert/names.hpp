// SPDX-License-Identifier: Apache-2.0
//
// Hosts as certificates name them, read from what a person has typed; and the hosts that this machine is. Any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tenon::cert {

/// A DNS name in small letters, or an IP address.
struct Host {
  std::string text;                  ///< "app.example.org", "192.0.2.1", "2001:db8::1"
  std::vector<std::uint8_t> octets;  ///< of an address: 4 or 16; empty: a DNS name

  bool is_address() const noexcept { return !octets.empty(); }
  bool operator==(const Host&) const = default;
};

/// "host", "*.host", "192.0.2.1", "2001:db8::1" or "[2001:db8::1]". Throws a Problem that says what is wrong with it.
Host read_host(std::string_view text);

/// The hosts, each once, in order. Whoever is localhost is its two addresses, too.
std::vector<Host> read_hosts(const std::vector<std::string>& texts);

/// localhost, this machine's name, and the addresses that other machines may know it by.
std::vector<std::string> this_machine();

/// A common name that can stand in a certificate: UTF-8 without control characters, 1 to 64 characters. Throws a Problem.
void check_common_name(std::string_view name);

}  // namespace tenon::cert
