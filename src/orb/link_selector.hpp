// SPDX-License-Identifier: Apache-2.0
//
// Chooses the profile and the connection for a call: what worked last, else every address of every usable profile in order.
#pragma once

#include "orb/endpoint.hpp"
#include "orb/reference.hpp"

namespace tenon::orb {

struct Link {
  Ref<protocol::Connection> connection;      ///< null: the object lives in this process
  const protocol::Target* target = nullptr;  ///< lives as long as the reference
  bool fresh = false;                        ///< the connection was made for this call
  bool may_share = false;                    ///< others use the connection: see Endpoint::Taken
  bool searched = false;  ///< select_link_slowly() has chosen it, and has restarted the trail
};

/// What it tries in vain is in the thread's trail afterwards, whether it finds something else or not.
Status select_link_slowly(Reference& reference, Deadline deadline, protocol::Rebind rebind, Link& into);

/// TRANSIENT, TIMEOUT or INV_OBJREF when there is no way to the object; REBIND when there is one, and `rebind` does not allow it.
[[gnu::always_inline]] inline Status select_link(Reference& reference, Deadline deadline,
                                                 const protocol::Rebind& rebind, Link& into) {
  const Reference::Binding* known = reference.binding();
  if (known != nullptr && known->endpoint) [[likely]] {
    into.connection = known->endpoint->take_idle();
    into.target = &known->target;
    if (into.connection) [[likely]]
      return {};
  }
  return select_link_slowly(reference, deadline, rebind, into);
}

}  // namespace tenon::orb
