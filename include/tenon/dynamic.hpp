// SPDX-License-Identifier: Apache-2.0
//
// Calls, servants and values without compiled code: CORBA::Request (DII), PortableServer::DynamicImplementation (DSI) and
// DynamicAny. See docs/dynamic.md. A program that includes it links tenon::any.
#pragma once

#include <tenon/gen/any.hpp>

#include "dynamic/dii/request.hpp"
#include "dynamic/dii/server_request.hpp"
#include "dynamic/dyn_any/dyn_any_factory.hpp"
