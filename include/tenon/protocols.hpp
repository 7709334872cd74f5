// SPDX-License-Identifier: Apache-2.0
//
// For a program that names its protocols itself. It links the plug-ins that it names and no others:
//
//   tenon::orb::Protocols protocols;  // in order of preference: the first listens when no endpoint is asked for
//   protocols.push_back({tenon::iiop::make_plugin(), tenon::giop::make_messaging()});
//   auto orb = tenon::init_orb(argc, argv, std::move(protocols));
//
// Transports can share a messaging.
#pragma once

#include <tenon/tenon.hpp>

#include "orb/parts.hpp"
#include "plugins/giop/giop.hpp"
#include "plugins/iiop/iiop.hpp"
#include "plugins/inproc/inproc.hpp"
#include "plugins/shmiop/shmiop.hpp"
#include "plugins/uiop/uiop.hpp"
