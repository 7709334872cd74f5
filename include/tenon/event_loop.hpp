// SPDX-License-Identifier: Apache-2.0
//
// An ORB inside a program's own event loop:
//
//   auto orb = CORBA::ORB_init(argc, argv);             // with -ORBServing single-thread
//   pollfd watched[] = {{tenon::work_descriptor(*orb), POLLIN, 0}, ...};
//   while (going_on) {
//     poll(watched, ...);
//     while (orb->work_pending()) orb->perform_work();
//   }
//
// With -ORBServing single-thread the loop's thread does everything: it accepts, reads, runs servants, and runs what follows asynchronous
// calls. With threads of the ORB's own, what is left to the loop is the work of MAIN_THREAD_MODEL POAs.
#pragma once

#include <tenon/language.hpp>

#include "tenon/corba/orb.hpp"

namespace tenon {

/// A descriptor that is readable while perform_work() may find something to do, for poll(), select() or epoll. It belongs to the ORB: do
/// not read or close it. It lasts until ORB::destroy(). NO_RESOURCES if the system has no descriptor left. Any thread.
int work_descriptor(CORBA::ORB& orb);

}  // namespace tenon
