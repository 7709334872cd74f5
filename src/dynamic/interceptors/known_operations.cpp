// SPDX-License-Identifier: Apache-2.0
#include "dynamic/interceptors/known_operations.hpp"

#include <algorithm>
#include <mutex>

#include "base/log.hpp"
#include "dynamic/interceptors/interception_chain.hpp"
#include "mapping/cpp11/calls/watched_call.hpp"
#include "mapping/cpp11/corba/usage.hpp"
#include "tenon/dynamic/named_value.hpp"

namespace tenon::dynamic {

namespace {

types::TypeRef exception_type(const CORBA::TypeCodeRef& type) {
  if (!type) gen::raise(errors::bad_typecode_argument);
  if (type->_type()->kind != types::Kind::tk_except) gen::raise(errors::not_an_exception);
  return type->_type();
}

Direction direction_of(Dynamic::ParameterMode mode) noexcept {
  switch (mode) {
    case Dynamic::ParameterMode::PARAM_IN: return Direction::in;
    case Dynamic::ParameterMode::PARAM_OUT: return Direction::out;
    case Dynamic::ParameterMode::PARAM_INOUT: break;
  }
  return Direction::inout;
}

Dynamic::ParameterMode mode_of(Direction direction) noexcept {
  switch (direction) {
    case Direction::in: return Dynamic::ParameterMode::PARAM_IN;
    case Direction::out: return Dynamic::ParameterMode::PARAM_OUT;
    case Direction::inout: break;
  }
  return Dynamic::ParameterMode::PARAM_INOUT;
}

std::shared_ptr<const Signature> signature_of(const OperationSignature& operation) {
  auto made = std::make_shared<Signature>();
  if (operation.result && operation.result->kind() != CORBA::TCKind::tk_void)
    made->result = operation.result->_type();
  for (const ParameterSignature& each : operation.parameters) {
    if (!each.type) gen::raise(errors::bad_typecode_argument);
    made->parameters.push_back({direction_of(each.mode), each.type->_type()});
  }
  for (const CORBA::TypeCodeRef& each : operation.exceptions) {
    made->exceptions.push_back(exception_type(each));
  }
  return made;
}

[[noreturn]] void does_not_fit() {
  gen::raise_with_reason(errors::not_in_this_binding,
                         "the operation's values are not of the types that were made known to interceptors");
}

CORBA::Any read(cdr::Reader& in, const types::TypeRef& type) {
  CORBA::Any any;
  any._value(types::read_value(in, type, gen::passing_on));
  if (!in.good()) does_not_fit();
  return any;
}

template <typename Table, typename Key>
KnownTypes::Found found_in(const Table& table, const Key& interface, std::string_view name) {
  const auto operations = table.find(interface);
  if (operations == table.end()) return nullptr;
  const auto found = operations->second.find(name);
  return found == operations->second.end() ? nullptr : found->second;
}

}  // namespace

Dynamic::ParameterList Signature::shown(cdr::Reader in, const cdr::Reader* out) const {
  Dynamic::ParameterList all;
  for (const Parameter& each : parameters) {
    Dynamic::Parameter& shown = all.emplace_back();
    shown.mode(mode_of(each.direction));
    shown.argument(travels_in(each.direction) ? read(in, each.type)
                                              : only_type(CORBA::TypeCodeRef(each.type)));
  }
  if (in.remaining() != 0) does_not_fit();
  if (out == nullptr) return all;
  cdr::Reader results(*out);
  if (result) static_cast<void>(read(results, result));
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (travels_out(parameters[i].direction)) all[i].argument(read(results, parameters[i].type));
  }
  return all;
}

CORBA::Any Signature::returned(cdr::Reader out) const {
  return result ? read(out, result) : only_type(CORBA::_tc_void);
}

void KnownTypes::add_exception(const CORBA::TypeCodeRef& type) {
  types::TypeRef plain = exception_type(type);
  std::string id(plain->id);
  const std::lock_guard lock(mutex_);
  exceptions_.insert_or_assign(std::move(id), std::move(plain));
}

void KnownTypes::add_operations(const std::type_info& interface, std::string_view id,
                                const std::vector<OperationSignature>& operations) {
  Operations made;
  for (const OperationSignature& each : operations) made.insert_or_assign(each.name, signature_of(each));
  const std::lock_guard lock(mutex_);
  Operations& of_class = by_class_[interface];
  Operations& of_id = by_id_[std::string(id)];
  for (const auto& [name, signature] : made) {
    of_class.insert_or_assign(name, signature);
    of_id.insert_or_assign(name, signature);
    for (const types::TypeRef& each : signature->exceptions)
      exceptions_.insert_or_assign(std::string(each->id), each);
  }
  has_operations_.store(true, std::memory_order_release);
}

types::TypeRef KnownTypes::exception(std::string_view id) const {
  const std::shared_lock lock(mutex_);
  const auto found = exceptions_.find(id);
  return found == exceptions_.end() ? types::TypeRef() : found->second;
}

KnownTypes::Found KnownTypes::operation(const std::type_info& interface, std::string_view name) const {
  if (!has_operations()) return nullptr;
  const std::shared_lock lock(mutex_);
  return found_in(by_class_, std::type_index(interface), name);
}

KnownTypes::Found KnownTypes::operation(std::string_view interface_id, std::string_view name) const {
  if (!has_operations()) return nullptr;
  const std::shared_lock lock(mutex_);
  return found_in(by_id_, interface_id, name);
}

}  // namespace tenon::dynamic

namespace tenon {

void show_exception_to_interceptors(const CORBA::ORB& orb, const CORBA::TypeCodeRef& type) {
  dynamic::chain_of(orb._core())->known.add_exception(type);
}

namespace gen {

void show_operations(const CORBA::ORB& orb, const std::type_info& interface, std::string_view id,
                     const std::vector<OperationSignature>& operations) {
  dynamic::chain_of(orb._core())->known.add_operations(interface, id, operations);
  watch_calls(calls_described);
}

void check_operations(std::string_view id, const std::vector<OperationSignature>& operations,
                      const std::vector<OperationSignature>& all) {
  for (const OperationSignature& each : operations) {
    if (std::ranges::find(all, each.name, &OperationSignature::name) != all.end()) continue;
    std::string text =
        "show_operations_to_interceptors: " + std::string(id) + " has no operation '" + each.name + "', but";
    for (const OperationSignature& known : all)
      text += (&known == &all.front() ? " '" : ", '") + known.name + '\'';
    advise("interceptors", all.empty() ? text + " none" : text);
  }
}

}  // namespace gen
}  // namespace tenon
