// SPDX-License-Identifier: Apache-2.0
//
// The body of a reply that carries a system exception (CORBA 3.4 part 2 §9.4.3.2): repository id, minor code,
// completion status. It is in this folder because every messaging and every mapping writes or reads it. No state.
#pragma once

#include <string_view>

#include "base/error.hpp"

namespace tenon::cdr {

class Reader;
class Writer;

struct SystemExceptionBody {
  std::string_view
      repository_id;  ///< as it came, a view; `error` has UNKNOWN for one that is not of the standard
  Error error;
};

void write_system_exception(Writer& writer, const Error& error) noexcept;
/// A malformed body gives MARSHAL (completed MAYBE) and fails the reader.
SystemExceptionBody read_system_exception(Reader& reader) noexcept;

}  // namespace tenon::cdr
