// SPDX-License-Identifier: Apache-2.0
#include "types/any.hpp"

#include <algorithm>
#include <unordered_set>

#include "types/typecode_cdr.hpp"
#include "types/walker.hpp"

namespace tenon::types {
namespace {

bool is_of_values(Kind kind) noexcept {
  return is_value(kind) || kind == Kind::tk_abstract_interface || kind == Kind::tk_any;
}

bool depends_on_text(Kind kind) noexcept {
  switch (kind) {
    case Kind::tk_char:
    case Kind::tk_wchar:
    case Kind::tk_string:
    case Kind::tk_wstring:
    case Kind::tk_any:       // may hold text
    case Kind::tk_TypeCode:  // may hold wide labels
    case Kind::tk_value:     // may be of a derived type, whose text the TypeCode does not show
    case Kind::tk_value_box:
    case Kind::tk_event:
    case Kind::tk_abstract_interface:
    case Kind::tk_union: return true;  // its discriminator may be text
    default: return false;
  }
}

/// Whether the type, or one of its parts, is of a wanted kind.
bool holds(const TypeCode& root, bool (*wanted)(Kind) noexcept) {
  std::unordered_set<const TypeCode*> seen;
  std::vector<const TypeCode*> waiting{&root};
  while (!waiting.empty()) {
    const TypeCode* type = waiting.back();
    waiting.pop_back();
    if (wanted(type->kind)) return true;
    if (type->content == nullptr && type->members.empty()) continue;
    if (!seen.insert(type).second) continue;
    if (type->content != nullptr) waiting.push_back(type->content);
    for (const Member& member : type->members) {
      if (member.type != nullptr) waiting.push_back(member.type);
    }
  }
  return false;
}

constexpr auto no_target = static_cast<std::size_t>(-1);  // see Reader::take_lowest_target()

/// A value read into bytes of its own.
Any copied_value(cdr::Reader& in, const TypeRef& type, const Runner& runner) {
  cdr::Writer value(in.format());
  runner.copy(in, value, type);
  if (!in.good() || !value.good()) return {};
  return {type, value.bytes(), in.format(), 0};
}

}  // namespace

SharedBytes::Block::Block(ByteView from) : bytes(from.begin(), from.end()) {}

SharedBytes::SharedBytes(ByteView bytes) : size_(bytes.size()) {
  if (size_ <= small) {
    std::copy(bytes.begin(), bytes.end(), small_.begin());
  } else {
    block_ = make_ref<Block>(bytes);
  }
}

Any::Any(TypeRef type, ByteView bytes, cdr::WireFormat format, std::size_t phase)
    : type_(std::move(type)), bytes_(bytes), format_(format), phase_(static_cast<std::uint8_t>(phase & 7)) {}

cdr::WireFormat Any::memory_format() noexcept {
  // With ISO 8859-1 on both sides no octet is ever converted or refused. So the octets get their meaning only when the value is
  // written into a message. So do surrogates, which UCS-4 keeps apart from the characters that pairs of them stand for.
  return {.giop_minor = 2,
          .order = native_order,
          .chars = cdr::CodeSet::iso8859_1,
          .wchars = cdr::CodeSet::ucs4,
          .native = {cdr::CodeSet::iso8859_1, cdr::CodeSet::ucs2}};
}

bool may_hold_values(const TypeCode& type) { return holds(type, is_of_values); }

constexpr Runner by_walker{
    .skip = [](cdr::Reader& in, const TypeRef& type) { skip(in, *type); },
    .copy = [](cdr::Reader& in, cdr::Writer& out, const TypeRef& type) { copy(in, out, *type); },
};

void write(cdr::Writer& out, const Any& any, const Runner& runner) {
  write(out, *any.type());
  write_value(out, any, runner);
}

void write_value(cdr::Writer& out, const Any& any, const Runner& runner) {
  if (any.source() != nullptr) return any.source()->put(out);
  const TypeCode& type = *any.type();
  cdr::Reader in = any.reader();
  const cdr::WireFormat& from = any.format();
  const bool same_format =
      from == out.format() || (from.order == out.format().order && !holds(type, depends_on_text));
  // In a chunked value the headers of values are between chunks, so their bytes cannot be copied as one piece.
  const bool movable = in.phase() == out.phase() && !(out.in_chunks() && may_hold_values(type));
  if (same_format && movable) {
    out.put_octets(in.rest());
  } else {
    runner.copy(in, out, any.type());
  }
}

Any read_any(cdr::Reader& in, const Runner& runner) {
  const TypeRef type = read(in);
  if (!type) return {};
  return read_value(in, type, runner);
}

Any read_value(cdr::Reader& in, const TypeRef& type, const Runner& runner) {
  // Alignment restarts somewhere ahead, so the bytes would mean nothing by themselves.
  if (in.segmented()) return copied_value(in, type, runner);
  const std::size_t phase = in.phase();
  const std::size_t position = in.position();
  const ByteView ahead = in.rest();
  const cdr::Reader before = in;
  const std::size_t outer = in.take_lowest_target();
  runner.skip(in, type);
  if (!in.good()) return {};
  const std::size_t lowest = in.take_lowest_target();
  // What this value is a part of has to know, too.
  if (std::min(outer, lowest) != no_target) in.note_target(std::min(outer, lowest));
  if (lowest < position) {
    // An indirection leads to a value or repository id before this part of the message, or an offset to a TypeCode there, so the bytes
    // alone are not enough.
    in = before;
    return copied_value(in, type, runner);
  }
  return {type, ahead.first(ahead.size() - in.remaining()), in.format(), phase};
}

std::string text(const Any& any) {
  std::string out = text(*any.type()) + " ";
  cdr::Reader in = any.reader();
  print(in, out, *any.type());
  return out;
}

}  // namespace tenon::types
