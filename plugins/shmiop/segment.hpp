// SPDX-License-Identifier: Apache-2.0
//
// The memory of one connection: a page of control words and two rings, in a memfd that is sealed, so that nobody can take memory away that
// another process has mapped (it would be ended by SIGBUS). The client makes it. Whoever gets a descriptor from a peer checks all of that
// before it is mapped.
//
// Nothing of it has a name: it is gone when the last process that has it is gone, however that ends.
// Values; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

#include "base/buffer.hpp"
#include "net/descriptor.hpp"
#include "plugins/shmiop/ring.hpp"

namespace tenon::shmiop {

/// Octets of a ring: powers of two from the one to the other.
inline constexpr std::uint32_t least_ring = 4096;
inline constexpr std::uint32_t largest_ring = 64u << 20;
inline constexpr std::uint32_t usual_ring = 2u << 20;

inline constexpr std::size_t control_octets = 4096;

constexpr bool is_ring_size(std::uint64_t octets) noexcept {
  return octets >= least_ring && octets <= largest_ring && (octets & (octets - 1)) == 0;
}

/// "65536", "64k" or "1M" (base/size_text.hpp), of a size that rings may have.
std::optional<std::uint32_t> read_ring_size(std::string_view text) noexcept;

class Segment {
 public:
  Segment() noexcept = default;
  Segment(Segment&& other) noexcept { *this = std::move(other); }
  Segment& operator=(Segment&& other) noexcept;
  Segment(const Segment&) = delete;
  Segment& operator=(const Segment&) = delete;
  ~Segment();

  explicit operator bool() const noexcept { return base_ != nullptr; }
  std::uint32_t ring_octets() const noexcept { return ring_octets_; }
  Ring to_server() const noexcept { return ring(0); }
  Ring to_client() const noexcept { return ring(1); }

  /// Whether keep() can be called: the rings are pages by themselves, and so many that a buffer takes them over.
  bool can_keep() const noexcept;
  /// The octets [at, at + octets) of one of its rings stay where they are, in memory of this process alone that the buffer owns; the
  /// ring moves. Empty: that could not be done, and nothing has changed.
  Buffer keep(Ring& ring, std::size_t at, std::size_t octets) noexcept;

  /// A new one, all zero, whose descriptor is for the peer. Empty: errno says why.
  static Segment make(std::uint32_t ring_octets, net::Descriptor& descriptor) noexcept;
  /// That of a peer. Empty: `why` names what is wrong with it.
  static Segment map(const net::Descriptor& descriptor, std::uint32_t ring_octets, const char*& why) noexcept;

 private:
  Segment(std::uint8_t* base, std::uint32_t ring_octets) noexcept;
  Ring ring(std::size_t which) const noexcept;

  std::uint8_t* base_ = nullptr;
  std::uint8_t* rings_[2] = {};  // behind the control words, until keep() has moved one
  std::uint32_t ring_octets_ = 0;
};

}  // namespace tenon::shmiop
