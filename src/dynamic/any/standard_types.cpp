// SPDX-License-Identifier: Apache-2.0
#include "tenon/dynamic/standard_types.hpp"

#define TENON_STANDARD_TYPE(module, kind, name, ...)                                          \
  namespace module {                                                                          \
  inline namespace cpp11 {                                                                    \
  namespace {                                                                                 \
  constexpr tenon::types::Member members_of_##name[] = {__VA_ARGS__};                         \
  }                                                                                           \
  constinit const tenon::types::TypeCode _type_##name{                                        \
      tenon::types::kind("IDL:omg.org/" #module "/" #name ":1.0", #name, members_of_##name)}; \
  }                                                                                           \
  }
#define TENON_STANDARD_ENUM(module, name, ...) TENON_STANDARD_TYPE(module, enum_type, name, __VA_ARGS__)
#define TENON_STANDARD_STRUCT(module, name, ...) TENON_STANDARD_TYPE(module, struct_type, name, __VA_ARGS__)

namespace tenon::gen {
namespace {

// What the members of structs are: typedefs with their own names.
#define TENON_ALIAS(module, name, content)    \
  constexpr types::TypeCode alias_of_##name = \
      types::alias_type("IDL:omg.org/" #module "/" #name ":1.0", #name, content);
constexpr types::TypeCode octets = types::sequence_type(basic_type<types::Kind::tk_octet>, 0);
TENON_ALIAS(CORBA, OctetSeq, octets)
TENON_ALIAS(TimeBase, TimeT, basic_type<types::Kind::tk_ulonglong>)
TENON_ALIAS(TimeBase, TdfT, basic_type<types::Kind::tk_short>)
TENON_ALIAS(IOP, EncodingFormat, basic_type<types::Kind::tk_short>)
TENON_ALIAS(IOP, ServiceId, basic_type<types::Kind::tk_ulong>)
TENON_ALIAS(IOP, ComponentId, basic_type<types::Kind::tk_ulong>)
TENON_ALIAS(IOP, ProfileId, basic_type<types::Kind::tk_ulong>)
TENON_ALIAS(IOP, ContextData, alias_of_OctetSeq)
TENON_ALIAS(IOP, ComponentData, alias_of_OctetSeq)
TENON_ALIAS(IOP, ProfileData, alias_of_OctetSeq)

}  // namespace
}  // namespace tenon::gen

TENON_STANDARD_ENUM(CORBA, CompletionStatus, {"COMPLETED_YES"}, {"COMPLETED_NO"}, {"COMPLETED_MAYBE"})
TENON_STANDARD_ENUM(CORBA, ParameterMode, {"PARAM_IN"}, {"PARAM_OUT"}, {"PARAM_INOUT"})
namespace tenon::gen {
namespace {
TENON_ALIAS(Dynamic, ParameterMode, CORBA::_type_ParameterMode)
}  // namespace
}  // namespace tenon::gen
TENON_STANDARD_ENUM(CORBA, SetOverrideType, {"SET_OVERRIDE"}, {"ADD_OVERRIDE"})
TENON_STANDARD_ENUM(PortableServer, ThreadPolicyValue, {"ORB_CTRL_MODEL"}, {"SINGLE_THREAD_MODEL"},
                    {"MAIN_THREAD_MODEL"})
TENON_STANDARD_ENUM(PortableServer, LifespanPolicyValue, {"TRANSIENT"}, {"PERSISTENT"})
TENON_STANDARD_ENUM(PortableServer, IdUniquenessPolicyValue, {"UNIQUE_ID"}, {"MULTIPLE_ID"})
TENON_STANDARD_ENUM(PortableServer, IdAssignmentPolicyValue, {"USER_ID"}, {"SYSTEM_ID"})
TENON_STANDARD_ENUM(PortableServer, ImplicitActivationPolicyValue, {"IMPLICIT_ACTIVATION"},
                    {"NO_IMPLICIT_ACTIVATION"})
TENON_STANDARD_ENUM(PortableServer, ServantRetentionPolicyValue, {"RETAIN"}, {"NON_RETAIN"})
TENON_STANDARD_ENUM(PortableServer, RequestProcessingPolicyValue, {"USE_ACTIVE_OBJECT_MAP_ONLY"},
                    {"USE_DEFAULT_SERVANT"}, {"USE_SERVANT_MANAGER"})
TENON_STANDARD_ENUM(Security, QOP, {"SecQOPNoProtection"}, {"SecQOPIntegrity"}, {"SecQOPConfidentiality"},
                    {"SecQOPIntegrityAndConfidentiality"})
TENON_STANDARD_STRUCT(Security, EstablishTrust,
                      {"trust_in_client", &tenon::gen::basic_type<tenon::types::Kind::tk_boolean>},
                      {"trust_in_target", &tenon::gen::basic_type<tenon::types::Kind::tk_boolean>})
TENON_STANDARD_STRUCT(TimeBase, UtcT, {"time", &tenon::gen::alias_of_TimeT},
                      {"inacclo", &tenon::gen::basic_type<tenon::types::Kind::tk_ulong>},
                      {"inacchi", &tenon::gen::basic_type<tenon::types::Kind::tk_ushort>},
                      {"tdf", &tenon::gen::alias_of_TdfT})
TENON_STANDARD_STRUCT(TimeBase, IntervalT, {"lower_bound", &tenon::gen::alias_of_TimeT},
                      {"upper_bound", &tenon::gen::alias_of_TimeT})
TENON_STANDARD_STRUCT(IOP, Encoding, {"format", &tenon::gen::alias_of_EncodingFormat},
                      {"major_version", &tenon::gen::basic_type<tenon::types::Kind::tk_octet>},
                      {"minor_version", &tenon::gen::basic_type<tenon::types::Kind::tk_octet>})
TENON_STANDARD_STRUCT(IOP, ServiceContext, {"context_id", &tenon::gen::alias_of_ServiceId},
                      {"context_data", &tenon::gen::alias_of_ContextData})
TENON_STANDARD_STRUCT(IOP, TaggedComponent, {"tag", &tenon::gen::alias_of_ComponentId},
                      {"component_data", &tenon::gen::alias_of_ComponentData})
TENON_STANDARD_STRUCT(IOP, TaggedProfile, {"tag", &tenon::gen::alias_of_ProfileId},
                      {"profile_data", &tenon::gen::alias_of_ProfileData})
TENON_STANDARD_STRUCT(Dynamic, Parameter, {"argument", &tenon::gen::basic_type<tenon::types::Kind::tk_any>},
                      {"mode", &tenon::gen::alias_of_ParameterMode})
