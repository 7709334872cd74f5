// SPDX-License-Identifier: Apache-2.0
//
// Reads CDR (CORBA 3.4 part 2 §9.3) from bytes that it does not own.
//
// Never reads past the end, never lets a caller allocate more than what the bytes that are left can justify,
// and keeps the first error (sticky): after it every get returns zero or empty, so that errors are checked
// once per message. The bytes need no aligned address. One thread at a time.
//
// A message that came in GIOP 1.1 fragments restarts alignment in each fragment; its reader is given the
// segments. Inside a chunked value (values.hpp) the reader ends where the chunk ends and goes on with the next one.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/bytes.hpp"
#include "base/error.hpp"
#include "cdr/values.hpp"
#include "cdr/wire_format.hpp"

namespace tenon {
class Fixed;
}

namespace tenon::cdr {

/// Where alignment restarts: from `offset` (in the whole body) on, positions count from `phase` (modulo 8).
struct Restart {
  std::size_t offset;
  std::size_t phase;
};

class Reader {
 public:
  Reader() noexcept = default;
  Reader(const Reader&) noexcept = default;
  Reader(Reader&&) noexcept = default;
  Reader& operator=(const Reader&) noexcept = default;
  Reader& operator=(Reader&&) noexcept = default;
  ~Reader() { forget_values(); }
  /// `phase`: position of the first byte in its message, modulo 8. `restarts` (rising offsets) must outlive
  /// the reader.
  Reader(ByteView bytes, const WireFormat& format, std::size_t phase = 0,
         std::span<const Restart> restarts = {}) noexcept
      : cur_(bytes.data()),
        end_(bytes.data() + bytes.size()),
        shift_(phase - reinterpret_cast<std::uintptr_t>(bytes.data())),
        first_(bytes.data()),
        last_(bytes.data() + bytes.size()),
        restarts_(restarts) {
    set_format(format);
    if (!restarts_.empty() && restarts_.front().offset < bytes.size())
      end_ = first_ + restarts_.front().offset;
  }

  /// Reads an encapsulation (§9.3.3): the first octet is its byte order. `outer` gives minor version and code
  /// sets.
  static Reader encapsulation(ByteView bytes, WireFormat outer = {}) noexcept;

  const WireFormat& format() const noexcept { return format_; }
  [[gnu::always_inline]] void set_format(const WireFormat& format) noexcept {
    format_ = format;
    swap_ = format.swaps();
    // As in Writer::set_format: only then is every octet a character.
    plain_chars_ = format.chars == CodeSet::iso8859_1 && format.native.chars == CodeSet::iso8859_1;
  }

  bool good() const noexcept { return error_.id == SystemException::none; }
  Error error() const noexcept { return error_; }
  void fail(Error error) noexcept;
  /// MARSHAL, whose text tells both numbers: the message has `found` elements or characters where `bound` are allowed.
  void fail_above_bound(std::size_t found, std::size_t bound) noexcept;

  std::size_t remaining() const noexcept { return static_cast<std::size_t>(last_ - cur_); }
  std::size_t position() const noexcept { return static_cast<std::size_t>(cur_ - first_); }
  /// Position of the next byte in its message, modulo 8.
  std::size_t phase() const noexcept { return (reinterpret_cast<std::uintptr_t>(cur_) + shift_) & 7; }

  /// Bytes left in the message; remaining() inside a chunked value is what is left of the chunk.
  std::size_t ahead() const noexcept {
    return static_cast<std::size_t>((whole_ == nullptr ? last_ : whole_) - cur_);
  }
  /// The bytes that are left, as they are, for readers of message headers that know their offsets.
  ByteView rest() const noexcept { return {cur_, remaining()}; }
  /// Whether the data in rest() may be in several pieces: fragments, or the chunks of a value.
  bool segmented() const noexcept { return !restarts_.empty() || whole_ != nullptr; }
  /// Passes over `count` bytes.
  void skip(std::size_t count) noexcept {
    if (segmented() || count > remaining()) [[unlikely]] {
      get_octets(count);
    } else {
      cur_ += count;
    }
  }

  /// Passes over `bytes` bytes that can be used as memory: in native order, in one piece and at a multiple of `alignment`. Returns the
  /// first one; else nullptr, and nothing is passed over.
  const std::uint8_t* try_claim(std::size_t bytes, std::size_t alignment) noexcept {
    if (static_cast<std::size_t>(end_ - cur_) < bytes || (phase() & (alignment - 1)) != 0 || swap_)
        [[unlikely]]
      return nullptr;
    return std::exchange(cur_, cur_ + bytes);
  }

  // --- primitives ---

  template <typename T>
    requires(std::is_arithmetic_v<T> && !std::is_same_v<T, wchar_t> && !std::is_same_v<T, long double>)
  T get() noexcept {
    if constexpr (std::is_same_v<T, bool>) {
      return get_boolean();
    } else if constexpr (std::is_same_v<T, char>) {
      return get_char();
    } else {
      const std::size_t pad = padding(sizeof(T));
      if (static_cast<std::size_t>(end_ - cur_) < pad + sizeof(T)) [[unlikely]] {
        return std::bit_cast<T>(static_cast<UnsignedOf<sizeof(T)>>(get_slow(sizeof(T))));
      }
      const std::uint8_t* at = cur_ + pad;
      cur_ = at + sizeof(T);
      return load<T>(at, swap_);
    }
  }
  bool get_boolean() noexcept {  ///< anything but 0 and 1 is MARSHAL
    const std::uint8_t* at = take<1>();
    if (at == nullptr) return false;
    if (*at > 1) [[unlikely]]
      return bad_boolean();
    return *at != 0;
  }
  char get_char() noexcept {
    const std::uint8_t* at = take<1>();
    if (at == nullptr) return 0;
    if (plain_chars_ || *at < 0x80) [[likely]]
      return static_cast<char>(*at);
    return get_converted_char(*at);
  }
  wchar_t get_wchar() noexcept;
  long double get_long_double() noexcept;

  /// Skips padding; MARSHAL if the message ends before it does.
  void align(std::size_t alignment) noexcept;

  // --- text: a length of 0 (which old ORBs send) is read as the empty string; a NUL inside, or none at the
  // end, is MARSHAL ---

  /// A string that is too long for its bound both in octets on the wire and in native octets is MARSHAL.
  void get_string(std::string& into,
                  std::size_t bound = 0) noexcept;  ///< bound 0: unbounded; longer is MARSHAL
  void get_wstring(std::wstring& into, std::size_t bound = 0) noexcept;
  /// A string of the protocol itself, without its NUL, never converted; a view into the message.
  std::string_view get_raw_string() noexcept;

  // --- bulk ---

  /// A sequence length: at most `bound` (0: unbounded), and at most what the remaining bytes can hold at
  /// `smallest_element` bytes each (0: elements may be empty on the wire; then at most remaining() + 1024).
  /// Else MARSHAL and 0.
  std::size_t get_length(std::size_t smallest_element, std::size_t bound = 0) noexcept;

  ByteView get_octets(std::size_t count) noexcept;  ///< a view; empty on error
  ByteView get_octet_sequence() noexcept;           ///< length, then a view

  /// `count` elements into caller's memory. T as in Writer::put_array.
  template <typename T>
    requires(std::is_arithmetic_v<T> && !std::is_same_v<T, bool> && !std::is_same_v<T, wchar_t> &&
             !std::is_same_v<T, long double>)
  void get_array(T* into, std::size_t count) noexcept {
    if (count == 0) return;
    if constexpr (std::is_same_v<T, char>) {
      get_chars(into, count);
    } else {
      get_elements(reinterpret_cast<std::uint8_t*>(into), count, sizeof(T));
    }
  }
  /// `count` elements into a vector, at the price of one pass over fresh memory (never resize-then-copy).
  template <typename T>
    requires(std::is_arithmetic_v<T> && !std::is_same_v<T, bool> && !std::is_same_v<T, wchar_t> &&
             !std::is_same_v<T, long double>)
  void get_vector(std::vector<T>& into,
                  std::size_t count) noexcept;  // in reader_bulk.cpp, for every such type
  void get_booleans(std::vector<bool>& into, std::size_t count) noexcept;
  void get_boolean_array(bool* into, std::size_t count) noexcept;
  /// Bytes that are memory already (native order): a view of exactly `bytes` bytes aligned to `alignment`;
  /// empty and MARSHAL if they are not there. Never called while swaps() or inside fragmented 1.1 segments:
  /// see block_readable().
  ByteView get_block(std::size_t bytes, std::size_t alignment) noexcept;
  bool block_readable() const noexcept { return !swap_ && !segmented(); }
  bool swaps() const noexcept { return swap_; }

  void get_fixed(Fixed& into, unsigned digits, unsigned scale) noexcept;

  // --- memory: whether values that are read into again have grown ---
  /// False: each text that was read fitted into the memory of its string, and take_memory() has not been called.
  bool memory_taken() const noexcept { return memory_taken_ != 0; }
  void take_memory() noexcept { memory_taken_ = 1; }

  // --- nesting: guards recursion in types that contain themselves ---
  static constexpr unsigned deepest = 256;
  bool enter() noexcept;  ///< false (and MARSHAL) when too deep; every true wants a leave()
  void leave() noexcept { --depth_; }

  // --- value types (§9.3.4, values.hpp); what is malformed is MARSHAL. In reader_values.cpp ---

  /// Reads a null value, an indirection, or the header of a value, whose state then follows.
  ValueHeader begin_value() noexcept;
  /// To be called after the state. `skip_rest`: a chunked value may have more state, as derived types have; else that is MARSHAL.
  void end_value(const ValueHeader& head, bool skip_rest) noexcept;
  /// From now on indirections to the value give `object`, which the table keeps alive.
  void value_made(const ValueHeader& head, ValueObject& object) noexcept;

  struct Place {
    const std::uint8_t* cur;
    const std::uint8_t* end;
    const std::uint8_t* last;
    const std::uint8_t* whole;
    unsigned level;
    unsigned ended;
  };
  /// Goes back to an earlier value of which no object was made: begin_value() reads it next. How much of a
  /// message can be read again is bounded (too_much_sharing).
  Place seek_value(std::size_t position) noexcept;
  void return_to(const Place& place) noexcept;
  class Aside;
  /// Goes back to where this reader was when `earlier` was copied from it; `open`: what open_values() was then.
  void go_back(const Reader& earlier, unsigned open) noexcept;
  unsigned open_values() const noexcept { return values_.get() != nullptr ? values_.get()->depth : 0; }
  /// The lowest position that an indirection, or an offset to a TypeCode, has led to since the last call of this; if there was none,
  /// the largest number.
  std::size_t take_lowest_target() noexcept;
  /// Takes note of such a position.
  void note_target(std::size_t position) noexcept;

  // --- offsets from one TypeCode of the message into another (src/types/earlier.cpp). In reader_values.cpp ---

  /// A reader of what begins at an earlier position of this message. Chunks around that position are not known, so what is read there
  /// must lie in one piece; in fragments of GIOP 1.1, where alignment is not known either, the reader has an error.
  Reader earlier(std::size_t position) const noexcept;
  /// What was kept of the TypeCodes that offsets have led to, for all readers of the message; null: nothing.
  ValueObject* typecodes() const noexcept {
    return values_.get() != nullptr ? values_.get()->typecodes : nullptr;
  }
  void keep_typecodes(ValueObject& kept) noexcept;  ///< once per message

  /// Releases the objects of the values that were read. Called after the last value of a message. After a bad message, the last
  /// reader also ends their references to each other, as nothing else would.
  void forget_values() noexcept {
    if (values_.get() != nullptr) [[unlikely]]
      let_go_of_values();
  }

 private:
  void let_go_of_values() noexcept;
  template <std::size_t Size>
  const std::uint8_t* take() noexcept {
    const std::size_t pad = padding(Size);
    if (static_cast<std::size_t>(end_ - cur_) < pad + Size) [[unlikely]]
      return take_slow(Size);
    const std::uint8_t* at = cur_ + pad;
    cur_ = at + Size;
    return at;
  }
  std::size_t padding(std::size_t alignment) const noexcept {
    return padding_to(reinterpret_cast<std::uintptr_t>(cur_) + shift_, alignment);
  }
  const std::uint8_t* take_slow(std::size_t size) noexcept;  // next segment, or the sticky error
  std::uint64_t get_slow(std::size_t size) noexcept;         // take_slow, then the value; 0 after an error
  bool next_segment() noexcept;
  bool next_chunk() noexcept;
  ReadValues* value_table() noexcept;
  bool at_chunk_boundary(std::uint32_t& tag) noexcept;
  bool pass_deep_end_tag(std::uint32_t tag) noexcept;
  void stop_here() noexcept { end_ = last_ = cur_; }
  std::size_t get_offset(std::size_t before) noexcept;
  std::string_view get_value_id() noexcept;
  void get_value_ids(ValueHeader& head) noexcept;
  void get_id_list(ValueHeader& head, bool indirect) noexcept;
  bool surplus_in_chunk() const noexcept;
  void skip_to_end_tag(bool skip_rest) noexcept;
  void skip_segments() noexcept;
  bool bad_boolean() noexcept;
  char get_converted_char(std::uint8_t octet) noexcept;
  void get_text(std::string& into, std::string_view wire, std::size_t bound) noexcept;
  void get_units_1_1(std::wstring& into) noexcept;
  void get_units_1_2(std::wstring& into) noexcept;
  bool wide_text_readable() noexcept;
  wchar_t get_lone_wchar() noexcept;
  wchar_t get_ucs4_wchar() noexcept;
  void get_ucs4(std::wstring& into) noexcept;
  void get_chars(char* into, std::size_t count) noexcept;
  void get_elements(std::uint8_t* into, std::size_t count, std::size_t size) noexcept;

  const std::uint8_t* cur_ = nullptr;
  const std::uint8_t* end_ = nullptr;  // of this segment
  std::uintptr_t shift_ = 0;           // address + shift_ is the position modulo 8
  const std::uint8_t* first_ = nullptr;
  const std::uint8_t* last_ = nullptr;  // of the whole body
  std::span<const Restart> restarts_;   // those ahead
  WireFormat format_;
  bool swap_ = false;
  bool plain_chars_ = false;
  // Members that a new reader sets to zero are side by side, since a reader is made for every message.
  Error error_;
  unsigned depth_ = 0;
  unsigned level_ = 0;                   // chunked values around the next byte
  const std::uint8_t* whole_ = nullptr;  // in a chunked value: the message's end, while last_ is the chunk's
  ReadValuesRef values_;
  unsigned ended_ = 0;  // not 0: an end tag has ended the values from this level on
  unsigned memory_taken_ = 0;
};

/// While one exists, values are read only to be skipped. At its end the objects made of them drop their references, so that circles are
/// freed; a later indirection to such a value makes another object. May be nested.
class Reader::Aside {
 public:
  explicit Aside(Reader& in) noexcept : table_(in.value_table()) {
    if (table_ == nullptr) return;
    ++table_->asides;
    mark_ = table_->set_aside.size();
  }
  ~Aside() {
    if (table_ == nullptr) return;
    table_->forget_from(mark_);
    --table_->asides;
  }
  Aside(const Aside&) = delete;
  Aside& operator=(const Aside&) = delete;

 private:
  ReadValues* table_;  // the reader's, which lives as long as the reader
  std::size_t mark_ = 0;
};

}  // namespace tenon::cdr
