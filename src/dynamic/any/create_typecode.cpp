// SPDX-License-Identifier: Apache-2.0
//
// ORB::create_struct_tc() and the functions for other types (CORBA 3.4 part 1 §8.11.3).
#include "base/minor_codes.hpp"
#include "tenon/corba/orb.hpp"
#include "tenon/dynamic/typecode_members.hpp"
#include "types/compare.hpp"
#include "types/create.hpp"
#include "types/typecode_cdr.hpp"

namespace CORBA {
inline namespace cpp11 {

namespace types = tenon::types;
namespace errors = tenon::errors;

namespace {

TypeCodeRef checked(const tenon::Result<types::TypeRef>& made) {
  if (!made) tenon::gen::raise(made.error());
  return TypeCodeRef(*made);
}

std::vector<types::NewMember> new_members(const StructMemberSeq& members) {
  std::vector<types::NewMember> made;
  made.reserve(members.size());
  for (const StructMember& member : members) made.push_back({member.name(), member.type()._type()});
  return made;
}

std::vector<types::NewMember> new_members(const ValueMemberSeq& members) {
  std::vector<types::NewMember> made;
  made.reserve(members.size());
  for (const ValueMember& member : members) {
    made.push_back({.name = member.name(),
                    .type = member.type()._type(),
                    .visibility = static_cast<types::Visibility>(member.access())});
  }
  return made;
}

/// CORBA 3.4 part 1 §8.11.3: the octet 0 is the label of the default case.
bool is_default_label(const types::Any& label) {
  if (types::unaliased(*label.type()).kind != TCKind::tk_octet) return false;
  tenon::cdr::Reader in = label.reader();
  return in.get<std::uint8_t>() == 0;
}

types::NewMember new_case(const UnionMember& member, const TypeCodeRef& discriminator) {
  types::NewMember made{member.name(), member.type()._type()};
  const types::Any& label = member.label()._value();
  if (is_default_label(label)) {
    made.otherwise = true;
    return made;
  }
  // a type that cannot be a discriminator is refused later, with a minor code of its own
  const bool comparable = discriminator && types::is_discriminator(*discriminator._type());
  if (!comparable) return made;
  if (!types::equivalent(*label.type(), *discriminator._type()))
    tenon::gen::raise(errors::incompatible_label);
  tenon::cdr::Reader in = label.reader();
  made.label = types::read_label(in, *discriminator._type());
  return made;
}

}  // namespace

TypeCodeRef ORB::create_struct_tc(const std::string& id, const std::string& name,
                                  const StructMemberSeq& members) {
  return checked(types::create_struct(id, name, new_members(members)));
}

TypeCodeRef ORB::create_exception_tc(const std::string& id, const std::string& name,
                                     const StructMemberSeq& members) {
  return checked(types::create_exception(id, name, new_members(members)));
}

TypeCodeRef ORB::create_union_tc(const std::string& id, const std::string& name,
                                 const TypeCodeRef& discriminator_type, const UnionMemberSeq& members) {
  std::vector<types::NewMember> made;
  made.reserve(members.size());
  for (const UnionMember& member : members) made.push_back(new_case(member, discriminator_type));
  return checked(types::create_union(id, name, discriminator_type._type(), made));
}

TypeCodeRef ORB::create_enum_tc(const std::string& id, const std::string& name,
                                const EnumMemberSeq& members) {
  const std::vector<std::string_view> enumerators(members.begin(), members.end());
  return checked(types::create_enum(id, name, enumerators));
}

TypeCodeRef ORB::create_alias_tc(const std::string& id, const std::string& name,
                                 const TypeCodeRef& original_type) {
  return checked(types::create_alias(id, name, original_type._type()));
}

TypeCodeRef ORB::create_interface_tc(const std::string& id, const std::string& name) {
  return checked(types::create_named(TCKind::tk_objref, id, name));
}

TypeCodeRef ORB::create_abstract_interface_tc(const std::string& id, const std::string& name) {
  return checked(types::create_named(TCKind::tk_abstract_interface, id, name));
}

TypeCodeRef ORB::create_local_interface_tc(const std::string& id, const std::string& name) {
  return checked(types::create_named(TCKind::tk_local_interface, id, name));
}

TypeCodeRef ORB::create_native_tc(const std::string& id, const std::string& name) {
  return checked(types::create_named(TCKind::tk_native, id, name));
}

TypeCodeRef ORB::create_component_tc(const std::string& id, const std::string& name) {
  return checked(types::create_named(TCKind::tk_component, id, name));
}

TypeCodeRef ORB::create_home_tc(const std::string& id, const std::string& name) {
  return checked(types::create_named(TCKind::tk_home, id, name));
}

TypeCodeRef ORB::create_string_tc(std::uint32_t bound) {
  return checked(types::create_text(TCKind::tk_string, bound));
}

TypeCodeRef ORB::create_wstring_tc(std::uint32_t bound) {
  return checked(types::create_text(TCKind::tk_wstring, bound));
}

TypeCodeRef ORB::create_fixed_tc(std::uint16_t digits, std::int16_t scale) {
  return checked(types::create_fixed(digits, scale));
}

TypeCodeRef ORB::create_sequence_tc(std::uint32_t bound, const TypeCodeRef& element_type) {
  return checked(types::create_sequence(bound, element_type._type()));
}

TypeCodeRef ORB::create_array_tc(std::uint32_t length, const TypeCodeRef& element_type) {
  return checked(types::create_array(length, element_type._type()));
}

TypeCodeRef ORB::create_value_tc(const std::string& id, const std::string& name, std::int16_t type_modifier,
                                 const TypeCodeRef& concrete_base, const ValueMemberSeq& members) {
  return checked(types::create_value(id, name, static_cast<types::Modifier>(type_modifier),
                                     concrete_base._type(), new_members(members)));
}

TypeCodeRef ORB::create_event_tc(const std::string& id, const std::string& name, std::int16_t type_modifier,
                                 const TypeCodeRef& concrete_base, const ValueMemberSeq& members) {
  return checked(types::create_value(id, name, static_cast<types::Modifier>(type_modifier),
                                     concrete_base._type(), new_members(members), TCKind::tk_event));
}

TypeCodeRef ORB::create_value_box_tc(const std::string& id, const std::string& name,
                                     const TypeCodeRef& boxed_type) {
  return checked(types::create_box(id, name, boxed_type._type()));
}

TypeCodeRef ORB::create_recursive_tc(const std::string& id) { return checked(types::create_recursive(id)); }

}  // namespace cpp11
}  // namespace CORBA
