// SPDX-License-Identifier: Apache-2.0
//
// Values on their way into and out of a message.
#include "tenon/corba/value.hpp"

#include <new>
#include <string>

#include "base/hex.hpp"
#include "base/log.hpp"
#include "tenon/corba/exception.hpp"
#include "tenon/corba/orb.hpp"
#include "tenon/corba/value_factory.hpp"

namespace tenon::gen {

namespace {

ValueRef make_value(std::string_view id, const ExpectedValue& expected) {
  if (expected.make != nullptr && id == expected.id) return ValueRef(expected.make());
  const auto factory = find_value_factory(current_orb(), id);
  return factory ? factory->create_for_unmarshal() : nullptr;
}

void get_state(cdr::Reader& in, const cdr::ValueHeader& head, CORBA::ValueBase& value, bool truncated) {
  in.value_made(head, value);  // before its state is read, which may refer to it
  value._get_state(in);
  in.end_value(head, truncated || value._value_info().custom);
}

/// Makes the value, or one of a base type to which it is truncated, and reads its state.
ValueRef read_state(cdr::Reader& in, const cdr::ValueHeader& head, const ExpectedValue& expected) {
  bool truncated = false;
  ValueRef value = make_value(head.id.empty() ? expected.id : head.id, expected);
  for (std::size_t i = 0; !value && head.chunked && i < head.bases.size(); ++i) {
    value = make_value(head.bases[i], expected);
    truncated = true;
  }
  if (!value) {
    if (log_enabled(LogLevel::warning))
      log(LogLevel::warning, "orb",
          "no factory for the value type '" + printable(head.id.empty() ? expected.id : head.id) + "'");
    in.fail(errors::no_value_factory);
    return nullptr;
  }
  get_state(in, head, *value, truncated);
  return value;
}

}  // namespace

void put_value(cdr::Writer& out, const CORBA::ValueBase* value) noexcept {
  if (value == nullptr) return out.put_null_value();
  if (out.put_shared_value(value)) return;
  const ValueInfo& info = value->_value_info();
  out.begin_value(value, info.ids, info.chunked(), value);
  if (!out.good()) return;
  try {
    value->_put_state(out);
  } catch (const CORBA::SystemException& exception) {
    out.fail(exception._error());
  } catch (const std::bad_alloc&) {
    out.fail(errors::out_of_memory);
  } catch (...) {
    out.fail(errors::foreign_exception);
  }
  out.end_value();
}

ValueRef get_value(cdr::Reader& in, const ExpectedValue& expected) {
  const cdr::ValueHeader head = in.begin_value();
  switch (head.kind) {
    case cdr::ValueHeader::Kind::bad:
    case cdr::ValueHeader::Kind::null: return nullptr;
    case cdr::ValueHeader::Kind::value: return read_state(in, head, expected);
    case cdr::ValueHeader::Kind::shared: break;
  }
  if (head.object != nullptr && !head.object->value_of_program())
    return ValueRef(static_cast<CORBA::ValueBase*>(head.object));
  // The earlier value was passed over, since it is in a part that a truncation left out, or in an Any.
  const auto here = in.seek_value(head.position);
  ValueRef value;
  if (in.good()) value = get_value(in, expected);
  in.return_to(here);
  return value;
}

bool carry_value(cdr::Reader& in, cdr::Writer* out, const cdr::ValueHeader& head, std::string_view expected) {
  if (head.kind == cdr::ValueHeader::Kind::shared) {
    if (head.object == nullptr || head.object->value_of_program()) return false;
    const auto* const value = static_cast<CORBA::ValueBase*>(head.object);
    if (out == nullptr || out->put_shared_value(value)) return true;
    const auto here = in.seek_value(head.position);  // counts as a second read, which bounds the work
    if (in.good()) put_value(*out, value);
    in.return_to(here);
    return true;
  }
  const auto factory = find_value_factory(current_orb(), head.id.empty() ? expected : head.id);
  const ValueRef value = factory ? factory->create_for_unmarshal() : nullptr;
  if (!value) return false;
  get_state(in, head, *value, false);
  if (in.good() && out != nullptr) put_value(*out, value.get());
  return true;
}

}  // namespace tenon::gen

namespace CORBA {
inline namespace cpp11 {

void ValueBase::value_clear() noexcept {
  try {
    _clear_state();
  } catch (...) {
    // An accessor of the application has thrown: then its references are kept.
  }
}

object_reference<Object> ValueBase::_get_value_def() const {
  return tenon::gen::interface_def(_value_info().ids.front());
}

valuetype_reference<ValueBase> ValueBase::_copy_value() const {
  tenon::cdr::Writer out;
  tenon::gen::put_value(out, this);
  if (!out.good()) tenon::gen::raise(out.error());
  tenon::cdr::Reader in(out.bytes(), out.format());
  auto copy = tenon::gen::get_value(in, {_value_info().ids.front(), nullptr});
  if (!in.good()) tenon::gen::raise(in.error());
  return copy;
}

}  // namespace cpp11
}  // namespace CORBA
