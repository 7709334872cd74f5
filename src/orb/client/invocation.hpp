// SPDX-License-Identifier: Apache-2.0
//
// One call to an object, made by a thread that waits for its reply. Where the thread is the only one that serves, it serves meanwhile.
//
//   Invocation call(reference, spec);
//   for (cdr::Writer* out = call.begin(); out != nullptr; out = call.send()) write_arguments(*out);
//   if (!call.outcome()) ... else if (call.reply_status() == user_exception) ... call.reply() ...
//
// Chooses where to go, follows forwards, tries again where the standard allows it; objects of this process are called without a socket.
#pragma once

#include <optional>

#include "base/memory.hpp"
#include "orb/client/call_engine.hpp"
#include "orb/orb.hpp"
#include "orb/server/serving.hpp"
#include "orb/threads/reactor.hpp"

namespace tenon::orb {

/// A call whose arguments and reply are octets to its caller. It may be kept, and end on another thread than the one that has made it.
class OctetInvocation {
 public:
  /// As CallEngine.
  OctetInvocation(Reference& reference, CallSpec& spec, const NumberedName* number = nullptr) noexcept
      : engine_(reference, spec, number), spec_(spec) {}

  /// Where the arguments are to be written. Null: the call is over, see outcome().
  [[gnu::always_inline]] cdr::Writer* begin() {
    if (!engine_.orb().calls_are_plain() || memory::aside_used.load(std::memory_order_relaxed) ||
        !engine_.begin_over_idle_connection()) [[unlikely]]
      return begin_unusual();
    return engine_.call->arguments;
  }
  /// Sends the arguments and waits for the reply. Null: the call is over. Else the arguments are to be written once more, for another place
  /// or in another wire format. A oneway is over once it was handed to the transport.
  [[gnu::always_inline]] cdr::Writer* send() {
    if (unusual_ && !goes_over_connection()) [[unlikely]]
      return another();
    protocol::Connection& connection = *engine_.link.connection;
    if (!spec_.response_expected) {
      engine_.outcome = connection.post(*engine_.call);
    } else {
      // Another thread takes over what this one serves.
      WaitingInUpcall waiting;
      engine_.outcome = waiting.begin();
      if (engine_.outcome) [[likely]]
        engine_.outcome = connection.invoke(*engine_.call);
    }
    if (unusual_ || !engine_.outcome || engine_.call->status > protocol::ReplyStatus::user_exception)
        [[unlikely]]
      return after_attempt();
    return nullptr;
  }

  /// In place of writing them: the arguments are these octets, which stay as they are until the call is over. False: they are to be
  /// written, since they are not for an object of this process.
  bool lend(ByteView arguments) noexcept {
    return unusual_ && unusual_->here && unusual_->here->lend(arguments);
  }

  /// How a call that is over ended; an error is a system exception, the peer's own included. Then the thread's trail says what was tried.
  const Status& outcome() const noexcept { return engine_.outcome; }
  /// The reply of a two-way call that did not fail: no_exception or user_exception, and the body. Valid as long as the invocation lives.
  protocol::ReplyStatus reply_status() const noexcept { return engine_.call->status; }
  cdr::Reader& reply() noexcept { return *engine_.call->reply; }

 private:
  /// For collocated calls, threads that serve while they wait, observed calls and further attempts. Most calls need none of it.
  struct Unusual {
    Unusual() noexcept {}  // does not clear the room of what is not there
    RoomFor<CollocatedCall> here;
    RoomFor<ServingWait> wait;
    Trail tried;  // by attempts that are over
  };
  cdr::Writer* begin_unusual();
  cdr::Writer* begin_attempt();
  bool goes_over_connection();
  cdr::Writer* after_attempt();
  cdr::Writer* another();
  cdr::Writer* another_attempt();
  bool prepare_to_serve();

  CallEngine engine_;
  CallSpec& spec_;
  std::optional<Unusual> unusual_;
};

/// A call whose arguments and reply are values: references among them belong to the reference's ORB. Lives on its thread's stack.
class Invocation : private OrbScope, public OctetInvocation {
 public:
  Invocation(Reference& reference, CallSpec& spec, const NumberedName* number = nullptr) noexcept
      : OrbScope(reference.orb()), OctetInvocation(reference, spec, number) {}
};

/// Asks whether the object is there, with a LocateRequest (CORBA 3.4 part 2 §9.4.5), where calls go now: forwards are followed and
/// remembered as calls do it. object_here or unknown_object; the errors are those of a call.
Result<protocol::LocateStatus> locate(Reference& reference, Deadline deadline);

}  // namespace tenon::orb
