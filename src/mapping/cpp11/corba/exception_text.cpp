// SPDX-License-Identifier: Apache-2.0
#include "mapping/cpp11/corba/exception_text.hpp"

#include <utility>

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

namespace {

const char* keep_text(const CORBA::UserException& exception, std::string*& kept) noexcept {
  if (*exception._members() == '\0') return nullptr;
  try {
    auto* const text = new std::string(text_of(exception));
    delete std::exchange(kept, text);
    return text->c_str();
  } catch (...) {
    return nullptr;
  }
}

}  // namespace

void use_texts_of_exceptions() noexcept {
  text_of_user_exception.store(keep_text, std::memory_order_relaxed);
}

}  // namespace tenon::gen
