// SPDX-License-Identifier: Apache-2.0
//
// What what() of a user exception says: its members. Generated code describes them in one literal (UserException::_members), and the
// members come as _put() writes them, so that neither needs code per type.
//
//   "name:s count:l colour:(red,green) where:{x:d y:d} all:*{x:d y:d} last:[2][3]o missing:%12.2 rest:?"
//
//   b boolean  c char  w wchar  s string  S wstring  i int8  o octet  h short  H unsigned short  l long  L unsigned long  q long long
//   Q unsigned long long  f float  d double  D long double  r object reference  %digits.scale fixed  (...) enum, h(...) short with names for its values  {...} struct
//   *T sequence of T  [n]T array of T  ? anything else, with which the text ends
#pragma once

#include <string>

#include "mapping/cpp11/exception.hpp"

namespace tenon::gen {

/// "IDL:Bank/Overdrawn:1.0 (account = \"A-17\", missing = 12.5)"; "..." stands for what is too long or cannot be shown.
std::string text_of(const CORBA::UserException& exception);

}  // namespace tenon::gen
