// SPDX-License-Identifier: Apache-2.0
//
// The connections of this process to one address, shared by all references that lead there. A call takes an idle one, else opens
// another up to the limit, else shares one: the least busy of those that have answered lately, never the one that owes an answer for longest.
//
// One with a request that was abandoned (out of time, cancelled) takes no further calls, since the peer may be busy with that: it is set
// aside, out of its slot, and does not count against the limit. Once its replies have come it gets a slot again if there is one free.
//
// Calls over different connections meet in no lock: taking a connection that is idle only counts the taker. The mutex is for
// connections that come and go.
#pragma once

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "base/ref.hpp"
#include "orb/options.hpp"
#include "protocol/messaging.hpp"

namespace tenon::orb {

class Attendant;
class BothWays;
class OutgoingLimit;

/// May a call connect, or only use what there is?
enum class Connecting : std::uint8_t { allowed, refused };

/// What connections are kept apart by. Open for what later asks for its own connections; equal keys share.
struct LinkKey {
  std::string transport;   ///< "iiop"
  std::string address;     ///< in the transport's own words
  std::string properties;  ///< protocol properties that differ from the default: both_ways
  int priority_band = 0;
  bool is_private = false;  ///< with a key of its own in `properties`
  std::string identity;     ///< TLS identity
  auto operator<=>(const LinkKey&) const = default;

  static constexpr std::string_view both_ways = "both ways";  ///< requests may come from either side
};

class Endpoint final : public RefCounted {
 public:
  /// `both_ways`: connections that are opened carry requests in both directions; null: they do not. `limit`: of all endpoints, which it
  /// outlives; null: there is none.
  Endpoint(LinkKey key, protocol::TransportPlugin& transport, protocol::Messaging& messaging,
           const Options& options, std::shared_ptr<BothWays> both_ways = nullptr,
           OutgoingLimit* limit = nullptr);
  /// Leads over a connection that is there already, and opens none.
  Endpoint(LinkKey key, protocol::TransportPlugin& transport, protocol::Messaging& messaging,
           const Options& options, Ref<protocol::Connection> only);

  struct Taken {
    Ref<protocol::Connection> connection;
    bool fresh = false;  ///< made for this call: a failure is not a stale connection
    bool may_share =
        false;  ///< all that may be opened are busy; false: somebody may be quicker, and the call looks for another one
  };
  /// TRANSIENT when no connection can be made, TIMEOUT when the deadline passed while it was being made. REBIND when there is none and
  /// none may be made; one beside others may.
  Result<Taken> take(Deadline deadline, Connecting connecting = Connecting::allowed);
  /// The first connection, if it is idle; else null, and take() knows more. Takes no lock.
  Ref<protocol::Connection> take_idle() noexcept {
    const Visit visit(visitors_);
    protocol::Connection* first = slots_[0].load();
    if (first == nullptr || !first->idle()) return nullptr;
    return Ref<protocol::Connection>(first);
  }
  void close_all(bool orderly) noexcept;
  /// Sends what the connections have kept back; the first failure.
  Status flush(Deadline deadline);
  /// Closes connections without traffic for so long; lets go of those that have ended.
  void close_idle(std::int64_t ms) noexcept;
  /// Has connections rest that nobody has read since the last time (protocol::Connection::rest()), and watched by the attendant; null:
  /// by nobody. True: some do not rest.
  bool rest(Attendant* attendant, bool late) noexcept;
  /// Lets go of connections that have ended.
  void drop_ended() noexcept;
  /// It has no connection, nor is one being made; lets go of those that have ended first.
  bool is_empty() noexcept;
  /// A connection without calls, or only with abandoned ones, that may go to make room for another one.
  struct Idle {
    Ref<protocol::Connection> connection;
    std::int64_t ms = 0;  ///< for how long, as far as is known; the largest number: it has been set aside
    /// False: a call has begun on it meanwhile, or has come.
    bool close() const noexcept;
  };
  /// Lets go of connections that have ended, true if there were some; adds those without calls.
  bool find_idle(std::vector<Idle>& into);
  /// Knows its connections no more; they stay as they are.
  void let_go() noexcept;
  /// From now on take_idle() finds nothing: who comes by shall look again where calls go best.
  void divert() noexcept;
  const LinkKey& key() const noexcept { return key_; }
  /// There is a connection, busy or not. Takes no lock.
  bool connected() noexcept;
  /// Nobody could be connected to there, not long ago.
  bool failed_lately() const noexcept;
  /// False: it leads over a connection that the peer has opened.
  bool opens() const noexcept { return opens_; }

 private:
  /// Sequentially consistent with retire(): either it sees this visitor, or this visitor sees the empty slot.
  class Visit {
   public:
    explicit Visit(std::atomic<unsigned>& visitors) noexcept : visitors_(visitors) { visitors_.fetch_add(1); }
    ~Visit() { visitors_.fetch_sub(1); }
    Visit(const Visit&) = delete;
    Visit& operator=(const Visit&) = delete;

   private:
    std::atomic<unsigned>& visitors_;
  };
  /// A call would have to wait for what another one has left behind, and there is another way.
  bool is_aside(const protocol::Connection& connection) const noexcept {
    return opens_ && connection.abandoned() != 0;
  }
  /// Without the lock: an idle connection, or one to share when no more may be opened. Null: see take_slowly().
  Taken take_quickly() noexcept;
  protocol::Connection* to_share() const noexcept;  // by a visitor, or with the lock
  Result<Taken> take_slowly(Deadline deadline, Connecting connecting);
  Deadline in_connect_time(Deadline deadline) const noexcept;
  Result<Ref<protocol::Connection>> open(Deadline deadline, const std::shared_ptr<void>& place);
  void settle_in(protocol::Connection* connection) noexcept;  // with the lock
  using Connections = std::vector<Ref<protocol::Connection>>;
  unsigned settled() const noexcept;  // with the lock: how many have a slot
  void sort_out(Connections& surplus);
  bool find_place(std::unique_lock<std::mutex>& lock, Connections& gone, std::shared_ptr<void>& place,
                  bool& full);
  bool make_room(const Error& failure) noexcept;
  /// With the lock: takes connections out of their slots. What it adds to `gone` may be dropped, without the lock.
  template <typename Condition>
  void retire(Connections& gone, const Condition& condition);

  const LinkKey key_;
  protocol::TransportPlugin& transport_;
  protocol::Messaging& messaging_;
  const Options& options_;  // the ORB's, which outlives this
  const std::shared_ptr<BothWays> both_ways_;
  OutgoingLimit* const limit_;
  const bool opens_;     // connections of its own
  const unsigned most_;  // connections; one slot more, since the first may be diverted
  // Each slot is null or a connection that connections_ holds. A thread in take_quickly() counts itself a visitor before it looks
  // at a slot, and out of it once it has a reference of its own; so a connection that has left its slot may go when there is a
  // moment without visitors.
  const std::unique_ptr<std::atomic<protocol::Connection*>[]> slots_;
  std::atomic<unsigned> visitors_{0};
  std::atomic<std::int64_t> failed_at_{
      0};             // steady_now() of the last failure to connect; 0: the last attempt was good
  std::mutex mutex_;  // guards what follows, and changes of slots
  std::condition_variable opened_;
  Connections connections_;
  Connections retired_;  // left their slots while there were visitors
  unsigned opening_ = 0;
  std::int64_t opened_at_ = 0;  // steady_now() of the last one that was opened
  bool closed_ = false;
  bool diverted_ = false;  // the first slot stays empty
};

}  // namespace tenon::orb
