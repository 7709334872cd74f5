// SPDX-License-Identifier: Apache-2.0
#include "orb/endpoint.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/log.hpp"
#include "base/minor_codes.hpp"
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
    ++open;
    const unsigned busy = connection->in_flight();
    if (best != nullptr && busy >= fewest) continue;
    best = connection;
    fewest = busy;
    if (busy == 0) break;
  }
  const bool good = best != nullptr && (fewest == 0 || open == most_);
  return {.connection = Ref<protocol::Connection>(good ? best : nullptr), .may_share = fewest != 0};
}

template <typename Condition>
void Endpoint::retire(Connections& gone, const Condition& condition) {
  const auto leaving = std::partition(connections_.begin(), connections_.end(),
                                      [&](const auto& connection) { return !condition(*connection); });
  for (auto each = leaving; each != connections_.end(); ++each) {
    for (unsigned i = 0; i <= most_; ++i) {
      if (slots_[i].load(std::memory_order_relaxed) == each->get()) slots_[i].store(nullptr);
    }
    retired_.push_back(std::move(*each));
  }
  connections_.erase(leaving, connections_.end());
  if (visitors_.load() != 0) return;
  gone.insert(gone.end(), retired_.begin(), retired_.end());
  retired_.clear();
}

Result<Endpoint::Taken> Endpoint::take_slowly(Deadline deadline, Connecting connecting) {
  Connections gone;  // before the lock, so that they end after it
  std::shared_ptr<void> place;
  bool full = false;  // there is no place, nor anything that could make room
  std::optional<Deadline> by;
  std::unique_lock lock(mutex_);
  while (true) {
    if (closed_) return errors::orb_has_shut_down;
    retire(gone, [](const protocol::Connection& connection) { return !connection.usable(); });
    protocol::Connection* least = nullptr;
    for (const auto& connection : connections_) {
      if (connection->in_flight() == 0) return Taken{.connection = connection};
      if (least == nullptr || connection->in_flight() < least->in_flight()) least = connection.get();
    }
    if (least == nullptr && connecting == Connecting::refused) return errors::rebind_refused;
    const bool may_open = connections_.size() + opening_ < most_;
    if (least != nullptr && (full || !may_open)) return Taken{.connection = Ref(least), .may_share = true};
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
  auto opened = open(deadline, std::move(place));
  lock.lock();
  --opening_;
  opened_.notify_all();
  if (!opened) return opened.error();
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

Deadline Endpoint::in_connect_time(Deadline deadline) const noexcept {
  return options_.connect_timeout_ms == 0
             ? deadline
             : earlier(deadline, Deadline::after_ms(options_.connect_timeout_ms));
}

Result<Ref<protocol::Connection>> Endpoint::open(Deadline deadline, std::shared_ptr<void> place) {
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
  options.place = std::move(place);
  auto connection = messaging_.connect(std::move(*transport), protocol::Role::originator, options);
  if (both_ways_ != nullptr && !both_ways_->serve(connection)) {
    connection->abort();
    return errors::no_thread_left;
  }
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
  if (idle.empty()) return;
  Connections gone;  // before the lock, so that they end after it
  const std::lock_guard lock(mutex_);
  retire(gone, [](const protocol::Connection& connection) { return !connection.usable(); });
}

bool Endpoint::find_idle(std::vector<Idle>& into) {
  Connections gone;  // before the lock, so that they end after it
  const std::lock_guard lock(mutex_);
  retire(gone, [](const protocol::Connection& connection) { return !connection.usable(); });
  const std::int64_t since_last_ms = (steady_now() - opened_at_) / 1'000'000;
  for (const auto& connection : connections_) {
    if (connection->in_flight() != 0) continue;
    const std::int64_t known_ms = connection->transport().ms_idle();
    const std::int64_t ms = known_ms < 0 ? since_last_ms : known_ms;
    if (ms >= worth_closing_ms) into.push_back({connection, ms});
  }
  return !gone.empty();
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
