// SPDX-License-Identifier: Apache-2.0
//
// An asynchronous call with types: what all forms of such calls have in common (async.hpp: Reply; ami_call.hpp: reply handlers and
// pollers). It keeps copies of its arguments, those apart that its caller lends (tenon::Lent), and its results until they are taken.
//
// Threads: one makes it and begins it; any may call ready(), wait_until() and when_ready(); the results and rethrow() are for
// a thread that has found it ready, one at a time.
#pragma once

#include <condition_variable>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "mapping/cpp11/calls/call.hpp"
#include "orb/client/async_call.hpp"

namespace tenon::orb {
class Orb;
class Reactor;
}  // namespace tenon::orb

namespace tenon::gen {

/// A user exception reply: throws the listed exception it names, else UNKNOWN (CORBA 3.4 part 1 §A.5).
[[noreturn]] void throw_user_exception(cdr::Reader& in, std::span<const Raises> listed);

/// Tells a thread that waits for one of several calls that one of them may be over.
class Bell {
 public:
  void ring();
  /// Waits until `done`, which is asked under the mutex. False: time is up. With an ORB that this thread alone serves, it does so meanwhile.
  bool wait(orb::Orb* served, FunctionRef<bool()> done, Deadline deadline);

  std::mutex mutex;  // a thread that holds it may take a call's mutex, not the other way round

 private:
  class Waiting;

  std::condition_variable rung_;
  orb::Reactor* waiting_ = nullptr;  // the last one whose thread waits
};

/// A call in flight and its outcome, as far as these do not depend on types.
class PendingCall : public orb::AsyncCall {
 public:
  using AsyncCall::orb;
  /// The call's ORB, if the current thread has to serve it while it waits for the reply; else null.
  orb::Orb* served_here() const;
  bool ready();
  /// False: it was not ready in time.
  bool wait_until(Deadline deadline);
  /// Runs `then` when the call is over, on a thread of the ORB. False: it is over already, and nothing was run.
  bool when_ready(std::function<void()> then);
  /// Gives the call a bell, which is rung when the call is over. False: it has one already.
  bool hang(std::shared_ptr<Bell> bell);
  void take_bell() noexcept;
  void ring();
  /// The operation's name as on the wire.
  std::string_view operation_name() const noexcept { return operation_.name; }
  /// Runs `work` on a thread of the ORB, where handlers run.
  void run_there(std::function<void()> work);
  /// Has `returned` called once no attempt can read an argument any more that is not a copy: when the call is over, before anything else
  /// learns of that, on a thread of the ORB; or where the call is destroyed without having been begun. Call it before the call is begun.
  void lend(std::function<void()>&& returned);
  /// Throws the exception that the call has raised, if there is one, and keeps no copy, so that it is destroyed where it is caught.
  void rethrow() {
    if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
  }

 protected:
  PendingCall(CORBA::Object& self, const Operation& operation);
  ~PendingCall() override;

 private:
  using Returned = std::vector<std::function<void()>>;
  struct Lending {
    Returned returned;
    bool writing = false;  // a thread reads what is lent
    bool over = false;     // none will begin to
  };
  bool begin_writing() noexcept;
  void end_writing() noexcept;
  void give_back() noexcept;
  virtual void write(cdr::Writer& out) = 0;
  virtual void read(cdr::Reader& in) = 0;
  void put(cdr::Writer& into) noexcept final;
  std::exception_ptr take_thrown() noexcept;
  void finished(const Status& outcome, protocol::ReplyStatus status, cdr::Reader* reply) noexcept final;

  const Operation& operation_;
  const std::optional<std::uint32_t> copy_below_;  // of its policy
  std::exception_ptr failure_;                     // set by the thread that ends the call, before ready_
  std::mutex mutex_;                               // guards what follows
  std::condition_variable changed_;
  bool ready_ = false;
  std::exception_ptr thrown_;  // by code of the arguments, when the last attempt wrote them
  std::function<void()> then_;
  std::shared_ptr<Bell> bell_;
  std::unique_ptr<Lending> lending_;  // null: nothing is lent; the pointer is set before the call is begun
};

/// Tells a program that what it has lent is no longer needed. What it throws goes to the log.
void tell_returned(const std::function<void()>& returned) noexcept;

/// Raises if the call cannot be begun.
void begin_call(PendingCall& call);

}  // namespace tenon::gen
