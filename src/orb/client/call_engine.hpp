// SPDX-License-Identifier: Apache-2.0
//
// The steps of a call to an object, for all ways of waiting for its reply:
//
//   begin() ──> the arguments are written ──> sent ──> replied() or failed() ──> another() ──> over
//      ^                                                                            │
//      └───────────────────────────── retry, forward ───────────────────────────────┘
//
// An Invocation waits with its thread, which may serve meanwhile; an AsyncCall is called back. Belongs to one call; no locks.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "base/operation_number.hpp"
#include "base/trail.hpp"
#include "orb/client/attempts.hpp"
#include "orb/client/collocated.hpp"
#include "orb/client/link_selector.hpp"
#include "orb/client/numbered_name.hpp"
#include "orb/interception.hpp"
#include "orb/orb.hpp"

namespace tenon::orb {

class CallEngine {
 public:
  /// Reference and spec must live as long. `number`: null, or what is sent in place of the name if the profile of an attempt offers that;
  /// spec.operation changes then. It is not sent if calls are observed, to objects of this process, or if the caller forbids forwards:
  /// an object whose numbers have changed meanwhile answers with a forward.
  CallEngine(Reference& reference, CallSpec& spec, const NumberedName* number = nullptr) noexcept
      : attempts_(reference), spec_(spec), number_(number) {}
  ~CallEngine() { end(); }
  CallEngine(const CallEngine&) = delete;
  CallEngine& operator=(const CallEngine&) = delete;

  enum class Begun : std::uint8_t {
    no,               ///< the attempt is over: outcome says why, another() comes next
    over_connection,  ///< the arguments go to call->arguments
    here,             ///< the object lives in this process; nothing has been begun
  };
  /// Chooses where the attempt goes, until `by` at the latest, and begins the request there; with a sink, an asynchronous one. An observer
  /// of calls is asked first.
  Begun begin(Deadline by, protocol::Sink* sink = nullptr);
  /// As begin(), for the first attempt of a call, over an idle connection. begin() tries it itself, once the observer has been asked.
  /// Inline, since every call runs it. False: nothing has been begun; begin() comes next.
  [[gnu::always_inline]] bool begin_over_idle_connection() {
    if (!take_idle_connection(target(), link)) [[unlikely]]
      return false;
    if (number_ != nullptr && !observed_) go_by_number();
    call.emplace(spec_).may_share = false;
    if (!link.connection->begin(*call, *link.target)) [[unlikely]] {
      call.reset();
      return false;
    }
    return true;
  }

  /// As begin(), if the last call has found that the object lives in this process. False: it has not; begin() comes next.
  bool begin_here_again() noexcept {
    const Reference::Binding* const known = target().binding();
    if (known == nullptr || known->endpoint) return false;
    link.target = &known->target;
    return true;
  }

  /// Whether the arguments could be written. False: the attempt is over.
  bool arguments_written();
  /// The asynchronous call is on its way: the connection ends it.
  void started() noexcept { ends_itself_ = true; }
  /// No reply came; outcome says why.
  [[gnu::cold]] void failed();
  /// A reply came that only the caller has to read: replied() need not be called.
  bool has_plain_reply() const noexcept {
    return !observed_ && call->status <= protocol::ReplyStatus::user_exception;
  }
  /// A reply came: to call->reply.
  void replied();
  /// Calls the object in this process. The arguments have been written. True: replied() comes next. False: that was all.
  bool run_here(CollocatedCall& here, HeldCall* follower = nullptr) { return here.run_for(*this, follower); }
  /// The reply of a call in this process is there; replied() comes next.
  [[gnu::always_inline]] void replied_here(const CollocatedCall& here) {
    call.emplace(spec_).status = here.status();
    call->reply = here.reply();
    here_ = &here;
  }
  /// True, once for an attempt: an observer is to be told how it ended.
  bool take_untold() noexcept { return observed_ && std::exchange(observed_->untold, false); }
  /// Tells the observer, after take_untold(). The observer may change how the call ends.
  void tell_observer() { orb().call_observer()->tell(*this); }
  /// As tell_observer(), for a call that ends with this error whatever its attempt does. Returns the error that the observer wants.
  Error tell_observer_of(const Error& error) { return orb().call_observer()->tell_of(*this, error); }
  /// After an attempt: whether there shall be another one. False: the call is over; outcome says how, and where it is good call->status
  /// and call->reply are the reply.
  bool another();
  /// The attempt is over; its reply is gone.
  void end() noexcept {
    if (call && link.connection && !ends_itself_) link.connection->end(*call);
    call.reset();
  }
  /// Notes the outcome of an attempt over `link` in this thread's trail.
  void note(Step step, std::string_view said = {}) noexcept;

  Reference& reference() const noexcept { return attempts_.reference(); }
  Reference& target() const noexcept { return attempts_.target(); }
  Orb& orb() const noexcept { return reference().orb(); }

  Status outcome;
  Link link;
  std::optional<protocol::OutgoingCall> call;

 private:
  friend class CallObserver;    // which has what only observed calls need
  friend class CollocatedCall;  // which has what only collocated calls need
  void go_by_number() noexcept;
  void retry_over_another_connection();

  Attempts attempts_;
  CallSpec& spec_;
  const NumberedName* const number_;
  Next next_ = Next::done;
  bool ends_itself_ = false;
  OperationNumberText number_text_;
  const CollocatedCall* here_ = nullptr;
  struct Observed {
    explicit Observed(std::span<const protocol::ServiceContext> own) noexcept
        : own_contexts(own), untold(false) {}
    std::unique_ptr<WatchedAttempt> attempt;  // the last one
    const std::span<const protocol::ServiceContext>
        own_contexts;           // the caller's; the observer's are sent in their place
    Ref<Reference> redirected;  // where the observer sends the call
    bool untold;                // the observer does not know of the attempt's end yet
  };
  std::optional<Observed> observed_;
};

}  // namespace tenon::orb
