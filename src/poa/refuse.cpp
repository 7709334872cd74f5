// SPDX-License-Identifier: Apache-2.0
//
// A refusal is a reply like any other: begun, written, finished once.
#include "poa/refuse.hpp"

namespace tenon::poa {

void forward(protocol::IncomingCall& call, const orb::Reference& to) {
  if (call.replied()) return;
  ior::write_ior(call.begin_reply(protocol::ReplyStatus::location_forward), to.ior());
  static_cast<void>(call.finish_reply());
}

}  // namespace tenon::poa
