// SPDX-License-Identifier: Apache-2.0
//
// The small types of module CORBA that every IDL file may use (CORBA 3.4 part 1 §8; orb.idl). CORBA::AnySeq is in gen/any.hpp.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tenon/corba/exception.hpp"

namespace CORBA {
inline namespace cpp11 {

using Identifier = std::string;
using RepositoryId = std::string;
using ScopedName = std::string;
using ServiceType = std::uint16_t;
using PolicyErrorCode = std::int16_t;

using BooleanSeq = std::vector<bool>;
using CharSeq = std::vector<char>;
using WCharSeq = std::vector<wchar_t>;
using OctetSeq = std::vector<std::uint8_t>;
using ShortSeq = std::vector<std::int16_t>;
using UShortSeq = std::vector<std::uint16_t>;
using LongSeq = std::vector<std::int32_t>;
using ULongSeq = std::vector<std::uint32_t>;
using LongLongSeq = std::vector<std::int64_t>;
using ULongLongSeq = std::vector<std::uint64_t>;
using FloatSeq = std::vector<float>;
using DoubleSeq = std::vector<double>;
using LongDoubleSeq = std::vector<long double>;
using StringSeq = std::vector<std::string>;
using WStringSeq = std::vector<std::wstring>;

}  // namespace cpp11
}  // namespace CORBA
