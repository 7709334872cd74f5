// SPDX-License-Identifier: Apache-2.0
#include "plugins/shmiop/ring.hpp"

#include <algorithm>
#include <cstring>

namespace tenon::shmiop {

std::uint32_t RingWriter::write(Gathered& message, std::uint32_t most) noexcept {
  std::uint32_t written = 0;
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

std::optional<std::size_t> RingReader::read_part(MutableBytes into) noexcept {
  const std::uint32_t head = head_.load(std::memory_order_relaxed);
  const std::uint32_t there = ring_.control->tail.load() - head;
  if (there > ring_.octets) [[unlikely]]
    return std::nullopt;
  if (there == 0 || into.empty()) return 0;
  after_the_peer_was_seen();
  const auto octets = static_cast<std::uint32_t>(std::min<std::size_t>(there, into.size()));
  const std::uint32_t at = head & (ring_.octets - 1);
  const std::uint32_t together = std::min(octets, ring_.octets - at);
  std::memcpy(into.data(), ring_.data + at, together);
  if (together != octets) std::memcpy(into.data() + together, ring_.data, octets - together);
  publish(head + octets);
  return octets;
}

}  // namespace tenon::shmiop
