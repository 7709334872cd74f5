// SPDX-License-Identifier: Apache-2.0
#include "net/poller.hpp"

#include <poll.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "net/wait.hpp"

namespace tenon::net {
namespace {

int control(int epoll, int operation, int fd, std::uint32_t events, Token token) noexcept {
  epoll_event event{};
  event.events = events;
  event.data.u64 = token.number();
  return ::epoll_ctl(epoll, operation, fd, &event) == 0 ? 0 : errno;
}

constexpr std::uint32_t input = EPOLLIN | EPOLLRDHUP;

}  // namespace

Poller::Poller() noexcept
    : epoll_(::epoll_create1(EPOLL_CLOEXEC)),
      wake_(::eventfd(0, EFD_SEMAPHORE | EFD_NONBLOCK | EFD_CLOEXEC)) {
  if (!epoll_ || !wake_) {
    error_ = errno;
    return;
  }
  error_ = control(epoll_.get(), EPOLL_CTL_ADD, wake_.get(), EPOLLIN, {});
}

int Poller::add(int fd, Token token, Watch watch) noexcept {
  std::uint32_t events = input;
  if (watch == Watch::one_shot) events |= EPOLLONESHOT;
  if (watch == Watch::edge) events |= EPOLLET;
  return control(epoll_.get(), EPOLL_CTL_ADD, fd, events, token);
}

int Poller::change(int fd, Token token, Watch watch) noexcept {
  std::uint32_t events = watch == Watch::room ? EPOLLOUT | EPOLLONESHOT : input;
  if (watch == Watch::one_shot) events |= EPOLLONESHOT;
  if (watch == Watch::edge) events |= EPOLLET;
  return control(epoll_.get(), EPOLL_CTL_MOD, fd, events, token);
}

int Poller::remove(int fd) noexcept { return control(epoll_.get(), EPOLL_CTL_DEL, fd, 0, {}); }

// epoll always reports hang-ups and errors, whichever events are asked for.
int Poller::pause(int fd, Token token) noexcept {
  return control(epoll_.get(), EPOLL_CTL_MOD, fd, EPOLLET, token);
}

int Poller::resume(int fd, Token token) noexcept {
  return control(epoll_.get(), EPOLL_CTL_MOD, fd, input | EPOLLET, token);
}

std::size_t Poller::wait(std::span<Event> events, Deadline deadline) noexcept {
  epoll_event raw[most_events];
  const std::size_t room = std::min(events.size(), most_events);
  for (;;) {
    const int count = ::epoll_wait(epoll_.get(), raw, static_cast<int>(room), deadline.remaining_ms());
    if (count < 0 && errno != EINTR) return 0;
    if (count == 0) return 0;
    std::size_t filled = 0;
    bool woken = false;
    for (int i = 0; i < count; ++i) {
      if (raw[i].data.u64 == 0) {
        woken = take_wake();
      } else {
        events[filled++] = {raw[i].data.u64, (raw[i].events & (EPOLLHUP | EPOLLERR | EPOLLRDHUP)) != 0};
      }
    }
    if (filled != 0 || woken) return filled;
  }
}

bool Poller::has_events() const noexcept { return wait_for(epoll_.get(), POLLIN, Deadline::immediately()); }

// False: another thread has taken it.
bool Poller::take_wake() noexcept {
  std::uint64_t one = 0;
  return ::read(wake_.get(), &one, sizeof one) == static_cast<ssize_t>(sizeof one);
}

void Poller::wake(std::uint32_t waits) noexcept {
  const std::uint64_t count = waits;
  while (::write(wake_.get(), &count, sizeof count) < 0 && errno == EINTR) {}
}

}  // namespace tenon::net
