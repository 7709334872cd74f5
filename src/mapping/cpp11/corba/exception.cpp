// SPDX-License-Identifier: Apache-2.0
#include "tenon/corba/exception.hpp"

#include <atomic>
#include <utility>

#include "base/error_text.hpp"
#include "base/over_bound.hpp"
#include "base/trail.hpp"
#include "mapping/cpp11/corba/exception_text.hpp"

namespace tenon {

struct SharedTrail::Held {
  explicit Held(Trail&& from) : trail(std::move(from)) {}
  const Trail trail;
  std::atomic<unsigned> holders{1};
};

SharedTrail::SharedTrail(Trail&& trail) : held_(new Held(std::move(trail))) {}

const Trail* SharedTrail::get() const noexcept { return held_ != nullptr ? &held_->trail : nullptr; }

void SharedTrail::hold() noexcept {
  if (held_ != nullptr) held_->holders.fetch_add(1, std::memory_order_relaxed);
}

void SharedTrail::drop() noexcept {
  if (held_->holders.fetch_sub(1, std::memory_order_acq_rel) == 1) delete held_;
}

}  // namespace tenon

namespace CORBA {
inline namespace cpp11 {

UserException::~UserException() { delete text_; }

const char* UserException::what() const noexcept {
  try {
    if (*_members() != '\0') {
      auto* const text = new std::string(tenon::gen::text_of(*this));
      delete std::exchange(text_, text);
      return text->c_str();
    }
  } catch (...) {
    // Memory is short, or a value type cannot be written: then the repository id must do.
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
      if (const tenon::Trail* trail = trail_.get()) text += "; " + tenon::text(*trail);
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
  if (std::string excess = take_over_bound(error); !excess.empty())
    raise_with_reason(error, std::move(excess));
  const auto completed = static_cast<CORBA::CompletionStatus>(error.completed);
  switch (error.id) {
    case SystemException::none: throw CORBA::INTERNAL(error.minor, completed);
#define TENON_SYSTEM_EXCEPTION(Name, id) \
  case SystemException::id: throw CORBA::Name(error.minor, completed);
#include "mapping/cpp11/corba/system_exceptions.inc"
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
    exception._trail(SharedTrail(std::move(trail)));
    throw;
  }
}

void raise_call_failed(Error error) { raise_with_trail(error, Trail::mine().take()); }

}  // namespace tenon::gen
