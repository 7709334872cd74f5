// SPDX-License-Identifier: Apache-2.0
#include "plugins/shmiop/ring.hpp"

#include <algorithm>
#include <cstring>

namespace tenon::shmiop {

std::uint32_t RingWriter::write(Gathered& message, std::uint32_t most) noexcept {
  std::uint32_t written = 0;
  if (read_up_to() == tail_) go_to_start();
  while (written < most && !message.at_end()) {
    const ByteView next = message.next();
    const std::uint32_t at = (tail_ + written) & (ring_.octets - 1);
    const auto octets = static_cast<std::uint32_t>(
        std::min<std::size_t>(next.size(), std::min(most - written, ring_.octets - at)));
    std::memcpy(ring_.data + at, next.data(), octets);
    message.advance(octets);
    written += octets;
  }
  publish(written);
  return written;
}

std::optional<std::size_t> RingReader::read(MutableBytes into) noexcept {
  const std::uint32_t there = octets_there();
  if (there > ring_.octets) [[unlikely]]
    return std::nullopt;
  if (there == 0 || into.empty()) return 0;
  after_the_peer_was_seen();
  const auto octets = static_cast<std::uint32_t>(std::min<std::size_t>(there, into.size()));
  const std::uint32_t at = head_ & (ring_.octets - 1);
  const std::uint32_t together = std::min(octets, ring_.octets - at);
  std::memcpy(into.data(), ring_.data + at, together);
  if (together != octets) std::memcpy(into.data() + together, ring_.data, octets - together);
  publish(head_ + octets);
  return octets;
}

std::optional<ByteView> RingReader::show() noexcept {
  const std::uint32_t there = octets_there();
  if (there > ring_.octets) [[unlikely]]
    return std::nullopt;
  after_the_peer_was_seen();
  const std::uint32_t octets = std::min(there, largest_shown());
  seen_.store(head_ + octets, std::memory_order_relaxed);
  return ByteView(ring_.data + (head_ & (ring_.octets - 1)), octets);
}

}  // namespace tenon::shmiop
