// SPDX-License-Identifier: Apache-2.0
//
// A ring of octets in memory that two processes share: one writes, the other reads. Each side believes what it knows itself and checks what
// the other has written, once, whenever it looks: a peer may write anything anywhere in this memory at any time. What it can reach by that is
// that its own connection ends.
//
// A writer that finds the ring empty goes on at its start: messages use the same cache lines again and again, a large ring takes pages
// only for what is large, and what is large begins at an aligned address and lies in one piece. Small messages go on in the ring's first
// lines meanwhile, which costs less.
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
  Word starts;  ///< how often the writer has skipped what was left up to the ring's end; by the writer
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
    tail_ = left_at_ = went_to_ = start;
  }

  /// Octets that there is room for. nullopt: the reader's word is nonsense.
  std::optional<std::uint32_t> room() noexcept {
    const std::uint32_t head = read_up_to();
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
    // An empty piece may have no address.
    if (message.size - 1 >= small_) [[unlikely]]
      return false;
    const std::uint32_t head = read_up_to();
    const std::uint32_t at = tail_ & (ring_.octets - 1);
    if (head == tail_) [[likely]] {
      if (at >= small_) go_to_start();
    } else {
      const std::uint32_t before_last = ring_.octets - small_;
      if (tail_ - head > before_last || at > before_last || head == last_head_) return false;
    }
    last_head_ = head;
    stalls_ = 0;
    std::memcpy(ring_.data + (tail_ & (ring_.octets - 1)), message.data, message.size);
    publish(static_cast<std::uint32_t>(message.size));
    return true;
  }
  /// Copies from the front of the message, at most what there is room for, and lets the reader have it.
  std::uint32_t write(Gathered& message, std::uint32_t most) noexcept;

 private:
  static constexpr std::uint32_t largest_small = 2048;

  /// The reader's word. It follows to the ring's start when it reads what lies there.
  std::uint32_t read_up_to() noexcept {
    const std::uint32_t head = ring_.control->head.load();
    if (head == left_at_) return went_to_;
    left_at_ = went_to_;
    return head;
  }
  /// All has been read, and something will be written.
  void go_to_start() noexcept {
    const std::uint32_t at = tail_ & (ring_.octets - 1);
    if (at == 0) return;
    left_at_ = tail_;
    went_to_ = tail_ += ring_.octets - at;
    // publish() lets the reader see it.
    ring_.control->starts.store(++starts_, std::memory_order_relaxed);
  }
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
  // Where it was when it went to the ring's start last, as long as the reader is still there; else both are the same.
  std::uint32_t left_at_ = 0;
  std::uint32_t went_to_ = 0;
  std::uint32_t starts_ = 0;
};

class RingReader {
 public:
  /// Before anything else. `start`: how many octets were read before, for tests.
  void attach(const Ring& ring, std::uint32_t start = 0) noexcept {
    ring_ = ring;
    head_ = start;
    seen_.store(start, std::memory_order_relaxed);
  }
  /// The same octets are somewhere else from now on.
  void move_to(std::uint8_t* data) noexcept { ring_.data = data; }
  const Ring& ring() const noexcept { return ring_; }

  /// Whether there is something that was neither read nor shown.
  bool has_input() const noexcept {
    return ring_.control->tail.load() != seen_.load(std::memory_order_relaxed);
  }
  /// The usual input: it fits, and lies in one piece. 0: nothing has been done, see read().
  std::size_t read_all(MutableBytes into) noexcept {
    const std::uint32_t there = octets_there();
    const std::uint32_t at = head_ & (ring_.octets - 1);
    if (std::size_t{there} - 1 >= into.size() || there > ring_.octets - at) [[unlikely]]
      return 0;
    after_the_peer_was_seen();
    std::memcpy(into.data(), ring_.data + at, there);
    publish(head_ + there);
    return there;
  }
  /// Copies out what is there, as far as it fits. nullopt: the writer's word is nonsense.
  std::optional<std::size_t> read(MutableBytes into) noexcept;
  /// What is there, as far as it lies in one piece. nullopt: as above.
  std::optional<ByteView> show() noexcept;
  /// How many octets show() may give at most, once the first of them are there.
  std::uint32_t largest_shown() const noexcept { return ring_.octets - (head_ & (ring_.octets - 1)); }
  /// So many octets of those that were shown may be overwritten; those behind them are input again.
  void release(std::uint32_t octets) noexcept { publish(head_ + octets); }

  /// How much the writer says that it has written.
  std::uint32_t octets_there() noexcept {
    const std::uint32_t tail = ring_.control->tail.load();
    if (const std::uint32_t starts = ring_.control->starts.load(std::memory_order_relaxed); starts != starts_)
      follow(starts);
    return tail - head_;
  }
  /// Whether a writer that sleeps should be woken: not for a few octets.
  bool much_room() const noexcept {
    return ring_.control->tail.load(std::memory_order_relaxed) - head_ <= ring_.octets - ring_.octets / 4;
  }

 private:
  /// To the ring's start, where the writer has gone.
  void follow(std::uint32_t starts) noexcept {
    starts_ = starts;
    head_ = (head_ + ring_.octets - 1) & ~(ring_.octets - 1);
  }
  void publish(std::uint32_t head) noexcept {
    head_ = head;
    seen_.store(head, std::memory_order_relaxed);
    // Sequentially consistent: the writer's state is looked at next.
    ring_.control->head.store(head);
  }

  Ring ring_;
  std::uint32_t head_ = 0;  // the reader's own; the peer's copy is written only
  std::uint32_t starts_ = 0;
  std::atomic<std::uint32_t> seen_{
      0};  // head_, and behind it what was shown; has_input() may be asked meanwhile
};

}  // namespace tenon::shmiop
