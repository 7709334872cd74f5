// SPDX-License-Identifier: Apache-2.0
//
// One direction of a connection inside a process. Small messages are copied into a buffer, so that their sender need not wait; a
// message that does not fit there is lent by its sender, which waits until the receiver has copied it to where it belongs. So a
// large message is copied once.
//
// Octets that are kept come before those that are lent. Whenever nothing is kept, the buffer begins at its front again, so that
// small messages lie in the same few cache lines each time.
//
// A poller sees no memory: from the first time that descriptor() is asked for, an eventfd is readable while a receive would not
// wait. A sender does not touch it while a thread waits for input here, since that thread sets it right before it goes.
//
// Threads: one sends and one receives; the others from any thread. The lock is held for `part` octets of a copy at most.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <span>

#include "base/buffer.hpp"
#include "base/thread_annotations.hpp"
#include "cdr/gathered.hpp"
#include "net/spin.hpp"
#include "plugins/inproc/event.hpp"
#include "protocol/transport.hpp"

namespace tenon::inproc {

class Channel {
 public:
  /// Octets that are kept at most, unless a test wants less.
  static constexpr std::size_t usual_most = 64 << 10;
  /// Octets that are copied before others may have the lock.
  static constexpr std::size_t part = 256 << 10;
  /// How long a send that is told not to wait lends its message, since a poller that waits for room cannot see when there is some:
  /// it is told at once, and asks again.
  static constexpr std::int64_t no_room_pause_ns = 1'000'000;

  /// `spin_us`: of the receiving side, as in TransportOptions.
  Channel(std::size_t most, std::optional<std::uint32_t> spin_us) noexcept;
  Channel(const Channel&) = delete;
  Channel& operator=(const Channel&) = delete;

  /// As Transport's; `usual_ms` is the time-out that an infinite deadline stands for. A time-out leaves in the buffer what there is
  /// room for, as a socket would.
  protocol::Transfer send(std::span<const cdr::Piece> gather, Deadline deadline,
                          std::uint32_t usual_ms) noexcept TENON_EXCLUDES(mutex_);
  protocol::Transfer receive(MutableBytes into, Deadline deadline, std::uint32_t usual_ms) noexcept
      TENON_EXCLUDES(mutex_);
  bool wait(Deadline deadline, std::uint32_t usual_ms) noexcept TENON_EXCLUDES(mutex_);
  bool has_input() const noexcept { return has_input_.load(std::memory_order_acquire); }
  /// As Event's.
  int descriptor() noexcept TENON_EXCLUDES(mutex_);

  /// The sending side has been shut down: after what is kept comes the end.
  void end_sending() noexcept TENON_EXCLUDES(mutex_);
  /// The receiving side has been shut down: nothing more will be received.
  void end_receiving() noexcept TENON_EXCLUDES(mutex_);
  /// After end_receiving(), when the receiving side goes: gives back its descriptor and what was kept for it.
  void let_go() noexcept TENON_EXCLUDES(mutex_);

 private:
  bool some() const noexcept TENON_REQUIRES(mutex_) { return begin_ != end_ || lent_ != nullptr; }
  bool over() const noexcept TENON_REQUIRES(mutex_) { return sending_over_ || receiving_over_; }
  std::size_t room_for(std::size_t octets) noexcept TENON_REQUIRES(mutex_);
  std::size_t keep(cdr::Gathered& message, std::size_t octets) noexcept TENON_REQUIRES(mutex_);
  protocol::Transfer lend(cdr::Gathered& message, std::size_t size, Deadline end) noexcept
      TENON_REQUIRES(mutex_);
  std::size_t take(MutableBytes into) noexcept TENON_REQUIRES(mutex_);
  void await_input(Deadline deadline, std::uint32_t usual_ms, bool spins) noexcept TENON_REQUIRES(mutex_);
  void tell_receiver() noexcept TENON_REQUIRES(mutex_);
  void settle() noexcept TENON_REQUIRES(mutex_);
  void tell_end() noexcept TENON_REQUIRES(mutex_);

  const std::size_t most_;
  const bool spins_;
  net::Spin spin_;  // of the receiving thread
  Mutex mutex_;
  CondVar came_;   // input, or the end
  CondVar taken_;  // all that was lent, or the end
  Buffer kept_ TENON_GUARDED_BY(mutex_);
  std::size_t begin_ TENON_GUARDED_BY(mutex_) = 0;  // of what is kept and was not received
  std::size_t end_ TENON_GUARDED_BY(mutex_) = 0;
  cdr::Gathered* lent_ TENON_GUARDED_BY(mutex_) = nullptr;  // on the stack of the thread in send()
  unsigned waiting_ TENON_GUARDED_BY(mutex_) = 0;           // threads that wait for input here
  bool sending_over_ TENON_GUARDED_BY(mutex_) = false;
  bool receiving_over_ TENON_GUARDED_BY(mutex_) = false;
  Event event_ TENON_GUARDED_BY(mutex_);
  std::atomic<bool> has_input_{false};  // some(); set with the lock
  std::atomic<bool> ended_{false};      // over(); likewise
};

}  // namespace tenon::inproc
