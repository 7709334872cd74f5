// SPDX-License-Identifier: Apache-2.0
//
// The server of the compiled servant alone.

#include "tests/interop/tenon/front.hpp"

CORBA::object_reference<CORBA::Object> front_of(const CORBA::object_reference<CORBA::Object>& echo) {
  return echo;
}
