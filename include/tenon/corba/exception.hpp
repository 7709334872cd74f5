// SPDX-License-Identifier: Apache-2.0
//
// The exceptions of the C++11 mapping (§6.20). System exceptions are one class each, as the standard names them; the table is
// system_exceptions.inc. What the folders below the mapping return as tenon::Error becomes one of these only in raise().
#pragma once

#include <cstdint>
#include <exception>
#include <string>
#include <string_view>

#include "base/error.hpp"
#include "cdr/reader.hpp"
#include "cdr/writer.hpp"

namespace tenon {

class Trail;

/// A Trail that copies of an exception share; may be null. As thread-safe as std::shared_ptr, which it stands in for because
/// generated code sees this header and <memory> is costly to compile.
class SharedTrail {
 public:
  SharedTrail() noexcept = default;
  explicit SharedTrail(Trail&& trail);
  SharedTrail(const SharedTrail& other) noexcept : held_(other.held_) { hold(); }
  SharedTrail(SharedTrail&& other) noexcept : held_(other.held_) { other.held_ = nullptr; }
  SharedTrail& operator=(SharedTrail other) noexcept {
    Held* const mine = held_;
    held_ = other.held_;
    other.held_ = mine;
    return *this;
  }
  ~SharedTrail() {
    if (held_ != nullptr) drop();
  }
  const Trail* get() const noexcept;

 private:
  struct Held;
  void hold() noexcept;
  void drop() noexcept;
  Held* held_ = nullptr;
};

}  // namespace tenon

namespace CORBA {
inline namespace cpp11 {

/// The upper 20 bits of the standard's minor codes.
inline constexpr std::uint32_t OMGVMCID = tenon::omg_vmcid;

enum class CompletionStatus : std::uint32_t { COMPLETED_YES, COMPLETED_NO, COMPLETED_MAYBE };

class Exception : public std::exception {
 public:
  /// "IDL:omg.org/CORBA/TRANSIENT:1.0"
  virtual std::string_view _rep_id() const noexcept = 0;
  /// "TRANSIENT"
  virtual std::string_view _name() const noexcept = 0;
  [[noreturn]] virtual void _raise() const = 0;
};

class UserException : public Exception {
 public:
  UserException() noexcept = default;
  UserException(const UserException& other) noexcept : Exception(other) {}
  UserException& operator=(const UserException&) noexcept { return *this; }  // NOLINT: nothing to assign
  ~UserException() override;

  /// Writes the members, without the repository id. For generated code.
  virtual void _put(tenon::cdr::Writer& out) const = 0;
  /// Names and types of what _put() writes (exception_text.hpp). For generated code; valid for ever.
  virtual const char* _members() const noexcept { return ""; }
  /// "IDL:Bank/Overdrawn:1.0 (account = \"A-17\", missing = 12.5)"; valid until the next what() and as long as the exception, by one
  /// thread at a time.
  const char* what() const noexcept override;

 private:
  mutable std::string* text_ = nullptr;  // own; the last what()
};

class SystemException : public Exception {
 public:
  std::uint32_t minor() const noexcept { return error_.minor; }
  void minor(std::uint32_t value) noexcept { error_.minor = value; }
  CompletionStatus completed() const noexcept { return static_cast<CompletionStatus>(error_.completed); }
  void completed(CompletionStatus value) noexcept {
    error_.completed = static_cast<tenon::Completion>(value);
  }

  std::string_view _rep_id() const noexcept override;
  std::string_view _name() const noexcept override;
  /// "TRANSIENT (minor 0x..., no connection could be made; completed NO); tried: ..."; valid as long as the exception, by one
  /// thread at a time.
  const char* what() const noexcept override;
  tenon::Error _error() const noexcept { return error_; }
  const std::string& _reason() const noexcept { return reason_; }
  void _reason(std::string reason) { reason_ = std::move(reason); }
  /// What the call that raised it had tried; null: it did not come from a call, or there is no trail of that call.
  const tenon::Trail* _trail() const noexcept { return trail_.get(); }
  void _trail(tenon::SharedTrail trail) noexcept { trail_ = std::move(trail); }

 protected:
  explicit SystemException(tenon::Error error) : error_(error) {}

 private:
  tenon::Error error_;
  std::string reason_;
  tenon::SharedTrail trail_;
  mutable std::string text_;
};

#define TENON_SYSTEM_EXCEPTION(Name, id)                                                                     \
  class Name final : public SystemException {                                                                \
   public:                                                                                                   \
    explicit Name(std::uint32_t minor = 0, CompletionStatus completed = CompletionStatus::COMPLETED_NO)      \
        : SystemException({tenon::SystemException::id, static_cast<tenon::Completion>(completed), minor}) {} \
    [[noreturn]] void _raise() const override { throw *this; }                                               \
  };
#include "mapping/cpp11/corba/system_exceptions.inc"
#undef TENON_SYSTEM_EXCEPTION

}  // namespace cpp11
}  // namespace CORBA

namespace tenon::gen {
/// The one place where an Error becomes a C++ exception.
[[noreturn]] void raise(Error error);
/// The same with a reason, such as an option or a file, that what() shows instead of the table's text.
[[noreturn]] void raise_with_reason(Error error, std::string reason);
/// The same for a call that has failed, with what it tried.
[[noreturn]] void raise_with_trail(Error error, Trail&& trail);
/// The same with the trail of this thread, on which a call has just failed.
[[noreturn]] void raise_call_failed(Error error);
}  // namespace tenon::gen
