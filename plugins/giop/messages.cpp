// SPDX-License-Identifier: Apache-2.0
//
// What both halves of a connection share: sending whole messages, admitting what comes in, and ending.
#include "connection.hpp"

#include <algorithm>
#include <chrono>

#include "base/log.hpp"
#include "base/minor_codes.hpp"
#include "giop/control.hpp"

namespace tenon::giop {

namespace {

std::chrono::steady_clock::time_point time_point(Deadline deadline) noexcept {
  return std::chrono::steady_clock::time_point(std::chrono::nanoseconds(deadline.ns()));
}

}  // namespace

Connection::SendOutcome Connection::transmit(cdr::Writer& message, MessageType type, std::uint8_t minor,
                                             Deadline deadline) {
  const std::size_t total = message.size();
  std::unique_lock lock(send_mutex_, std::defer_lock);
  if (deadline.is_never()) [[likely]] {
    lock.lock();
  } else if (!lock.try_lock_until(time_point(deadline))) {
    return {Sent::nothing, true};
  }
  if (!usable()) [[unlikely]]
    return {Sent::nothing, false};
  if (!message.contiguous() || Fragmenter::wanted(type, minor, total, options_.limits.fragment_above))
      [[unlikely]]
    return transmit_pieces(message, type, minor, deadline);
  cdr::Piece piece{message.bytes().data(), total};
  const protocol::Transfer moved = transport_->send({&piece, 1}, deadline);
  if (moved.result == protocol::Io::ok && moved.bytes == total) [[likely]]
    return {Sent::all, false};
  return go_on(moved, {&piece, 1}, deadline);
}

/// A message that is not in one piece, or shall not stay so.
Connection::SendOutcome Connection::transmit_pieces(cdr::Writer& message, MessageType type,
                                                    std::uint8_t minor, Deadline deadline) {
  std::vector<cdr::Piece> pieces;
  message.gather(pieces);
  if (!Fragmenter::wanted(type, minor, message.size(), options_.limits.fragment_above))
    return transmit(pieces, deadline);
  Fragmenter fragmenter(pieces, options_.limits.fragment_above);
  std::vector<cdr::Piece> fragment;
  for (bool first = true; fragmenter.next(fragment); first = false) {
    SendOutcome sent = transmit(fragment, deadline);
    if (sent.sent == Sent::all) continue;
    if (!first) sent.sent = Sent::part;
    return sent;
  }
  return {Sent::all, false};
}

Connection::SendOutcome Connection::transmit(std::span<cdr::Piece> pieces, Deadline deadline) {
  return go_on(transport_->send(pieces, deadline), pieces, deadline);
}

/// After a first send of these pieces: sends what it left.
Connection::SendOutcome Connection::go_on(protocol::Transfer moved, std::span<cdr::Piece> pieces,
                                          Deadline deadline) {
  for (bool begun = false;; moved = transport_->send(pieces, deadline)) {
    if (moved.result != protocol::Io::ok) {
      return {begun ? Sent::part : Sent::nothing, moved.result == protocol::Io::timed_out};
    }
    begun = true;
    std::size_t left = moved.bytes;
    while (!pieces.empty() && left >= pieces.front().size) {
      left -= pieces.front().size;
      pieces = pieces.subspan(1);
    }
    if (pieces.empty()) return {Sent::all, false};
    pieces.front().data += left;
    pieces.front().size -= left;
  }
}

void Connection::send_control(ByteView message, bool hurried) noexcept {
  // Says something only to a peer that listens: a control message must not hold anybody up.
  const Deadline deadline = Deadline::after_ms(100);
  std::unique_lock lock(send_mutex_, std::defer_lock);
  if (!(hurried ? lock.try_lock() : lock.try_lock_until(time_point(deadline))) || !usable()) return;
  cdr::Piece piece{message.data(), message.size()};
  const SendOutcome sent = transmit({&piece, 1}, deadline);
  if (sent.sent == Sent::part) usable_.store(false, std::memory_order_release);
}

bool Connection::admit_other(const CheckedHeader& header) noexcept {
  Status received;
  bool open = true;
  {
    std::lock_guard lock(state_mutex_);
    received = session_.received(header);
    open = session_.open();
    if (received && open && header->type == usual_type_) admitted_minor_ = header->minor;
    if (received && header->type == MessageType::request)
      server_format_ = session_.server_format(header->minor);
    if (received && !open) {
      usable_.store(false, std::memory_order_release);
      fail_calls();
    }
  }
  if (!received) {
    malformed();
    return false;
  }
  if (!open) {
    transport_->shut_down();
    return false;
  }
  return true;
}

/// The peer sent what it may not: says so, and ends.
void Connection::malformed() noexcept {
  if (log_enabled(LogLevel::warning)) {
    log(LogLevel::warning, "giop", "malformed or forbidden message from " + transport_->peer());
  }
  send_control(message_error(std::min(options_.highest_minor, highest_minor)));
  lose(Ending::lost);
}

void Connection::close() noexcept {
  if (closing_.exchange(true)) return;
  // Requests that run are answered first; the last one closes (Incoming::~Incoming).
  if (running_.load() == 0) finish_close();
}

void Connection::finish_close() noexcept {
  if (closed_.exchange(true)) return;
  bool says_so = false;
  std::uint8_t minor = 0;
  {
    std::lock_guard lock(state_mutex_);
    says_so = session_.closing();
    minor = session_.highest_used();
    fail_calls();
  }
  if (says_so) send_control(close_connection(minor));
  usable_.store(false, std::memory_order_release);
  transport_->shut_down();
}

void Connection::abort() noexcept { lose(Ending::lost); }

}  // namespace tenon::giop
