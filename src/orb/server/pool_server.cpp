// SPDX-License-Identifier: Apache-2.0
#include "orb/server/pool_server.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/log.hpp"
#include "base/memory.hpp"
#include "orb/orb.hpp"
#include "orb/server/refuse.hpp"

namespace tenon::orb {

namespace {

/// A thread stays after `hot` requests, each at most `right_after_ns` after the one before. More than `hottest` are not counted.
constexpr unsigned hot = 64;
constexpr unsigned hottest = 4 * hot;
constexpr std::int64_t right_after_ns = 2'000'000;
/// A late request takes `cooled` off the count, and so does an upcall that is not short: a thread that polls would have served sooner.
constexpr unsigned cooled = hot / 4;
constexpr std::int64_t short_upcall_ns = 50'000;
/// A thread that stays goes back to the poller when it has seen so many times in a row that no thread polls. While calls come, that is
/// soon.
constexpr unsigned most_unpolled = 16;
/// It also goes back when no call comes for so long. The kernel's own time-out is a little shorter, since a deadline that ends before it
/// costs one more system call. The kernel waits up to two of its clock ticks longer.
constexpr std::int64_t stay_ns = 5'000'000;
constexpr std::uint32_t kernel_ms = 4;

constexpr unsigned largest_most_stays = 64;

void cool(Lane& lane) noexcept { lane.heat -= std::min(lane.heat, cooled); }

void tell(const Lane& lane, const char* what) {
  if (log_enabled(LogLevel::debug)) log(LogLevel::debug, "orb", what + lane.connection().transport().peer());
}

}  // namespace

PoolServer::PoolServer(protocol::Dispatcher& orb, const Options& options)
    : ThreadServer(orb, options), alive_(options.pool_threads), stays_(most_stays(options)) {
  if (memory::is_known()) polled_.reserve(options.connections_most);
  for (unsigned i = 0; i < options.pool_threads; ++i) run([this] { pool_thread(); });
}

PoolServer::~PoolServer() {
  stop_accepting();
  abort_connections();
  join();
}

bool PoolServer::serve(Ref<protocol::Connection> connection, protocol::Role role) {
  const auto descriptor = connection->transport().poll_descriptor();
  if (!descriptor) return ThreadServer::serve(std::move(connection), role);
  const auto lane = make_ref<Lane>(std::move(connection), orders());
  if (lane && role == protocol::Role::acceptor) allow_stays(*lane);
  {
    const LockGuard lock(mutex_);
    if (!add(lane)) return false;
    lane->token = polled_.add(lane);
    if (polled(*lane)) {
      if (poller_.add(*descriptor, lane->token, net::Watch::edge) == 0) return true;
      polled_.remove(std::exchange(lane->token, 0));
    }
  }
  forget(*lane);
  return false;
}

void PoolServer::unwatch(Lane& lane) noexcept {
  if (!polled(lane)) return;
  {
    const LockGuard lock(mutex_);
    (void)poller_.remove(descriptor_of(lane));
  }
  polled_.remove(lane.token);
}

/// serve() uses the poller with the lock, and not at all once the server takes no connections: from here on only the pool uses it.
void PoolServer::wind_down() noexcept {
  ThreadServer::wind_down();
  const LockGuard lock(mutex_);
}

/// Connections that no thread reads leave the poller first: otherwise it would wake a thread of the pool for the end of each.
void PoolServer::close_connections_by(Deadline by) noexcept {
  last_lanes();
  each_lane([this, by](Lane& lane) {
    const bool mine = polled(lane) && polled_.claim(lane.token, false) != nullptr;
    if (mine) {
      const LockGuard lock(mutex_);
      (void)poller_.remove(descriptor_of(lane));
    }
    lane.connection().close_by(by);
    if (!mine) return;
    if (!lane.connection().usable()) return forget(lane);
    // One of its requests is still running.
    const bool ready = give_up(lane);
    const LockGuard lock(mutex_);
    (void)poller_.add(descriptor_of(lane), lane.token, net::Watch::edge);
    if (ready) poller_.wake();
  });
}

void PoolServer::join() noexcept {
  ended_.store(true, std::memory_order_release);
  {
    const LockGuard lock(mutex_);  // close_descriptors() may come from another thread
    poller_.wake(alive_.load() + 1);
  }
  ThreadServer::join();
  const LockGuard lock(mutex_);
  while (ready_) ready_ = std::move(ready_->next_ready);
}

void PoolServer::close_descriptors() noexcept {
  ThreadServer::close_descriptors();
  const LockGuard lock(mutex_);
  poller_.close();
}

// --- a thread of the pool ---

/// Only one thread at a time spins: more would take the processor from threads that have work.
void PoolServer::spin(net::Spin& spin) noexcept {
  if (spinning_.exchange(true, std::memory_order_relaxed)) return;
  spin.until([this] { return poller_.has_events(); });
  spinning_.store(false, std::memory_order_relaxed);
}

void PoolServer::pool_thread() {
  std::optional<net::Spin> spin_first;
  if (options_.transports.spin_us) spin_first.emplace(std::int64_t{*options_.transports.spin_us} * 1000);
  bool looks = false;
  while (!ended_.load(std::memory_order_acquire) && !too_many_threads()) {
    Ref<Lane> lane = next_ready();
    if (!lane) {
      if (spin_first) spin(*spin_first);
      lane = poll(looks);
      if (!lane) continue;
    }
    stop_looking(looks);
    serve_lane(*lane);
  }
  stop_looking(looks);
}

/// `looks`: this thread is one of those that look for long upcalls. There is one while a thread stays and another polls: a thread that
/// begins to stay and finds none wakes one, and so does the last one when it stops looking.
Ref<Lane> PoolServer::poll(bool& looks) {
  net::Event event{};
  polling_.fetch_add(1);
  while (looks != stays_.any()) {
    looks = !looks;
    looks ? looking_.fetch_add(1) : looking_.fetch_sub(1);
  }
  const Deadline until = looks ? Deadline::after_ns(Stays::long_upcall_ns) : Deadline::never();
  const std::size_t events = poller_.wait({&event, 1}, until);
  polling_.fetch_sub(1);
  if (looks) {
    stays_.look(steady_now(), [this](Lane& lane) {
      lane.heat = 0;
      resume_polling(lane);
      offer(lane);
    });
  }
  if (events == 0) return nullptr;
  return Ref<Lane>(polled_.claim(event.token.number(), event.hung_up));
}

void PoolServer::stop_looking(bool& looks) noexcept {
  if (!looks) return;
  looks = false;
  if (looking_.fetch_sub(1) == 1 && polling_.load() != 0 && stays_.any()) poller_.wake();
}

Ref<Lane> PoolServer::next_ready() {
  if (ready_count_.load(std::memory_order_acquire) == 0) return nullptr;
  const LockGuard lock(mutex_);
  if (!ready_) return nullptr;
  Ref<Lane> lane = std::move(ready_);
  ready_ = std::move(lane->next_ready);
  ready_count_.fetch_sub(1, std::memory_order_relaxed);
  return lane;
}

/// Reads a claimed connection until another thread may read it, no more input is there, or it has closed.
void PoolServer::serve_lane(Lane& lane) {
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

// --- requests ---

void PoolServer::dispatch(protocol::IncomingCall& call) {
  ServingThread& me = ServingThread::current();
  Lane& lane = *me.lane;
  if (!polled(lane)) [[unlikely]]
    return ThreadServer::dispatch(call);
  if (!lane.unordered() && queue_behind(me, call)) [[unlikely]]
    return;
  const bool ordered = lane.orders_after(call);
  // Without memory to note it down in, a oneway keeps the connection until it has returned: that is the order, too.
  if (ordered && !lane.keep_order(call)) return orb_.dispatch(call);
  call.detach();
  if (!keep_reading(me)) let_others_read(lane);
  orb_.dispatch(call);
  if (me.stay != nullptr) return_to_stay(me);
  if (ordered) run_queued(lane, call.object_key);
}

bool PoolServer::replace(ServingThread& thread, protocol::IncomingCall& outermost) {
  if (!polled(*thread.lane)) return ThreadServer::replace(thread, outermost);
  if (thread.stay != nullptr) leave_stay(thread);
  if (polling_.load(std::memory_order_relaxed) != 0) return true;
  alive_.fetch_add(1, std::memory_order_relaxed);
  if (run([this] { pool_thread(); })) return true;
  alive_.fetch_sub(1, std::memory_order_relaxed);
  return false;
}

/// Before an upcall: another thread of the pool may read the connection from now on.
void PoolServer::let_others_read(Lane& lane) {
  ServingThread::current().handed_over = true;
  offer(lane);
}

/// Queues the call behind a oneway that runs. False: the call may run now. If the queue is full the connection is not read, but no thread
/// waits: the thread that takes a call out of it offers the lane again.
bool PoolServer::queue_behind(ServingThread& me, protocol::IncomingCall& call) {
  if (me.stay != nullptr) end_stay(me);
  switch (me.lane->queue_behind(call)) {
    case Lane::Queued::no: return false;
    case Lane::Queued::no_memory: orb::refuse(call, memory::shortage()); return true;
    case Lane::Queued::yes: let_others_read(*me.lane); return true;
    case Lane::Queued::full: break;
  }
  me.handed_over = true;
  return true;
}

void PoolServer::queue_is_shorter(Lane& lane) {
  if (lane.readable_again()) offer(lane);
}

/// Gives up the right to read: to the poller, or, if there is input already, to the next thread.
void PoolServer::offer(Lane& lane) {
  if (give_up(lane)) poller_.wake();
}

/// As offer(), but true: there is input already, and the caller must wake a thread that polls.
bool PoolServer::give_up(Lane& lane) {
  if (!lane.connection().has_input() && polled_.release(lane.token)) return false;
  const LockGuard lock(mutex_);
  (ready_ ? last_ready_->next_ready : ready_) = Ref(&lane);
  last_ready_ = &lane;
  ready_count_.fetch_add(1, std::memory_order_release);
  return true;
}

bool PoolServer::too_many_threads() noexcept {
  unsigned threads = alive_.load(std::memory_order_relaxed);
  while (threads > options_.pool_threads + waiting()) {
    if (alive_.compare_exchange_weak(threads, threads - 1)) return true;
  }
  return false;
}

// --- threads that stay ---

/// At most half of the threads may stay: the others are for all other connections.
unsigned PoolServer::most_stays(const Options& options) noexcept {
  return options.pool_stay ? std::min(options.pool_threads / 2, largest_most_stays) : 0;
}

/// Called before the connection is polled.
void PoolServer::allow_stays(Lane& lane) const {
  if (!options_.pool_stay || !lane.descriptor()) return;
  lane.connection().transport().set_timeouts(options_.messaging.limits.send_timeout_ms, kernel_ms);
  lane.may_stay = true;
}

/// Called before an upcall, when its request has been detached. Whether this thread keeps the right to read its connection.
bool PoolServer::keep_reading(ServingThread& me) {
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

bool PoolServer::begin_stay(ServingThread& me) {
  if (polling_.load(std::memory_order_relaxed) == 0) return false;
  me.stay = stays_.begin(*me.lane);
  if (me.stay == nullptr) return false;
  (void)poller_.pause(descriptor_of(*me.lane), me.lane->token);
  if (looking_.load() == 0) poller_.wake();
  tell(*me.lane, "a thread stays with the connection from ");
  return true;
}

void PoolServer::return_to_stay(ServingThread& me) noexcept {
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

/// Called between upcalls. The thread keeps the right to read.
void PoolServer::end_stay(ServingThread& me) noexcept {
  stays_.end(*me.stay);
  me.stay = nullptr;
  me.lane->heat = 0;
  resume_polling(*me.lane);
}

/// Called inside an upcall that is about to wait.
void PoolServer::leave_stay(ServingThread& me) {
  const bool mine = me.stay->end_upcall();
  me.handed_over = true;
  if (mine) {
    end_stay(me);
    return offer(*me.lane);
  }
  stays_.end(*me.stay);
  me.stay = nullptr;
}

void PoolServer::resume_polling(const Lane& lane) noexcept {
  tell(lane, "no thread stays any more with the connection from ");
  (void)poller_.resume(descriptor_of(lane), lane.token);
}

std::unique_ptr<Server> make_pool_server(Orb& orb) {
  return std::make_unique<PoolServer>(orb, orb.options());
}

}  // namespace tenon::orb
