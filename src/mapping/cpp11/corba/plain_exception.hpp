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

/// What they share that is no template.
class PlainExceptionBase : public CORBA::UserException {
 public:
  const char* what() const noexcept override;
  std::string_view _name() const noexcept override;
  void _put(cdr::Writer&) const override;
  void _get(cdr::Reader&) {}

 protected:
  PlainExceptionBase() = default;
  PlainExceptionBase(std::string_view id, std::string_view why);

 private:
  std::string text_;
};

/// A user exception without members; one that has some overrides _put() and has a _get() of its own. Self has _static_id, "IDL:omg.org/PortableServer/POA/NoServant:2.3".
template <typename Self>
class PlainException : public PlainExceptionBase {
 public:
  using _plain_exception = PlainException;

  PlainException() = default;
  /// `why`: what() shows it after the repository id.
  explicit PlainException(std::string_view why) : PlainExceptionBase(Self::_static_id, why) {}
  std::string_view _rep_id() const noexcept override { return Self::_static_id; }
  [[noreturn]] void _raise() const override { throw static_cast<const Self&>(*this); }
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
