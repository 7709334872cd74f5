// SPDX-License-Identifier: Apache-2.0
#include "orb/endpoint.hpp"

#include <algorithm>

#include "base/log.hpp"
#include "base/minor_codes.hpp"

namespace tenon::orb {

namespace {

/// More would be a slip of the pen; each is a descriptor and a thread of the peer.
constexpr unsigned most_slots = 1024;

}  // namespace

Endpoint::Endpoint(LinkKey key, protocol::TransportPlugin& transport, protocol::Messaging& messaging,
                   const Options& options)
    : key_(std::move(key)),
      transport_(transport),
      messaging_(messaging),
      options_(options),
      most_(std::clamp(options.connections_per_endpoint, 1u, most_slots)),
      slots_(std::make_unique<std::atomic<protocol::Connection*>[]>(most_)) {}

Result<Endpoint::Taken> Endpoint::take(Deadline deadline) {
  if (Taken taken = take_quickly(); taken.connection) [[likely]]
    return taken;
  return take_slowly(deadline);
}

Endpoint::Taken Endpoint::take_quickly() noexcept {
  const Visit visit(visitors_);
  protocol::Connection* best = nullptr;
  unsigned fewest = 0;
  unsigned open = 0;
  for (unsigned i = 0; i < most_; ++i) {
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
    for (unsigned i = 0; i < most_; ++i) {
      if (slots_[i].load(std::memory_order_relaxed) == each->get()) slots_[i].store(nullptr);
    }
    retired_.push_back(std::move(*each));
  }
  connections_.erase(leaving, connections_.end());
  if (visitors_.load() != 0) return;
  gone.insert(gone.end(), retired_.begin(), retired_.end());
  retired_.clear();
}

Result<Endpoint::Taken> Endpoint::take_slowly(Deadline deadline) {
  Connections gone;  // before the lock, so that they end after it
  std::unique_lock lock(mutex_);
  while (true) {
    if (closed_) return errors::orb_has_shut_down;
    retire(gone, [](const protocol::Connection& connection) { return !connection.usable(); });
    protocol::Connection* least = nullptr;
    for (const auto& connection : connections_) {
      if (connection->in_flight() == 0) return Taken{.connection = connection};
      if (least == nullptr || connection->in_flight() < least->in_flight()) least = connection.get();
    }
    if (connections_.size() + opening_ < most_) break;
    if (least != nullptr) return Taken{.connection = Ref(least), .may_share = true};
    // Every connection that may exist is just being made.
    if (deadline.is_never()) {
      opened_.wait(lock);
    } else if (opened_.wait_for(lock, std::chrono::nanoseconds(deadline.remaining_ns())) ==
               std::cv_status::timeout) {
      return errors::connect_timed_out;
    }
  }
  ++opening_;
  lock.unlock();
  Deadline connect_by = deadline;
  if (options_.connect_timeout_ms != 0)
    connect_by = earlier(deadline, Deadline::after_ms(options_.connect_timeout_ms));
  auto transport = transport_.connect({key_.address}, connect_by);
  if (transport && log_enabled(LogLevel::debug)) {
    log(LogLevel::debug, "orb",
        "connected to " + key_.transport + ' ' + key_.address + " from " + (*transport)->local());
  }
  if (!transport && log_enabled(LogLevel::info)) {
    log(LogLevel::info, "orb",
        "cannot connect to " + key_.transport + " " + key_.address + ": " +
            std::string(describe(transport.error())));
  }
  Ref<protocol::Connection> connection;
  if (transport) {
    connection = messaging_.connect(std::move(*transport), protocol::Role::originator, options_.messaging);
  }
  lock.lock();
  --opening_;
  opened_.notify_all();
  if (!connection) return transport.error();
  if (closed_) return errors::orb_has_shut_down;
  connections_.push_back(connection);
  for (unsigned i = 0; i < most_; ++i) {
    if (slots_[i].load(std::memory_order_relaxed) != nullptr) continue;
    slots_[i].store(connection.get());
    break;
  }
  return Taken{.connection = std::move(connection), .fresh = true};
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
