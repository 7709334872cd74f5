// SPDX-License-Identifier: Apache-2.0
//
// Calls to objects of this program, and what is replied to them.
#pragma once

#include <memory>
#include <vector>

#include "bindings/c/handles.hpp"
#include "protocol/incoming_call.hpp"

struct tenon_request {
  explicit tenon_request(tenon::protocol::IncomingCall& which) noexcept : call(&which) {}

  tenon::protocol::IncomingCall* call;
  std::unique_ptr<tenon::protocol::IncomingCall> kept;  ///< of a deferred request: the same
  tenon_body* arguments = nullptr;                      ///< of an upcall
  std::vector<tenon_segment> segments;
};

namespace tenon::c {

/// What a reply is to be written in; its body begins at a multiple of 8 in every version of GIOP.
tenon_format reply_format(const protocol::IncomingCall& call) noexcept;
/// Sends a reply that has been written; what cannot be sent is an exception to the caller.
Status finish(protocol::IncomingCall& call, cdr::Writer& out) noexcept;
/// Replies with what an upcall has returned. An error: the caller does not get it.
Status reply_with(protocol::IncomingCall& call, tenon_status status, const tenon_body* results,
                  const tenon_error* exception) noexcept;

}  // namespace tenon::c
