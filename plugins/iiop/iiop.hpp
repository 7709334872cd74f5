// SPDX-License-Identifier: Apache-2.0
//
// IIOP: GIOP over TCP (CORBA 3.4 part 2 §9.7), as a transport plug-in. Only an application's start-up code, or the mapping on its
// behalf, names it.
//
// Endpoints: "iiop://[host][:port][/option=value,...]", and omniORB's spelling "giop:tcp:[host]:[port]". Without a host it listens
// on every interface, IPv6 included where there is IPv6; port 0 or none is any free port. Options:
//   publish=host[:port]  the address in references, instead of the one listened on; repeat it for alternates
//   reuseaddr=yes|no     take over a port whose old connections linger (default yes)
//   keepalive=yes|no     probe peers that are silent for long (default yes)
//   backlog=n            connections that may wait for accept
#pragma once

#include <memory>

#include "protocol/transport.hpp"

namespace tenon::net {
class NameSource;
}

namespace tenon::iiop {

/// A TransportPlugin (plugin.hpp).
class Plugin;

/// Reads and makes profiles and URLs. It opens no connections and does not listen until that is added, before use.
std::unique_ptr<Plugin> make_bare_plugin();
void add_connecting(Plugin& plugin) noexcept;
void add_listening(Plugin& plugin);
/// Endpoints that say more than a host and a port, and addresses in references and peers that the ORB's options choose.
void add_endpoint_options(Plugin& plugin) noexcept;
/// All plug-ins of the process read addresses of corbaloc: URLs from now on; they can write them anyway. Any thread.
void enable_urls() noexcept;
/// Hosts that are written as names, and the addresses that one of them has: else all hosts must be written in numbers. They are looked up
/// by the system's resolver, on threads of their own (net/host_names.hpp), or by `source`.
void add_host_names(Plugin& plugin);
void add_host_names(Plugin& plugin, std::shared_ptr<net::NameSource> source);

/// `plain`, with all that it has, and with the option `pacing`: how many octets per second each connection sends at most.
std::unique_ptr<Plugin> make_paced(Plugin&& plain);

/// A plug-in with all of this. Host names are looked up by the system's resolver.
std::unique_ptr<protocol::TransportPlugin> make_plugin();
/// Host names are looked up by `names`, which the program gives.
std::unique_ptr<protocol::TransportPlugin> make_plugin(std::shared_ptr<net::NameSource> names);

}  // namespace tenon::iiop
