// SPDX-License-Identifier: Apache-2.0
//
// GIOP through memory, between ORBs of one process, as a transport plug-in. Only an application's start-up code, or the mapping on
// its behalf, names it.
//
// Endpoints: "inproc://name[|option=value,...]": a name that no other endpoint of the process has; no name at all makes one that is
// new each time. Options:
//   backlog=n    connections that may wait for accept
#pragma once

#include <memory>

#include "protocol/transport.hpp"

namespace tenon::inproc {

/// A TransportPlugin (plugin.hpp).
class Plugin;

/// Reads and makes profiles and URLs. It opens no connections and does not listen until that is added, before use.
std::unique_ptr<Plugin> make_bare_plugin();
void add_connecting(Plugin& plugin) noexcept;
void add_listening(Plugin& plugin) noexcept;

/// A plug-in with all of this.
std::unique_ptr<protocol::TransportPlugin> make_plugin();

}  // namespace tenon::inproc
