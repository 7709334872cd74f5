// SPDX-License-Identifier: Apache-2.0
//
// A request that came in over a GIOP connection, on its way through the dispatcher. On the stack of the thread that serves, or on
// the heap once it was taken to be run later.
#pragma once

#include "connection.hpp"

namespace tenon::giop {

class Incoming final : public protocol::IncomingCall {
 public:
  Incoming(Connection& connection, const Message& message);
  ~Incoming() override;

  ByteView context(std::uint32_t id) const noexcept override { return head_.contexts.find(id); }
  cdr::Writer& begin_reply(protocol::ReplyStatus status) override;
  Status finish_reply() override;
  bool replied() const noexcept override { return replied_; }
  void detach() override;
  std::unique_ptr<protocol::IncomingCall> take() override;

  /// Reads the request's head and makes ready for the dispatcher.
  Status read_head(const Message& message);
  const RequestHead& head() const noexcept { return head_; }

  /// What the client's code sets make of this request; none: nothing wrong.
  const Error& refused() const noexcept { return refused_; }

  bool detached() const noexcept { return detached_; }
  /// SYNC_WITH_SERVER: answers before the servant runs.
  void answer_early();

 private:
  Incoming(Incoming&& other) noexcept;
  Status read_code_sets(const Message& message);

  Connection* connection_;
  Ref<Connection> held_;  // once detached, when nobody else may hold the connection
  RequestHead head_;
  cdr::WireFormat format_;
  cdr::Writer reply_;
  Error refused_;
  bool replied_ = false;
  bool detached_ = false;
  Buffer bytes_;
  std::size_t counted_ = 0;  // of bytes_, against the budget of unfinished messages
  std::vector<cdr::Restart> restarts_;
};

}  // namespace tenon::giop
