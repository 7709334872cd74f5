// SPDX-License-Identifier: Apache-2.0
//
// What exceptions of local interfaces have in common: most have no members, and their classes are nested. They travel where an operation
// of a program's own interface raises them.
#pragma once

#include <string>
#include <string_view>

#include "mapping/cpp11/types/codec.hpp"
#include "tenon/corba/exception.hpp"

namespace tenon::gen {

/// A user exception without members; one that has some overrides _put() and has a _get() of its own. Self has _static_id, "IDL:omg.org/PortableServer/POA/NoServant:2.3".
template <typename Self>
class PlainException : public CORBA::UserException {
 public:
  using _plain_exception = PlainException;

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
  void _get(cdr::Reader&) {}

 private:
  std::string text_;
};

template <typename E>
  requires requires { typename E::_plain_exception; }
struct Codec<E> {
  using value_type = E;
  static constexpr std::size_t smallest = 0;
  static void put(cdr::Writer& out, const E& value) { value._put(out); }
  static void get(cdr::Reader& in, E& value) { value._get(in); }
};

}  // namespace tenon::gen
