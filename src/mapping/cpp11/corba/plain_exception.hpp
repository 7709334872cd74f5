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

class PlainException;

/// What distinguishes a class of such exceptions.
struct PlainClass {
  std::string_view id;
  /// Makes one in memory of the size of a PlainException. Null: the class has members, and so a _raise() of its own.
  PlainException* (*make)(void* room);
};

/// Throws an exception of that class, which has no members. Where there is no memory, it comes without its text.
[[noreturn]] void raise_plain(const PlainClass& of, std::string_view why);

/// A user exception without members, or the base of one with members: that overrides _put() and _raise(), and has a _get() of its own.
/// Derived classes have _static_id, "IDL:omg.org/PortableServer/POA/NoServant:2.3". None has code of its own for what they all do.
class PlainException : public CORBA::UserException {
 public:
  ~PlainException() override;
  const char* what() const noexcept override;
  std::string_view _rep_id() const noexcept override;
  std::string_view _name() const noexcept override;
  [[noreturn]] void _raise() const override;
  void _put(cdr::Writer&) const override;
  void _get(cdr::Reader&) {}

  using _plain_exception = void;

 protected:
  explicit PlainException(const PlainClass& of) noexcept;
  /// `why`: what() shows it after the repository id.
  PlainException(const PlainClass& of, std::string_view why);
  PlainException(const PlainException& other);
  PlainException& operator=(const PlainException& other);

 private:
  friend void raise_plain(const PlainClass& of, std::string_view why);

  const PlainClass* of_;
  std::string text_;
};

template <typename Self>
PlainException* make_plain(void* room) {
  static_assert(sizeof(Self) == sizeof(PlainException));
  return ::new (room) Self;
}

/// The class of Self, which has no members.
template <typename Self>
inline constexpr PlainClass plain_class{Self::_static_id, &make_plain<Self>};
/// The class of Self, which has some.
template <typename Self>
inline constexpr PlainClass class_with_members{Self::_static_id, nullptr};

template <typename E>
  requires requires { typename E::_plain_exception; }
struct Codec<E> {
  using value_type = E;
  static constexpr std::size_t smallest = 0;
  static void put(cdr::Writer& out, const E& value) { value._put(out); }
  static void get(cdr::Reader& in, E& value) { value._get(in); }
};

}  // namespace tenon::gen
