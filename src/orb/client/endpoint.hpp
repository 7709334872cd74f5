// SPDX-License-Identifier: Apache-2.0
//
// The connections of this process to one address, shared by all references that lead there. A call takes a connection that is idle. If
// there is none, it opens another one. If there are as many as there may be, it shares one with other calls: the least busy of those that
// have answered lately, and never the one whose answer is overdue for longest.
//
// A request is abandoned when its call has run out of time or was cancelled. The peer may still be busy with it, so its connection takes no
// further calls: it loses its slot and does not count against the limit. It gets a slot again when the late replies have come and one is
// free.
//
// A call that takes an idle connection takes no lock: it only counts itself as a visitor. The mutex is for connections that come and go.
//
// Threads: everything from any thread.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <string_view>

#include "base/error.hpp"
#include "base/function_ref.hpp"
#include "base/memory.hpp"
#include "base/ref.hpp"
#include "base/thread_annotations.hpp"
#include "orb/options.hpp"
#include "protocol/messaging.hpp"

namespace tenon::orb {

class Attendant;
class Bidirectional;
class OutgoingLimit;

/// Whether a call may open a connection, or only use one that is there.
enum class Connecting : std::uint8_t { allowed, refused };

/// Calls whose keys are equal share their connections; calls whose keys differ do not.
struct LinkKey {
  std::string_view transport;      ///< "iiop"; the transport's text, which lives as long
  memory::String address;          ///< as the transport writes it
  memory::String properties = {};  ///< what they are opened with (TransportPlugin::connect_with())
  bool bidirectional = false;      ///< requests may come from either side
};

/// A key to look for.
struct LinkKeyView {
  std::string_view transport;
  std::string_view address;
  std::string_view properties;
  bool bidirectional;

  /// Less than 0, 0 or more than 0, as memcmp.
  int compare(const LinkKey& other) const noexcept;
};

class Endpoint final : public RefCounted, public memory::Of<memory::Kind::connections> {
 public:
  /// Opens connections of its own. `bidirectional`: null unless these carry requests in both directions. `limit`: how many connections all
  /// endpoints together may have; it outlives them; null: any number.
  Endpoint(LinkKey key, protocol::TransportPlugin& transport, protocol::Messaging& messaging,
           const Options& options, std::shared_ptr<Bidirectional> bidirectional = nullptr,
           OutgoingLimit* limit = nullptr);
  /// Has one connection, `only`, and opens none: the peer has opened it.
  Endpoint(LinkKey key, protocol::TransportPlugin& transport, protocol::Messaging& messaging,
           const Options& options, Ref<protocol::Connection> only);

  struct Taken {
    Ref<protocol::Connection> connection;
    /// It was opened for this call. So if the call fails, it is not because the peer had closed it long ago.
    bool fresh = false;
    /// All that may be opened are busy, so the call may share this one. False: if another call is quicker to take it, look for another one.
    bool may_share = false;
  };
  /// TRANSIENT: no connection can be made. TIMEOUT: the deadline passed while one was being made. REBIND: there is no connection, and
  /// `connecting` forbids the first one; it never forbids a further one.
  Result<Taken> take(Deadline deadline, Connecting connecting = Connecting::allowed);
  /// The first connection if it is idle. Null: ask take(). Takes no lock.
  Ref<protocol::Connection> take_idle() noexcept {
    const Visit visit(visitors_);
    protocol::Connection* first = slots_[0].load();
    if (first == nullptr || !first->idle()) return nullptr;
    return Ref<protocol::Connection>(first);
  }
  /// Closes all connections, for good. What is said to the peers waits until `by` at most.
  void close_all_by(Deadline by) noexcept;
  /// Opens no connections from now on, since its protocol is removed, and gives those that it had to the caller, which closes them.
  memory::Vector<Ref<protocol::Connection>, memory::Kind::connections> leave() noexcept;
  /// Sends the oneways that the connections have buffered. Tries all connections and returns the first failure.
  Status flush(Deadline deadline);
  /// Closes connections without traffic for `ms` milliseconds, and lets go of those that have ended.
  void close_idle(std::int64_t ms) noexcept;
  /// Has connections rest that no thread has read since the last time (protocol::Connection::rest()), and the attendant, unless it is null,
  /// watch them. True: some are in use and do not rest.
  bool rest(Attendant* attendant, bool late) noexcept;
  /// Lets go of connections that have ended.
  void drop_ended() noexcept;
  /// Whether it has no connection and is not opening one. Lets go of connections that have ended first.
  bool is_empty() noexcept;
  /// A connection that may be closed to make room for another one: it has no calls, or only abandoned ones.
  struct Idle {
    Ref<protocol::Connection> connection;
    std::int64_t ms =
        0;  ///< idle for so long, as far as is known; the largest number: it has only abandoned calls
    /// False: it stays, because a call has begun on it meanwhile, or has come over it.
    bool close() const noexcept;
  };
  using Idles = memory::Vector<Idle, memory::Kind::requests>;
  /// Adds the connections that may be closed to `into`, as far as there is memory, and lets go of those that have ended. True: some had
  /// ended.
  bool find_idle(Idles& into);
  /// Forgets its connections without closing them.
  void let_go() noexcept;
  /// From now on take_idle() finds nothing, so every call looks again which way it should go.
  void divert() noexcept;
  const LinkKey& key() const noexcept { return key_; }
  /// Whether there is a usable connection, busy or not. Takes no lock.
  bool connected() noexcept;
  /// Whether the last attempt to connect failed, and not long ago (30 s).
  bool failed_lately() const noexcept;
  /// As if it had: the connection broke before it took a request.
  void note_failure() noexcept { failed_at_.store(steady_now(), std::memory_order_relaxed); }
  bool failed_before(const Endpoint& other) const noexcept {
    return failed_at_.load(std::memory_order_relaxed) < other.failed_at_.load(std::memory_order_relaxed);
  }
  /// False: its only connection is one that the peer has opened.
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
  /// Whether the connection takes no calls because of an abandoned request. Never where no other connection can be opened.
  bool is_aside(const protocol::Connection& connection) const noexcept {
    return opens_ && connection.abandoned() != 0;
  }
  /// Without the lock: an idle connection, or one to share if no more may be opened. Null: ask open_or_wait().
  Taken take_ready() noexcept;
  protocol::Connection* to_share() const noexcept;  // by a visitor, or with the lock
  Result<Taken> open_or_wait(Deadline deadline, Connecting connecting) TENON_EXCLUDES(mutex_);
  Deadline in_connect_time(Deadline deadline) const noexcept;
  Result<Ref<protocol::Connection>> open(Deadline deadline, const std::shared_ptr<void>& place);
  Result<Ref<protocol::Connection>> open_with_room(Deadline deadline, const std::shared_ptr<void>& place);
  void settle_in(protocol::Connection* connection) noexcept TENON_REQUIRES(mutex_);
  using Connections = memory::Vector<Ref<protocol::Connection>, memory::Kind::connections>;
  Connections all() TENON_EXCLUDES(mutex_);
  unsigned settled() const noexcept TENON_REQUIRES(mutex_);  // how many have a slot
  void sort_out(Connections& surplus) TENON_REQUIRES(mutex_);
  bool give_up_one(Connections& gone, Connections& surplus) TENON_REQUIRES(mutex_);
  bool find_place(Connections& gone, Connections& surplus, std::shared_ptr<void>& place, bool& full)
      TENON_REQUIRES(mutex_);
  /// Takes the connections that meet the condition out of their slots. The caller drops what is in `gone` without the lock.
  void retire(Connections& gone, FunctionRef<bool(const protocol::Connection&)> condition)
      TENON_REQUIRES(mutex_);

  const LinkKey key_;
  protocol::TransportPlugin& transport_;
  protocol::Messaging& messaging_;
  const Options& options_;  // the ORB's, which outlives this
  const std::shared_ptr<Bidirectional> bidirectional_;
  OutgoingLimit* const limit_;
  const bool opens_;     // connections of its own
  const unsigned most_;  // connections; one slot more, since the first may be diverted
  // Each slot is null or a connection that connections_ holds. A thread in take_ready() counts itself a visitor before it looks
  // at a slot, and out of it once it has a reference of its own; so a connection that has left its slot may go when there is a
  // moment without visitors.
  memory::Vector<std::atomic<protocol::Connection*>, memory::Kind::connections> slots_;  // never another size
  std::atomic<unsigned> visitors_{0};
  std::atomic<std::int64_t> failed_at_{
      0};        // steady_now() of the last failure to connect; 0: the last attempt was good
  Mutex mutex_;  // held while slots change, too
  CondVar opened_;
  Connections connections_ TENON_GUARDED_BY(mutex_);
  Connections retired_ TENON_GUARDED_BY(mutex_);  // left their slots while there were visitors
  unsigned opening_ TENON_GUARDED_BY(mutex_) = 0;
  std::int64_t opened_at_ TENON_GUARDED_BY(mutex_) = 0;  // steady_now() of the last one that was opened
  enum class Closed : std::uint8_t { no, with_orb, with_protocol };
  /// Where it is closed: what a call is told that wants a connection.
  Error why_closed(Connecting connecting) const noexcept TENON_REQUIRES(mutex_);
  Closed closed_ TENON_GUARDED_BY(mutex_) = Closed::no;
  bool diverted_ TENON_GUARDED_BY(mutex_) = false;  // the first slot stays empty
};

using EndpointList = memory::Vector<Ref<Endpoint>, memory::Kind::connections>;

}  // namespace tenon::orb
