// SPDX-License-Identifier: Apache-2.0
//
// A set of peers as the rules of servers name it: all, this machine, or a network. Values; any thread.
//
//   *                        every peer
//   localhost                loopback addresses and Unix-domain sockets
//   10.1.2.3, 2001:db8::7    one address
//   10.0.0.0/255.0.0.0, 10.0.0.0/8, 2001:db8::/32
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "net/address.hpp"

namespace tenon::net {

class AddressMask {
 public:
  /// nullopt: `why` says what would be right.
  static std::optional<AddressMask> parse(std::string_view text, std::string& why);

  /// An IPv4 address inside IPv6 counts as IPv4.
  bool covers(const SocketAddress& peer) const noexcept;

 private:
  enum class Kind : std::uint8_t { all, local, network };

  Kind kind_ = Kind::all;
  unsigned size_ = 0;  // octets of an address of the network's family
  unsigned bits_ = 0;  // of the network's address that count
  std::array<std::uint8_t, 16> network_ = {};
};

}  // namespace tenon::net
