// SPDX-License-Identifier: Apache-2.0
//
// The writer's rare paths: memory, limits, errors, lending, the finished message. Text is in
// writer_text.cpp, arrays and vectors are in writer_bulk.cpp.
#include "cdr/writer.hpp"

#include <algorithm>

#include "base/memory.hpp"
#include "base/minor_codes.hpp"
#include "base/over_bound.hpp"
#include "base/raw_vector.hpp"
#include "cdr/value_memory.hpp"

namespace tenon::cdr {

namespace {

constexpr std::size_t most_at_once = 15;  // padding and one primitive

}  // namespace

PartSink::PartSink(std::size_t most) noexcept : hand_over_(&Writer::hand_over_part), most_(most) {}

Writer::Writer(Writer&& other) noexcept { take_over(other); }

Writer& Writer::operator=(Writer&& other) noexcept {
  if (this != &other) take_over(other);
  return *this;
}

void Writer::take_over(Writer& other) noexcept {
  cur_ = std::exchange(other.cur_, nullptr);
  end_ = std::exchange(other.end_, nullptr);
  start_ = std::exchange(other.start_, nullptr);
  swap_ = other.swap_;
  plain_chars_ = other.plain_chars_;
  error_ = std::exchange(other.error_, Error{});
  limit_ = other.limit_;
  borrowed_ = std::exchange(other.borrowed_, 0);
  skipped_ = std::exchange(other.skipped_, 0);
  phase_ = other.phase_;
  lend_from_ = other.lend_from_;
  format_ = other.format_;
  buffer_ = std::move(other.buffer_);
  blocks_ = std::move(other.blocks_);
  other.blocks_.clear();
  values_ = std::move(other.values_);
  sink_ = std::exchange(other.sink_, nullptr);
  if (!good()) park();  // cur_ may point into the other writer
}

void Writer::make_ready(std::size_t reserve) noexcept {
  start_ = cur_ = end_ = nullptr;
  const std::size_t wanted = reserve + phase_ + slack;
  if (buffer_.capacity() < wanted && (buffer_ || reserve != 0)) buffer_ = Buffer::acquire(wanted);
  if (buffer_) {
    start_ = cur_ = buffer_.data() + phase_;
    refresh_end();
  }
}

void Writer::fail(Error error) noexcept {
  if (!good() || !error) return;
  error_ = error;
  park();
}

void Writer::fail_over_bound(std::size_t found, std::size_t bound) noexcept {
  if (good()) note_over_bound(found, bound);
  fail(errors::over_bound);
}

void Writer::fail_vector_over_bound(const void* vector, std::size_t element_size,
                                    std::size_t bound) noexcept {
  fail_over_bound(load_vector(vector).bytes() / element_size, bound);
}

/// After an error: cur_ stays writable for one primitive and end_ sends every put back to grow().
void Writer::park() noexcept {
  start_ = buffer_ ? buffer_.data() + phase_ : nowhere_;
  cur_ = end_ = start_;
  borrowed_ = 0;
  skipped_ = 0;
  blocks_.clear();
}

/// Where the inline checks end: the capacity less the slack, or as much earlier as the limit or the size of a part asks for. Close
/// to these every put takes the slow path, which knows its exact size. Always true, for those who call it last.
bool Writer::refresh_end() noexcept {
  const std::ptrdiff_t room = buffer_.data() + (buffer_.capacity() - slack) - cur_;
  const auto left = static_cast<std::ptrdiff_t>(limit_ - size() - most_at_once);
  end_ = cur_ + std::max<std::ptrdiff_t>(std::min(room, left), 0);
  if (sink_ != nullptr) [[unlikely]]
    end_at_part();
  return true;
}

void Writer::end_at_part() noexcept {
  const auto used = static_cast<std::size_t>(cur_ - start_);
  const std::size_t part = sink_->most() - most_at_once;
  if (used < part && part - used < static_cast<std::size_t>(end_ - cur_)) end_ = cur_ + (part - used);
}

bool Writer::acquire(std::size_t bytes) noexcept {
  const auto used = static_cast<std::size_t>(cur_ - start_);
  const std::size_t needed = phase_ + used + bytes + slack;
  // Twice as much as before, so that growing costs a constant per byte; but never for more than the limit
  // allows.
  std::size_t twice = std::min(2 * buffer_.capacity(), limit_ + phase_ + slack);
  if (sink_ != nullptr && !values_) [[unlikely]]
    twice = std::min(twice, sink_->most() + slack);
  if (!buffer_.grow(std::max(needed, twice), 0, buffer_ ? phase_ + used : 0)) {
    fail(memory::shortage());
    return false;
  }
  start_ = buffer_.data() + phase_;
  cur_ = start_ + used;
  return refresh_end();
}

/// Makes room for `bytes` at cur_, within the limit and as memory allows; else the writer fails.
bool Writer::ensure(std::size_t bytes) noexcept {
  if (!good()) return false;
  const std::size_t written = size();
  if (written > limit_ || bytes > limit_ - written) {
    fail(errors::message_above_limit);
    return false;
  }
  if (sink_ != nullptr) [[unlikely]]
    return (this->*sink_->hand_over_)(bytes) && fit(bytes);
  return fit(bytes);
}

inline bool Writer::fit(std::size_t bytes) noexcept {
  const auto used = static_cast<std::size_t>(cur_ - buffer_.data());
  return used + bytes + slack > buffer_.capacity() ? acquire(bytes) : refresh_end();
}

/// Gives what is written, but for the octets behind the last multiple of 8, to the sink if `bytes` more make more than a part. False: the
/// writer has failed.
bool Writer::hand_over_part(std::size_t bytes) noexcept {
  const auto used = static_cast<std::size_t>(cur_ - start_);
  const std::size_t tail = size() & 7;
  const std::size_t behind_blocks = blocks_.empty() ? used : used - blocks_.back().at - blocks_.back().skip;
  // After a few octets, what comes next is too large for any part.
  if (used < sink_->most() / 2 || used + std::max(bytes, most_at_once) <= sink_->most()) return true;
  if (values_ || behind_blocks < tail) return true;
  Status taken;
  if (blocks_.empty()) {
    const Piece part{start_, used - tail};
    taken = sink_->take({&part, 1});
  } else {
    std::vector<Piece> part;
    if (gather(part)) {
      part.back().size -= tail;
      taken = sink_->take(part);
    } else {
      taken = errors::out_of_memory;
    }
  }
  if (!taken) {
    fail(taken.error());
    return false;
  }
  sink_->taken(size() - tail);
  std::memmove(start_ + PartSink::start_size, cur_ - tail, tail);
  std::memcpy(start_, sink_->start(), PartSink::start_size);
  cur_ = start_ + PartSink::start_size + tail;
  borrowed_ = sink_->taken() - PartSink::start_size;
  skipped_ = 0;
  blocks_.clear();
  return true;
}

std::uint8_t* Writer::grow(std::size_t size) noexcept {
  const std::size_t position = buffer_ ? reinterpret_cast<std::uintptr_t>(cur_) : phase_;
  if (!ensure(padding_to(position, size) + size)) park();
  return cur_;
}

std::uint8_t* Writer::make_room(std::size_t bytes) noexcept { return ensure(bytes) ? cur_ : nullptr; }

void Writer::align(std::size_t alignment) noexcept {
  const std::size_t position = buffer_ ? reinterpret_cast<std::uintptr_t>(cur_) : phase_;
  const std::size_t padding = padding_to(position, alignment);
  std::uint8_t* at = room_for(padding);
  if (at == nullptr) return;
  std::memset(at, 0, padding);
  cur_ = at + padding;
}

std::size_t Writer::reserve_ulong() noexcept {
  put(std::uint32_t{0});
  return good() ? static_cast<std::size_t>(cur_ - start_) - sizeof(std::uint32_t) : 0;
}

void Writer::patch(std::size_t place, std::uint32_t value) noexcept {
  if (good()) store(start_ + place, value, swap_);
}

/// True if the block is part of the message now; false after an error.
bool Writer::lend(const std::uint8_t* data, std::size_t size) noexcept {
  const std::size_t written = this->size();
  if (!good()) return false;
  if (written > limit_ || size > limit_ - written) {
    fail(errors::message_above_limit);
    return false;
  }
  const std::size_t skip = size & 7;
  if (room_for(skip) == nullptr) return false;
  if (!append(blocks_, Block{static_cast<std::size_t>(cur_ - start_), skip, data, size})) {
    fail(errors::out_of_memory);
    return false;
  }
  cur_ += skip;
  borrowed_ += size;
  skipped_ += skip;
  return refresh_end();
}

bool Writer::gather(std::vector<Piece>& into) const noexcept {
  into.clear();
  bool enough = true;
  for_each_piece([&](const Piece& piece) { return enough = append(into, piece); });
  if (!enough) into.clear();
  return enough;
}

std::size_t Writer::gather(std::span<Piece> into, Place& at) const noexcept {
  std::size_t count = 0;
  if (start_ == nullptr) return count;
  while (count < into.size()) {
    const Block* const next = at.block < blocks_.size() ? &blocks_[at.block] : nullptr;
    const std::size_t end = next != nullptr ? next->at : static_cast<std::size_t>(cur_ - start_);
    if (end > at.offset) {
      into[count++] = {start_ + at.offset, end - at.offset};
      at.offset = end;
    } else if (next != nullptr) {
      into[count++] = {next->data, next->size};
      at.offset = next->at + next->skip;
      ++at.block;
    } else {
      break;
    }
  }
  return count;
}

Encapsulation::Encapsulation(WireFormat format) noexcept : content_(format) {
  content_.put(static_cast<std::uint8_t>(format.order));
}

void Encapsulation::put_into(Writer& outer) noexcept {
  if (!content_.good()) {
    outer.fail(content_.error());
    return;
  }
  // Copied even where the outer writer lends: these bytes do not live as long as its message.
  outer.put_length(content_.size());
  outer.put_octets(content_.bytes());
}

}  // namespace tenon::cdr
