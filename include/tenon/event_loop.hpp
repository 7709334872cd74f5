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

#include "mapping/cpp11/corba/event_loop.hpp"
