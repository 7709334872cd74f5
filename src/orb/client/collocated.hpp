// SPDX-License-Identifier: Apache-2.0
//
// Calls to objects of this process: the same marshalled request and the same upcall, without a socket and on the caller's thread.
// A part of the ORB: where there is none, such calls go over a socket. What other code asks of a collocated call is virtual, so that
// it links nothing of it.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/room_for.hpp"
#include "orb/client/awaited_reply.hpp"
#include "protocol/identity.hpp"
#include "protocol/messaging.hpp"

namespace tenon::orb {

using protocol::CallSpec;

class CallEngine;

class CollocatedCall : public protocol::IncomingCall {
 public:
  explicit CollocatedCall(Orb& orb);
  ~CollocatedCall() override;

  /// The writer for the arguments.
  cdr::Writer& request() noexcept { return request_; }
  /// In place of writing them: the arguments are read where they are, in the writer's format. False: they are to be written.
  bool lend(ByteView arguments) noexcept;
  /// Runs the call; oneways, too, run before this returns, and their outcome is dropped. Ok: the reply of a two-way call is there, whatever
  /// its status. Waits in the adapter end with spec.deadline or spec.reply_by, else after the usual time for a reply. Then the servant does
  /// not run, and the result is TIMEOUT, completion NO, also for oneways. A servant that runs is not stopped. The reply of a call that is
  /// taken out of its upcall is awaited until spec.reply_by, or for the usual time; if there is a `follower`, it is told of the waits, and
  /// waits for that reply itself.
  virtual Status run(ByteView object_key, const CallSpec& spec, HeldCall* follower);
  /// CallEngine::run_here().
  virtual bool run_for(CallEngine& engine, HeldCall* follower);
  /// What the reply says about its system exception; empty: nothing.
  virtual std::string said() const;
  /// Takes the reply of which the follower has been told; once.
  virtual Status collect(AwaitedReply& awaited) noexcept;
  /// After run(): it was taken out of its upcall.
  bool was_taken() const noexcept { return state_ == State::taken; }
  protocol::ReplyStatus status() const noexcept { return reply_.status; }
  cdr::Reader reply() const noexcept { return {reply_.body.bytes(), reply_.body.format()}; }
  const std::vector<CollocatedReply::Context>& reply_contexts() const noexcept { return reply_.contexts; }

  ByteView context(std::uint32_t id) const noexcept override;
  cdr::Writer& begin_reply(protocol::ReplyStatus status) override;
  cdr::Writer& begin_reply_with(protocol::ReplyStatus status,
                                std::span<const protocol::ServiceContext> contexts, bool has_body) override;
  Status finish_reply() override;
  bool replied() const noexcept override { return replied_; }
  bool collocated() const noexcept override { return true; }
  bool identify_caller(protocol::Identity& into) const override {
    protocol::identify_this_process(into);
    return true;
  }
  void detach() override {}
  std::unique_ptr<protocol::IncomingCall> take() override;
  Deadline begin_wait() override;
  bool end_wait() override;

 private:
  class Taken;
  enum class State : std::uint8_t {
    direct,
    held,  ///< it waits in the adapter; at the end: it was refused while it waited
    taken,
  };
  Status run_unusually();
  Status await_answer();
  Deadline usual_end() const noexcept;
  void spend() noexcept;

  Orb& orb_;
  cdr::Writer request_;
  ByteView lent_;  // in place of the writer's
  CollocatedReply reply_;
  const CallSpec* spec_ = nullptr;
  std::vector<std::uint8_t> deadline_;  // the propagated deadline, encoded; empty: none
  bool replied_ = false;
  State state_ = State::direct;
  Deadline until_;
  HeldCall* follower_ = nullptr;
  Ref<AwaitedReply> awaited_;  // of a call that was taken, unless it has no reply
};

/// The collocated calls of an ORB.
class Collocation {
 public:
  explicit Collocation(Orb& orb) noexcept : orb_(orb) {}
  Collocation(const Collocation&) = delete;
  Collocation& operator=(const Collocation&) = delete;
  virtual ~Collocation();

  /// `room` has nothing.
  virtual CollocatedCall& begin(RoomFor<CollocatedCall>& room);
  /// From here to forget(), close() fails the reply, as it fails calls over connections. False: the ORB has been shut down.
  bool await(AwaitedReply& reply) TENON_EXCLUDES(mutex_);
  void forget(AwaitedReply& reply) noexcept TENON_EXCLUDES(mutex_);
  /// No reply that is awaited will come any more.
  virtual void close() noexcept TENON_EXCLUDES(mutex_);

 private:
  Orb& orb_;
  Mutex mutex_;
  bool closed_ TENON_GUARDED_BY(mutex_) = false;
  AwaitedReply* awaited_ TENON_GUARDED_BY(mutex_) =
      nullptr;  // the first; they take themselves out when they go
};

std::unique_ptr<Collocation> make_collocation(Orb& orb);

}  // namespace tenon::orb
