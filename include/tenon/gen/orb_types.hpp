// SPDX-License-Identifier: Apache-2.0
//
// Types of module CORBA that generated code includes besides the support header if the IDL file names them: policies and their exceptions.
#pragma once

#include <tenon/gen/support.hpp>

#include "tenon/corba/parameter_mode.hpp"
#include "tenon/corba/policy.hpp"
#include "tenon/corba/service_information.hpp"

namespace CORBA {
inline namespace cpp11 {

/// Base of the objects that stand for the thread's own state (CORBA 3.4 part 1 §8.2.2).
class Current : public virtual LocalObject {
 public:
  static constexpr std::string_view _static_id = "IDL:omg.org/CORBA/Current:1.0";

 private:
  tenon::gen::OwnId<Current> own_id_{*this};
};

}  // namespace cpp11
}  // namespace CORBA

template <>
struct IDL::traits<CORBA::Current> : tenon::gen::LocalInterfaceTraits<CORBA::Current> {};

namespace tenon::gen {

template <>
struct Codec<CORBA::SetOverrideType> : Enum<CORBA::SetOverrideType, 2> {};
template <>
struct Codec<CORBA::CompletionStatus> : Enum<CORBA::CompletionStatus, 3> {};
template <>
struct Codec<CORBA::ParameterMode> : Enum<CORBA::ParameterMode, 3> {};

}  // namespace tenon::gen
