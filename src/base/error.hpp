// SPDX-License-Identifier: Apache-2.0
//
// System exceptions as data (CORBA 3.4 part 1 §A): the standard's exception, a minor code and a completion
// status. Lower layers return these; only the mapping turns them into C++ exceptions. Trivially copyable, no
// heap.
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>
#include <variant>

namespace tenon {

enum class SystemException : std::uint8_t {
  none = 0,
  unknown,
  bad_param,
  no_memory,
  imp_limit,
  comm_failure,
  inv_objref,
  no_permission,
  internal,
  marshal,
  initialize,
  no_implement,
  bad_typecode,
  bad_operation,
  no_resources,
  no_response,
  persist_store,
  bad_inv_order,
  transient,
  free_mem,
  inv_ident,
  inv_flag,
  intf_repos,
  bad_context,
  obj_adapter,
  data_conversion,
  object_not_exist,
  transaction_required,
  transaction_rolledback,
  invalid_transaction,
  inv_policy,
  codeset_incompatible,
  rebind,
  timeout,
  transaction_unavailable,
  transaction_mode,
  bad_qos,
  invalid_activity,
  activity_completed,
  activity_required,
  thread_cancelled,
};

/// Wire values of CORBA::CompletionStatus (CORBA 3.4 part 1 §A.2).
enum class Completion : std::uint8_t { yes = 0, no = 1, maybe = 2 };

/// Vendor minor codeset id of the standard's own minor codes, and of ours.
inline constexpr std::uint32_t omg_vmcid = 0x4f4d0000;
inline constexpr std::uint32_t tenon_vmcid = 0x544e0000;

struct Error {
  SystemException id = SystemException::none;
  Completion completed = Completion::no;
  std::uint32_t minor = 0;

  explicit operator bool() const noexcept { return id != SystemException::none; }
  bool operator==(const Error&) const = default;

  Error with(Completion status) const noexcept { return {id, status, minor}; }
};

/// "IDL:omg.org/CORBA/MARSHAL:1.0"; for `none` an empty view.
std::string_view repository_id(SystemException id) noexcept;
/// "MARSHAL"
std::string_view name(SystemException id) noexcept;
/// The system exception with that repository id; `unknown` when there is none (CORBA 3.4 part 1 §A.4).
SystemException system_exception(std::string_view repository_id) noexcept;
/// What a minor code means; an empty view if that is not known, or if the program has no texts (texts.hpp). Static text.
std::string_view describe(const Error& error) noexcept;
/// "MARSHAL (minor 0x544e0003, a sequence is longer than the bytes that are left; completed NO)"
/// is made by text() in error_text.hpp, which may allocate.

/// A value, or the reason why there is none. Checked access is by `if (result)`.
template <typename T, typename Reason>
class ValueOr {
 public:
  explicit operator bool() const noexcept { return value_.index() == 0; }
  T& operator*() & noexcept { return *std::get_if<0>(&value_); }
  const T& operator*() const& noexcept { return *std::get_if<0>(&value_); }
  T&& operator*() && noexcept { return std::move(*std::get_if<0>(&value_)); }
  T* operator->() noexcept { return std::get_if<0>(&value_); }
  const T* operator->() const noexcept { return std::get_if<0>(&value_); }

 protected:
  ValueOr(T&& value) : value_(std::in_place_index<0>, std::move(value)) {}
  ValueOr(Reason reason) : value_(std::in_place_index<1>, reason) {}
  Reason reason() const noexcept { return value_.index() == 1 ? *std::get_if<1>(&value_) : Reason{}; }

 private:
  std::variant<T, Reason> value_;
};

/// A value or an Error.
template <typename T>
class [[nodiscard]] Result : public ValueOr<T, Error> {
 public:
  Result(T value) : ValueOr<T, Error>(std::move(value)) {}
  Result(Error error) : ValueOr<T, Error>(error) {}
  Error error() const noexcept { return this->reason(); }
};

template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Error error) : error_(error) {}

  explicit operator bool() const noexcept { return !error_; }
  Error error() const noexcept { return error_; }

 private:
  Error error_;
};

using Status = Result<void>;

}  // namespace tenon
