// SPDX-License-Identifier: Apache-2.0
#include "mapping/cpp11/exception.hpp"

#include "base/error_text.hpp"
#include "base/trail.hpp"
#include "mapping/cpp11/exception_text.hpp"

namespace CORBA {
inline namespace cpp11 {

UserException::~UserException() = default;

const char* UserException::what() const noexcept {
  try {
    if (*_members() != '\0') {
      text_ = std::make_unique<std::string>(tenon::gen::text_of(*this));
      return text_->c_str();
    }
  } catch (...) {
    // Short of memory, or a value type that cannot be written: what it is will do.
  }
  // A repository id is a string literal in every exception class, so its data ends in NUL.
  return _rep_id().data();
}

std::string_view SystemException::_rep_id() const noexcept { return tenon::repository_id(error_.id); }

std::string_view SystemException::_name() const noexcept { return tenon::name(error_.id); }

const char* SystemException::what() const noexcept {
  try {
    if (text_.empty()) {
      std::string text = reason_.empty() ? tenon::text(error_) : std::string(_name()) + ": " + reason_;
      if (trail_) text += "; " + tenon::text(*trail_);
      text_ = std::move(text);
    }
    return text_.c_str();
  } catch (...) {
    return _name().data();
  }
}

}  // namespace cpp11
}  // namespace CORBA

namespace tenon::gen {

void raise(Error error) {
  const auto completed = static_cast<CORBA::CompletionStatus>(error.completed);
  switch (error.id) {
    case SystemException::none: throw CORBA::INTERNAL(error.minor, completed);
#define TENON_SYSTEM_EXCEPTION(Name, id) \
  case SystemException::id: throw CORBA::Name(error.minor, completed);
#include "mapping/cpp11/system_exceptions.inc"
#undef TENON_SYSTEM_EXCEPTION
  }
  throw CORBA::UNKNOWN(error.minor, completed);
}

void raise_with_reason(Error error, std::string reason) {
  try {
    raise(error);
  } catch (CORBA::SystemException& exception) {
    exception._reason(std::move(reason));
    throw;
  }
}

void raise_with_trail(Error error, Trail&& trail) {
  if (trail.empty()) raise(error);
  try {
    raise(error);
  } catch (CORBA::SystemException& exception) {
    exception._trail(std::make_shared<const Trail>(std::move(trail)));
    throw;
  }
}

void raise_call_failed(Error error) { raise_with_trail(error, Trail::mine().take()); }

}  // namespace tenon::gen
