// SPDX-License-Identifier: Apache-2.0
#include "orb/server.hpp"

#include <algorithm>
#include <utility>

#include "base/log.hpp"
#include "base/minor_codes.hpp"

namespace tenon::orb {

namespace {

/// One for each connection (in a pool: each without a descriptor), and those that stand in for others.
unsigned most_threads(const Options& options) {
  return options.connections_most + options.pool_threads + options.pool_threads_most;
}

/// A connection with traffic within that time is not closed to make room for another one.
constexpr std::int64_t worth_closing_ms = 1000;

}  // namespace

Server::Server(protocol::Dispatcher& orb, const Options& options, Reactor* reactor)
    : orb_(orb),
      options_(options),
      reactor_(reactor),
      stays_(options.serving == Serving::pool ? most_stays(options) : 0),
      workers_(most_threads(options)) {
  if (options.serving != Serving::pool) return;
  poller_ = std::make_unique<net::Poller>();
  pool_alive_ = options.pool_threads;
  for (unsigned i = 0; i < options.pool_threads; ++i) workers_.run([this] { pool_thread(); });
}

Server::~Server() {
  stop_accepting();
  abort_connections();
  join();
}

bool Server::open(protocol::TransportPlugin& transport, protocol::Messaging& messaging,
                  std::string_view endpoint, std::string& why,
                  std::shared_ptr<protocol::BothWays> both_ways) {
  auto acceptor = transport.listen(endpoint, why);
  if (acceptor == nullptr) return false;
  if (reactor_ != nullptr && !acceptor->poll_descriptor()) {
    why = "endpoint '" + std::string(endpoint) +
          "': a single thread cannot wait for this transport among others";
    return false;
  }
  std::vector<std::string> published = acceptor->published();
  points_.push_back(
      {&transport, &messaging, std::move(acceptor), std::move(published), std::move(both_ways)});
  return true;
}

void Server::start() {
  if (reactor_ != nullptr) {
    for (Point& point : points_) {
      Door& door = *doors_.emplace_back(std::make_unique<Door>(*this, point));
      (void)reactor_->watch(*point.acceptor->poll_descriptor(), door, net::Watch::level);
    }
    return;
  }
  for (Point& point : points_) acceptors_.emplace_back([this, &point] { accept(point); });
}

bool Server::publishes(const protocol::TransportPlugin& transport,
                       const protocol::ProfileView& profile) const noexcept {
  for (const Point& point : points_) {
    if (point.transport != &transport) continue;
    for (const std::string& address : point.published) {
      for (const protocol::Address& each : profile.addresses) {
        if (each.text == address) return true;
      }
    }
  }
  return false;
}

void Server::accept(Point& point) {
  while (true) {
    auto transport = point.acceptor->accept();
    if (!transport) return;
    welcome(point, std::move(*transport));
  }
}

void Server::welcome(Point& point, std::unique_ptr<protocol::Transport> transport) {
  protocol::MessagingOptions options = options_.messaging;
  options.both_ways = point.both_ways;
  auto connection = point.messaging->connect(std::move(transport), protocol::Role::acceptor, options);
  if (connections() >= options_.connections_most && !make_room()) return refuse(std::move(connection));
  if (log_enabled(LogLevel::debug))
    log(LogLevel::debug, "orb", "accepted a connection from " + connection->transport().peer());
  auto lane = make_ref<Lane>(*this, std::move(connection));
  if (poller_ != nullptr) allow_stays(*lane);
  if (!admit(std::move(lane))) {
    log(LogLevel::warning, "orb", "refused a connection: no thread to serve it");
  }
}

/// Closes the connection that has been idle for longest, if any has been for a while. It may still be counted when another one comes.
bool Server::make_room() noexcept {
  std::vector<std::pair<std::int64_t, Ref<Lane>>> idle;
  for (Ref<Lane>& lane : lanes()) {
    const std::int64_t ms = lane->connection().transport().ms_idle();
    if (ms >= worth_closing_ms && lane->connection().usable()) idle.emplace_back(ms, std::move(lane));
  }
  std::ranges::sort(idle, [](const auto& a, const auto& b) { return a.first > b.first; });
  for (const auto& [ms, lane] : idle) {
    if (lane->connection().close_if_idle()) return true;
  }
  return false;
}

/// CloseConnection lets the client know that nothing of what it may have sent was executed (§9.5.1.1).
void Server::refuse(Ref<protocol::Connection> connection) {
  if (log_enabled(LogLevel::warning)) {
    log(LogLevel::warning, "orb",
        "refused a connection from " + connection->transport().peer() + ": limit of connections reached");
  }
  connection->close();
}

void Server::close_idle(std::int64_t ms) noexcept {
  for (const Ref<Lane>& lane : lanes()) {
    if (lane->connection().transport().ms_idle() >= ms) (void)lane->connection().close_if_idle();
  }
}

std::vector<Ref<Lane>> Server::lanes() const {
  const std::lock_guard lock(mutex_);
  return {lanes_.begin(), lanes_.end()};
}

bool Server::admit(Ref<Lane> lane) {
  const auto descriptor = poller_ != nullptr ? lane->descriptor() : std::nullopt;
  if (descriptor) return admit_polled(std::move(lane), *descriptor);
  {
    std::lock_guard lock(mutex_);
    if (stopping_) return false;
    lanes_.insert(lane);
  }
  const bool served = reactor_ != nullptr ? watch(*lane) : workers_.run([this, lane] { serve_lane(lane); });
  if (!served) forget(*lane);
  return served;
}

/// All of it with the lock, so that once `stopping_` is set nobody uses the poller but the threads of the pool.
bool Server::admit_polled(Ref<Lane> lane, int descriptor) {
  {
    const std::lock_guard lock(mutex_);
    if (stopping_) return false;
    lane->token = polled_.add(lane);
    if (polled(*lane)) {
      lanes_.insert(lane);
      void* const token = reinterpret_cast<void*>(lane->token);
      if (poller_->add(descriptor, token, net::Watch::edge) == 0) return true;
      polled_.remove(lane->token);
      lanes_.erase(lane);
    }
  }
  lane->connection().abort();
  return false;
}

/// A thread of its own for this connection, until it closes or another thread reads it.
void Server::serve_lane(Ref<Lane> lane) {
  ServingThread& me = ServingThread::current();
  me = {.server = this, .lane = lane.get(), .handed_over = false};
  while (true) {
    const protocol::Served served = lane->connection().serve(*this);
    if (served == protocol::Served::closed) {
      if (!me.handed_over) forget(*lane);
      break;
    }
    if (served == protocol::Served::detached && me.handed_over) break;
  }
  me = {};
}

/// By the thread that has the right to read it: nobody will come back to this connection.
void Server::forget(Lane& lane) noexcept {
  Ref<Lane> held(&lane);
  if (polled(lane)) {
    poller_->remove(*lane.descriptor());
    polled_.remove(lane.token);
  } else if (reactor_ != nullptr && lane.descriptor()) {
    reactor_->unwatch(*lane.descriptor(), lane);
  }
  lane.connection().abort();
  std::lock_guard lock(mutex_);
  lanes_.erase(held);
}

std::size_t Server::connections() const {
  std::lock_guard lock(mutex_);
  return lanes_.size();
}

// --- requests ---

void Server::dispatch(protocol::IncomingCall& call) {
  // Nearly always: a thread that has its connection for itself, and nothing to keep in order.
  const Lane& lane = *ServingThread::current().lane;
  if (!polled(lane) && call.response_expected && lane.unordered()) [[likely]]
    return orb_.dispatch(call);
  dispatch_in_order(call);
}

void Server::dispatch_in_order(protocol::IncomingCall& call) {
  ServingThread& me = ServingThread::current();
  Lane& lane = *me.lane;
  const bool ordered = options_.messaging.order_after_oneway;
  const bool pooled = polled(lane);
  if (ordered && !lane.unordered() && (pooled ? queue_in_pool(me, call) : lane.wait_and_queue_behind(call)))
      [[unlikely]]
    return;
  const bool oneway = ordered && !call.response_expected;
  if (pooled) {
    if (oneway) lane.enter(call.object_key);
    call.detach();
    if (!keep_reading(me)) let_others_read(lane);
  }
  orb_.dispatch(call);
  if (me.stay != nullptr) return_to_stay(me);
  if (oneway && (pooled || me.handed_over)) run_queued(lane, call.object_key);
}

/// A oneway has returned that other requests may have been queued behind.
void Server::run_queued(Lane& lane, ByteView key) {
  while (auto next = lane.next(key)) {
    if (lane.stalled) go_on_reading(lane);
    if (lane.readable_again()) offer(lane);
    orb_.dispatch(*next);
  }
}

Status Server::hand_over(ServingThread& me, protocol::IncomingCall& outermost) {
  if (waiting_.fetch_add(1, std::memory_order_relaxed) >= options_.pool_threads_most) {
    waiting_.fetch_sub(1, std::memory_order_relaxed);
    return errors::no_thread_left;
  }
  if (polled(*me.lane)) {
    if (me.stay != nullptr) leave_stay(me);
    if (polling_.load(std::memory_order_relaxed) != 0) return {};
    pool_alive_.fetch_add(1, std::memory_order_relaxed);
    if (workers_.run([this] { pool_thread(); })) return {};
    pool_alive_.fetch_sub(1, std::memory_order_relaxed);
  } else if (me.handed_over) {
    return {};
  } else {
    if (options_.messaging.order_after_oneway && !outermost.response_expected)
      me.lane->enter(outermost.object_key);
    outermost.detach();
    me.handed_over = true;
    Ref<Lane> lane(me.lane);
    if (workers_.run([this, lane] { serve_lane(lane); })) return {};
    me.handed_over = false;
    if (options_.messaging.order_after_oneway && !outermost.response_expected)
      run_queued(*me.lane, outermost.object_key);
  }
  waiting_.fetch_sub(1, std::memory_order_relaxed);
  return errors::no_thread_left;
}

// --- the end ---

void Server::stop_accepting() noexcept {
  for (Point& point : points_) point.acceptor->shut_down();
  for (std::thread& acceptor : acceptors_) acceptor.join();
  acceptors_.clear();
}

void Server::close_connections_by(Deadline by) noexcept {
  for (const auto& lane : last_lanes()) lane->connection().close_by(by);
}

void Server::abort_connections() noexcept {
  for (const auto& lane : last_lanes()) lane->connection().abort();
}

/// No others will come.
std::vector<Ref<Lane>> Server::last_lanes() noexcept {
  {
    std::lock_guard lock(mutex_);
    stopping_.store(true, std::memory_order_release);
  }
  workers_.wind_down();
  return lanes();
}

void Server::join() noexcept {
  ended_.store(true, std::memory_order_release);
  if (poller_ != nullptr) {
    const std::lock_guard lock(mutex_);  // close_descriptors() may come from another thread
    poller_->wake(pool_alive_.load() + 1);
  }
  workers_.stop();
  std::lock_guard lock(mutex_);
  ready_.clear();
}

void Server::close_descriptors() noexcept {
  for (const Ref<Lane>& lane : lanes()) forget(*lane);
  for (Point& point : points_) point.acceptor->close();
  if (poller_ == nullptr) return;
  const std::lock_guard lock(mutex_);
  poller_->close();
}

}  // namespace tenon::orb
