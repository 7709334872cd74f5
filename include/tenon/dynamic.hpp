// SPDX-License-Identifier: Apache-2.0
//
// Calls, servants and values without compiled code: CORBA::Request (DII), PortableServer::DynamicImplementation (DSI) and
// DynamicAny. See docs/dynamic.md. A program that includes it links tenon::any.
#pragma once

#include <tenon/gen/any.hpp>

#include "tenon/dynamic/dyn_any_factory.hpp"
#include "tenon/dynamic/request.hpp"
#include "tenon/dynamic/server_request.hpp"
