// SPDX-License-Identifier: Apache-2.0
//
// The server's half of a connection: reads a message, runs what it asks for, answers.
#include "base/minor_codes.hpp"
#include "giop/control.hpp"
#include "giop/locate.hpp"
#include "incoming.hpp"

namespace tenon::giop {

Incoming::Incoming(Connection& connection, const Message& message)
    : connection_(&connection), format_(connection.session_.server_format(message.header->minor)) {
  connection.running_.fetch_add(1, std::memory_order_relaxed);
}

Status Incoming::read_head(const Message& message) {
  cdr::WireFormat format = format_;
  format.order = message.header->order;
  arguments = cdr::Reader(message.body, format, body_phase, message.restarts);
  const Status read = read_request(arguments, head_);
  operation = head_.operation;
  response_expected = head_.response_expected();
  sync = head_.response == Response::target   ? protocol::Sync::with_target
         : head_.response == Response::server ? protocol::Sync::with_server
                                              : protocol::Sync::none;
  if (!read || head_.contexts.empty()) [[likely]]
    return read;
  return read_code_sets(message);
}

/// Looks for the CodeSets context; an error is the reply to this request (§7.10.2.6).
Status Incoming::read_code_sets(const Message& message) {
  std::lock_guard lock(connection_->state_mutex_);
  refused_ = connection_->session_.read_code_sets(message.header->minor, head_.contexts).error();
  format_ = connection_->session_.server_format(message.header->minor);
  cdr::WireFormat format = format_;
  format.order = message.header->order;
  arguments.set_format(format);
  return {};
}

Incoming::Incoming(Incoming&& other) noexcept
    : connection_(other.connection_),
      held_(std::move(other.held_)),
      head_(other.head_),
      format_(other.format_),
      replied_(other.replied_),
      detached_(true),
      bytes_(std::move(other.bytes_)),
      counted_(std::exchange(other.counted_, 0)),
      restarts_(std::move(other.restarts_)) {
  operation = other.operation;
  object_key = other.object_key;
  sync = other.sync;
  response_expected = other.response_expected;
  arguments = other.arguments;
  connection_->running_.fetch_add(1, std::memory_order_relaxed);
}

Incoming::~Incoming() {
  if (counted_ != 0) connection_->options_.memory->give(counted_);
  if (!detached_ && reply_.capacity() <= Buffer::small) connection_->spare_reply_ = reply_.surrender();
  // With close(): each changes its own variable before it looks at the other's, so one of the two closes.
  if (connection_->running_.fetch_sub(1) == 1 && connection_->closing_.load()) [[unlikely]]
    connection_->finish_close();
}

cdr::Writer& Incoming::begin_reply(protocol::ReplyStatus status) {
  if (format_.giop_minor < 2 && status == protocol::ReplyStatus::location_forward_perm) {
    status = protocol::ReplyStatus::location_forward;
  }
  reply_.set_limit(connection_->options_.limits.largest_message);
  if (!detached_) reply_.adopt(std::move(connection_->spare_reply_));
  reply_.reset(format_, 0, 1024);
  giop::begin_reply(
      reply_, {.request_id = head_.request_id, .status = static_cast<ReplyStatus>(status), .contexts = {}});
  reply_.allow_lending(true);
  return reply_;
}

Status Incoming::finish_reply() {
  if (replied_) return {};
  replied_ = true;
  if (!response_expected) return {};
  finish_message(reply_);
  if (!reply_.good()) return reply_.error();
  const auto sent = connection_->transmit(reply_, MessageType::reply, format_.giop_minor, Deadline::never());
  if (sent.sent == Connection::Sent::all) return {};
  connection_->lose(Ending::lost);
  return errors::connection_lost;
}

void Incoming::answer_early() {
  begin_reply(protocol::ReplyStatus::no_exception);
  (void)finish_reply();  // a lost connection is noticed by whoever reads it
  replied_ = false;
  response_expected = false;
}

void Incoming::detach() {
  if (detached_) return;
  detached_ = true;
  held_ = Ref<Connection>(connection_);
  Receiver::Detached taken = connection_->receiver_.detach(restarts_);
  bytes_ = std::move(taken.bytes);
  counted_ = taken.counted;
}

std::unique_ptr<protocol::IncomingCall> Incoming::take() {
  detach();
  return std::unique_ptr<protocol::IncomingCall>(new Incoming(std::move(*this)));
}

protocol::Served Connection::serve(protocol::Dispatcher& dispatcher, Deadline deadline) {
  Message message;
  switch (receiver_.next(message, deadline)) {
    case Arrival::timed_out:
      // A peer that stops in the middle of a message is not waited for again.
      if (!deadline.is_never() || receiver_.between_messages()) return protocol::Served::idle;
      lose(Ending::lost);
      return protocol::Served::closed;
    case Arrival::ended: lose(Ending::lost); return protocol::Served::closed;
    case Arrival::malformed: malformed(); return protocol::Served::closed;
    case Arrival::message: break;
  }
  if (!admit(message.header)) {
    receiver_.consume();
    return protocol::Served::closed;
  }
  switch (message.header->type) {
    case MessageType::request: return handle_request(message, dispatcher);
    case MessageType::locate_request: handle_locate(message, dispatcher); break;
    case MessageType::reply:
    case MessageType::locate_reply: take_reply(message, nullptr); break;
    case MessageType::cancel_request:
      // The caller no longer waits; the request may run or not (GIOP §9.4.4). One that is still arriving in fragments ends here.
      if (const auto id = read_cancel_request(message.header, message.body))
        receiver_.assembler().cancel(*id);
      receiver_.consume();
      break;
    case MessageType::close_connection:
    case MessageType::message_error:
    case MessageType::fragment: receiver_.consume(); break;
  }
  return usable() ? protocol::Served::message : protocol::Served::closed;
}

protocol::Served Connection::handle_request(const Message& message, protocol::Dispatcher& dispatcher) {
  bool detached = false;
  {
    Incoming incoming(*this, message);
    if (!incoming.read_head(message)) {
      receiver_.consume();
      malformed();
      return protocol::Served::closed;
    }
    const auto key = giop::object_key(incoming.head().target);
    if (incoming.refused()) [[unlikely]] {
      write_system_exception(incoming.begin_reply(protocol::ReplyStatus::system_exception),
                             incoming.refused());
      (void)incoming.finish_reply();  // a lost connection is noticed by the next read
    } else if (!key) [[unlikely]] {
      write_addressing(incoming.begin_reply(protocol::ReplyStatus::needs_addressing_mode), Addressing::key);
      (void)incoming.finish_reply();
    } else {
      incoming.object_key = *key;
      if (incoming.head().response == Response::server) incoming.answer_early();
      dispatcher.dispatch(incoming);
    }
    detached = incoming.detached();
  }
  if (detached) return protocol::Served::detached;
  receiver_.consume();
  return usable() ? protocol::Served::message : protocol::Served::closed;
}

void Connection::handle_locate(const Message& message, protocol::Dispatcher& dispatcher) {
  const CheckedHeader& header = message.header;
  cdr::Reader body(message.body, {.giop_minor = header->minor, .order = header->order}, body_phase,
                   message.restarts);
  LocateRequestHead head;
  if (!read_locate_request(body, head)) {
    receiver_.consume();
    malformed();
    return;
  }
  cdr::Writer reply({.giop_minor = header->minor});
  if (const auto key = giop::object_key(head.target)) {
    ior::Ior forward;
    const protocol::LocateStatus status = dispatcher.locate(*key, forward);
    begin_locate_reply(reply, head.request_id, static_cast<LocateStatus>(status));
    if (status == protocol::LocateStatus::object_forward ||
        status == protocol::LocateStatus::object_forward_perm) {
      ior::write_ior(reply, forward);
    }
  } else {
    begin_locate_reply(reply, head.request_id, LocateStatus::needs_addressing_mode);
    write_addressing(reply, Addressing::key);
  }
  receiver_.consume();
  finish_message(reply);
  if (transmit(reply, MessageType::locate_reply, header->minor, Deadline::never()).sent != Sent::all)
    lose(Ending::lost);
}

}  // namespace tenon::giop
