// SPDX-License-Identifier: Apache-2.0
//
// A connection's data about a call that this side makes, in the room that protocol::OutgoingCall has for it. Only the thread that makes
// the call uses it; the call table's lock guards calls that share the connection.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <type_traits>

#include "base/thread_annotations.hpp"
#include "giop/fragments.hpp"
#include "protocol/messaging.hpp"

namespace tenon::giop {

class CallingConnection;
struct Call;

/// Sends a request of a connection that cuts messages in parts, while its arguments are being written.
class RequestInParts final : public cdr::PartSink {
 public:
  RequestInParts(CallingConnection& connection, Call& call, std::size_t fragment) noexcept
      : PartSink(fragment), connection_(connection), call_(call) {}
  Status take(std::span<const cdr::Piece> part) noexcept override;

 private:
  CallingConnection& connection_;
  Call& call_;
};
static_assert(std::is_trivially_destructible_v<RequestInParts>);

struct Call {
  Call() noexcept {}  // leaves the room for the sharing part as it is
  static Call& of(protocol::OutgoingCall& out) noexcept { return out.holds<Call>(); }
  protocol::OutgoingCall& out() noexcept { return protocol::OutgoingCall::of_room(this); }

  std::uint8_t minor = 2;
  bool alone = false;             ///< no other call was in flight on the connection when this one began
  bool reads = false;             ///< this call's thread is the one that reads the connection
  bool holds_reply = false;       ///< the reply still lies in the connection's buffer
  std::uint8_t own_contexts = 0;  ///< which service contexts of the connection's own it carries
  std::uint32_t request_id = 0;
  std::int64_t end_ns;  ///< where Outbox::Sent::late says so: when its time is over

  enum class Step : std::uint8_t { preparing, waiting, done };
  /// This part is only for calls that share the connection with others.
  struct Sharing {
    cdr::Writer arguments;
    Step step = Step::preparing;
    Call* next = nullptr;
    CondVar* waiter = nullptr;       // where its thread sleeps while another call's thread reads
    protocol::Sink* sink = nullptr;  // of an asynchronous call
    Buffer reply_bytes;              // the reply, if another call's thread has read it
    Restarts restarts;
    alignas(RequestInParts) std::byte in_parts[sizeof(RequestInParts)];  // for one, where messages are cut
  };
  Sharing* sharing = nullptr;  ///< null: the call is alone

  /// Makes the sharing part, which ends with the call.
  Sharing& share() {
    sharing = new (sharing_room) Sharing;
    out().at_end([](void* call) noexcept { static_cast<Call*>(call)->sharing->~Sharing(); });
    return *sharing;
  }

 private:
  alignas(Sharing) std::byte sharing_room[sizeof(Sharing)];
};

}  // namespace tenon::giop
