// SPDX-License-Identifier: Apache-2.0
//
// Messages that are sent in fragments, most of them while they are being written. All of it is reached through Outbox::Cutting.
#include "base/minor_codes.hpp"
#include "calling_connection.hpp"
#include "giop.hpp"
#include "giop/control.hpp"
#include "incoming.hpp"

namespace tenon::giop {

// --- with the gate ---

Outbox::Outcome Outbox::send_rest(cdr::Writer& message, Deadline deadline) {
  Fragmenter fragmenter(message, fragment_above_);
  Outcome outcome = send_fragments(fragmenter, deadline);
  if (outcome.sent == Sent::nothing && message.in_parts()) outcome.sent = Sent::part;
  message.send_parts_to(nullptr);
  return outcome;
}

Outbox::Outcome Outbox::send_fragments(Fragmenter& fragmenter, Deadline deadline) {
  cdr::Piece pieces[most_pieces];
  Outcome outcome;
  for (bool first = true; outcome.sent == Sent::all; first = false) {
    const std::size_t count = fragmenter.next(pieces);
    if (count == 0) break;
    outcome = send_pieces({pieces, count}, deadline);
    if (outcome.sent == Sent::nothing && !first) outcome.sent = Sent::part;
  }
  return outcome;
}

Outbox::Outcome Outbox::send_part(std::span<const cdr::Piece> part, bool more, Deadline deadline) {
  if (!gate_.lock_by(deadline)) return {Sent::nothing, true};
  const GateHold hold(*this);
  if (!life_.usable()) return {Sent::nothing};
  Fragmenter fragmenter(part, fragment_above_, more);
  return send_fragments(fragmenter, deadline);
}

// --- requests ---

Status RequestInParts::take(std::span<const cdr::Piece> part) noexcept {
  write_fragment_start(start(), part.front().data);
  return connection_.send_part(call_, part);
}

Status CallingConnection::send_part(Call& call, std::span<const cdr::Piece> part) noexcept {
  const Outbox::Outcome sent = outbox_.send_part(part, true, call.out().spec.deadline);
  return sent.sent == Outbox::Sent::all ? Status() : sent_or_lost(call, sent);
}

/// The peer has parts of a request whose rest could not be written or sent: it is told to forget them (§9.4.9).
void CallingConnection::take_back(const Call& call) noexcept {
  if (usable() && outbox_.send_control(cancel_request(call.request_id, call.minor)).sent != Outbox::Sent::all)
    send_failed(0);
}

// --- replies ---

cdr::Writer& Incoming::new_writer_in_parts() {
  ReplyInPartsOwner& made = apart_ ? apart_->in_parts : connection_->spare_in_parts_;
  if (!made) {
    made = {new ReplyInParts(connection_->outbox_.fragment_size()), [](ReplyInParts* old) { delete old; }};
    connection_->prepare(made->writer);
  }
  made->request = this;
  made->writer.reset(format_, 0, 1024);
  made->writer.send_parts_to(format_.giop_minor >= 2 ? made.get() : nullptr);
  return made->writer;
}

Status ReplyInParts::take(std::span<const cdr::Piece> part) noexcept {
  write_fragment_start(start(), part.front().data);
  return request->send_part(part);
}

Status Incoming::send_part(std::span<const cdr::Piece> part) noexcept {
  if (!response_expected || replied_) return {};  // what is written is dropped
  if (connection_->outbox_.send_part(part, true, Deadline::never()).sent == Outbox::Sent::all) return {};
  connection_->lose(Ending::lost);
  return errors::connection_lost;
}

/// A reply that has failed after parts of it were sent: ends it, so that the peer finds out that results are missing.
void Incoming::cut_off() noexcept {
  ReplyInParts* const reply = apart_ ? apart_->in_parts.get() : connection_->spare_in_parts_.get();
  if (reply == nullptr || reply->taken() == 0 || !response_expected) return;
  note(LogLevel::warning,
       {"the reply to '", operation,
        "' failed after some of it had been sent (-ORBFragmentAbove): ", describe(reply->writer.error())});
  const cdr::Piece end{reply->start(), cdr::PartSink::start_size};
  if (connection_->outbox_.send_part({&end, 1}, false, Deadline::never()).sent != Outbox::Sent::all)
    connection_->lose(Ending::lost);
}

// --- all of it ---

struct InFragments {
  static void begin_request(CallingConnection& connection, Call& call, std::size_t fragment) noexcept {
    call.out().arguments->send_parts_to(new (call.sharing->in_parts)
                                            RequestInParts(connection, call, fragment));
  }
  static constexpr Outbox::Cutting all() noexcept {
    return {&Outbox::send_rest, begin_request, &CallingConnection::take_back, &Incoming::new_writer_in_parts,
            &Incoming::cut_off};
  }
};

namespace {
constexpr Outbox::Cutting in_fragments = InFragments::all();
}  // namespace

void enable_fragments() noexcept { Outbox::enabled_cutting.store(&in_fragments); }

}  // namespace tenon::giop
