// SPDX-License-Identifier: Apache-2.0
//
// What most programs need. A server in four lines:
//
//   auto orb = CORBA::ORB_init(argc, argv);
//   auto calculator = CORBA::make_reference<Calculator_impl>();
//   auto reference = tenon::publish(orb, calculator, "Calculator");  // print tenon::corbaloc(orb, "Calculator"), or
//   orb->run();                                                      // orb->object_to_string(reference)
#pragma once

#include <tenon/language.hpp>

#include "tenon/corba/orb.hpp"
#include "tenon/corba/tie.hpp"
#include "tenon/portable_server/publish.hpp"
