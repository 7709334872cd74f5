// SPDX-License-Identifier: Apache-2.0
#include "orb/threads/reactive_attendant.hpp"

#include <poll.h>

#include <algorithm>
#include <new>
#include <utility>

#include "net/wait.hpp"
#include "orb/orb.hpp"
#include "orb/server/serving.hpp"
#include "orb/threads/thread.hpp"

namespace tenon::orb {

namespace {

/// The attendant whose work this thread runs.
constinit thread_local const ReactiveAttendant* working_for = nullptr;

}  // namespace

ReactiveAttendant::ReactiveAttendant(protocol::Dispatcher& orb, Reactor& reactor)
    : Timekeeper(reactor), orb_(orb), to_do_(*this) {}

void ReactiveAttendant::attend(protocol::Connection& connection) noexcept {
  {
    const LockGuard lock(mutex_);
    if (stopped_) return;
    arrivals_.emplace_back(&connection);
  }
  reactor_.again(to_do_);
}

/// Connections that this thread is serving further up its stack are left out: the bytes that they have received may be in use.
ReactiveAttendant::Connections ReactiveAttendant::to_be_read() {
  Connections all;
  {
    const LockGuard lock(mutex_);
    all = arrivals_;
  }
  std::erase_if(all, [&](const auto& each) {
    const auto found = watched_.find(each.get());
    return found != watched_.end() && (found->second->attended || found->second->being_served);
  });
  for (const auto& [connection, watched] : watched_) {
    if (watched->attended && !watched->being_served) all.push_back(watched->connection);
  }
  return all;
}

protocol::ConnectionClock::Room ReactiveAttendant::wait_for_room(protocol::Connection& connection,
                                                                 Deadline deadline) noexcept {
  if (!reactor_.serves_here()) return Room::not_here;
  // Some descriptors always seem to have room, so that the wait below would not notice.
  if (deadline.expired()) return Room::timed_out;
  const NestedWait place(reactor_);
  const auto descriptor = connection.transport().poll_descriptor();
  if (!place.here() || !descriptor) return Room::not_here;
  const Connections others = to_be_read();
  const std::unique_ptr<pollfd[]> memory(new (std::nothrow) pollfd[others.size() + 1]);
  if (!memory) return Room::not_here;
  const std::span<pollfd> watched(memory.get(), others.size() + 1);
  watched.front() = {*descriptor, POLLOUT, 0};
  for (std::size_t i = 0; i < others.size(); ++i)
    watched[i + 1] = {others[i]->transport().poll_descriptor().value_or(-1), POLLIN, 0};
  while (net::wait_for_any(watched, deadline)) {
    for (std::size_t i = 0; i < others.size(); ++i) {
      pollfd& one = watched[i + 1];
      if (one.revents == 0) continue;
      if (!others[i]->take_in_replies()) one.fd = -1;
      const auto found = watched_.find(others[i].get());
      if (found != watched_.end()) reactor_.again(*found->second);  // what remains, and whether to stay()
    }
    if (watched.front().revents != 0) return Room::yes;
  }
  return Room::timed_out;
}

void ReactiveAttendant::run(std::function<void()> work) {
  {
    const LockGuard lock(mutex_);
    if (!stopped_) {
      tasks_.push_back(std::move(work));
      work = nullptr;
    }
  }
  if (work) return work();
  reactor_.again(to_do_);
}

bool ReactiveAttendant::on_own_thread() const noexcept { return working_for == this; }

bool ReactiveAttendant::run_one() {
  std::function<void()> task;
  {
    const LockGuard lock(mutex_);
    if (tasks_.empty()) return false;
    task = std::move(tasks_.front());
    tasks_.pop_front();
  }
  const ReactiveAttendant* const outer = std::exchange(working_for, this);
  task();
  task = nullptr;  // what it holds ends here, where on_own_thread() is true
  working_for = outer;
  return true;
}

void ReactiveAttendant::see_to_notes() {
  Connections arrivals;
  bool more = false;
  {
    const LockGuard lock(mutex_);
    arrivals.swap(arrivals_);
    more = !tasks_.empty();
  }
  for (Ref<protocol::Connection>& connection : arrivals) watch_for_input(std::move(connection));
  if (!more) return;
  // Called before the task runs, since that may take long and may itself wait for another task.
  reactor_.again(to_do_);
  (void)run_one();
}

/// The connection as it is watched from now on. Null: it cannot be.
ReactiveAttendant::Watched* ReactiveAttendant::watch(Ref<protocol::Connection> connection) {
  protocol::Connection& one = *connection;
  const auto found = watched_.find(&one);
  if (found != watched_.end()) return found->second.get();
  const auto descriptor = one.transport().poll_descriptor();
  auto made = std::make_unique<Watched>(*this, std::move(connection));
  if (!made || !descriptor || reactor_.watch(*descriptor, *made, net::Watch::edge) != 0) return nullptr;
  return watched_.emplace(&one, std::move(made)).first->second.get();
}

void ReactiveAttendant::watch_for_input(Ref<protocol::Connection> connection) {
  protocol::Connection& one = *connection;
  Watched* const known = watch(connection);
  // NOLINTNEXTLINE(clang-analyzer-cplusplus.NewDelete): `connection` holds it
  if (known == nullptr) return one.abort();
  known->attended = true;
  // The poller does not report what has been received already.
  // NOLINTNEXTLINE(clang-analyzer-cplusplus.NewDelete): `connection` holds it
  if (one.has_input()) reactor_.again(*known);
}

/// If this thread has read the connection before, it is watched already.
void ReactiveAttendant::watch_resting(Ref<protocol::Connection> connection, Ref<Endpoint> endpoint) noexcept {
  if (Watched* const known = watch(std::move(connection))) known->endpoint = std::move(endpoint);
}

void ReactiveAttendant::serve(Watched& watched) {
  const Ref<protocol::Connection> held = watched.connection;
  protocol::Connection& connection = *held;
  // Other threads read it, or it rests.
  if (!watched.attended) {
    const Ref<Endpoint> endpoint = watched.endpoint;
    let_go(connection);
    if (endpoint) look(connection, *endpoint);
    return;
  }
  // An edge that comes while messages lie in the buffer is used up for one of them, so look once more after the last one.
  const bool buffered = connection.has_input();
  ServingThread& me = ServingThread::current();
  const ServingThread outer = me;
  me = {.reactor = &reactor_, .source = &watched, .floor = UpcallScope::innermost()};
  const bool within = std::exchange(watched.being_served, true);
  const protocol::Served served = connection.serve(orb_, Deadline::immediately());
  const bool handed_over = me.handed_over;
  me = outer;
  const auto found = watched_.find(&connection);
  if (found == watched_.end() || found->second->connection.get() != held.get()) return;
  found->second->being_served = within;
  if (served == protocol::Served::closed && !handed_over) return let_go(connection);
  if (!found->second->attended) return;
  // When it is idle, all that has come was read, though it may be the beginning of a message.
  if (served != protocol::Served::idle && (buffered || connection.has_input()))
    return reactor_.again(*found->second);
  if (!connection.stay()) found->second->attended = false;
}

void ReactiveAttendant::let_go(protocol::Connection& connection) {
  const auto found = watched_.find(&connection);
  if (found == watched_.end()) return;
  const std::unique_ptr<Watched> gone = std::move(found->second);
  watched_.erase(found);
  if (const auto descriptor = connection.transport().poll_descriptor()) reactor_.unwatch(*descriptor, *gone);
}

void ReactiveAttendant::stop() noexcept {
  {
    const LockGuard lock(mutex_);
    stopped_ = true;
  }
  while (run_one()) {}
  Timekeeper::stop();
  if (!reactor_.serves_here()) return;
  // Two threads that end the ORB may come here at once: only one of them is the reactor's.
  const NestedWait place(reactor_);
  if (place.here()) let_go_of_all();
}

void ReactiveAttendant::close() noexcept {
  let_go_of_all();
  Connections arrivals;
  {
    const LockGuard lock(mutex_);
    arrivals.swap(arrivals_);
  }
  Timekeeper::close();
}

void ReactiveAttendant::release() noexcept {
  if (!on_own_thread()) return delete this;
  static_cast<void>(Thread::detached(
      [](void* self) -> void* {
        delete static_cast<ReactiveAttendant*>(self);
        return nullptr;
      },
      this));
}

// --- waits ---

ServingWait* ReactiveAttendant::make_wait(RoomFor<ServingWait>& room) {
  if (!reactor_.serves_here()) return nullptr;
  if (room.emplace(reactor_, *this).here()) {
    end_those_due();
    return room.get();
  }
  room.reset();  // another thread serves
  return nullptr;
}

Result<Attendant::Waited> ReactiveAttendant::wait_here(FunctionRef<bool()> done, Deadline by) {
  if (!reactor_.serves_here()) return Waited::not_here;
  NestedWait nested(reactor_);
  if (!nested.here()) return Waited::not_here;
  if (const Status begun = nested.begin(); !begun) return begun.error();
  return nested.until(done, by) ? Waited::done : Waited::timed_out;
}

void ReactiveAttendant::let_go_of_all() noexcept {
  while (!watched_.empty()) {
    const Ref<protocol::Connection> one = watched_.begin()->second->connection;
    let_go(*one);
  }
}

void ReactiveAttendant::end_those_due() {
  // The work may make a call, and that calls this function again.
  if (ending_) return;
  keep_time();
  if (!std::exchange(told_some_, false)) return;
  struct Ending {
    bool& now;
    ~Ending() { now = false; }
  } const ending{ending_};
  ending_ = true;
  std::size_t left = 0;
  {
    const LockGuard lock(mutex_);
    left = tasks_.size();
  }
  while (left-- != 0 && run_one()) {}
}

void ReactiveAttendant::told_some() {
  told_some_ = true;
  drop_ended();
}

/// Calls have ended, so their connections may need no attendant any more, or may have ended as well. The thread may see much later what the
/// poller reports of that, and descriptors would stay open until then.
void ReactiveAttendant::drop_ended() {
  for (auto at = watched_.begin(); at != watched_.end();) {
    Watched& one = *at->second;
    ++at;
    if (one.attended && !one.connection->stay()) one.attended = false;
    if (one.connection->usable() || one.being_served) continue;
    const Ref<protocol::Connection> ended = one.connection;
    let_go(*ended);
  }
  while (true) {
    Ref<protocol::Connection> ended;  // declared before the lock: destroyed after it
    const LockGuard lock(mutex_);
    const auto dead = std::ranges::find_if(arrivals_, [](const auto& each) { return !each->usable(); });
    if (dead == arrivals_.end()) break;
    ended = std::move(*dead);
    arrivals_.erase(dead);
  }
}

std::unique_ptr<Attendant> make_reactive_attendant(Orb& orb) {
  return std::make_unique<ReactiveAttendant>(orb, *orb.reactor());
}

}  // namespace tenon::orb
