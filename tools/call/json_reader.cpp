// SPDX-License-Identifier: Apache-2.0
//
// CDR to JSON.
#include <cmath>

#include "base/fixed.hpp"
#include "base/minor_codes.hpp"
#include "mapping/cpp11/calls/call.hpp"
#include "tools/call/json_value.hpp"
#include "types/typecode_cdr.hpp"
#include "types/walker.hpp"

namespace tenon::call {

namespace {

/// JSON has no NaN, and no number with more digits than a double.
Json shown_real(long double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "Infinity" : "-Infinity";
  const auto rounded = static_cast<double>(value);
  if (rounded == value) return rounded;
  char text[64];
  std::snprintf(text, sizeof text, "%.21Lg", value);
  return text;
}

std::string to_utf8(const std::wstring& wide) {
  std::string text;
  for (const wchar_t each : wide) {
    const std::uint32_t point = std::char_traits<wchar_t>::to_int_type(each);
    if (point < 0x80) {
      text += static_cast<char>(point);
      continue;
    }
    const int more = point < 0x800 ? 1 : point < 0x10000 ? 2 : 3;
    text += static_cast<char>((0xFF00 >> (more + 1) & 0xFF) | point >> (6 * more));
    for (int i = more - 1; i >= 0; --i) text += static_cast<char>(0x80 | (point >> (6 * i) & 0x3F));
  }
  return text;
}

std::string utf8(wchar_t letter) { return to_utf8(std::wstring(1, letter)); }

}  // namespace

Json JsonReader::get(cdr::Reader& in, const TypeCode& given) {
  // A TypeCode in the message may claim any number of elements that take no octets.
  if (most_parts_ == 0) most_parts_ = 64 * in.ahead() + 65536;
  if (++parts_ > most_parts_) in.fail(errors::length_beyond_data);
  if (!in.good()) return nullptr;
  const TypeCode& type = unaliased(given);
  switch (type.kind) {
    case Kind::tk_boolean: return in.get<bool>();
    case Kind::tk_octet: return in.get<std::uint8_t>();
    case Kind::tk_short: return in.get<std::int16_t>();
    case Kind::tk_ushort: return in.get<std::uint16_t>();
    case Kind::tk_long: return in.get<std::int32_t>();
    case Kind::tk_ulong: return in.get<std::uint32_t>();
    case Kind::tk_longlong: return in.get<std::int64_t>();
    case Kind::tk_ulonglong: return in.get<std::uint64_t>();
    case Kind::tk_float: return shown_real(in.get<float>());
    case Kind::tk_double: return shown_real(in.get<double>());
    case Kind::tk_longdouble: return shown_real(in.get_long_double());
    case Kind::tk_char: return std::string(1, in.get<char>());
    case Kind::tk_wchar: return utf8(in.get_wchar());
    case Kind::tk_string: {
      std::string text;
      in.get_string(text, type.length);
      return text;
    }
    case Kind::tk_wstring: {
      std::wstring text;
      in.get_wstring(text, type.length);
      return to_utf8(text);
    }
    case Kind::tk_fixed: {
      Fixed value;
      in.get_fixed(value, type.digits, static_cast<unsigned>(type.scale));
      return value.to_string();
    }
    case Kind::tk_enum: {
      const auto ordinal = in.get<std::uint32_t>();
      if (ordinal < type.members.size()) return std::string(type.members[ordinal].name);
      in.fail(errors::value_out_of_range);
      return nullptr;
    }
    case Kind::tk_TypeCode: {
      const TypeRef read = types::read(in);
      return read ? Json(name_of(*read)) : Json();
    }
    case Kind::tk_any: return get_any(in);
    case Kind::tk_struct:
    case Kind::tk_except: return get_members(in, type);
    case Kind::tk_union: return get_union(in, type);
    case Kind::tk_sequence: return get_elements(in, type, in.get_length(0, type.length));
    case Kind::tk_array: return get_elements(in, type, type.length);
    case Kind::tk_objref: return get_reference(in);
    case Kind::tk_abstract_interface: return in.get<bool>() ? get_reference(in) : get_value(in, nullptr);
    case Kind::tk_value:
    case Kind::tk_value_box: return get_value(in, &type);
    case Kind::tk_void:
    case Kind::tk_null: return nullptr;
    default: in.fail(errors::no_values_in_any); return nullptr;
  }
}

Json JsonReader::get_members(cdr::Reader& in, const TypeCode& type) {
  Json members = Json::object();
  if (!in.enter()) return members;
  for (const Member& member : type.members) {
    if (in.good()) members[std::string(member.name)] = get(in, *member.type);
  }
  in.leave();
  return members;
}

Json JsonReader::get_union(cdr::Reader& in, const TypeCode& type) {
  Json parts = Json::object();
  if (!in.enter()) return parts;
  const TypeCode& discriminator = unaliased(*type.content);
  cdr::Reader again = in;
  parts["_d"] = get(in, discriminator);
  const Member* member =
      in.good() ? types::selected_member(type, types::read_label(again, discriminator)) : nullptr;
  if (member != nullptr) parts[std::string(member->name)] = get(in, *member->type);
  in.leave();
  return parts;
}

Json JsonReader::get_elements(cdr::Reader& in, const TypeCode& type, std::size_t count) {
  Json elements = Json::array();
  if (!in.enter()) return elements;
  for (std::size_t i = 0; i < count && in.good(); ++i) elements.push_back(get(in, *type.content));
  in.leave();
  return elements;
}

Json JsonReader::get_any(cdr::Reader& in) {
  Json parts = Json::object();
  if (!in.enter()) return parts;
  const TypeRef type = types::read(in);
  if (type) {
    parts["type"] = name_of(*type);
    parts["value"] = get(in, *type);
  }
  in.leave();
  return parts;
}

Json JsonReader::get_reference(cdr::Reader& in) {
  const auto object = gen::make_stub<CORBA::Object>(gen::get_reference(in));
  return object ? Json(orb_.object_to_string(object)) : Json();
}

/// JSON has no shared values: a value that is met again is written again, up to a limit, but not inside itself.
Json JsonReader::shared_value(std::size_t position) {
  constexpr std::size_t most = 4096;
  const auto found = known_.find(position);
  if (found == known_.end() || values_ + found->second.values > most) return "...";
  values_ += found->second.values;
  return found->second.json;
}

/// `declared`: null if values of any type may come.
Json JsonReader::get_value(cdr::Reader& in, const TypeCode* declared) {
  const cdr::ValueHeader head = in.begin_value();
  switch (head.kind) {
    case cdr::ValueHeader::Kind::bad:
    case cdr::ValueHeader::Kind::null: return nullptr;
    case cdr::ValueHeader::Kind::shared: return shared_value(head.position);
    case cdr::ValueHeader::Kind::value: break;
  }
  const std::size_t before = values_++;
  Json json = get_whole_value(in, head, declared);
  known_[head.position] = {json, values_ - before};
  return json;
}

Json JsonReader::get_whole_value(cdr::Reader& in, const cdr::ValueHeader& head, const TypeCode* declared) {
  TypeRef type;
  bool whole = true;
  const bool as_declared = declared != nullptr && (head.id.empty() || head.id == declared->id);
  if (as_declared) {
    type = TypeRef(*declared);
  } else {
    if (idl_ != nullptr) type = idl_->value_type(head.id);
    // If the type is not known here, the value is shown as a type to which it may be truncated.
    for (std::size_t i = 0; !type && i < head.bases.size(); ++i) {
      whole = false;
      if (declared != nullptr && head.bases[i] == declared->id) type = TypeRef(*declared);
      if (!type && idl_ != nullptr) type = idl_->value_type(head.bases[i]);
    }
  }
  Json json = Json::object();
  if (!as_declared) json["_type"] = type && whole ? name_of(*type) : std::string(head.id);
  const bool readable = type && type->modifier != types::Modifier::custom;
  if (!readable) {
    whole = false;
    json["..."] = "its state is not known here";
    if (!head.chunked) in.fail(errors::no_values_in_any);
  } else if (type->kind == Kind::tk_value_box) {
    Json inside = get(in, *type->content);
    if (as_declared) {
      json = std::move(inside);
    } else {
      json["_value"] = std::move(inside);
    }
  } else {
    get_state(in, *type, json);
  }
  in.end_value(head, !whole);
  return json;
}

void JsonReader::get_state(cdr::Reader& in, const TypeCode& type, Json& into) {
  if (type.content != nullptr && types::has_state(type.content->kind)) get_state(in, *type.content, into);
  for (const Member& member : type.members) {
    if (in.good()) into[std::string(member.name)] = get(in, *member.type);
  }
}

std::string JsonReader::name_of(const TypeCode& type) const {
  return idl_ != nullptr ? idl_->name_of(type) : types::text(type);
}

}  // namespace tenon::call
