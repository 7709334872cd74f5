// SPDX-License-Identifier: Apache-2.0
//
// A GIOP connection over any transport, client and server at once. Requests go out from any thread; replies are read by the
// thread of one of the calls that wait (it hands each reply to its call), or by the thread that serves.
//
// Locks: state_mutex_ guards the session, the calls in flight and who reads; send_mutex_ is held while one message is sent.
// Never both, and neither while anything of the application runs. receiver_ belongs to whoever reads.
#pragma once

#include <array>
#include <atomic>
#include <condition_variable>
#include <mutex>

#include "giop/reply.hpp"
#include "giop/request.hpp"
#include "giop/session.hpp"
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
  void end(protocol::OutgoingCall& call) noexcept override;
  Result<protocol::LocateStatus> locate(const protocol::Target& target, Deadline deadline,
                                        ior::Ior& forward) override;

  unsigned in_flight() const noexcept override { return in_flight_.load(std::memory_order_relaxed); }
  bool usable() const noexcept override { return usable_.load(std::memory_order_acquire); }

  protocol::Served serve(protocol::Dispatcher& dispatcher, Deadline deadline) override;
  bool has_input() const noexcept override {
    return receiver_.has_more() || transport_->may_hold_unseen_bytes();
  }

  void close() noexcept override;
  void abort() noexcept override;
  protocol::Transport& transport() noexcept override { return *transport_; }

 private:
  friend class Incoming;
  using Call = protocol::OutgoingCall;

  // client side: connection.cpp
  void write_head(Call& call, const protocol::Target& target);
  void write_rare_head(Call& call, const protocol::Target& target, RequestOut& out);
  Status await_reply(Call& call);
  Status read_own_reply(Call& call);
  Status wait_for_reader(Call& call);
  void forget(Call& call) noexcept;  // state_mutex_ held
  Call* find(std::uint32_t id) noexcept;
  void pass_reading_on() noexcept;  // state_mutex_ held
  void lose(Ending ending) noexcept;
  void fail_calls() noexcept;  // state_mutex_ held; the call that reads finds out by itself
  Status timed_out(Call& call) noexcept;

  // both sides: messages.cpp
  enum class Sent : std::uint8_t { all, nothing, part };
  struct SendOutcome {
    Sent sent;
    bool timed_out;
  };
  SendOutcome transmit(cdr::Writer& message, MessageType type, std::uint8_t minor, Deadline deadline);
  // send_mutex_ held:
  SendOutcome transmit_pieces(cdr::Writer& message, MessageType type, std::uint8_t minor, Deadline deadline);
  SendOutcome transmit(std::span<cdr::Piece> pieces, Deadline deadline);
  SendOutcome go_on(protocol::Transfer moved, std::span<cdr::Piece> pieces, Deadline deadline);
  /// `hurried`: not at all when another message is on its way out, for what is said as a courtesy.
  void send_control(ByteView message, bool hurried = false) noexcept;
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
  };
  /// Reads the head of a reply or locate reply; leaves `body` behind it, which reads text as in `format`.
  static ReplyStart start_reply(const Message& message, cdr::WireFormat format, cdr::Reader& body) noexcept;
  void complete(Call& call, const ReplyStart& start, const CheckedHeader& header) noexcept;
  void malformed() noexcept;
  void finish_close() noexcept;

  // server side: serve.cpp
  protocol::Served nothing_to_serve(Arrival arrival, Deadline deadline);
  protocol::Served handle_request(const Message& message, protocol::Dispatcher& dispatcher);
  void handle_locate(const Message& message, protocol::Dispatcher& dispatcher);

  std::unique_ptr<protocol::Transport> transport_;
  const protocol::MessagingOptions options_;
  Receiver receiver_;

  std::timed_mutex send_mutex_;
  std::mutex state_mutex_;
  Session session_;
  std::array<Call*, 16> calls_{};  // by request id
  bool reading_ = false;           // some call's thread reads
  Buffer spare_request_;           // of the last call, for the next

  // These belong to whoever reads.
  const MessageType usual_type_;               // what this side is there to receive
  std::uint8_t admitted_minor_ = 0xFF;         // of the last such message that the session admitted
  cdr::WireFormat server_format_;              // of the requests that come in and of their replies
  cdr::Reader others_reply_;                   // where the thread that serves reads replies
  std::unique_ptr<cdr::Writer> spare_writer_;  // of the last request answered

  std::atomic<unsigned> in_flight_{0};
  std::atomic<unsigned> running_{0};  // requests of the peer that are not answered yet
  std::atomic<bool> usable_{true};
  std::atomic<bool> closing_{false};
  std::atomic<bool> closed_{false};
};

}  // namespace tenon::giop
