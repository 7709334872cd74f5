// SPDX-License-Identifier: Apache-2.0
#include <map>

#include "tests/equality/naive.hpp"

namespace tenon::equality {
namespace {

using types::Kind;
using types::TypeCode;

class Sheet {
 public:
  Sheet(const Wire& wire, std::span<const std::size_t> cuts) : cuts_(cuts) { message.wire = wire; }

  Message message;

  std::size_t size() const { return message.bytes.size(); }

  /// Padding, or a new fragment and its padding, for something of `octets` octets.
  void place(std::size_t octets, std::size_t alignment) {
    while (!cuts_.empty() && size() + pad(alignment) + octets > cuts_.front()) {
      if (size() <= cuts_.front() && size() != fragment_) {
        fragment_ = size();
        message.restarts.push_back({size(), 4});
      }
      cuts_ = cuts_.subspan(1);
    }
    for (std::size_t left = pad(alignment); left != 0; --left) message.bytes.push_back(0);
  }
  void octet(std::uint64_t value) {
    place(1, 1);
    message.bytes.push_back(static_cast<std::uint8_t>(value));
  }
  void integer(std::uint64_t value, unsigned octets) {
    place(octets, octets);
    for (unsigned i = 0; i < octets; ++i) {
      const unsigned from_top = message.wire.order == ByteOrder::big ? i : octets - 1 - i;
      message.bytes.push_back(static_cast<std::uint8_t>(value >> 8 * (octets - 1 - from_top)));
    }
  }
  void text(std::string_view text) {
    integer(text.size() + 1, 4);
    for (const char c : text) octet(static_cast<unsigned char>(c));
    octet(0);
  }
  void wide_letter(std::uint64_t unit) {
    if (message.wire.giop_minor < 2) return integer(unit, 2);
    octet(2);
    octet(unit >> 8);
    octet(unit);
  }
  void wide_text(const std::wstring& text) {
    if (message.wire.giop_minor < 2) {
      integer(text.size() + 1, 4);
      for (const wchar_t c : text) integer(static_cast<std::uint64_t>(c), 2);
      return integer(0, 2);
    }
    integer(2 * text.size(), 4);
    for (const wchar_t c : text) {
      octet(static_cast<std::uint64_t>(c) >> 8);
      octet(static_cast<std::uint64_t>(c));
    }
  }
  // --- values (§9.3.4): headers stand between chunks, which are as long as can be ---

  void indirection(std::size_t target) {
    integer(0xFFFFFFFF, 4);
    integer(target - size(), 4);
  }
  /// False: it stands there already.
  bool begin_value(std::uint32_t number, const std::vector<std::string_view>& ids) {
    if (const auto known = values_.find(number); known != values_.end()) {
      indirection(known->second);
      return false;
    }
    end_chunk();
    place(4, 4);
    values_[number] = size();
    const bool chunked = level_ != 0 || ids.size() > 1;
    integer(0x7FFFFF00 | (ids.size() == 1 ? 2 : 6) | (chunked ? 8 : 0), 4);
    if (ids.size() > 1) integer(ids.size(), 4);
    for (const std::string_view id : ids) repository_id(id);
    if (chunked) {
      ++level_;
      begin_chunk();
    }
    return true;
  }
  void end_value() {
    if (level_ == 0) return;
    end_chunk();
    integer(0 - std::uint64_t{level_}, 4);
    if (--level_ != 0) begin_chunk();
  }

  void label(const TypeCode& discriminator, std::uint64_t bits) {
    switch (types::unaliased(discriminator).kind) {
      case Kind::tk_short:
      case Kind::tk_ushort: return integer(bits, 2);
      case Kind::tk_longlong:
      case Kind::tk_ulonglong: return integer(bits, 8);
      case Kind::tk_boolean:
      case Kind::tk_char:
      case Kind::tk_octet: return octet(bits);
      case Kind::tk_wchar: return wide_letter(bits);
      default: return integer(bits, 4);
    }
  }

 private:
  void repository_id(std::string_view id) {
    place(4, 4);
    const auto [known, fresh] = ids_.emplace(id, size());
    if (fresh) {
      text(id);
    } else {
      indirection(known->second);
    }
  }
  void begin_chunk() {
    integer(0, 4);
    chunk_ = size();
  }
  void end_chunk() {
    if (chunk_ == 0) return;
    const std::size_t octets = size() - chunk_;
    if (octets == 0) {
      message.bytes.resize(chunk_ - 4);  // no chunk is empty
    } else {
      for (unsigned i = 0; i < 4; ++i) {
        const unsigned from_top = message.wire.order == ByteOrder::big ? i : 3 - i;
        message.bytes[chunk_ - 4 + i] = static_cast<std::uint8_t>(octets >> 8 * (3 - from_top));
      }
    }
    chunk_ = 0;
  }

  std::size_t pad(std::size_t alignment) const {
    const std::size_t position = fragment_ == 0 ? message.wire.phase + size() : 12 + size() - fragment_;
    return (alignment - position % alignment) % alignment;
  }

  std::span<const std::size_t> cuts_;
  std::size_t fragment_ = 0;  // where the present fragment began
  std::map<std::uint32_t, std::size_t> values_;
  std::map<std::string, std::size_t, std::less<>> ids_;
  unsigned level_ = 0;     // chunked values around
  std::size_t chunk_ = 0;  // where the open chunk's octets began; 0: none is open
};

/// One outermost TypeCode. Places count from its kind.
class TypeCodeSheet {
 public:
  void outermost(Sheet& sheet, const TypeCode& type) { at(sheet, type, 0); }

 private:
  // `sheet` is aligned for the kind, which is at `place`.
  void at(Sheet& sheet, const TypeCode& type, std::size_t place) {
    const auto number = static_cast<std::uint64_t>(type.kind);
    if (types::has_no_parameters(type.kind)) return sheet.integer(number, 4);
    if (type.kind == Kind::tk_fixed) {
      sheet.integer(number, 4);
      sheet.integer(type.digits, 2);
      return sheet.integer(static_cast<std::uint64_t>(type.scale), 2);
    }
    if (types::has_simple_parameters(type.kind)) {
      sheet.integer(number, 4);
      return sheet.integer(type.length, 4);
    }
    // Other kinds than these are offsets only inside themselves.
    const bool again = types::has_state(type.kind) || type.kind == Kind::tk_struct ||
                       type.kind == Kind::tk_union || type.kind == Kind::tk_alias ||
                       type.kind == Kind::tk_except;
    if (const auto [before, fresh] = places_.emplace(&type, place); !fresh) {
      sheet.integer(0xFFFFFFFF, 4);
      return sheet.integer(before->second - (place + 4), 4);
    }
    sheet.integer(number, 4);
    Wire inner = sheet.message.wire;
    inner.phase = 0;
    Sheet capsule(inner, {});
    capsule.octet(inner.order == ByteOrder::little ? 1 : 0);
    parameters(capsule, type, place + 8);
    sheet.integer(capsule.size(), 4);
    for (const std::uint8_t octet : capsule.message.bytes) sheet.octet(octet);
    if (!again) places_.erase(&type);
  }

  void nested(Sheet& capsule, const TypeCode& type, std::size_t start) {
    capsule.place(4, 4);
    at(capsule, type, start + capsule.size());
  }

  void parameters(Sheet& capsule, const TypeCode& type, std::size_t start) {
    if (types::has_id(type.kind)) {
      capsule.text(type.id);
      capsule.text(type.name);
    }
    const bool value = type.kind == Kind::tk_value;
    if (value) capsule.integer(static_cast<std::uint64_t>(type.modifier), 2);
    if (type.content != nullptr || value)
      nested(capsule, type.content != nullptr ? *type.content : types::basic(Kind::tk_null), start);
    if (type.kind == Kind::tk_sequence || type.kind == Kind::tk_array) capsule.integer(type.length, 4);
    if (type.kind == Kind::tk_union) capsule.integer(static_cast<std::uint64_t>(type.default_index), 4);
    if (!types::has_members(type.kind)) return;
    capsule.integer(type.members.size(), 4);
    for (std::size_t i = 0; i < type.members.size(); ++i) {
      const bool otherwise = static_cast<std::int64_t>(i) == type.default_index;
      // NOLINTNEXTLINE(clang-analyzer-core.NonNullParamChecker): a union has a discriminator
      if (type.kind == Kind::tk_union) capsule.label(*type.content, otherwise ? 0 : type.members[i].label);
      capsule.text(type.members[i].name);
      if (type.kind != Kind::tk_enum) nested(capsule, *type.members[i].type, start);
      if (value) capsule.integer(static_cast<std::uint64_t>(type.members[i].visibility), 2);
    }
  }

  std::map<const TypeCode*, std::size_t> places_;
};

void put_fixed(Sheet& sheet, const TypeCode& type, const std::string& digits_and_sign) {
  std::string halves = digits_and_sign.substr(0, type.digits);
  if (type.digits % 2 == 0) halves.insert(halves.begin(), '0');
  halves += digits_and_sign.back() == '-' ? '\x3D' : '\x3C';  // 0xD and 0xC behind '0'
  for (std::size_t i = 0; i < halves.size(); i += 2)
    sheet.octet(static_cast<unsigned>(halves[i] - '0') << 4 | static_cast<unsigned>(halves[i + 1] - '0'));
}

void put(Sheet& sheet, const TypeCode& type, const Data& data);

void put_reference(Sheet& sheet, const Data& data) {
  sheet.text(data.text);
  sheet.integer(data.parts.size(), 4);
  for (const Data& profile : data.parts) {
    sheet.integer(profile.bits, 4);
    sheet.integer(profile.text.size(), 4);
    for (const char octet : profile.text) sheet.octet(static_cast<unsigned char>(octet));
  }
}

void put_state(Sheet& sheet, const TypeCode& type, const Data& data, std::size_t& next) {
  if (type.content != nullptr) put_state(sheet, *type.content, data, next);
  for (const types::Member& member : type.members) put(sheet, *member.type, data.parts[next++]);
}

void put_value(Sheet& sheet, const TypeCode& type, const Data& data) {
  if (data.value == 0) return sheet.integer(0, 4);
  std::vector<std::string_view> ids{type.id};
  const TypeCode* one = &type;
  while (one->kind == Kind::tk_value && one->modifier == types::Modifier::truncatable) {
    one = one->content;
    ids.push_back(one->id);
  }
  if (!sheet.begin_value(data.value, ids)) return;
  std::size_t next = 0;
  if (type.kind == Kind::tk_value_box) {
    put(sheet, *type.content, data.parts[0]);
  } else {
    put_state(sheet, type, data, next);
  }
  sheet.end_value();
}

void put(Sheet& sheet, const TypeCode& type, const Data& data) {
  switch (type.kind) {
    case Kind::tk_short:
    case Kind::tk_ushort: return sheet.integer(data.bits, 2);
    case Kind::tk_long:
    case Kind::tk_ulong:
    case Kind::tk_float:
    case Kind::tk_enum: return sheet.integer(data.bits, 4);
    case Kind::tk_longlong:
    case Kind::tk_ulonglong:
    case Kind::tk_double: return sheet.integer(data.bits, 8);
    case Kind::tk_boolean:
    case Kind::tk_char:
    case Kind::tk_octet: return sheet.octet(data.bits);
    case Kind::tk_wchar: return sheet.wide_letter(data.bits);
    case Kind::tk_string: return sheet.text(data.text);
    case Kind::tk_wstring: return sheet.wide_text(data.wide);
    case Kind::tk_fixed: return put_fixed(sheet, type, data.text);
    case Kind::tk_longdouble:
      sheet.place(1, 8);  // above 8 octets, so it may be broken between fragments
      for (std::size_t i = 0; i < 16; ++i) {
        const char octet = data.text[sheet.message.wire.order == ByteOrder::big ? i : 15 - i];
        sheet.octet(static_cast<unsigned char>(octet));
      }
      return;
    case Kind::tk_alias: return put(sheet, *type.content, data);
    case Kind::tk_except: sheet.text(type.id); [[fallthrough]];
    case Kind::tk_struct:
      for (std::size_t i = 0; i < type.members.size(); ++i) put(sheet, *type.members[i].type, data.parts[i]);
      return;
    case Kind::tk_union:
      sheet.label(*type.content, data.bits);
      if (const types::Member* member = naive_case(type, data.bits)) put(sheet, *member->type, data.parts[0]);
      return;
    case Kind::tk_sequence: sheet.integer(data.parts.size(), 4); [[fallthrough]];
    case Kind::tk_array:
      for (const Data& element : data.parts) put(sheet, *type.content, element);
      return;
    case Kind::tk_any:
      TypeCodeSheet().outermost(sheet, *data.type);
      return put(sheet, *data.type, data.parts[0]);
    case Kind::tk_TypeCode: return TypeCodeSheet().outermost(sheet, *data.type);
    case Kind::tk_objref: return put_reference(sheet, data);
    case Kind::tk_value:
    case Kind::tk_value_box: return put_value(sheet, type, data);
    default: return;
  }
}

}  // namespace

Message naive_encode(const types::TypeCode& type, const Data& data, const Wire& wire,
                     std::span<const std::size_t> cuts) {
  Sheet sheet(wire, cuts);
  put(sheet, type, data);
  return std::move(sheet.message);
}

}  // namespace tenon::equality
