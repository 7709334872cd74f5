// SPDX-License-Identifier: Apache-2.0
//
// The class of each system exception is defined in a file of its own, since a linker takes archives by their files: a program links the
// classes that it names, in a handler for example, or all of them by link_all_classes(). For an error whose class is not there, raise()
// makes a CORBA::SystemException, which no handler of the program can tell from one of that class.
#pragma once

#include <new>

#include "tenon/corba/exception.hpp"

namespace tenon::gen {

/// Makes an exception of one class where there is room for any of them. Its members have no values yet.
using MakeBlank = void(void* at) noexcept;

/// A program that refers to this has the classes of all system exceptions. Does nothing when it is called.
void link_all_classes() noexcept;

}  // namespace tenon::gen

// NOLINTBEGIN(bugprone-macro-parentheses): a class's name
#define TENON_DEFINE_EXCEPTION(Name)                                      \
  namespace CORBA {                                                       \
  inline namespace cpp11 {                                                \
  Name::~Name() = default;                                                \
  }                                                                       \
  }                                                                       \
  namespace tenon::gen::blank {                                           \
  extern MakeBlank Name;                                                  \
  void Name(void* at) noexcept {                                          \
    static_assert(sizeof(CORBA::Name) == sizeof(CORBA::SystemException)); \
    new (at) CORBA::Name(Blank{});                                        \
  }                                                                       \
  }
// NOLINTEND(bugprone-macro-parentheses)
