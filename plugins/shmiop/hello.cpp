// SPDX-License-Identifier: Apache-2.0
#include "plugins/shmiop/hello.hpp"

#include <sys/socket.h>
#include <sys/uio.h>

#include <cerrno>
#include <cstring>

#include "base/joined.hpp"

namespace tenon::shmiop {
namespace {

/// One descriptor is sent; a peer that sends more gets them closed.
constexpr std::size_t most_descriptors = 4;

union Ancillary {
  cmsghdr align;
  char octets[CMSG_SPACE(most_descriptors * sizeof(int))];
};

/// Takes all descriptors that came; true: it was one, and nothing else.
bool take_descriptors(msghdr& message, net::Descriptor& one) noexcept {
  std::size_t count = 0;
  for (cmsghdr* each = CMSG_FIRSTHDR(&message); each != nullptr; each = CMSG_NXTHDR(&message, each)) {
    if (each->cmsg_level != SOL_SOCKET || each->cmsg_type != SCM_RIGHTS) continue;
    const std::size_t here = (each->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (std::size_t i = 0; i < here; ++i) {
      int fd = -1;
      std::memcpy(&fd, CMSG_DATA(each) + i * sizeof fd, sizeof fd);
      one.reset(fd);
      ++count;
    }
  }
  return count == 1 && (message.msg_flags & MSG_CTRUNC) == 0;
}

}  // namespace

int send_hello(int socket, const Hello& hello, int descriptor) noexcept {
  iovec text{const_cast<Hello*>(&hello), sizeof hello};
  Ancillary ancillary{};
  msghdr message{};
  message.msg_iov = &text;
  message.msg_iovlen = 1;
  message.msg_control = ancillary.octets;
  message.msg_controllen = CMSG_SPACE(sizeof descriptor);
  cmsghdr* const rights = CMSG_FIRSTHDR(&message);
  rights->cmsg_level = SOL_SOCKET;
  rights->cmsg_type = SCM_RIGHTS;
  rights->cmsg_len = CMSG_LEN(sizeof descriptor);
  std::memcpy(CMSG_DATA(rights), &descriptor, sizeof descriptor);
  // A fresh connection has room for it.
  ssize_t sent = -1;
  do {
    sent = ::sendmsg(socket, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
  } while (sent < 0 && errno == EINTR);
  if (sent < 0) return errno;
  return sent == static_cast<ssize_t>(sizeof hello) ? 0 : EPROTO;
}

Greeting receive_hello(int socket, Segment& segment, const char*& why) noexcept {
  Hello hello;
  iovec text{&hello, sizeof hello};
  Ancillary ancillary{};
  msghdr message{};
  message.msg_iov = &text;
  message.msg_iovlen = 1;
  message.msg_control = ancillary.octets;
  message.msg_controllen = sizeof ancillary.octets;
  ssize_t came = -1;
  do {
    came = ::recvmsg(socket, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
  } while (came < 0 && errno == EINTR);
  if (came < 0) return errno == EAGAIN ? Greeting::not_yet : Greeting::end;
  if (came == 0) return Greeting::end;
  net::Descriptor memory;
  const bool one = take_descriptors(message, memory);
  if (came != static_cast<ssize_t>(sizeof hello) || hello.magic != Hello::right_magic) {
    why = "what it sent first is not the beginning of a connection over shared memory";
  } else if (hello.version != Hello::right_version) {
    why = "it wants another version of connections over shared memory; this one is 2";
  } else if (!one) {
    why = (message.msg_flags & MSG_CTRUNC) != 0
              ? "the descriptor of its memory cannot be taken: no descriptor is left here, or it sent many"
              : "with the beginning of a connection comes one descriptor, that of the memory";
  } else {
    segment = Segment::map(memory, hello.ring_octets, why);
    if (segment) return Greeting::came;
  }
  return Greeting::refused;
}

bool is_of_user(int socket, uid_t wanted, std::string& who) {
  ucred owner{};
  socklen_t size = sizeof owner;
  if (::getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &owner, &size) != 0) {
    who = "a process that the system does not name";
    return false;
  }
  who = worded("process % of user %", {decimal(std::int64_t{owner.pid}), decimal(std::int64_t{owner.uid})});
  return owner.uid == wanted;
}

}  // namespace tenon::shmiop
