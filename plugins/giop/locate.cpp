// SPDX-License-Identifier: Apache-2.0
//
// LocateRequest, as a client sends it.
#include "giop/locate.hpp"

#include "base/minor_codes.hpp"
#include "calling_connection.hpp"

namespace tenon::giop {

/// LOC_NEEDS_ADDRESSING_MODE is followed once.
Result<protocol::LocateStatus> AttendedConnection::locate(const protocol::Target& target, Deadline deadline,
                                                          ior::Ior& forward) {
  protocol::Target asked = target;
  auto located = ask_where(asked, deadline, forward);
  if (!located && asked.addressing != target.addressing) located = ask_where(asked, deadline, forward);
  return located;
}

/// Returns an error and changes target.addressing if the peer wants to be asked in that way.
Result<protocol::LocateStatus> AttendedConnection::ask_where(protocol::Target& target, Deadline deadline,
                                                             ior::Ior& forward) {
  const protocol::CallSpec spec{.has_arguments = false, .deadline = deadline};
  protocol::OutgoingCall out(spec);
  const Status begun = begin(out, target);
  if (!begun) return begun.error();
  struct Ender {
    AttendedConnection& connection;
    protocol::OutgoingCall& call;
    ~Ender() { connection.end(call); }
  } ender{*this, out};
  Call& call = Call::of(out);
  cdr::Writer& message = *out.arguments;
  message.reset(message.format());
  cdr::Writer reference;
  write_locate_request(message, call.request_id, address(target, call.minor, reference));
  call.own_contexts = 0;
  const Outbox::Outcome sent = send_beside_others(call, MessageType::locate_request, deadline);
  if (sent.sent != Outbox::Sent::all) {
    if (sent.sent == Outbox::Sent::part || !sent.timed_out) send_failed(sent.os_error);
    return sent.timed_out ? errors::send_timed_out : errors::connection_lost;
  }
  const Status replied = await_reply(call, out.spec.reply_by);
  if (!replied) {
    if (replied.error().minor == errors::reply_timed_out.minor) cancel(out);
    return replied.error();
  }
  switch (static_cast<LocateStatus>(out.status)) {
    case LocateStatus::unknown_object: return protocol::LocateStatus::unknown_object;
    case LocateStatus::object_here: return protocol::LocateStatus::object_here;
    case LocateStatus::object_forward:
    case LocateStatus::object_forward_perm: {
      ior::read_ior(*out.reply, forward);
      if (!out.reply->good()) return out.reply->error();
      return out.status == static_cast<protocol::ReplyStatus>(LocateStatus::object_forward)
                 ? protocol::LocateStatus::object_forward
                 : protocol::LocateStatus::object_forward_perm;
    }
    case LocateStatus::system_exception: return read_system_exception(*out.reply).error;
    case LocateStatus::needs_addressing_mode: {
      const auto wanted = static_cast<std::uint16_t>(read_addressing(*out.reply));
      if (out.reply->good()) target.addressing = wanted;
      break;
    }
  }
  return errors::bad_reply.with(Completion::no);
}

}  // namespace tenon::giop
