// SPDX-License-Identifier: Apache-2.0
//
// Messaging, Connection, OutgoingCall: how the ORB core makes calls and has connections served, over a Transport (transport.hpp)
// and without seeing GIOP. What is virtual is called once per message; fields are written and read by cdr directly.
//
// A Connection is client and server at once. Any number of threads may call on one connection; see each function.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/ref.hpp"
#include "cdr/code_sets.hpp"
#include "cdr/reader.hpp"
#include "cdr/writer.hpp"
#include "ior/ior.hpp"
#include "protocol/incoming_call.hpp"
#include "protocol/transport.hpp"

namespace tenon::ior {
struct OperationNumbers;
}

namespace tenon::protocol {

class BothWays;

/// What a call to an object that has been reached before may do without its caller (Messaging::RebindMode).
enum class Rebind : std::uint8_t {
  transparent,   ///< all that the standard allows
  no_rebind,     ///< connect again, but go nowhere else
  no_reconnect,  ///< neither
};

enum class LocateStatus : std::uint8_t { unknown_object, object_here, object_forward, object_forward_perm };

/// The service contexts that came with a message, whose bytes must live. A view; each walk starts anew.
struct ReceivedContexts {
  std::uint32_t count = 0;
  cdr::Reader first;  ///< where the first one begins

  template <typename Take>  // void(const ServiceContext&)
  void each(Take take) const {
    cdr::Reader at = first;
    for (std::uint32_t i = 0; i < count; ++i) {
      ServiceContext context{at.get<std::uint32_t>(), {}};
      context.data = at.get_octet_sequence();
      if (at.good()) take(context);
    }
  }
};

/// What stays the same for every call to one object over one profile.
struct Target {
  ByteView object_key;
  std::uint8_t minor = 2;
  const ior::Ior* reference = nullptr;  ///< for the addressing dispositions that carry profiles
  std::size_t profile_index = 0;
  const cdr::CodeSetComponentInfo* code_sets = nullptr;  ///< what the profile says; null: it says nothing
  std::uint16_t addressing =
      0;  ///< disposition that the peer asked for (GIOP 1.2 §9.4.2): 0 key, 1 profile, 2 reference
  /// What may stand in place of the names of operations; null: nothing. Only callers that know of it look.
  const ior::OperationNumbers* numbers = nullptr;
};

/// How long oneways with Sync::none may be kept back: until one of these is reached, or until something else goes over their connection.
struct Buffering {
  std::int64_t time_ns = 0;    ///< since the first that is kept back; 0: any time
  std::uint32_t messages = 0;  ///< 0: any number
  std::uint32_t octets = 0;    ///< 0: nothing is kept back
  bool operator==(const Buffering&) const = default;
};

/// What a caller wants.
struct CallSpec {
  std::string_view operation;
  bool response_expected = true;
  bool has_arguments = true;  ///< false: no body, so GIOP 1.2 adds no alignment for one
  Sync sync = Sync::with_target;
  Rebind rebind = Rebind::transparent;
  Deadline deadline;  ///< until the request has been handed over; never: the connection's own time-outs
  Deadline reply_by = deadline;  ///< until the reply is there
  std::span<const ServiceContext> contexts;
  Buffering buffering;  ///< of a oneway with Sync::none
};

class Connection;
struct OutgoingCall;

/// Who is told about a call that no thread waits for. Both are called with locks of the connection held: they only take note.
class Sink {
 public:
  /// The reply has come, or call.failure says why none will. Once; the connection then knows nothing of the call any more.
  virtual void done(OutgoingCall& call) noexcept = 0;
  /// Nobody reads the connection, and calls like this one are in flight: somebody shall serve() it as long as stay() says so.
  virtual void attend(Connection& connection) noexcept = 0;

 protected:
  ~Sink() = default;
};

/// One call that this process makes. Lives on the caller's stack from begin() to end(); filled in by the messaging.
struct OutgoingCall {
  explicit OutgoingCall(const CallSpec& what) noexcept : spec(what) {}

  const CallSpec& spec;
  bool may_share = true;  ///< false: begin() refuses when other calls are in flight on the connection

  // set by begin()
  cdr::Writer* arguments = nullptr;  ///< where they are written, in its format

  // set by invoke()
  std::optional<cdr::Reader> reply;  ///< at the start of the reply body; valid until end()
  ReplyStatus status = ReplyStatus::no_exception;
  Completion completed = Completion::no;           ///< what a failure of this call means
  std::optional<ReceivedContexts> reply_contexts;  ///< of a reply that has any; valid until end()

  // the messaging's own; guarded by the connection
  std::uint8_t minor = 2;
  bool alone = false;                   ///< no other call was in flight on the connection when this one began
  bool reads = false;                   ///< this call's thread is the one that reads the connection
  bool holds_reply = false;             ///< the reply still lies in the connection's buffer
  std::uint8_t own_contexts = 0;        ///< which service contexts of the connection's own it carries
  std::uint16_t wanted_addressing = 0;  ///< out, with needs_addressing_mode
  std::uint32_t request_id = 0;
  Error failure;

  enum class Step : std::uint8_t { preparing, waiting, done };
  /// What only a call needs that shares the connection with others.
  struct Sharing {
    Sharing() {}  // for Clang, to which initialisers of members are not known before the outer class ends
    cdr::Writer arguments;
    Step step = Step::preparing;
    OutgoingCall* next = nullptr;
    void* waiter = nullptr;
    Sink* sink = nullptr;  // of a call that no thread waits for
    Buffer reply_bytes;    // of a reply that another call's thread has read
    std::vector<cdr::Restart> restarts;
  };
  std::optional<Sharing> sharing;
};

/// The ORB's side of incoming messages. Threads: called from any thread that serves.
class Dispatcher {
 public:
  virtual ~Dispatcher() = default;
  /// Must have finished the reply, when one is expected, before it returns.
  virtual void dispatch(IncomingCall& call) = 0;
  virtual LocateStatus locate(ByteView object_key, ior::Ior& forward) = 0;
};

enum class Served : std::uint8_t {
  message,
  idle,      ///< no message is complete, and the deadline or the receive time-out has gone by
  detached,  ///< a request was handled that left the connection to another reader (IncomingCall::detach)
  closed,
};

/// How much memory incoming messages may hold, until they have been handled. Any thread.
class MemoryBudget {
 public:
  static constexpr std::size_t unlimited = SIZE_MAX;

  /// `all`: of all connections of an ORB, when this one is of a single connection; must live as long.
  explicit MemoryBudget(std::size_t most, std::shared_ptr<MemoryBudget> all = nullptr) noexcept
      : most_(most), all_(std::move(all)) {}
  /// False: it is not to be had, and nothing has changed.
  bool take(std::size_t bytes) noexcept {
    if (used_.fetch_add(bytes, std::memory_order_relaxed) + bytes <= most_ && (!all_ || all_->take(bytes)))
      return true;
    used_.fetch_sub(bytes, std::memory_order_relaxed);
    return false;
  }
  /// Of memory that is held already. False: that is more than there may be.
  bool take_anyway(std::size_t bytes) noexcept {
    const bool within = used_.fetch_add(bytes, std::memory_order_relaxed) + bytes <= most_;
    return (!all_ || all_->take_anyway(bytes)) && within;
  }
  void give(std::size_t bytes) noexcept {
    used_.fetch_sub(bytes, std::memory_order_relaxed);
    if (all_) all_->give(bytes);
  }
  std::size_t used() const noexcept { return used_.load(std::memory_order_relaxed); }

 private:
  const std::size_t most_;
  const std::shared_ptr<MemoryBudget> all_;
  std::atomic<std::size_t> used_{0};
};

struct ConnectionLimits {
  std::size_t largest_message = 256u << 20;  ///< bytes; a larger one is refused with IMP_LIMIT / MessageError
  std::size_t memory = 512u << 20;  ///< bytes that incoming messages of a connection may hold; 0: any number
  std::size_t fragment_above = 0;   ///< bytes; 0: never cut (GIOP 1.2 only)
  std::uint32_t send_timeout_ms = 30000;
  std::uint32_t receive_timeout_ms = 30000;  ///< default for a reply
  /// For so long a peer may take over a message that it has begun, and 1 ms more for every 16 octets of it that come; 0: for ever.
  std::uint32_t message_timeout_ms = 60000;
};

/// What the ORB does for connections that keep messages back. Any thread, no lock held.
class ConnectionClock {
 public:
  /// reminded() will be called then. False: it will not.
  virtual bool remind(Connection& connection, Deadline when) noexcept = 0;
  /// look_for_stall() will be. False: it will not.
  virtual bool watch(Connection& connection, Deadline when) noexcept {
    static_cast<void>(connection);
    static_cast<void>(when);
    return false;
  }
  /// A connection that may rest one day is in use, since a while ago at most: rest() will be called.
  virtual void used(Connection& connection) noexcept { static_cast<void>(connection); }
  /// After watch() has said yes: as Sink::attend(), for requests whose calls are over; with locks of the connection held. False: it will
  /// not be served.
  virtual bool attend(Connection& connection) noexcept {
    static_cast<void>(connection);
    return false;
  }
  /// So many oneways were kept back and can no longer be sent.
  virtual void count_lost(std::size_t oneways) noexcept = 0;

 protected:
  ~ConnectionClock() = default;
};

class Connection : public RefCounted {
 public:
  ~Connection() override = default;

  // --- as a client; any thread ---

  /// Takes a request id and writes the message header. After an error the call is over (no end()); connection_taken: another one
  /// has begun since this connection was found idle.
  virtual Status begin(OutgoingCall& call, const Target& target) = 0;
  /// Of a call with a reply: sends, and waits for it by reading the connection or by being handed it by the thread that reads.
  /// On an error call.completed says whether the request may have been executed.
  virtual Status invoke(OutgoingCall& call) = 0;
  /// Of a call without one: sends, or keeps it back as its spec says.
  virtual Status post(OutgoingCall& call) = 0;
  virtual void end(OutgoingCall& call) noexcept = 0;
  /// LocateRequest for the target.
  virtual Result<LocateStatus> locate(const Target& target, Deadline deadline, ior::Ior& forward) = 0;

  /// As begin(), for a call that no thread will wait for. start() comes next, or end().
  virtual Status begin_unattended(OutgoingCall& call, Sink& sink, const Target& target) = 0;
  /// Sends. Ok: the sink hears of the end, perhaps before this returns. An error: it does not. No end() after either.
  virtual Status start(OutgoingCall& call) = 0;
  /// Nobody wants to know any more how a started call ends. False: the sink has heard of it already.
  virtual bool abandon(OutgoingCall& call) noexcept = 0;
  /// By who attends to the connection (Sink), after each serve(): whether to go on. False: reading is somebody else's now, or nobody's.
  virtual bool stay() noexcept = 0;

  /// Sends what post() has kept back. TIMEOUT: a part of it is still kept back.
  virtual Status flush(Deadline deadline) noexcept {
    static_cast<void>(deadline);
    return {};
  }
  /// The time has come that ConnectionClock::remind() was asked for. Never waits.
  virtual void reminded() noexcept {}
  /// The same of ConnectionClock::watch(): ends the connection if its peer has stopped in the middle of a message, or has not answered in
  /// time what was abandoned. Never waits.
  virtual void look_for_stall() noexcept {}

  /// Calls in flight, as a hint for choosing a connection.
  virtual unsigned in_flight() const noexcept = 0;
  /// Of them, those that nobody waits for any more (out of time, cancelled) and that the peer may still be busy with: what is sent behind
  /// them may have to wait for that.
  virtual unsigned abandoned() const noexcept { return 0; }
  /// Of a connection that calls share: since when it has answered none of them, on the steady clock in nanoseconds, as a hint.
  virtual std::int64_t unanswered_since() const noexcept { return 0; }
  /// By one thread, now and then. True: nobody reads the connection, nor has since the last time (with `late`: whatever was then). From
  /// here on whoever is the next to send looks first at what has come.
  virtual bool rest(bool late) noexcept {
    static_cast<void>(late);
    return false;
  }
  /// Of a connection that rests: reads what has come. Not usable afterwards: the peer has closed it. Never waits.
  virtual void look() noexcept {}
  virtual bool usable() const noexcept = 0;
  /// Why the connection was lost: errno; 0 when the peer closed it, and as long as it lives.
  virtual int os_error() const noexcept { return 0; }
  /// What the peer sent that it may not, in words, where that has ended the connection.
  virtual std::string complaint() const { return {}; }
  /// Usable, and no call in flight.
  virtual bool idle() const noexcept { return usable() && in_flight() == 0; }

  // --- as a server; one thread at a time ---

  /// Reads and handles the next message; `idle`: none is complete yet. A peer that stops in the middle of one is given up in time
  /// (ConnectionLimits::message_timeout_ms), whoever reads, and when nobody does.
  virtual Served serve(Dispatcher& dispatcher, Deadline deadline = Deadline::never()) = 0;
  /// There may be input that an edge-triggered poller has reported already.
  virtual bool has_input() const noexcept = 0;

  /// Orderly close: says so to the peer (CloseConnection) and shuts down, once no request of the peer is unanswered. Any thread.
  virtual void close() noexcept = 0;
  /// As close(), but what it has to say waits until then at most for a peer that does not listen. What can be sent without waiting is sent.
  virtual void close_by(Deadline) noexcept { close(); }
  /// As close(), if no call is in flight in either direction, none is about to be, and none may come from the side that did not open the
  /// connection (bidirectional). False: it stays as it is.
  virtual bool close_if_idle() noexcept { return false; }
  /// Shuts down without a word. Any thread.
  virtual void abort() noexcept = 0;

  virtual Transport& transport() noexcept = 0;
};

enum class Role : std::uint8_t { originator, acceptor };

/// Settings of the process that messages depend on.
struct MessagingOptions {
  cdr::NativeCodeSets native;
  /// What text means to and from peers that never say (CORBA 3.4 part 2 §7.10.2.6).
  cdr::CodeSet unstated_chars = cdr::CodeSet::iso8859_1;
  cdr::CodeSet unstated_wchars = cdr::CodeSet::none;
  std::uint8_t highest_minor = 2;
  ConnectionLimits limits;
  bool order_after_oneway = true;
  /// Tell the peer that a call's reply is no longer waited for (GIOP 1.2 §9.4.4). Off, since few servers make use of it and
  /// those of omniORB 4.2 no longer answer on a connection on which they cancelled a call.
  bool cancel_requests = false;
  std::shared_ptr<MemoryBudget> memory;  ///< of all connections; null: only the limits per connection hold
  /// How oneways with Sync::none are kept back whose caller does not say.
  Buffering buffering{.time_ns = 5'000'000, .messages = 0, .octets = 64 * 1024};
  ConnectionClock* clock =
      nullptr;  ///< outlives the use of connections; null: nothing is kept back for a time
  /// Who decides about requests in both directions; null: there are none.
  std::shared_ptr<BothWays> both_ways;
  /// This connection, which we open, shall carry them; somebody serves it from the beginning.
  bool offers_both_ways = false;
  /// Lives as long as the connection: its place among those that may be open.
  std::shared_ptr<void> place;
};

class Messaging {
 public:
  virtual ~Messaging() = default;
  virtual std::string_view name() const noexcept = 0;  ///< "giop"
  virtual Ref<Connection> connect(std::unique_ptr<Transport> transport, Role role,
                                  const MessagingOptions& options) = 0;
  /// Components for a profile that this process publishes (code sets, ORB type).
  virtual std::vector<ior::TaggedComponent> components(const MessagingOptions& options) const = 0;
};

}  // namespace tenon::protocol
