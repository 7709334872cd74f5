// SPDX-License-Identifier: Apache-2.0
//
// A stream transport that looks for input again and again for a bounded time before it sleeps (net/spin.hpp), while large messages come.
// More of them comes sooner then than a sleeping thread would be awake. Small messages are received as StreamTransport does. Threads: as
// Transport asks.
#pragma once

#include "base/buffer.hpp"
#include "net/spin.hpp"
#include "plugins/stream/stream_transport.hpp"

namespace tenon::stream {

/// Whether connections are of this class where that pays; TENON_BULK_SPIN=OFF leaves it out.
#ifdef TENON_WITH_BULK_SPIN
inline constexpr bool bulk_spin = true;
#else
inline constexpr bool bulk_spin = false;
#endif

class BulkTransport : public StreamTransport {
 public:
  /// Whether there are two processors, so that a peer of the same machine can work while this thread looks.
  static bool pays() noexcept;

  using StreamTransport::StreamTransport;

  protocol::Transfer receive(MutableBytes into, Deadline deadline) override;

 private:
  /// Room for so much is asked for where only small messages have come. Octets, as all sizes here.
  static constexpr std::size_t small = Buffer::small;
  /// A receive that brought so much is a part of a large message.
  static constexpr std::size_t large = 32 * 1024;
  /// Room for more than what is read ahead is asked for only within a large message.
  static constexpr std::size_t read_ahead = 64 * 1024;
  static constexpr std::int64_t looks_for_ns = 50'000;

  protocol::Transfer receive_bulk(MutableBytes into, Deadline deadline);

  // Both are used by the receiving thread.
  net::Spin spin_{looks_for_ns};
  std::size_t came_last_ = 0;
};

}  // namespace tenon::stream
