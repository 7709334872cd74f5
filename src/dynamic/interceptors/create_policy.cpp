// SPDX-License-Identifier: Apache-2.0
//
// CORBA::ORB::create_policy (CORBA 3.4 part 1 §8.10.3): policies out of values in an Any. Factories that ORB initializers have
// registered are asked first; then those that the ORB knows are made, of calls and of POAs.
#include <initializer_list>

#include "dynamic/interceptors/interception_chain.hpp"
#include "mapping/cpp11/corba/own_policies.hpp"
#include "mapping/cpp11/corba/protocol_policies.hpp"
#include "tenon/corba/bidir_policy.hpp"
#include "tenon/corba/call_policies.hpp"
#include "tenon/corba/orb.hpp"
#include "tenon/corba/security_policies.hpp"
#include "tenon/dynamic/any.hpp"
#include "tenon/portable_server/poa_policies.hpp"
#include "types/walker.hpp"

namespace tenon::dynamic {

namespace {

using CORBA::PolicyType;
using types::Kind;
using PolicyRef = CORBA::object_reference<CORBA::Policy>;

/// Thrown inside create_policy(), which knows the policy's type.
struct Refusal {
  CORBA::PolicyErrorCode reason;
  std::string why;
};
[[noreturn]] void refuse(CORBA::PolicyErrorCode reason, std::string why) {
  throw Refusal{reason, std::move(why)};
}

[[noreturn]] void refuse_type(const CORBA::Any& value, const std::string& expected) {
  refuse(CORBA::BAD_POLICY_TYPE,
         "the value is of type " + types::text(*value._value().type()) + ", not " + expected);
}
[[noreturn]] void refuse_value(std::int64_t value) {
  refuse(CORBA::BAD_POLICY_VALUE, "there is no value " + std::to_string(value));
}

const types::TypeCode& without_aliases(const types::TypeCode& type) noexcept {
  const types::TypeCode* plain = &type;
  while (plain->kind == Kind::tk_alias) plain = plain->content;
  return *plain;
}

/// The value's bytes, if its type is of that kind; BAD_POLICY_TYPE otherwise.
cdr::Reader open(const CORBA::Any& value, Kind kind) {
  if (without_aliases(*value._value().type()).kind != kind)
    refuse_type(value, kind == Kind::tk_enum ? "an enum" : types::text(types::basic(kind)));
  return value._value().reader();
}

cdr::Reader open_struct(const CORBA::Any& value, std::initializer_list<Kind> members) {
  const types::TypeCode& type = without_aliases(*value._value().type());
  bool fits = type.kind == Kind::tk_struct && type.members.size() == members.size();
  for (std::size_t i = 0; fits && i < members.size(); ++i)
    fits = without_aliases(*type.members[i].type).kind == members.begin()[i];
  if (!fits) {
    std::string expected = "a struct of";
    for (const Kind member : members) expected += ' ' + types::text(types::basic(member));
    refuse_type(value, expected);
  }
  return value._value().reader();
}

/// The number of a value of the enum with repository id `id`; it must be below `count`.
std::uint32_t enumerator(const CORBA::Any& value, std::string_view id, std::uint32_t count) {
  cdr::Reader in = open(value, Kind::tk_enum);
  if (without_aliases(*value._value().type()).id != id) refuse_type(value, "enum " + std::string(id));
  const std::uint32_t number = in.get<std::uint32_t>();
  if (!in.good() || number >= count) refuse_value(number);
  return number;
}

/// Makes policies of POAs: one for each enum of module PortableServer.
PolicyRef poa_policy(PolicyType type, const CORBA::Any& value) {
  namespace ps = PortableServer;
#define TENON_POLICY(constant, name, count)                              \
  case ps::constant:                                                     \
    return CORBA::make_reference<ps::name>(static_cast<ps::name##Value>( \
        enumerator(value, "IDL:omg.org/PortableServer/" #name "Value:1.0", count)))
  switch (type) {
    TENON_POLICY(THREAD_POLICY_ID, ThreadPolicy, 3);
    TENON_POLICY(LIFESPAN_POLICY_ID, LifespanPolicy, 2);
    TENON_POLICY(ID_UNIQUENESS_POLICY_ID, IdUniquenessPolicy, 2);
    TENON_POLICY(ID_ASSIGNMENT_POLICY_ID, IdAssignmentPolicy, 2);
    TENON_POLICY(IMPLICIT_ACTIVATION_POLICY_ID, ImplicitActivationPolicy, 2);
    TENON_POLICY(SERVANT_RETENTION_POLICY_ID, ServantRetentionPolicy, 2);
    TENON_POLICY(REQUEST_PROCESSING_POLICY_ID, RequestProcessingPolicy, 3);
    default: return nullptr;
  }
#undef TENON_POLICY
}

/// A number from 0 to `most`.
std::int16_t choice(const CORBA::Any& value, std::int16_t most) {
  const std::int16_t number = open(value, Kind::tk_short).get<std::int16_t>();
  if (number < 0 || number > most) refuse_value(number);
  return number;
}

TimeBase::TimeT time(const CORBA::Any& value) {
  return open(value, Kind::tk_ulonglong).get<TimeBase::TimeT>();
}

TimeBase::UtcT point_in_time(const CORBA::Any& value) {
  cdr::Reader in = open_struct(value, {Kind::tk_ulonglong, Kind::tk_ulong, Kind::tk_ushort, Kind::tk_short});
  TimeBase::UtcT point;
  point.time() = in.get<TimeBase::TimeT>();
  point.inacclo() = in.get<std::uint32_t>();
  point.inacchi() = in.get<std::uint16_t>();
  point.tdf() = in.get<TimeBase::TdfT>();
  return point;
}

OnewayBuffering buffering(const CORBA::Any& value) {
  cdr::Reader in = open_struct(value, {Kind::tk_ulong, Kind::tk_ulong, Kind::tk_ulonglong});
  OnewayBuffering limits;
  limits.messages = in.get<std::uint32_t>();
  limits.octets = in.get<std::uint32_t>();
  limits.time = in.get<TimeBase::TimeT>();
  return limits;
}

/// Makes policies of calls, and our own.
PolicyRef call_policy(PolicyType type, const CORBA::Any& value) {
  switch (type) {
    case Messaging::REBIND_POLICY_TYPE: return create_rebind_policy(choice(value, Messaging::NO_RECONNECT));
    case Messaging::SYNC_SCOPE_POLICY_TYPE:
      return create_sync_scope_policy(choice(value, Messaging::SYNC_WITH_TARGET));
    case Messaging::REQUEST_END_TIME_POLICY_TYPE: return create_request_end_time_policy(point_in_time(value));
    case Messaging::REPLY_END_TIME_POLICY_TYPE: return create_reply_end_time_policy(point_in_time(value));
    case Messaging::RELATIVE_REQ_TIMEOUT_POLICY_TYPE:
      return create_relative_request_timeout_policy(time(value));
    case Messaging::RELATIVE_RT_TIMEOUT_POLICY_TYPE:
      return create_relative_roundtrip_timeout_policy(time(value));
    case PortableInterceptor::PROCESSING_MODE_POLICY_TYPE:
      return CORBA::make_reference<PortableInterceptor::ProcessingModePolicy>(
          choice(value, PortableInterceptor::LOCAL_ONLY));
    case BiDirPolicy::BIDIRECTIONAL_POLICY_TYPE: {
      const std::uint16_t ways = open(value, Kind::tk_ushort).get<std::uint16_t>();
      if (ways > BiDirPolicy::BOTH) refuse_value(ways);
      return create_bidirectional_policy(ways);
    }
    case DEADLINE_PASSING_POLICY_TYPE:
      return create_deadline_passing_policy(open(value, Kind::tk_boolean).get<bool>());
    case COPY_BELOW_POLICY_TYPE:
      return create_copy_below_policy(open(value, Kind::tk_ulong).get<std::uint32_t>());
    case BUFFERING_POLICY_TYPE: return create_buffering_policy(buffering(value));
    case OBJECT_DEMUX_POLICY_ID: {
      const std::uint32_t demux = open(value, Kind::tk_ulong).get<std::uint32_t>();
      if (demux > static_cast<std::uint32_t>(ObjectDemux::linear)) refuse_value(demux);
      return create_object_demux_policy(static_cast<ObjectDemux>(demux));
    }
    case Security::SecQOPPolicy:
      return CORBA::make_reference<SecurityLevel2::QOPPolicy>(
          static_cast<Security::QOP>(enumerator(value, "IDL:omg.org/Security/QOP:1.0", 4)));
    case Security::SecEstablishTrustPolicy: {
      cdr::Reader in = open_struct(value, {Kind::tk_boolean, Kind::tk_boolean});
      const bool client = in.get<bool>();
      return CORBA::make_reference<SecurityLevel2::EstablishTrustPolicy>(
          Security::EstablishTrust(client, in.get<bool>()));
    }
    default: return nullptr;
  }
}

/// Types that the standard has and this ORB does not: priorities, start times and routing of requests (§17.2), real time (38 to 45).
bool is_of_the_standard(PolicyType type) noexcept {
  return (type >= 25 && type <= 27) || type == 29 || (type >= 33 && type <= 45);
}

}  // namespace

}  // namespace tenon::dynamic

namespace CORBA {
inline namespace cpp11 {

object_reference<Policy> ORB::create_policy(PolicyType type, const Any& value) {
  namespace dynamic = tenon::dynamic;
  if (const tenon::Status usable = core_->usable(); !usable) tenon::gen::raise(usable.error());
  if (const auto chain = dynamic::chain_of(*core_)) {
    const auto factory = chain->policy_factories.find(type);
    if (factory != chain->policy_factories.end()) return factory->second->create_policy(type, value);
  }
  const std::string name = tenon::gen::policy_name(type);
  try {
    if (auto made = dynamic::poa_policy(type, value)) return made;
    if (auto made = dynamic::call_policy(type, value)) return made;
  } catch (const dynamic::Refusal& refusal) {
    throw PolicyError(refusal.reason, name + ": " + refusal.why);
  }
  if (type == tenon::gen::client_protocol_policy_type || type == tenon::gen::server_protocol_policy_type)
    throw PolicyError(
        UNSUPPORTED_POLICY,
        name + ": its value has local objects, which no Any holds; the initial reference RTORB makes it");
  if (dynamic::is_of_the_standard(type))
    throw PolicyError(UNSUPPORTED_POLICY, name + ": the standard has it, and this ORB does not");
  throw PolicyError(BAD_POLICY, name + ": there is no policy factory for it");
}

}  // namespace cpp11
}  // namespace CORBA
