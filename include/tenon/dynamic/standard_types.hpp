// SPDX-License-Identifier: Apache-2.0
//
// Types of the standard's modules that the library declares itself, as an Any takes them, and their TypeCodes:
//
//   any <<= PortableServer::LifespanPolicyValue::PERSISTENT;    // for ORB::create_policy()
//   TimeBase::_tc_UtcT
//
// They are only declared here: whoever has a value of one has included its header. Constant data; safe from any thread.
#pragma once

#include <cstdint>

#include "dynamic/any/any_types.hpp"
#include "tenon/dynamic/typecode.hpp"

#define TENON_STANDARD_TYPE(module, declaration, name)          \
  namespace module {                                            \
  inline namespace cpp11 {                                      \
  declaration;                                                  \
  extern const tenon::types::TypeCode _type_##name;             \
  inline constexpr CORBA::TypeCodeRef _tc_##name{_type_##name}; \
  }                                                             \
  }                                                             \
  template <>                                                   \
  struct tenon::gen::AnyType<module::name>                      \
      : tenon::gen::AnyOf<module::_type_##name, tenon::gen::Codec<module::name>> {};
#define TENON_STANDARD_ENUM(module, name) TENON_STANDARD_TYPE(module, enum class name : std::uint32_t, name)
#define TENON_STANDARD_STRUCT(module, name) TENON_STANDARD_TYPE(module, class name, name)

TENON_STANDARD_ENUM(CORBA, CompletionStatus)
TENON_STANDARD_ENUM(CORBA, ParameterMode)
TENON_STANDARD_ENUM(CORBA, SetOverrideType)
TENON_STANDARD_ENUM(PortableServer, ThreadPolicyValue)
TENON_STANDARD_ENUM(PortableServer, LifespanPolicyValue)
TENON_STANDARD_ENUM(PortableServer, IdUniquenessPolicyValue)
TENON_STANDARD_ENUM(PortableServer, IdAssignmentPolicyValue)
TENON_STANDARD_ENUM(PortableServer, ImplicitActivationPolicyValue)
TENON_STANDARD_ENUM(PortableServer, ServantRetentionPolicyValue)
TENON_STANDARD_ENUM(PortableServer, RequestProcessingPolicyValue)
TENON_STANDARD_STRUCT(TimeBase, UtcT)
TENON_STANDARD_STRUCT(TimeBase, IntervalT)
TENON_STANDARD_STRUCT(IOP, Encoding)
TENON_STANDARD_STRUCT(IOP, ServiceContext)
TENON_STANDARD_STRUCT(IOP, TaggedComponent)
TENON_STANDARD_STRUCT(IOP, TaggedProfile)
TENON_STANDARD_STRUCT(Dynamic, Parameter)

#undef TENON_STANDARD_TYPE
#undef TENON_STANDARD_ENUM
#undef TENON_STANDARD_STRUCT
