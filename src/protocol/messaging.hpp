// SPDX-License-Identifier: Apache-2.0
//
// Messaging, Connection, OutgoingCall: how the ORB core makes calls and has connections served, over a Transport (transport.hpp)
// and without seeing GIOP. What is virtual is called once per message; fields are written and read by cdr directly.
//
// A Connection is client and server at once. Any number of threads may call on one connection; see each function.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/memory.hpp"
#include "base/minor_codes.hpp"
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

class Bidirectional;

/// What the ORB may do without telling the caller, once the object has been reached before (Messaging::RebindMode).
enum class Rebind : std::uint8_t {
  transparent,   ///< all that the standard allows
  no_rebind,     ///< connect again, but go nowhere else
  no_reconnect,  ///< neither
};

enum class LocateStatus : std::uint8_t { unknown_object, object_here, object_forward, object_forward_perm };

/// The service contexts that came with a message: a view, valid as long as the message's bytes.
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
  /// The numbers that may be sent in place of the names of operations; null: none. Callers need not use them.
  const ior::OperationNumbers* numbers = nullptr;
};

/// How long oneways with Sync::none may stay buffered: until one of these is reached, or until something else goes over their connection.
struct Buffering {
  std::int64_t time_ns = 0;    ///< since the first that is buffered; 0: any time
  std::uint32_t messages = 0;  ///< 0: any number
  std::uint32_t octets = 0;    ///< 0: nothing is buffered
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

/// What the code that makes a call knows of its arguments, for an observer of calls that knows the class behind it.
class CallDescription {
 protected:
  virtual ~CallDescription() = default;
};

class Connection;
struct OutgoingCall;

/// Is told about an asynchronous call. Both functions are called with locks of the connection held, so they must only take note.
class Sink {
 public:
  /// The reply has come, or call.failure says why none will. Called once; the connection then does not use the call any more.
  virtual void done(OutgoingCall& call) noexcept = 0;
  /// No thread reads the connection while asynchronous calls are in flight: a thread shall serve() it as long as stay() says so.
  virtual void attend(Connection& connection) noexcept = 0;
  /// Null: there is none. Called without locks.
  virtual const CallDescription* description() const noexcept { return nullptr; }

 protected:
  ~Sink() = default;
};

/// Room inside a call for what its messaging keeps of it. The messaging makes one object there, once, in begin().
class MessagingRoom {
 public:
  MessagingRoom() noexcept {}  // the bytes stay as they are
  ~MessagingRoom() {
    if (at_end_ != nullptr) at_end_(bytes_);
  }
  MessagingRoom(const MessagingRoom&) = delete;
  MessagingRoom& operator=(const MessagingRoom&) = delete;

  template <typename T, typename... Arguments>
  T& make(Arguments&&... arguments) {
    static_assert(sizeof(T) <= sizeof(bytes_) && alignof(T) <= alignof(std::max_align_t) &&
                  std::is_trivially_destructible_v<T>);
    return *new (bytes_) T(std::forward<Arguments>(arguments)...);
  }
  template <typename T>
  T& holds() noexcept {
    return *std::launder(reinterpret_cast<T*>(bytes_));
  }
  /// `ended` will be called with the object's address when the call ends, to destroy those of its parts that need it.
  void at_end(void (*ended)(void* object) noexcept) noexcept { at_end_ = ended; }

 private:
  alignas(std::max_align_t) std::byte bytes_[512];
  void (*at_end_)(void*) noexcept = nullptr;
};

/// One call that this process makes. Lives on the caller's stack from begin() to end(); filled in by the messaging.
struct OutgoingCall : MessagingRoom {
  explicit OutgoingCall(const CallSpec& what) noexcept : spec(what) {}
  /// The call in whose room this object is.
  static OutgoingCall& of_room(void* object) noexcept {
    return static_cast<OutgoingCall&>(*std::launder(static_cast<MessagingRoom*>(object)));
  }

  const CallSpec& spec;
  bool may_share = true;  ///< false: begin() refuses when other calls are in flight on the connection

  // set by begin()
  cdr::Writer* arguments = nullptr;  ///< where they are written, in its format

  // set by invoke(), or by the time that the sink hears of the end
  std::optional<cdr::Reader> reply;  ///< at the start of the reply body; valid until end()
  ReplyStatus status = ReplyStatus::no_exception;
  Completion completed = Completion::no;           ///< what a failure of this call means
  std::optional<ReceivedContexts> reply_contexts;  ///< of a reply that has any; valid until end()
  std::uint16_t wanted_addressing = 0;             ///< with needs_addressing_mode
  Error failure;                                   ///< of an asynchronous call: why there is no reply
};

/// The ORB's side of incoming messages. Threads: called from any thread that serves.
class Dispatcher {
 public:
  virtual ~Dispatcher() = default;
  /// Must have finished the reply, when one is expected, or taken the call before it returns.
  virtual void dispatch(IncomingCall& call) = 0;
  virtual LocateStatus locate(ByteView object_key, ior::Ior& forward) = 0;
  /// A call that was taken says now that it is cancelled(). Called like dispatch().
  virtual void one_was_cancelled() {}
  /// What to send with an exception by which the messaging itself refuses a request; empty: nothing.
  virtual std::string_view explanation(const Error& why) const noexcept {
    static_cast<void>(why);
    return {};
  }
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

  /// `all`: the budget of all connections of an ORB, when this one is for a single connection.
  explicit MemoryBudget(std::size_t most, std::shared_ptr<MemoryBudget> all = nullptr) noexcept
      : most_(most), all_(std::move(all)) {}
  /// False: so much is not left, and nothing has changed.
  bool take(std::size_t bytes) noexcept {
    if (used_.fetch_add(bytes, std::memory_order_relaxed) + bytes <= most_ && (!all_ || all_->take(bytes)))
      return true;
    used_.fetch_sub(bytes, std::memory_order_relaxed);
    return false;
  }
  /// Counts memory that is held already. False: the limit is exceeded.
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
  std::uint32_t largest_message = 256u
                                  << 20;  ///< bytes; a larger one is refused with IMP_LIMIT / MessageError
  std::size_t memory = 512u << 20;  ///< bytes that incoming messages of a connection may hold; 0: any number
  std::size_t fragment_above = 0;   ///< bytes; 0: never cut (GIOP 1.2 only)
  std::uint32_t send_timeout_ms = 30000;
  std::uint32_t receive_timeout_ms = 30000;  ///< default for a reply
  /// How long a peer may take for a message that it has begun (every 16 octets of it that come add 1 ms), or a handshake. 0: any time.
  std::uint32_t message_timeout_ms = 60000;
  /// Bytes; smaller sequences of arguments and results are copied into their message, others are sent from where they are.
  std::uint32_t copy_below = cdr::Writer::borrow_from;
};

/// What the ORB does for connections later on, such as sending what they have buffered. Any thread, no lock held.
class ConnectionClock {
 public:
  /// Connection::reminded() will be called at `when`. False: it will not.
  virtual bool remind(Connection& connection, Deadline when) noexcept = 0;
  /// Connection::look_for_stall() will be called at `when`. False: it will not.
  virtual bool watch(Connection& connection, Deadline when) noexcept {
    static_cast<void>(connection);
    static_cast<void>(when);
    return false;
  }
  /// A connection that can rest is in use, or was a short while ago: its rest() will be called.
  virtual void used(Connection& connection) noexcept { static_cast<void>(connection); }
  /// As Sink::attend(), for abandoned requests, whose replies are still to come. Called after watch() has returned true, with locks of the
  /// connection held. False: no thread will serve it.
  virtual bool attend(Connection& connection) noexcept {
    static_cast<void>(connection);
    return false;
  }
  /// Waits until the transport of the connection takes more, for a thread that sends on it. If connections are read by that same thread,
  /// it reads replies meanwhile (Connection::take_in_replies()). `not_here`: this thread cannot wait here, and has not waited.
  enum class Room : std::uint8_t { yes, timed_out, not_here };
  virtual Room wait_for_room(Connection& connection, Deadline deadline) noexcept {
    static_cast<void>(connection);
    static_cast<void>(deadline);
    return Room::not_here;
  }
  /// `oneways` messages were buffered and can no longer be sent.
  virtual void count_lost(std::size_t oneways) noexcept = 0;

 protected:
  ~ConnectionClock() = default;
};

/// A messaging implements the pure functions. The others behave here as for a messaging that carries oneways only and buffers nothing.
class Connection : public RefCounted, public memory::Of<memory::Kind::connections> {
 public:
  ~Connection() override = default;

  // --- as a client; any thread ---

  /// Takes a request id and writes the message header; once for each OutgoingCall. After an error the call is over (no end());
  /// connection_taken: another call has begun since this connection was found idle.
  virtual Status begin(OutgoingCall& call, const Target& target) = 0;
  /// A call without a reply: sends it, or buffers it as its spec says. As all functions that send, returns the error of arguments that
  /// could not be written, completed NO, and sends nothing then.
  virtual Status post(OutgoingCall& call) = 0;
  virtual void end(OutgoingCall& call) noexcept = 0;
  /// Sends what post() has buffered. TIMEOUT: a part of it is still buffered.
  virtual Status flush(Deadline) noexcept { return {}; }
  /// Reads replies that have come, hands each to its call, and leaves all else to serve(). Never waits. Called by the thread that attends
  /// to the connection (Sink). False: no more can be read in this way.
  virtual bool take_in_replies() noexcept { return false; }
  /// Called at the time that ConnectionClock::remind() was given. Never waits.
  virtual void reminded() noexcept {}

  // --- calls with a reply ---

  /// Sends, and waits for the reply by reading the connection or by being handed it by the thread that reads.
  /// On an error call.completed says whether the request may have been executed.
  virtual Status invoke(OutgoingCall&) { return errors::oneways_only; }
  /// LocateRequest for the target.
  virtual Result<LocateStatus> locate(const Target&, Deadline, ior::Ior&) { return errors::oneways_only; }
  /// As begin(), for an asynchronous call. start() comes next, or end().
  virtual Status begin_asynchronous(OutgoingCall&, Sink&, const Target&) { return errors::oneways_only; }
  /// Sends. Ok: the sink hears of the end, perhaps before this returns. An error: it does not. No end() after either.
  virtual Status start(OutgoingCall&) { return errors::oneways_only; }
  /// The caller has given up a started call. False: the sink has heard of its end already.
  virtual bool abandon(OutgoingCall&) noexcept { return false; }
  /// Tells the peer that nobody waits any more for the reply to a call that was abandoned, or whose invoke() has run out of time, if
  /// MessagingOptions::cancel_requests says so. Before end(). Never waits.
  virtual void cancel(OutgoingCall&) noexcept {}
  /// The thread that attends to the connection (Sink) asks after each serve() whether it is to go on. False: another thread reads now, or
  /// none has to.
  virtual bool stay() noexcept { return false; }
  /// Called at the time that ConnectionClock::watch() was given: ends the connection if its peer has stopped in the middle of a message, or
  /// has not answered abandoned requests in time. Never waits.
  virtual void look_for_stall() noexcept {}

  // --- hints for choosing a connection; any thread ---

  /// Calls in flight.
  virtual unsigned in_flight() const noexcept = 0;
  /// Requests whose calls were given up (out of time, cancelled) and that the peer may still be working on: later requests may have to
  /// wait behind them.
  virtual unsigned abandoned() const noexcept { return 0; }
  /// Since when the connection has answered none of the calls that share it, on the steady clock in nanoseconds.
  virtual std::int64_t unanswered_since() const noexcept { return 0; }
  virtual bool usable() const noexcept = 0;
  /// Usable, and no call in flight.
  virtual bool idle() const noexcept { return usable() && in_flight() == 0; }

  // --- resting ---

  /// One thread calls this from time to time. True: the connection rests now, because no thread reads it and, unless `late`, none has read
  /// it since the last time. The next thread that sends over it first reads what has come.
  virtual bool rest(bool late) noexcept {
    static_cast<void>(late);
    return false;
  }
  /// Reads what has come while the connection rests. Not usable afterwards: the peer has closed it. Never waits.
  virtual void look() noexcept {}

  // --- why it was lost ---

  /// errno; 0 when the peer closed it, and as long as it lives.
  virtual int os_error() const noexcept { return 0; }
  /// If the peer sent something that is not allowed, and that has ended the connection: what it was, in words.
  virtual std::string complaint() const { return {}; }

  // --- as a server; one thread at a time ---

  /// Reads and handles the next message; `idle`: none is complete yet. A peer that stops in the middle of one is given up in time
  /// (ConnectionLimits::message_timeout_ms), whichever thread reads, and also when none does.
  virtual Served serve(Dispatcher& dispatcher, Deadline deadline = Deadline::never()) {
    static_cast<void>(dispatcher);
    static_cast<void>(deadline);
    return Served::closed;
  }
  /// There may be input that an edge-triggered poller has reported already.
  virtual bool has_input() const noexcept { return false; }

  // --- the end; any thread ---

  /// Orderly close: says so to the peer (CloseConnection) and shuts down, once no request of the peer is unanswered.
  virtual void close() noexcept = 0;
  /// As close(), but waits until the deadline at most for a peer that does not read. What can be sent without waiting is sent.
  virtual void close_by(Deadline) noexcept { close(); }
  /// As close(), if no call is in flight in either direction, none is about to be, and none may come from the side that did not open the
  /// connection (bidirectional). False: it stays as it is.
  virtual bool close_if_idle() noexcept { return false; }
  /// Shuts down without a message to the peer.
  virtual void abort() noexcept = 0;

  virtual Transport& transport() noexcept = 0;
};

enum class Role : std::uint8_t { originator, acceptor };

/// What MessagingOptions has that is plain, so that it is copied as one piece.
struct PlainMessagingOptions {
  cdr::NativeCodeSets native;
  /// The code sets of text to and from peers that never state any (CORBA 3.4 part 2 §7.10.2.6).
  cdr::CodeSet unstated_chars = cdr::CodeSet::iso8859_1;
  cdr::CodeSet unstated_wchars = cdr::CodeSet::none;
  bool prefer_utf8 = false;  ///< for text of calls, if both sides know it; else as §7.10.2.6 has it
  std::uint8_t highest_minor = 2;
  ConnectionLimits limits;
  bool order_after_oneway = true;
  /// Tell the peer that a call's reply is no longer waited for (GIOP 1.2 §9.4.4). Off, since few servers make use of it and
  /// those of omniORB 4.2 no longer answer on a connection on which they cancelled a call.
  bool cancel_requests = false;
  /// How oneways with Sync::none are buffered if the caller does not say.
  Buffering buffering{.time_ns = 5'000'000, .messages = 0, .octets = 64 * 1024};
  ConnectionClock* clock =
      nullptr;  ///< outlives the use of connections; null: nothing is buffered for a time
  /// The thread that sends may be the only one that could read: it waits by ConnectionClock::wait_for_room().
  bool sender_reads = false;
  /// This connection, which we open, shall be bidirectional; a thread serves it from the beginning.
  bool offers_bidirectional = false;
};

/// Settings of the process that messages depend on.
struct MessagingOptions : PlainMessagingOptions {
  std::shared_ptr<MemoryBudget> memory;  ///< of all connections; null: only the limits per connection hold
  /// Decides about bidirectional connections; null: there are none.
  std::shared_ptr<Bidirectional> bidirectional;
  /// Stands for the connection in the count of those that may be open; the connection keeps it alive as long as it lives itself.
  std::shared_ptr<void> place;
};

class Messaging {
 public:
  virtual ~Messaging() = default;
  virtual std::string_view name() const noexcept = 0;  ///< "giop"
  /// What a transport must have to carry it; what is false here does not matter. By default all of it, as GIOP has it (CORBA 3.4 part 2
  /// §9.4: connection-oriented, reliable, a byte stream, both ways).
  virtual Properties needs() const noexcept { return {}; }
  /// `transport` is not null. NO_IMPLEMENT (no_connecting_part): this program does not have what connections of that role need;
  /// memory::shortage(): there is no memory.
  virtual Result<Ref<Connection>> connect(std::unique_ptr<Transport> transport, Role role,
                                          const MessagingOptions& options) = 0;
  /// Components for a profile that this process publishes (code sets, ORB type).
  virtual std::vector<ior::TaggedComponent> components(const MessagingOptions& options) const = 0;
};

}  // namespace tenon::protocol
