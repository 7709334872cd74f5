// SPDX-License-Identifier: Apache-2.0
#include "tests/conformance/torture/connection.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace tenon::torture {

using protocol::Io;
using protocol::Transfer;

void Faults::set(Fault fault, std::uint64_t bytes) {
  const LockGuard lock(mutex_);
  fault_ = fault;
  left_ = bytes;
}

Faults::Grant Faults::take(std::size_t most) {
  const LockGuard lock(mutex_);
  if (fault_ == Fault::none) return {most, Fault::none};
  const std::size_t granted = static_cast<std::size_t>(std::min<std::uint64_t>(most, left_));
  left_ -= granted;
  return {granted, fault_};
}

void Faults::give_back(std::size_t bytes) {
  const LockGuard lock(mutex_);
  left_ += bytes;
}

Connection::Connection(std::shared_ptr<Link> link, Side side, Settings settings,
                       std::shared_ptr<Faults> faults, std::string name)
    : link_(std::move(link)),
      out_(side == Side::connector ? link_->to_acceptor : link_->to_connector),
      in_(side == Side::connector ? link_->to_connector : link_->to_acceptor),
      settings_(settings),
      faults_(std::move(faults)),
      name_(std::move(name)),
      send_chance_(settings.seed),
      receive_chance_(settings.seed + 1) {}

Transfer Connection::send(std::span<const cdr::Piece> gather, Deadline deadline) {
  const Faults::Grant grant = faults_->take(some(send_chance_, settings_.most_written));
  if (grant.bytes == 0) {
    if (grant.fault == Fault::time_out) return {Io::timed_out, 0, 0};
    link_->to_acceptor.break_off();
    link_->to_connector.break_off();
    return {Io::failed, 0, ECONNRESET};
  }
  const Transfer sent = out_.write(gather, grant.bytes, effective(deadline, send_ms_));
  if (grant.fault != Fault::none) faults_->give_back(grant.bytes - sent.bytes);
  return sent;
}

Transfer Connection::receive(MutableBytes into, Deadline deadline) {
  if (held_ != 0) return {Io::lent, 0, 0};
  const std::size_t most = std::min(into.size(), some(receive_chance_, settings_.most_read));
  const Transfer came = in_.peek(into.first(most), effective(deadline, receive_ms_));
  if (came.result == Io::ok && settings_.lends && receive_chance_() % 2 == 0) return {Io::lent, 0, 0};
  in_.drop(came.bytes);
  return came;
}

Transfer Connection::lend(ByteView& view, Deadline deadline) {
  if (!settings_.lends) return Transport::lend(view, deadline);
  if (held_ == view.size() && held_ < lendable()) {
    std::vector<std::uint8_t> bytes(std::min(some(receive_chance_, settings_.most_read), lendable() - held_));
    const Transfer came = in_.peek(bytes, effective(deadline, receive_ms_));
    if (came.result != Io::ok) return came;
    in_.drop(came.bytes);
    hold(held(), ByteView(bytes).first(came.bytes));
  }
  view = held();
  return {Io::ok, held_, 0};
}

/// Holds both, somewhere else than before.
void Connection::hold(ByteView before, ByteView after) {
  Buffer moved = Buffer::acquire(before.size() + after.size());
  held_ = before.size() + after.size();
  std::uint8_t* const at = moved.data() + moved.capacity() - held_;
  std::copy(before.begin(), before.end(), at);
  std::copy(after.begin(), after.end(), at + before.size());
  // Spoiled before it is freed, so that who reads on without a sanitizer gets wrong octets at least.
  if (lent_) std::fill_n(lent_.data() + lent_.capacity() - before.size(), before.size(), std::uint8_t{0xDD});
  lent_ = std::move(moved);
}

bool Connection::release(std::size_t used) noexcept {
  hold(held().subspan(used), {});
  return held_ != 0;
}

Buffer Connection::keep(std::size_t used) noexcept {
  const std::vector<std::uint8_t> rest(held().begin() + static_cast<std::ptrdiff_t>(used), held().end());
  Buffer kept = std::move(lent_);
  held_ = 0;
  hold(rest, {});
  return kept;
}

void Connection::set_timeouts(std::uint32_t send_ms, std::uint32_t receive_ms) {
  send_ms_ = send_ms;
  receive_ms_ = receive_ms;
}

void Connection::shut_down() noexcept {
  out_.close();
  in_.close_reading();
}

}  // namespace tenon::torture
