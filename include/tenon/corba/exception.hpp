// SPDX-License-Identifier: Apache-2.0
//
// The exceptions of the C++11 mapping (§6.20). System exceptions are one class each, as the standard names them; the table is
// system_exceptions.inc. What the folders below the mapping return as tenon::Error becomes one of these only in raise().
#pragma once

#include <cstdint>
#include <exception>
#include <new>
#include <string>
#include <string_view>

#include "base/error.hpp"
#include "cdr/reader.hpp"
#include "cdr/writer.hpp"

namespace tenon {
class Trail;
}

namespace tenon::gen {
/// What an exception says beyond its numbers: a reason, a trail.
struct Said;
/// Makes a system exception without values.
struct Blank {
  explicit Blank() = default;
};
/// raise() with what the exception says, or null; takes one of its counts.
[[noreturn]] void raise_saying(Error error, Said* said);
}  // namespace tenon::gen

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
  /// "IDL:Bank/Overdrawn:1.0 (account = \"A-17\", missing = 12.5)"; without tenon::parts::texts the repository id alone. Valid until the
  /// next what() and as long as the exception, by one thread at a time.
  const char* what() const noexcept override;

 private:
  mutable std::string* text_ = nullptr;  // own; the last what()
};

class SystemException : public Exception {
 public:
  ~SystemException() override;

  /// Destroys and gives back; so the functions that `delete` calls are the same for all classes, and the compiler makes one of them.
  static void operator delete(SystemException* exception, std::destroying_delete_t);

  std::uint32_t minor() const noexcept { return error_.minor; }
  void minor(std::uint32_t value) noexcept { error_.minor = value; }
  CompletionStatus completed() const noexcept { return static_cast<CompletionStatus>(error_.completed); }
  void completed(CompletionStatus value) noexcept {
    error_.completed = static_cast<tenon::Completion>(value);
  }

  std::string_view _rep_id() const noexcept override;
  std::string_view _name() const noexcept override;
  [[noreturn]] void _raise() const override;
  /// "TRANSIENT (minor 0x..., no connection could be made; completed NO); tried: ..."; without tenon::parts::texts only "TRANSIENT (minor
  /// 0x...; completed NO)". Valid as long as the exception, by one thread at a time.
  const char* what() const noexcept override;
  tenon::Error _error() const noexcept { return error_; }
  /// What what() shows instead of the text of the minor code; may be empty. Valid as long as this exception has it.
  std::string_view _reason() const noexcept;
  void _reason(std::string_view reason);
  /// What the call that raised it had tried; null: it did not come from a call, or there is no trail of that call.
  const tenon::Trail* _trail() const noexcept;

 protected:
  explicit SystemException(tenon::Error error) noexcept : error_(error), said_(nullptr), text_(nullptr) {}
  /// For raise_saying(), which gives the members their values.
  explicit SystemException(tenon::gen::Blank) noexcept {}
  SystemException(const SystemException& other) noexcept
      : Exception(other), error_(other.error_), said_(other.hold()), text_(nullptr) {}
  SystemException& operator=(const SystemException& other) noexcept;

 private:
  friend void tenon::gen::raise_saying(tenon::Error error, tenon::gen::Said* said);
  tenon::gen::Said* hold() const noexcept;
  void drop() noexcept;

  union {  // so that the class of a blank exception is all that differs between them
    tenon::Error error_;
  };
  tenon::gen::Said* said_;     // copies share it; null: no reason, no trail
  mutable std::string* text_;  // own; what what() has returned
};

// A class has nothing of its own but its type: its members and virtual functions are those of SystemException. Its destructor is
// declared so that one source has its virtual table.
// NOLINTBEGIN(bugprone-macro-parentheses): a class's name
#define TENON_SYSTEM_EXCEPTION(Name, id)                                                                     \
  class Name final : public SystemException {                                                                \
   public:                                                                                                   \
    explicit Name(std::uint32_t minor = 0,                                                                   \
                  CompletionStatus completed = CompletionStatus::COMPLETED_NO) noexcept                      \
        : SystemException({tenon::SystemException::id, static_cast<tenon::Completion>(completed), minor}) {} \
    explicit Name(tenon::gen::Blank blank) noexcept : SystemException(blank) {}                              \
    Name(const Name&) noexcept = default;                                                                    \
    Name& operator=(const Name&) noexcept = default;                                                         \
    ~Name() override;                                                                                        \
  };
#include "mapping/cpp11/corba/system_exceptions.inc"
#undef TENON_SYSTEM_EXCEPTION
// NOLINTEND(bugprone-macro-parentheses)

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
