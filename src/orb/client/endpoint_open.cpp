// SPDX-License-Identifier: Apache-2.0
//
// A call that finds no connection to take: opens one, waits for one that is being opened, or makes room for one at the limit. Connections
// get their slots here, and lose them.
#include <algorithm>
#include <optional>
#include <utility>

#include "base/minor_codes.hpp"
#include "orb/bidirectional.hpp"
#include "orb/client/endpoint.hpp"
#include "orb/client/outgoing_limit.hpp"
#include "orb/client/tried.hpp"
#include "orb/connection_options.hpp"
#include "orb/current_protocols.hpp"

namespace tenon::orb {

namespace {

/// How often a call looks whether there is room for a connection. It is not told when one becomes idle, so that calls pay nothing.
constexpr std::int64_t look_again_ns = 2'000'000;

/// Whether other connections may have what one that could not be opened lacks: a descriptor, or memory.
bool lacks_room(const Error& error) noexcept {
  return error == errors::out_of_descriptors || error == memory::shortage();
}

}  // namespace

Error Endpoint::why_closed(Connecting connecting) const noexcept {
  if constexpr (protocols_change) {
    if (closed_ == Closed::with_protocol)
      return connecting == Connecting::refused ? errors::rebind_refused : errors::protocol_removed;
  }
  return errors::orb_has_shut_down;
}

Result<Endpoint::Taken> Endpoint::open_or_wait(Deadline deadline, Connecting connecting) {
  struct Surplus {
    Connections connections;
    ~Surplus() {
      for (const auto& each : connections) each->abort();
    }
  } surplus;
  Connections gone;  // declared before the lock: destroyed after it
  std::shared_ptr<void> place;
  bool full = false;  // there is no place, and no connection could be closed to make room
  std::optional<Deadline> by;
  LockGuard lock(mutex_);
  while (true) {
    if (closed_ != Closed::no) return why_closed(connecting);
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
      if (find_place(gone, surplus.connections, place, full)) break;
    } else if (full && give_up_one(gone, surplus.connections)) {
      full = false;
    } else if (full) {
      // Every connection that may be open is busy with calls to other addresses.
      if (!by) by = in_connect_time(deadline);
      if (deadline.expired() || by->expired()) {
        memory::count_refusal(memory::Kind::connections);
        return deadline.expired() ? errors::connection_wait_timed_out : errors::too_many_connections;
      }
      opened_.wait_until(mutex_, earlier(*by, Deadline::after_ns(look_again_ns)));
      full = false;
    } else if (!opened_.wait_until(mutex_, deadline)) {
      // As many connections as may exist are being opened by other calls.
      return errors::connect_timed_out;
    }
  }
  ++opening_;
  lock.unlock();
  auto opened = open_with_room(deadline, place);
  lock.lock();
  --opening_;
  opened_.notify_all();
  if (!opened) {
    protocol::Connection* const shared = lacks_room(opened.error()) ? to_share() : nullptr;
    if (shared != nullptr) return Taken{.connection = Ref(shared), .may_share = true};
    return opened.error();
  }
  if (closed_ != Closed::no) return why_closed(connecting);
  opened_at_ = steady_now();
  connections_.push_back(*opened);
  settle_in(opened->get());
  return Taken{.connection = std::move(*opened), .fresh = true};
}

/// Connections with abandoned requests lose their slots; those that have none any more get a slot again. `surplus` gets those that the
/// caller must end without the lock, since no slot is free for them, or since too many are set aside.
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

/// At the limit, the connection that has been set aside for longest gives its place up, unless calls that go on are on it. An ORB without
/// outgoing_limit's part has no other way to it: nobody reads the connection, so that it would keep the place for good. False: there is none.
bool Endpoint::give_up_one(Connections& gone, Connections& surplus) {
  const protocol::Connection* oldest = nullptr;
  for (const auto& connection : connections_) {
    if (!is_aside(*connection) || connection->in_flight() != connection->abandoned()) continue;
    oldest = connection.get();
    surplus.push_back(connection);
    break;
  }
  if (oldest != nullptr) retire(gone, [&](const protocol::Connection& each) { return &each == oldest; });
  return oldest != nullptr;
}

unsigned Endpoint::settled() const noexcept {
  unsigned count = 0;
  for (unsigned i = 0; i <= most_; ++i) count += slots_[i].load(std::memory_order_relaxed) != nullptr ? 1 : 0;
  return count;
}

void Endpoint::settle_in(protocol::Connection* connection) noexcept {
  unsigned free = diverted_ ? 1 : 0;
  while (slots_[free].load(std::memory_order_relaxed) != nullptr) ++free;
  slots_[free].store(connection);
}

void Endpoint::divert() noexcept {
  const LockGuard lock(mutex_);
  if (std::exchange(diverted_, true)) return;
  protocol::Connection* const first = slots_[0].load(std::memory_order_relaxed);
  if (first == nullptr) return;
  settle_in(first);
  slots_[0].store(nullptr);
}

/// Finds a place for one more connection. False: the lock was given back meanwhile, so the caller must look at everything again.
bool Endpoint::find_place(Connections& gone, Connections& surplus, std::shared_ptr<void>& place, bool& full) {
  if (limit_ == nullptr) return true;
  place = limit_->take();
  if (place != nullptr) return true;
  mutex_.unlock();
  const bool had_ended = !gone.empty() || !surplus.empty();
  for (const auto& each : surplus) each->abort();
  surplus.clear();  // a connection has its place until nobody refers to it
  gone.clear();
  full = !had_ended && !limit_->make_room();
  mutex_.lock();
  return false;
}

/// open(), for which connections that have ended or are idle give back their descriptors when there is none left.
Result<Ref<protocol::Connection>> Endpoint::open_with_room(Deadline deadline,
                                                           const std::shared_ptr<void>& place) {
  while (true) {
    const unsigned given_back = limit_ == nullptr ? 0 : limit_->times_given_back();
    auto opened = open(deadline, place);
    if (opened || !lacks_room(opened.error())) return opened;
    if (limit_ == nullptr || !limit_->give_back(given_back)) return opened;
  }
}

Deadline Endpoint::in_connect_time(Deadline deadline) const noexcept {
  return options_.connect_timeout_ms == 0
             ? deadline
             : earlier(deadline, Deadline::after_ms(options_.connect_timeout_ms));
}

namespace {

/// What a call's time-out bounds begins with its request.
protocol::MessagingOptions options_of_calls(protocol::MessagingOptions options) {
  std::uint32_t& send_ms = options.limits.send_timeout_ms;
  const std::uint32_t call_ms = options.limits.receive_timeout_ms;
  if (call_ms != 0 && (send_ms == 0 || call_ms < send_ms)) send_ms = call_ms;
  return options;
}

}  // namespace

Result<Ref<protocol::Connection>> Endpoint::open(Deadline deadline, const std::shared_ptr<void>& place) {
  const Deadline by = in_connect_time(deadline);
  auto transport = key_.properties.empty() ? transport_.connect(key_.address, by)
                                           : transport_.connect_with(key_.properties, key_.address, by);
  failed_at_.store(transport ? 0 : steady_now(), std::memory_order_relaxed);
  const CallNotes* const notes = call_notes.load(std::memory_order_acquire);
  if (!transport) {
    if (notes != nullptr) notes->not_connected(key_, transport.error());
    return transport.error();
  }
  if (*transport == nullptr) return memory::shortage();
  if (notes != nullptr) notes->connected(key_, **transport);
  auto connection =
      messaging_.connect(std::move(*transport), protocol::Role::originator,
                         options_of_calls(connection_options(options_.messaging, bidirectional_,
                                                             bidirectional_ != nullptr, place)));
  if (!connection) return connection;
  if (bidirectional_ != nullptr && !bidirectional_->serve(*connection)) {
    (*connection)->abort();
    return errors::no_thread_left;
  }
  if (bidirectional_ == nullptr && options_.messaging.clock != nullptr)
    options_.messaging.clock->used(**connection);
  return connection;
}

void Endpoint::retire(Connections& gone, FunctionRef<bool(const protocol::Connection&)> condition) {
  auto staying = connections_.begin();  // they keep their order: the oldest is first
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
  while (connections_.end() != staying) connections_.pop_back();
  if (visitors_.load() != 0) return;
  for (const Ref<protocol::Connection>& each : retired_) gone.push_back(each);
  retired_.clear();
}

}  // namespace tenon::orb
