// SPDX-License-Identifier: Apache-2.0
//
// Observers look at calls and requests on their way, and may stop or redirect them. An ORB has at most one observer of calls and one of
// requests; a chain of interceptors may stand behind it. Without observers nothing of this file runs.
//
// What an observer implements throws nothing, since the engine is compiled without exceptions; only a thread that ends by pthread_exit()
// may leave in it.
//
// Threads: an observer is called by every thread that calls or serves. It is set before the ORB is used and never changes.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "cdr/writer.hpp"
#include "orb/reference.hpp"
#include "orb/server/adapter.hpp"
#include "protocol/messaging.hpp"

namespace tenon::orb {

/// What an observer decides about a call: that it goes on, ends with an error, or goes to another object.
struct Verdict {
  Error error;
  Ref<Reference> forward;
  std::string said = {};  ///< why, for the caller's exception; may be empty

  bool goes_on() const noexcept { return !error && !forward; }
};

/// How one attempt at a call ended.
struct AttemptEnd {
  enum class Kind : std::uint8_t {
    reply,             ///< without exception
    sent,              ///< a oneway, which has no reply
    user_exception,    ///< `body` starts with its repository id; the caller reads the original
    system_exception,  ///< `error`: the server's or our own
    forward,           ///< the server names another object
    retry,             ///< nothing was executed; it is tried again over another connection
  };
  Kind kind;
  Error error = {};
  Ref<Reference> forward = nullptr;
  const cdr::Reader* body = nullptr;
};

/// One attempt at a call, from before its request to its end. On the thread that calls.
class WatchedAttempt {
 public:
  virtual ~WatchedAttempt() = default;
  /// Before anything is sent. When the call does not go on, ended() is not called.
  virtual Verdict starting() = 0;
  /// All service contexts of the request, those of the CallSpec included.
  virtual std::span<const protocol::ServiceContext> contexts() noexcept = 0;
  /// One service context of the reply.
  virtual void replied_with(const protocol::ServiceContext& context) noexcept = 0;
  /// Before the caller learns of it.
  virtual Verdict ended(AttemptEnd end) = 0;
};

class CallEngine;

class CallObserver {
 public:
  virtual ~CallObserver() = default;
  /// `original`: the reference that was called; `target`: where the call goes now. `description`: null, or lives until the attempt has ended.
  /// Null: there is no memory.
  virtual std::unique_ptr<WatchedAttempt> watch(Reference& original, Reference& target,
                                                const protocol::CallSpec& spec,
                                                const protocol::CallDescription* description) noexcept = 0;

  // --- for CallEngine: virtual, so that an ORB whose calls are not observed links none of it; inline, so that code that has type
  // information, which the engine has not, can derive from this class ---

  /// Before an attempt. False: it does not begin.
  virtual bool begin(CallEngine& engine, const protocol::Sink* sink) { return begin_observed(engine, sink); }
  /// The service contexts of a reply.
  virtual void replied(CallEngine& engine) { show_contexts(engine); }
  /// CallEngine::tell_observer(), CallEngine::tell_observer_of().
  virtual void tell(CallEngine& engine) { tell_end(engine); }
  virtual Error tell_of(CallEngine& engine, const Error& error) { return tell_error(engine, error); }

 private:
  bool begin_observed(CallEngine& engine, const protocol::Sink* sink);
  static void show_contexts(CallEngine& engine);
  static void tell_end(CallEngine& engine);
  static Error tell_error(CallEngine& engine, const Error& error);
  static void obey(CallEngine& engine, Verdict verdict);
  static AttemptEnd attempt_end(const CallEngine& engine);
};

/// While one exists, the call that this thread makes with that operation's name, in that memory, and waits for, has that description.
class DescribedCall {
 public:
  DescribedCall(std::string_view operation, const protocol::CallDescription& description) noexcept
      : operation_(operation), description_(description), outer_(innermost_) {
    innermost_ = this;
  }
  ~DescribedCall() { innermost_ = outer_; }
  DescribedCall(const DescribedCall&) = delete;
  DescribedCall& operator=(const DescribedCall&) = delete;

  /// Null: there is none. A call inside the described one, of an interceptor or a servant, has a name of its own or is described itself.
  static const protocol::CallDescription* of(std::string_view operation) noexcept {
    return innermost_ != nullptr && innermost_->operation_.data() == operation.data()
               ? &innermost_->description_
               : nullptr;
  }

 private:
  static inline constinit thread_local const DescribedCall* innermost_ = nullptr;
  const std::string_view operation_;
  const protocol::CallDescription& description_;
  const DescribedCall* const outer_;
};

/// A request that came in. It stands between the messaging's call and the adapter, and holds the reply back until the observer has seen it.
class WatchedRequest : public protocol::IncomingCall {
 public:
  WatchedRequest(Orb& orb, protocol::IncomingCall& call);
  /// Goes on with a request that has been taken out of its upcall; `taken` must live as long as its replies.
  WatchedRequest(WatchedRequest& spent, protocol::IncomingCall& taken);

  /// Has the request served.
  void serve();

  // Inline, as those of CallObserver.
  ByteView context(std::uint32_t id) const noexcept final { return call_.context(id); }
  cdr::Writer& begin_reply(protocol::ReplyStatus status) final { return begin(status); }
  cdr::Writer& begin_reply_with(protocol::ReplyStatus status,
                                std::span<const protocol::ServiceContext> contexts, bool /*has_body*/) final {
    return begin_with(status, contexts);
  }
  Status finish_reply() final { return finish(); }
  bool replied() const noexcept final { return replied_; }
  bool collocated() const noexcept final { return call_.collocated(); }
  bool identify_caller(protocol::Identity& into) const final { return call_.identify_caller(into); }
  void detach() final { call_.detach(); }
  std::unique_ptr<protocol::IncomingCall> take() final { return take_watched(); }
  bool admit_servant() final { return ask_about_servant(); }
  Deadline begin_wait() final { return call_.begin_wait(); }
  bool end_wait() final { return call_.end_wait(); }

 protected:
  Orb& orb() const noexcept { return orb_; }

 private:
  /// Before the adapter hears of it.
  virtual Verdict arrived() = 0;
  /// Before the servant runs, on its thread.
  virtual Verdict servant_found() = 0;
  /// Before the reply is sent, whatever its status.
  virtual Verdict replying(protocol::ReplyStatus status, cdr::Reader body) = 0;
  /// Service contexts of the reply; asked for after replying().
  virtual std::span<const protocol::ServiceContext> reply_contexts() noexcept = 0;

  /// The same request as an object of its own, which owns `taken`; nothing is watched by this one any more. Null: there is no memory.
  virtual std::unique_ptr<WatchedRequest> go_on_with(
      std::unique_ptr<protocol::IncomingCall> taken) noexcept = 0;

  cdr::Writer& begin(protocol::ReplyStatus status);
  cdr::Writer& begin_with(protocol::ReplyStatus status, std::span<const protocol::ServiceContext> contexts);
  Status finish();
  std::unique_ptr<protocol::IncomingCall> take_watched();
  bool ask_about_servant();
  void reply_with(const Verdict& verdict);

  Orb& orb_;
  protocol::IncomingCall& call_;
  /// A service context that the reply was begun with.
  struct Context {
    std::uint32_t id;
    std::vector<std::uint8_t> data;
  };
  cdr::Writer reply_;
  std::vector<Context> own_contexts_;
  protocol::ReplyStatus status_ = protocol::ReplyStatus::no_exception;
  bool replied_ = false;
};

}  // namespace tenon::orb
