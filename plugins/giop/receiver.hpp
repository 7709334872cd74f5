// SPDX-License-Identifier: Apache-2.0
//
// Takes whole GIOP messages out of a transport: one receive call for a small message, read-ahead for several, exact reads for the
// rest of a large one. Joins fragments. Belongs to the thread that reads the connection; no locks. unfinished_by() is for any thread.
#pragma once

#include <atomic>
#include <optional>

#include "giop/fragments.hpp"
#include "giop/header.hpp"
#include "protocol/messaging.hpp"

namespace tenon::giop {

enum class Arrival : std::uint8_t {
  message,
  timed_out,  ///< bytes of an unfinished message are kept; ask again
  stalled,    ///< as timed_out, and the peer has had all the time that it may take for the message
  ended,      ///< the peer closed, or the path failed
  malformed,  ///< Receiver::fault() says why; the stream is out of step
  too_large,  ///< a request above the limit has gone by: message() has its beginning, and the rest was dropped
};

/// One whole message, as Receiver::next() says. Its bytes stay where they are until consume(), or in `joined`.
struct Message {
  CheckedHeader header;
  ByteView body;
  std::span<const cdr::Restart> restarts;
};

/// Whether large messages are read where a transport has them; TENON_READ_IN_PLACE=OFF leaves it out.
#ifdef TENON_WITHOUT_READING_IN_PLACE
inline constexpr bool reads_in_place = false;
#else
inline constexpr bool reads_in_place = true;
#endif

class Receiver {
 public:
  /// How requests above the limit are passed over, for connections where requests come in.
  struct LargeRequests {
    Arrival (Receiver::*drop_rest)(const CheckedHeader&, Deadline);
    decltype(FragmentLimits::keep_beginning) keep_beginning;
  };
  static const LargeRequests passed_over;

  /// `receive_ms`: the transport's receive time-out; 0: it has none so far. `large`: `&passed_over`, and they are Arrival::too_large; or
  /// null, and they are malformed.
  Receiver(protocol::Transport& transport, const protocol::MessagingOptions& options,
           std::uint32_t receive_ms = 0, const LargeRequests* large = nullptr);
  ~Receiver();

  /// After Arrival::message or too_large, message() is valid until consume() or detach(). One of these must be called before next() is called again.
  Arrival next(Deadline deadline);
  const Message& message() const noexcept { return message_; }
  /// The message of the last next() is no longer needed.
  void consume() noexcept {
    if (current_ == 0) return consume_other();
    begin_ += current_;
    current_ = 0;
    if (begin_ == end_) become_empty();
  }
  /// The next call of next() will return the current message again. False: it came in fragments, which cannot be read again.
  bool put_back() noexcept {
    if (current_ == 0 && !is_in_place()) return false;
    current_ = in_place_ = 0;
    filled_ = true;
    return true;
  }
  /// Gives the bytes of the current message to the caller (they do not move in memory), and consumes it. The caller must give back
  /// to memory() what they count there (`counted`).
  struct Detached {
    Buffer bytes;
    std::size_t counted = 0;
  };
  Detached detach(Restarts& restarts) noexcept;

  /// True when bytes of a further message have come already, or may lie in the transport: the last receive filled its room.
  bool has_more() const noexcept { return filled_ || end_ > begin_ + current_; }
  /// True: nothing of the next message has come.
  bool between_messages() const noexcept { return begin_ == end_ && !is_lent(); }
  /// When the peer must have finished the message that it has begun to send; never: it has begun none. Any thread.
  Deadline unfinished_by() const noexcept { return Deadline::at(unfinished_by_.load()); }
  /// The memory that messages of this connection hold; the receiver counts its own there.
  protocol::MemoryBudget& memory() noexcept { return memory_; }
  HeaderFault fault() const noexcept { return fault_; }
  /// After Arrival::too_large: the connection goes on.
  void forget_fault() noexcept { fault_ = HeaderFault::none; }
  /// After Arrival::malformed: the beginning of the message, if its header is wrong, else empty. Valid until anything else is called.
  ByteView refused() const noexcept { return refused_; }
  /// After Arrival::ended: errno, 0 when the peer has closed.
  int os_error() const noexcept { return os_error_; }
  /// A CancelRequest has come. Fragments of the request may be yet to come.
  void cancel(std::uint32_t request_id) {
    if (assembler_.cancel(request_id)) note_complete();
  }
  /// No call waits for this reply any more.
  void discard_reply(std::uint32_t request_id) noexcept { assembler_.discard_reply(request_id); }
  /// Whether the last fragment of a discarded reply has come; true once for each such reply.
  bool take_dropped() noexcept {
    if (dropped_ == 0) return false;
    --dropped_;
    return true;
  }

 private:
  static constexpr std::size_t first_capacity = Buffer::small;
  static constexpr std::size_t read_ahead = 64 * 1024;
  static constexpr std::size_t least_room = 512;
  static constexpr std::size_t at_once = 1 << 20;  // a claimed size is believed up to here

  /// Something of the transport's is lent.
  bool is_lent() const noexcept { return reads_in_place && !lent_.empty(); }
  /// The current message is.
  bool is_in_place() const noexcept { return reads_in_place && in_place_ != 0; }

  Arrival next_in_parts(Deadline deadline);
  [[gnu::cold, gnu::noinline]] Arrival nothing_received(protocol::Transfer got, Deadline deadline);
  Arrival nothing(protocol::Transfer got) noexcept;
  Arrival fill(std::size_t total, Deadline deadline);
  Arrival fill_in_time(std::size_t total, Deadline deadline);
  void note_complete() noexcept;
  Arrival refuse(HeaderFault fault) noexcept;
  bool is_of_request(const CheckedHeader& header, ByteView beginning) noexcept;
  Arrival drop_rest(const CheckedHeader& header, Deadline deadline);
  bool join(Arrival& outcome);
  void set_receive_timeout();
  protocol::Transfer lend(Deadline deadline);
  std::optional<CheckedHeader> read_in_place() const noexcept;
  Arrival take_in_place(const CheckedHeader& header);
  void copy_lent(std::size_t most) noexcept;
  void end_lending(bool more) noexcept;
  void consume_other() noexcept;
  void become_empty() noexcept {
    begin_ = end_ = 0;
    if (bytes_.capacity() > keeps_up_to_) [[unlikely]]
      let_go();
  }
  void let_go() noexcept;
  bool make_room(std::size_t total);
  bool grow(std::size_t wanted, std::size_t have) noexcept;
  bool account(std::size_t bytes) noexcept;
  Detached hand_out(Buffer taken) noexcept;
  /// Small buffers are part of a connection's own price.
  static std::size_t counts(std::size_t capacity) noexcept { return capacity > read_ahead ? capacity : 0; }

  protocol::Transport& transport_;
  const LargeRequests* const large_;
  bool in_parts_ = false;                  // something is lent, or fragments of a message are yet to come
  const std::int64_t message_timeout_ns_;  // 0: a message may take any time
  std::int64_t usual_ns_;                  // the transport's receive time-out; 0: none
  const std::uint32_t largest_;            // that a header may claim
  std::uint32_t later_ms_;  // its receive time-out from when a message comes in parts on; 0: no other one
  protocol::MemoryBudget memory_;
  Assembler assembler_;
  Buffer bytes_;
  std::size_t begin_ = 0;    // of what was not consumed
  std::size_t end_ = 0;      // of what has come
  std::size_t counted_ = 0;  // bytes taken from the budget
  // The largest capacity to keep when all messages are consumed. A buffer that has grown only because messages came faster than they
  // were read is released when they no longer do.
  std::size_t keeps_up_to_ = Buffer::largest_kept;
  bool reads_ahead_ = true;
  std::size_t left_out_ = 0;   // octets that were dropped of the message at begin_, which is above the limit
  std::size_t came_last_ = 0;  // bytes of the last receive, as far as fill() made it
  std::size_t current_ = 0;    // size of the current message in bytes_; 0: it is joined, or lies in lent_
  ByteView lent_;              // by the transport, while bytes_ has nothing: a message, or its beginning
  std::size_t in_place_ = 0;   // size of the current message in lent_
  Message message_;
  bool filled_ = false;
  unsigned dropped_ = 0;
  HeaderFault fault_ = HeaderFault::none;
  ByteView refused_;
  int os_error_ = 0;
  Assembled joined_;
  std::int64_t began_at_ = 0;    // when the first part of what is not complete came; 0: all is
  std::int64_t came_since_ = 0;  // octets
  std::atomic<std::int64_t> unfinished_by_{Deadline::never().ns()};
};

}  // namespace tenon::giop
