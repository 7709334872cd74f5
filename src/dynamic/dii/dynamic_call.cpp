// SPDX-License-Identifier: Apache-2.0
#include "dynamic/dii/dynamic_call.hpp"

#include <new>

#include "base/minor_codes.hpp"
#include "orb/client/invocation.hpp"
#include "orb/interception.hpp"
#include "protocol/reply_error.hpp"
#include "tenon/corba/exception.hpp"
#include "tenon/dynamic/any.hpp"

namespace tenon::dynamic {

void write_argument(cdr::Writer& out, const types::Any& value) {
  if (value.reader().remaining() == 0) {
    switch (types::unaliased(*value.type()).kind) {
      case types::Kind::tk_struct:  // may be empty
      case types::Kind::tk_array: break;
      default: return out.fail(errors::out_of_data);
    }
  }
  types::write_value(out, value, gen::passing_on);
}

Error current_error(Completion completed) noexcept {
  try {
    throw;
  } catch (const CORBA::SystemException& exception) {
    return exception._error();
  } catch (const std::bad_alloc&) {
    return errors::out_of_memory.with(completed);
  } catch (...) {
    return errors::foreign_exception.with(completed);
  }
}

void DynamicCall::run() noexcept {
  try {
    failure = call();
  } catch (...) {
    failure = current_error(Completion::maybe);
  }
  if (failure) outcome = Outcome::failed;
}

void DynamicCall::ended(const Status& done, protocol::ReplyStatus status, cdr::Reader* reply) noexcept {
  try {
    failure = done ? read(status, *reply) : done.error();
    if (!done) trail = Trail::mine().take();
  } catch (...) {
    failure = current_error(Completion::maybe);
  }
  if (failure) outcome = Outcome::failed;
}

protocol::CallSpec DynamicCall::described() const noexcept {
  protocol::CallSpec all = spec;
  all.operation = operation;
  all.has_arguments = false;
  for (const Argument& each : arguments) all.has_arguments |= travels_in(each.direction);
  return all;
}

void DynamicCall::put(cdr::Writer& out) const {
  for (const Argument& each : arguments) {
    if (travels_in(each.direction)) write_argument(out, each.value);
  }
}

Error DynamicCall::read(protocol::ReplyStatus status, cdr::Reader& in) {
  return status == protocol::ReplyStatus::user_exception ? read_exception(in) : take_results(in);
}

Error DynamicCall::call() {
  protocol::CallSpec described = this->described();
  const orb::DescribedCall scope(operation, *this);
  orb::Invocation invocation(*target, described);
  for (cdr::Writer* out = invocation.begin(); out != nullptr; out = invocation.send()) put(*out);
  if (!invocation.outcome()) {
    trail = Trail::mine().take();
    return invocation.outcome().error();
  }
  if (!oneway) return read(invocation.reply_status(), invocation.reply());
  outcome = Outcome::returned;
  return {};
}

// GIOP 1.2 §9.4.3.2: the return value, then inout and out in order.
Error DynamicCall::read_results(cdr::Reader& in, Results& into) const {
  if (result_type) into.returned = types::read_value(in, result_type, gen::passing_on);
  for (const Argument& each : arguments) {
    if (travels_out(each.direction))
      into.values.push_back(types::read_value(in, each.value.type(), gen::passing_on));
  }
  return in.good() ? Error() : protocol::in_reply(in.error()).with(Completion::yes);
}

Error DynamicCall::take_results(cdr::Reader& in) {
  Results results;
  if (const Error error = read_results(in, results)) return error;
  result = std::move(results.returned);
  auto next = results.values.begin();
  for (Argument& each : arguments) {
    if (travels_out(each.direction)) each.value = std::move(*next++);
  }
  outcome = Outcome::returned;
  return {};
}

// The repository id, then the members: the same form as an exception in an Any (part 2 §9.3.4).
Error DynamicCall::read_exception(cdr::Reader& in) {
  cdr::Reader ahead = in;
  const std::string_view id = ahead.get_raw_string();
  if (!ahead.good()) return protocol::in_reply(ahead.error()).with(Completion::yes);
  for (const types::TypeRef& type : exceptions) {
    if (type->id != id) continue;
    types::Any value = types::read_value(in, type, gen::passing_on);
    if (!in.good()) return protocol::in_reply(in.error()).with(Completion::yes);
    exception = std::move(value);
    outcome = Outcome::user_exception;
    return {};
  }
  return errors::unlisted_user_exception.with(Completion::yes);
}

}  // namespace tenon::dynamic
