// SPDX-License-Identifier: Apache-2.0
//
// JSON to CDR.
#include <limits>

#include "base/fixed.hpp"
#include "base/minor_codes.hpp"
#include "mapping/cpp11/calls/call.hpp"
#include "tools/call/bad_input.hpp"
#include "tools/call/json_value.hpp"
#include "types/any.hpp"
#include "types/typecode_cdr.hpp"
#include "types/walker.hpp"

namespace tenon::call {

namespace {

constexpr std::string_view value_base = "IDL:omg.org/CORBA/ValueBase:1.0";

[[noreturn]] void refuse(const std::string& place, const Json& json, const std::string& wanted) {
  std::string shown = json.dump(-1, ' ', false, Json::error_handler_t::replace);
  if (shown.size() > 40) shown = shown.substr(0, 37) + "...";
  throw BadInput(place + ": " + shown + " is no " + wanted);
}

template <typename T>
T integer(const Json& json, const std::string& place, const char* type) {
  if (json.is_number_unsigned()) {
    const auto value = json.get<std::uint64_t>();
    if (value <= static_cast<std::uint64_t>(std::numeric_limits<T>::max())) return static_cast<T>(value);
  } else if (json.is_number_integer()) {
    const auto value = json.get<std::int64_t>();
    if (std::is_signed_v<T> && value >= static_cast<std::int64_t>(std::numeric_limits<T>::min()))
      return static_cast<T>(value);
  }
  refuse(place, json, type);
}

long double real(const Json& json, const std::string& place, const char* type) {
  if (json.is_number()) return json.get<double>();
  if (json.is_string()) {
    const auto& text = json.get_ref<const std::string&>();
    if (text == "NaN") return std::numeric_limits<long double>::quiet_NaN();
    if (text == "Infinity") return std::numeric_limits<long double>::infinity();
    if (text == "-Infinity") return -std::numeric_limits<long double>::infinity();
    char* end = nullptr;
    const long double value = std::strtold(text.c_str(), &end);
    if (!text.empty() && *end == '\0') return value;
  }
  refuse(place, json, type);
}

/// Text in JSON is valid UTF-8: the parser has checked that.
std::wstring from_utf8(const std::string& text) {
  std::wstring wide;
  for (std::size_t i = 0; i < text.size();) {
    auto point = static_cast<std::uint32_t>(static_cast<unsigned char>(text[i++]));
    int more = point >= 0xF0 ? 3 : point >= 0xE0 ? 2 : point >= 0xC0 ? 1 : 0;
    if (more != 0) point &= 0x3Fu >> more;
    for (; more > 0 && i < text.size(); --more)
      point = point << 6 | (static_cast<unsigned char>(text[i++]) & 0x3Fu);
    wide += static_cast<wchar_t>(point);
  }
  return wide;
}

}  // namespace

Json argument(const std::string& word, const TypeCode& type, const std::string& place) {
  switch (unaliased(type).kind) {
    case Kind::tk_string:
    case Kind::tk_wstring:
    case Kind::tk_char:
    case Kind::tk_wchar:
    case Kind::tk_enum:
    case Kind::tk_fixed:
    case Kind::tk_TypeCode:
    case Kind::tk_objref:
      if (!word.starts_with('"') && word != "null") return word;
      break;
    case Kind::tk_abstract_interface:
      if (!word.starts_with('"') && !word.starts_with('{') && word != "null") return word;
      break;
    default: break;
  }
  Json json = Json::parse(word, nullptr, false);
  if (json.is_discarded()) throw BadInput(place + ": " + word + " is not JSON");
  return json;
}

void JsonWriter::put(cdr::Writer& out, const Json& json, const TypeCode& given, const std::string& place) {
  const TypeCode& type = unaliased(given);
  switch (type.kind) {
    case Kind::tk_boolean:
      if (!json.is_boolean()) refuse(place, json, "boolean");
      return out.put(json.get<bool>());
    case Kind::tk_octet: return out.put(integer<std::uint8_t>(json, place, "octet"));
    case Kind::tk_short: return out.put(integer<std::int16_t>(json, place, "short"));
    case Kind::tk_ushort: return out.put(integer<std::uint16_t>(json, place, "unsigned short"));
    case Kind::tk_long: return out.put(integer<std::int32_t>(json, place, "long"));
    case Kind::tk_ulong: return out.put(integer<std::uint32_t>(json, place, "unsigned long"));
    case Kind::tk_longlong: return out.put(integer<std::int64_t>(json, place, "long long"));
    case Kind::tk_ulonglong: return out.put(integer<std::uint64_t>(json, place, "unsigned long long"));
    case Kind::tk_float: return out.put(static_cast<float>(real(json, place, "float")));
    case Kind::tk_double: return out.put(static_cast<double>(real(json, place, "double")));
    case Kind::tk_longdouble: return out.put_long_double(real(json, place, "long double"));
    case Kind::tk_struct:
    case Kind::tk_except: return put_members(out, json, type, place);
    case Kind::tk_union: return put_union(out, json, type, place);
    case Kind::tk_sequence:
    case Kind::tk_array: return put_elements(out, json, type, place);
    case Kind::tk_any: return put_any(out, json, place);
    case Kind::tk_abstract_interface: return put_abstract(out, json, type, place);
    case Kind::tk_value:
    case Kind::tk_value_box: return put_value(out, json, type, place);
    case Kind::tk_objref:
      if (json.is_null()) return gen::put_reference(out, nullptr);
      [[fallthrough]];
    case Kind::tk_char:
    case Kind::tk_wchar:
    case Kind::tk_string:
    case Kind::tk_wstring:
    case Kind::tk_fixed:
    case Kind::tk_TypeCode:
    case Kind::tk_enum: put_text(out, json, type, place); break;
    case Kind::tk_void:
    case Kind::tk_null:
      if (!json.is_null()) refuse(place, json, name_of(given) + ", of which only null can be written");
      return;
    default: throw BadInput(place + ": values of type " + name_of(given) + " cannot be sent");
  }
  if (!out.good()) throw BadInput(place + ": longer than its bound, or text that cannot be sent");
}

void JsonWriter::put_text(cdr::Writer& out, const Json& json, const TypeCode& type,
                          const std::string& place) {
  std::string text;
  if (type.kind == Kind::tk_fixed && json.is_number()) {
    text = json.dump();
  } else if (json.is_string()) {
    text = json.get<std::string>();
  } else {
    refuse(place, json, name_of(type));
  }
  const std::wstring wide =
      type.kind == Kind::tk_wchar || type.kind == Kind::tk_wstring ? from_utf8(text) : L"";
  const auto check_bound = [&](std::size_t size) {
    if (type.length != 0 && size > type.length) out.fail_over_bound(size, type.length);
  };
  switch (type.kind) {
    case Kind::tk_char:
      if (text.size() != 1) refuse(place, json, "char");
      return out.put_char(text[0]);
    case Kind::tk_wchar:
      if (wide.size() != 1) refuse(place, json, "wchar");
      return out.put_wchar(wide[0]);
    case Kind::tk_string: check_bound(text.size()); return out.put_string(text);
    case Kind::tk_wstring: check_bound(wide.size()); return out.put_wstring(wide);
    case Kind::tk_TypeCode: return types::write(out, *type_named(text, place));
    case Kind::tk_objref: return put_reference(out, text, place);
    case Kind::tk_enum:
      for (std::size_t i = 0; i < type.members.size(); ++i) {
        if (type.members[i].name == text) return out.put(static_cast<std::uint32_t>(i));
      }
      refuse(place, json, name_of(type));
    default: break;
  }
  const Result<Fixed> parsed = Fixed::parse(text);
  const auto scale = static_cast<unsigned>(type.scale);
  const Result<Fixed> fitting = parsed ? (*parsed).as(type.digits, scale) : parsed;
  if (!fitting || *fitting != *parsed) refuse(place, json, name_of(type));
  out.put_fixed(*fitting, type.digits, scale);
}

void JsonWriter::put_reference(cdr::Writer& out, const std::string& text, const std::string& place) {
  auto known = objects_.find(text);
  if (known == objects_.end()) {
    try {
      known = objects_.emplace(text, orb_.string_to_object(text)).first;
    } catch (const CORBA::Exception& exception) {
      throw BadInput(place + ": " + exception.what());
    }
  }
  gen::put_reference(out, known->second.get());
}

void JsonWriter::put_members(cdr::Writer& out, const Json& json, const TypeCode& type,
                             const std::string& place) {
  if (!json.is_object()) refuse(place, json, name_of(type));
  std::size_t used = put_state(out, json, type, place);
  const bool may_say_type = types::has_state(type.kind);
  if (may_say_type && json.contains("_type")) ++used;
  if (used >= json.size()) return;
  for (const auto& [name, value] : json.items()) {
    bool known = may_say_type && name == "_type";
    for (const TypeCode* each = &type; each != nullptr && !known;
         each = types::has_state(each->kind) ? each->content : nullptr) {
      for (const Member& member : each->members) known = known || member.name == name;
    }
    if (!known) throw BadInput(place + ": " + name_of(type) + " has no member " + name);
  }
}

/// Writes the members of a struct, or the state of a value, those of bases first. Returns how many.
std::size_t JsonWriter::put_state(cdr::Writer& out, const Json& json, const TypeCode& type,
                                  const std::string& place) {
  std::size_t used = 0;
  if (types::has_state(type.kind) && type.content != nullptr && types::has_state(type.content->kind))
    used = put_state(out, json, *type.content, place);
  for (const Member& member : type.members) {
    const std::string name(member.name);
    const auto found = json.find(name);
    if (found == json.end()) throw BadInput(place + ": member " + name + " is missing");
    put(out, *found, *member.type, place + "." + name);
    ++used;
  }
  return used;
}

namespace {

/// A value of the discriminator that no case has.
std::uint64_t unused_label(const TypeCode& type) {
  std::uint64_t label = 0;
  const auto is_used = [&](std::uint64_t wanted) {
    for (std::size_t i = 0; i < type.members.size(); ++i) {
      if (static_cast<std::int32_t>(i) != type.default_index && type.members[i].label == wanted) return true;
    }
    return false;
  };
  while (is_used(label)) ++label;
  return label;
}

}  // namespace

/// {"_d": 2, "about": ...}; without _d the member's first label.
void JsonWriter::put_union(cdr::Writer& out, const Json& json, const TypeCode& type,
                           const std::string& place) {
  if (!json.is_object() || json.empty() || json.size() > 2) refuse(place, json, name_of(type));
  std::string name;
  for (const auto& [key, value] : json.items()) {
    if (key != "_d") name = key;
  }
  const TypeCode& discriminator = unaliased(*type.content);
  std::uint64_t label = 0;
  if (const auto given = json.find("_d"); given != json.end()) {
    cdr::Writer alone(types::Any::memory_format());
    put(alone, *given, discriminator, place + "._d");
    cdr::Reader back(alone.bytes(), types::Any::memory_format());
    label = types::read_label(back, discriminator);
  } else {
    std::size_t index = 0;
    while (index < type.members.size() && type.members[index].name != name) ++index;
    if (index == type.members.size()) throw BadInput(place + ": " + name_of(type) + " has no member " + name);
    const bool by_default = static_cast<std::int32_t>(index) == type.default_index;
    label = by_default ? unused_label(type) : type.members[index].label;
  }
  const Member* selected = types::selected_member(type, label);
  if (selected == nullptr ? !name.empty() : selected->name != name)
    throw BadInput(place + ": the discriminator does not select member '" + name + "'");
  types::write_label(out, discriminator, label);
  if (selected != nullptr) put(out, json.at(name), *selected->type, place + "." + name);
}

void JsonWriter::put_elements(cdr::Writer& out, const Json& json, const TypeCode& type,
                              const std::string& place) {
  if (!json.is_array()) refuse(place, json, name_of(type));
  if (type.kind == Kind::tk_sequence) {
    if (type.length != 0 && json.size() > type.length)
      throw BadInput(place + ": more elements than the bound of " + std::to_string(type.length));
    out.put_length(json.size());
  } else if (json.size() != type.length) {
    throw BadInput(place + ": the array has " + std::to_string(type.length) + " elements");
  }
  std::size_t index = 0;
  for (const Json& element : json)
    put(out, element, *type.content, place + "[" + std::to_string(index++) + "]");
}

/// {"type": "Shop::Item", "value": ...}
void JsonWriter::put_any(cdr::Writer& out, const Json& json, const std::string& place) {
  if (!json.is_object() || !json.contains("type") || !json["type"].is_string())
    refuse(place, json, "any, which is {\"type\": \"name\", \"value\": ...}");
  const TypeRef type = type_named(json["type"].get<std::string>(), place + ".type");
  types::write(out, *type);
  put(out, json.value("value", Json()), *type, place + ".value");
}

/// A reference, or a value of a type that supports the interface (CORBA 3.4 part 2 §9.3.9.1).
void JsonWriter::put_abstract(cdr::Writer& out, const Json& json, const TypeCode& type,
                              const std::string& place) {
  out.put(json.is_string());
  if (json.is_string()) return put_reference(out, json.get<std::string>(), place);
  if (!json.is_null() && !json.is_object())
    refuse(place, json, name_of(type) + ", which is a reference or a value");
  put_value(out, json, type, place);
}

/// The type that the value names, else the expected one.
TypeRef JsonWriter::value_type(const Json& json, const TypeCode& declared, const std::string& place) {
  const bool concrete = declared.kind != Kind::tk_abstract_interface && declared.id != value_base &&
                        declared.modifier != types::Modifier::abstract;
  if (json.is_object() && json.contains("_type") && declared.kind != Kind::tk_value_box) {
    if (!json["_type"].is_string()) refuse(place + "._type", json["_type"], "name of a value type");
    const std::string name = json["_type"].get<std::string>();
    TypeRef said = type_named(name, place + "._type");
    const bool fits = types::has_state(said->kind) || said->kind == Kind::tk_value_box;
    if (!fits || (declared.id != value_base && !idl_->derives(said->id, declared.id)))
      throw BadInput(place + "._type: " + name + " is no " + name_of(declared));
    return said;
  }
  if (concrete) return TypeRef(declared);
  throw BadInput(place + ": " + name_of(declared) +
                 " is abstract; say what it is: {\"_type\": \"Module::Name\", ...}");
}

void JsonWriter::put_value(cdr::Writer& out, const Json& json, const TypeCode& declared,
                           const std::string& place) {
  if (json.is_null()) return out.put_null_value();
  const TypeRef kept = value_type(json, declared, place);
  const TypeCode& type = *kept;
  if (type.modifier == types::Modifier::custom)
    throw BadInput(place + ": the state of " + name_of(type) + " is its own program's (custom)");
  if (type.modifier == types::Modifier::abstract)
    throw BadInput(place + ": " + name_of(type) + " is abstract");
  std::vector<std::string_view> ids{type.id};
  bool truncatable = type.modifier == types::Modifier::truncatable;
  for (const TypeCode* base = type.content; truncatable && base != nullptr && base->kind == Kind::tk_value;
       base = base->content) {
    ids.push_back(base->id);
    truncatable = base->modifier == types::Modifier::truncatable;
  }
  out.begin_value(nullptr, ids, ids.size() > 1);
  if (type.kind == Kind::tk_value_box) {
    const bool said = &type != &declared;  // {"_type": ..., "_value": ...}
    // NOLINTNEXTLINE(clang-analyzer-core.NonNullParamChecker): a box has one
    put(out, said ? json.value("_value", Json()) : json, *type.content, place);
  } else {
    put_members(out, json, type, place);
  }
  out.end_value();
}

TypeRef JsonWriter::type_named(const std::string& name, const std::string& place) {
  if (idl_ == nullptr) throw BadInput(place + ": no IDL file says what " + name + " is");
  return idl_->type(name);
}

std::string JsonWriter::name_of(const TypeCode& type) const {
  return idl_ != nullptr ? idl_->name_of(type) : types::text(type);
}

}  // namespace tenon::call
