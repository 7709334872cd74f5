// SPDX-License-Identifier: Apache-2.0
#include "server.hpp"

#include <pthread.h>
#include <sys/epoll.h>

#include <algorithm>
#include <csignal>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace raw {
namespace {

/// What a server that knows nothing but numbers would have for each of its objects.
struct Object {
  std::uint32_t number;
  std::uint32_t calls;
};

void answer(int fd, const Plan& plan) {
  std::vector<char> buffer(plan.room(std::max({plan.request, plan.reply, 8u})));
  std::vector<Object> table(plan.table);
  for (std::uint32_t i = 0; i < plan.table; ++i) table[i].number = i;
  char* const bytes = buffer.data();
  while (receive_all(fd, bytes, plan.request, plan.way)) {
    if (plan.table != 0) {
      std::uint32_t number = 0;
      std::memcpy(&number, bytes, sizeof number);
      if (number >= plan.table || table[number].number != number) return;
      ++table[number].calls;
    }
    if (!send_message(fd, bytes, plan.reply, plan.way)) return;
  }
}

/// A thread that answers the requests of many connections.
class Loop {
 public:
  explicit Loop(std::uint32_t spin_us) : spin_us_(spin_us) {
    if (epoll_ < 0) die("epoll_create1");
    std::thread([this] { run(); }).detach();
  }

  /// From now on the loop's, which closes it.
  void add(int fd, const Plan& plan) {
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.ptr = new Guest{fd, plan, 0, std::vector<char>(std::max({plan.request, plan.reply, 1u}))};
    if (epoll_ctl(epoll_, EPOLL_CTL_ADD, fd, &event) != 0) die("epoll_ctl");
  }

 private:
  struct Guest {
    int fd;
    Plan plan;
    std::size_t have;
    std::vector<char> bytes;
  };

  int wait(epoll_event* events, int most) const {
    if (spin_us_ > 0) {
      const std::uint64_t end = blocks::now_ns() + std::uint64_t{spin_us_} * 1000;
      do {
        const int found = epoll_wait(epoll_, events, most, 0);
        if (found != 0) return found;
      } while (blocks::now_ns() < end);
    }
    return epoll_wait(epoll_, events, most, -1);
  }

  [[noreturn]] void run() const {
    epoll_event events[64];
    while (true) {
      const int found = wait(events, 64);
      for (int i = 0; i < found; ++i) {
        auto* const guest = static_cast<Guest*>(events[i].data.ptr);
        if (serve(*guest)) continue;
        close(guest->fd);
        delete guest;
      }
    }
  }

  static bool serve(Guest& guest) {
    const ssize_t got =
        recv(guest.fd, guest.bytes.data() + guest.have, guest.plan.request - guest.have, MSG_DONTWAIT);
    if (got <= 0) return got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK);
    guest.have += static_cast<std::size_t>(got);
    if (guest.have < guest.plan.request) return true;
    guest.have = 0;
    return send_message(guest.fd, guest.bytes.data(), guest.plan.reply, guest.plan.way);
  }

  const int epoll_ = epoll_create1(EPOLL_CLOEXEC);
  const std::uint32_t spin_us_;
};

/// The loops that serve such a way are started with its first connection and stay.
void give_to_loop(int fd, const Plan& plan) {
  struct Group {
    Way way;
    std::vector<std::unique_ptr<Loop>> loops;
    std::size_t next = 0;
  };
  static std::mutex mutex;  // guards the groups
  static std::vector<Group> groups;
  const std::lock_guard lock(mutex);
  auto group = std::find_if(groups.begin(), groups.end(), [&](const Group& g) { return g.way == plan.way; });
  if (group == groups.end()) {
    group = groups.insert(groups.end(), Group{plan.way, {}, 0});
    for (std::uint32_t i = 0; i < plan.way.loops; ++i)
      group->loops.push_back(std::make_unique<Loop>(plan.way.spin));
  }
  group->loops[group->next++ % group->loops.size()]->add(fd, plan);
}

void swallow(int fd, const Plan& plan) {
  std::vector<char> buffer(plan.request);
  std::uint64_t count = 0;
  const Way way{.spin = plan.way.spin};
  while (receive_all(fd, buffer.data(), plan.request, way)) {
    if (buffer[0] == 0) {
      ++count;
    } else if (!send_all(fd, reinterpret_cast<const char*>(&count), sizeof count)) {
      return;
    } else {
      count = 0;
    }
  }
}

// Messages as they come, parts of them or many to a receive.
void swallow_stream(int fd, const Plan& plan) {
  std::vector<char> buffer(plan.way.read);
  std::uint64_t octets = 0;
  std::uint64_t count = 0;
  while (true) {
    const ssize_t got = receive_some(fd, buffer.data(), buffer.size(), plan.way.spin);
    if (got <= 0) return;
    const auto size = static_cast<std::uint64_t>(got);
    // The first octet of each message that begins in this piece.
    for (std::uint64_t at = (plan.request - octets % plan.request) % plan.request; at < size;
         at += plan.request) {
      if (buffer[at] == 0) {
        ++count;
        continue;
      }
      if (!send_all(fd, reinterpret_cast<const char*>(&count), sizeof count)) return;
      count = 0;
    }
    octets += size;
  }
}

}  // namespace

void serve_connection(int fd) {
  send_at_once(fd);
  Plan plan{};
  if (receive_all(fd, reinterpret_cast<char*>(&plan), sizeof plan)) {
    if (plan.kind != Kind::flood && plan.way.loops > 0) {
      give_to_loop(fd, plan);
      return;
    }
    if (plan.kind != Kind::flood) {
      answer(fd, plan);
    } else if (plan.way.read > 0) {
      swallow_stream(fd, plan);
    } else {
      swallow(fd, plan);
    }
  }
  close(fd);
}

void accept_connections(int listener) {
  while (true) {
    const int fd = accept4(listener, nullptr, nullptr, SOCK_CLOEXEC);
    if (fd < 0) return;
    // Signals are for the thread that accepts.
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    std::thread(serve_connection, fd).detach();
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
  }
}

}  // namespace raw
