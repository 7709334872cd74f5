// SPDX-License-Identifier: Apache-2.0
//
// Blocking stream sockets as the raw programs use them: one send and one receive for each message unless a Way says otherwise,
// TCP_NODELAY, no timer. An error ends the program, which the program that measures notices. Not for anything but measuring.
//
// Threads: the functions share nothing.
#pragma once

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sched.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "blocks.hpp"

namespace raw {

enum class Kind : std::uint32_t {
  two_way,  ///< each request is answered
  flood,    ///< a message whose first octet is not zero asks how many came since the last such one
  foreign,  ///< two_way with a server that knows no plans: it is not sent
};

/// How messages are sent and awaited. Which way is the fastest depends on the machine and on the messages.
struct Way {
  std::uint32_t head =
      0;  ///< octets of a message that a send of their own carries first; 0: a message is one send
  std::uint32_t read = 0;  ///< octets that a receive asks for at least; 0: what is missing of the message
  std::uint32_t spin = 0;  ///< microseconds for which a receiver polls before it sleeps
  std::uint32_t loops =
      0;  ///< two_way: so many threads of the server share all connections; 0: each has its own
  std::uint32_t pool =
      0;  ///< 1: many threads of a client take for each call the connection that was given back last
  bool operator==(const Way&) const = default;
};

/// What will travel over a connection: the first thing sent on it.
struct Plan {
  Kind kind = Kind::two_way;
  std::uint32_t request = 0;
  std::uint32_t reply = 0;
  std::uint32_t table =
      0;  ///< two_way: a request's first four octets are looked up in a table of so many; 0: they are nothing
  Way way;
  bool operator==(const Plan&) const = default;

  /// The size that a buffer for messages of `size` octets needs.
  std::size_t room(std::size_t size) const { return std::max<std::size_t>(size, way.read); }
};

[[noreturn]] inline void die(const char* what) {
  std::perror(what);
  std::exit(1);
}

/// One receive of at most `size` octets, by polling.
[[gnu::noinline]] inline ssize_t receive_spinning(int fd, char* to, std::size_t size, std::uint32_t spin_us) {
  const std::uint64_t end = blocks::now_ns() + std::uint64_t{spin_us} * 1000;
  do {
    const ssize_t got = recv(fd, to, size, MSG_DONTWAIT);
    if (got >= 0 || (errno != EAGAIN && errno != EWOULDBLOCK)) return got;
  } while (blocks::now_ns() < end);
  return recv(fd, to, size, 0);
}

/// One receive of at most `size` octets.
inline ssize_t receive_some(int fd, char* to, std::size_t size, std::uint32_t spin_us) {
  if (spin_us > 0) [[unlikely]]
    return receive_spinning(fd, to, size, spin_us);
  return recv(fd, to, size, 0);
}

/// Nearly always one system call; a stream may cut a large message. `to` has room for Plan::room(size); no more than `size` comes.
inline bool receive_all(int fd, char* to, std::size_t size, const Way& way = {}) {
  std::size_t room = std::max<std::size_t>(size, way.read);
  const char* const end = to + size;
  while (true) {
    const ssize_t got = receive_some(fd, to, room, way.spin);
    if (got <= 0) return false;
    to += got;
    if (to >= end) return true;
    room -= static_cast<std::size_t>(got);
  }
}

inline bool send_all(int fd, const char* from, std::size_t size) {
  while (size > 0) {
    const ssize_t put = send(fd, from, size, MSG_NOSIGNAL);
    if (put <= 0) return false;
    from += put;
    size -= static_cast<std::size_t>(put);
  }
  return true;
}

[[gnu::noinline]] inline bool send_in_two_parts(int fd, const char* from, std::size_t size,
                                                std::size_t head) {
  return send_all(fd, from, head) && send_all(fd, from + head, size - head);
}

/// A message, its first part by a send of its own where the way says so.
inline bool send_message(int fd, const char* from, std::size_t size, const Way& way) {
  if (way.head > 0 && way.head < size) [[unlikely]]
    return send_in_two_parts(fd, from, size, way.head);
  return send_all(fd, from, size);
}

/// The header and the payload in one gathered send, as an ORB sends a caller's block.
inline void send_gathered(int fd, char* head, std::size_t head_size, char* payload,
                          std::size_t payload_size) {
  iovec parts[2] = {{head, head_size}, {payload, payload_size}};
  const ssize_t put = writev(fd, parts, 2);
  if (put < 0) die("writev");
  auto sent = static_cast<std::size_t>(put);
  if (sent < head_size) {
    if (!send_all(fd, head + sent, head_size - sent)) die("send");
    sent = head_size;
  }
  if (!send_all(fd, payload + (sent - head_size), head_size + payload_size - sent)) die("send");
}

inline void pin(const std::string& cpu) {
  if (cpu.empty()) return;
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(std::strtoul(cpu.c_str(), nullptr, 10), &set);
  if (sched_setaffinity(0, sizeof set, &set) != 0) die("sched_setaffinity");
}

inline void publish(const std::string& path, const std::string& text) {
  const std::string partial = path + ".partial";
  std::FILE* f = std::fopen(partial.c_str(), "w");
  if (f == nullptr || std::fputs(text.c_str(), f) < 0 || std::fclose(f) != 0 ||
      std::rename(partial.c_str(), path.c_str()) != 0) {
    die(path.c_str());
  }
}

inline std::vector<char> contents(const std::string& path) {
  std::FILE* f = std::fopen(path.c_str(), "r");
  if (f == nullptr) die(path.c_str());
  std::vector<char> all;
  char piece[65536];
  for (std::size_t got = 0; (got = std::fread(piece, 1, sizeof piece, f)) > 0;)
    all.insert(all.end(), piece, piece + got);
  std::fclose(f);
  return all;
}

inline void send_at_once(int fd) {
  const int on = 1;
  setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

inline sockaddr_un unix_address(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strncpy(address.sun_path, path.c_str(), sizeof address.sun_path - 1);
  return address;
}

/// Listens on loopback, or at the path if there is one, and says where in the file.
inline int listen_on(const std::string& unix_path, const std::string& address_file) {
  constexpr int backlog = 128;
  int fd = -1;
  if (unix_path.empty()) {
    fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    if (bind(fd, reinterpret_cast<sockaddr*>(&address), size) != 0 || listen(fd, backlog) != 0 ||
        getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size) != 0) {
      die("bind");
    }
    publish(address_file, "tcp " + std::to_string(ntohs(address.sin_port)) + "\n");
  } else {
    fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const sockaddr_un address = unix_address(unix_path);
    unlink(unix_path.c_str());
    if (bind(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
        listen(fd, backlog) != 0) {
      die("bind");
    }
    publish(address_file, "unix " + unix_path + "\n");
  }
  return fd;
}

class Connection {
 public:
  Connection(const std::string& address_file, const Plan& plan) : plan_(plan) {
    char kind[8];
    char where[108];
    std::FILE* f = std::fopen(address_file.c_str(), "r");
    if (f == nullptr || std::fscanf(f, "%7s %107s", kind, where) != 2) die(address_file.c_str());
    std::fclose(f);
    int status = -1;
    if (std::strcmp(kind, "unix") == 0) {
      fd_ = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
      const sockaddr_un address = unix_address(where);
      status = connect(fd_, reinterpret_cast<const sockaddr*>(&address), sizeof address);
    } else {
      fd_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
      sockaddr_in address{};
      address.sin_family = AF_INET;
      address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
      address.sin_port = htons(static_cast<std::uint16_t>(std::strtoul(where, nullptr, 10)));
      status = connect(fd_, reinterpret_cast<const sockaddr*>(&address), sizeof address);
      send_at_once(fd_);
    }
    if (status != 0) die("connect");
    if (plan.kind != Kind::foreign && !send_all(fd_, reinterpret_cast<const char*>(&plan), sizeof plan))
      die("send");
  }
  ~Connection() { close(fd_); }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  int fd() const { return fd_; }
  const Plan& plan() const { return plan_; }

  /// `in` has room for plan().room(reply).
  void exchange(const char* out, char* in) const {
    if (!send_message(fd_, out, plan_.request, plan_.way) || !receive_all(fd_, in, plan_.reply, plan_.way))
      die("exchange");
  }

 private:
  const Plan plan_;
  int fd_ = -1;
};

}  // namespace raw
