// SPDX-License-Identifier: Apache-2.0
//
// The text of what() for a user exception, with its members. Generated code describes these in one literal (UserException::_members), and
// they are read as _put() writes them, so that no type needs code of its own for it.
//
//   "name:s count:l colour:(red,green) where:{x:d y:d} all:*{x:d y:d} last:[2][3]o missing:%12.2 rest:?"
//
//   b boolean  c char  w wchar  s string  S wstring  i int8  o octet  h short  H unsigned short  l long  L unsigned long  q long long
//   Q unsigned long long  f float  d double  D long double  r object reference  %digits.scale fixed  (...) enum
//   h(...) short with names for its values  {...} struct  *T sequence of T  [n]T array of T
//   <T 1,2=name:T 3=name:T =name:T> union: its discriminator, cases with their labels, default
//   v value, v=ID{...} with the state of that type, which other values of it have as well; a box has one member without a name
//   A abstract interface  a any  ? anything else, with which the text ends
#pragma once

#include <atomic>
#include <string>

#include "tenon/corba/exception.hpp"

namespace tenon::gen {

/// "IDL:Bank/Overdrawn:1.0 (account = \"A-17\", missing = 12.5)"; "..." stands for what is too long or cannot be shown.
std::string text_of(const CORBA::UserException& exception);

/// UserException::what() is text_of() from now on. For good, in the whole process; any thread.
void use_texts_of_exceptions() noexcept;

/// Puts the exception's text into `kept`, in place of what is there. Null: it has no members, memory is short, or a value type cannot be
/// written; then the repository id must do.
using TextOfUserException = const char* (*)(const CORBA::UserException& exception,
                                            std::string*& kept) noexcept;
/// What use_texts_of_exceptions() sets. Null: what() is the repository id.
extern std::atomic<TextOfUserException> text_of_user_exception;

}  // namespace tenon::gen
