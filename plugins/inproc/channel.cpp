// SPDX-License-Identifier: Apache-2.0
#include "plugins/inproc/channel.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace tenon::inproc {

using cdr::Gathered;
using protocol::Io;
using protocol::Transfer;

namespace {

Deadline end_of_wait(Deadline deadline, std::uint32_t usual_ms) noexcept {
  return deadline.is_never() && usual_ms != 0 ? Deadline::after_ms(usual_ms) : deadline;
}

}  // namespace

Channel::Channel(std::size_t most, std::optional<std::uint32_t> spin_us) noexcept
    : most_(most), spins_(spin_us.has_value()), spin_(std::int64_t{spin_us.value_or(0)} * 1000) {}

// --- sending ---

Transfer Channel::send(std::span<const cdr::Piece> gather, Deadline deadline,
                       std::uint32_t usual_ms) noexcept {
  Gathered message(gather);
  const std::size_t size = message.left();
  const LockGuard lock(mutex_);
  if (over()) return {Io::failed, 0, EPIPE};
  if (size == 0) return {};
  const std::size_t room = room_for(size);
  const bool now = deadline.is_immediate();
  if (room == size || (now && room != 0)) {
    const std::size_t kept = keep(message, room);
    tell_receiver();
    return {Io::ok, kept, 0};
  }
  return lend(message, size, now ? Deadline::after_ns(no_room_pause_ns) : end_of_wait(deadline, usual_ms));
}

/// How many octets more, as far as there is room for them at the end, can be kept.
std::size_t Channel::room_for(std::size_t octets) noexcept {
  // What is left moves to the front now and then, but not for a little room.
  if (end_ + octets > most_ && begin_ != 0 && begin_ >= most_ / 4) {
    std::memmove(kept_.data(), kept_.data() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
  }
  const std::size_t wanted = std::min(octets, most_ - end_);
  if (end_ + wanted > kept_.capacity() &&
      !kept_.grow(std::min(most_, std::max(end_ + wanted, 2 * kept_.capacity())), 0, end_))
    return std::min(wanted, kept_.capacity() - end_);
  return wanted;
}

std::size_t Channel::keep(Gathered& message, std::size_t octets) noexcept {
  std::size_t moved = 0;
  while (moved != octets && !message.at_end()) {
    const ByteView next = message.next();
    const std::size_t count = std::min(next.size(), octets - moved);
    std::memcpy(kept_.data() + end_ + moved, next.data(), count);
    message.advance(count);
    moved += count;
  }
  end_ += moved;
  return moved;
}

/// Waits until the receiver has taken the whole message.
Transfer Channel::lend(Gathered& message, std::size_t size, Deadline end) noexcept {
  lent_ = &message;
  tell_receiver();
  bool in_time = true;
  while (lent_ != nullptr && !over() && in_time) in_time = taken_.wait_until(mutex_, end);
  std::size_t left = 0;
  if (lent_ != nullptr) {
    lent_ = nullptr;
    // The receiver may have been told of input, so some stays.
    left = message.left();
    if (!over()) left -= keep(message, room_for(left));
    if (waiting_ == 0) settle();
  }
  if (left != size) return {Io::ok, size - left, 0};
  return over() ? Transfer{Io::failed, 0, EPIPE} : Transfer{Io::timed_out, 0, 0};
}

/// After something has come.
void Channel::tell_receiver() noexcept {
  has_input_.store(true, std::memory_order_release);
  if (waiting_ == 0) return settle();
  came_.notify_all();
}

// --- receiving ---

Transfer Channel::receive(MutableBytes into, Deadline deadline, std::uint32_t usual_ms) noexcept {
  LockGuard lock(mutex_);
  if (!some() && !over() && !deadline.is_immediate()) await_input(deadline, usual_ms, spins_);
  std::size_t moved = take(into);
  while (moved != into.size() && some()) {
    lock.unlock();
    lock.lock();
    moved += take(into.subspan(moved));
  }
  // A poller that watches for changes has been told of the octets, and is yet to be told of the end behind them.
  if (moved != 0 && over()) event_.set(false);
  settle();
  if (moved != 0 || some()) return {Io::ok, moved, 0};
  if (receiving_over_) return {Io::failed, 0, ESHUTDOWN};
  return {sending_over_ ? Io::closed : Io::timed_out, 0, 0};
}

std::size_t Channel::take(MutableBytes into) noexcept {
  std::size_t moved = std::min(into.size(), end_ - begin_);
  if (moved != 0) std::memcpy(into.data(), kept_.data() + begin_, moved);
  begin_ += moved;
  if (begin_ == end_) begin_ = end_ = 0;
  const std::size_t most = std::min(into.size(), part);
  while (lent_ != nullptr && begin_ == end_ && moved < most) {
    const ByteView next = lent_->next();
    const std::size_t count = std::min(next.size(), most - moved);
    std::memcpy(into.data() + moved, next.data(), count);
    lent_->advance(count);
    moved += count;
    if (!lent_->at_end()) continue;
    lent_ = nullptr;
    taken_.notify_one();
  }
  return moved;
}

/// Until there is input, or the end.
void Channel::await_input(Deadline deadline, std::uint32_t usual_ms, bool spins) noexcept {
  ++waiting_;
  if (spins) {
    mutex_.unlock();
    static_cast<void>(
        spin_.until([this] { return has_input() || ended_.load(std::memory_order_acquire); }, deadline));
    mutex_.lock();
  }
  if (!some() && !over()) {
    const Deadline end = end_of_wait(deadline, usual_ms);
    while (!some() && !over() && came_.wait_until(mutex_, end)) {}
  }
  --waiting_;
}

bool Channel::wait(Deadline deadline, std::uint32_t usual_ms) noexcept {
  const LockGuard lock(mutex_);
  // Another thread may be receiving meanwhile, and it is the one that spins.
  if (!some() && !over() && !deadline.is_immediate()) await_input(deadline, usual_ms, false);
  settle();
  return some() || over();
}

// --- pollers ---

int Channel::descriptor() noexcept {
  const LockGuard lock(mutex_);
  const int fd = event_.descriptor();
  settle();
  return fd;
}

/// Makes what others look at without the lock as it should be.
void Channel::settle() noexcept {
  has_input_.store(some(), std::memory_order_release);
  event_.set(some() || over());
}

// --- the end ---

void Channel::end_sending() noexcept {
  const LockGuard lock(mutex_);
  sending_over_ = true;
  tell_end();
}

void Channel::end_receiving() noexcept {
  const LockGuard lock(mutex_);
  receiving_over_ = true;
  tell_end();
}

void Channel::let_go() noexcept {
  const LockGuard lock(mutex_);
  event_.close();
  kept_.release();
  begin_ = end_ = 0;
}

void Channel::tell_end() noexcept {
  ended_.store(true, std::memory_order_release);
  came_.notify_all();
  taken_.notify_all();
  settle();
}

}  // namespace tenon::inproc
