// SPDX-License-Identifier: Apache-2.0
#include "mapping/cpp11/corba/exception_text.hpp"

#include "mapping/cpp11/corba/member_text.hpp"

namespace tenon::gen {

std::string text_of(const CORBA::UserException& exception) {
  std::string text(exception._rep_id());
  const char* const description = exception._members();
  if (*description == '\0') return text;
  cdr::Writer members(text_as_it_is);
  exception._put(members);
  members.forget_values();
  if (!members.good()) return text + " (...)";
  return text + " (" + member_text(description, members.bytes()) + ')';
}

void use_texts_of_exceptions() noexcept { text_of_user_exception.store(text_of, std::memory_order_relaxed); }

}  // namespace tenon::gen
