// SPDX-License-Identifier: Apache-2.0
//
// How a call chooses among the connections that exist. endpoint_open.cpp says what it does if it finds none, and endpoint_sweeps.cpp has
// what is done apart from calls.
#include "orb/client/endpoint.hpp"

#include <algorithm>
#include <utility>

#include "orb/bidirectional.hpp"

namespace tenon::orb {

namespace {

/// A larger number would be a mistake: each is a descriptor, and a thread of the peer.
constexpr unsigned most_slots = 1024;

/// For so long after a failure, an address is tried only after other addresses of the same object.
constexpr std::int64_t remembered_ns = 30'000'000'000;

/// A shared connection that has answered no call for so long is shared with further calls only if all connections are like this.
constexpr std::int64_t slow_ns = 20'000'000;

}  // namespace

Endpoint::Endpoint(LinkKey key, protocol::TransportPlugin& transport, protocol::Messaging& messaging,
                   const Options& options, std::shared_ptr<Bidirectional> bidirectional, OutgoingLimit* limit)
    : key_(std::move(key)),
      transport_(transport),
      messaging_(messaging),
      options_(options),
      bidirectional_(std::move(bidirectional)),
      limit_(limit),
      opens_(true),
      most_(std::clamp(options.connections_per_endpoint, 1u, most_slots)),
      slots_(most_ + 1) {}

Endpoint::Endpoint(LinkKey key, protocol::TransportPlugin& transport, protocol::Messaging& messaging,
                   const Options& options, Ref<protocol::Connection> only)
    : key_(std::move(key)),
      transport_(transport),
      messaging_(messaging),
      options_(options),
      limit_(nullptr),
      opens_(false),
      most_(1),
      slots_(most_ + 1) {
  slots_[0].store(only.get());
  connections_.push_back(std::move(only));
}

Result<Endpoint::Taken> Endpoint::take(Deadline deadline, Connecting connecting) {
  if (Taken taken = take_ready(); taken.connection) [[likely]]
    return taken;
  return open_or_wait(deadline, connecting);
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

Endpoint::Taken Endpoint::take_ready() noexcept {
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

}  // namespace tenon::orb
