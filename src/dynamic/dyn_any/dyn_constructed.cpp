// SPDX-License-Identifier: Apache-2.0
#include "tenon/dynamic/dyn_constructed.hpp"

#include "tenon/dynamic/dyn_any_factory.hpp"
#include "types/compare.hpp"
#include "types/typecode_cdr.hpp"
#include "types/walker.hpp"

namespace DynamicAny {
inline namespace cpp11 {

namespace types = tenon::types;
using tenon::cdr::Reader;
using tenon::cdr::Writer;
using types::Kind;

// --- members ---

const types::Member& DynMembers::current_member() {
  check_alive();
  const Members all = members();
  if (all.empty()) throw TypeMismatch();
  if (current_ < 0 || component_count() == 0) throw InvalidValue();
  return *all[static_cast<std::size_t>(current_)];
}

FieldName DynMembers::current_member_name() { return FieldName(current_member().name); }

CORBA::TCKind DynMembers::current_member_kind() { return types::unaliased(*current_member().type).kind; }

NameDynAnyPairSeq DynMembers::get_members_as_dyn_any() {
  check_alive();
  check_members();
  const Members all = members();
  NameDynAnyPairSeq named;
  for (const DynAnyRef& part : parts()) named.emplace_back(FieldName(all[named.size()]->name), part);
  return named;
}

NameValuePairSeq DynMembers::get_members() {
  NameValuePairSeq named;
  for (const NameDynAnyPair& each : get_members_as_dyn_any())
    named.emplace_back(each.id(), each.value()->to_any());
  return named;
}

void DynMembers::set_members(const NameValuePairSeq& value) {
  check_alive();
  const Members all = members();
  if (value.size() != all.size()) throw InvalidValue();
  Parts fresh;
  for (const NameValuePair& each : value) {
    const types::Member& member = *all[fresh.size()];
    if (!each.id().empty() && !member.name.empty() && each.id() != member.name) throw TypeMismatch();
    fresh.push_back(adopted(each.value()._value(), part_type(*member.type)));
  }
  replace_parts(std::move(fresh));
  members_are_set();
  current_ = 0;
}

void DynMembers::set_members_as_dyn_any(const NameDynAnyPairSeq& value) {
  NameValuePairSeq named;
  for (const NameDynAnyPair& each : value) named.emplace_back(each.id(), each.value()->to_any());
  set_members(named);
}

// --- structs and exceptions ---

DynMembers::Members DynStruct::members() const {
  Members all;
  for (const types::Member& member : plain_type().members) all.push_back(&member);
  return all;
}

void DynStruct::split(Reader& in, Parts& parts) {
  const types::TypeCode& type = plain_type();
  if (type.kind == Kind::tk_except) types::take_exception_id(in, type.id);
  for (const types::Member& member : type.members) parts.push_back(read_component(in, *member.type));
}

void DynStruct::write_head(Writer& out) {
  if (plain_type().kind == Kind::tk_except) out.put_raw_string(plain_type().id);
}

// --- unions ---

namespace {

/// Whether two members are one case of the union: each label of a case is a member of its own.
bool same_case(const types::Member* a, const types::Member* b) noexcept {
  if (a == nullptr || b == nullptr) return a == b;
  return a == b || (a->type == b->type && a->name == b->name && !a->name.empty());
}

types::Any label_value(const types::TypeRef& type, std::uint64_t label) {
  Writer out(types::Any::memory_format());
  types::write_label(out, types::unaliased(*type), label);
  if (!out.good()) throw DynAny::InvalidValue();
  return {type, out.bytes(), out.format(), 0};
}

}  // namespace

void DynUnion::split(Reader& in, Parts& parts) {
  parts.push_back(read_component(in, *plain_type().content));
  active_ = types::selected_member(plain_type(), tenon::dynamic::label_of(parts[0]->_pack()));
  if (active_ != nullptr) parts.push_back(read_component(in, *active_->type));
}

void DynUnion::refresh(Parts& parts) {
  const types::Member* selected =
      types::selected_member(plain_type(), tenon::dynamic::label_of(parts[0]->_pack()));
  if (!same_case(selected, active_)) {
    parts.resize(1);
    if (selected != nullptr) parts.push_back(component(part_type(*selected->type)));
  }
  active_ = selected;
}

void DynUnion::set_label(std::uint64_t label, std::int32_t current) {
  parts()[0] = component(label_value(part_type(*plain_type().content), label));
  parts();
  current_ = current;
}

DynAnyRef DynUnion::get_discriminator() {
  check_alive();
  return parts()[0];
}

void DynUnion::set_discriminator(const DynAnyRef& d) {
  check_alive();
  const types::TypeRef type = part_type(*plain_type().content);
  DynAnyRef own = adopted(d->_pack(), type);
  parts()[0] = std::move(own);
  current_ = parts().size() > 1 ? 1 : 0;
}

void DynUnion::set_to_default_member() {
  check_alive();
  const types::TypeCode& type = plain_type();
  if (type.default_index < 0) throw TypeMismatch();
  const auto label = tenon::dynamic::unused_label(type);
  if (!label) throw TypeMismatch();
  set_label(*label, 0);
}

void DynUnion::set_to_no_active_member() {
  check_alive();
  const types::TypeCode& type = plain_type();
  const auto label = tenon::dynamic::unused_label(type);
  if (type.default_index >= 0 || !label) throw TypeMismatch();
  set_label(*label, 0);
}

bool DynUnion::has_no_active_member() {
  check_alive();
  return parts().size() == 1;
}

CORBA::TCKind DynUnion::discriminator_kind() {
  check_alive();
  return types::unaliased(*plain_type().content).kind;
}

const types::Member& DynUnion::active_member() {
  check_alive();
  if (parts().size() == 1) throw InvalidValue();
  return *active_;
}

DynAnyRef DynUnion::member() {
  active_member();
  return parts()[1];
}

FieldName DynUnion::member_name() { return FieldName(active_member().name); }

CORBA::TCKind DynUnion::member_kind() { return types::unaliased(*active_member().type).kind; }

// --- sequences and arrays ---

DynAnySeq DynElements::get_elements_as_dyn_any() {
  check_alive();
  return parts();
}

AnySeq DynElements::get_elements() {
  check_alive();
  AnySeq elements;
  for (const DynAnyRef& part : parts()) elements.push_back(part->to_any());
  return elements;
}

void DynElements::set_elements(const AnySeq& value) {
  check_alive();
  if (!takes(value.size())) throw InvalidValue();
  Parts parts;
  for (const CORBA::Any& each : value) parts.push_back(adopted(each._value(), element_type()));
  replace_parts(std::move(parts));
  current_ = 0;
}

void DynElements::set_elements_as_dyn_any(const DynAnySeq& value) {
  AnySeq elements;
  for (const DynAnyRef& each : value) elements.push_back(each->to_any());
  set_elements(elements);
}

std::uint32_t DynSequence::get_length() { return component_count(); }

void DynSequence::set_length(std::uint32_t len) {
  check_alive();
  if (!takes(len)) throw InvalidValue();
  Parts& all = parts();
  const std::size_t before = all.size();
  if (len < before) {
    all.resize(len);
    if (current_ >= static_cast<std::int32_t>(len)) current_ = -1;
    return;
  }
  if (len == before) return;
  const types::Any element = tenon::dynamic::default_value(element_type());
  all.reserve(len);
  while (all.size() < len) all.push_back(component(element));
  if (current_ < 0 || before == 0) current_ = static_cast<std::int32_t>(before);
}

void DynSequence::split(Reader& in, Parts& parts) {
  const std::size_t count = in.get_length(0, plain_type().length);
  for (std::size_t i = 0; i < count; ++i) parts.push_back(read_component(in, *plain_type().content));
}

void DynSequence::write_head(Writer& out) { out.put_length(parts().size()); }

void DynArray::split(Reader& in, Parts& parts) {
  for (std::uint32_t i = 0; i < plain_type().length; ++i) {
    parts.push_back(read_component(in, *plain_type().content));
  }
}

}  // namespace cpp11
}  // namespace DynamicAny
