// SPDX-License-Identifier: Apache-2.0
//
// Types of module CORBA that generated code includes besides the support header if the IDL file names them: policies and their exceptions.
#pragma once

#include <tenon/gen/support.hpp>

#include "tenon/corba/current.hpp"
#include "tenon/corba/parameter_mode.hpp"
#include "tenon/corba/policy.hpp"
#include "tenon/corba/service_information.hpp"

namespace tenon::gen {

template <>
struct Codec<CORBA::SetOverrideType> : Enum<CORBA::SetOverrideType, 2> {};
template <>
struct Codec<CORBA::CompletionStatus> : Enum<CORBA::CompletionStatus, 3> {};

}  // namespace tenon::gen
