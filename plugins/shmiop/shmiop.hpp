// SPDX-License-Identifier: Apache-2.0
//
// SHMIOP: GIOP through shared memory, between processes of one user on one machine, as a transport plug-in. Only an application's start-up
// code, or the mapping on its behalf, names it.
//
// Endpoints: "shmiop://@name[|option=value,...]": the abstract name (Linux) of the Unix-domain socket over which connections begin, which
// vanishes with its process; no name at all makes one that is new each time. Options:
//   backlog=n    connections that may wait for accept
//
// Options of the plug-in (-ORBProtocolOption shmiop.name=value): ring, spin.
#pragma once

#include <memory>

#include "protocol/transport.hpp"

namespace tenon::shmiop {

/// A TransportPlugin (plugin.hpp).
class Plugin;

/// Reads and makes profiles and URLs. It opens no connections and does not listen until that is added, before use.
std::unique_ptr<Plugin> make_bare_plugin();
void add_connecting(Plugin& plugin) noexcept;
void add_listening(Plugin& plugin) noexcept;

/// A plug-in with all of this.
std::unique_ptr<protocol::TransportPlugin> make_plugin();

}  // namespace tenon::shmiop
