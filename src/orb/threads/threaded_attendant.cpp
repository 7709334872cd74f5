// SPDX-License-Identifier: Apache-2.0
#include "orb/threads/threaded_attendant.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "orb/orb.hpp"

namespace tenon::orb {

namespace {

/// The attendant that this thread belongs to, or whose work it runs.
constinit thread_local const ThreadedAttendant* current = nullptr;

/// The most connections without a descriptor that are attended to at a time.
constexpr unsigned most_readers = 1024;

}  // namespace

ThreadedAttendant::ThreadedAttendant(protocol::Dispatcher& orb, unsigned most_workers, unsigned most_upcalls)
    : orb_(orb), readers_(most_readers), upcalls_(most_upcalls), workers_(most_workers) {}

bool ThreadedAttendant::start() {
  poller_.emplace();
  if (poller_->error() != 0) return false;
  return watcher_.start(
      [](void* self) -> void* {
        static_cast<ThreadedAttendant*>(self)->watch();
        return nullptr;
      },
      this);
}

bool ThreadedAttendant::has_worker() {
  if (!has_worker_.load(std::memory_order_relaxed) && workers_.queue([] {})) has_worker_.store(true);
  return has_worker_.load(std::memory_order_relaxed);
}

void ThreadedAttendant::attend(protocol::Connection& connection) noexcept {
  const LockGuard lock(mutex_);
  if (stopping_) return;
  arrivals_.emplace_back(&connection);
  poller_->wake();
}

void ThreadedAttendant::run_on(Workers& workers, std::function<void()> work) {
  // The caller may hold locks, so nothing of the work may end here: it moves to the worker as a whole.
  std::function<void()> marked = [this, work = std::move(work)]() mutable {
    const ThreadedAttendant* const outer = std::exchange(current, this);
    work();
    work = nullptr;  // what it holds ends here, where on_own_thread() is true
    current = outer;
  };
  // NOLINTNEXTLINE(bugprone-use-after-move): it is taken only where this is true
  if (!workers.queue(std::move(marked))) marked();
}

bool ThreadedAttendant::on_own_thread() const noexcept { return current == this; }

void ThreadedAttendant::remind(Ref<Timed> who, Deadline when) {
  const LockGuard lock(mutex_);
  if (stopping_) return;
  const bool first = reminders_.add(std::move(who), when);
  // The thread that watches looks for the first one before it waits.
  if (first && !watcher_.is_current()) poller_->wake();
}

void ThreadedAttendant::forget(Timed& who) noexcept {
  Ref<Timed> gone;  // declared before the lock: destroyed after it
  const LockGuard lock(mutex_);
  gone = reminders_.remove(who);
}

void ThreadedAttendant::stop() noexcept {
  {
    const LockGuard lock(mutex_);
    if (!std::exchange(stopping_, true) && poller_) poller_->wake();
  }
  const LockGuard alone(joining_);
  watcher_.join();
  if (poller_) poller_->close();
  readers_.stop();
  upcalls_.stop();  // before workers_: what follows the end of an upcall is left to these
  workers_.stop();
  // These may hold connections, so they end after the lock.
  Timed* untold = nullptr;
  Connections arrivals;
  {
    const LockGuard lock(mutex_);
    untold = reminders_.take_all();
    arrivals.swap(arrivals_);
  }
  Reminders::drop(untold);
}

void ThreadedAttendant::release() noexcept {
  if (!on_own_thread()) return delete this;
  static_cast<void>(Thread::detached(
      [](void* self) -> void* {
        delete static_cast<ThreadedAttendant*>(self);
        return nullptr;
      },
      this));
}

std::unique_ptr<Attendant> make_threaded_attendant(Orb& orb) {
  return std::make_unique<ThreadedAttendant>(orb, orb.options().completion_threads,
                                             std::max(orb.options().pool_threads_most, 1u));
}

// --- the thread that watches ---

void ThreadedAttendant::watch() noexcept {
  current = this;
  std::array<net::Event, net::Poller::most_events> events;
  while (take_arrivals()) {
    const std::size_t count = poller_->wait(events, tell_expired());
    for (const net::Event& event : std::span(events).first(count)) {
      const auto found = watched_.find(event.token.object<protocol::Connection>());
      if (found == watched_.end()) continue;
      if (!found->second.endpoint) {
        serve_what_came(*found->first);
      } else {
        end_rest(found->first);
      }
    }
  }
  watched_.clear();
}

/// Begins to watch what attend() brought. False: stop() has been called.
bool ThreadedAttendant::take_arrivals() {
  Connections arrivals;
  {
    const LockGuard lock(mutex_);
    if (stopping_) return false;
    arrivals.swap(arrivals_);
  }
  for (Ref<protocol::Connection>& connection : arrivals) watch_for_input(std::move(connection));
  return true;
}

void ThreadedAttendant::watch_for_input(Ref<protocol::Connection> connection) {
  protocol::Connection& one = *connection;
  end_rest(&one);
  const auto descriptor = one.transport().poll_descriptor();
  if (descriptor && poller_->add(*descriptor, &one, net::Watch::level) == 0) {
    watched_.emplace(&one, Watched{std::move(connection), nullptr});
    // The poller does not report what has been received already.
    if (one.has_input()) serve_what_came(one);
  } else if (!readers_.run([this, connection] { serve_alone(*connection); })) {
    // Nobody would read what comes, so that its calls would wait for their time-outs.
    one.abort();
  }
}

void ThreadedAttendant::serve_what_came(protocol::Connection& connection) noexcept {
  protocol::Served served = protocol::Served::message;
  while (true) {
    served = connection.serve(orb_, Deadline::immediately());
    if (served == protocol::Served::closed) return let_go(connection);
    if (served == protocol::Served::idle || !connection.has_input()) break;
  }
  // Once stay() has returned false, another thread may read and let go of the connection.
  const Ref<protocol::Connection> held(&connection);
  if (!connection.stay()) let_go(connection);
}

void ThreadedAttendant::let_go(protocol::Connection& connection) noexcept {
  if (const auto descriptor = connection.transport().poll_descriptor()) poller_->remove(*descriptor);
  watched_.erase(&connection);
}

void ThreadedAttendant::serve_alone(protocol::Connection& connection) noexcept {
  current = this;
  while (connection.serve(orb_) != protocol::Served::closed && connection.stay()) {}
  current = nullptr;
}

// --- connections that rest ---

void ThreadedAttendant::watch_resting(Ref<protocol::Connection> connection, Ref<Endpoint> endpoint) noexcept {
  protocol::Connection& one = *connection;
  const auto descriptor = one.transport().poll_descriptor();
  if (!descriptor || watched_.contains(&one)) return;
  watched_.emplace(&one, Watched{std::move(connection), std::move(endpoint)});
  if (poller_->add(*descriptor, &one, net::Watch::one_shot) != 0) watched_.erase(&one);
}

/// Called when something has come, or when the connection will be attended to. The connection may be gone.
void ThreadedAttendant::end_rest(protocol::Connection* connection) noexcept {
  const auto found = watched_.find(connection);
  if (found == watched_.end() || !found->second.endpoint) return;
  const Watched rested = std::move(found->second);
  watched_.erase(found);
  if (const auto descriptor = connection->transport().poll_descriptor()) poller_->remove(*descriptor);
  look(*rested.connection, *rested.endpoint);
}

// --- time ---

/// Tells all whose time has come. Returns the time of the next one.
Deadline ThreadedAttendant::tell_expired() {
  while (true) {
    Deadline next = Deadline::never();
    bool any = false;
    while (const Ref<Timed> due = take_due(next)) {
      due->expired();
      any = true;
    }
    if (!any) return next;
    // Calls have ended, so connections may not need to be attended to any more.
    for (auto at = watched_.begin(); at != watched_.end();) {
      const Watched& each = (at++)->second;
      const Ref<protocol::Connection> connection = each.connection;
      if (!each.endpoint && !connection->stay()) let_go(*connection);
    }
  }
}

/// Null: no reminder is due, and `next` is when the first one will be.
Ref<Timed> ThreadedAttendant::take_due(Deadline& next) {
  const LockGuard lock(mutex_);
  Ref<Timed> due = reminders_.take_due();
  next = reminders_.next();
  return due;
}

}  // namespace tenon::orb
