// SPDX-License-Identifier: Apache-2.0
//
// What exceptions of local interfaces have in common: most have no members, and their classes are nested.
#pragma once

#include <string>
#include <string_view>

#include "tenon/corba/exception.hpp"

namespace tenon::gen {

/// A user exception without members. Self has _static_id, "IDL:omg.org/PortableServer/POA/NoServant:2.3".
template <typename Self>
class PlainException : public CORBA::UserException {
 public:
  PlainException() = default;
  /// `why`: what() shows it after the repository id.
  explicit PlainException(const std::string& why) : text_(std::string(Self::_static_id) + ": " + why) {}
  const char* what() const noexcept override {
    return text_.empty() ? CORBA::UserException::what() : text_.c_str();
  }
  std::string_view _rep_id() const noexcept override { return Self::_static_id; }
  std::string_view _name() const noexcept override {
    const std::string_view id = Self::_static_id;
    const std::size_t slash = id.rfind('/') + 1;
    return id.substr(slash, id.rfind(':') - slash);
  }
  [[noreturn]] void _raise() const override { throw static_cast<const Self&>(*this); }
  void _put(cdr::Writer&) const override {}

 private:
  std::string text_;
};

}  // namespace tenon::gen
