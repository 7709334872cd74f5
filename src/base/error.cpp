// SPDX-License-Identifier: Apache-2.0
//
// Names and repository ids of the system exceptions (CORBA 3.4 part 1 §A). Static tables; any thread.
#include "base/error.hpp"

#include <cstddef>
#include <iterator>
#include <system_error>

#include "base/error_text.hpp"
#include "base/hex.hpp"
#include "base/minor_codes.hpp"

namespace tenon {
namespace {

constexpr std::string_view prefix = "IDL:omg.org/CORBA/";
constexpr std::string_view suffix = ":1.0";

#define TENON_ID(exception_name) "IDL:omg.org/CORBA/" exception_name ":1.0"

/// In the order of SystemException; names are cut out of the ids.
// NOLINTBEGIN(bugprone-suspicious-missing-comma): the macro joins the parts of one id
constexpr std::string_view ids[] = {
    "",
    TENON_ID("UNKNOWN"),
    TENON_ID("BAD_PARAM"),
    TENON_ID("NO_MEMORY"),
    TENON_ID("IMP_LIMIT"),
    TENON_ID("COMM_FAILURE"),
    TENON_ID("INV_OBJREF"),
    TENON_ID("NO_PERMISSION"),
    TENON_ID("INTERNAL"),
    TENON_ID("MARSHAL"),
    TENON_ID("INITIALIZE"),
    TENON_ID("NO_IMPLEMENT"),
    TENON_ID("BAD_TYPECODE"),
    TENON_ID("BAD_OPERATION"),
    TENON_ID("NO_RESOURCES"),
    TENON_ID("NO_RESPONSE"),
    TENON_ID("PERSIST_STORE"),
    TENON_ID("BAD_INV_ORDER"),
    TENON_ID("TRANSIENT"),
    TENON_ID("FREE_MEM"),
    TENON_ID("INV_IDENT"),
    TENON_ID("INV_FLAG"),
    TENON_ID("INTF_REPOS"),
    TENON_ID("BAD_CONTEXT"),
    TENON_ID("OBJ_ADAPTER"),
    TENON_ID("DATA_CONVERSION"),
    TENON_ID("OBJECT_NOT_EXIST"),
    TENON_ID("TRANSACTION_REQUIRED"),
    TENON_ID("TRANSACTION_ROLLEDBACK"),
    TENON_ID("INVALID_TRANSACTION"),
    TENON_ID("INV_POLICY"),
    TENON_ID("CODESET_INCOMPATIBLE"),
    TENON_ID("REBIND"),
    TENON_ID("TIMEOUT"),
    TENON_ID("TRANSACTION_UNAVAILABLE"),
    TENON_ID("TRANSACTION_MODE"),
    TENON_ID("BAD_QOS"),
    TENON_ID("INVALID_ACTIVITY"),
    TENON_ID("ACTIVITY_COMPLETED"),
    TENON_ID("ACTIVITY_REQUIRED"),
    TENON_ID("THREAD_CANCELLED"),
};
// NOLINTEND(bugprone-suspicious-missing-comma)
#undef TENON_ID

static_assert(std::size(ids) == static_cast<std::size_t>(SystemException::thread_cancelled) + 1);

std::string_view completion_name(Completion completed) {
  switch (completed) {
    case Completion::yes: return "YES";
    case Completion::no: return "NO";
    case Completion::maybe: return "MAYBE";
  }
  return "?";
}

}  // namespace

std::string_view repository_id(SystemException id) noexcept {
  const auto index = static_cast<std::size_t>(id);
  return index < std::size(ids) ? ids[index] : std::string_view{};
}

std::string_view name(SystemException id) noexcept {
  const std::string_view whole = repository_id(id);
  if (whole.empty()) return "NO_EXCEPTION";
  return whole.substr(prefix.size(), whole.size() - prefix.size() - suffix.size());
}

SystemException system_exception(std::string_view repository_id) noexcept {
  for (std::size_t i = 1; i < std::size(ids); ++i) {
    if (ids[i] == repository_id) return static_cast<SystemException>(i);
  }
  return SystemException::unknown;
}

std::string_view describe(const Error& error) noexcept {
  const MinorCode* row = minor_code(error);
  return row != nullptr ? row->text : std::string_view{};
}

std::string text(const Error& error) {
  std::string out(name(error.id));
  if (!error) return out;
  out += " (minor 0x";
  out += hex_number(error.minor, 8);
  if (const std::string_view meaning = describe(error); !meaning.empty()) {
    out += ", ";
    out += meaning;
  }
  out += "; completed ";
  out += completion_name(error.completed);
  out += ')';
  return out;
}

std::string os_error_text(int os_error) {
  return std::generic_category().message(os_error) + " (errno " + std::to_string(os_error) + ')';
}

}  // namespace tenon
