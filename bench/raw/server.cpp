// SPDX-License-Identifier: Apache-2.0
#include "server.hpp"

#include <pthread.h>

#include <algorithm>
#include <csignal>
#include <memory>
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
  std::vector<char> buffer(std::max({plan.request, plan.reply, 8u}));
  std::vector<Object> table(plan.table);
  for (std::uint32_t i = 0; i < plan.table; ++i) table[i].number = i;
  char* const bytes = buffer.data();
  const auto receive = plan.kind == Kind::spin ? receive_spinning : receive_all;
  while (receive(fd, bytes, plan.request)) {
    if (plan.table != 0) {
      std::uint32_t number = 0;
      std::memcpy(&number, bytes, sizeof number);
      if (number >= plan.table || table[number].number != number) return;
      ++table[number].calls;
    }
    if (!send_all(fd, bytes, plan.reply)) return;
  }
}

void swallow(int fd, const Plan& plan) {
  std::vector<char> buffer(plan.request);
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

// Messages as they come, many to a receive: whoever sends batches reads batches.
void swallow_batches(int fd, const Plan& plan) {
  std::vector<char> buffer(plan.reply);
  std::uint64_t octets = 0;
  std::uint64_t count = 0;
  while (true) {
    const ssize_t got = recv(fd, buffer.data(), buffer.size(), 0);
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
    if (plan.kind != Kind::flood) {
      answer(fd, plan);
    } else if (plan.reply > plan.request) {
      swallow_batches(fd, plan);
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
