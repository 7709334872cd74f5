// SPDX-License-Identifier: Apache-2.0
//
// A request that came in over a GIOP connection, on its way through the dispatcher. On the stack of the thread that serves, or on
// the heap once it was taken to be run later.
//
// Members that only a detached request needs are made when it is detached: nearly every request is answered while its bytes still lie in
// the connection's buffer, by the connection's own writer.
#pragma once

#include <optional>

#include "base/memory.hpp"
#include "connection.hpp"

namespace tenon::giop {

/// Writes replies of a connection that cuts messages, and sends each in parts while it is being written.
class ReplyInParts final : public cdr::PartSink {
 public:
  explicit ReplyInParts(std::size_t fragment) noexcept : PartSink(fragment) {}
  Status take(std::span<const cdr::Piece> part) noexcept override;

  cdr::Writer writer;
  Incoming* request = nullptr;  // whose reply is being written
};

using ReplyInPartsOwner = std::unique_ptr<ReplyInParts, void (*)(ReplyInParts*)>;

class Incoming final : public protocol::IncomingCall, public memory::Of<memory::Kind::requests> {
 public:
  // The connection has counted the request in (LifeCycle) before; the destructor counts it out.

  /// For a plain request, which is ready for the dispatcher; its arguments are at a multiple of 8 in the message.
  Incoming(Connection& connection, const PlainRequest& request, ByteView body) noexcept
      : IncomingCall(body, connection.server_format_, 0, {}),
        connection_(&connection),
        request_id_(request.request_id),
        format_(connection.server_format_) {
    operation = request.operation;
    object_key = request.key;
    set_response(request.response);
  }
  /// For any other request; read_request_header() comes next.
  Incoming(Connection& connection, const Message& message) noexcept
      : IncomingCall(message.body, format_of(connection, message), body_phase, message.restarts),
        connection_(&connection),
        format_(connection.server_format_) {}
  ~Incoming() override;

  ByteView context(std::uint32_t id) const noexcept override { return contexts_.find(id); }
  cdr::Writer& begin_reply(protocol::ReplyStatus status) override;
  cdr::Writer& begin_reply_with(protocol::ReplyStatus status,
                                std::span<const protocol::ServiceContext> contexts, bool has_body) override;
  Status finish_reply() override;
  bool replied() const noexcept override { return replied_; }
  void detach() override;
  std::unique_ptr<protocol::IncomingCall> take() override;
  bool identify_caller(protocol::Identity& into) const override {
    return connection_->transport_->identify(into);
  }

  /// What the connection does with a request, as its header says.
  enum class HeaderRead : std::uint8_t {
    ready,        ///< for the dispatcher
    malformed,    ///< the connection ends
    refused,      ///< its code sets are wrong
    without_key,  ///< the client shall address by key
  };
  HeaderRead read_request_header(const Message& message);
  /// Replies with what is wrong.
  void refuse(HeaderRead why);
  /// Replies with an exception, and a text that goes with it unless it is empty.
  void refuse(const Error& why, std::string_view said);
  /// A part of a reply that is not whole yet.
  Status send_part(std::span<const cdr::Piece> part) noexcept;
  /// SYNC_WITH_SERVER: answers before the servant runs.
  void answer_early();

  /// How a request is kept beyond its message (kept.cpp).
  struct Keeping {
    void (Incoming::*detach)();
    std::unique_ptr<protocol::IncomingCall> (Incoming::*take)();
    void (Incoming::*leave)() noexcept;
  };
  struct Kept;
  /// What enable_kept_requests() sets; null: none is kept.
  static constinit std::atomic<const Keeping*> kept_requests;

  bool detached() const noexcept { return apart_ && apart_->holds; }
  bool cancelled() const noexcept override;
  /// A CancelRequest has come. `first`: of the requests that were taken, whose connection's state_mutex_ is held. False: it is none of them.
  static bool cancel(Incoming* first, std::uint32_t request_id) noexcept;

 private:
  friend struct InFragments;
  /// A detached request's own. One that is not detached has it, without `holds`, where the connection cannot have a writer for replies.
  struct Apart {
    Apart() {}  // for Clang, to which initialisers of members are not known before the outer class ends
    Ref<RefCounted> holds;  // the connection, which may have no other owner; once taken, what both calls need
    Buffer bytes;
    std::size_t counted = 0;  // of bytes, against the budget of unfinished messages
    bool taken = false;
    Restarts restarts;
    std::unique_ptr<Connection::SpareWriter>
        begun;  // the connection's, when the reply was being written already
    std::optional<cdr::Writer> reply;
    ReplyInPartsOwner in_parts{nullptr, nullptr};  // instead of these two
    // Once taken, under the connection's state_mutex_:
    Incoming* next_taken = nullptr;
    Incoming* previous_taken = nullptr;
    bool cancelled = false;
  };

  /// What a taken call and the spent one on the upcall's stack share; either may end first.
  struct Shared final : RefCounted, memory::Of<memory::Kind::requests> {
    Shared(Ref<RefCounted> of, Buffer request) noexcept : held(std::move(of)), bytes(std::move(request)) {}
    const Ref<RefCounted> held;
    const Buffer bytes;
  };

  Incoming(Incoming&& other) noexcept;
  void set_response(Response response) noexcept {
    static constexpr protocol::Sync syncs[] = {protocol::Sync::none, protocol::Sync::with_server,
                                               protocol::Sync::none, protocol::Sync::with_target};
    sync = syncs[static_cast<unsigned>(response)];
    response_expected = response != Response::none;
  }
  cdr::Writer& new_writer();
  cdr::Writer& new_writer_in_parts();
  void cut_off() noexcept;
  void detach_now();
  std::unique_ptr<protocol::IncomingCall> take_now();
  void leave_taken() noexcept;

  static cdr::WireFormat format_of(const Connection& connection, const Message& message) noexcept {
    cdr::WireFormat format = connection.server_format_;
    format.order = message.header->order;
    return format;
  }

  Connection* connection_;
  std::uint32_t request_id_ = 0;
  bool replied_ = false;
  ContextList contexts_;
  cdr::WireFormat format_;  // of the reply
  cdr::Writer* reply_ =
      nullptr;  // where the reply is written, once it has been begun: the connection's, or in apart_
  Error refused_;
  std::optional<Apart> apart_;
};

}  // namespace tenon::giop
