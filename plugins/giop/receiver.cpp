// SPDX-License-Identifier: Apache-2.0
//
// Reading whole messages. Memory grows with the bytes that have come, not with what a header claims.
#include "receiver.hpp"

#include <algorithm>
#include <utility>

#include "base/memory.hpp"
#include "giop/request.hpp"

namespace tenon::giop {

namespace {

/// Time that a slow peer gains with each octet: 16 of them in a millisecond are fast enough for any message.
constexpr std::int64_t ns_per_octet = 62'500;

std::size_t most_memory(const protocol::MessagingOptions& options) noexcept {
  return options.limits.memory != 0 ? options.limits.memory : protocol::MemoryBudget::unlimited;
}

}  // namespace

Receiver::Receiver(protocol::Transport& transport, const protocol::MessagingOptions& options,
                   std::uint32_t receive_ms, const LargeRequests* large)
    : transport_(transport),
      large_(large),
      message_timeout_ns_(std::int64_t{options.limits.message_timeout_ms} * 1'000'000),
      usual_ns_(std::int64_t{receive_ms} * 1'000'000),
      largest_(options.limits.largest_message),
      later_ms_(receive_ms == 0 ? options.limits.receive_timeout_ms : 0),
      memory_(most_memory(options), options.memory),
      assembler_({.largest_message = options.limits.largest_message,
                  .memory = most_memory(options),
                  .keep_beginning = large == nullptr ? nullptr : large->keep_beginning}) {}

const Receiver::LargeRequests Receiver::passed_over{&Receiver::drop_rest, Assembler::keep_beginning};

Receiver::~Receiver() {
  if (counted_ != 0) memory_.give(counted_);
}

/// Receives at least one byte towards a message of `total` bytes that starts at begin_.
Arrival Receiver::fill(std::size_t total, Deadline deadline) {
  if (is_lent()) [[unlikely]] {
    const protocol::Transfer more = lend(deadline);
    return more.result == protocol::Io::ok ? Arrival::message : nothing(more);
  }
  // A few bytes of room at the end would make a receive call for little.
  if (bytes_.capacity() - begin_ < total || bytes_.capacity() - end_ < (begin_ != 0 ? least_room : 1))
      [[unlikely]] {
    if (!make_room(total)) return Arrival::malformed;
  }
  // The rest of a large message is read exactly, so that the next one starts at the front; else whatever comes is taken.
  const std::size_t missing = total - (end_ - begin_);
  const std::size_t room =
      std::min(bytes_.capacity() - end_, missing >= first_capacity ? missing : read_ahead);
  const MutableBytes free{bytes_.data() + end_, room};
  protocol::Transfer got = transport_.receive(free, deadline);
  filled_ = got.bytes == room;
  if (got.result != protocol::Io::ok) [[unlikely]] {
    if (reads_in_place && got.result == protocol::Io::lent) got = lend(deadline);
    if (got.result != protocol::Io::ok) return nothing(got);
    // The rest of a message that has begun in the buffer follows it there.
    if (reads_in_place && begin_ != end_) copy_lent(room);
    return Arrival::message;
  }
  end_ += got.bytes;
  came_last_ = got.bytes;
  return Arrival::message;
}

/// fill(), for at most the time that the peer may take for the message that it has begun.
Arrival Receiver::fill_in_time(std::size_t total, Deadline deadline) {
  if (message_timeout_ns_ == 0) return fill(total, deadline);
  if (between_messages() && assembler_.open() == 0) return fill(total, deadline);
  if (later_ms_ != 0 && deadline.is_never()) set_receive_timeout();
  if (began_at_ == 0) {
    began_at_ = steady_now();
    came_since_ = 0;
  }
  const Deadline by = Deadline::at(began_at_ + message_timeout_ns_ + came_since_ * ns_per_octet);
  unfinished_by_.store(by.ns());
  // If the transport's own time-out ends earlier it is used instead, since it costs nothing.
  const bool usual = deadline.is_never() && usual_ns_ != 0 && by.remaining_ns() >= usual_ns_;
  const Arrival filled = fill(total, usual ? deadline : earlier(deadline, by));
  if (filled == Arrival::message) came_since_ += static_cast<std::int64_t>(came_last_);
  return filled == Arrival::timed_out && by.expired() ? Arrival::stalled : filled;
}

/// The kernel watches the time of messages in parts, which costs no system call of its own.
void Receiver::set_receive_timeout() {
  const std::uint32_t ms = std::exchange(later_ms_, 0);
  if (transport_.set_receive_timeout(ms)) usual_ns_ = std::int64_t{ms} * 1'000'000;
}

/// A message is complete, or no longer wanted: the peer has its full time again for other messages that it has begun.
void Receiver::note_complete() noexcept {
  const bool more = assembler_.open() != 0;
  in_parts_ = more || is_lent();
  filled_ |= more;  // the reading thread comes back once more, and sees that it must go on waiting
  if (began_at_ == 0) return;
  began_at_ = 0;
  unfinished_by_.store(Deadline::never().ns());
}

/// The parameter is passed by value: a transfer stays in registers where something has come.
Arrival Receiver::nothing_received(protocol::Transfer got, Deadline deadline) {
  if (reads_in_place && got.result == protocol::Io::lent) got = lend(deadline);
  return got.result == protocol::Io::ok ? next_in_parts(deadline) : nothing(got);
}

Arrival Receiver::nothing(protocol::Transfer got) noexcept {
  if (got.result == protocol::Io::timed_out) return Arrival::timed_out;
  os_error_ = got.os_error;
  return Arrival::ended;
}

Arrival Receiver::next(Deadline deadline) {
  // Nearly always nothing has come yet, and then one small message.
  if (end_ == 0 && bytes_.capacity() == first_capacity && !in_parts_) [[likely]] {
    const protocol::Transfer got = transport_.receive({bytes_.data(), first_capacity}, deadline);
    filled_ = got.bytes == first_capacity;
    if (got.result != protocol::Io::ok) [[unlikely]]
      return nothing_received(got, deadline);
    end_ = got.bytes;
  }
  const std::size_t have = end_ - begin_;
  if (have < header_size) [[unlikely]]
    return next_in_parts(deadline);
  const std::uint8_t* const at = bytes_.data() + begin_;
  const HeaderResult header = parse_header(at, largest_);
  if (!header || (*header).total() > have || Assembler::concerns(*header)) [[unlikely]]
    return next_in_parts(deadline);
  current_ = (*header).total();
  message_.header = *header;
  message_.body = {at + header_size, current_ - header_size};
  message_.restarts = {};
  return Arrival::message;
}

Arrival Receiver::next_in_parts(Deadline deadline) {
  std::size_t wanted = header_size;
  bool no_room = false;  // for a message whose header is good, where memory is known
  while (true) {
    if (is_lent()) {
      const std::optional<CheckedHeader> header = read_in_place();
      if (header && lent_.size() >= header->total()) return take_in_place(*header);
      if (header) {
        const Arrival filled = fill_in_time(header->total(), deadline);
        if (filled != Arrival::message) return filled;
        continue;
      }
      if (bytes_.capacity() == 0 && !make_room(header_size)) return refuse(fault_);
      copy_lent(bytes_.capacity());
    }
    if (end_ - begin_ < wanted) {
      // A peer that speaks something else may send less than a header, and then wait, or go.
      if (!may_be_giop({bytes_.data() + begin_, end_ - begin_})) return refuse(HeaderFault::bad_magic);
      const Arrival filled = fill_in_time(wanted, deadline);
      no_room = filled == Arrival::malformed && wanted > header_size && memory::is_known();
      if (filled != Arrival::message && !no_room) return filled;
      if (no_room) wanted = header_size;
      continue;
    }
    const HeaderResult header = parse_header(bytes_.data() + begin_, largest_);
    if (!header || no_room) {
      if ((!no_room && header.fault() != HeaderFault::too_large) || large_ == nullptr)
        return refuse(no_room ? HeaderFault::too_large : header.fault());
      no_room = false;
      const CheckedHeader large = *parse_header(bytes_.data() + begin_, UINT32_MAX);
      Arrival outcome = (this->*large_->drop_rest)(large, deadline);
      if (outcome != Arrival::too_large) return outcome;
      if (!Assembler::concerns(large) || join(outcome)) {
        note_complete();
        return outcome;
      }
      wanted = header_size;
      continue;
    }
    const std::size_t total = (*header).total();
    if (end_ - begin_ < total) {
      wanted = total;
      continue;
    }
    current_ = total;
    message_.header = *header;
    message_.body = {bytes_.data() + begin_ + header_size, total - header_size};
    message_.restarts = {};
    Arrival outcome = Arrival::message;
    if (!Assembler::concerns(*header) || join(outcome)) {
      note_complete();
      return outcome;
    }
    wanted = header_size;
  }
}

/// What the transport lends, or more of it.
protocol::Transfer Receiver::lend(Deadline deadline) {
  const std::size_t had = lent_.size();
  const protocol::Transfer got = transport_.lend(lent_, deadline);
  in_parts_ |= !lent_.empty();
  came_last_ = lent_.size() - had;
  return got;
}

/// The header of the message that begins in what is lent, if that is one to be read where it lies.
std::optional<CheckedHeader> Receiver::read_in_place() const noexcept {
  if (lent_.size() < header_size) return std::nullopt;
  const HeaderResult header = parse_header(lent_.data(), largest_);
  if (!header || Assembler::concerns(*header)) return std::nullopt;
  const std::size_t total = (*header).total();
  if (total <= first_capacity || total > transport_.lendable()) return std::nullopt;
  return *header;
}

/// `header` is not read again: a peer may change what it has sent.
Arrival Receiver::take_in_place(const CheckedHeader& header) {
  in_place_ = header.total();
  message_.header = header;
  message_.body = lent_.subspan(header_size, in_place_ - header_size);
  message_.restarts = {};
  note_complete();
  return Arrival::message;
}

/// Goes on with a copy, in bytes_, of what is lent, which is at most so large.
void Receiver::copy_lent(std::size_t most) noexcept {
  const std::size_t octets = std::min(lent_.size(), std::min(most, bytes_.capacity() - end_));
  std::memcpy(bytes_.data() + end_, lent_.data(), octets);
  end_ += octets;
  came_last_ = octets;
  end_lending(transport_.release(octets));
}

void Receiver::end_lending(bool more) noexcept {
  lent_ = {};
  in_place_ = 0;
  filled_ = more;
  in_parts_ = assembler_.open() != 0;
}

/// Whether a message above the limit is a request, or a fragment of one. What is neither is not worth the time.
bool Receiver::is_of_request(const CheckedHeader& header, ByteView beginning) noexcept {
  if (header->type == MessageType::fragment)
    return beginning.size() >= 4 && assembler_.belongs_to_request(header, beginning);
  cdr::Reader reader(beginning, {.giop_minor = header->minor, .order = header->order}, body_phase);
  RequestHeader head;
  return header->type == MessageType::request && read_request(reader, head);
}

/// A message above the limit: keeps its beginning, and drops the rest as it comes. The time that the peer has for it is that of a message
/// of this size that is taken. Arrival::too_large: it has gone by.
Arrival Receiver::drop_rest(const CheckedHeader& header, Deadline deadline) {
  const std::size_t total = header.total();
  // Where memory is known, this may be for want of it; so there is room for this, and for more behind it, in the smallest buffer.
  const std::size_t kept = std::min(total, memory::is_known() ? first_capacity / 2 : beginning_size);
  while (true) {
    const std::size_t have = end_ - begin_;
    const std::size_t missing = total - kept - left_out_;  // behind the beginning
    const ByteView beginning{bytes_.data() + begin_ + header_size, kept - header_size};
    if (have >= kept && left_out_ == 0 && !is_of_request(header, beginning))
      return refuse(HeaderFault::too_large);
    if (have >= kept && missing == 0) {
      message_.body = beginning;
      break;
    }
    if (have > kept) {
      // The next message may lie behind it.
      const std::size_t drops = std::min(have - kept, missing);
      std::uint8_t* const at = bytes_.data() + begin_ + kept;
      std::memmove(at, at + drops, have - kept - drops);
      end_ -= drops;
      left_out_ += drops;
      continue;
    }
    std::size_t wanted = have < kept ? kept : kept + std::min(missing, read_ahead);
    if (memory::is_known()) wanted = std::min(wanted, first_capacity);
    const Arrival filled = fill_in_time(wanted, deadline);
    if (filled != Arrival::message) return filled;
  }
  left_out_ = 0;
  current_ = kept;
  message_.header = header;
  message_.restarts = {};
  fault_ = HeaderFault::too_large;
  return Arrival::too_large;
}

Arrival Receiver::refuse(HeaderFault fault) noexcept {
  constexpr std::size_t most = 32;
  fault_ = fault;
  refused_ = {bytes_.data() + begin_, std::min(end_ - begin_, most)};
  return Arrival::malformed;
}

/// Takes a fragment, or a message that fragments will follow. True: `outcome` is what next() says.
bool Receiver::join(Arrival& outcome) {
  const Result<Joined> joined = assembler_.add(message_.header, message_.body, joined_);
  fault_ = HeaderFault::none;
  consume();
  if (!joined || !account(0)) {
    const bool too_large = joined || joined.error().id == SystemException::imp_limit;
    fault_ = too_large ? HeaderFault::too_large : HeaderFault::bad_type;
    outcome = Arrival::malformed;
    return true;
  }
  if (*joined == Joined::dropped) ++dropped_;
  if (*joined == Joined::too_large) {
    fault_ = HeaderFault::too_large;
    outcome = Arrival::too_large;
  } else if (*joined != Joined::complete) {
    return false;
  }
  message_.header = joined_.header;
  message_.body = joined_.body();
  message_.restarts = joined_.restarts;
  return true;
}

/// A message that lies in what is lent, or the joined one.
void Receiver::consume_other() noexcept {
  if (is_in_place()) return end_lending(transport_.release(in_place_));
  joined_ = {};
  if (counted_ != 0) account(0);
}

/// Releases a buffer that has grown for one large message, or for many small ones.
void Receiver::let_go() noexcept {
  if (bytes_.capacity() <= Buffer::largest_kept && came_last_ > first_capacity) return;
  keeps_up_to_ = Buffer::largest_kept;
  bytes_.release();
  account(0);
}

Receiver::Detached Receiver::detach(Restarts& restarts) noexcept {
  if (current_ == 0 && !is_in_place()) {
    restarts = std::move(joined_.restarts);
    return hand_out(std::move(joined_.bytes));
  }
  restarts.clear();
  if (is_in_place()) {
    Buffer kept = transport_.keep(in_place_);
    // Where memory is short it stays where it is for as long as the connection, which reads nothing more.
    if (!kept) transport_.shut_down();
    end_lending(true);
    return {std::move(kept), 0};
  }
  reads_ahead_ = false;  // what lies behind it is copied, each time
  const std::size_t after = begin_ + current_;
  Buffer rest;
  if (after != end_) {
    rest = Buffer::acquire(end_ - after);
    if (rest) {
      std::memcpy(rest.data(), bytes_.data() + after, end_ - after);
    } else {
      transport_.shut_down();  // memory is short, and the stream would be out of step
    }
  }
  Buffer taken = std::move(bytes_);
  bytes_ = std::move(rest);
  end_ = bytes_ ? end_ - after : 0;
  begin_ = 0;
  current_ = 0;
  return hand_out(std::move(taken));
}

Receiver::Detached Receiver::hand_out(Buffer taken) noexcept {
  const std::size_t counted = std::min(counts(taken.capacity()), counted_);
  counted_ -= counted;
  account(0);
  return {std::move(taken), counted};
}

/// Room for at least one more byte of a message of `total` bytes. False: fault_ is set.
bool Receiver::make_room(std::size_t total) {
  const std::size_t have = end_ - begin_;
  std::size_t wanted = std::max(total, first_capacity);
  if (filled_ && reads_ahead_ && bytes_.capacity() == first_capacity && total < first_capacity) {
    // More has come than fits: many small messages are read at once, where there is memory for that.
    reads_ahead_ = grow(read_ahead, have);
    if (reads_ahead_) {
      keeps_up_to_ = first_capacity;
      begin_ = 0;
      end_ = have;
      return true;
    }
  }
  // Pages move without being copied, so what is held need not be much more than what has come.
  if (total > at_once) wanted = std::min(total, at_once + have + have / 4);
  if (bytes_.capacity() >= wanted && have < bytes_.capacity()) {
    std::memmove(bytes_.data(), bytes_.data() + begin_, have);
  } else {
    // Close to the limit it grows in small steps, so that a message that just fits is not refused.
    if (!grow(wanted, have) && (wanted <= at_once || !grow(std::min(total, have + read_ahead), have))) {
      fault_ = HeaderFault::too_large;
      return false;
    }
  }
  begin_ = 0;
  end_ = have;
  return true;
}

/// Memory is counted before it is taken. A recycled buffer may have more room than that; the rest is counted, too, or else given back.
bool Receiver::grow(std::size_t wanted, std::size_t have) noexcept {
  if (!account(Buffer::capacity_for(wanted)) || !bytes_.grow(wanted, begin_, have)) return false;
  if (account(0)) return true;
  bytes_.trim(wanted);
  return account(0);
}

/// Counts in the budget what is held beyond small buffers; `more`: the capacity that the buffer is about to get.
bool Receiver::account(std::size_t more) noexcept {
  const std::size_t holds =
      counts(std::max(more, bytes_.capacity())) + counts(joined_.bytes.capacity()) + assembler_.memory();
  if (holds > counted_) {
    if (!memory_.take(holds - counted_)) return false;
  } else {
    memory_.give(counted_ - holds);
  }
  counted_ = holds;
  return true;
}

}  // namespace tenon::giop
