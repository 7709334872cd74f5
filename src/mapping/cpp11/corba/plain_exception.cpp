// SPDX-License-Identifier: Apache-2.0
#include "mapping/cpp11/corba/plain_exception.hpp"

namespace tenon::gen {

PlainExceptionBase::PlainExceptionBase(std::string_view id, std::string_view why) {
  if (why.empty()) return;
  text_.reserve(id.size() + 2 + why.size());
  text_.append(id).append(": ").append(why);
}

const char* PlainExceptionBase::what() const noexcept {
  return text_.empty() ? CORBA::UserException::what() : text_.c_str();
}

std::string_view PlainExceptionBase::_name() const noexcept {
  std::string_view id = _rep_id();
  id.remove_prefix(id.rfind('/') + 1);
  return id.substr(0, id.rfind(':'));
}

void PlainExceptionBase::_put(cdr::Writer&) const {}

}  // namespace tenon::gen
