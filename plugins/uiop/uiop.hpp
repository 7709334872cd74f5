// SPDX-License-Identifier: Apache-2.0
//
// UIOP: GIOP over Unix-domain sockets, as a transport plug-in. The profile is TAO's, so that TAO's clients on the same machine
// can use it. Only an application's start-up code, or the mapping on its behalf, names it.
//
// Endpoints: "uiop://path[|option=value,...]", and omniORB's spelling "giop:unix:path". A relative path is made absolute, because a
// reference is read elsewhere; "@name" is an abstract name (Linux); no path at all makes one below $TMPDIR or /tmp. Options:
//   mode=0660    permissions of the socket in octal digits (default: what the umask leaves)
//   backlog=n    connections that may wait for accept
#pragma once

#include <memory>

#include "protocol/transport.hpp"

namespace tenon::uiop {

/// A TransportPlugin (plugin.hpp).
class Plugin;

/// Reads and makes profiles and URLs. It opens no connections and does not listen until that is added, before use.
std::unique_ptr<Plugin> make_bare_plugin();
void add_connecting(Plugin& plugin) noexcept;
void add_listening(Plugin& plugin) noexcept;

/// A plug-in with all of this.
std::unique_ptr<protocol::TransportPlugin> make_plugin();

}  // namespace tenon::uiop
