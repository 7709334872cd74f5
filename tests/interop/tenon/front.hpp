// SPDX-License-Identifier: Apache-2.0
//
// What stands before the servant of echo.idl: nothing, or (bridge.cpp) a dynamic servant that passes every request on.
#pragma once

#include <tenon/tenon.hpp>

/// The reference that clients get. `echo` is the compiled servant's.
CORBA::object_reference<CORBA::Object> front_of(const CORBA::object_reference<CORBA::Object>& echo);
