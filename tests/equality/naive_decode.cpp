// SPDX-License-Identifier: Apache-2.0
#include <map>
#include <utility>

#include "tests/equality/naive.hpp"
#include "types/typecode_cdr.hpp"

namespace tenon::equality {
namespace {

using types::Kind;
using types::TypeCode;

class Cursor {
 public:
  explicit Cursor(const Message& message) : message_(message) {}

  bool failed = false;
  bool at_end() const { return position_ == message_.bytes.size(); }

  /// To where something of that size lies.
  void place(std::size_t octets, std::size_t alignment) {
    if (level_ != 0 && position_ == chunk_end_) {
      const std::uint64_t size = outside();
      if (size == 0 || size >= 0x7FFFFF00) failed = true;
      chunk_end_ = position_ + static_cast<std::size_t>(size);
    }
    while (true) {
      std::size_t begin = 0;
      std::size_t end = message_.bytes.size();
      for (const cdr::Restart& restart : message_.restarts) {
        if (restart.offset <= position_) begin = restart.offset;
        if (restart.offset > position_ && restart.offset < end) end = restart.offset;
      }
      const std::size_t in_message = begin == 0 ? message_.wire.phase + position_ : 12 + position_ - begin;
      const std::size_t pad = (alignment - in_message % alignment) % alignment;
      if (position_ + pad + octets <= end) {
        position_ += pad;
        return;
      }
      if (end == message_.bytes.size()) break;
      position_ = end;
    }
    failed = true;
  }
  std::uint64_t integer(unsigned octets) {
    place(octets, octets);
    if (failed) return 0;
    std::uint64_t value = 0;
    for (unsigned i = 0; i < octets; ++i) {
      const unsigned from_top = message_.wire.order == ByteOrder::big ? i : octets - 1 - i;
      value = value << 8 | message_.bytes[position_ + from_top];
    }
    position_ += octets;
    return value;
  }
  // --- values ---

  struct Head {
    std::uint32_t number = 0;
    bool again = false;
    bool chunked = false;
  };
  Head begin_value(const TypeCode& type) {
    Head head;
    const bool between = level_ != 0 && position_ == chunk_end_;
    std::uint64_t tag = between ? outside() : integer(4);
    if (between && tag != 0 && tag < 0x7FFFFF00) {
      chunk_end_ = position_ + static_cast<std::size_t>(tag);
      tag = integer(4);
    }
    const std::size_t at = position_ - 4;
    if (tag == 0 || failed) return head;
    if (tag == 0xFFFFFFFF) {
      head.again = true;
      const auto known = values_.find(target());
      if (known == values_.end()) failed = true;
      if (!failed) head.number = known->second;
      return head;
    }
    head.number = static_cast<std::uint32_t>(values_.size() + 1);
    head.chunked = (tag & 8) != 0;
    values_[at] = head.number;
    const unsigned level = std::exchange(level_, 0);  // the header stands in no chunk
    std::uint64_t count = (tag & 6) == 6 ? integer(4) : 1;
    if (repository_id() != type.id) failed = true;
    while (--count != 0 && !failed) repository_id();
    level_ = level;
    if (head.chunked) {
      ++level_;
      chunk_end_ = position_;
    }
    return head;
  }
  void end_value(const Head& head) {
    if (!head.chunked) return;
    if (position_ != chunk_end_) failed = true;
    if (outside() != static_cast<std::uint32_t>(0 - level_)) failed = true;
    --level_;
    chunk_end_ = position_;
  }

  std::uint64_t octet() { return integer(1); }
  std::uint64_t sign_extended(unsigned octets) {
    const unsigned unused = 64 - 8 * octets;
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(integer(octets) << unused) >> unused);
  }
  std::string octets(std::uint64_t count) {
    std::string text;
    for (; count != 0 && !failed; --count) text += static_cast<char>(octet());
    return text;
  }
  std::string text() {
    std::string text = octets(integer(4));
    if (text.empty() || text.back() != '\0') failed = true;
    if (!failed) text.pop_back();
    return text;
  }
  std::uint64_t wide_letter() {
    if (message_.wire.giop_minor < 2) return integer(2);
    if (octet() != 2) failed = true;
    const std::uint64_t high = octet();
    return high << 8 | octet();
  }
  std::wstring wide_text() {
    std::wstring text;
    const bool counted_in_octets = message_.wire.giop_minor >= 2;
    std::uint64_t left = integer(4);
    if (counted_in_octets) left /= 2;
    for (; left != 0 && !failed; --left) {
      std::uint64_t unit = 0;
      if (counted_in_octets) {
        unit = octet() << 8;
        unit |= octet();
      } else {
        unit = integer(2);
      }
      text += static_cast<wchar_t>(unit);
    }
    if (!counted_in_octets && !text.empty()) text.pop_back();
    return text;
  }
  types::TypeRef typecode() {
    cdr::Reader in(message_.bytes, message_.wire.format(), message_.wire.phase, message_.restarts);
    in.skip(position_);
    types::TypeRef type = types::read(in);
    position_ = in.position();
    if (!type) failed = true;
    return type;
  }
  std::string long_double() {
    place(1, 8);
    std::string text = octets(16);
    if (message_.wire.order == ByteOrder::little) text.assign(text.rbegin(), text.rend());
    return text;
  }

 private:
  /// A number between chunks.
  std::uint64_t outside() {
    const unsigned level = std::exchange(level_, 0);
    const std::uint64_t value = integer(4);
    level_ = level;
    return value;
  }
  /// Where an offset leads to, of four octets that stand here.
  std::size_t target() {
    const std::size_t here = (position_ + 3 + message_.wire.phase) / 4 * 4 - message_.wire.phase;
    return here + static_cast<std::size_t>(static_cast<std::int32_t>(integer(4)));
  }
  std::string repository_id() {
    place(4, 4);
    const std::size_t before = position_;
    if (integer(4) != 0xFFFFFFFF) {
      position_ = before;
      return text();
    }
    const std::size_t there = target();
    const std::size_t here = std::exchange(position_, there);
    std::string id = text();
    position_ = here;
    return id;
  }

  const Message& message_;
  std::size_t position_ = 0;
  std::map<std::size_t, std::uint32_t> values_;  // their numbers by where they begin
  unsigned level_ = 0;                           // chunked values around
  std::size_t chunk_end_ = 0;
};

std::string get_fixed(Cursor& cursor, const TypeCode& type) {
  std::string digits;
  for (unsigned left = type.digits / 2u + 1; left != 0; --left) {
    const std::uint64_t octet = cursor.octet();
    digits += static_cast<char>('0' + (octet >> 4));
    digits += static_cast<char>('0' + (octet & 15));
  }
  if (type.digits % 2 == 0) digits.erase(digits.begin());
  digits.back() = digits.back() == '\x3D' ? '-' : '+';
  return digits;
}

std::uint64_t get_label(Cursor& cursor, const TypeCode& discriminator) {
  switch (types::unaliased(discriminator).kind) {
    case Kind::tk_short: return cursor.sign_extended(2);
    case Kind::tk_long: return cursor.sign_extended(4);
    case Kind::tk_ushort: return cursor.integer(2);
    case Kind::tk_longlong:
    case Kind::tk_ulonglong: return cursor.integer(8);
    case Kind::tk_boolean:
    case Kind::tk_char:
    case Kind::tk_octet: return cursor.octet();
    case Kind::tk_wchar: return cursor.wide_letter();
    default: return cursor.integer(4);
  }
}

Data get(Cursor& cursor, const TypeCode& type);

void get_elements(Cursor& cursor, const TypeCode& type, std::uint64_t count, Data& data) {
  for (; count != 0 && !cursor.failed; --count) data.parts.push_back(get(cursor, *type.content));
}

void get_reference(Cursor& cursor, Data& data) {
  data.text = cursor.text();
  for (std::uint64_t left = cursor.integer(4); left != 0 && !cursor.failed; --left) {
    Data profile;
    profile.bits = cursor.integer(4);
    profile.text = cursor.octets(cursor.integer(4));
    data.parts.push_back(profile);
  }
}

void get_state(Cursor& cursor, const TypeCode& type, Data& data) {
  if (type.content != nullptr) get_state(cursor, *type.content, data);
  for (const types::Member& member : type.members) data.parts.push_back(get(cursor, *member.type));
}

Data get_value(Cursor& cursor, const TypeCode& type) {
  const Cursor::Head head = cursor.begin_value(type);
  Data data;
  data.value = head.number;
  data.again = head.again;
  if (data.value == 0 || data.again || cursor.failed) return data;
  if (type.kind == Kind::tk_value_box) {
    data.parts.push_back(get(cursor, *type.content));
  } else {
    get_state(cursor, type, data);
  }
  cursor.end_value(head);
  return data;
}

Data get(Cursor& cursor, const TypeCode& type) {
  Data data;
  switch (type.kind) {
    case Kind::tk_short: data.bits = cursor.sign_extended(2); break;
    case Kind::tk_long: data.bits = cursor.sign_extended(4); break;
    case Kind::tk_ushort: data.bits = cursor.integer(2); break;
    case Kind::tk_ulong:
    case Kind::tk_float:
    case Kind::tk_enum: data.bits = cursor.integer(4); break;
    case Kind::tk_longlong:
    case Kind::tk_ulonglong:
    case Kind::tk_double: data.bits = cursor.integer(8); break;
    case Kind::tk_boolean:
    case Kind::tk_char:
    case Kind::tk_octet: data.bits = cursor.octet(); break;
    case Kind::tk_wchar: data.bits = cursor.wide_letter(); break;
    case Kind::tk_string: data.text = cursor.text(); break;
    case Kind::tk_wstring: data.wide = cursor.wide_text(); break;
    case Kind::tk_fixed: data.text = get_fixed(cursor, type); break;
    case Kind::tk_longdouble: data.text = cursor.long_double(); break;
    case Kind::tk_alias: return get(cursor, *type.content);
    case Kind::tk_value:
    case Kind::tk_value_box: return get_value(cursor, type);
    case Kind::tk_except:
      if (cursor.text() != type.id) cursor.failed = true;
      [[fallthrough]];
    case Kind::tk_struct:
      for (const types::Member& member : type.members) data.parts.push_back(get(cursor, *member.type));
      break;
    case Kind::tk_union:
      data.bits = get_label(cursor, *type.content);
      if (const types::Member* member = naive_case(type, data.bits))
        data.parts.push_back(get(cursor, *member->type));
      break;
    case Kind::tk_sequence: get_elements(cursor, type, cursor.integer(4), data); break;
    case Kind::tk_array: get_elements(cursor, type, type.length, data); break;
    case Kind::tk_any:
      data.type = cursor.typecode();
      if (data.type) data.parts.push_back(get(cursor, *data.type));
      break;
    case Kind::tk_TypeCode: data.type = cursor.typecode(); break;
    case Kind::tk_objref: get_reference(cursor, data); break;
    default: cursor.failed = true; break;
  }
  return data;
}

}  // namespace

std::optional<Data> naive_decode(const types::TypeCode& type, const Message& message) {
  Cursor cursor(message);
  Data data = get(cursor, type);
  if (cursor.failed || !cursor.at_end()) return std::nullopt;
  return data;
}

}  // namespace tenon::equality
