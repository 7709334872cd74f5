// SPDX-License-Identifier: Apache-2.0
#include "orb/endpoint.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "base/log.hpp"
#include "base/minor_codes.hpp"
#include "orb/attendant.hpp"
#include "orb/both_ways.hpp"
#include "orb/outgoing_limit.hpp"

namespace tenon::orb {

namespace {

/// More would be a slip of the pen; each is a descriptor and a thread of the peer.
constexpr unsigned most_slots = 1024;

/// For so long an address that has failed is tried after others of the same object.
constexpr std::int64_t remembered_ns = 30'000'000'000;

/// A connection that has been used or opened within that time is not closed to make room for another one: whoever has opened it may be
/// about to begin.
constexpr std::int64_t worth_closing_ms = 20;

/// A connection that calls share and that has answered none of them for so long is shared only when all are like that.
constexpr std::int64_t slow_ns = 20'000'000;

/// How often a call looks whether there is room for a connection. Nobody is told when one becomes idle, so that calls pay nothing.
constexpr std::int64_t look_again_ns = 2'000'000;

}  // namespace

Endpoint::Endpoint(LinkKey key, protocol::TransportPlugin& transport, protocol::Messaging& messaging,
                   const Options& options, std::shared_ptr<BothWays> both_ways, OutgoingLimit* limit)
    : key_(std::move(key)),
      transport_(transport),
      messaging_(messaging),
      options_(options),
      both_ways_(std::move(both_ways)),
      limit_(limit),
      opens_(true),
      most_(std::clamp(options.connections_per_endpoint, 1u, most_slots)),
      slots_(std::make_unique<std::atomic<protocol::Connection*>[]>(most_ + 1)) {}

Endpoint::Endpoint(LinkKey key, protocol::TransportPlugin& transport, protocol::Messaging& messaging,
                   const Options& options, Ref<protocol::Connection> only)
    : key_(std::move(key)),
      transport_(transport),
      messaging_(messaging),
      options_(options),
      limit_(nullptr),
      opens_(false),
      most_(1),
      slots_(std::make_unique<std::atomic<protocol::Connection*>[]>(most_ + 1)) {
  slots_[0].store(only.get());
  connections_.push_back(std::move(only));
}

Result<Endpoint::Taken> Endpoint::take(Deadline deadline, Connecting connecting) {
  if (Taken taken = take_quickly(); taken.connection) [[likely]]
    return taken;
  return take_slowly(deadline, connecting);
}

bool Endpoint::connected() noexcept {
  const Visit visit(visitors_);
  for (unsigned i = 0; i <= most_; ++i) {
    protocol::Connection* const connection = slots_[i].load();
    if (connection != nullptr && connection->usable()) return true;
  }
  return false;
}

bool Endpoint::failed_lately() const noexcept {
  const std::int64_t failed = failed_at_.load(std::memory_order_relaxed);
  return failed != 0 && steady_now() - failed < remembered_ns;
}

Endpoint::Taken Endpoint::take_quickly() noexcept {
  const Visit visit(visitors_);
  protocol::Connection* best = nullptr;
  unsigned fewest = 0;
  unsigned open = 0;
  for (unsigned i = 0; i <= most_; ++i) {
    protocol::Connection* connection = slots_[i].load();
    if (connection == nullptr || !connection->usable()) continue;
    const unsigned busy = connection->in_flight();
    if (busy != 0 && is_aside(*connection)) continue;
    ++open;
    if (best != nullptr && busy >= fewest) continue;
    best = connection;
    fewest = busy;
    if (busy == 0) break;
  }
  const bool good = best != nullptr && (fewest == 0 || open == most_);
  if (good && fewest != 0) best = to_share();
  return {.connection = Ref<protocol::Connection>(good ? best : nullptr), .may_share = fewest != 0};
}

/// The connection whose answer is longest overdue may be busy with something that takes long, so what is sent behind that would wait.
protocol::Connection* Endpoint::to_share() const noexcept {
  struct Choice {
    protocol::Connection* connection = nullptr;
    std::int64_t since = 0;
    bool slow = false;
    unsigned busy = 0;
  };
  const auto better = [](const Choice& a, const Choice& b) {
    return a.slow != b.slow ? b.slow : a.busy < b.busy;
  };
  const std::int64_t now = steady_now();
  Choice longest;
  Choice best;
  for (unsigned i = 0; i <= most_; ++i) {
    protocol::Connection* const connection = slots_[i].load();
    if (connection == nullptr || !connection->usable() || is_aside(*connection)) continue;
    const std::int64_t since = connection->unanswered_since();
    Choice one{connection, since, now - since > slow_ns, connection->in_flight()};
    if (longest.connection == nullptr || since < longest.since) std::swap(one, longest);
    if (one.connection != nullptr && (best.connection == nullptr || better(one, best))) best = one;
  }
  const bool overdue = best.connection != nullptr && (longest.since < best.since || better(best, longest));
  return overdue ? best.connection : longest.connection;
}

template <typename Condition>
void Endpoint::retire(Connections& gone, const Condition& condition) {
  auto staying = connections_.begin();  // in their order: the oldest is first
  for (Ref<protocol::Connection>& each : connections_) {
    if (!condition(*each)) {
      std::swap(*staying++, each);
      continue;
    }
    for (unsigned i = 0; i <= most_; ++i) {
      if (slots_[i].load(std::memory_order_relaxed) == each.get()) slots_[i].store(nullptr);
    }
    retired_.push_back(each);
  }
  connections_.erase(staying, connections_.end());
  if (visitors_.load() != 0) return;
  gone.insert(gone.end(), retired_.begin(), retired_.end());
  retired_.clear();
}

unsigned Endpoint::settled() const noexcept {
  unsigned count = 0;
  for (unsigned i = 0; i <= most_; ++i) count += slots_[i].load(std::memory_order_relaxed) != nullptr ? 1 : 0;
  return count;
}

/// With the lock: sets aside what has abandoned requests, and gives a slot to what has none any more. `surplus`: those that are to be
/// ended, without the lock, since there is no slot, or since more are aside than may be open.
void Endpoint::sort_out(Connections& surplus) {
  const auto is_one = [this](const auto& each) { return is_aside(*each); };
  if (!opens_ || (settled() == connections_.size() && std::ranges::none_of(connections_, is_one))) return;
  unsigned aside = 0;
  for (const auto& connection : connections_) {
    unsigned at = 0;
    while (at <= most_ && slots_[at].load(std::memory_order_relaxed) != connection.get()) ++at;
    const bool has_slot = at <= most_;
    if (is_aside(*connection)) {
      if (has_slot) slots_[at].store(nullptr);
      ++aside;
    } else if (!has_slot && settled() + opening_ < most_) {
      settle_in(connection.get());
    } else if (!has_slot && connection->in_flight() == 0) {
      surplus.push_back(connection);
    }
  }
  for (const auto& connection : connections_) {
    if (aside <= most_) break;
    if (!is_aside(*connection) || connection->in_flight() != connection->abandoned()) continue;
    surplus.push_back(connection);
    --aside;
  }
}

Result<Endpoint::Taken> Endpoint::take_slowly(Deadline deadline, Connecting connecting) {
  struct Surplus {
    Connections connections;
    ~Surplus() {
      for (const auto& each : connections) each->abort();
    }
  } surplus;
  Connections gone;  // before the lock, so that they end after it
  std::shared_ptr<void> place;
  bool full = false;  // there is no place, nor anything that could make room
  std::optional<Deadline> by;
  std::unique_lock lock(mutex_);
  while (true) {
    if (closed_) return errors::orb_has_shut_down;
    retire(gone, [](const protocol::Connection& connection) { return !connection.usable(); });
    sort_out(surplus.connections);
    retire(gone, [&](const protocol::Connection& connection) {
      return std::ranges::find(surplus.connections, &connection, &Ref<protocol::Connection>::get) !=
             surplus.connections.end();
    });
    protocol::Connection* least = nullptr;
    for (const auto& connection : connections_) {
      if (is_aside(*connection)) continue;
      if (connection->in_flight() == 0) return Taken{.connection = connection};
      if (least == nullptr || connection->in_flight() < least->in_flight()) least = connection.get();
    }
    if (connections_.empty() && connecting == Connecting::refused) return errors::rebind_refused;
    const bool may_open = settled() + opening_ < most_;
    if (least != nullptr && (full || !may_open)) {
      protocol::Connection* const shared = to_share();
      return Taken{.connection = Ref(shared != nullptr ? shared : least), .may_share = true};
    }
    if (!full && may_open) {
      if (!opens_) return errors::peer_connection_gone;
      if (find_place(lock, gone, place, full)) break;
    } else if (full) {
      // Every connection that may be open is busy with calls to other addresses.
      if (!by) by = in_connect_time(deadline);
      if (deadline.expired()) return errors::connection_wait_timed_out;
      if (by->expired()) return errors::too_many_connections;
      opened_.wait_for(lock, std::chrono::nanoseconds(std::min(by->remaining_ns(), look_again_ns)));
      full = false;
    } else if (deadline.is_never()) {
      // Every connection that may exist is just being made.
      opened_.wait(lock);
    } else if (opened_.wait_for(lock, std::chrono::nanoseconds(deadline.remaining_ns())) ==
               std::cv_status::timeout) {
      return errors::connect_timed_out;
    }
  }
  ++opening_;
  lock.unlock();
  auto opened = open(deadline, place);
  if (!opened && make_room(opened.error())) opened = open(deadline, place);
  lock.lock();
  --opening_;
  opened_.notify_all();
  if (!opened) {
    protocol::Connection* const shared = opened.error() == errors::out_of_descriptors ? to_share() : nullptr;
    if (shared != nullptr) return Taken{.connection = Ref(shared), .may_share = true};
    return opened.error();
  }
  if (closed_) return errors::orb_has_shut_down;
  opened_at_ = steady_now();
  connections_.push_back(*opened);
  settle_in(opened->get());
  return Taken{.connection = std::move(*opened), .fresh = true};
}

/// For one more connection. False: there is none now; what was found out with the lock held must be looked at again.
bool Endpoint::find_place(std::unique_lock<std::mutex>& lock, Connections& gone, std::shared_ptr<void>& place,
                          bool& full) {
  if (limit_ == nullptr) return true;
  place = limit_->take();
  if (place != nullptr) return true;
  lock.unlock();
  const bool had_ended = !gone.empty();
  gone.clear();
  full = !had_ended && !limit_->make_room();
  lock.lock();
  return false;
}

/// For a connection that could not be opened: if descriptors are what is missing, gives those of dead ones back, or closes an idle one.
/// True: one more try.
bool Endpoint::make_room(const Error& failure) noexcept {
  return failure == errors::out_of_descriptors && limit_ != nullptr &&
         (limit_->reap() || limit_->make_room());
}

Deadline Endpoint::in_connect_time(Deadline deadline) const noexcept {
  return options_.connect_timeout_ms == 0
             ? deadline
             : earlier(deadline, Deadline::after_ms(options_.connect_timeout_ms));
}

Result<Ref<protocol::Connection>> Endpoint::open(Deadline deadline, const std::shared_ptr<void>& place) {
  auto transport = transport_.connect({key_.address}, in_connect_time(deadline));
  failed_at_.store(transport ? 0 : steady_now(), std::memory_order_relaxed);
  if (transport && log_enabled(LogLevel::debug)) {
    log(LogLevel::debug, "orb",
        "connected to " + key_.transport + ' ' + key_.address + " from " + (*transport)->local());
  }
  if (!transport) {
    if (log_enabled(LogLevel::info)) {
      log(LogLevel::info, "orb",
          "cannot connect to " + key_.transport + " " + key_.address + ": " +
              std::string(describe(transport.error())));
    }
    return transport.error();
  }
  protocol::MessagingOptions options = options_.messaging;
  options.both_ways = both_ways_;
  options.offers_both_ways = both_ways_ != nullptr;
  options.place = place;
  auto connection = messaging_.connect(std::move(*transport), protocol::Role::originator, options);
  if (both_ways_ != nullptr && !both_ways_->serve(connection)) {
    connection->abort();
    return errors::no_thread_left;
  }
  if (both_ways_ == nullptr && options.clock != nullptr) options.clock->used(*connection);
  return connection;
}

void Endpoint::settle_in(protocol::Connection* connection) noexcept {
  unsigned free = diverted_ ? 1 : 0;
  while (slots_[free].load(std::memory_order_relaxed) != nullptr) ++free;
  slots_[free].store(connection);
}

void Endpoint::divert() noexcept {
  const std::lock_guard lock(mutex_);
  if (std::exchange(diverted_, true)) return;
  protocol::Connection* const first = slots_[0].load(std::memory_order_relaxed);
  if (first == nullptr) return;
  settle_in(first);
  slots_[0].store(nullptr);
}

void Endpoint::close_idle(std::int64_t ms) noexcept {
  Connections idle;
  {
    const std::lock_guard lock(mutex_);
    idle = connections_;
  }
  std::erase_if(idle, [ms](const auto& each) {
    return each->usable() && (each->transport().ms_idle() < ms || !each->close_if_idle());
  });
  if (!idle.empty()) drop_ended();
}

bool Endpoint::rest(Attendant* attendant, bool late) noexcept {
  // Who carries requests in both directions is read all the time.
  if (!opens_ || both_ways_ != nullptr) return false;
  Connections all;
  {
    const std::lock_guard lock(mutex_);
    all = connections_;
  }
  bool some_do_not = false;
  for (const auto& connection : all) {
    if (!connection->usable()) continue;
    if (!connection->rest(late)) {
      some_do_not = true;
    } else if (attendant != nullptr) {
      attendant->watch_resting(connection, Ref<Endpoint>(this));
    }
  }
  all.clear();
  drop_ended();
  return some_do_not;
}

void Endpoint::drop_ended() noexcept {
  Connections gone;  // before the lock, so that they end after it
  const std::lock_guard lock(mutex_);
  retire(gone, [](const protocol::Connection& connection) { return !connection.usable(); });
}

bool Endpoint::is_empty() noexcept {
  Connections gone;  // before the lock, so that they end after it
  const std::lock_guard lock(mutex_);
  retire(gone, [](const protocol::Connection& connection) { return !connection.usable(); });
  return connections_.empty() && retired_.empty() && opening_ == 0;
}

bool Endpoint::find_idle(std::vector<Idle>& into) {
  Connections gone;  // before the lock, so that they end after it
  const std::lock_guard lock(mutex_);
  retire(gone, [](const protocol::Connection& connection) { return !connection.usable(); });
  const std::int64_t since_last_ms = (steady_now() - opened_at_) / 1'000'000;
  for (const auto& connection : connections_) {
    const unsigned busy = connection->in_flight();
    if (busy != 0 && is_aside(*connection) && busy == connection->abandoned())
      into.push_back({connection, std::numeric_limits<std::int64_t>::max()});
    if (busy != 0) continue;
    const std::int64_t known_ms = connection->transport().ms_idle();
    const std::int64_t ms = known_ms < 0 ? since_last_ms : known_ms;
    if (ms >= worth_closing_ms) into.push_back({connection, ms});
  }
  return !gone.empty();
}

bool Endpoint::Idle::close() const noexcept {
  if (ms != std::numeric_limits<std::int64_t>::max()) return connection->close_if_idle();
  if (connection->in_flight() != connection->abandoned()) return false;
  connection->abort();
  return true;
}

void Endpoint::let_go() noexcept {
  Connections gone;  // before the lock, so that they end after it
  const std::lock_guard lock(mutex_);
  retire(gone, [](const protocol::Connection&) { return true; });
}

Status Endpoint::flush(Deadline deadline) {
  Connections connections;
  {
    const std::lock_guard lock(mutex_);
    connections = connections_;
  }
  Status first;
  for (const auto& connection : connections) {
    const Status flushed = connection->flush(deadline);
    if (first) first = flushed;
  }
  return first;
}

void Endpoint::close_all(bool orderly) noexcept {
  Connections connections;
  Connections gone;
  {
    std::lock_guard lock(mutex_);
    closed_ = true;
    connections = connections_;
    retire(gone, [](const protocol::Connection&) { return true; });
    opened_.notify_all();
  }
  for (const auto& connection : connections) {
    if (orderly) {
      connection->close();
    } else {
      connection->abort();
    }
  }
}

}  // namespace tenon::orb
