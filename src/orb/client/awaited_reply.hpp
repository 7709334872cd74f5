// SPDX-License-Identifier: Apache-2.0
//
// The reply of a collocated call that has been taken out of its upcall (IncomingCall::take()): the caller and the call that was taken
// share it, and either may be gone before the other.
//
// Threads: answer() and fail() from any; the rest belongs to the caller. The mutex is held to take note only.
#pragma once

#include <vector>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/ref.hpp"
#include "base/thread_annotations.hpp"
#include "cdr/writer.hpp"
#include "protocol/incoming_call.hpp"

namespace tenon::orb {

class AwaitedReply;
class Orb;

/// The reply to a collocated call.
struct CollocatedReply {
  struct Context {
    std::uint32_t id;
    std::vector<std::uint8_t> data;
  };

  explicit CollocatedReply(const cdr::WireFormat& format = {}) : body(format) {}

  cdr::Writer body;
  std::vector<Context> contexts;
  protocol::ReplyStatus status = protocol::ReplyStatus::no_exception;
};

/// Is told what becomes of a collocated call in the adapter, on the thread that runs the call there.
class HeldCall {
 public:
  /// The call waits until its servant may run.
  virtual void held() noexcept = 0;
  /// The call is about to go on. False: it shall not, since its caller no longer waits.
  virtual bool let_go() noexcept = 0;
  /// The upcall has returned without a reply, which comes later.
  virtual void left(Ref<AwaitedReply> reply) noexcept = 0;
  /// The reply has come, and collect() returns it. Called once, after AwaitedReply::tell(), on any thread, with no lock held.
  virtual void answered() noexcept = 0;

 protected:
  ~HeldCall() = default;
};

class AwaitedReply final : public RefCounted {
 public:
  explicit AwaitedReply(Orb& orb);

  /// Waits on the caller's thread, which serves meanwhile if no other one does. TIMEOUT, completion MAYBE, if no reply has come in time.
  Status wait(Deadline by) TENON_EXCLUDES(mutex_);
  /// In place of wait(): the follower will be told, perhaps before this returns.
  void tell(HeldCall& follower) TENON_EXCLUDES(mutex_);
  /// The caller no longer waits. False: the reply has come already.
  bool give_up() noexcept TENON_EXCLUDES(mutex_);
  /// Moves the reply that has come into `into`; an error if none will come.
  Status collect(CollocatedReply& into) noexcept TENON_EXCLUDES(mutex_);

  /// The reply; it is dropped if the caller no longer waits.
  void answer(CollocatedReply reply) noexcept TENON_EXCLUDES(mutex_);
  /// No reply will come.
  void fail(Error error) noexcept TENON_EXCLUDES(mutex_);

 private:
  ~AwaitedReply() override;
  bool awaited() noexcept TENON_EXCLUDES(mutex_);
  Status sleep_until_come(Deadline by) TENON_EXCLUDES(mutex_);
  HeldCall* come() noexcept TENON_REQUIRES(mutex_);
  void tell_of_it(HeldCall* follower) noexcept TENON_EXCLUDES(mutex_);

  const Ref<Orb> orb_;
  Mutex mutex_;
  CondVar changed_;
  enum class State : std::uint8_t { awaited, come, given_up };
  State state_ TENON_GUARDED_BY(mutex_) = State::awaited;
  Error failure_ TENON_GUARDED_BY(mutex_);
  CollocatedReply reply_ TENON_GUARDED_BY(mutex_);
  HeldCall* follower_ TENON_GUARDED_BY(mutex_) = nullptr;

  friend class Collocation;         // guards its list of all that are awaited
  AwaitedReply** place_ = nullptr;  // what points to this; null: it is not in the list
  AwaitedReply* later_ = nullptr;
};

}  // namespace tenon::orb
