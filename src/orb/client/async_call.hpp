// SPDX-License-Identifier: Apache-2.0
//
// An asynchronous call: sent by the thread that starts it, ended on a thread of the ORB. Derived classes know the types.
//
//   start() ──> attempt() ──> in flight ──> replied() ──> finished()
//                   ^                           │
//                   └──── retry, forward ───────┘
//
// Threads: start() once; cancel() from any thread. mutex_ guards what cancel() and the clock need to know; the connection's locks come
// after it. The rest belongs to the thread that runs the attempt: the starting thread, later one worker at a time.
#pragma once

#include "base/minor_codes.hpp"
#include "base/thread_annotations.hpp"
#include "base/trail.hpp"
#include "orb/client/call_engine.hpp"
#include "orb/threads/attendant.hpp"

namespace tenon::orb {

class AsyncCall : public Attendant::Timed, private protocol::Sink, private HeldCall {
 public:
  /// Everything that the spec refers to must live as long as the call.
  AsyncCall(Ref<Reference> reference, const CallSpec& spec);

  /// Ok: finished() will be called, perhaps before this returns. May take the time that connecting and sending take. An error: the
  /// ORB is not usable, or there is no thread or no memory.
  Status start();
  /// The call ends soon, with TRANSIENT (minor OMG 3) unless its reply has come. Whether it was executed is not known.
  void cancel() noexcept;

 protected:
  ~AsyncCall() override = default;
  Orb& orb() const noexcept { return reference_->orb(); }

  /// Writes the arguments; again, if another attempt needs that. What cannot be written fails the writer.
  virtual void put(cdr::Writer& into) noexcept = 0;
  /// Called once at the end, on a thread of the ORB. `reply` (no_exception or user_exception) is null if the outcome is an error; then the
  /// thread's trail says what was tried.
  virtual void finished(const Status& outcome, protocol::ReplyStatus status, cdr::Reader* reply) noexcept = 0;

 private:
  enum class Went : std::uint8_t { on, over };  // `on`: another thread goes on with the call
  /// `held`: a collocated call whose servant does not run yet, since no thread is free for it or its POA keeps it waiting.
  /// `in_flight`: over a connection, or taken out of its collocated upcall.
  enum class Where : std::uint8_t { between, in_flight, held, in_upcall };

  // Inline, so that code that has type information, which the engine has not, can derive from this class.
  void expired() noexcept override { end_with(errors::reply_timed_out.with(Completion::maybe)); }
  void done(protocol::OutgoingCall& call) noexcept override {
    static_cast<void>(call);
    has_come();
  }
  void attend(protocol::Connection& connection) noexcept override { attendant_->attend(connection); }
  void held() noexcept override { hold(); }
  bool let_go() noexcept override { return enter_upcall(); }
  void left(Ref<AwaitedReply> reply) noexcept override { await(std::move(reply)); }
  void answered() noexcept override { has_come(); }
  void hold() noexcept TENON_EXCLUDES(mutex_);
  bool enter_upcall() noexcept TENON_EXCLUDES(mutex_);
  void await(Ref<AwaitedReply> reply) noexcept TENON_EXCLUDES(mutex_);
  void has_come() noexcept;
  void go_on();
  Went attempt();
  Went send();
  void replied();
  void run_collocated();
  Status collect_reply();
  void finish_with(const Status& outcome, protocol::ReplyStatus status, cdr::Reader* reply);
  void fail(const Status& why) { finish_with(why, protocol::ReplyStatus::system_exception, nullptr); }
  bool take_untold() noexcept TENON_EXCLUDES(mutex_);
  void keep_trail() noexcept TENON_EXCLUDES(mutex_);
  void end_with(const Error& error) noexcept TENON_EXCLUDES(mutex_);
  void abandon() noexcept TENON_REQUIRES(mutex_);  // in flight
  Status not_sent() noexcept TENON_EXCLUDES(mutex_);

  const Ref<Reference> reference_;
  CallSpec spec_;
  Attendant* attendant_ = nullptr;
  Deadline by_;                                    // when it is over at the latest
  std::unique_ptr<RoomFor<CollocatedCall>> here_;  // of a collocated call whose reply came after its upcall
  CallEngine engine_;  // while in flight its link and call change under mutex_ only

  Mutex mutex_;
  Where where_ TENON_GUARDED_BY(mutex_) = Where::between;
  bool over_ TENON_GUARDED_BY(mutex_) = false;          // finished() has been or is being called
  Error ended_ TENON_GUARDED_BY(mutex_);                // why the call ends without a reply
  Trail tried_ TENON_GUARDED_BY(mutex_);                // by attempts that are over
  Ref<AwaitedReply> awaited_ TENON_GUARDED_BY(mutex_);  // of a call in flight in this process
};

}  // namespace tenon::orb
