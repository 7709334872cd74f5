// SPDX-License-Identifier: Apache-2.0
//
// What a caller wants of its calls, as far as the engine and the mapping need it: plain values, each of which may be unset. Three of
// these are laid over each other for a call: the ORB's, the thread's and the object's; the nearest value counts (CORBA 3.4 part 1
// §8.9.3). No locks.
#pragma once

#include <cstdint>
#include <optional>

#include "protocol/messaging.hpp"

namespace tenon::orb {

struct CallPolicies {
  std::optional<std::int64_t> roundtrip_ns;  ///< from the call's beginning to its reply
  std::optional<std::int64_t>
      request_ns;                      ///< from the call's beginning until its request has been handed over
  std::optional<protocol::Sync> sync;  ///< how far a oneway has come when the caller goes on
  std::optional<protocol::Buffering> buffering;  ///< how long oneways with Sync::none may be buffered
  std::optional<std::uint32_t> copy_below;       ///< bytes: smaller sequences are copied into the message

  std::optional<std::uint64_t>
      request_end;  ///< when the request must have been handed over; UTC as in TimeBase
  std::optional<std::uint64_t> reply_end;  ///< when the reply must be there
  std::optional<protocol::Rebind> rebind;  ///< whether calls may reconnect, or follow forwards
  std::optional<bool> passes_deadlines;  ///< calls inherit the deadline of the served call, and propagate it
  std::optional<bool> bidirectional;     ///< connections may carry requests in both directions (part 2 §9.9)

  bool operator==(const CallPolicies&) const = default;
  bool empty() const noexcept {
    return !roundtrip_ns && !request_ns && !sync && !buffering && !copy_below && !request_end && !reply_end &&
           !rebind && !passes_deadlines && !bidirectional;
  }
  /// What is set in `nearer` takes the place of what is here.
  void override_by(const CallPolicies& nearer) noexcept {
    if (nearer.roundtrip_ns) roundtrip_ns = nearer.roundtrip_ns;
    if (nearer.request_ns) request_ns = nearer.request_ns;
    if (nearer.sync) sync = nearer.sync;
    if (nearer.buffering) buffering = nearer.buffering;
    if (nearer.copy_below) copy_below = nearer.copy_below;
    if (nearer.request_end) request_end = nearer.request_end;
    if (nearer.reply_end) reply_end = nearer.reply_end;
    if (nearer.rebind) rebind = nearer.rebind;
    if (nearer.passes_deadlines) passes_deadlines = nearer.passes_deadlines;
    if (nearer.bidirectional) bidirectional = nearer.bidirectional;
  }
};

}  // namespace tenon::orb
