// SPDX-License-Identifier: Apache-2.0
//
// The client's half of a connection: beginning a call, sending it, waiting for its reply, and what happens to calls when the
// connection ends.
#include "connection.hpp"

#include <chrono>

#include "base/minor_codes.hpp"
#include "giop/control.hpp"
#include "giop/locate.hpp"

namespace tenon::giop {

namespace {

/// Where a call sleeps while another call's thread reads.
struct Waiter {
  std::condition_variable woken;
};

SessionOptions session_options(protocol::Role role, const protocol::MessagingOptions& options) {
  return {.side = role == protocol::Role::originator ? Side::originator : Side::acceptor,
          .minor = options.highest_minor,
          .native = options.native,
          .unstated_chars = options.unstated_chars,
          .unstated_wchars = options.unstated_wchars};
}

Response response_of(const protocol::OutgoingCall& call) {
  if (!call.response_expected) return Response::none;
  return call.sync == protocol::Sync::with_server ? Response::server : Response::target;
}

}  // namespace

Connection::Connection(std::unique_ptr<protocol::Transport> transport, protocol::Role role,
                       const protocol::MessagingOptions& options)
    : transport_(std::move(transport)),
      options_(options),
      receiver_(*transport_, options),
      session_(session_options(role, options)),
      reading_(role == protocol::Role::acceptor),
      usual_type_(role == protocol::Role::acceptor ? MessageType::request : MessageType::reply) {
  transport_->set_timeouts(options.limits.send_timeout_ms, options.limits.receive_timeout_ms);
}

Connection::~Connection() { transport_->shut_down(); }

Status Connection::begin(Call& call, const protocol::Target& target) {
  {
    std::lock_guard lock(state_mutex_);
    if (!session_.open() || !usable()) return session_.outcome(false);
    call.minor = session_.request_minor(target.minor);
    session_.sent(call.minor);
    if (const Status agreed = session_.use_code_sets(target.code_sets); !agreed) return agreed;
    call.has_code_sets = session_.wants_code_sets_context(call.minor);
    call.request_id = session_.next_request_id([this](std::uint32_t id) { return find(id) != nullptr; });
    call.arguments.set_limit(options_.limits.largest_message);
    call.arguments.adopt(std::move(spare_request_));
    call.arguments.reset(session_.client_format(call.minor), 0, 1024);
    Call*& bucket = calls_[(call.request_id >> 1) % calls_.size()];
    call.next = bucket;
    bucket = &call;
    call.step = Call::Step::preparing;
    call.reads = !reading_ && in_flight_.load(std::memory_order_relaxed) == 0 && call.response_expected;
    reading_ = reading_ || call.reads;
    in_flight_.fetch_add(1, std::memory_order_relaxed);
  }
  write_head(call, target);
  call.arguments.allow_lending(true);
  return {};
}

void Connection::write_head(Call& call, const protocol::Target& target) {
  RequestOut out;
  out.request_id = call.request_id;
  out.response = response_of(call);
  out.operation = call.operation;
  out.has_body = call.has_arguments;
  out.target.key = target.object_key;
  if (call.has_code_sets || !call.contexts.empty() || target.addressing != 0) [[unlikely]] {
    write_rare_head(call, target, out);
  } else {
    begin_request(call.arguments, out);
  }
}

/// With service contexts, or with an addressing disposition that the peer asked for.
void Connection::write_rare_head(Call& call, const protocol::Target& target, RequestOut& out) {
  cdr::Writer reference({.giop_minor = call.minor});
  if (target.addressing != 0 && call.minor >= 2 && target.reference != nullptr) {
    const ior::TaggedProfile& profile = target.reference->profiles[target.profile_index];
    out.target.addressing = static_cast<Addressing>(target.addressing);
    out.target.profile_tag = profile.tag;
    out.target.profile = profile.data;
    out.target.profile_index = static_cast<std::uint32_t>(target.profile_index);
    ior::write_ior(reference, *target.reference);
    out.target.reference = reference.bytes();
  }
  std::vector<ServiceContext> contexts;
  if (call.has_code_sets) contexts.push_back(session_.code_sets_context());
  for (const protocol::ServiceContext& context : call.contexts)
    contexts.push_back({context.id, context.data});
  out.contexts = contexts;
  begin_request(call.arguments, out);
}

Status Connection::invoke(Call& call) {
  finish_message(call.arguments);
  if (!call.arguments.good()) {
    call.completed = Completion::no;
    return call.arguments.error();
  }
  const SendOutcome sent = transmit(call.arguments, MessageType::request, call.minor, call.deadline);
  if (sent.sent != Sent::all) {
    // A request of which a part went out was not executed, but the stream is out of step.
    if (sent.sent == Sent::part || !sent.timed_out) lose(Ending::lost);
    call.completed = Completion::no;
    return sent.timed_out ? errors::send_timed_out : errors::connection_lost;
  }
  if (call.has_code_sets) {
    std::lock_guard lock(state_mutex_);
    session_.code_sets_context_sent();
  }
  if (!call.response_expected) return {};
  return await_reply(call);
}

Status Connection::await_reply(Call& call) {
  call.completed = Completion::maybe;
  if (!call.reads) {
    const Status waited = wait_for_reader(call);
    if (!waited) return waited;
    if (call.step == Call::Step::done) {
      if (call.failure) return call.failure;
      call.completed = Completion::yes;
      return {};
    }
  }
  const Status read = read_own_reply(call);
  if (read) call.completed = Completion::yes;
  return read;
}

/// Until the reply has been handed over or this call is the one to read.
Status Connection::wait_for_reader(Call& call) {
  Waiter waiter;
  const std::uint32_t default_ms = options_.limits.receive_timeout_ms;
  const Deadline deadline =
      call.deadline.is_never() && default_ms != 0 ? Deadline::after_ms(default_ms) : call.deadline;
  std::unique_lock lock(state_mutex_);
  call.step = call.step == Call::Step::done ? call.step : Call::Step::waiting;
  if (!reading_ && call.step != Call::Step::done) {
    reading_ = true;
    call.reads = true;
  }
  call.waiter = &waiter;
  while (call.step != Call::Step::done && !call.reads) {
    if (deadline.is_never()) {
      waiter.woken.wait(lock);
    } else {
      const auto until = std::chrono::steady_clock::time_point(std::chrono::nanoseconds(deadline.ns()));
      if (waiter.woken.wait_until(lock, until) == std::cv_status::timeout && call.step != Call::Step::done &&
          !call.reads) {
        call.waiter = nullptr;
        lock.unlock();
        return timed_out(call);
      }
    }
  }
  call.waiter = nullptr;
  if (call.step == Call::Step::done && call.failure) call.completed = call.failure.completed;
  return {};
}

Status Connection::read_own_reply(Call& call) {
  Deadline deadline = call.deadline;
  while (true) {
    Message message;
    switch (receiver_.next(message, deadline)) {
      case Arrival::timed_out:
        receiver_.assembler().discard_reply(call.request_id);
        // A peer that stops in the middle of a message for that long has gone; one that is asked to hurry may go on.
        if (call.deadline.is_never() && !receiver_.between_messages()) lose(Ending::lost);
        return timed_out(call);
      case Arrival::ended: lose(Ending::lost); break;
      case Arrival::malformed: malformed(); break;
      case Arrival::message:
        if (!admit(message.header)) {
          receiver_.consume();
          break;
        }
        if (message.header->type == MessageType::reply || message.header->type == MessageType::locate_reply) {
          if (take_reply(message, &call)) return call.failure;
        } else {
          receiver_.consume();
        }
        // Others' replies must not put off our own time-out.
        if (deadline.is_never() && options_.limits.receive_timeout_ms != 0) {
          deadline = Deadline::after_ms(options_.limits.receive_timeout_ms);
        }
        continue;
    }
    std::lock_guard lock(state_mutex_);
    const Error failure = session_.outcome(true);
    call.completed = failure.completed;
    return failure;
  }
}

Status Connection::timed_out(Call& call) noexcept {
  call.completed = Completion::maybe;
  if (options_.cancel_requests) {
    const CancelRequest cancel = cancel_request(call.request_id, call.minor);
    send_control(cancel, true);
  }
  return errors::reply_timed_out.with(Completion::maybe);
}

void Connection::end(Call& call) noexcept {
  if (call.holds_reply) {
    receiver_.consume();
    call.holds_reply = false;
  }
  std::lock_guard lock(state_mutex_);
  if (!spare_request_ && call.arguments.capacity() <= Buffer::small)
    spare_request_ = call.arguments.surrender();
  forget(call);
  if (call.reads) {
    call.reads = false;
    pass_reading_on();
  }
}

void Connection::forget(Call& call) noexcept {
  Call** at = &calls_[(call.request_id >> 1) % calls_.size()];
  while (*at != nullptr && *at != &call) at = &(*at)->next;
  if (*at == nullptr) return;
  *at = call.next;
  in_flight_.fetch_sub(1, std::memory_order_relaxed);
}

Connection::Call* Connection::find(std::uint32_t id) noexcept {
  Call* call = calls_[(id >> 1) % calls_.size()];
  while (call != nullptr && call->request_id != id) call = call->next;
  return call;
}

void Connection::pass_reading_on() noexcept {
  reading_ = false;
  if (in_flight_.load(std::memory_order_relaxed) == 0) return;
  for (Call* call : calls_) {
    for (; call != nullptr; call = call->next) {
      if (call->step != Call::Step::waiting || call->waiter == nullptr) continue;
      reading_ = true;
      call->reads = true;
      static_cast<Waiter*>(call->waiter)->woken.notify_one();
      return;
    }
  }
}

Connection::ReplyStart Connection::start_reply(const Message& message, cdr::WireFormat format,
                                               cdr::Reader& body) noexcept {
  const CheckedHeader& header = message.header;
  format.giop_minor = header->minor;
  format.order = header->order;
  body = cdr::Reader(message.body, format, body_phase, message.restarts);
  if (header->type == MessageType::locate_reply) {
    LocateReplyHead head;
    const Status read = read_locate_reply(body, head);
    return {head.request_id, static_cast<protocol::ReplyStatus>(head.status), read};
  }
  ReplyHead head;
  const Status read = read_reply(body, head);
  return {head.request_id, static_cast<protocol::ReplyStatus>(head.status), read};
}

bool Connection::take_reply(const Message& message, Call* own) {
  // Nearly always the reply is the reader's own, so it is read where that call wants it.
  cdr::Reader* body = own != nullptr ? &own->reply : &others_reply_;
  // Text in a reply is as in its request, whatever later requests on this connection agree on.
  const ReplyStart start =
      start_reply(message, own != nullptr ? own->arguments.format() : cdr::WireFormat(), *body);
  if (!start.read) {
    receiver_.consume();
    malformed();
    return false;
  }
  if (own != nullptr && own->request_id == start.id) [[likely]] {
    own->holds_reply = true;
    complete(*own, start, message.header);
    return true;
  }
  std::unique_lock lock(state_mutex_);
  Call* call = find(start.id);
  if (call == nullptr || call->step == Call::Step::done) {
    // Cancelled or timed out: nobody waits for it any more.
    lock.unlock();
    receiver_.consume();
    return false;
  }
  call->reply = *body;
  cdr::WireFormat format = call->arguments.format();
  format.giop_minor = message.header->minor;
  format.order = message.header->order;
  call->reply.set_format(format);
  // The bytes do not move, nor do the restarts. From here on they are the caller's, as its results will be.
  Receiver::Detached taken = receiver_.detach(call->restarts);
  call->reply_bytes = std::move(taken.bytes);
  if (options_.memory) options_.memory->give(taken.counted);
  complete(*call, start, message.header);
  call->step = Call::Step::done;
  if (call->waiter != nullptr) static_cast<Waiter*>(call->waiter)->woken.notify_one();
  return false;
}

void Connection::complete(Call& call, const ReplyStart& start, const CheckedHeader& header) noexcept {
  call.status = start.status;
  if (!Session::reply_fits(call.minor, header))
    call.failure = errors::unexpected_message.with(Completion::maybe);
  if (header->type == MessageType::reply && start.status == protocol::ReplyStatus::needs_addressing_mode) {
    call.wanted_addressing = static_cast<std::uint16_t>(read_addressing(call.reply));
  }
}

Result<protocol::LocateStatus> Connection::locate(const protocol::Target& target, Deadline deadline,
                                                  ior::Ior& forward) {
  Call call;
  call.deadline = deadline;
  call.has_arguments = false;
  const Status begun = begin(call, target);
  if (!begun) return begun.error();
  struct Ender {
    Connection& connection;
    Call& call;
    ~Ender() { connection.end(call); }
  } ender{*this, call};
  call.arguments.reset(call.arguments.format());
  TargetOut out;
  out.key = target.object_key;
  write_locate_request(call.arguments, call.request_id, out);
  call.has_code_sets = false;
  const SendOutcome sent = transmit(call.arguments, MessageType::locate_request, call.minor, deadline);
  if (sent.sent != Sent::all) {
    if (sent.sent == Sent::part || !sent.timed_out) lose(Ending::lost);
    return sent.timed_out ? errors::send_timed_out : errors::connection_lost;
  }
  const Status replied = await_reply(call);
  if (!replied) return replied.error();
  switch (static_cast<LocateStatus>(call.status)) {
    case LocateStatus::unknown_object: return protocol::LocateStatus::unknown_object;
    case LocateStatus::object_here: return protocol::LocateStatus::object_here;
    case LocateStatus::object_forward:
    case LocateStatus::object_forward_perm: {
      ior::read_ior(call.reply, forward);
      if (!call.reply.good()) return call.reply.error();
      return call.status == static_cast<protocol::ReplyStatus>(LocateStatus::object_forward)
                 ? protocol::LocateStatus::object_forward
                 : protocol::LocateStatus::object_forward_perm;
    }
    case LocateStatus::system_exception: return read_system_exception(call.reply).error;
    case LocateStatus::needs_addressing_mode: break;
  }
  return errors::unexpected_message;
}

void Connection::lose(Ending ending) noexcept {
  usable_.store(false, std::memory_order_release);
  {
    std::lock_guard lock(state_mutex_);
    if (ending == Ending::lost) session_.lost();
    fail_calls();
  }
  transport_->shut_down();
}

void Connection::fail_calls() noexcept {
  for (Call* call : calls_) {
    for (; call != nullptr; call = call->next) {
      if (call->step == Call::Step::done || call->reads) continue;
      // A call that is not sent yet learns that from its own send.
      call->failure = session_.outcome(true);
      call->step = Call::Step::done;
      if (call->waiter != nullptr) static_cast<Waiter*>(call->waiter)->woken.notify_one();
    }
  }
}

}  // namespace tenon::giop
