// SPDX-License-Identifier: Apache-2.0
//
// A value of any type as it travels: its TypeCode, its CDR bytes, and what those were made for (wire format and phase).
//
// Bytes that came in a message are kept, and sent unchanged in a message with the same format and phase; for other messages the
// value is encoded anew. See AnySource for what bytes do not tell. Bytes are immutable and shared by copies; a few are kept in the
// object. Reading and writing leave errors in the reader or writer. One thread at a time per object; copies are independent.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "cdr/reader.hpp"
#include "cdr/writer.hpp"
#include "types/typecode.hpp"

namespace tenon::types {

/// Immutable bytes, in the object when they are few.
class SharedBytes {
 public:
  static constexpr std::size_t small = 32;

  SharedBytes() noexcept = default;
  explicit SharedBytes(ByteView bytes);
  ByteView view() const noexcept { return {block_ ? block_->bytes.data() : small_.data(), size_}; }

 private:
  struct Block final : RefCounted {
    explicit Block(ByteView from);
    std::vector<std::uint8_t> bytes;
  };

  std::size_t size_ = 0;
  alignas(8) std::array<std::uint8_t, small> small_{};
  Ref<const Block> block_;
};

/// What a program put into an Any, if it holds values (of value types) that the TypeCode does not fully describe: of a derived type,
/// or custom. The code that knows them writes them.
class AnySource : public RefCounted {
 public:
  /// Writes what was put into the Any, in its present state.
  virtual void put(cdr::Writer& out) const = 0;
};

class Any {
 public:
  /// Empty: tk_null.
  Any() noexcept : type_(basic(Kind::tk_null)) {}
  /// `bytes` are one value of `type`, made for `format`, the first at position `phase` modulo 8.
  Any(TypeRef type, ByteView bytes, cdr::WireFormat format, std::size_t phase);

  const TypeRef& type() const noexcept { return type_; }
  /// The value's bytes where reading starts; lives as long as the Any.
  cdr::Reader reader() const noexcept { return {bytes_.view(), format_, phase_}; }
  const cdr::WireFormat& format() const noexcept { return format_; }
  /// Null where the bytes tell all.
  const AnySource* source() const noexcept { return source_.get(); }
  void keep_source(Ref<const AnySource> source) noexcept { source_ = std::move(source); }
  /// Another TypeCode for the same bytes; the caller knows that the two are equivalent.
  void retype(TypeRef type) noexcept { type_ = std::move(type); }

  /// The format for values of this process until their message is known: memory's byte order, GIOP 1.2, and every char as its
  /// octet and every wchar_t as its number, unconverted.
  static cdr::WireFormat memory_format() noexcept;

 private:
  TypeRef type_;
  SharedBytes bytes_;
  Ref<const AnySource> source_;
  cdr::WireFormat format_;
  std::uint8_t phase_ = 0;
};

/// Whether a value of that type may have parts that are values.
bool may_hold_values(const TypeCode& type);

/// How values are skipped and copied into another message (skip() and copy() of walker.hpp). by_walker does it with the walker; layers
/// above may know faster ways (marshal/typecodes/programs.hpp).
struct Runner {
  void (*skip)(cdr::Reader& in, const TypeRef& type);
  void (*copy)(cdr::Reader& in, cdr::Writer& out, const TypeRef& type);
};
extern const Runner by_walker;

/// An any in a message: the TypeCode, then the value.
void write(cdr::Writer& out, const Any& any, const Runner& runner = by_walker);
/// Empty after an error.
Any read_any(cdr::Reader& in, const Runner& runner = by_walker);
/// The value alone, where the type is known otherwise: an argument or result of an operation.
void write_value(cdr::Writer& out, const Any& any, const Runner& runner = by_walker);
/// A value of that type; empty after an error.
Any read_value(cdr::Reader& in, const TypeRef& type, const Runner& runner = by_walker);
/// "long -7"
std::string text(const Any& any);

}  // namespace tenon::types
