// SPDX-License-Identifier: Apache-2.0
//
// Writes CDR (CORBA 3.4 part 2 §9.3) into an owned buffer and gathers large blocks of the caller by
// reference.
//
// Invariant: the address of the next byte and its position in the message are equal modulo 8, also after a
// borrowed block (the owned buffer skips up to 7 bytes there), so alignment is address arithmetic. Padding is
// written as zero. The first error stays (sticky); after it all that is put is dropped, and size(), bytes() and
// gather() mean nothing. One thread at a time.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

#include "base/buffer.hpp"
#include "base/bytes.hpp"
#include "base/error.hpp"
#include "cdr/values.hpp"
#include "cdr/wire_format.hpp"

namespace tenon {
class Fixed;
}

namespace tenon::cdr {

/// One contiguous piece of a finished message. The memory belongs to the writer or to the caller that lent the block.
struct Piece {
  const std::uint8_t* data;
  std::size_t size;
};

class Writer;

/// Takes a message from its writer part by part, while it is being written, so that the writer need not hold all of it. The thread
/// that writes calls it.
class PartSink {
 public:
  /// `most`: of the octets of a part, lent blocks apart; at least 64. A part is taken when the next value would not fit into it.
  explicit PartSink(std::size_t most) noexcept;
  PartSink(const PartSink&) = delete;
  PartSink& operator=(const PartSink&) = delete;

  /// Takes the next part. Its size is a multiple of 8, and its octets are valid until the function returns. It fills start(); an
  /// error becomes the writer's.
  virtual Status take(std::span<const Piece> part) noexcept = 0;

  /// What each part but the first begins with, in front of the message's own octets. As it is a multiple of 8, alignment stays.
  static constexpr std::size_t start_size = 16;
  std::uint8_t* start() noexcept { return start_; }
  std::size_t most() const noexcept { return most_; }
  /// Octets of the message that have been taken.
  std::size_t taken() const noexcept { return taken_; }
  void taken(std::size_t octets) noexcept { taken_ = octets; }

 protected:
  ~PartSink() = default;

 private:
  friend class Writer;
  bool (Writer::* const hand_over_)(std::size_t bytes) noexcept;  // linked by who makes a PartSink
  const std::size_t most_;
  std::size_t taken_ = 0;
  std::uint8_t start_[start_size] = {};
};

class Writer {
  friend class PartSink;

 public:
  /// Blocks at least this large are gathered instead of copied, where lending is allowed and no other size is set. Text that is shorter is
  /// copied whatever size is set.
  static constexpr std::size_t borrow_from = 4096;
  /// For lend_from(): all blocks are copied.
  static constexpr std::size_t never = SIZE_MAX;

  /// A writer without a buffer; the first byte acquires one. `phase` is the position of the first byte
  /// modulo 8.
  explicit Writer(WireFormat format = {}, std::size_t phase = 0) noexcept : phase_(phase & 7) {
    set_format(format);
  }
  ~Writer() = default;
  Writer(Writer&& other) noexcept;  ///< `other` becomes a writer without a buffer
  Writer& operator=(Writer&& other) noexcept;

  /// Starts again with an empty message and keeps the buffer, the limit and from which size on it lends.
  /// `reserve` bytes will fit without growing.
  void reset(const WireFormat& format, std::size_t phase = 0, std::size_t reserve = 0) noexcept {
    error_ = {};
    borrowed_ = skipped_ = 0;
    if (values_) [[unlikely]]
      values_.reset();
    if (!blocks_.empty()) blocks_.clear();
    phase_ = phase & 7;
    set_format(format);
    if (buffer_.capacity() >= reserve + 2 * slack && limit_ >= buffer_.capacity()) [[likely]] {
      start_ = cur_ = buffer_.data() + phase_;
      end_ = buffer_.data() + (buffer_.capacity() - slack);
    } else {
      make_ready(reserve);
    }
  }
  /// As reset() with the same format and phase 0, when nothing else has to change.
  void restart(std::size_t reserve = 0) noexcept {
    const bool usual = good() && blocks_.empty() && !values_ && phase_ == 0 && buffer_.capacity() > slack &&
                       end_ == buffer_.data() + (buffer_.capacity() - slack);
    if (!usual) [[unlikely]]
      return reset(format_, 0, reserve);
    borrowed_ = skipped_ = 0;
    cur_ = start_;
  }
  /// Gives the writer a buffer to write to from the next reset() on; surrender() takes it back. So a caller
  /// that sends many messages can keep one buffer.
  void adopt(Buffer buffer) noexcept {
    if (buffer) buffer_ = std::move(buffer);
  }
  std::size_t capacity() const noexcept { return buffer_.capacity(); }
  Buffer surrender() noexcept {
    cur_ = end_ = start_ = nullptr;
    return std::move(buffer_);
  }

  const WireFormat& format() const noexcept { return format_; }
  /// Changes what the following bytes are made for (a message header is written before the format of its body
  /// is known).
  void set_format(const WireFormat& format) noexcept {
    format_ = format;
    swap_ = format.swaps();
    // A lone char above 0x7F is a whole character only where both sides have one octet for it.
    plain_chars_ = format.chars == CodeSet::iso8859_1 && format.native.chars == CodeSet::iso8859_1;
  }
  /// Whether elements must be swapped; only where they need not be, memory can be written by put_block().
  bool swaps() const noexcept { return swap_; }

  Error error() const noexcept { return error_; }
  bool good() const noexcept { return error_.id == SystemException::none; }
  void fail(Error error) noexcept;
  /// BAD_PARAM, whose text tells both numbers: there are `found` elements or characters where `bound` are allowed.
  void fail_over_bound(std::size_t found, std::size_t bound) noexcept;
  /// The same for a std::vector of anything but bool, whose size its caller need not have at hand as it would for the function above.
  void fail_vector_over_bound(const void* vector, std::size_t element_size, std::size_t bound) noexcept;

  /// Bytes written so far, borrowed ones included; the phase does not count.
  std::size_t size() const noexcept { return static_cast<std::size_t>(cur_ - start_) + borrowed_ - skipped_; }
  /// Position of the next byte in its message, modulo 8.
  std::size_t phase() const noexcept { return (phase_ + size()) & 7; }

  /// Whether the next byte's position is a multiple of `alignment` (1, 2, 4 or 8).
  bool aligned(std::size_t alignment) const noexcept {
    const std::uintptr_t position = cur_ == nullptr ? phase_ : reinterpret_cast<std::uintptr_t>(cur_);
    return (position & (alignment - 1)) == 0;
  }

  /// Fails with IMP_LIMIT once the message would exceed `bytes`, or half of what can be addressed. Default: 4 GiB - 1, what a GIOP header
  /// can state.
  void set_limit(std::size_t bytes) noexcept {
    limit_ = std::min(bytes, addressable);
    if (buffer_ && good() &&
        (limit_ < buffer_.capacity() || buffer_.data() + buffer_.capacity() - slack != end_))
      refresh_end();
  }

  // --- primitives: T is bool, char, or an arithmetic type of 1, 2, 4 or 8 bytes ---

  template <typename T>
    requires(std::is_arithmetic_v<T> && !std::is_same_v<T, wchar_t> && !std::is_same_v<T, long double>)
  void put(T value) noexcept {
    if constexpr (std::is_same_v<T, char>) {
      put_char(value);
    } else if constexpr (std::is_same_v<T, bool>) {
      std::uint8_t* at = room<1>();
      *at = value ? 1 : 0;
      cur_ = at + 1;
    } else {
      std::uint8_t* at = room<sizeof(T)>();
      cur_ = at + sizeof(T);
      store(at, value, swap_);
    }
  }

  void put_char(char value) noexcept {
    if (plain_char(value)) [[likely]] {
      std::uint8_t* at = room<1>();
      *at = static_cast<std::uint8_t>(value);
      cur_ = at + 1;
    } else {
      put_converted_char(value);
    }
  }
  void put_wchar(wchar_t value) noexcept;
  void put_long_double(long double value) noexcept;

  void align(std::size_t alignment) noexcept;

  // --- text: unbounded; the caller has checked bounds. A NUL inside is BAD_PARAM ---
  void put_string(std::string_view text) noexcept;
  void put_wstring(std::wstring_view text) noexcept;
  /// A string of the protocol itself (operation names, repository ids): never converted. Length counts the
  /// NUL.
  void put_raw_string(std::string_view text) noexcept;

  /// Octets without a length, as they are.
  void put_octets(ByteView octets) noexcept {
    if (octets.empty()) return;
    std::uint8_t* at = room_for(octets.size());
    if (at == nullptr) [[unlikely]]
      return;
    std::memcpy(at, octets.data(), octets.size());
    cur_ = at + octets.size();
  }
  /// Appends `bytes` contiguous owned octets for the caller to fill, all of them; nullptr after an error.
  std::uint8_t* claim(std::size_t bytes) noexcept {
    std::uint8_t* at = room_for(bytes);
    if (at != nullptr) [[likely]]
      cur_ = at + bytes;
    return at;
  }
  /// The same for octets that look like memory: in native order, and at a multiple of `alignment`. Only where there is room for them
  /// already; else nullptr, and nothing is appended.
  std::uint8_t* try_claim(std::size_t bytes, std::size_t alignment) noexcept {
    if (cur_ >= end_ || static_cast<std::size_t>(end_ - cur_) < bytes || !aligned(alignment) || swap_)
        [[unlikely]]
      return nullptr;
    return std::exchange(cur_, cur_ + bytes);
  }
  /// sequence<octet>: length, then the octets (lent if large and lending is allowed).
  void put_octet_sequence(ByteView octets) noexcept;

  // --- bulk: elements without a length, aligned as T; lent, copied or swapped as a block ---
  template <typename T>
    requires(std::is_arithmetic_v<T> && !std::is_same_v<T, bool> && !std::is_same_v<T, wchar_t> &&
             !std::is_same_v<T, long double>)
  void put_array(const T* values, std::size_t count) noexcept {
    if (count == 0) return;
    if constexpr (std::is_same_v<T, char>) {
      put_chars(values, count);
    } else {
      put_elements(reinterpret_cast<const std::uint8_t*>(values), count, sizeof(T));
    }
  }
  /// Memory that is already CDR in native order: `bytes` bytes aligned to `alignment`. Lent if large and
  /// lending is allowed.
  void put_block(const void* memory, std::size_t bytes, std::size_t alignment) noexcept;
  void put_booleans(const std::vector<bool>& values) noexcept;
  void put_boolean_array(const bool* values, std::size_t count) noexcept;

  /// A sequence length. Counts above 2^32 - 1 are BAD_PARAM.
  void put_length(std::size_t count) noexcept;

  /// Fixed-point decimal (§9.3.2.8): `digits` and `scale` are the type's.
  void put_fixed(const Fixed& value, unsigned digits, unsigned scale) noexcept;

  // --- value types (§9.3.4, values.hpp). In writer_values.cpp ---

  void put_null_value() noexcept { put(value_tag::null); }
  /// If the value was written before: writes an indirection to it and returns true.
  bool put_shared_value(const void* identity) noexcept;
  /// Writes an indirection to the value at `position`.
  void put_value_indirection(std::size_t position) noexcept { put_offset(position); }
  /// Whether a value with an identity has been written.
  bool has_values() const noexcept;
  /// Whether what is written is part of a chunked value.
  bool in_chunks() const noexcept { return values_ && chunk_level() != 0; }
  /// Writes the header of a value; its state follows, and then end_value(). Returns its position. `ids`: the type's repository id, then
  /// those of the bases that it may be truncated to; none: the type that the receiver expects. A value inside a chunked one is
  /// always chunked. put_shared_value() finds the value by its `identity`, if that is not null. No other value may have the same
  /// while the message is written, so `kept` is kept alive until then.
  std::size_t begin_value(const void* identity, std::span<const std::string_view> ids, bool chunked,
                          const ValueObject* kept = nullptr) noexcept;
  void end_value() noexcept;
  /// Releases what begin_value() kept. Called after the last value of a message.
  void forget_values() noexcept { values_.reset(); }

  // --- nested and patched parts ---

  /// Reserves an aligned unsigned long that is stored later; returns its place for patch().
  std::size_t reserve_ulong() noexcept;
  void patch(std::size_t place, std::uint32_t value) noexcept;
  /// The place at a byte offset in the owned part before any borrowed block, for a caller that cares for byte
  /// order and alignment itself. It must have been written; after an error what is stored there is lost.
  std::uint8_t* owned_at(std::size_t offset) noexcept { return start_ + offset; }

  /// From which size on blocks are gathered by reference (they then must live until the message is sent). Default: never.
  void lend_from(std::size_t bytes) noexcept { lend_from_ = bytes; }
  std::size_t lends_from() const noexcept { return lend_from_; }
  /// The usual size, or never.
  void allow_lending(bool allowed) noexcept { lend_from_ = allowed ? borrow_from : never; }
  /// Whether a block of that size would be gathered instead of copied.
  bool lends(std::size_t bytes) const noexcept { return bytes >= lend_from_; }

  /// The message, whose phase is 0, goes to `sink` in parts, beginning now; null: no longer. Once a value type has been written, the
  /// rest stays here, because later parts may refer to it.
  void send_parts_to(PartSink* sink) noexcept {
    sink_ = sink;
    if (sink != nullptr) sink->taken(0);
  }
  /// Whether parts have been taken. What is here then begins with PartSink::start(), but size() still is that of the message.
  bool in_parts() const noexcept { return sink_ != nullptr && sink_->taken() != 0; }

  // --- the finished message ---

  bool contiguous() const noexcept { return blocks_.empty(); }
  /// The whole message; requires contiguous().
  ByteView bytes() const noexcept { return {start_, static_cast<std::size_t>(cur_ - start_)}; }
  /// All pieces in order. False: there is no memory for so many, and `into` is empty.
  [[nodiscard]] bool gather(std::vector<Piece>& into) const noexcept;
  /// A place between two pieces of the finished message; by default its beginning.
  struct Place {
    std::size_t block = 0;
    std::size_t offset = 0;
  };
  /// The pieces behind `at`, in order, as many as there is room for; moves `at` behind them. Returns how many: 0 at the end.
  std::size_t gather(std::span<Piece> into, Place& at) const noexcept;
  /// One owned copy of the whole message. May throw std::bad_alloc: not for the engine.
  std::vector<std::uint8_t> copy() const;

 private:
  struct Block {
    std::size_t at;    // offset in the owned buffer, from start_, where the block belongs
    std::size_t skip;  // owned bytes after `at` that are not part of the message
    const std::uint8_t* data;
    std::size_t size;
  };

  template <std::size_t Size>
  std::uint8_t* room() noexcept {
    // end_ leaves slack for padding and one primitive, so one check is enough.
    std::uint8_t* at = cur_;
    if (at >= end_) [[unlikely]] {
      at = grow(Size);
    }
    if constexpr (Size == 1) {
      return at;
    } else {
      // Zeroes all, then stores the value over it: cheaper than zeroing just the padding.
      std::memset(at, 0, Size);
      return at + padding_to(reinterpret_cast<std::uintptr_t>(at), Size);
    }
  }
  /// Unaligned room for `bytes`, all of them; nullptr after an error.
  std::uint8_t* room_for(std::size_t bytes) noexcept {
    if (cur_ >= end_ || static_cast<std::size_t>(end_ - cur_) < bytes) [[unlikely]]
      return make_room(bytes);
    return cur_;
  }
  bool plain_char(char value) const noexcept {
    return plain_chars_ || static_cast<unsigned char>(value) < 0x80;
  }

  /// Makes cur_ writable for one primitive of that size and its padding, also after an error; returns it.
  std::uint8_t* grow(std::size_t size) noexcept;
  std::uint8_t* make_room(std::size_t bytes) noexcept;
  bool ensure(std::size_t bytes) noexcept;
  bool fit(std::size_t bytes) noexcept;
  bool acquire(std::size_t bytes) noexcept;
  bool refresh_end() noexcept;
  void end_at_part() noexcept;
  bool hand_over_part(std::size_t bytes) noexcept;
  void make_ready(std::size_t reserve) noexcept;
  void park() noexcept;
  void take_over(Writer& other) noexcept;
  void put_converted_char(char value) noexcept;
  void put_text(std::string_view text) noexcept;
  void put_units_1_1(std::wstring_view text, std::size_t units) noexcept;
  void put_ucs4(std::wstring_view text) noexcept;
  void put_units_1_2(std::wstring_view text, std::size_t units) noexcept;
  void put_chars(const char* values, std::size_t count) noexcept;
  void put_converted_chars(const char* values, std::size_t count) noexcept;
  void put_elements(const std::uint8_t* values, std::size_t count, std::size_t size) noexcept;
  bool lend(const std::uint8_t* data, std::size_t size) noexcept;
  WrittenValues* value_table() noexcept;
  unsigned chunk_level() const noexcept;
  /// Calls `take` with each piece of the message until it returns false.
  template <typename Take>
  void for_each_piece(Take&& take) const {
    if (start_ == nullptr) return;
    std::size_t from = 0;
    for (const Block& block : blocks_) {
      if (block.at > from && !take(Piece{start_ + from, block.at - from})) return;
      if (!take(Piece{block.data, block.size})) return;
      from = block.at + block.skip;
    }
    const auto used = static_cast<std::size_t>(cur_ - start_);
    if (used > from) take(Piece{start_ + from, used - from});
  }
  void put_value_id(std::string_view id) noexcept;
  void put_id_list(std::span<const std::string_view> ids) noexcept;
  void put_offset(std::size_t target) noexcept;
  void open_chunk() noexcept;
  void close_chunk() noexcept;

  static constexpr std::size_t slack = 32;

  std::uint8_t* cur_ = nullptr;
  std::uint8_t* end_ = nullptr;  // capacity less slack
  std::uint8_t* start_ = nullptr;
  bool swap_ = false;
  bool plain_chars_ = false;  // every char may be written as it is
  Error error_;
  static constexpr std::size_t addressable = SIZE_MAX / 2;  // sums with it do not overflow
  std::size_t limit_ = std::min<std::size_t>(0xFFFFFFFF, addressable);
  std::size_t borrowed_ = 0;
  std::size_t skipped_ = 0;
  std::size_t phase_ = 0;
  std::size_t lend_from_ = never;
  WireFormat format_;
  Buffer buffer_;
  std::vector<Block> blocks_;
  WrittenValuesRef values_;  // none before the first value
  PartSink* sink_ = nullptr;
  // After an error everything is written here when there is not even a buffer: enough for a header and one
  // primitive.
  alignas(8) std::uint8_t nowhere_[64];
};

/// While it lives, the writer lends blocks from another size on. A writer that lends none goes on so.
class LendingScope {
 public:
  LendingScope(Writer& writer, std::size_t from) noexcept : writer_(writer), before_(writer.lends_from()) {
    if (before_ != Writer::never) writer.lend_from(from);
  }
  ~LendingScope() { writer_.lend_from(before_); }
  LendingScope(const LendingScope&) = delete;
  LendingScope& operator=(const LendingScope&) = delete;

 private:
  Writer& writer_;
  const std::size_t before_;
};

/// Writes an encapsulation (§9.3.3) into a writer as sequence<octet>: a byte-order octet, then content
/// aligned from there. The content is written to content(); put_into() puts it into the outer writer. Code
/// sets of encapsulations are the fall-backs UTF-8 and UTF-16 unless a format is given.
class Encapsulation {
 public:
  explicit Encapsulation(WireFormat format = {}) noexcept;
  Writer& content() noexcept { return content_; }
  ByteView bytes() noexcept { return content_.bytes(); }  ///< with the byte-order octet, without a length
  void put_into(Writer& outer) noexcept;

 private:
  Writer content_;
};

}  // namespace tenon::cdr
