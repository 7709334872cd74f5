// SPDX-License-Identifier: Apache-2.0
//
// A refusal is a reply like any other: begun, written, finished once.
#include "poa/refuse.hpp"

#include "cdr/exception_body.hpp"

namespace tenon::poa {

void refuse(protocol::IncomingCall& call, const Error& error) {
  if (call.replied()) return;
  cdr::write_system_exception(call.begin_reply(protocol::ReplyStatus::system_exception), error);
  // A peer that is gone will not miss the answer.
  static_cast<void>(call.finish_reply());
}

void forward(protocol::IncomingCall& call, const orb::Reference& to) {
  if (call.replied()) return;
  ior::write_ior(call.begin_reply(protocol::ReplyStatus::location_forward), to.ior());
  static_cast<void>(call.finish_reply());
}

}  // namespace tenon::poa
