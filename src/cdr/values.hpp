// SPDX-License-Identifier: Apache-2.0
//
// Value types in CDR (CORBA 3.4 part 2 §9.3.4): tags, what the header of a value says, and what the values of one message share.
//
//   value      = tag [code base] [repository ids] state  |  0 (null)  |  indirection offset (an earlier value)
//   ids        = string | count string...   each, and the whole list, may be an indirection to an earlier one
//   state      = octets | chunk... value... end tag      (chunked: chunks and nested values take turns)
//   chunk      = size, octets                            (1 .. 0x7FFFFEFF)
//   end tag    = -n                                      (ends the chunked values of nesting level n and deeper)
//
// Reader and Writer hide the chunks from code that reads or writes state. Types are not known here: an object is what the layer above
// makes of a value; a value without an object is only a position in the message. Tables belong to one message; one thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"

namespace tenon::cdr {

namespace value_tag {
inline constexpr std::uint32_t null = 0;
inline constexpr std::uint32_t indirection = 0xFFFFFFFF;
inline constexpr std::uint32_t base = 0x7FFFFF00;  // up to 0x7FFFFFFF, with these flags:
inline constexpr std::uint32_t code_base = 1;
inline constexpr std::uint32_t one_id = 2;
inline constexpr std::uint32_t id_list = 6;
inline constexpr std::uint32_t ids = 6;  // mask
inline constexpr std::uint32_t chunked = 8;
constexpr bool is_head(std::uint32_t tag) noexcept { return tag >= base && tag <= 0x7FFFFFFF; }
constexpr bool is_chunk_size(std::uint32_t tag) noexcept { return tag != 0 && tag < base; }
constexpr bool is_end(std::uint32_t tag) noexcept { return tag > 0x7FFFFFFF; }
}  // namespace value_tag

/// How deep values may be inside values, since each level needs stack. Deeper ones are MARSHAL, in reading and in writing.
inline constexpr unsigned deepest_value = 2048;

/// An object that a table keeps alive until the work on its message has ended.
class ValueObject {
 public:
  virtual void value_hold() const noexcept = 0;
  virtual void value_drop() const noexcept = 0;
  /// Which layer made it: marshal programs, or generated code. A message may be read by both.
  virtual bool value_of_program() const noexcept { return false; }
  /// Drops its references to other values, since it may be part of a circle: its message was bad, or it was only skipped.
  virtual void value_clear() noexcept {}

 protected:
  ValueObject() = default;
  ValueObject(const ValueObject&) = default;
  ValueObject& operator=(const ValueObject&) = default;
  ~ValueObject() = default;
};

/// What Reader::begin_value() found.
struct ValueHeader {
  enum class Kind : std::uint8_t {
    bad,     ///< the reader has an error
    null,    ///< and nothing follows
    shared,  ///< the value at `position`, which is `object` if one was made; nothing follows
    value    ///< state follows, and then end_value()
  };
  Kind kind = Kind::bad;
  bool chunked = false;
  std::size_t position = 0;             ///< of the tag: where indirections lead to
  ValueObject* object = nullptr;        ///< held by the table
  std::string_view id;                  ///< empty: the type that is expected here
  std::vector<std::string_view> bases;  ///< further ids, which a truncatable value may be read as
};

/// The values of a message that have been met while reading it, by position.
class ReadValues {
 public:
  struct Entry {
    std::size_t position;
    unsigned level;  // of chunks around it
    ValueObject* object;
  };

  ReadValues() = default;
  ReadValues(const ReadValues&) = delete;
  ReadValues& operator=(const ReadValues&) = delete;

  Entry* find(std::size_t position) noexcept;
  /// New positions must rise; adding an earlier one again changes nothing. An error: this one is new but not above the last one, or there
  /// is no memory.
  Error add(std::size_t position, unsigned level) noexcept;
  void set(std::size_t position, ValueObject* object) noexcept;
  /// Gives up the objects that were set since `mark` was the size of set_aside, and clears them.
  void forget_from(std::size_t mark) noexcept;
  /// Clears all objects.
  void clear() noexcept;

  unsigned depth = 0;
  std::size_t sought = 0;                             // bytes that were read again; see Reader::seek_value()
  std::size_t lowest = static_cast<std::size_t>(-1);  // see Reader::take_lowest_target()
  unsigned asides = 0;                                // see Reader::Aside
  std::vector<std::size_t> set_aside;                 // positions
  ValueObject* typecodes = nullptr;                   // see Reader::typecodes(); held

 private:
  friend class ReadValuesRef;
  ~ReadValues();

  std::vector<Entry> entries_;  // positions rise
  unsigned holders_ = 1;
};

/// The table of a reader and its copies; there is none before the first value.
class ReadValuesRef {
 public:
  ReadValuesRef() noexcept = default;
  ReadValuesRef(const ReadValuesRef& other) noexcept : values_(other.values_) {
    if (values_ != nullptr) ++values_->holders_;
  }
  ReadValuesRef(ReadValuesRef&& other) noexcept : values_(other.values_) { other.values_ = nullptr; }
  ReadValuesRef& operator=(ReadValuesRef other) noexcept {
    ReadValues* const mine = values_;
    values_ = other.values_;
    other.values_ = mine;
    return *this;
  }
  ~ReadValuesRef() {
    if (values_ != nullptr) [[unlikely]]
      drop();
  }
  ReadValues* get() const noexcept { return values_; }
  ReadValues* make() noexcept;  ///< the table, made if there is none; null: there is no memory
  void clear_if_last() noexcept;

 private:
  void drop() noexcept;
  ReadValues* values_ = nullptr;
};

struct WrittenValues;

/// The table of a writer (written_values.hpp); there is none before the first value.
class WrittenValuesRef {
 public:
  WrittenValuesRef() noexcept = default;
  WrittenValuesRef(WrittenValuesRef&& other) noexcept : values_(other.values_) { other.values_ = nullptr; }
  WrittenValuesRef& operator=(WrittenValuesRef&& other) noexcept {
    WrittenValues* const mine = values_;
    values_ = other.values_;
    other.values_ = mine;
    return *this;
  }
  ~WrittenValuesRef() {
    if (values_ != nullptr) [[unlikely]]
      drop();
  }
  explicit operator bool() const noexcept { return values_ != nullptr; }
  WrittenValues* get() const noexcept { return values_; }
  WrittenValues* operator->() const noexcept { return values_; }
  WrittenValues& operator*() const noexcept { return *values_; }
  void reset(WrittenValues* values = nullptr) noexcept {
    if (values_ != nullptr) drop();
    values_ = values;
  }

 private:
  void drop() noexcept;
  WrittenValues* values_ = nullptr;
};

}  // namespace tenon::cdr
