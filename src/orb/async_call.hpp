// SPDX-License-Identifier: Apache-2.0
//
// One call that no thread waits for: sent by the thread that starts it, ended on a thread of the ORB. It chooses where to go, follows
// forwards and tries again as orb::invoke() does. Types are a derived class's business.
//
//   start() ──> attempt() ──> in flight ──> replied() ──> finished()
//                   ^                           │
//                   └──── retry, forward ───────┘
//
// Threads: start() once; cancel() from any thread. mutex_ guards what cancel() and the clock need to know; the connection's locks come
// after it. The rest belongs to whoever runs the attempt: the starting thread, later one worker at a time.
#pragma once

#include <mutex>
#include <optional>

#include "base/trail.hpp"
#include "orb/attempts.hpp"
#include "orb/attendant.hpp"
#include "orb/collocated.hpp"
#include "orb/interception.hpp"
#include "orb/invocation.hpp"
#include "orb/link_selector.hpp"

namespace tenon::orb {

class AsyncCall : public Attendant::Timed, private protocol::Sink, private HeldCall {
 public:
  /// What the spec refers to must live as long as the call.
  AsyncCall(Ref<Reference> reference, const CallSpec& spec);

  /// Ok: finished() will be called, perhaps before this returns. May take the time that connecting and sending take. An error: the
  /// ORB is not usable, or there is no thread.
  Status start();
  /// The call ends soon, with TRANSIENT (minor OMG 3) unless its reply has come. Whether it was executed is not known.
  void cancel() noexcept;

 protected:
  ~AsyncCall() override = default;
  Orb& orb() const noexcept { return reference_->orb(); }

  /// Writes the arguments; again, if another attempt needs that.
  virtual void put(cdr::Writer& into) = 0;
  /// The end, once, on a thread of the ORB. A reply (no_exception or user_exception) where the outcome is good, else null; then what was
  /// tried is in the thread's trail.
  virtual void finished(const Status& outcome, protocol::ReplyStatus status, cdr::Reader* reply) noexcept = 0;

 private:
  enum class Went : std::uint8_t { on, over };  // `on`: somebody else goes on with the call
  /// `held`: of a collocated call, before its servant runs: there is no thread for it yet, or its POA keeps it.
  enum class Where : std::uint8_t { between, in_flight, held, in_upcall };

  void expired() noexcept override;
  void done(protocol::OutgoingCall& call) noexcept override;
  void attend(protocol::Connection& connection) noexcept override;
  void held() noexcept override;
  bool let_go() noexcept override;
  bool watch(CallObserver& observer, Next& next, Status& outcome);
  bool stop_watching() noexcept;
  void apply(Verdict verdict, Next& next, Status& outcome);
  void settle(Next& next, Status& outcome);
  void succeed(protocol::ReplyStatus status, cdr::Reader& reply);
  void go_on(Next next, Status outcome);
  Went attempt(Next& next, Status& outcome);
  Went send(const Link& link, Next& next, Status& outcome);
  Next failed(Status& outcome);
  void replied();
  void run_collocated(const protocol::Target& target);
  void finish(const Status& outcome, protocol::ReplyStatus status, cdr::Reader* reply);
  void finish_with(const Status& failure) {
    finish(failure, protocol::ReplyStatus::system_exception, nullptr);
  }
  void note(Step step, const Status& outcome, std::string_view said = {}) noexcept;
  void keep_trail() noexcept;
  void end_with(const Error& error) noexcept;
  void abandon() noexcept;  // in flight, mutex_ held
  /// Why a call ends whose next attempt has not begun: there is one only where none before it was executed. mutex_ held.
  Status not_sent() const noexcept { return ended_.with(Completion::no); }

  const Ref<Reference> reference_;
  const CallSpec spec_;
  CallSpec sent_;  // with an observer's contexts
  Attendant* attendant_ = nullptr;
  Deadline by_;  // when it is over at the latest
  std::optional<Attempts> attempts_;
  std::optional<protocol::OutgoingCall> call_;
  std::unique_ptr<WatchedAttempt> watched_;  // of the last attempt; null: nobody watches

  std::mutex mutex_;  // guards what follows, and call_ and link_ from being changed while in flight
  Link link_;
  Where where_ = Where::between;
  bool over_ = false;      // finished() has been or is being called
  bool watching_ = false;  // watched_ is yet to be told how the attempt ended
  Error ended_;            // why the call ends without a reply
  Trail tried_;            // by attempts that are over
};

}  // namespace tenon::orb
