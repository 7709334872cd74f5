// SPDX-License-Identifier: Apache-2.0
//
// A GIOP connection over any transport, client and server at once. Requests go out from any thread; replies are read by the
// thread of one of the calls that wait (it hands each reply to its call), or by the thread that serves.
//
// Its parts: LifeCycle (whether it may be used, and which thread ends it), CallTable (which calls are in flight, and which thread reads),
// Outbox (how messages leave), Receiver (how they come in). A call that is alone (CallTable) writes into the connection's own writer.
//
// Locks: state_mutex_ guards the session; the call table and the outbox have locks of their own. No thread holds two of them, nor one
// while anything of the application runs. receiver_ belongs to the thread that reads.
#pragma once

#include <array>
#include <atomic>

#include "base/thread_annotations.hpp"
#include "call_table.hpp"
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

class Connection final : public protocol::Connection, private Outbox::Input {
 public:
  Connection(std::unique_ptr<protocol::Transport> transport, protocol::Role role,
             const protocol::MessagingOptions& options);
  ~Connection() override;

  Status begin(protocol::OutgoingCall& out, const protocol::Target& target) override;
  Status invoke(protocol::OutgoingCall& out) override;
  Status post(protocol::OutgoingCall& out) override;
  Status flush(Deadline deadline) noexcept override;
  void reminded() noexcept override;
  void look_for_stall() noexcept override;
  void end(protocol::OutgoingCall& out) noexcept override;
  Status begin_asynchronous(protocol::OutgoingCall& out, protocol::Sink& sink,
                            const protocol::Target& target) override;
  Status start(protocol::OutgoingCall& out) override;
  bool abandon(protocol::OutgoingCall& out) noexcept override;
  void cancel(protocol::OutgoingCall& out) noexcept override;
  bool stay() noexcept override;
  Result<protocol::LocateStatus> locate(const protocol::Target& target, Deadline deadline,
                                        ior::Ior& forward) override;

  unsigned in_flight() const noexcept override { return calls_.in_flight(); }
  unsigned abandoned() const noexcept override { return calls_.abandoned(); }
  std::int64_t unanswered_since() const noexcept override { return calls_.unanswered_since(); }
  bool rest(bool late) noexcept override { return usable() && calls_.rest(late); }
  void look() noexcept override;
  bool take_in_replies() noexcept override;
  bool usable() const noexcept override { return life_.usable(); }
  int os_error() const noexcept override { return os_error_.load(std::memory_order_relaxed); }
  std::string complaint() const override;
  bool idle() const noexcept override { return usable() && in_flight() == 0; }

  protocol::Served serve(protocol::Dispatcher& dispatcher, Deadline deadline) override;
  bool has_input() const noexcept override {
    return receiver_.has_more() || transport_->may_hold_unseen_bytes();
  }

  void close() noexcept override { close_by(Deadline::never()); }
  void close_by(Deadline by) noexcept override;
  bool close_if_idle() noexcept override;
  void abort() noexcept override;
  protocol::Transport& transport() noexcept override { return *transport_; }

 private:
  friend class Incoming;
  friend class RequestInParts;
  // client side: connection.cpp
  /// Bits of Call::own_contexts.
  static constexpr std::uint8_t carries_code_sets = 1, carries_listen_points = 2;
  std::uint8_t own_contexts(std::uint8_t minor) const noexcept TENON_REQUIRES(state_mutex_);
  void own_contexts_sent(std::uint8_t which) noexcept TENON_REQUIRES(state_mutex_);
  bool begin_alone(Call& call, const protocol::Target& target) noexcept;
  Status begin_sharing(Call& call, const protocol::Target& target, protocol::Sink* sink = nullptr);
  void note_settled(const protocol::Target& target, std::uint8_t minor) noexcept TENON_REQUIRES(state_mutex_);
  void write_request_header(Call& call, const protocol::Target& target);
  void write_full_request_header(Call& call, const protocol::Target& target);
  static TargetOut address(const protocol::Target& target, std::uint8_t minor, cdr::Writer& reference);
  static Response response_of(Call& call) noexcept {
    if (!call.out().spec.response_expected) return Response::none;
    return call.out().spec.sync == protocol::Sync::with_server ? Response::server : Response::target;
  }
  Status send_part(Call& call, std::span<const cdr::Piece> part) noexcept;
  void take_back(const Call& call) noexcept;
  Status await_reply(Call& call);
  Status read_own_reply(Call& call);
  bool take_plain_reply(const Message& message, Call& call) noexcept;
  Status no_message(Arrival arrival, Call& call);
  Status wait_for_reader(Call& call);
  bool requests_come_in() const noexcept { return side_ == Side::acceptor || offers_; }
  /// `os_error`: the errno that explains it; 0: the system has given none.
  void lose(Ending ending, int os_error = 0) noexcept;
  void send_failed(int os_error) noexcept;
  bool end_use(int os_error = 0) noexcept;
  void log_end(int os_error) const noexcept;
  void log_stall() const noexcept;
  void watch_unfinished() noexcept;
  void watch_by(Deadline by) noexcept;
  bool too_late_at(Deadline by) const noexcept;
  void fail_calls() noexcept;
  /// How long the reply to an abandoned request may still take.
  std::int64_t late_after_ns() const noexcept;

  // connections that no thread reads: resting.cpp
  /// Called before a message is begun.
  void look_if_resting() noexcept {
    if (calls_.resting()) [[unlikely]]
      look();
  }
  void read_what_came() noexcept;
  Outbox::Room wait_for_room(Deadline deadline) noexcept override;

  // both sides: messages.cpp
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
  /// Sets how large a message of this writer may be, and that it may gather large blocks by reference.
  void prepare(cdr::Writer& writer) const noexcept {
    writer.set_limit(options_.limits.largest_message);
    writer.allow_lending(true);
  }
  /// Takes a reply out of `message`; true when it was for `own`, which then keeps the receiver.
  bool take_reply(const Message& message, Call* own);
  struct ReplyStart {
    std::uint32_t id = 0;
    protocol::ReplyStatus status{};
    Status read;
    ContextList contexts = {};
  };
  Result<protocol::LocateStatus> ask_where(protocol::Target& target, Deadline deadline, ior::Ior& forward);
  /// Reads the header of a reply or locate reply; leaves `body` behind it, which reads text as in `format`.
  static ReplyStart start_reply(const Message& message, cdr::WireFormat format, cdr::Reader& body) noexcept;
  void complete(Call& call, const ReplyStart& start, const CheckedHeader& header) noexcept;
  void malformed() noexcept;
  void refuse_more() noexcept;
  bool begin_closing(std::uint8_t& minor) noexcept TENON_REQUIRES(state_mutex_);
  void finish_close() noexcept;
  void say_goodbye(bool says_so, std::uint8_t minor, Deadline by) noexcept;

  // calls without a reply: oneways.cpp
  Status sent_or_lost(Call& call, const Outbox::Outcome& sent) noexcept;
  void drop_buffered() noexcept;

  // server side: serve.cpp
  void take_offer(const ContextList& contexts) noexcept;
  protocol::Served nothing_to_serve(Arrival arrival, protocol::Dispatcher& dispatcher, Deadline deadline);
  protocol::Served refuse_large_request(protocol::Dispatcher& dispatcher);
  protocol::Served handle_request(const Message& message, protocol::Dispatcher& dispatcher);
  protocol::Served handle_other_request(const Message& message, protocol::Dispatcher& dispatcher);
  /// Requests that come in from now on, and their replies, have this format. The spare writer always has it, too.
  void set_server_format(const cdr::WireFormat& format) noexcept {
    server_format_ = format;
    if (spare_writer_) spare_writer_->reset(format, 0, 1024);
  }
  void handle_locate(const Message& message, protocol::Dispatcher& dispatcher);
  void handle_cancel(const Message& message, protocol::Dispatcher& dispatcher);

  std::unique_ptr<protocol::Transport> transport_;
  const protocol::MessagingOptions options_;
  const Side side_;
  const bool offers_;  // we have opened it, and the peer may send requests
  Receiver receiver_;

  LifeCycle life_;
  Outbox outbox_;
  mutable Mutex state_mutex_;
  Session session_ TENON_GUARDED_BY(state_mutex_);
  bool has_offered_ TENON_GUARDED_BY(state_mutex_) = false;  // our listen points have been sent
  std::string complaint_ TENON_GUARDED_BY(state_mutex_);
  Incoming* taken_ TENON_GUARDED_BY(state_mutex_) =
      nullptr;  // the requests of the peer that were taken, chained

  CallTable calls_;
  cdr::Writer alone_writer_;  // belongs to the call that is alone

  /// Version and format of requests to profiles of one GIOP version, once nothing is left to agree on.
  struct Settled {
    std::uint8_t profile_minor = 0;
    std::uint8_t minor = 0;
    cdr::WireFormat format;
  };
  /// The first one counts until code sets are chosen, for profiles that announce none; the second one for all profiles. Each is written
  /// once, under state_mutex_, before settled_ leads to it.
  std::array<Settled, 2> settlements_;
  std::atomic<const Settled*> settled_{nullptr};
  const Settled* alone_settled_ = nullptr;  // what alone_writer_ has been set up for

  // These belong to the thread that reads.
  const MessageType usual_type_;                  // what this side is there to receive
  std::uint8_t admitted_minor_ = 0xFF;            // of the last such message that the session admitted
  cdr::WireFormat server_format_;                 // of the requests that come in and of their replies
  std::unique_ptr<cdr::Writer> spare_writer_;     // of the last request answered; none where messages are cut
  std::unique_ptr<ReplyInParts> spare_in_parts_;  // instead, where messages are cut

  std::atomic<bool> watched_{false};  // look_for_stall() will be called
  std::atomic<std::int64_t> goodbye_by_{
      Deadline::never().ns()};  // of close_by(), for the thread that finishes it
  std::atomic<int> os_error_{0};
};

}  // namespace tenon::giop
