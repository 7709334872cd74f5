// SPDX-License-Identifier: Apache-2.0
//
// Calls to objects of this process: the same marshalled request and the same upcall, without a socket and on the caller's thread.
#pragma once

#include <span>
#include <vector>

#include "protocol/messaging.hpp"

namespace tenon::orb {

using protocol::CallSpec;

class Orb;

/// Follows a call into the adapter, on whatever thread it is there.
class HeldCall {
 public:
  /// It waits until its servant may run.
  virtual void held() noexcept = 0;
  /// It is about to go on. False: it shall not, since its caller does not wait any more.
  virtual bool let_go() noexcept = 0;

 protected:
  ~HeldCall() = default;
};

class CollocatedCall final : public protocol::IncomingCall {
 public:
  explicit CollocatedCall(Orb& orb);

  /// Where the arguments are to be written.
  cdr::Writer& request() noexcept { return request_; }
  /// Runs the call; oneways, too, run before this returns, and their outcome is dropped. Good: the reply of a two-way call is there, whatever
  /// its status. Waits of the adapter end with spec.deadline or spec.reply_by, or else after the usual time for a reply: TIMEOUT, completion
  /// NO, also of oneways; the servant does not run. Once it does, nothing stops it. `follower`: null, or sees the waits.
  Status run(ByteView object_key, const CallSpec& spec, HeldCall* follower);
  protocol::ReplyStatus status() const noexcept { return status_; }
  cdr::Reader reply() const noexcept { return {reply_.bytes(), reply_.format()}; }
  struct Context {
    std::uint32_t id;
    std::vector<std::uint8_t> data;
  };
  const std::vector<Context>& reply_contexts() const noexcept { return reply_contexts_; }

  ByteView context(std::uint32_t id) const noexcept override;
  cdr::Writer& begin_reply(protocol::ReplyStatus status) override;
  cdr::Writer& begin_reply_with(protocol::ReplyStatus status,
                                std::span<const protocol::ServiceContext> contexts, bool has_body) override;
  Status finish_reply() override;
  bool replied() const noexcept override { return replied_; }
  void detach() override {}
  /// Runs on the caller's thread only.
  std::unique_ptr<protocol::IncomingCall> take() override { return nullptr; }
  Deadline begin_wait() override;
  bool end_wait() override;

 private:
  Orb& orb_;
  cdr::Writer request_;
  cdr::Writer reply_;
  std::span<const protocol::ServiceContext> contexts_;
  std::vector<std::uint8_t> deadline_;  // that the caller passes on
  std::vector<Context> reply_contexts_;
  protocol::ReplyStatus status_ = protocol::ReplyStatus::no_exception;
  bool replied_ = false;
  bool held_ = false;  // it waits; at the end: it was refused while it waited
  Deadline until_;
  HeldCall* follower_ = nullptr;
};

}  // namespace tenon::orb
