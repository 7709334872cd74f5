// SPDX-License-Identifier: Apache-2.0
#include "tools/call/json_value.hpp"

#include <cmath>
#include <limits>

#include "tools/call/bad_input.hpp"
#include "types/walker.hpp"

namespace tenon::call {

using CORBA::TCKind;
using CORBA::TypeCodeRef;
using DynamicAny::DynEnum;
using DynamicAny::DynFixed;
using DynamicAny::DynMembers;
using DynamicAny::DynSequence;
using DynamicAny::DynStruct;
using DynamicAny::DynUnion;
using DynamicAny::DynValue;
using DynamicAny::DynValueBox;

namespace {

template <typename Kind>
CORBA::object_reference<Kind> as(const DynAnyRef& value) {
  return IDL::traits<Kind>::narrow(value);
}

TypeCodeRef plain(TypeCodeRef type) {
  while (type->kind() == TCKind::tk_alias) type = type->content_type();
  return type;
}

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
    const auto point = static_cast<std::uint32_t>(each);
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

/// JSON's text is valid UTF-8: the parser has seen to that.
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

JsonValues::JsonValues(CORBA::ORB& orb, IdlFile* idl)
    : orb_(orb),
      idl_(idl),
      factory_(
          IDL::traits<DynamicAny::DynAnyFactory>::narrow(orb.resolve_initial_references("DynAnyFactory"))) {}

CORBA::Any JsonValues::read(const Json& json, const TypeCodeRef& type, const std::string& place) {
  try {
    const DynAnyRef value = factory_->create_dyn_any_from_type_code(type);
    fill(value, json, place);
    return value->to_any();
  } catch (const DynamicAny::DynAnyFactory::InconsistentTypeCode&) {
    throw BadInput(place + ": values of type " + name_of(type) + " cannot be sent");
  } catch (const DynamicAny::DynAny::InvalidValue&) {
    throw BadInput(place + ": longer than its bound, or text that cannot be sent");
  }
}

CORBA::Any JsonValues::read_word(const std::string& word, const TypeCodeRef& type, const std::string& place) {
  switch (plain(type)->kind()) {
    case TCKind::tk_string:
    case TCKind::tk_wstring:
    case TCKind::tk_char:
    case TCKind::tk_wchar:
    case TCKind::tk_enum:
    case TCKind::tk_fixed:
    case TCKind::tk_TypeCode:
    case TCKind::tk_objref:
      if (!word.starts_with('"') && word != "null") return read(Json(word), type, place);
      break;
    default: break;
  }
  const Json json = Json::parse(word, nullptr, false);
  if (json.is_discarded()) throw BadInput(place + ": " + word + " is not JSON");
  return read(json, type, place);
}

void JsonValues::fill(const DynAnyRef& into, const Json& json, const std::string& place) {
  switch (plain(into->type())->kind()) {
    case TCKind::tk_boolean:
      if (!json.is_boolean()) refuse(place, json, "boolean");
      return into->insert_boolean(json.get<bool>());
    case TCKind::tk_octet: return into->insert_octet(integer<std::uint8_t>(json, place, "octet"));
    case TCKind::tk_short: return into->insert_short(integer<std::int16_t>(json, place, "short"));
    case TCKind::tk_ushort: return into->insert_ushort(integer<std::uint16_t>(json, place, "unsigned short"));
    case TCKind::tk_long: return into->insert_long(integer<std::int32_t>(json, place, "long"));
    case TCKind::tk_ulong: return into->insert_ulong(integer<std::uint32_t>(json, place, "unsigned long"));
    case TCKind::tk_longlong: return into->insert_longlong(integer<std::int64_t>(json, place, "long long"));
    case TCKind::tk_ulonglong:
      return into->insert_ulonglong(integer<std::uint64_t>(json, place, "unsigned long long"));
    case TCKind::tk_float: return into->insert_float(static_cast<float>(real(json, place, "float")));
    case TCKind::tk_double: return into->insert_double(static_cast<double>(real(json, place, "double")));
    case TCKind::tk_longdouble: return into->insert_longdouble(real(json, place, "long double"));
    case TCKind::tk_struct:
    case TCKind::tk_except: return fill_struct(*as<DynStruct>(into), json, place);
    case TCKind::tk_union: return fill_union(*as<DynUnion>(into), json, place);
    case TCKind::tk_sequence:
    case TCKind::tk_array: return fill_elements(into, json, place);
    case TCKind::tk_any: return fill_any(into, json, place);
    case TCKind::tk_value:
      if (json.is_null()) return;  // the default value
      as<DynValue>(into)->set_to_value();
      return fill_struct(*as<DynValue>(into), json, place);
    case TCKind::tk_value_box:
      if (json.is_null()) return;
      as<DynValueBox>(into)->set_to_value();
      return fill(as<DynValueBox>(into)->get_boxed_value_as_dyn_any(), json, place);
    case TCKind::tk_objref:
      if (json.is_null()) return into->insert_reference(nullptr);
      [[fallthrough]];
    case TCKind::tk_char:
    case TCKind::tk_wchar:
    case TCKind::tk_string:
    case TCKind::tk_wstring:
    case TCKind::tk_fixed:
    case TCKind::tk_TypeCode:
    case TCKind::tk_enum: return fill_text(into, json, place);
    default:
      if (!json.is_null()) refuse(place, json, name_of(into->type()) + ", of which only null can be written");
      return;  // the default value is null
  }
}

void JsonValues::fill_text(const DynAnyRef& into, const Json& json, const std::string& place) {
  const TCKind kind = plain(into->type())->kind();
  std::string text;
  if (kind == TCKind::tk_fixed && json.is_number()) {
    text = json.dump();
  } else if (json.is_string()) {
    text = json.get<std::string>();
  } else {
    refuse(place, json, name_of(into->type()));
  }
  const std::wstring wide = kind == TCKind::tk_wchar || kind == TCKind::tk_wstring ? from_utf8(text) : L"";
  switch (kind) {
    case TCKind::tk_char:
      if (text.size() != 1) refuse(place, json, "char");
      return into->insert_char(text[0]);
    case TCKind::tk_wchar:
      if (wide.size() != 1) refuse(place, json, "wchar");
      return into->insert_wchar(wide[0]);
    case TCKind::tk_string: return into->insert_string(text);
    case TCKind::tk_wstring: return into->insert_wstring(wide);
    case TCKind::tk_TypeCode: return into->insert_typecode(type_named(text, place));
    case TCKind::tk_objref: try { return into->insert_reference(orb_.string_to_object(text));
      } catch (const CORBA::SystemException& exception) {
        throw BadInput(place + ": " + exception.what());
      }
    case TCKind::tk_enum: try { return as<DynEnum>(into)->set_as_string(text);
      } catch (const DynamicAny::DynAny::InvalidValue&) {
        refuse(place, json, name_of(into->type()));
      }
    default:
      try {
        if (as<DynFixed>(into)->set_value(text)) return;
      } catch (const CORBA::UserException&) {}
      refuse(place, json, name_of(into->type()));
  }
}

void JsonValues::fill_struct(DynMembers& into, const Json& json, const std::string& place) {
  if (!json.is_object()) refuse(place, json, name_of(into.type()));
  std::size_t used = 0;
  for (const auto& member : into.get_members_as_dyn_any()) {
    const auto found = json.find(member.id());
    if (found == json.end()) throw BadInput(place + ": member " + member.id() + " is missing");
    fill(member.value(), *found, place + "." + member.id());
    ++used;
  }
  if (used == json.size()) return;
  for (const auto& [name, value] : json.items()) {
    bool known = false;
    for (const auto& member : into.get_members_as_dyn_any()) known = known || member.id() == name;
    if (!known) throw BadInput(place + ": " + name_of(into.type()) + " has no member " + name);
  }
}

/// {"_d": 2, "about": ...}; without _d the member's first label.
void JsonValues::fill_union(DynUnion& into, const Json& json, const std::string& place) {
  if (!json.is_object() || json.empty() || json.size() > 2) refuse(place, json, name_of(into.type()));
  std::string name;
  for (const auto& [key, value] : json.items()) {
    if (key != "_d") name = key;
  }
  const TypeCodeRef type = plain(into.type());
  if (const auto discriminator = json.find("_d"); discriminator != json.end()) {
    const DynAnyRef label = factory_->create_dyn_any_from_type_code(type->discriminator_type());
    fill(label, *discriminator, place + "._d");
    into.set_discriminator(label);
  } else {
    std::uint32_t index = 0;
    while (index < type->member_count() && type->member_name(index) != name) ++index;
    if (index == type->member_count())
      throw BadInput(place + ": " + name_of(into.type()) + " has no member " + name);
    if (static_cast<std::int32_t>(index) == type->default_index()) {
      into.set_to_default_member();
    } else {
      into.set_discriminator(factory_->create_dyn_any(type->member_label(index)));
    }
  }
  if (name.empty() && into.has_no_active_member()) return;
  if (into.has_no_active_member() || into.member_name() != name)
    throw BadInput(place + ": the discriminator does not select member '" + name + "'");
  fill(into.member(), json.at(name), place + "." + name);
}

void JsonValues::fill_elements(const DynAnyRef& into, const Json& json, const std::string& place) {
  if (!json.is_array()) refuse(place, json, name_of(into->type()));
  if (const auto sequence = as<DynSequence>(into)) {
    const std::uint32_t bound = plain(into->type())->length();
    if (bound != 0 && json.size() > bound)
      throw BadInput(place + ": more elements than the bound of " + std::to_string(bound));
    sequence->set_length(static_cast<std::uint32_t>(json.size()));
  } else if (json.size() != into->component_count()) {
    throw BadInput(place + ": the array has " + std::to_string(into->component_count()) + " elements");
  }
  std::int32_t index = 0;
  for (const Json& element : json) {
    into->seek(index);
    fill(into->current_component(), element, place + "[" + std::to_string(index) + "]");
    ++index;
  }
}

/// {"type": "Shop::Item", "value": ...}
void JsonValues::fill_any(const DynAnyRef& into, const Json& json, const std::string& place) {
  if (!json.is_object() || !json.contains("type") || !json["type"].is_string())
    refuse(place, json, "any, which is {\"type\": \"name\", \"value\": ...}");
  const TypeCodeRef type = type_named(json["type"].get<std::string>(), place + ".type");
  into->insert_any(read(json.value("value", Json()), type, place + ".value"));
}

TypeCodeRef JsonValues::type_named(const std::string& name, const std::string& place) {
  if (idl_ == nullptr) throw BadInput(place + ": no IDL file says what " + name + " is");
  return TypeCodeRef(idl_->type(name));
}

std::string JsonValues::name_of(const TypeCodeRef& type) const {
  return idl_ != nullptr ? idl_->name_of(*type->_type()) : types::text(*type->_type());
}

// --- showing ---

Json JsonValues::show(const CORBA::Any& value) {
  values_left_ = 4096;
  return shown(factory_->create_dyn_any(value));
}

Json JsonValues::shown(const DynAnyRef& value) {
  switch (plain(value->type())->kind()) {
    case TCKind::tk_boolean: return value->get_boolean();
    case TCKind::tk_octet: return value->get_octet();
    case TCKind::tk_short: return value->get_short();
    case TCKind::tk_ushort: return value->get_ushort();
    case TCKind::tk_long: return value->get_long();
    case TCKind::tk_ulong: return value->get_ulong();
    case TCKind::tk_longlong: return value->get_longlong();
    case TCKind::tk_ulonglong: return value->get_ulonglong();
    case TCKind::tk_float: return shown_real(value->get_float());
    case TCKind::tk_double: return shown_real(value->get_double());
    case TCKind::tk_longdouble: return shown_real(value->get_longdouble());
    case TCKind::tk_char: return std::string(1, value->get_char());
    case TCKind::tk_wchar: return to_utf8(std::wstring(1, value->get_wchar()));
    case TCKind::tk_string: return value->get_string();
    case TCKind::tk_wstring: return to_utf8(value->get_wstring());
    case TCKind::tk_fixed: return as<DynFixed>(value)->get_value();
    case TCKind::tk_enum: return as<DynEnum>(value)->get_as_string();
    case TCKind::tk_TypeCode: return name_of(value->get_typecode());
    case TCKind::tk_any: return shown_any(value->get_any());
    case TCKind::tk_struct:
    case TCKind::tk_except: return shown_struct(*as<DynStruct>(value));
    case TCKind::tk_union: return shown_union(*as<DynUnion>(value));
    case TCKind::tk_value:
    case TCKind::tk_value_box: return shown_value(value);
    case TCKind::tk_objref: {
      const auto object = value->get_reference();
      return object ? Json(orb_.object_to_string(object)) : Json();
    }
    case TCKind::tk_sequence:
    case TCKind::tk_array: {
      Json elements = Json::array();
      const std::uint32_t count = value->component_count();
      for (std::uint32_t i = 0; i < count; ++i) {
        value->seek(static_cast<std::int32_t>(i));
        elements.push_back(shown(value->current_component()));
      }
      return elements;
    }
    default: return nullptr;
  }
}

Json JsonValues::shown_struct(DynMembers& value) {
  Json members = Json::object();
  for (const auto& member : value.get_members_as_dyn_any()) members[member.id()] = shown(member.value());
  return members;
}

/// A value may contain itself, which JSON cannot say: it ends somewhere.
Json JsonValues::shown_value(const DynAnyRef& value) {
  constexpr unsigned deepest = 64;
  if (depth_ == deepest || values_left_ == 0) return "...";
  ++depth_;
  --values_left_;
  Json json;
  if (const auto box = as<DynValueBox>(value)) {
    if (!box->is_null()) json = shown(box->get_boxed_value_as_dyn_any());
  } else if (const auto whole = as<DynValue>(value); !whole->is_null()) {
    json = shown_struct(*whole);
  }
  --depth_;
  return json;
}

Json JsonValues::shown_union(DynUnion& value) {
  Json parts = Json::object();
  parts["_d"] = shown(value.get_discriminator());
  if (!value.has_no_active_member()) parts[value.member_name()] = shown(value.member());
  return parts;
}

Json JsonValues::shown_any(const CORBA::Any& value) {
  Json parts = Json::object();
  parts["type"] = name_of(value.type());
  parts["value"] = shown(factory_->create_dyn_any(value));
  return parts;
}

}  // namespace tenon::call
