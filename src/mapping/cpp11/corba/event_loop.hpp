// SPDX-License-Identifier: Apache-2.0
//
// What a program needs to have an ORB in its own event loop; include/tenon/event_loop.hpp says how.
#pragma once

#include "mapping/cpp11/corba/orb.hpp"

namespace tenon {

/// A descriptor that is readable while perform_work() may find something to do, for poll(), select() or epoll. The ORB's: it is not to
/// be read or closed, and lasts until ORB::destroy(). NO_RESOURCES when the system has no descriptor for it. Any thread.
int work_descriptor(CORBA::ORB& orb);

}  // namespace tenon
