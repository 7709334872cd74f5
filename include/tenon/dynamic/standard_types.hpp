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

namespace CORBA {
inline namespace cpp11 {
enum class CompletionStatus : std::uint32_t;
enum class ParameterMode : std::uint32_t;
enum class SetOverrideType : std::uint32_t;
}  // namespace cpp11
}  // namespace CORBA
namespace PortableServer {
inline namespace cpp11 {
enum class ThreadPolicyValue : std::uint32_t;
enum class LifespanPolicyValue : std::uint32_t;
enum class IdUniquenessPolicyValue : std::uint32_t;
enum class IdAssignmentPolicyValue : std::uint32_t;
enum class ImplicitActivationPolicyValue : std::uint32_t;
enum class ServantRetentionPolicyValue : std::uint32_t;
enum class RequestProcessingPolicyValue : std::uint32_t;
}  // namespace cpp11
}  // namespace PortableServer
namespace Security {
inline namespace cpp11 {
enum class QOP : std::uint32_t;
class EstablishTrust;
}  // namespace cpp11
}  // namespace Security
namespace TimeBase {
inline namespace cpp11 {
class UtcT;
class IntervalT;
}  // namespace cpp11
}  // namespace TimeBase
namespace IOP {
inline namespace cpp11 {
class Encoding;
class ServiceContext;
class TaggedComponent;
class TaggedProfile;
}  // namespace cpp11
}  // namespace IOP
namespace Dynamic {
inline namespace cpp11 {
class Parameter;
}  // namespace cpp11
}  // namespace Dynamic

#define TENON_STANDARD_TYPE(module, name)                       \
  namespace module {                                            \
  inline namespace cpp11 {                                      \
  extern const tenon::types::TypeCode _type_##name;             \
  inline constexpr CORBA::TypeCodeRef _tc_##name{_type_##name}; \
  }                                                             \
  }                                                             \
  template <>                                                   \
  struct tenon::gen::AnyType<module::name>                      \
      : tenon::gen::AnyOf<module::_type_##name, tenon::gen::Codec<module::name>> {};

TENON_STANDARD_TYPE(CORBA, CompletionStatus)
TENON_STANDARD_TYPE(CORBA, ParameterMode)
TENON_STANDARD_TYPE(CORBA, SetOverrideType)
TENON_STANDARD_TYPE(PortableServer, ThreadPolicyValue)
TENON_STANDARD_TYPE(PortableServer, LifespanPolicyValue)
TENON_STANDARD_TYPE(PortableServer, IdUniquenessPolicyValue)
TENON_STANDARD_TYPE(PortableServer, IdAssignmentPolicyValue)
TENON_STANDARD_TYPE(PortableServer, ImplicitActivationPolicyValue)
TENON_STANDARD_TYPE(PortableServer, ServantRetentionPolicyValue)
TENON_STANDARD_TYPE(PortableServer, RequestProcessingPolicyValue)
TENON_STANDARD_TYPE(Security, QOP)
TENON_STANDARD_TYPE(Security, EstablishTrust)
TENON_STANDARD_TYPE(TimeBase, UtcT)
TENON_STANDARD_TYPE(TimeBase, IntervalT)
TENON_STANDARD_TYPE(IOP, Encoding)
TENON_STANDARD_TYPE(IOP, ServiceContext)
TENON_STANDARD_TYPE(IOP, TaggedComponent)
TENON_STANDARD_TYPE(IOP, TaggedProfile)
TENON_STANDARD_TYPE(Dynamic, Parameter)

#undef TENON_STANDARD_TYPE
