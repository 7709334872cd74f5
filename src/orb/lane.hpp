// SPDX-License-Identifier: Apache-2.0
//
// One accepted connection with what keeps its requests in order: a request for an object starts after an earlier oneway to the
// same object, on the same connection, has returned. Requests for other objects run freely.
// Threads: everything from any thread.
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "base/ref.hpp"
#include "orb/reactor.hpp"
#include "protocol/messaging.hpp"

namespace tenon::orb {

class Server;

class Lane final : public RefCounted, public Reactor::Source {
 public:
  Lane(Server& server, Ref<protocol::Connection> connection)
      : server_(server), connection_(std::move(connection)) {}

  /// For the reactor of a single thread that serves.
  void ready() override;

  protocol::Connection& connection() const noexcept { return *connection_; }
  const Ref<protocol::Connection>& connection_ref() const noexcept { return connection_; }

  /// No oneway is running apart from the thread that reads: the usual case, one load.
  bool unordered() const noexcept { return running_.load(std::memory_order_acquire) == 0; }

  /// A oneway to this key is about to run while others may read. Pair with next().
  void enter(ByteView key);
  enum class Queued : std::uint8_t {
    no,  ///< there is nothing to wait for: it may run now
    yes,
    full,  ///< and nobody is to read the connection until readable_again()
  };
  /// Puts the call behind the oneway to its key that runs.
  Queued queue_behind(protocol::IncomingCall& call);
  /// The same by a thread that reads nothing but this connection: it waits while the queue is full. False: it may run now.
  bool wait_and_queue_behind(protocol::IncomingCall& call);
  /// As much is queued as may be.
  bool full();
  /// Once after Queued::full, when it is no longer so: whoever is told may read.
  bool readable_again();
  /// The oneway (or a call queued behind it) has returned: the next one to run, or null when the key is free again.
  std::unique_ptr<protocol::IncomingCall> next(ByteView key);

  std::optional<int> descriptor() const noexcept { return connection_->transport().poll_descriptor(); }

  /// Where a pool finds this connection (PolledLanes); 0: it does not. Set once, before it is polled.
  std::uint64_t token = 0;
  /// A pool's thread may stay with this connection. Set once, before it is polled.
  bool may_stay = false;
  /// How many requests have come one right after the other, less what speaks against staying. Of whoever may read.
  unsigned heat = 0;
  std::int64_t last_request_ns = 0;
  /// Not watched by the reactor for as long as full(). Of the reactor's thread.
  bool stalled = false;

 private:
  static constexpr std::size_t most_queued = 1000;

  struct Ordered {
    std::vector<std::uint8_t> key;
    std::deque<std::unique_ptr<protocol::IncomingCall>> queue;
  };
  Ordered* find(ByteView key) noexcept;
  bool any_full() const noexcept;
  static bool put(Ordered& ordered, protocol::IncomingCall& call);

  Server& server_;
  const Ref<protocol::Connection> connection_;
  std::atomic<unsigned> running_{0};
  std::atomic<bool> held_back_{false};  // changes with the mutex
  std::mutex mutex_;
  std::condition_variable shorter_;
  std::vector<std::unique_ptr<Ordered>> ordered_;
};

}  // namespace tenon::orb
