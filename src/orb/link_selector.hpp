// SPDX-License-Identifier: Apache-2.0
//
// Chooses the profile and the connection for a call: what worked last, else every address of every usable profile in order.
#pragma once

#include "orb/endpoint.hpp"
#include "orb/reference.hpp"

namespace tenon::orb {

struct Link {
  Ref<protocol::Connection> connection;
  const protocol::Target* target = nullptr;  ///< lives as long as the reference
  bool fresh = false;                        ///< the connection was made for this call
  bool collocated = false;                   ///< no connection: the object lives in this process
};

/// TRANSIENT, TIMEOUT or INV_OBJREF when there is no way to the object.
Result<Link> select_link(Reference& reference, Deadline deadline);

}  // namespace tenon::orb
