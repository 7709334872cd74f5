// SPDX-License-Identifier: Apache-2.0
#include "net/address_mask.hpp"

#include <netinet/in.h>

#include <bit>
#include <charconv>
#include <cstring>

namespace tenon::net {
namespace {

using Octets = std::array<std::uint8_t, 16>;

/// The address in the order of the network. How many octets there are: 4, 16, or 0 for other families.
unsigned octets_of(const SocketAddress& address, Octets& into) noexcept {
  if (address.family() == AF_INET) {
    sockaddr_in v4;
    std::memcpy(&v4, address.get(), sizeof v4);
    std::memcpy(into.data(), &v4.sin_addr, 4);
    return 4;
  }
  if (address.family() != AF_INET6) return 0;
  sockaddr_in6 v6;
  std::memcpy(&v6, address.get(), sizeof v6);
  const bool mapped = IN6_IS_ADDR_V4MAPPED(&v6.sin6_addr);
  std::memcpy(into.data(), v6.sin6_addr.s6_addr + (mapped ? 12 : 0), mapped ? 4 : 16);
  return mapped ? 4 : 16;
}

bool equal_bits(const Octets& a, const Octets& b, unsigned bits) noexcept {
  const unsigned whole = bits / 8;
  if (std::memcmp(a.data(), b.data(), whole) != 0) return false;
  const unsigned rest = bits % 8;
  return rest == 0 || ((a[whole] ^ b[whole]) >> (8 - rest)) == 0;
}

/// "8", or "255.0.0.0" for IPv4.
std::optional<unsigned> read_bits(std::string_view text, unsigned size) {
  unsigned bits = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), bits);
  if (error == std::errc() && end == text.data() + text.size()) {
    if (bits > size * 8) return std::nullopt;
    return bits;
  }
  Octets mask = {};
  const auto address = numeric_address({std::string(text), 0});
  if (size != 4 || !address || octets_of(*address, mask) != 4) return std::nullopt;
  const std::uint32_t value = std::uint32_t{mask[0]} << 24 | std::uint32_t{mask[1]} << 16 |
                              std::uint32_t{mask[2]} << 8 | std::uint32_t{mask[3]};
  const int ones = std::countl_one(value);
  if (std::popcount(value) != ones) return std::nullopt;
  return static_cast<unsigned>(ones);
}

}  // namespace

std::optional<AddressMask> AddressMask::parse(std::string_view text, std::string& why) {
  AddressMask mask;
  if (text == "*") return mask;
  if (text == "localhost") {
    mask.kind_ = Kind::local;
    return mask;
  }
  mask.kind_ = Kind::network;
  const std::size_t slash = text.find('/');
  const auto address = numeric_address({std::string(text.substr(0, slash)), 0});
  if (address) mask.size_ = octets_of(*address, mask.network_);
  std::optional<unsigned> bits;
  if (mask.size_ != 0)
    bits = slash == std::string_view::npos ? mask.size_ * 8 : read_bits(text.substr(slash + 1), mask.size_);
  if (!bits) {
    why = "'" + std::string(text) +
          "' names no peers; write *, localhost, an address, or a network such as 10.0.0.0/255.0.0.0, "
          "10.0.0.0/8 or 2001:db8::/32";
    return std::nullopt;
  }
  mask.bits_ = *bits;
  return mask;
}

bool AddressMask::covers(const SocketAddress& peer) const noexcept {
  if (kind_ == Kind::all) return true;
  if (kind_ == Kind::local) return peer.family() == AF_UNIX || peer.is_loopback();
  Octets octets = {};
  return octets_of(peer, octets) == size_ && equal_bits(octets, network_, bits_);
}

}  // namespace tenon::net
