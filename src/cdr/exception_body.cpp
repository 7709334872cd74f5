// SPDX-License-Identifier: Apache-2.0
#include "cdr/exception_body.hpp"

#include "base/minor_codes.hpp"
#include "base/over_bound.hpp"
#include "cdr/reader.hpp"
#include "cdr/writer.hpp"

namespace tenon::cdr {

void write_system_exception(Writer& writer, const Error& error) noexcept {
  writer.put_raw_string(repository_id(error.id));
  writer.put(error.minor);
  writer.put(static_cast<std::uint32_t>(error.completed));
}

SystemExceptionBody read_system_exception(Reader& reader) noexcept {
  SystemExceptionBody body;
  body.repository_id = reader.get_raw_string();
  body.error.minor = reader.get<std::uint32_t>();
  const auto completed = reader.get<std::uint32_t>();
  if (completed > static_cast<std::uint32_t>(Completion::maybe)) reader.fail(errors::bad_reply);
  if (!reader.good()) {
    body.error = reader.error().with(Completion::maybe);
    return body;
  }
  forget_over_bound();  // what another process says is not about this thread's bounds
  body.error.id = system_exception(body.repository_id);
  body.error.completed = static_cast<Completion>(completed);
  return body;
}

}  // namespace tenon::cdr
