// SPDX-License-Identifier: Apache-2.0
#include "mapping/cpp11/corba/plain_exception.hpp"

#include <cxxabi.h>

#include <typeinfo>

namespace tenon::gen {

PlainException::PlainException(const PlainClass& of) noexcept : of_(&of) {}

PlainException::PlainException(const PlainClass& of, std::string_view why) : of_(&of) {
  if (!why.empty()) text_.append(of.id).append(": ").append(why);
}

PlainException::PlainException(const PlainException& other) = default;
PlainException& PlainException::operator=(const PlainException& other) = default;
PlainException::~PlainException() = default;

const char* PlainException::what() const noexcept {
  return text_.empty() ? CORBA::UserException::what() : text_.c_str();
}

std::string_view PlainException::_rep_id() const noexcept { return of_->id; }

std::string_view PlainException::_name() const noexcept {
  std::string_view id = of_->id;
  id.remove_prefix(id.rfind('/') + 1);
  return id.substr(0, id.rfind(':'));
}

void PlainException::_put(cdr::Writer&) const {}

void PlainException::_raise() const {
  std::string_view why = text_;
  if (!why.empty()) why.remove_prefix(of_->id.size() + 2);
  raise_plain(*of_, why);
}

namespace {

void destroy_plain(void* exception) { static_cast<PlainException*>(exception)->~PlainException(); }

}  // namespace

/// As a throw-expression does it (Itanium C++ ABI §2.4), once instead of in each class.
void raise_plain(const PlainClass& of, std::string_view why) {
  PlainException* const made = of.make(abi::__cxa_allocate_exception(sizeof(PlainException)));
  try {
    if (!why.empty()) made->text_.append(of.id).append(": ").append(why);
  } catch (...) {
    made->text_.clear();
  }
  abi::__cxa_throw(made, const_cast<std::type_info*>(&typeid(*made)), &destroy_plain);
}

}  // namespace tenon::gen
