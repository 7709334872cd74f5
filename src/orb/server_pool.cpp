// SPDX-License-Identifier: Apache-2.0
//
// How a server serves by a pool of threads over one edge-triggered poller: a thread takes a connection that has input, reads one request,
// gives the right to read back, and makes the upcall. With a connection over which requests come one right after the other it may stay,
// as long as others poll (stays.hpp).
#include "base/log.hpp"
#include "orb/server.hpp"

namespace tenon::orb {

namespace {

/// After so many requests, each no later than this after the one before, a thread stays. More than `hottest` does not count.
constexpr unsigned hot = 64;
constexpr unsigned hottest = 4 * hot;
constexpr std::int64_t right_after_ns = 2'000'000;
/// One that is late takes some away, and so does an upcall that is not short: behind it another thread would have served sooner.
constexpr unsigned cooled = hot / 4;
constexpr std::int64_t short_upcall_ns = 50'000;
/// A thread that stays goes when it has seen so many times in a row that nobody polls, which is soon while calls come,
constexpr unsigned most_unpolled = 16;
/// or when no call comes for so long. The kernel's own time-out is a little shorter, since a deadline that ends before it costs a system
/// call more. What it makes of it is up to two of its clock ticks more.
constexpr std::int64_t stay_ns = 5'000'000;
constexpr std::uint32_t kernel_ms = 4;

constexpr unsigned largest_most_stays = 64;

void* token_of(const Lane& lane) noexcept { return reinterpret_cast<void*>(lane.token); }

void cool(Lane& lane) noexcept { lane.heat -= std::min(lane.heat, cooled); }

void tell(const Lane& lane, const char* what) {
  if (log_enabled(LogLevel::debug)) log(LogLevel::debug, "orb", what + lane.connection().transport().peer());
}

}  // namespace

/// One thread at a time: more would only take the processor from those who have something to do.
void Server::spin(net::Spin& spin) noexcept {
  if (spinning_.exchange(true, std::memory_order_relaxed)) return;
  spin.until([this] { return poller_->has_events(); });
  spinning_.store(false, std::memory_order_relaxed);
}

void Server::pool_thread() {
  std::optional<net::Spin> spin_first;
  if (options_.transports.spin_us) spin_first.emplace(std::int64_t{*options_.transports.spin_us} * 1000);
  bool looks = false;
  while (!ended_.load(std::memory_order_acquire) && !too_many_pool_threads()) {
    Ref<Lane> lane = next_ready();
    if (!lane) {
      if (spin_first) spin(*spin_first);
      lane = poll(looks);
      if (!lane) continue;
    }
    stop_looking(looks);
    pool_serve(*lane);
  }
  stop_looking(looks);
}

/// `looks`: this thread is one of those that look at long upcalls. There is one while a thread stays and another polls: whoever begins to
/// stay and finds none wakes one, and whoever stops being the last one does.
Ref<Lane> Server::poll(bool& looks) {
  net::Event event{};
  polling_.fetch_add(1);
  while (looks != stays_.any()) {
    looks = !looks;
    looks ? looking_.fetch_add(1) : looking_.fetch_sub(1);
  }
  const Deadline until = looks ? Deadline::after_ns(Stays::long_upcall_ns) : Deadline::never();
  const std::size_t events = poller_->wait({&event, 1}, until);
  polling_.fetch_sub(1);
  if (looks) {
    stays_.look(steady_now(), [this](Lane& lane) {
      lane.heat = 0;
      resume_polling(lane);
      offer(lane);
    });
  }
  if (events == 0) return nullptr;
  return Ref<Lane>(polled_.claim(reinterpret_cast<PolledLanes::Token>(event.token), event.hung_up));
}

void Server::stop_looking(bool& looks) noexcept {
  if (!looks) return;
  looks = false;
  if (looking_.fetch_sub(1) == 1 && polling_.load() != 0 && stays_.any()) poller_->wake();
}

Ref<Lane> Server::next_ready() {
  if (ready_count_.load(std::memory_order_acquire) == 0) return nullptr;
  std::lock_guard lock(mutex_);
  if (ready_.empty()) return nullptr;
  Ref<Lane> lane = std::move(ready_.front());
  ready_.pop_front();
  ready_count_.fetch_sub(1, std::memory_order_relaxed);
  return lane;
}

/// Reads a claimed connection until others may read it, nothing more has come, or it closed.
void Server::pool_serve(Lane& lane) {
  ServingThread& me = ServingThread::current();
  me = {.server = this, .lane = &lane, .handed_over = false};
  while (true) {
    if (me.stay != nullptr && (lane.heat == 0 || me.stay->unpolled >= most_unpolled)) end_stay(me);
    const Deadline until = me.stay != nullptr ? Deadline::at(me.stay->waits_until) : Deadline::immediately();
    const protocol::Served served = lane.connection().serve(*this, until);
    if (me.handed_over) break;
    if (served == protocol::Served::closed) {
      if (me.stay != nullptr) end_stay(me);
      forget(lane);
      break;
    }
    if (me.stay != nullptr) {
      if (served == protocol::Served::idle) end_stay(me);
      continue;
    }
    const bool complete = served != protocol::Served::idle;
    if (complete && lane.connection().has_input()) continue;
    if (polled_.release(lane.token)) break;
  }
  me = {};
}

/// Before an upcall: another pool thread may read the connection from now on.
void Server::let_others_read(Lane& lane) {
  ServingThread::current().handed_over = true;
  offer(lane);
}

/// Behind a oneway that runs. False: it may run now. A full queue holds up the connection but no thread: whoever takes something out of
/// it offers the lane again.
bool Server::queue_in_pool(ServingThread& me, protocol::IncomingCall& call) {
  if (me.stay != nullptr) end_stay(me);
  switch (me.lane->queue_behind(call)) {
    case Lane::Queued::no: return false;
    case Lane::Queued::yes: let_others_read(*me.lane); return true;
    case Lane::Queued::full: break;
  }
  me.handed_over = true;
  return true;
}

/// By whoever has the right to read the lane, for the last time.
void Server::offer(Lane& lane) {
  if (!lane.connection().has_input() && polled_.release(lane.token)) return;
  {
    std::lock_guard lock(mutex_);
    ready_.emplace_back(&lane);
    ready_count_.fetch_add(1, std::memory_order_release);
  }
  poller_->wake();
}

bool Server::too_many_pool_threads() noexcept {
  unsigned threads = pool_alive_.load(std::memory_order_relaxed);
  while (threads > options_.pool_threads + waiting_.load(std::memory_order_relaxed)) {
    if (pool_alive_.compare_exchange_weak(threads, threads - 1)) return true;
  }
  return false;
}

// --- threads that stay ---

/// Half of them at most: the others are for all other connections.
unsigned Server::most_stays(const Options& options) noexcept {
  return options.pool_stay ? std::min(options.pool_threads / 2, largest_most_stays) : 0;
}

/// Of a connection that nobody knows yet.
void Server::allow_stays(Lane& lane) const {
  if (!options_.pool_stay || !lane.descriptor()) return;
  lane.connection().transport().set_timeouts(options_.messaging.limits.send_timeout_ms, kernel_ms);
  lane.may_stay = true;
}

/// Before an upcall, whose request has been detached: whether this thread keeps the right to read its connection.
bool Server::keep_reading(ServingThread& me) {
  Lane& lane = *me.lane;
  if (!lane.may_stay) return false;
  const std::int64_t now = steady_now();
  const bool late = now - lane.last_request_ns > right_after_ns;
  lane.last_request_ns = now;
  if (lane.connection().has_input()) {
    lane.heat = 0;
  } else if (late) {
    cool(lane);
  } else if (lane.heat < hottest) {
    ++lane.heat;
  }
  if (me.stay == nullptr && !(lane.heat >= hot && begin_stay(me))) return false;
  if (lane.heat == 0) {
    end_stay(me);
    return false;
  }
  me.stay->begin_upcall(now);
  return true;
}

bool Server::begin_stay(ServingThread& me) {
  if (polling_.load(std::memory_order_relaxed) == 0) return false;
  me.stay = stays_.begin(*me.lane);
  if (me.stay == nullptr) return false;
  (void)poller_->pause(*me.lane->descriptor(), token_of(*me.lane));
  if (looking_.load() == 0) poller_->wake();
  tell(*me.lane, "a thread stays with the connection from ");
  return true;
}

void Server::return_to_stay(ServingThread& me) noexcept {
  Stay& stay = *me.stay;
  const std::int64_t began = stay.upcall_began();
  if (!stay.end_upcall()) {
    stays_.end(stay);
    me.stay = nullptr;
    me.handed_over = true;
    return;
  }
  const std::int64_t now = steady_now();
  stay.waits_until = now + stay_ns;
  if (now - began > short_upcall_ns) cool(*me.lane);
  stay.unpolled = polling_.load(std::memory_order_relaxed) == 0 ? stay.unpolled + 1 : 0;
}

/// Between upcalls. The thread has the right to read still.
void Server::end_stay(ServingThread& me) noexcept {
  stays_.end(*me.stay);
  me.stay = nullptr;
  me.lane->heat = 0;
  resume_polling(*me.lane);
}

/// Inside an upcall that is going to wait.
void Server::leave_stay(ServingThread& me) {
  const bool mine = me.stay->end_upcall();
  me.handed_over = true;
  if (mine) {
    end_stay(me);
    return offer(*me.lane);
  }
  stays_.end(*me.stay);
  me.stay = nullptr;
}

void Server::resume_polling(const Lane& lane) noexcept {
  tell(lane, "no thread stays any more with the connection from ");
  (void)poller_->resume(*lane.descriptor(), token_of(lane));
}

}  // namespace tenon::orb
