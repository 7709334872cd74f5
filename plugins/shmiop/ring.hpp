// SPDX-License-Identifier: Apache-2.0
//
// A ring of octets in memory that two processes share: one writes, the other reads. Each side believes what it knows itself and checks what
// the other has written, once, whenever it looks: a peer may write anything anywhere in this memory at any time. What it can reach by that is
// that its own connection ends.
//
// Not here: waiting (shared_transport.hpp), and where the memory comes from (segment.hpp).
// Threads: one writes and one reads; has_input() and the words of Control from any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>

#include "base/bytes.hpp"
#include "cdr/gathered.hpp"
#include "plugins/shmiop/futex.hpp"
#include "plugins/shmiop/sanitized.hpp"

namespace tenon::shmiop {

/// What a side of a ring does, as it says itself. Other values are taken for `awake`.
enum State : std::uint32_t {
  awake = 0,
  asleep = 1,  ///< in wait_on() on this word
  polled = 2,  ///< the reading side's socket is watched by a poller: an octet over the socket wakes it
};

/// The words of one ring. Those that one side writes share a cache line. All zero at first.
struct Control {
  alignas(64) Word tail;  ///< octets that were written, modulo 2^32; by the writer
  Word writer;            ///< State; set by the writer, and back to `awake` by who wakes it
  Word closed;            ///< not 0: nothing more will be written; by the writer
  alignas(64) Word head;  ///< octets that were read, modulo 2^32; by the reader
  Word reader;            ///< State; set by the reader, and back to `awake` by who wakes it
  Word gone;              ///< not 0: nothing more will be read; by the reader
};
static_assert(sizeof(Control) == 128);

/// Sets the word to `awake` and wakes who sleeps on it. Returns the state that it had.
inline State rouse(Word& state) noexcept {
  const auto was = static_cast<State>(state.exchange(awake));
  if (was == asleep) wake_on(state);
  return was;
}

/// A ring as it lies in memory; the memory outlives what works on it.
struct Ring {
  Control* control = nullptr;
  std::uint8_t* data = nullptr;
  std::uint32_t octets = 0;  ///< a power of two, at most 2^30
};

using cdr::Gathered;

class RingWriter {
 public:
  static constexpr std::uint32_t stalls_borne = 8;

  /// Before anything else. `start`: how many octets were written before, for tests.
  void attach(const Ring& ring, std::uint32_t start = 0) noexcept {
    ring_ = ring;
    small_ = ring.octets / 2 < largest_small ? ring.octets / 2 : largest_small;
    tail_ = start;
  }

  /// Octets that there is room for. nullopt: the reader's word is nonsense.
  std::optional<std::uint32_t> room() noexcept {
    const std::uint32_t head = ring_.control->head.load();
    const std::uint32_t used = tail_ - head;
    if (used > ring_.octets) [[unlikely]]
      return std::nullopt;
    stalls_ = used != 0 && head == last_head_ ? stalls_ + 1 : 0;
    last_head_ = head;
    return ring_.octets - used;
  }
  /// Whether room() has found again and again that the reader had read nothing since the look before, though there was something. True for
  /// one such look of several, so that what is done about it may cost something.
  bool stalled() const noexcept { return stalls_ % stalls_borne == stalls_borne - 1; }
  /// The usual message: it is small, lies in one piece and in the ring too, and the reader reads. False: nothing has been done, see room().
  bool write_one(const cdr::Piece& message) noexcept {
    const std::uint32_t head = ring_.control->head.load();
    const std::uint32_t used = tail_ - head;
    const std::uint32_t at = tail_ & (ring_.octets - 1);
    const std::uint32_t before_last = ring_.octets - small_;
    // An empty piece may have no address.
    if (message.size - 1 >= small_ || used > before_last || at > before_last ||
        (used != 0 && head == last_head_)) [[unlikely]]
      return false;
    last_head_ = head;
    stalls_ = 0;
    std::memcpy(ring_.data + at, message.data, message.size);
    publish(static_cast<std::uint32_t>(message.size));
    return true;
  }
  /// Copies from the front of the message, at most what there is room for, and lets the reader have it.
  std::uint32_t write(Gathered& message, std::uint32_t most) noexcept;

 private:
  static constexpr std::uint32_t largest_small = 2048;

  void publish(std::uint32_t octets) noexcept {
    tail_ += octets;
    before_the_peer_may_see();
    // Sequentially consistent: the reader's state is looked at next.
    ring_.control->tail.store(tail_);
  }

  Ring ring_;
  std::uint32_t small_ = 0;  // octets that write_one() takes at most
  std::uint32_t tail_ = 0;
  std::uint32_t last_head_ = 0;
  std::uint32_t stalls_ = 0;
};

class RingReader {
 public:
  /// Before anything else. `start`: how many octets were read before, for tests.
  void attach(const Ring& ring, std::uint32_t start = 0) noexcept {
    ring_ = ring;
    head_.store(start, std::memory_order_relaxed);
  }

  bool has_input() const noexcept {
    return ring_.control->tail.load() != head_.load(std::memory_order_relaxed);
  }
  /// Copies out what is there, as far as it fits. nullopt: the writer's word is nonsense.
  std::optional<std::size_t> read(MutableBytes into) noexcept {
    const std::uint32_t head = head_.load(std::memory_order_relaxed);
    const std::uint32_t there = ring_.control->tail.load() - head;
    const std::uint32_t at = head & (ring_.octets - 1);
    // Nearly always it fits, and lies in one piece.
    if (std::size_t{there} - 1 >= into.size() || there > ring_.octets - at) [[unlikely]]
      return read_part(into);
    after_the_peer_was_seen();
    std::memcpy(into.data(), ring_.data + at, there);
    publish(head + there);
    return there;
  }
  /// Whether a writer that sleeps should be woken: not for a few octets.
  bool much_room() const noexcept {
    return ring_.control->tail.load(std::memory_order_relaxed) - head_.load(std::memory_order_relaxed) <=
           ring_.octets - ring_.octets / 4;
  }

 private:
  std::optional<std::size_t> read_part(MutableBytes into) noexcept;
  void publish(std::uint32_t head) noexcept {
    head_.store(head, std::memory_order_relaxed);
    // Sequentially consistent: the writer's state is looked at next.
    ring_.control->head.store(head);
  }

  Ring ring_;
  // The reader's own; the peer's copy is written only. Atomic, since has_input() may be asked meanwhile.
  std::atomic<std::uint32_t> head_{0};
};

}  // namespace tenon::shmiop
