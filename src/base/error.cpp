// SPDX-License-Identifier: Apache-2.0
//
// Names and repository ids of the system exceptions (CORBA 3.4 part 1 §A). Static tables; any thread.
#include "base/error.hpp"

#include <array>
#include <cstddef>
#include <system_error>

#include "base/error_text.hpp"
#include "base/hex.hpp"
#include "base/joined.hpp"
#include "base/not_constant.hpp"
#include "base/texts.hpp"

namespace tenon {
namespace {

constexpr std::string_view prefix = "IDL:omg.org/CORBA/";
constexpr std::string_view suffix = ":1.0";

#define TENON_ID(exception_name) "IDL:omg.org/CORBA/" exception_name ":1.0\0"

/// In the order of SystemException, each with a NUL behind it; names are cut out of them.
constexpr char ids[] = TENON_ID("UNKNOWN") TENON_ID("BAD_PARAM") TENON_ID("NO_MEMORY") TENON_ID("IMP_LIMIT")
    TENON_ID("COMM_FAILURE") TENON_ID("INV_OBJREF") TENON_ID("NO_PERMISSION") TENON_ID("INTERNAL")
        TENON_ID("MARSHAL") TENON_ID("INITIALIZE") TENON_ID("NO_IMPLEMENT") TENON_ID("BAD_TYPECODE")
            TENON_ID("BAD_OPERATION") TENON_ID("NO_RESOURCES") TENON_ID("NO_RESPONSE")
                TENON_ID("PERSIST_STORE") TENON_ID("BAD_INV_ORDER") TENON_ID("TRANSIENT") TENON_ID("FREE_MEM")
                    TENON_ID("INV_IDENT") TENON_ID("INV_FLAG") TENON_ID("INTF_REPOS") TENON_ID("BAD_CONTEXT")
                        TENON_ID("OBJ_ADAPTER") TENON_ID("DATA_CONVERSION") TENON_ID("OBJECT_NOT_EXIST")
                            TENON_ID("TRANSACTION_REQUIRED") TENON_ID("TRANSACTION_ROLLEDBACK")
                                TENON_ID("INVALID_TRANSACTION") TENON_ID("INV_POLICY")
                                    TENON_ID("CODESET_INCOMPATIBLE") TENON_ID("REBIND") TENON_ID("TIMEOUT")
                                        TENON_ID("TRANSACTION_UNAVAILABLE") TENON_ID("TRANSACTION_MODE")
                                            TENON_ID("BAD_QOS") TENON_ID("INVALID_ACTIVITY")
                                                TENON_ID("ACTIVITY_COMPLETED") TENON_ID("ACTIVITY_REQUIRED")
                                                    TENON_ID("THREAD_CANCELLED");
#undef TENON_ID

constexpr std::size_t id_count = static_cast<std::size_t>(SystemException::thread_cancelled) + 1;

/// Where the id of each exception begins in `ids`. That of `none` is empty, and ends where the first one begins.
constexpr auto id_starts = [] {
  std::array<std::uint16_t, id_count + 1> places{};
  std::size_t next = 1;
  for (std::size_t at = 0; at + 1 < sizeof ids; ++at) {
    if (ids[at] == '\0') places[++next] = static_cast<std::uint16_t>(at + 1);
  }
  if (next != id_count) not_constant("an exception without an id");
  return places;
}();

/// Without the NUL.
constexpr std::string_view id_at(std::size_t index) noexcept {
  if (index == 0 || index >= id_count) return {};
  return {ids + id_starts[index], id_starts[index + 1] - std::size_t{1} - id_starts[index]};
}

std::string_view completion_name(Completion completed) {
  switch (completed) {
    case Completion::yes: return "YES";
    case Completion::no: return "NO";
    case Completion::maybe: return "MAYBE";
  }
  return "?";
}

}  // namespace

std::string_view repository_id(SystemException id) noexcept { return id_at(static_cast<std::size_t>(id)); }

std::string_view name(SystemException id) noexcept {
  const std::string_view whole = repository_id(id);
  if (whole.empty()) return "NO_EXCEPTION";
  return whole.substr(prefix.size(), whole.size() - prefix.size() - suffix.size());
}

SystemException system_exception(std::string_view repository_id) noexcept {
  for (std::size_t i = 1; i < id_count; ++i) {
    if (id_at(i) == repository_id) return static_cast<SystemException>(i);
  }
  return SystemException::unknown;
}

namespace texts_detail {
constinit std::atomic<const Texts*> texts{nullptr};
}

std::string_view describe(const Error& error) noexcept {
  const Texts* known = texts();
  return known != nullptr ? known->meaning(error) : std::string_view{};
}

std::string text(const Error& error) {
  if (!error) return std::string(name(error.id));
  const std::string_view meaning = describe(error);
  return worded("% (minor 0x%%%; completed %)",
                {name(error.id), hex_number(error.minor, 8), meaning.empty() ? "" : ", ", meaning,
                 completion_name(error.completed)});
}

std::string os_error_text(int os_error) {
  return worded("% (errno %)", {std::generic_category().message(os_error), decimal(os_error)});
}

}  // namespace tenon
