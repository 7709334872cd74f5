// SPDX-License-Identifier: Apache-2.0
//
// The object that echoes Any and TypeCode, apart from the rest: the only part of the server that needs the typed wing.
#pragma once

#include <tenon/tenon.hpp>

/// Activates one in the RootPOA of the default ORB.
CORBA::object_reference<CORBA::Object> make_dynamic();
