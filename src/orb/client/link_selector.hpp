// SPDX-License-Identifier: Apache-2.0
//
// Chooses the profile and the connection for a call: what worked last, else every address of every usable profile in order.
#pragma once

#include "orb/client/endpoint.hpp"
#include "orb/reference.hpp"

namespace tenon::orb {

struct Link {
  Ref<protocol::Connection> connection;      ///< null: the object lives in this process
  const protocol::Target* target = nullptr;  ///< lives as long as the reference
  bool fresh = false;                        ///< the connection was made for this call
  bool may_share = false;                    ///< others use the connection: see Endpoint::Taken
  bool searched = false;                     ///< select_link() has chosen it, which restarts the trail
};

/// The connection that the last call used, if it is idle. False: there is none, and nothing has been tried.
[[gnu::always_inline]] inline bool take_idle_connection(Reference& reference, Link& into) {
  const Reference::Binding* const known = reference.binding();
  if (known == nullptr || !known->endpoint) [[unlikely]]
    return false;
  into.connection = known->endpoint->take_idle();
  into.target = &known->target;
  return static_cast<bool>(into.connection);
}

/// What a call gets where Reference::unreachable() says that.
Error why_unreachable(Unreachable reason) noexcept;

/// How many addresses all usable profiles of the reference have.
std::size_t ways_to(Reference& reference);

/// TRANSIENT, TIMEOUT or INV_OBJREF when there is no way to the object, NO_MEMORY when there is no memory for one; REBIND when there is one, and `rebind` does not allow it. What it
/// tries in vain is in the thread's trail afterwards, whether it finds something else or not.
Status select_link(Reference& reference, Deadline deadline, protocol::Rebind rebind, Link& into);

}  // namespace tenon::orb
