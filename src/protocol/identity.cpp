// SPDX-License-Identifier: Apache-2.0
#include "protocol/identity.hpp"

#include <sys/socket.h>
#include <unistd.h>

#include <cstdint>

#include "base/joined.hpp"

namespace tenon::protocol {
namespace {

void fill_in(Identity& into, std::string_view kind, uid_t user, gid_t group, pid_t process) {
  into.kind = kind;
  into.attributes.clear();
  into.attributes.push_back({"uid", decimal(std::int64_t{user})});
  into.attributes.push_back({"gid", decimal(std::int64_t{group})});
  into.attributes.push_back({"pid", decimal(std::int64_t{process})});
}

}  // namespace

std::string Identity::text() const {
  std::string text(kind.empty() ? "unknown" : kind);
  for (const Attribute& each : attributes) text.append(" ").append(each.name).append("=").append(each.value);
  return text;
}

bool identify_unix_peer(int socket, Identity& into) {
  ucred owner{};
  socklen_t size = sizeof owner;
  if (::getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &owner, &size) != 0) return false;
  // What Linux says of sockets without a peer's process, those of TCP among them.
  if (owner.uid == static_cast<uid_t>(-1)) return false;
  fill_in(into, "unix", owner.uid, owner.gid, owner.pid);
  return true;
}

void identify_this_process(Identity& into) { fill_in(into, "self", ::geteuid(), ::getegid(), ::getpid()); }

}  // namespace tenon::protocol
