// SPDX-License-Identifier: Apache-2.0
//
// The server's half of a connection: reads a message, runs what it asks for, answers.
#include "base/error_text.hpp"
#include "base/log.hpp"
#include "base/minor_codes.hpp"
#include "giop/control.hpp"
#include "giop/locate.hpp"
#include "incoming.hpp"
#include "protocol/exception_detail.hpp"
#include "sent_contexts.hpp"
#include "serving_connection.hpp"

namespace tenon::giop {

Incoming::HeaderRead Incoming::read_request_header(const Message& message) {
  RequestHeader head;
  if (!read_request(arguments, head)) return HeaderRead::malformed;
  request_id_ = head.request_id;
  contexts_ = head.contexts;
  operation = head.operation;
  set_response(head.response);
  if (!contexts_.empty()) {
    // The CodeSets context may say what text means from here on; an error is the reply to this request (§7.10.2.6).
    const LockGuard lock(connection_->state_mutex_);
    Session& session = connection_->session_;
    refused_ = session.read_code_sets(message.header->minor, contexts_).error();
    format_ = session.server_format(message.header->minor);
    connection_->set_server_format(format_);
    arguments.set_format(format_of(*connection_, message));
  }
  if (!contexts_.empty() && message.header->minor >= 2) connection_->take_offer(contexts_);
  if (refused_) return HeaderRead::refused;
  const auto key = giop::object_key(head.target);
  if (!key) return HeaderRead::without_key;
  object_key = *key;
  return HeaderRead::ready;
}

Incoming::~Incoming() {
  if (apart_) [[unlikely]] {
    if (apart_->taken) (this->*kept_requests.load(std::memory_order_relaxed)->leave)();
    if (apart_->in_parts && !replied_) (this->*connection_->outbox_.cutting()->cut_off)();
    if (apart_->counted != 0) connection_->receiver_.memory().give(apart_->counted);
  } else if (reply_ != nullptr && reply_->capacity() > Buffer::small) [[unlikely]] {
    static_cast<void>(reply_->surrender());
  }
  if (connection_->life_.end_request()) [[unlikely]]
    connection_->finish_close();
}

/// Makes the writer of the reply: one of this request's own if it is detached, else the connection's, which is kept for later replies.
cdr::Writer& Incoming::new_writer() {
  if (const Outbox::Cutting* const cutting = connection_->outbox_.cutting())
    return (this->*cutting->new_writer)();
  cdr::Writer* made = nullptr;
  if (!apart_) {
    connection_->spare_writer_.reset(new Connection::SpareWriter);
    made = connection_->spare_writer_.get();
    if (made == nullptr) apart_.emplace();  // memory is short, but there is room here
  }
  if (made == nullptr) made = &apart_->reply.emplace();
  connection_->prepare(*made);
  made->reset(format_, 0, 1024);
  return *made;
}

cdr::Writer& Incoming::begin_reply(protocol::ReplyStatus status) {
  if (reply_ == nullptr) [[likely]] {
    reply_ = apart_ ? nullptr : connection_->spare_writer_.get();
    if (reply_ == nullptr) [[unlikely]]
      reply_ = &new_writer();
  } else if (reply_->in_parts()) {
    // What has been sent cannot be taken back: finish_reply() will end it.
    reply_->fail(errors::bad_reply);
    return *reply_;
  }
  reply_->restart(1024);
  if (format_.giop_minor >= 2) [[likely]] {
    begin_plain_reply(*reply_, request_id_, static_cast<ReplyStatus>(status));
  } else {
    if (status == protocol::ReplyStatus::location_forward_perm)
      status = protocol::ReplyStatus::location_forward;
    giop::begin_reply(
        *reply_, {.request_id = request_id_, .status = static_cast<ReplyStatus>(status), .contexts = {}});
  }
  return *reply_;
}

namespace {

/// A service context without content. In replies of GIOP 1.0 and 1.1 it pads the reply header, so that the body starts at a multiple of 8.
constexpr std::uint32_t padding_context = 0x544e4e01;

}  // namespace

cdr::Writer& Incoming::begin_reply_with(protocol::ReplyStatus status,
                                        std::span<const protocol::ServiceContext> contexts, bool has_body) {
  cdr::Writer& reply = begin_reply(status);
  if (contexts.empty() || !reply.good()) return reply;
  if (format_.giop_minor < 2 && status == protocol::ReplyStatus::location_forward_perm)
    status = protocol::ReplyStatus::location_forward;
  SentContexts all(contexts.size() + 1);
  if (!all) {
    reply.fail(memory::shortage());
    return reply;
  }
  for (const protocol::ServiceContext& each : contexts) all.add({each.id, each.data});
  ReplyOut head{.request_id = request_id_,
                .status = static_cast<ReplyStatus>(status),
                .contexts = all.list(),
                .has_body = has_body};
  reply.restart(1024);
  giop::begin_reply(reply, head);
  if (reply.size() % 8 == 0 || !has_body) return reply;
  static constexpr std::uint8_t nothing[4] = {};
  all.add({padding_context, nothing});
  reply.restart(1024);
  head.contexts = all.list();
  giop::begin_reply(reply, head);
  return reply;
}

Status Incoming::finish_reply() {
  if (replied_) return {};
  replied_ = true;
  if (!response_expected) return {};
  cdr::Writer& reply = *reply_;
  finish_message(reply);
  if (!reply.good()) [[unlikely]] {
    if (const Outbox::Cutting* const cutting = connection_->outbox_.cutting()) (this->*cutting->cut_off)();
    return reply.error();
  }
  const auto sent =
      connection_->outbox_.send(reply, MessageType::reply, format_.giop_minor, Deadline::never());
  if (sent.sent == Outbox::Sent::all) [[likely]]
    return {};
  connection_->lose(Ending::lost);
  return errors::connection_lost;
}

void Incoming::answer_early() {
  begin_reply(protocol::ReplyStatus::no_exception);
  (void)finish_reply();  // the thread that reads notices a lost connection
  replied_ = false;
  response_expected = false;
}

void Incoming::refuse(HeaderRead why) {
  if (why == HeaderRead::refused) {
    write_system_exception(begin_reply(protocol::ReplyStatus::system_exception), refused_);
  } else {
    write_addressing(begin_reply(protocol::ReplyStatus::needs_addressing_mode), Addressing::key);
  }
  (void)finish_reply();  // a lost connection is noticed by the next read
}

void Incoming::refuse(const Error& why, std::string_view said) {
  if (!response_expected) return;
  const auto status = protocol::ReplyStatus::system_exception;
  std::vector<std::uint8_t> text;
  const protocol::ExceptionDetails* details = protocol::exception_details();
  if (!said.empty() && details != nullptr) text = details->encode(said);
  const protocol::ServiceContext detail{protocol::exception_detail_context, text};
  write_system_exception(text.empty() ? begin_reply(status) : begin_reply_with(status, {&detail, 1}, true),
                         why);
  (void)finish_reply();  // a lost connection is noticed by the next read
}

constinit std::atomic<const Incoming::Keeping*> Incoming::kept_requests{nullptr};

void Incoming::detach() {
  if (const Keeping* const keeping = kept_requests.load(std::memory_order_relaxed))
    return (this->*keeping->detach)();
  // Nothing of this program does so. The next message would be read over this one.
  connection_->lose(Ending::lost);
}

std::unique_ptr<protocol::IncomingCall> Incoming::take() {
  const Keeping* const keeping = kept_requests.load(std::memory_order_relaxed);
  return keeping == nullptr ? nullptr : (this->*keeping->take)();
}

bool Incoming::cancelled() const noexcept {
  const LockGuard lock(connection_->state_mutex_);
  return apart_ && apart_->cancelled;
}

bool Incoming::cancel(Incoming* first, std::uint32_t request_id) noexcept {
  bool found = false;
  for (Incoming* taken = first; taken != nullptr; taken = taken->apart_->next_taken) {
    if (taken->request_id_ == request_id) found = taken->apart_->cancelled = true;
  }
  return found;
}

/// The caller no longer waits, and the request may run or not (§9.4.4). One that is still arriving in fragments ends here; one that was
/// taken to be run later learns of it.
void Connection::handle_cancel(const Message& message, protocol::Dispatcher& dispatcher) {
  const auto id = read_cancel_request(message.header, message.body);
  receiver_.consume();
  if (!id) return;
  receiver_.cancel(*id);
  bool found = false;
  {
    const LockGuard lock(state_mutex_);
    found = Incoming::cancel(taken_, *id);
  }
  if (found) dispatcher.one_was_cancelled();
}

[[gnu::always_inline]] inline protocol::Served Connection::handle_request(const Message& message,
                                                                          protocol::Dispatcher& dispatcher) {
  PlainRequest plain;
  const std::size_t body = message.header.plain() ? read_plain_request(message.body, plain) : 0;
  if (body == 0) [[unlikely]]
    return handle_other_request(message, dispatcher);
  // Too late: the peer learns from CloseConnection that the request was not executed (§9.5.1.1).
  if (!life_.begin_request()) [[unlikely]] {
    receiver_.consume();
    return protocol::Served::closed;
  }
  {
    Incoming incoming(*this, plain, message.body.subspan(body));
    if (plain.response == Response::server) [[unlikely]]
      incoming.answer_early();
    dispatcher.dispatch(incoming);
    if (incoming.detached()) [[unlikely]]
      return protocol::Served::detached;
  }
  receiver_.consume();
  return usable() ? protocol::Served::message : protocol::Served::closed;
}

protocol::Served Connection::handle_other_request(const Message& message, protocol::Dispatcher& dispatcher) {
  if (!life_.begin_request()) {
    receiver_.consume();
    return protocol::Served::closed;
  }
  {
    Incoming incoming(*this, message);
    const Incoming::HeaderRead read = incoming.read_request_header(message);
    if (read == Incoming::HeaderRead::malformed) {
      receiver_.consume();
      malformed();
      return protocol::Served::closed;
    }
    if (read != Incoming::HeaderRead::ready) {
      incoming.refuse(read);
    } else {
      if (incoming.sync == protocol::Sync::with_server) incoming.answer_early();
      dispatcher.dispatch(incoming);
    }
    if (incoming.detached()) return protocol::Served::detached;
  }
  receiver_.consume();
  return usable() ? protocol::Served::message : protocol::Served::closed;
}

void Connection::log_large_request(std::string_view operation) const noexcept {
  note(LogLevel::warning,
       {"request '", operation, "' from ", transport_->peer(),
        " is above the limit (-ORBMaxMessageSize, half of limits.buffers), and is refused"});
}

/// A request above the limit is answered, so that its client learns what was wrong, and the connection goes on.
protocol::Served Connection::refuse_large_request(protocol::Dispatcher& dispatcher) {
  const Message& message = receiver_.message();
  if (!admit(message.header) || !life_.begin_request()) {
    receiver_.consume();
    return protocol::Served::closed;
  }
  {
    Incoming incoming(*this, message);
    if (incoming.read_request_header(message) == Incoming::HeaderRead::malformed) {
      receiver_.consume();
      malformed();
      return protocol::Served::closed;
    }
    receiver_.forget_fault();
    if (log_enabled(LogLevel::warning)) log_large_request(incoming.operation);
    incoming.refuse(errors::giop_message_too_large, dispatcher.explanation(errors::giop_message_too_large));
  }
  receiver_.consume();
  return usable() ? protocol::Served::message : protocol::Served::closed;
}

protocol::Served Connection::nothing_to_serve(Arrival arrival, protocol::Dispatcher& dispatcher,
                                              Deadline deadline) {
  switch (arrival) {
    case Arrival::timed_out:
      // The reading thread goes to do something else; the clock then watches a message that the peer has begun and not finished.
      if (!deadline.is_never()) watch_unfinished();
      return protocol::Served::idle;
    case Arrival::stalled: lose(Ending::stalled); return protocol::Served::closed;
    case Arrival::malformed: malformed(); return protocol::Served::closed;
    case Arrival::too_large: return refuse_large_request(dispatcher);
    case Arrival::ended:
    case Arrival::message: break;
  }
  lose(Ending::lost);
  return protocol::Served::closed;
}

protocol::Served Connection::handle_other_message(const Message& message, protocol::Dispatcher& dispatcher) {
  switch (message.header->type) {
    case MessageType::locate_request: handle_locate(message, dispatcher); break;
    case MessageType::cancel_request: handle_cancel(message, dispatcher); break;
    case MessageType::request:
    case MessageType::reply:
    case MessageType::locate_reply:
    case MessageType::close_connection:
    case MessageType::message_error:
    case MessageType::fragment: receiver_.consume(); break;
  }
  return usable() ? protocol::Served::message : protocol::Served::closed;
}

void Connection::handle_locate(const Message& message, protocol::Dispatcher& dispatcher) {
  const CheckedHeader& header = message.header;
  cdr::Reader body(message.body, {.giop_minor = header->minor, .order = header->order}, body_phase,
                   message.restarts);
  LocateRequestHeader head;
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
  if (outbox_.send(reply, MessageType::locate_reply, header->minor, Deadline::never()).sent !=
      Outbox::Sent::all)
    lose(Ending::lost);
}

// --- the two kinds of connections that serve ---

protocol::Served AcceptedConnection::serve(protocol::Dispatcher& dispatcher, Deadline deadline) {
  const Arrival arrival = receiver_.next(deadline);
  if (arrival != Arrival::message) [[unlikely]]
    return nothing_to_serve(arrival, dispatcher, deadline);
  const Message& message = receiver_.message();
  if (!admit(message.header)) [[unlikely]] {
    receiver_.consume();
    return protocol::Served::closed;
  }
  if (message.header->type == MessageType::request) [[likely]]
    return handle_request(message, dispatcher);
  return handle_other_message(message, dispatcher);
}

// Twice because each has the request path inlined, and this one takes replies besides.
protocol::Served BidirectionalConnection::serve(protocol::Dispatcher& dispatcher, Deadline deadline) {
  const Arrival arrival = receiver_.next(deadline);
  if (arrival != Arrival::message) [[unlikely]]
    return nothing_to_serve(arrival, dispatcher, deadline);
  const Message& message = receiver_.message();
  if (!admit(message.header)) [[unlikely]] {
    receiver_.consume();
    return protocol::Served::closed;
  }
  if (message.header->type == MessageType::request) [[likely]]
    return handle_request(message, dispatcher);
  if (message.header->type != MessageType::reply && message.header->type != MessageType::locate_reply)
    return handle_other_message(message, dispatcher);
  take_reply(message, nullptr);
  return usable() ? protocol::Served::message : protocol::Served::closed;
}

/// GIOP 1.2 §9.8: the peer, which has opened the connection, takes requests over it too, for the objects that it offers.
void BidirectionalConnection::take_offer(const ContextList& contexts) noexcept {
  protocol::Bidirectional* const bidirectional = options_.bidirectional.get();
  if (bidirectional == nullptr || side_ != Side::acceptor || !bidirectional->believes()) return;
  const ByteView offer = contexts.find(context_bi_dir_iiop);
  if (offer.data() == nullptr) return;
  {
    const LockGuard lock(state_mutex_);
    session_.become_bidirectional();
  }
  bidirectional->offered(*this, offer);
}

}  // namespace tenon::giop
