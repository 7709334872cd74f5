// SPDX-License-Identifier: Apache-2.0
#include "orb/attendant.hpp"

#include <array>
#include <new>
#include <system_error>
#include <utility>

namespace tenon::orb {

namespace {

/// Whose thread this is.
constinit thread_local const Attendant* current = nullptr;

/// Connections without a descriptor that are attended to at a time.
constexpr unsigned most_readers = 1024;

}  // namespace

Attendant::Attendant(protocol::Dispatcher& orb, unsigned most_workers, unsigned most_upcalls)
    : orb_(orb), readers_(most_readers), upcalls_(most_upcalls), workers_(most_workers) {}

bool Attendant::start() {
  poller_.emplace();
  if (poller_->error() != 0) return false;
  try {
    watcher_ = std::thread([this] { watch(); });
  } catch (const std::system_error&) {
    return false;
  }
  return true;
}

bool Attendant::has_worker() {
  if (!has_worker_.load(std::memory_order_relaxed) && workers_.queue([] {})) has_worker_.store(true);
  return has_worker_.load(std::memory_order_relaxed);
}

void Attendant::attend(protocol::Connection& connection) noexcept {
  const std::lock_guard lock(mutex_);
  if (stopping_) return;
  arrivals_.emplace_back(&connection);
  poller_->wake();
}

void Attendant::run(std::function<void()> work) { run_on(workers_, std::move(work)); }

void Attendant::run_upcall(std::function<void()> work) { run_on(upcalls_, std::move(work)); }

void Attendant::run_on(Workers& workers, std::function<void()> work) {
  // Nothing of the work may end here, where locks are held: it moves to the worker as a whole.
  std::function<void()> marked = [this, work = std::move(work)]() mutable {
    const Attendant* const outer = std::exchange(current, this);
    work();
    work = nullptr;  // what it holds ends here, where on_own_thread() is true
    current = outer;
  };
  // NOLINTNEXTLINE(bugprone-use-after-move): it is taken only where this is true
  if (!workers.queue(std::move(marked))) marked();
}

bool Attendant::on_own_thread() const noexcept { return current == this; }

void Attendant::remind(Ref<Timed> who, Deadline when) {
  const std::lock_guard lock(mutex_);
  if (stopping_) return;
  const auto place = reminders_.insert({when.ns(), std::move(who)}).first;
  // The thread that watches looks for the next one before it waits.
  if (place == reminders_.begin() && std::this_thread::get_id() != watcher_.get_id()) poller_->wake();
}

void Attendant::forget(const Timed& who, Deadline when) noexcept {
  Reminders::node_type gone;  // ends outside the lock
  const std::lock_guard lock(mutex_);
  const auto found = find_reminder(reminders_, who, when);
  if (found != reminders_.end()) gone = reminders_.extract(found);
}

/// Where it is; end() where it is not.
Attendant::Reminders::const_iterator Attendant::find_reminder(const Reminders& among, const Timed& who,
                                                              Deadline when) noexcept {
  auto at = among.lower_bound({when.ns(), nullptr});
  while (at != among.end() && at->when == when.ns()) {
    if (at->who.get() == &who) return at;
    ++at;
  }
  return among.end();
}

void Attendant::stop() noexcept {
  {
    const std::lock_guard lock(mutex_);
    if (!std::exchange(stopping_, true) && poller_) poller_->wake();
  }
  const std::lock_guard alone(joining_);
  if (watcher_.joinable()) watcher_.join();
  if (poller_) poller_->close();
  readers_.stop();
  upcalls_.stop();  // first: what follows their ends is work
  workers_.stop();
  // Whom nobody will tell any more may hold a connection.
  Reminders untold;
  std::vector<Ref<protocol::Connection>> arrivals;
  const std::lock_guard lock(mutex_);
  untold.swap(reminders_);
  arrivals.swap(arrivals_);
}

// --- the thread that watches ---

void Attendant::watch() noexcept {
  current = this;
  std::array<net::Event, net::Poller::most_events> events;
  while (take_arrivals()) {
    const std::size_t count = poller_->wait(events, tell_expired());
    for (const net::Event& event : std::span(events).first(count)) {
      const auto found = watched_.find(static_cast<protocol::Connection*>(event.token));
      if (found != watched_.end()) {
        serve_what_came(*found->second);
      } else {
        end_rest(static_cast<protocol::Connection*>(event.token));
      }
    }
  }
  watched_.clear();
  resting_.clear();
}

/// Begins to watch what attend() brought. False: it is over.
bool Attendant::take_arrivals() {
  std::vector<Ref<protocol::Connection>> arrivals;
  {
    const std::lock_guard lock(mutex_);
    if (stopping_) return false;
    arrivals.swap(arrivals_);
  }
  for (Ref<protocol::Connection>& connection : arrivals) watch_for_input(std::move(connection));
  return true;
}

void Attendant::watch_for_input(Ref<protocol::Connection> connection) {
  protocol::Connection& one = *connection;
  end_rest(&one);
  const auto descriptor = one.transport().poll_descriptor();
  if (descriptor && poller_->add(*descriptor, &one, net::Watch::level) == 0) {
    watched_.emplace(&one, std::move(connection));
    // What has been received already, no poller will report.
    if (one.has_input()) serve_what_came(one);
  } else if (!readers_.run([this, connection] { serve_alone(*connection); })) {
    one.abort();
  }
}

void Attendant::serve_what_came(protocol::Connection& connection) noexcept {
  protocol::Served served = protocol::Served::message;
  while (true) {
    served = connection.serve(orb_, Deadline::immediately());
    if (served == protocol::Served::closed) return let_go(connection);
    if (served == protocol::Served::idle || !connection.has_input()) break;
  }
  // Others may read as soon as stay() has said no, so nobody watches any more by then.
  const Ref<protocol::Connection> held(&connection);
  if (!connection.stay()) let_go(connection);
}

void Attendant::let_go(protocol::Connection& connection) noexcept {
  if (const auto descriptor = connection.transport().poll_descriptor()) poller_->remove(*descriptor);
  watched_.erase(&connection);
}

void Attendant::serve_alone(protocol::Connection& connection) noexcept {
  current = this;
  while (connection.serve(orb_) != protocol::Served::closed && connection.stay()) {}
  current = nullptr;
}

// --- connections that rest ---

void Attendant::watch_resting(Ref<protocol::Connection> connection, Ref<Endpoint> endpoint) noexcept {
  protocol::Connection& one = *connection;
  const auto descriptor = one.transport().poll_descriptor();
  if (!descriptor || watched_.contains(&one) || resting_.contains(&one)) return;
  try {
    resting_.emplace(&one, Resting{std::move(connection), std::move(endpoint)});
  } catch (const std::bad_alloc&) {
    return;
  }
  if (poller_->add(*descriptor, &one, net::Watch::one_shot) != 0) resting_.erase(&one);
}

/// Something has come, or somebody else is to read. It may be gone.
void Attendant::end_rest(protocol::Connection* connection) noexcept {
  const auto found = resting_.find(connection);
  if (found == resting_.end()) return;
  const Resting rested = std::move(found->second);
  resting_.erase(found);
  if (const auto descriptor = connection->transport().poll_descriptor()) poller_->remove(*descriptor);
  rested.look();
}

/// Tells everybody whose time has come; when the next one's comes.
Deadline Attendant::tell_expired() {
  bool any = false;
  while (true) {
    Reminders::node_type due;
    {
      const std::lock_guard lock(mutex_);
      if (reminders_.empty()) break;
      const Deadline next = Deadline::at(reminders_.begin()->when);
      if (!next.expired()) {
        if (!any) return next;
        break;
      }
      due = reminders_.extract(reminders_.begin());
    }
    due.value().who->expired();
    any = true;
  }
  if (!any) return Deadline::never();
  // With their calls gone, connections may have nobody left to be attended to for.
  for (auto at = watched_.begin(); at != watched_.end();) {
    const Ref<protocol::Connection> connection = (at++)->second;
    if (!connection->stay()) let_go(*connection);
  }
  return tell_expired();
}

}  // namespace tenon::orb
