// SPDX-License-Identifier: Apache-2.0
//
// What is known for certain of the peer of a connection: what it has proved, or what the system says of it; never what it only claims, and
// never an address. Transports fill it in (Transport::identify()); a servant gets it by tenon::peer().
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tenon::protocol {

struct Identity {
  struct Attribute {
    std::string_view name;  ///< constant text
    std::string value;
  };

  /// How it is known, as constant text; empty: nothing is known.
  ///   "unix"  a process of this machine, as the kernel says: uid, gid and pid, all decimal. They are those that the process had when it
  ///           connected (or, of a server, began to listen); the pid may belong to another process by now, and is 0 if it is not to be seen
  ///           from here (containers)
  ///   "self"  this process, with the same attributes: the call came over no connection, or over one that does not leave the process
  /// A transport may have others.
  std::string_view kind = {};
  /// In a fixed order for each kind; a name may come more than once.
  std::vector<Attribute> attributes = {};

  explicit operator bool() const noexcept { return !kind.empty(); }
  /// The value of the first attribute of that name; empty: there is none.
  std::string_view operator[](std::string_view name) const noexcept {
    for (const Attribute& each : attributes) {
      if (each.name == name) return each.value;
    }
    return {};
  }
  /// For a log: "unix uid=1000 gid=1000 pid=4711"; "unknown" if nothing is known.
  std::string text() const;
};

/// Of kind "unix", of the process at the other end of a connected Unix-domain socket. False: the system does not say, and nothing changed.
bool identify_unix_peer(int socket, Identity& into);
/// Of kind "self".
void identify_this_process(Identity& into);

}  // namespace tenon::protocol
