// SPDX-License-Identifier: Apache-2.0
#include "tools/call/idl_types.hpp"

#include <vector>

#include "idl/model/query.hpp"
#include "tools/call/bad_input.hpp"
#include "types/create.hpp"

namespace tenon::call {

namespace model = idl::model;
using model::TypeKind;
using types::Kind;
using types::NewMember;
using types::TypeRef;

namespace {

TypeRef created(Result<TypeRef> made, const std::string& what) {
  if (!made) throw BadInput("no TypeCode can be made of " + what);
  return *std::move(made);
}

/// TypeCodes count in 32 bits.
std::uint32_t narrow(std::uint64_t bound) {
  if (bound > 0xFFFFFFFF) throw BadInput("a bound above 2^32 cannot be used here");
  return static_cast<std::uint32_t>(bound);
}

Kind basic_kind(TypeKind kind) {
  switch (kind) {
    case TypeKind::Void: return Kind::tk_void;
    case TypeKind::Boolean: return Kind::tk_boolean;
    case TypeKind::Char: return Kind::tk_char;
    case TypeKind::WChar: return Kind::tk_wchar;
    case TypeKind::Octet:
    case TypeKind::Int8:
    case TypeKind::UInt8: return Kind::tk_octet;
    case TypeKind::Short: return Kind::tk_short;
    case TypeKind::UShort: return Kind::tk_ushort;
    case TypeKind::Long: return Kind::tk_long;
    case TypeKind::ULong: return Kind::tk_ulong;
    case TypeKind::LongLong: return Kind::tk_longlong;
    case TypeKind::ULongLong: return Kind::tk_ulonglong;
    case TypeKind::Float: return Kind::tk_float;
    case TypeKind::Double: return Kind::tk_double;
    case TypeKind::LongDouble: return Kind::tk_longdouble;
    case TypeKind::Any: return Kind::tk_any;
    case TypeKind::TypeCode: return Kind::tk_TypeCode;
    default: return Kind::tk_null;
  }
}

/// The label as in types::Member: sign-extended.
std::uint64_t label_of(const model::Value& value) {
  switch (value.kind) {
    case model::ValueKind::Integer: return static_cast<std::uint64_t>(value.integer);
    case model::ValueKind::Unsigned: return value.unsigned_integer;
    case model::ValueKind::Boolean: return value.boolean ? 1 : 0;
    case model::ValueKind::Char:
    case model::ValueKind::WChar: return value.character;
    case model::ValueKind::Enumerator: return value.enumerator->ordinal;
    default: throw BadInput("a union label of a kind that is not known here");
  }
}

}  // namespace

TypeRef IdlTypes::type(const model::Type& type) {
  switch (type.kind) {
    case TypeKind::Object:
      return created(types::create_named(Kind::tk_objref, "IDL:omg.org/CORBA/Object:1.0", "Object"),
                     "Object");
    case TypeKind::ValueBase:
      return created(
          types::create_value("IDL:omg.org/CORBA/ValueBase:1.0", "ValueBase", types::Modifier::none, {}, {}),
          "ValueBase");
    case TypeKind::String:
      return created(types::create_text(Kind::tk_string, narrow(type.bound)), "a string");
    case TypeKind::WString:
      return created(types::create_text(Kind::tk_wstring, narrow(type.bound)), "a wstring");
    case TypeKind::Fixed:
      return created(types::create_fixed(type.digits, static_cast<std::int16_t>(type.scale)), "a fixed");
    case TypeKind::Sequence:
      return created(types::create_sequence(narrow(type.bound), this->type(*type.element)), "a sequence");
    case TypeKind::Array: {
      TypeRef made = this->type(*type.element);
      for (auto dimension = type.dimensions.rbegin(); dimension != type.dimensions.rend(); ++dimension)
        made = created(types::create_array(narrow(*dimension), made), "an array");
      return made;
    }
    case TypeKind::Map: {
      // GIOP has no map: a sequence of entries.
      const NewMember members[] = {{"key", this->type(*type.key)}, {"value", this->type(*type.element)}};
      const TypeRef entry = created(types::create_struct("", "", members), "a map");
      return created(types::create_sequence(narrow(type.bound), entry), "a map");
    }
    case TypeKind::Named: return of(*type.decl);
    default: return types::basic(basic_kind(type.kind));
  }
}

TypeRef IdlTypes::of(const model::Decl& decl) {
  if (const auto found = made_.find(&decl); found != made_.end()) return found->second;
  if (!being_made_.insert(&decl).second)
    return created(types::create_recursive(decl.repository_id), decl.scoped_name);
  TypeRef made = make(decl);
  being_made_.erase(&decl);
  made_.emplace(&decl, made);
  return made;
}

TypeRef IdlTypes::named(const model::Decl& decl, Kind kind) {
  return created(types::create_named(kind, decl.repository_id, decl.name), decl.scoped_name);
}

TypeRef IdlTypes::make(const model::Decl& decl) {
  std::vector<NewMember> members;
  const auto add = [&](const std::vector<model::Member>& own) {
    for (const model::Member& member : own) members.push_back({member.name, type(*member.type)});
  };
  if (const auto* it = model::as<model::Struct>(&decl)) {
    std::vector<const model::Struct*> chain;  // members of bases come first
    for (const model::Struct* each = it; each != nullptr; each = each->base)
      chain.insert(chain.begin(), each);
    for (const model::Struct* each : chain) add(each->members);
    return created(types::create_struct(decl.repository_id, decl.name, members), decl.scoped_name);
  }
  if (const auto* it = model::as<model::Exception>(&decl)) {
    add(it->members);
    return created(types::create_exception(decl.repository_id, decl.name, members), decl.scoped_name);
  }
  if (const auto* it = model::as<model::Union>(&decl)) return make_union(*it);
  if (const auto* it = model::as<model::Enum>(&decl)) {
    std::vector<std::string_view> names;
    for (const model::Enumerator* each : it->enumerators) names.push_back(each->name);
    return created(types::create_enum(decl.repository_id, decl.name, names), decl.scoped_name);
  }
  if (const auto* it = model::as<model::Typedef>(&decl))
    return created(types::create_alias(decl.repository_id, decl.name, type(*it->type)), decl.scoped_name);
  if (const auto* it = model::as<model::Bitmask>(&decl))
    return created(types::create_alias(decl.repository_id, decl.name, types::basic(basic_kind(it->carrier))),
                   decl.scoped_name);
  if (const auto* it = model::as<model::Bitset>(&decl))
    return created(types::create_alias(decl.repository_id, decl.name, types::basic(basic_kind(it->carrier))),
                   decl.scoped_name);
  if (const auto* it = model::as<model::Interface>(&decl)) {
    if (it->local) return named(decl, Kind::tk_local_interface);
    return named(decl, it->abstract ? Kind::tk_abstract_interface : Kind::tk_objref);
  }
  if (const auto* it = model::as<model::ValueBox>(&decl))
    return created(types::create_box(decl.repository_id, decl.name, type(*it->type)), decl.scoped_name);
  if (const auto* it = model::as<model::ValueType>(&decl)) return make_value(*it);
  if (model::as<model::Native>(&decl) != nullptr) return named(decl, Kind::tk_native);
  throw BadInput(decl.scoped_name + " is no type");
}

TypeRef IdlTypes::make_union(const model::Union& decl) {
  std::vector<NewMember> members;
  for (const model::UnionCase& each : decl.cases) {
    const TypeRef member = type(*each.member.type);
    for (const model::Value& label : each.labels)
      members.push_back({each.member.name, member, label_of(label)});
    if (each.is_default) members.push_back({each.member.name, member, 0, true});
  }
  return created(types::create_union(decl.repository_id, decl.name, type(*decl.discriminator), members),
                 decl.scoped_name);
}

TypeRef IdlTypes::make_value(const model::ValueType& decl) {
  std::vector<NewMember> members;
  for (const model::StateMember* each : decl.state) {
    members.push_back(
        {each->name, type(*each->type), 0, false,
         each->is_public ? types::Visibility::public_member : types::Visibility::private_member});
  }
  auto modifier = types::Modifier::none;
  if (decl.custom) modifier = types::Modifier::custom;
  if (decl.abstract) modifier = types::Modifier::abstract;
  if (decl.truncatable) modifier = types::Modifier::truncatable;
  TypeRef base;
  if (!decl.bases.empty() && !decl.bases.front()->abstract) base = of(*decl.bases.front());
  return created(types::create_value(decl.repository_id, decl.name, modifier, base, members),
                 decl.scoped_name);
}

}  // namespace tenon::call
