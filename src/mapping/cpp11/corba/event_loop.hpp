// SPDX-License-Identifier: Apache-2.0
//
// What a program needs to run an ORB in its own event loop; include/tenon/event_loop.hpp says how.
#pragma once

#include "mapping/cpp11/corba/orb.hpp"

namespace tenon {

/// A descriptor that is readable while perform_work() may find something to do, for poll(), select() or epoll. It belongs to the ORB: do
/// not read or close it. It lasts until ORB::destroy(). NO_RESOURCES if the system has no descriptor left. Any thread.
int work_descriptor(CORBA::ORB& orb);

}  // namespace tenon
