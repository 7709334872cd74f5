// SPDX-License-Identifier: Apache-2.0
#include "tests/faults/proxy.hpp"

#include <netinet/tcp.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>

#include "tests/faults/place.hpp"

namespace tenon::faults {
namespace {

void send_at_once(int fd) {
  const int on = 1;
  ::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

bool send_all(int fd, const char* from, std::size_t size) {
  while (size > 0) {
    const ssize_t put = ::send(fd, from, size, MSG_NOSIGNAL);
    if (put <= 0) return false;
    from += put;
    size -= static_cast<std::size_t>(put);
  }
  return true;
}

}  // namespace

Proxy::Proxy(const std::string& endpoint, std::uint32_t seed) : upstream_(endpoint), random_(seed) {
  endpoint_ = is_path(endpoint) ? endpoint + ".proxy" : "iiop://127.0.0.1";
  Place here(endpoint_);
  listener_ = here.new_socket();
  if (::bind(listener_, here.to(), here.size) != 0 || ::listen(listener_, 64) != 0) {
    std::perror(endpoint_.c_str());
    std::abort();
  }
  if (!is_path(endpoint)) {
    ::getsockname(listener_, reinterpret_cast<sockaddr*>(&here.address), &here.size);
    endpoint_ += ":" + std::to_string(ntohs(reinterpret_cast<const sockaddr_in&>(here.address).sin_port));
  }
  accepting_ = std::thread([this] { accept(); });
}

Proxy::~Proxy() {
  ended_ = true;
  ::shutdown(listener_, SHUT_RDWR);
  accepting_.join();
  ::close(listener_);
  if (is_path(endpoint_)) ::unlink(endpoint_.substr(endpoint_.find("://") + 3).c_str());
  // Nobody else is left: no lock.
  for (const auto& link : links_) {
    end(*link, false);
    for (std::thread& each : link->threads) each.join();
    ::close(link->client);
    ::close(link->server);
  }
}

void Proxy::heal() {
  healed_ = true;
  const std::lock_guard lock(mutex_);
  for (const auto& link : links_) {
    if (link->up.fault != Fault::none || link->down.fault != Fault::none) end(*link, false);
  }
}

void Proxy::accept() {
  const Place upstream(upstream_);
  while (!ended_) {
    const int client = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    if (client < 0) {
      if (errno == EINTR || errno == ECONNABORTED) continue;
      return;
    }
    const int server = upstream.new_socket();
    if (::connect(server, upstream.to(), upstream.size) != 0) {
      ::close(server);
      ::close(client);
      continue;
    }
    send_at_once(client);
    send_at_once(server);
    const std::lock_guard lock(mutex_);
    Link& link = *links_.emplace_back(std::make_unique<Link>());
    link.client = client;
    link.server = server;
    // One direction at most: what the other brings shows that it is the fault of this one.
    (random_() % 2 == 0 ? link.up : link.down) = draw_fate(0);
    link.threads[0] = std::thread([this, &link] { pump(link, link.client, link.server, link.up); });
    link.threads[1] = std::thread([this, &link] { pump(link, link.server, link.client, link.down); });
  }
}

/// With the lock.
Proxy::Fate Proxy::draw_fate(std::uint64_t passed) {
  if (healed_) return {};
  constexpr Fault faults[] = {Fault::close, Fault::close,   Fault::reset,  Fault::reset,
                              Fault::stall, Fault::trickle, Fault::trickle};
  // Half of them inside the first headers, the others inside or between later messages.
  constexpr std::uint32_t reach[] = {13, 120, 5000, 400000};
  return {faults[random_() % std::size(faults)], passed + random_() % reach[random_() % 4]};
}

/// Until the connection has ended, or for ever: until the proxy ends it.
void Proxy::stand_still(const Link& link, int from) {
  while (!ended_ && !healed_ && !link.spoiled) {
    pollfd watched{from, POLLRDHUP, 0};
    if (::poll(&watched, 1, 10) > 0) return;
  }
}

void Proxy::pump(Link& link, int from, int to, Fate fate) {
  char buffer[4096];
  std::uint64_t passed = 0;
  while (true) {
    const bool struck = fate.fault != Fault::none && passed >= fate.after;
    if (struck && passed == fate.after) ++happened_[static_cast<std::size_t>(fate.fault)];
    if (struck && fate.fault == Fault::stall) stand_still(link, from);
    if (struck && fate.fault != Fault::trickle) return end(link, fate.fault == Fault::reset);
    // Never past the place where the fault is.
    std::size_t most = sizeof buffer;
    if (struck)
      most = 1 + passed % 7;
    else if (fate.fault != Fault::none)
      most = std::min<std::uint64_t>(most, fate.after - passed);
    const ssize_t got = ::recv(from, buffer, most, 0);
    if (got <= 0 || !send_all(to, buffer, static_cast<std::size_t>(got))) return end(link, false);
    passed += static_cast<std::uint64_t>(got);
    // Late, but not for ever: large messages get through.
    if (struck && passed % 64 < 7 && passed < fate.after + 2000) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    if (struck && passed >= fate.after + 2000) {
      const std::lock_guard lock(mutex_);
      fate = draw_fate(passed);
    }
  }
}

void Proxy::end(Link& link, bool reset) noexcept {
  if (link.spoiled.exchange(true)) return;
  if (reset) {
    // A TCP connection that is closed with this option is reset; here the descriptors stay, so that nobody else gets their numbers.
    const int nowhere = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const linger at_once{1, 0};
    for (const int fd : {link.client, link.server}) {
      ::setsockopt(fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
      ::shutdown(fd, SHUT_RD);  // wakes whoever reads it
      ::dup2(nowhere, fd);
    }
    ::close(nowhere);
    return;
  }
  ::shutdown(link.client, SHUT_RDWR);
  ::shutdown(link.server, SHUT_RDWR);
}

}  // namespace tenon::faults
