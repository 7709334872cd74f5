// SPDX-License-Identifier: Apache-2.0
//
// DynAnys of value types and boxes (CORBA 3.4 part 1 §8.12.10, §8.12.11), whose state travels as part 2 §9.3.4 says.
#include "base/minor_codes.hpp"
#include "tenon/dynamic/dyn_any_factory.hpp"
#include "tenon/dynamic/dyn_constructed.hpp"
#include "types/compare.hpp"

namespace DynamicAny {
inline namespace cpp11 {

namespace types = tenon::types;
using tenon::cdr::Reader;
using tenon::cdr::ValueHeader;
using tenon::cdr::Writer;
using types::Kind;

bool DynValueCommon::is_null() {
  check_alive();
  parts();
  return null_;
}

bool DynValueCommon::_truncated() {
  parts();
  return truncated_;
}

void DynValueCommon::set_to_null() {
  check_alive();
  null_ = true;
  replace_parts({});
  current_ = -1;
}

void DynValueCommon::set_to_value() {
  if (!is_null()) return;
  Parts fresh;
  for (const types::Member* member : members()) fresh.push_back(component(part_type(*member->type)));
  replace_parts(std::move(fresh));
  null_ = false;
  current_ = 0;
}

void DynValueCommon::check_members() {
  if (is_null()) throw InvalidValue();
}

void DynValueCommon::split(Reader& in, Parts& parts) {
  const types::TypeCode& type = plain_type();
  const ValueHeader head = in.begin_value();
  null_ = head.kind == ValueHeader::Kind::null;
  truncated_ = !head.id.empty() && head.id != type.id;
  if (null_) return;
  // Here a value is alone, so there is no earlier one that an indirection could lead to.
  if (head.kind != ValueHeader::Kind::value || type.modifier == types::Modifier::custom) throw InvalidValue();
  for (const types::Member* member : members()) parts.push_back(read_component(in, *member->type));
  in.end_value(head, truncated_);
}

void DynValueCommon::write_head(Writer& out) {
  if (null_) return out.put_null_value();
  const types::TypeCode& type = plain_type();
  std::vector<std::string_view> ids{type.id};
  bool truncatable = type.modifier == types::Modifier::truncatable;
  for (const types::TypeCode* base = type.content;
       truncatable && type.kind != Kind::tk_value_box && base != nullptr && base->kind == Kind::tk_value;
       base = base->content) {
    ids.push_back(base->id);
    truncatable = base->modifier == types::Modifier::truncatable;
  }
  out.begin_value(nullptr, ids, ids.size() > 1);
}

void DynValueCommon::write_tail(Writer& out) {
  if (!null_) out.end_value();
}

namespace {

void add_state(const types::TypeCode& type, std::vector<const types::Member*>& all) {
  if (type.content != nullptr && type.content->kind == Kind::tk_value) add_state(*type.content, all);
  for (const types::Member& member : type.members) all.push_back(&member);
}

}  // namespace

DynMembers::Members DynValue::members() const {
  Members all;
  add_state(plain_type(), all);
  return all;
}

DynValueBox::DynValueBox(types::Any value)
    : DynValueCommon(std::move(value)), inside_{.name = {}, .type = plain_type().content} {}

CORBA::Any DynValueBox::get_boxed_value() { return get_boxed_value_as_dyn_any()->to_any(); }

DynAnyRef DynValueBox::get_boxed_value_as_dyn_any() {
  check_alive();
  check_members();
  return parts()[0];
}

void DynValueBox::set_boxed_value(const CORBA::Any& boxed) { set_members({{"", boxed}}); }

void DynValueBox::set_boxed_value_as_dyn_any(const DynAnyRef& boxed) { set_boxed_value(boxed->to_any()); }

}  // namespace cpp11
}  // namespace DynamicAny
