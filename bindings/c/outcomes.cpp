// SPDX-License-Identifier: Apache-2.0
//
// System exceptions as a tenon_error, and what becomes of exceptions of C++.
#include <algorithm>
#include <cstring>
#include <new>

#include "base/joined.hpp"
#include "base/minor_codes.hpp"
#include "bindings/c/handles.hpp"
#include "tenon/portable_server/poa.hpp"

namespace tenon::c {
namespace {

constexpr auto last_exception = SystemException::thread_cancelled;

constexpr SystemException exception_at(std::uint32_t number) noexcept {
  return number <= static_cast<std::uint32_t>(last_exception) ? static_cast<SystemException>(number)
                                                              : SystemException::none;
}

/// User exceptions of the ORB's own operations: callers of this interface know system exceptions.
Error error_of(const CORBA::UserException& exception) noexcept {
  const std::string_view id = exception._rep_id();
  if (id.ends_with("/AdapterInactive:1.0")) return {SystemException::bad_inv_order, Completion::no, 0};
  const bool of_adapter = id.starts_with("IDL:omg.org/PortableServer/");
  return {of_adapter ? SystemException::obj_adapter : SystemException::bad_param, Completion::no, 0};
}

void set_text(tenon_error* into, std::string_view text) noexcept {
  std::size_t size = std::min(text.size(), sizeof into->text - 1);
  // A character of several octets stays whole.
  while (size < text.size() && size != 0 && (static_cast<unsigned char>(text[size]) & 0xC0) == 0x80) --size;
  if (size != 0) std::memcpy(into->text, text.data(), size);
  into->text[size] = '\0';
}

}  // namespace

void tell(tenon_error* into, const Error& error, std::string_view text) {
  if (into == nullptr) return;
  into->exception = static_cast<std::uint32_t>(error.id);
  into->minor = error.minor;
  into->completed = static_cast<std::uint32_t>(error.completed);
  into->reserved = 0;
  set_text(into, text.empty() ? describe(error) : text);
}

tenon_status fail(tenon_error* into, const Error& error, std::string_view text) {
  tell(into, error, text);
  return TENON_SYSTEM_EXCEPTION;
}

tenon_status fail_with_current_exception(tenon_error* into) noexcept {
  try {
    throw;
  } catch (const CORBA::SystemException& exception) {
    return fail(into, exception._error(), exception.what());
  } catch (const CORBA::UserException& exception) {
    return fail(into, error_of(exception), exception.what());
  } catch (const std::bad_alloc&) {
    return fail(into, errors::out_of_memory);
  } catch (...) {
    return fail(into, errors::foreign_exception);
  }
}

Error error_of(const tenon_error& told) noexcept {
  const SystemException id = exception_at(told.exception);
  if (id == SystemException::none) return errors::foreign_exception.with(Completion::maybe);
  return {id, told.completed <= 2 ? static_cast<Completion>(told.completed) : Completion::maybe, told.minor};
}

void raise_fault(const poa::Fault& fault, const poa::Poa& poa, std::string_view subject) {
  using Kind = poa::Exception;
  if (fault.kind == Kind::invalid_policy)
    gen::raise_with_reason(
        {SystemException::inv_policy, Completion::no, 0},
        worded("the policy at place % of the list is wrong: %", {std::to_string(fault.index), fault.why}));
  gen::raise_one_of<Kind::adapter_already_exists, Kind::adapter_non_existent, Kind::object_already_active,
                    Kind::object_not_active, Kind::servant_already_active, Kind::servant_not_active,
                    Kind::wrong_adapter, Kind::wrong_policy, Kind::manager_inactive>(fault, &poa, subject);
}

void raise_null(const char* what) {
  gen::raise_with_reason({SystemException::bad_param, Completion::no, 0}, std::string(what) + " is null");
}

}  // namespace tenon::c

using tenon::SystemException;

uint32_t tenon_c_abi(void) { return TENON_C_ABI; }

const char* tenon_exception_id(uint32_t exception) {
  const SystemException id = tenon::c::exception_at(exception);
  return id == SystemException::none ? nullptr : tenon::repository_id(id).data();
}

void tenon_error_describe(tenon_error* error) {
  if (error == nullptr) return;
  const tenon::Error about{tenon::c::exception_at(error->exception), tenon::Completion::no, error->minor};
  tenon::c::set_text(error, tenon::describe(about));
}

uint32_t tenon_exception_count(void) { return static_cast<uint32_t>(tenon::c::last_exception); }

uint32_t tenon_exception_number(const char* repository_id) {
  return static_cast<uint32_t>(tenon::system_exception(repository_id != nullptr ? repository_id : ""));
}
