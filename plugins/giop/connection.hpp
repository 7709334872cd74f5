// SPDX-License-Identifier: Apache-2.0
//
// A GIOP connection over any transport: what all connections share, whoever opened them. What they can do besides is in the classes that
// derive from this one, so that a program links only what its connections are for:
//
//   CallingConnection        calls that go out, each waited for by its thread               calling_connection.hpp
//   AttendedConnection       also asynchronous calls, buffered oneways, LocateRequest       calling_connection.hpp
//   AcceptedConnection       serves requests that come in                                   serving_connection.hpp
//   BidirectionalConnection  all of these                                                   serving_connection.hpp
//
// Requests go out from any thread; replies are read by the thread of one of the calls that wait (it hands each reply to its call), or by
// the thread that serves.
//
// Its parts: LifeCycle (whether it may be used, and which thread ends it), Outbox (how messages leave), Receiver (how they come in);
// of one that calls also CallTable (which calls are in flight, and which thread reads).
//
// Locks: state_mutex_ guards the session; the call table and the outbox have locks of their own. No thread holds two of them, nor one
// while anything of the application runs. receiver_ belongs to the thread that reads.
#pragma once

#include <atomic>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>

#include "base/log.hpp"
#include "base/thread_annotations.hpp"
#include "giop/reply.hpp"
#include "giop/request.hpp"
#include "giop/session.hpp"
#include "life_cycle.hpp"
#include "outbox.hpp"
#include "protocol/bidirectional.hpp"
#include "protocol/messaging.hpp"
#include "receiver.hpp"

namespace tenon::giop {

class Incoming;
class ReplyInParts;

/// The texts, one behind the other, as a line of the log of GIOP; nothing where that level is not wanted.
void note(LogLevel level, std::initializer_list<std::string_view> texts) noexcept;

/// What is wrong with the message that the receiver has refused, in words.
using Complain = std::string(const Error& why, const Receiver& receiver);
/// What enable_complaints() sets; null: nothing is said.
extern constinit std::atomic<Complain*> complaints;

class Connection : public protocol::Connection {
 public:
  ~Connection() override;

  bool usable() const noexcept final { return life_.usable(); }
  int os_error() const noexcept final { return os_error_.load(std::memory_order_relaxed); }
  std::string complaint() const final;
  bool has_input() const noexcept final {
    return receiver_.has_more() || transport_->may_hold_unseen_bytes();
  }

  void close() noexcept final { close_by(Deadline::never()); }
  void close_by(Deadline by) noexcept final;
  bool close_if_idle() noexcept final;
  void abort() noexcept final;
  protocol::Transport& transport() noexcept final { return *transport_; }

 protected:
  friend class Incoming;

  /// `large`: as in Receiver; `input`: as in Outbox.
  Connection(std::unique_ptr<protocol::Transport> transport, protocol::Role role,
             const protocol::MessagingOptions& options, const Receiver::LargeRequests* large,
             Outbox::Input* input);

  bool requests_come_in() const noexcept { return side_ == Side::acceptor || offers_; }
  /// `os_error`: the errno that explains it; 0: the system has given none.
  void lose(Ending ending, int os_error = 0) noexcept;
  void send_failed(int os_error) noexcept;
  bool end_use(int os_error = 0) noexcept;
  /// A line of the log: the peer's name between these texts; nothing where that level is not wanted.
  void note_of_peer(LogLevel level, std::string_view before, std::string_view after,
                    std::string_view more = {}) const noexcept;
  void log_end(int os_error) const noexcept;
  void watch_unfinished() noexcept;
  void watch_by(Deadline by) noexcept;
  bool too_late_at(Deadline by) const noexcept;
  /// What look_for_stall() does. `late`: when the replies to abandoned requests must have come; `waits_for_these`: no other calls are in flight.
  void find_stall(Deadline late, bool waits_for_these) noexcept;
  void fail_calls() noexcept;

  void send_control(ByteView message, Outbox::Courtesy how = Outbox::Courtesy::usual,
                    Deadline by = Deadline::never()) noexcept;
  /// Whether the session lets this message through; afterwards calls may have failed and the connection may have ended.
  bool admit(const CheckedHeader& header) noexcept {
    // The usual type of message, in the version that was admitted last.
    if (header->type == usual_type_ && header->minor == admitted_minor_) [[likely]]
      return true;
    return admit_other(header);
  }
  bool admit_other(const CheckedHeader& header) noexcept;
  /// Sets how large a message of this writer may be, and from which size on it gathers blocks by reference.
  void prepare(cdr::Writer& writer) const noexcept {
    writer.set_limit(options_.limits.largest_message);
    writer.lend_from(options_.limits.copy_below);
  }
  void malformed() noexcept;
  void refuse_more() noexcept;
  bool begin_closing(std::uint8_t& minor) noexcept TENON_REQUIRES(state_mutex_);
  void finish_close() noexcept;
  void say_goodbye(bool says_so, std::uint8_t minor, Deadline by) noexcept;

  // What the calls of this side have to do with the connection's end; nothing where there are none.
  /// Calls that wait fail with `why`, and no call can begin any more.
  virtual void end_calls(const Error& why) noexcept { static_cast<void>(why); }
  /// True: no call is in flight, and none can begin until let_calls_go().
  virtual bool hold_calls() noexcept { return true; }
  virtual void let_calls_go() noexcept {}
  /// Called when the connection is no longer usable and its transport has been shut down.
  virtual void drop_buffered() noexcept {}

  // server side: serve.cpp
  /// The peer has sent what may be an offer of its listen points.
  virtual void take_offer(const ContextList& contexts) noexcept { static_cast<void>(contexts); }
  protocol::Served nothing_to_serve(Arrival arrival, protocol::Dispatcher& dispatcher, Deadline deadline);
  void log_large_request(std::string_view operation) const noexcept;
  protocol::Served refuse_large_request(protocol::Dispatcher& dispatcher);
  protocol::Served handle_request(const Message& message, protocol::Dispatcher& dispatcher);
  protocol::Served handle_other_request(const Message& message, protocol::Dispatcher& dispatcher);
  /// A message that is no request, and no reply either.
  protocol::Served handle_other_message(const Message& message, protocol::Dispatcher& dispatcher);
  /// Requests that come in from now on, and their replies, have this format. The spare writer always has it, too.
  void set_server_format(const cdr::WireFormat& format) noexcept {
    server_format_ = format;
    if (spare_writer_) spare_writer_->reset(format, 0, 1024);
  }
  void handle_locate(const Message& message, protocol::Dispatcher& dispatcher);
  void handle_cancel(const Message& message, protocol::Dispatcher& dispatcher);

  std::unique_ptr<protocol::Transport> transport_;
  protocol::MessagingOptions options_;
  const Side side_;
  const bool offers_;  // we have opened it, and the peer may send requests
  Receiver receiver_;

  LifeCycle life_;
  Outbox outbox_;
  mutable Mutex state_mutex_;
  Session session_ TENON_GUARDED_BY(state_mutex_);
  std::string complaint_ TENON_GUARDED_BY(state_mutex_);
  Incoming* taken_ TENON_GUARDED_BY(state_mutex_) =
      nullptr;  // the requests of the peer that were taken, chained

  /// Version and format of requests to profiles of one GIOP version, once nothing is left to agree on.
  struct Settled {
    std::uint8_t profile_minor = 0;
    std::uint8_t minor = 0;
    cdr::WireFormat format;
  };
  std::atomic<const Settled*> settled_{nullptr};  // null: no call is alone

  // These belong to the thread that reads.
  const MessageType usual_type_;        // what this side is there to receive
  std::uint8_t admitted_minor_ = 0xFF;  // of the last such message that the session admitted
  cdr::WireFormat server_format_;       // of the requests that come in and of their replies
  /// Never null: a reply can always be begun.
  struct SpareWriter final : cdr::Writer {
    static void* operator new(std::size_t octets) {
      return memory::allocate_anyway(memory::Kind::connections, octets);
    }
    static void operator delete(void* memory) noexcept { memory::release(memory); }
  };
  std::unique_ptr<SpareWriter> spare_writer_;  // of the last request answered; none where messages are cut
  // Instead, where messages are cut; only who makes one knows how to destroy it.
  std::unique_ptr<ReplyInParts, void (*)(ReplyInParts*)> spare_in_parts_{nullptr, nullptr};

  std::atomic<std::int64_t> goodbye_by_{
      Deadline::never().ns()};  // of close_by(), for the thread that finishes it
  std::atomic<int> os_error_{0};
  std::atomic<bool> watched_{false};  // look_for_stall() will be called
};

}  // namespace tenon::giop
