// SPDX-License-Identifier: Apache-2.0
//
// What the socket alone costs: the same bytes in the same sizes as an ORB's messages, by a program without
// an ORB. The baseline of every ratio that the benchmarks report.
//
//   raw server --address FILE [--unix PATH] [--cpu N] [--idle SECONDS]
//   raw client --address FILE [--cpu N]         commands on standard input:
//     pingpong COUNT REQUEST REPLY   two-way messages of these sizes    -> "P50 P99" nanoseconds
//     calls COUNT REQUEST REPLY      the same without a clock           -> "done"
//     flood COUNT SIZE PAYLOAD       one-way messages, proved received  -> MB/s of payload
//
// One send and one receive for each message; TCP_NODELAY; blocking sockets. A connection opens with three
// numbers that say what will travel over it. The server takes one connection at a time.
//
// Threads: one.

#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sched.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <optional>

#include "blocks.hpp"

namespace {

struct Plan {
  std::uint32_t flood;  // 0: ping-pong
  std::uint32_t request;
  std::uint32_t reply;
};

[[noreturn]] void die(const char* what) {
  std::perror(what);
  std::exit(1);
}

// Nearly always one system call; a stream may cut a large message.
bool receive_all(int fd, char* to, std::size_t size) {
  while (size > 0) {
    const ssize_t got = recv(fd, to, size, 0);
    if (got <= 0) return false;
    to += got;
    size -= static_cast<std::size_t>(got);
  }
  return true;
}

bool send_all(int fd, const char* from, std::size_t size) {
  while (size > 0) {
    const ssize_t put = send(fd, from, size, MSG_NOSIGNAL);
    if (put <= 0) return false;
    from += put;
    size -= static_cast<std::size_t>(put);
  }
  return true;
}

void pin(const std::string& cpu) {
  if (cpu.empty()) return;
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(std::strtoul(cpu.c_str(), nullptr, 10), &set);
  if (sched_setaffinity(0, sizeof set, &set) != 0) die("sched_setaffinity");
}

struct Options {
  std::string address, unix_path, cpu, idle = "60";
};

Options parse(int argc, char** argv) {
  Options o;
  for (int i = 2; i + 1 < argc; i += 2) {
    const std::string name = argv[i];
    std::string* value = name == "--address" ? &o.address
                         : name == "--unix"  ? &o.unix_path
                         : name == "--cpu"   ? &o.cpu
                         : name == "--idle"  ? &o.idle
                                             : nullptr;
    if (value == nullptr) {
      std::fprintf(stderr, "raw: unknown option %s\n", argv[i]);
      std::exit(2);
    }
    *value = argv[i + 1];
  }
  return o;
}

// ---- server ----------------------------------------------------------------------------------------------

void publish(const std::string& path, const std::string& text) {
  const std::string partial = path + ".partial";
  std::FILE* f = std::fopen(partial.c_str(), "w");
  if (f == nullptr || std::fputs(text.c_str(), f) < 0 || std::fclose(f) != 0 ||
      std::rename(partial.c_str(), path.c_str()) != 0) {
    die(path.c_str());
  }
}

sockaddr_un unix_address(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strncpy(address.sun_path, path.c_str(), sizeof address.sun_path - 1);
  return address;
}

int listen_on(const Options& o) {
  int fd = -1;
  if (o.unix_path.empty()) {
    fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    if (bind(fd, reinterpret_cast<sockaddr*>(&address), size) != 0 || listen(fd, 8) != 0 ||
        getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size) != 0) {
      die("bind");
    }
    publish(o.address, "tcp " + std::to_string(ntohs(address.sin_port)) + "\n");
  } else {
    fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const sockaddr_un address = unix_address(o.unix_path);
    unlink(o.unix_path.c_str());
    if (bind(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 || listen(fd, 8) != 0) {
      die("bind");
    }
    publish(o.address, "unix " + o.unix_path + "\n");
  }
  return fd;
}

void answer(int fd, const Plan& plan, std::vector<char>& buffer) {
  buffer.resize(std::max({plan.request, plan.reply, 8u}));
  char* const bytes = buffer.data();
  while (receive_all(fd, bytes, plan.request) && send_all(fd, bytes, plan.reply)) {}
}

// A message whose first octet is not zero asks how many came since the last such one.
void swallow(int fd, const Plan& plan, std::vector<char>& buffer) {
  buffer.resize(plan.request);
  std::uint64_t count = 0;
  while (receive_all(fd, buffer.data(), plan.request)) {
    if (buffer[0] == 0) {
      ++count;
    } else if (!send_all(fd, reinterpret_cast<const char*>(&count), sizeof count)) {
      return;
    } else {
      count = 0;
    }
  }
}

void stop(int) {}  // interrupts accept() and recv(), which end the program

int serve(const Options& o) {
  struct sigaction action{};
  action.sa_handler = stop;
  sigaction(SIGTERM, &action, nullptr);
  sigaction(SIGALRM, &action, nullptr);
  const auto idle = static_cast<unsigned>(std::strtoul(o.idle.c_str(), nullptr, 10));
  const int listener = listen_on(o);
  std::vector<char> buffer;
  for (;;) {
    alarm(idle);
    const int fd = accept4(listener, nullptr, nullptr, SOCK_CLOEXEC);
    if (fd < 0) break;
    const int on = 1;
    if (o.unix_path.empty()) setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    Plan plan{};
    if (receive_all(fd, reinterpret_cast<char*>(&plan), sizeof plan)) {
      if (plan.flood != 0) {
        swallow(fd, plan, buffer);
      } else {
        answer(fd, plan, buffer);
      }
    }
    const bool interrupted = errno == EINTR;
    close(fd);
    if (interrupted) break;
    errno = 0;
  }
  if (!o.unix_path.empty()) unlink(o.unix_path.c_str());
  return 0;
}

// ---- client ----------------------------------------------------------------------------------------------

class Connection {
 public:
  Connection(const std::string& address_file, Plan plan) {
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
      const int on = 1;
      setsockopt(fd_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    }
    if (status != 0) die("connect");
    if (!send_all(fd_, reinterpret_cast<const char*>(&plan), sizeof plan)) die("send");
  }
  ~Connection() { close(fd_); }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  int fd() const { return fd_; }

 private:
  int fd_ = -1;
};

// One connection is kept for as long as the plan stays the same: a new one would start with TCP's small windows.
int connected(const Options& o, const Plan& plan) {
  static std::optional<Connection> kept;
  static Plan of{};
  if (!kept || plan.flood != of.flood || plan.request != of.request || plan.reply != of.reply) {
    kept.emplace(o.address, plan);
    of = plan;
  }
  return kept->fd();
}

void exchange(int fd, const char* out, std::size_t request, char* in, std::size_t reply) {
  if (!send_all(fd, out, request) || !receive_all(fd, in, reply)) die("exchange");
}

// The header and the payload in one gathered send, as an ORB sends a caller's block.
void send_gathered(int fd, char* head, std::size_t head_size, char* payload, std::size_t payload_size) {
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

std::string flood(const Options& o, std::size_t count, std::size_t size, std::size_t payload_size) {
  if (payload_size >= size) return "error the payload must be smaller than the message";
  const int fd = connected(o, Plan{1, static_cast<std::uint32_t>(size), 0});
  std::vector<char> head(size - payload_size, 0);
  std::vector<char> payload(payload_size, 0x2a);
  const std::uint64_t begin = blocks::now_ns();
  for (std::size_t i = 0; i < count; ++i) {
    send_gathered(fd, head.data(), head.size(), payload.data(), payload.size());
  }
  head[0] = 1;
  send_gathered(fd, head.data(), head.size(), payload.data(), payload.size());
  std::uint64_t received = 0;
  if (!receive_all(fd, reinterpret_cast<char*>(&received), sizeof received)) die("proof");
  const std::uint64_t end = blocks::now_ns();
  if (received != count) return "error the server received " + std::to_string(received);
  return blocks::rate(count * payload_size, end - begin);
}

std::string two_way(const Options& o, bool timed, std::size_t count, std::size_t request, std::size_t reply) {
  const Plan plan{0, static_cast<std::uint32_t>(request), static_cast<std::uint32_t>(reply)};
  const int fd = connected(o, plan);
  std::vector<char> out(request, 0x2a);
  std::vector<char> in(reply);
  const auto call = [&, fd] { exchange(fd, out.data(), out.size(), in.data(), in.size()); };
  if (timed) return blocks::time_calls(count, call);
  for (std::size_t i = 0; i < count; ++i) call();
  return "done";
}

int command(const Options& o) {
  return blocks::serve_commands([&](const blocks::Words& words) -> std::string {
    const std::size_t count = blocks::number(words, 1);
    const std::size_t first = std::max<std::size_t>(blocks::number(words, 2), 1);
    const std::size_t second = std::max<std::size_t>(blocks::number(words, 3), 1);
    if (words[0] == "pingpong" || words[0] == "calls")
      return two_way(o, words[0] == "pingpong", count, first, second);
    if (words[0] == "flood") return flood(o, count, first, second);
    return "";
  });
}

}  // namespace

int main(int argc, char** argv) {
  const std::string role = argc > 1 ? argv[1] : "";
  const Options options = parse(argc, argv);
  if (options.address.empty() || (role != "server" && role != "client")) {
    std::fprintf(stderr,
                 "usage: raw server|client --address FILE [--unix PATH] [--cpu N] [--idle SECONDS]\n");
    return 2;
  }
  pin(options.cpu);
  return role == "server" ? serve(options) : command(options);
}
