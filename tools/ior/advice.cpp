// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cerrno>

#include "base/hex.hpp"
#include "ior/iiop_profile.hpp"
#include "tools/ior/probe.hpp"

namespace tenon::explain {
namespace {

std::string without_port(const Place& place) {
  const ReachedOtherwise& over = place.otherwise;
  if (!over.omniorb_path.empty())
    return place.text() + ": the server listens on the Unix-domain socket " + printable(over.omniorb_path) +
           " of host " + printable(over.omniorb_host) +
           ", in omniORB's own way, which only clients of omniORB and Tenon on that host use, and this is "
           "host " +
           printable(omniorb_host_here()) + "; have it listen on TCP too (-ORBendPoint giop:tcp::)";
  if (over.tls)
    return place.text() +
           ": the server takes TLS only here; a client without TLS needs an address of another kind";
  return place.text() + ": port 0 is no port; the server must publish the one that it listens on";
}

/// What the user can do about one failed try; empty: nothing is known to help.
std::string help(const Try& each) {
  const std::string where = each.place.text();
  switch (each.outcome) {
    case Outcome::here:
    case Outcome::elsewhere:
      if (each.place.transport == Transport::iiop && !ior::publishable(each.place.host.host))
        return where +
               ": clients on other machines cannot connect to this address; the server must publish another "
               "one (Tenon: -ORBListenEndpoints iiop://:PORT/publish=HOST:PORT)";
      return "";
    case Outcome::not_tried:
      if (each.place.transport == Transport::shmiop || each.place.transport == Transport::inproc)
        return where +
               ": clients that do not share it need another address of the server, such as one of TCP";
      return each.place.transport == Transport::iiop && each.place.host.port == 0 ? without_port(each.place)
                                                                                  : "";
    case Outcome::host_not_found:
      if (each.place.transport == Transport::uiop) return where + ": this cannot be the path of a socket";
      return where +
             ": give this machine the host's address (DNS, /etc/hosts), or have the server publish one that "
             "clients know "
             "(Tenon: -ORBListenEndpoints iiop://:PORT/publish=HOST:PORT)";
    case Outcome::look_up_too_slow:
      return where +
             ": see to the name service of this machine, or have the server publish an address in numbers";
    case Outcome::no_answer:
      return where +
             ": what listens there does not speak GIOP to us, or takes too long: it may be another program "
             "that got "
             "the port after the server ended, a server that wants TLS, or one that is overloaded";
    case Outcome::unknown_object:
      return where +
             ": the object is gone, or the reference is older than the server: objects of transient POAs end "
             "with "
             "their server; get a new reference, or have the server use PERSISTENT lifespan and a fixed port";
    case Outcome::not_connected: break;
  }
  if (each.place.transport == Transport::shmiop)
    return where +
           ": shared memory works between processes of one user on one machine; is the server running here, "
           "as "
           "this user?";
  if (each.place.transport == Transport::uiop)
    return where +
           ": Unix-domain sockets work within one machine; is the server running here, and may you open its "
           "socket?";
  if (!ior::publishable(each.place.host.host))
    return where +
           ": nobody can connect to this address; the server must publish another one (Tenon: "
           "publish=HOST:PORT)";
  if (each.loopback)
    return where +
           ": no such server runs on this machine, which is where this address leads; if it runs on another "
           "one, it must "
           "publish an address of its network (Tenon: -ORBListenEndpoints iiop://:PORT/publish=HOST:PORT)";
  switch (each.os_error) {
    case ECONNREFUSED:
      return where +
             ": nobody listens at this port: the server is not running, or has come back at another port; "
             "give it a "
             "fixed one (Tenon: -ORBListenEndpoints iiop://:PORT)";
    case ETIMEDOUT:
    case EHOSTUNREACH:
    case ENETUNREACH: break;
    default: return "";
  }
  if (each.private_network)
    return where +
           ": an address of a private network, which is not reached from here; behind NAT or in a container "
           "the server "
           "must publish the outer address (Tenon: publish=HOST:PORT)";
  return where + ": packets do not get there: the host is down, or a firewall drops them";
}

}  // namespace

std::string advice(const ior::Ior& reference, const std::vector<Try>& tries) {
  if (reference.nil()) return "";
  if (tries.empty())
    return "no profile is one that can be tried here (IIOP, UIOP or SHMIOP, well formed): the server must "
           "offer IIOP "
           "too\n";
  std::string out;
  for (const Try& each : tries) {
    const std::string line = help(each);
    // All addresses of one name usually fail in the same way.
    if (!line.empty() && out.find(line) == std::string::npos) out += line + '\n';
  }
  const bool reached =
      std::any_of(tries.begin(), tries.end(), [](const Try& each) { return each.answered(); });
  if (!out.empty() && reached && !tries.front().answered())
    out +=
        "clients try the addresses in order: each call to a new server pays for the first ones that fail\n";
  return out;
}

}  // namespace tenon::explain
