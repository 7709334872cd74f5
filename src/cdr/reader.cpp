// SPDX-License-Identifier: Apache-2.0
//
// The reader's rare paths: segments, errors, lengths, views. Text is in reader_text.cpp, arrays and vectors are
// in reader_bulk.cpp.
#include "cdr/reader.hpp"

#include <algorithm>

#include "base/minor_codes.hpp"
#include "base/over_bound.hpp"
#include "cdr/chunks.hpp"
#include "cdr/compatibility.hpp"

namespace tenon::cdr {

constinit std::atomic<bool (*)(Reader&) noexcept> next_chunk_of{nullptr};

Reader Reader::encapsulation(ByteView bytes, WireFormat outer) noexcept {
  Reader inner(bytes, outer);
  const auto order = inner.get<std::uint8_t>();
  if (order > 1) inner.fail(errors::bad_encapsulation);
  outer.order = order == 1 ? ByteOrder::little : ByteOrder::big;
  inner.set_format(outer);
  return inner;
}

void Reader::fail(Error error) noexcept {
  if (!good() || !error) return;
  error_ = error;
  cur_ = end_ = last_;
  restarts_ = {};
  whole_ = nullptr;
}

void Reader::fail_above_bound(std::size_t found, std::size_t bound) noexcept {
  if (good()) note_over_bound(found, bound);
  fail(errors::length_above_bound);
}

/// GIOP 1.1: goes on at the next fragment. The octets left in this one are padding, because a primitive never
/// splits (GIOP 1.1 §9.4.9).
bool Reader::next_segment() noexcept {
  if (restarts_.empty()) return whole_ != nullptr && next_chunk_of.load(std::memory_order_relaxed)(*this);
  const auto size = static_cast<std::size_t>(last_ - first_);
  const Restart here = restarts_.front();
  restarts_ = restarts_.subspan(1);
  cur_ = std::max(cur_, first_ + std::min(here.offset, size));
  shift_ = here.phase - reinterpret_cast<std::uintptr_t>(first_) - here.offset;
  end_ = restarts_.empty() ? last_ : std::max(cur_, first_ + std::min(restarts_.front().offset, size));
  return true;
}

/// Called after octets were read: goes to the segment that holds the next byte.
void Reader::skip_segments() noexcept {
  while (!restarts_.empty() && position() > restarts_.front().offset) next_segment();
}

const std::uint8_t* Reader::take_slow(std::size_t size) noexcept {
  while (next_segment()) {
    const std::size_t pad = padding(size);
    if (end_ >= cur_ && static_cast<std::size_t>(end_ - cur_) >= pad + size) {
      const std::uint8_t* at = cur_ + pad;
      cur_ = at + size;
      return at;
    }
  }
  fail(errors::out_of_data);
  return nullptr;
}

std::uint64_t Reader::get_slow(std::size_t size) noexcept {
  const std::uint8_t* at = take_slow(size);
  if (at == nullptr) return 0;
  switch (size) {
    case 1: return *at;
    case 2: return load<std::uint16_t>(at, swap_);
    case 4: return load<std::uint32_t>(at, swap_);
    default: return load<std::uint64_t>(at, swap_);
  }
}

void Reader::align(std::size_t alignment) noexcept {
  for (;;) {
    const std::size_t pad = padding(alignment);
    const auto left = static_cast<std::size_t>(end_ - cur_);
    // at the end of a segment, the data to align is in the next one
    if (pad < left || (pad == left && restarts_.empty())) {
      cur_ += pad;
      return;
    }
    if (!next_segment()) {
      fail(errors::out_of_data);
      return;
    }
  }
}

bool Reader::bad_boolean() noexcept {
  if (is_on(compatibility().any_octet_is_boolean)) return true;
  fail(errors::bad_boolean);
  return false;
}

std::size_t Reader::get_length(std::size_t smallest_element, std::size_t bound) noexcept {
  // Elements that may be empty cost memory but no bytes; a few of them are harmless.
  constexpr std::size_t free_elements = 1024;
  const std::size_t count = get<std::uint32_t>();
  if (bound != 0 && count > bound) {
    fail_above_bound(count, bound);
    return 0;
  }
  const std::size_t most = smallest_element != 0 ? ahead() / smallest_element : ahead() + free_elements;
  if (count > most) {
    fail(errors::length_beyond_data);
    return 0;
  }
  return count;
}

ByteView Reader::get_octets(std::size_t count) noexcept {
  if (count > remaining() && (cur_ != last_ || !next_segment() || count > remaining())) {
    fail(errors::out_of_data);
    return {};
  }
  const ByteView view(cur_, count);
  cur_ += count;
  skip_segments();
  return view;
}

ByteView Reader::get_octet_sequence() noexcept { return get_octets(get_length(1)); }

ByteView Reader::get_block(std::size_t bytes, std::size_t alignment) noexcept {
  if (bytes == 0 || !good()) return {};
  const std::size_t pad = padding(alignment);
  const auto left = static_cast<std::size_t>(end_ - cur_);
  if (left < pad || left - pad < bytes) {
    fail(end_ == last_ ? errors::out_of_data : errors::block_across_fragments);
    return {};
  }
  const ByteView view(cur_ + pad, bytes);
  cur_ += pad + bytes;
  return view;
}

bool Reader::enter() noexcept {
  if (depth_ >= deepest) {
    fail(errors::nested_too_deep);
    return false;
  }
  ++depth_;
  return true;
}

}  // namespace tenon::cdr
