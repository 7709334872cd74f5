// SPDX-License-Identifier: Apache-2.0
//
// Calls whose thread waits: beginning a call, sending it, waiting for its reply, and what happens to calls when the connection ends.
#include "calling_connection.hpp"

#include <chrono>
#include <utility>

#include "base/log.hpp"
#include "base/minor_codes.hpp"
#include "giop/control.hpp"
#include "giop/locate.hpp"

namespace tenon::giop {

CallingConnection::CallingConnection(std::unique_ptr<protocol::Transport> transport, protocol::Role role,
                                     const protocol::MessagingOptions& options,
                                     const Receiver::LargeRequests* large, protocol::ConnectionClock* clock,
                                     Outbox::Input* input)
    : Connection(std::move(transport), role, options, large, input),
      calls_(*this, side_, requests_come_in(), clock) {
  prepare(alone_writer_);
}

Status CallingConnection::begin(protocol::OutgoingCall& out, const protocol::Target& target) {
  Call& call = out.make<Call>();
  if (!begin_alone(call, target)) [[unlikely]] {
    look_if_resting();
    if (const Status begun = begin_sharing(call, target); !begun) return begun;
  }
  write_request_header(call, target);
  return {};
}

/// False: others are in flight, or there is something to agree on.
inline bool CallingConnection::begin_alone(Call& call, const protocol::Target& target) noexcept {
  const Settled* const settled = settled_.load(std::memory_order_acquire);
  if (settled == nullptr || settled->profile_minor != target.minor ||
      (settled == &settlements_[0] && target.code_sets != nullptr)) [[unlikely]]
    return false;
  if (!calls_.begin_alone(call)) return false;
  call.minor = settled->minor;
  call.out().arguments = &alone_writer_;
  if (settled == alone_settled_) [[likely]] {
    alone_writer_.restart(1024);
  } else {
    alone_settled_ = settled;
    alone_writer_.reset(settled->format, 0, 1024);
  }
  return true;
}

Status CallingConnection::begin_sharing(Call& call, const protocol::Target& target, protocol::Sink* sink) {
  cdr::WireFormat format;
  {
    const LockGuard lock(state_mutex_);
    if (!session_.open() || !usable()) return session_.outcome(false);
    call.minor = session_.request_minor(target.minor);
    session_.sent(call.minor);
    if (const Status agreed = session_.use_code_sets(target.code_sets); !agreed) return agreed;
    call.own_contexts = own_contexts(call.minor);
    if (call.own_contexts == 0) note_settled(target, call.minor);
    format = session_.client_format(call.minor);
  }
  call.out().arguments = &call.share().arguments;
  prepare(*call.out().arguments);
  call.out().arguments->reset(format, 0, 1024);
  if (const std::size_t fragment = outbox_.fragment_size(); fragment != 0 && call.minor >= 2) [[unlikely]]
    outbox_.cutting()->begin_request(*this, call, fragment);
  switch (calls_.add(call, sink)) {
    case CallTable::Added::yes: break;
    case CallTable::Added::taken: return errors::connection_taken.with(Completion::no);
    case CallTable::Added::ended: {
      const LockGuard lock(state_mutex_);
      return session_.outcome(false);
    }
  }
  return {};
}

/// Service contexts that the connection has yet to send: the code sets, and the addresses at which this process listens.
std::uint8_t CallingConnection::own_contexts(std::uint8_t minor) const noexcept {
  std::uint8_t own = session_.wants_code_sets_context(minor) ? carries_code_sets : 0;
  if (offers_ && !has_offered_ && minor >= 2) own |= carries_listen_points;
  return own;
}

void CallingConnection::own_contexts_sent(std::uint8_t which) noexcept {
  if ((which & carries_code_sets) != 0) session_.code_sets_context_sent();
  if ((which & carries_listen_points) != 0) has_offered_ = true;
}

void CallingConnection::note_settled(const protocol::Target& target, std::uint8_t minor) noexcept {
  if (outbox_.fragment_size() != 0)
    return;  // no call is alone then: each needs room of its own to send in parts
  Settled& place = settlements_[session_.code_sets_chosen() ? 1 : 0];
  const Settled* const known = settled_.load(std::memory_order_relaxed);
  if (known == &place || known == &settlements_[1]) return;
  place = {target.minor, minor, session_.client_format(minor)};
  settled_.store(&place, std::memory_order_release);
}

[[gnu::always_inline]] inline void CallingConnection::write_request_header(Call& call,
                                                                           const protocol::Target& target) {
  if (call.own_contexts != 0 || !call.out().spec.contexts.empty() || target.addressing != 0 || call.minor < 2)
      [[unlikely]]
    return write_full_request_header(call, target);
  begin_plain_request(*call.out().arguments,
                      {call.request_id, response_of(call), target.object_key, call.out().spec.operation},
                      call.out().spec.has_arguments);
}

Status CallingConnection::invoke(protocol::OutgoingCall& out) {
  Call& call = Call::of(out);
  cdr::Writer& message = *out.arguments;
  finish_message(message);
  if (!message.good()) [[unlikely]] {
    out.completed = Completion::no;
    return message.error();
  }
  Outbox::Outcome sent;
  if (!outbox_.send_if(calls_, sent, message, MessageType::request, call.minor, out.spec.deadline,
                       options_.limits, call.end_ns)) [[unlikely]]
    sent = send_beside_others(call, MessageType::request, out.spec.deadline);
  if (sent.sent != Outbox::Sent::all || call.own_contexts != 0) [[unlikely]]
    return go_on_invoking(call, sent);
  return await_reply(call, out.spec.reply_by);
}

/// After sending that was not as usual.
Status CallingConnection::go_on_invoking(Call& call, Outbox::Outcome sent) {
  Deadline reply_by = call.out().spec.reply_by;
  if (sent.sent == Outbox::Sent::late) {
    sent.sent = Outbox::Sent::all;
    // Where sending took next to no time, the transport's own time-out counts, since a deadline would cost a system call.
    const Deadline end = Deadline::at(call.end_ns);
    const std::int64_t all_ns = std::int64_t{options_.limits.receive_timeout_ms} * 1'000'000;
    if (end.remaining_ns() < all_ns - all_ns / 64) reply_by = end;
  }
  if (const Status on_its_way = sent_or_lost(call, sent); !on_its_way) return on_its_way;
  return await_reply(call, reply_by);
}

/// The peer may take this message only after others' replies have been read: the call does not keep the right to read meanwhile.
Outbox::Outcome CallingConnection::send_beside_others(Call& call, MessageType type, Deadline deadline) {
  if (call.reads) {
    call.share();
    calls_.join(call);
  }
  return outbox_.send(*call.out().arguments, type, call.minor, deadline);
}

/// What the caller of a request is told about sending it.
Status CallingConnection::sent_or_lost(Call& call, const Outbox::Outcome& sent) noexcept {
  if (sent.sent != Outbox::Sent::all) {
    // A request of which a part went out was not executed, but the stream is out of step.
    if (sent.sent == Outbox::Sent::part || !sent.timed_out) send_failed(sent.os_error);
    call.out().completed = Completion::no;
    return sent.timed_out ? errors::send_timed_out : errors::connection_lost;
  }
  if (call.own_contexts != 0) {
    const LockGuard lock(state_mutex_);
    own_contexts_sent(call.own_contexts);
  }
  return {};
}

Status CallingConnection::finish_oneway(protocol::OutgoingCall& out) {
  cdr::Writer& message = *out.arguments;
  finish_message(message);
  if (!message.good()) {
    out.completed = Completion::no;
    return message.error();
  }
  calls_.count_oneway();
  return {};
}

Status CallingConnection::post(protocol::OutgoingCall& out) {
  if (const Status finished = finish_oneway(out); !finished) return finished;
  Call& call = Call::of(out);
  return sent_or_lost(call,
                      outbox_.send(*out.arguments, MessageType::request, call.minor, out.spec.deadline));
}

inline Status CallingConnection::await_reply(Call& call, Deadline reply_by) {
  call.out().completed = Completion::maybe;
  if (!call.reads) {
    const Status waited = wait_for_reader(call, reply_by);
    if (!waited) return waited;
    if (call.sharing->step == Call::Step::done) {
      if (call.out().failure) return call.out().failure;
      call.out().completed = Completion::yes;
      return {};
    }
  }
  const Status read = read_own_reply(call, reply_by);
  if (read) [[likely]]
    call.out().completed = Completion::yes;
  return read;
}

/// Waits until another thread has handed over the reply, or this call is the one to read.
Status CallingConnection::wait_for_reader(Call& call, Deadline reply_by) {
  const std::uint32_t default_ms = options_.limits.receive_timeout_ms;
  const Deadline deadline =
      reply_by.is_never() && default_ms != 0 ? Deadline::after_ms(default_ms) : reply_by;
  if (calls_.wait(call, deadline, late_after_ns()) != CallTable::Waited::timed_out) return {};
  watch_by(calls_.late_by());
  calls_.attend_to_late_replies();
  return errors::reply_timed_out.with(Completion::maybe);
}

Status CallingConnection::read_own_reply(Call& call, Deadline deadline) {
  while (true) {
    const Arrival arrival = receiver_.next(deadline);
    if (arrival != Arrival::message) [[unlikely]]
      return no_message(arrival, call);
    const Message& message = receiver_.message();
    if (!admit(message.header)) [[unlikely]] {
      receiver_.consume();
      return no_message(Arrival::message, call);
    }
    if (message.header->type == MessageType::reply || message.header->type == MessageType::locate_reply) {
      if (take_plain_reply(message, call)) [[likely]]
        return {};
      if (take_reply(message, &call)) return call.out().failure;
    } else {
      receiver_.consume();
    }
    // Replies to other calls must not put off the time-out of this one.
    if (deadline.is_never() && options_.limits.receive_timeout_ms != 0) {
      deadline = Deadline::after_ms(options_.limits.receive_timeout_ms);
    }
  }
}

/// The call that reads gets no reply: nothing came in time, or the connection has ended. `message`: one that ended it.
Status CallingConnection::no_message(Arrival arrival, Call& call) {
  switch (arrival) {
    case Arrival::timed_out:
      receiver_.discard_reply(call.request_id);
      // A peer that stops in the middle of a message for the usual time is gone. Within a caller's shorter deadline that is not certain.
      if (call.out().spec.reply_by.is_never() && !receiver_.between_messages()) lose(Ending::lost);
      watch_unfinished();
      calls_.give_up(late_after_ns());
      watch_by(calls_.late_by());
      return errors::reply_timed_out.with(Completion::maybe);
    case Arrival::stalled: lose(Ending::stalled); break;
    case Arrival::ended: lose(Ending::lost, receiver_.os_error()); break;
    case Arrival::malformed:
    case Arrival::too_large: malformed(); break;
    case Arrival::message: break;
  }
  const LockGuard lock(state_mutex_);
  const Error failure = session_.outcome(true);
  call.out().completed = failure.completed;
  return failure;
}

void CallingConnection::end(protocol::OutgoingCall& out) noexcept {
  Call& call = Call::of(out);
  if (call.holds_reply) {
    receiver_.consume();
    call.holds_reply = false;
  }
  if (!call.alone) [[unlikely]] {
    if (call.sharing->arguments.in_parts()) [[unlikely]]
      (this->*outbox_.cutting()->take_back)(call);
    if (call.out().arguments == &alone_writer_) forget_alone_message();
    return calls_.end(call);
  }
  forget_alone_message();
  if (!calls_.end_alone(call)) [[unlikely]]
    calls_.end(call);
}

CallingConnection::ReplyStart CallingConnection::start_reply(const Message& message, cdr::WireFormat format,
                                                             std::optional<cdr::Reader>& body) noexcept {
  const CheckedHeader& header = message.header;
  format.giop_minor = header->minor;
  format.order = header->order;
  body.emplace(message.body, format, body_phase, message.restarts);
  if (header->type == MessageType::locate_reply) {
    LocateReplyHeader head;
    const Status read = read_locate_reply(*body, head);
    return {head.request_id, static_cast<protocol::ReplyStatus>(head.status), read};
  }
  ReplyHeader head;
  const Status read = read_reply(*body, head);
  return {head.request_id, static_cast<protocol::ReplyStatus>(head.status), read, head.contexts};
}

/// The reply that nearly always comes: the call's own, without service contexts, read where the call wants it. False: any other.
inline bool CallingConnection::take_plain_reply(const Message& message, Call& call) noexcept {
  std::uint32_t id = 0;
  ReplyStatus status{};
  if (message.header->type != MessageType::reply || !message.header.plain() || call.minor < 2 ||
      !read_plain_reply(message.body, id, status) || id != call.request_id ||
      status == ReplyStatus::needs_addressing_mode) [[unlikely]]
    return false;
  // A reply has the code sets of its request, even if later requests on this connection have agreed on others.
  call.out().reply.emplace(message.body.subspan(plain_reply_header_size), call.out().arguments->format());
  call.holds_reply = true;
  call.out().status = static_cast<protocol::ReplyStatus>(status);
  return true;
}

bool CallingConnection::take_reply(const Message& message, Call* own) {
  std::optional<cdr::Reader> body;
  const ReplyStart start =
      start_reply(message, own != nullptr ? own->out().arguments->format() : cdr::WireFormat(), body);
  if (!start.read) {
    receiver_.consume();
    malformed();
    return false;
  }
  if (own != nullptr && own->request_id == start.id) {
    own->out().reply.emplace(*body);
    own->holds_reply = true;
    complete(*own, start, message.header);
    return true;
  }
  const bool delivered = calls_.deliver(start.id, [&](Call& call) {
    Call::Sharing& sharing = *call.sharing;
    cdr::WireFormat format = call.out().arguments->format();
    format.giop_minor = message.header->minor;
    format.order = message.header->order;
    body->set_format(format);
    call.out().reply.emplace(*body);
    // The bytes do not move, nor do the restarts. From here on they are the caller's, as its results will be.
    Receiver::Detached taken = receiver_.detach(sharing.restarts);
    sharing.reply_bytes = std::move(taken.bytes);
    if (taken.counted != 0) receiver_.memory().give(taken.counted);
    complete(call, start, message.header);
  });
  if (!delivered) receiver_.consume();
  return false;
}

void CallingConnection::complete(Call& call, const ReplyStart& start, const CheckedHeader& header) noexcept {
  call.out().status = start.status;
  if (!start.contexts.empty())
    call.out().reply_contexts.emplace(start.contexts.size(), *start.contexts.first());
  if (!Session::reply_fits(call.minor, header))
    call.out().failure = errors::unexpected_message.with(Completion::maybe);
  if (header->type == MessageType::reply && start.status == protocol::ReplyStatus::needs_addressing_mode) {
    call.out().wanted_addressing = static_cast<std::uint16_t>(read_addressing(*call.out().reply));
  }
}

void CallingConnection::cancel(protocol::OutgoingCall& out) noexcept {
  const Call& call = Call::of(out);
  if (options_.cancel_requests)
    send_control(cancel_request(call.request_id, call.minor), Outbox::Courtesy::no_wait);
}

std::int64_t CallingConnection::late_after_ns() const noexcept {
  const std::uint32_t usual_ms = options_.limits.receive_timeout_ms;
  return std::int64_t{1'000'000} *
         (usual_ms != 0 ? usual_ms : protocol::ConnectionLimits().receive_timeout_ms);
}

}  // namespace tenon::giop
