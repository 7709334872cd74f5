// SPDX-License-Identifier: Apache-2.0
//
// Connections over which this side calls.
//
// A call that is alone (CallTable) writes into the connection's own writer.
#pragma once

#include <array>
#include <optional>

#include "base/minor_codes.hpp"
#include "call_table.hpp"
#include "connection.hpp"

namespace tenon::giop {

/// Calls whose thread waits for the reply, and oneways, which are sent at once.
class CallingConnection : public Connection {
 public:
  CallingConnection(std::unique_ptr<protocol::Transport> transport, protocol::Role role,
                    const protocol::MessagingOptions& options)
      : CallingConnection(std::move(transport), role, options, nullptr, nullptr, nullptr) {
    options_.clock = nullptr;
  }

  Status begin(protocol::OutgoingCall& out, const protocol::Target& target) final;
  Status invoke(protocol::OutgoingCall& out) final;
  Status post(protocol::OutgoingCall& out) override;
  void end(protocol::OutgoingCall& out) noexcept final;
  void cancel(protocol::OutgoingCall& out) noexcept final;
  Status begin_asynchronous(protocol::OutgoingCall&, protocol::Sink&, const protocol::Target&) override {
    return errors::no_asynchronous_part;
  }
  Result<protocol::LocateStatus> locate(const protocol::Target&, Deadline, ior::Ior&) override {
    return errors::no_asynchronous_part;
  }

  unsigned in_flight() const noexcept final { return calls_.in_flight(); }
  unsigned abandoned() const noexcept final { return calls_.abandoned(); }
  std::int64_t unanswered_since() const noexcept final { return calls_.unanswered_since(); }
  bool idle() const noexcept final { return usable() && in_flight() == 0; }

 protected:
  friend class RequestInParts;
  friend struct InFragments;
  CallingConnection(std::unique_ptr<protocol::Transport> transport, protocol::Role role,
                    const protocol::MessagingOptions& options, const Receiver::LargeRequests* large,
                    protocol::ConnectionClock* clock, Outbox::Input* input);

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
  Outbox::Outcome send_beside_others(Call& call, MessageType type, Deadline deadline);
  void forget_alone_message() noexcept {
    alone_writer_.forget_values();
    if (alone_writer_.capacity() > Buffer::small) [[unlikely]]
      static_cast<void>(alone_writer_.surrender());
  }
  Status send_part(Call& call, std::span<const cdr::Piece> part) noexcept;
  void take_back(const Call& call) noexcept;
  /// Completes the message of a oneway and counts it; an error, and `completed` NO, if it could not be written.
  Status finish_oneway(protocol::OutgoingCall& out);
  Status sent_or_lost(Call& call, const Outbox::Outcome& sent) noexcept;
  [[gnu::cold]] Status go_on_invoking(Call& call, Outbox::Outcome sent);
  Status await_reply(Call& call, Deadline reply_by);
  Status read_own_reply(Call& call, Deadline deadline);
  bool take_plain_reply(const Message& message, Call& call) noexcept;
  Status no_message(Arrival arrival, Call& call);
  Status wait_for_reader(Call& call, Deadline reply_by);
  /// How long the reply to an abandoned request may still take.
  std::int64_t late_after_ns() const noexcept;
  /// Called before a message is begun.
  void look_if_resting() noexcept {
    if (calls_.resting()) [[unlikely]]
      look();
  }

  /// Takes a reply out of `message`; true when it was for `own`, which then keeps the receiver.
  bool take_reply(const Message& message, Call* own);
  struct ReplyStart {
    std::uint32_t id = 0;
    protocol::ReplyStatus status{};
    Status read;
    ContextList contexts = {};
  };
  /// Makes `body`, which is behind the header of a reply or locate reply, and reads text as in `format`.
  static ReplyStart start_reply(const Message& message, cdr::WireFormat format,
                                std::optional<cdr::Reader>& body) noexcept;
  void complete(Call& call, const ReplyStart& start, const CheckedHeader& header) noexcept;

  void end_calls(const Error& why) noexcept final { calls_.fail(why); }
  bool hold_calls() noexcept override { return calls_.hold_if_idle(); }
  void let_calls_go() noexcept final { calls_.let_go(); }

  CallTable calls_;
  cdr::Writer alone_writer_;                                 // belongs to the call that is alone
  bool has_offered_ TENON_GUARDED_BY(state_mutex_) = false;  // our listen points have been sent

  /// The first one counts until code sets are chosen, for profiles that announce none; the second one for all profiles. Each is written
  /// once, under state_mutex_, before settled_ leads to it.
  std::array<Settled, 2> settlements_;
  const Settled* alone_settled_ = nullptr;  // what alone_writer_ has been set up for
};

/// With an attendant: a thread that reads replies for others, and a clock.
class AttendedConnection : public CallingConnection, private Outbox::Input {
 public:
  AttendedConnection(std::unique_ptr<protocol::Transport> transport, protocol::Role role,
                     const protocol::MessagingOptions& options)
      : AttendedConnection(std::move(transport), role, options, nullptr) {}

  // oneways.cpp
  Status post(protocol::OutgoingCall& out) final;
  Status flush(Deadline deadline) noexcept final;
  void reminded() noexcept final;

  // asynchronous.cpp
  Status begin_asynchronous(protocol::OutgoingCall& out, protocol::Sink& sink,
                            const protocol::Target& target) final;
  Status start(protocol::OutgoingCall& out) final;
  bool abandon(protocol::OutgoingCall& out) noexcept final;
  bool stay() noexcept final;
  /// For the attendant: takes in a reply. Requests are not served here.
  protocol::Served serve(protocol::Dispatcher& dispatcher, Deadline deadline) override;

  // locate.cpp
  Result<protocol::LocateStatus> locate(const protocol::Target& target, Deadline deadline,
                                        ior::Ior& forward) final;

  // connections that no thread reads: resting.cpp
  bool rest(bool late) noexcept final { return usable() && calls_.rest(late); }
  void look() noexcept final;
  bool take_in_replies() noexcept final;
  void look_for_stall() noexcept final;

 protected:
  AttendedConnection(std::unique_ptr<protocol::Transport> transport, protocol::Role role,
                     const protocol::MessagingOptions& options, const Receiver::LargeRequests* large)
      : CallingConnection(std::move(transport), role, options, large, options.clock,
                          options.sender_reads ? this : nullptr) {}

 private:
  void read_what_came() noexcept;
  Outbox::Room wait_for_room(Deadline deadline) noexcept final;
  Result<protocol::LocateStatus> ask_where(protocol::Target& target, Deadline deadline, ior::Ior& forward);
  bool hold_calls() noexcept final;
  void drop_buffered() noexcept final;
};

}  // namespace tenon::giop
