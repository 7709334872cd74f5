// SPDX-License-Identifier: Apache-2.0
//
// Oneways that are buffered to be sent together: whole messages one behind the other, of which the first may have gone out in part.
// No lock here: the Outbox guards them by its gate.
#pragma once

#include <algorithm>
#include <cstring>
#include <span>
#include <utility>

#include "base/buffer.hpp"
#include "base/bytes.hpp"
#include "base/clock.hpp"
#include "cdr/writer.hpp"
#include "giop/header.hpp"

namespace tenon::giop {

class BufferedMessages {
 public:
  bool empty() const noexcept { return begin_ == end_; }
  std::size_t octets() const noexcept { return end_ - begin_; }
  /// The first message counts as long as a part of it is here: the peer cannot execute the part that it has.
  std::size_t count() const noexcept { return count_; }
  cdr::Piece piece() const noexcept { return {bytes_.data() + begin_, octets()}; }

  /// Adds a message. At most `most` octets are to be buffered in all. False: there is no memory for it.
  bool add(const cdr::Writer& message, std::size_t most) noexcept {
    const std::size_t size = message.size();
    if (bytes_.capacity() - end_ < size && !make_room(size, most)) return false;
    if (empty()) first_end_ = end_ + size;
    cdr::Piece piece;
    for (cdr::Writer::Place at; message.gather({&piece, 1}, at) != 0; end_ += piece.size)
      std::memcpy(bytes_.data() + end_, piece.data, piece.size);
    ++count_;
    return true;
  }
  /// `octets` at the front have been sent.
  void sent(std::size_t octets) noexcept {
    begin_ += octets;
    while (count_ != 0 && first_end_ <= begin_) {
      // What follows is a header of ours, with the size in our byte order.
      if (--count_ != 0)
        first_end_ += header_size + load<std::uint32_t>(bytes_.data() + first_end_ + 8, false);
    }
    if (begin_ == end_) begin_ = end_ = 0;
  }
  /// Drops all messages and their memory. Returns how many messages there were.
  std::size_t drop() noexcept {
    begin_ = end_ = 0;
    bytes_.release();
    return std::exchange(count_, 0);
  }

  /// A message has been added that may wait for `ns`; 0: for ever. `first`: no other one was buffered. Moves `due`.
  void to_go_within(std::int64_t ns, bool first) noexcept {
    // Only the first message, and one that may wait less long than those before it, need a look at the clock.
    if (!first && (ns == 0 || (shortest_ns_ != 0 && ns >= shortest_ns_))) return;
    const Deadline latest = ns == 0 ? Deadline::never() : Deadline::after_ns(ns);
    due = first ? latest : earlier(due, latest);
    shortest_ns_ = ns;
  }

  Deadline due;       ///< when they are to go at the latest
  Deadline reminder;  ///< when the connection is reminded of them

 private:
  bool make_room(std::size_t size, std::size_t most) noexcept {
    const std::size_t needed = octets() + size;
    const std::size_t doubled = std::max(bytes_.capacity() * 2, std::size_t{64 * 1024});
    Buffer larger = Buffer::acquire(std::max(needed, std::min(doubled, most)));
    if (!larger) return false;
    if (!empty()) std::memcpy(larger.data(), bytes_.data() + begin_, octets());
    bytes_ = std::move(larger);
    first_end_ -= begin_;
    end_ = octets();
    begin_ = 0;
    return true;
  }

  Buffer bytes_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  std::size_t count_ = 0;
  std::size_t first_end_ = 0;  // where the first message ends, if there is one
  std::int64_t shortest_ns_ = 0;
};

}  // namespace tenon::giop
