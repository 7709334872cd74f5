// SPDX-License-Identifier: Apache-2.0
//
// A request that came in over a GIOP connection, on its way through the dispatcher. On the stack of the thread that serves, or on
// the heap once it was taken to be run later.
#pragma once

#include "connection.hpp"

namespace tenon::giop {

class Incoming final : public protocol::IncomingCall {
 public:
  Incoming(Connection& connection, const Message& message, const RequestHead& head, const cdr::Reader& body);
  ~Incoming() override;

  ByteView context(std::uint32_t id) const noexcept override { return head_.contexts.find(id); }
  cdr::Writer& begin_reply(protocol::ReplyStatus status) override;
  Status finish_reply() override;
  bool replied() const noexcept override { return replied_; }
  void detach() override;
  std::unique_ptr<protocol::IncomingCall> take() override;

  bool detached() const noexcept { return detached_; }
  /// SYNC_WITH_SERVER: answers before the servant runs.
  void answer_early();

 private:
  Incoming(Incoming&& other) noexcept;

  Ref<Connection> connection_;
  RequestHead head_;
  MessageHeader header_;
  cdr::WireFormat format_;
  cdr::Writer reply_;
  bool replied_ = false;
  bool detached_ = false;
  bool spent_ = false;
  Buffer bytes_;
  std::vector<cdr::Restart> restarts_;
};

}  // namespace tenon::giop
