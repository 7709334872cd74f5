// SPDX-License-Identifier: Apache-2.0
//
// A GIOP connection over any transport, client and server at once. Requests go out from any thread; replies are read by the
// thread of one of the calls that wait (it hands each reply to its call), or by the thread that serves.
//
// A call that begins while no other one is in flight is alone: it reads by itself, writes into the connection's own writer, and takes
// no lock but the gate, also if others join it meanwhile. The others share: they are in a table, and whoever reads finds them.
//
// Locks: state_mutex_ guards the session, the calls that share and who reads; the outbox has a gate of its own. Never both, and neither
// while anything of the application runs. receiver_ belongs to whoever reads.
#pragma once

#include <array>
#include <atomic>
#include <condition_variable>
#include <mutex>

#include "giop/reply.hpp"
#include "giop/request.hpp"
#include "giop/request_ids.hpp"
#include "giop/session.hpp"
#include "life_cycle.hpp"
#include "outbox.hpp"
#include "protocol/both_ways.hpp"
#include "protocol/messaging.hpp"
#include "receiver.hpp"

namespace tenon::giop {

class Incoming;

class Connection final : public protocol::Connection {
 public:
  Connection(std::unique_ptr<protocol::Transport> transport, protocol::Role role,
             const protocol::MessagingOptions& options);
  ~Connection() override;

  Status begin(protocol::OutgoingCall& call, const protocol::Target& target) override;
  Status invoke(protocol::OutgoingCall& call) override;
  Status post(protocol::OutgoingCall& call) override;
  Status flush(Deadline deadline) noexcept override;
  void reminded() noexcept override;
  void look_for_stall() noexcept override;
  void end(protocol::OutgoingCall& call) noexcept override;
  Status begin_unattended(protocol::OutgoingCall& call, protocol::Sink& sink,
                          const protocol::Target& target) override;
  Status start(protocol::OutgoingCall& call) override;
  bool abandon(protocol::OutgoingCall& call) noexcept override;
  bool stay() noexcept override;
  Result<protocol::LocateStatus> locate(const protocol::Target& target, Deadline deadline,
                                        ior::Ior& forward) override;

  unsigned in_flight() const noexcept override {
    return calls_now_.load(std::memory_order_relaxed) & counted;
  }
  unsigned abandoned() const noexcept override { return abandoned_.load(std::memory_order_relaxed); }
  std::int64_t unanswered_since() const noexcept override {
    return unanswered_since_.load(std::memory_order_relaxed);
  }
  bool rest(bool late) noexcept override;
  void look() noexcept override;
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
  using Call = protocol::OutgoingCall;
  /// Where a call sleeps while another call's thread reads.
  struct Waiter {
    std::condition_variable woken;
  };

  // client side: connection.cpp
  /// Bits of Call::own_contexts.
  static constexpr std::uint8_t carries_code_sets = 1, carries_listen_points = 2;
  std::uint8_t own_contexts(std::uint8_t minor) const noexcept;  // state_mutex_ held
  void own_contexts_sent(std::uint8_t which) noexcept;           // state_mutex_ held
  bool begin_alone(Call& call, const protocol::Target& target) noexcept;
  Status begin_sharing(Call& call, const protocol::Target& target, protocol::Sink* sink = nullptr);
  bool count_in(Call& call, bool waits) noexcept;
  void note_settled(const protocol::Target& target, std::uint8_t minor) noexcept;  // state_mutex_ held
  void write_head(Call& call, const protocol::Target& target);
  void write_rare_head(Call& call, const protocol::Target& target);
  static TargetOut address(const protocol::Target& target, std::uint8_t minor, cdr::Writer& reference);
  static Response response_of(const Call& call) noexcept {
    if (!call.spec.response_expected) return Response::none;
    return call.spec.sync == protocol::Sync::with_server ? Response::server : Response::target;
  }
  Status await_reply(Call& call);
  Status read_own_reply(Call& call);
  bool take_plain_reply(const Message& message, Call& call) noexcept;
  Status no_message(Arrival arrival, Call& call);
  void end_sharing(Call& call) noexcept;
  Status wait_for_reader(Call& call);
  void forget(Call& call) noexcept;    // state_mutex_ held
  void conclude(Call& call) noexcept;  // state_mutex_ held; it may be gone afterwards
  Call* find(std::uint32_t id) noexcept;
  void pass_reading_on() noexcept;  // state_mutex_ held
  bool find_attendant() noexcept;   // state_mutex_ held
  bool requests_come_in() const noexcept { return session_.options().side == Side::acceptor || offers_; }
  bool somebody_reads() const noexcept {  // state_mutex_ held
    return (calls_now_.load(std::memory_order_relaxed) & reading) != 0;
  }
  /// `os_error`: why, if the system has said so.
  void lose(Ending ending, int os_error = 0) noexcept;
  void send_failed(int os_error) noexcept;
  bool end_use(int os_error = 0) noexcept;
  void log_end(int os_error) const noexcept;
  void log_stall() const noexcept;
  void watch_unfinished() noexcept;
  void watch_by(Deadline by) noexcept;
  bool too_late_at(Deadline by) const noexcept;
  void fail_calls() noexcept;  // state_mutex_ held; the call that reads finds out by itself
  Status timed_out(Call& call) noexcept;
  // abandoned requests: abandoned.cpp
  void expect_late_replies() noexcept;
  void abandoned_one() noexcept;  // state_mutex_ held
  void answered_late() noexcept;  // the same

  // connections that nobody reads: resting.cpp
  /// Before a message is begun.
  void look_if_resting() noexcept {
    if ((calls_now_.load(std::memory_order_relaxed) & resting) != 0) [[unlikely]]
      look();
  }
  bool begin_look() noexcept;
  void read_what_came() noexcept;

  // both sides: messages.cpp
  void send_control(ByteView message, Outbox::Courtesy how = Outbox::Courtesy::usual,
                    Deadline by = Deadline::never()) noexcept;
  /// Whether the session lets this message through; afterwards calls may have failed and the connection may have ended.
  bool admit(const CheckedHeader& header) noexcept {
    // What comes all the time, in the version in which it came before.
    if (header->type == usual_type_ && header->minor == admitted_minor_) [[likely]]
      return true;
    return admit_other(header);
  }
  bool admit_other(const CheckedHeader& header) noexcept;
  /// A writer of messages of this connection: its limit, and that it may lend.
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
  /// Reads the head of a reply or locate reply; leaves `body` behind it, which reads text as in `format`.
  static ReplyStart start_reply(const Message& message, cdr::WireFormat format, cdr::Reader& body) noexcept;
  void complete(Call& call, const ReplyStart& start, const CheckedHeader& header) noexcept;
  void malformed() noexcept;
  void refuse_more() noexcept;
  bool begin_closing(std::uint8_t& minor) noexcept;  // state_mutex_ held
  void finish_close(Deadline by = Deadline::never()) noexcept;
  void say_goodbye(bool says_so, std::uint8_t minor, Deadline by) noexcept;

  // calls without a reply: oneways.cpp
  Status sent_or_lost(Call& call, const Outbox::Outcome& sent) noexcept;
  void drop_buffered() noexcept;

  // server side: serve.cpp
  void take_offer(const ContextList& contexts) noexcept;
  protocol::Served nothing_to_serve(Arrival arrival, Deadline deadline);
  protocol::Served handle_request(const Message& message, protocol::Dispatcher& dispatcher);
  protocol::Served handle_other_request(const Message& message, protocol::Dispatcher& dispatcher);
  /// What requests are made for from now on, and their replies; the spare writer is always made for it.
  void set_server_format(const cdr::WireFormat& format) noexcept {
    server_format_ = format;
    if (spare_writer_) spare_writer_->reset(format, 0, 1024);
  }
  void handle_locate(const Message& message, protocol::Dispatcher& dispatcher);

  std::unique_ptr<protocol::Transport> transport_;
  const protocol::MessagingOptions options_;
  const bool offers_;  // we have opened it, and the peer may send requests
  Receiver receiver_;

  LifeCycle life_;
  Outbox outbox_;
  mutable std::mutex state_mutex_;
  Session session_;
  std::array<Call*, 16> calls_{};  // those that share, by request id
  std::uint32_t unattended_ = 0;   // of them, those sent that no thread waits for
  /// Requests whose calls have given up waiting; each counts as in flight until its reply has come. Changed under state_mutex_.
  std::atomic<std::uint32_t> abandoned_{0};
  std::atomic<std::int64_t> unanswered_since_{0};
  std::atomic<std::uint32_t> posted_{0};  // oneways
  std::atomic<std::uint32_t> asked_before_{
      0};  // by the last rest(): calls with a reply, which read the connection
  std::atomic<std::int64_t> late_at_{Deadline::never().ns()};  // when their replies must have come
  bool has_offered_ = false;                                   // our listen points have been sent

  /// Calls in flight, and in the highest bit whether one of their threads reads (where requests come in: always somebody). A call that
  /// is alone changes both in one step, at its beginning and at its end; everybody else changes them under state_mutex_, and the bit
  /// only while counted.
  /// The bit below says that nobody has read for a while: no call is alone then, until one has looked at what has come.
  static constexpr std::uint32_t reading = 1u << 31;
  static constexpr std::uint32_t resting = 1u << 30;
  static constexpr std::uint32_t counted = resting - 1;
  std::atomic<std::uint32_t> calls_now_;
  RequestIds ids_;
  std::atomic<std::uint32_t> alone_id_{0};  // of the call that is, or was, alone
  cdr::Writer alone_writer_;                // belongs to the call that is alone

  /// What requests to profiles of one GIOP version are made for, once nothing is left to agree on.
  struct Settled {
    std::uint8_t profile_minor = 0;
    std::uint8_t minor = 0;
    cdr::WireFormat format;
  };
  /// The first before code sets were chosen, for profiles that announce none; the other one for all. Each is written once, under
  /// state_mutex_, before settled_ leads to it.
  std::array<Settled, 2> settlements_;
  std::atomic<const Settled*> settled_{nullptr};
  const Settled* alone_settled_ = nullptr;  // what alone_writer_ is made for

  // These belong to whoever reads.
  const MessageType usual_type_;               // what this side is there to receive
  std::uint8_t admitted_minor_ = 0xFF;         // of the last such message that the session admitted
  cdr::WireFormat server_format_;              // of the requests that come in and of their replies
  std::unique_ptr<cdr::Writer> spare_writer_;  // of the last request answered

  std::atomic<bool> watched_{false};  // look_for_stall() will be called
  std::atomic<int> os_error_{0};
  std::string complaint_;  // under state_mutex_
};

}  // namespace tenon::giop
