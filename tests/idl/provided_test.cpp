// SPDX-License-Identifier: Apache-2.0
//
// What the IDL compiler takes for provided by the ORB is declared by the ORB's headers: naming each type here
// makes the compiler of C++ the judge, and the list of names must be the IDL compiler's own.
#include "idl/model/provided.hpp"

#include <gtest/gtest.h>

#include <string>
#include <type_traits>
#include <vector>

#include <tenon/corba/abstract_base.hpp>
#include <tenon/corba/bidir_policy.hpp>
#include <tenon/corba/iop_types.hpp>
#include <tenon/corba/time_base.hpp>
#include <tenon/dynamic.hpp>
#include <tenon/gen/any.hpp>
#include <tenon/gen/messaging.hpp>
#include <tenon/gen/orb_types.hpp>
#include <tenon/gen/support.hpp>
#include <tenon/messaging.hpp>
#include <tenon/portable_interceptor.hpp>
#include <tenon/portable_server.hpp>

namespace {

std::vector<std::string> declared_in_cpp;

template <class T>
struct Declared {
  explicit Declared(const char* name) {
    static_assert(std::is_class_v<T> || std::is_arithmetic_v<T> || std::is_enum_v<T>);
    declared_in_cpp.emplace_back(name);
  }
};

#define DECLARED(Name) (void)Declared<Name>("::" #Name)
#define DECLARED_CONSTANT(Name) (void)Declared<decltype(Name)>("::" #Name)

void declare_all() {
  DECLARED_CONSTANT(BiDirPolicy::BIDIRECTIONAL_POLICY_TYPE);
  DECLARED_CONSTANT(BiDirPolicy::BOTH);
  DECLARED(BiDirPolicy::BidirectionalPolicy);
  DECLARED(BiDirPolicy::BidirectionalPolicyValue);
  DECLARED_CONSTANT(BiDirPolicy::NORMAL);
  DECLARED(CORBA::AbstractBase);
  DECLARED(CORBA::AnySeq);
  DECLARED_CONSTANT(CORBA::BAD_POLICY);
  DECLARED_CONSTANT(CORBA::BAD_POLICY_TYPE);
  DECLARED_CONSTANT(CORBA::BAD_POLICY_VALUE);
  DECLARED(CORBA::BooleanSeq);
  DECLARED(CORBA::CharSeq);
  DECLARED(CORBA::CompletionStatus);
  DECLARED(CORBA::Current);
  DECLARED(CORBA::DoubleSeq);
  DECLARED(CORBA::EnumMemberSeq);
  DECLARED(CORBA::FloatSeq);
  DECLARED(CORBA::Identifier);
  DECLARED(CORBA::InvalidPolicies);
  DECLARED(CORBA::LongDoubleSeq);
  DECLARED(CORBA::LongLongSeq);
  DECLARED(CORBA::LongSeq);
  DECLARED(CORBA::OctetSeq);
  DECLARED_CONSTANT(CORBA::PRIVATE_MEMBER);
  DECLARED_CONSTANT(CORBA::PUBLIC_MEMBER);
  DECLARED(CORBA::ParameterMode);
  DECLARED(CORBA::Policy);
  DECLARED(CORBA::PolicyCurrent);
  DECLARED(CORBA::PolicyError);
  DECLARED(CORBA::PolicyErrorCode);
  DECLARED(CORBA::PolicyList);
  DECLARED(CORBA::PolicyManager);
  DECLARED(CORBA::PolicyType);
  DECLARED(CORBA::PolicyTypeSeq);
  DECLARED(CORBA::Pollable);
  DECLARED(CORBA::PollableSet);
  DECLARED(CORBA::RepositoryId);
  DECLARED(CORBA::ScopedName);
  DECLARED_CONSTANT(CORBA::Security);
  DECLARED(CORBA::ServiceDetail);
  DECLARED(CORBA::ServiceDetailType);
  DECLARED(CORBA::ServiceInformation);
  DECLARED(CORBA::ServiceOption);
  DECLARED(CORBA::ServiceType);
  DECLARED(CORBA::SetOverrideType);
  DECLARED(CORBA::ShortSeq);
  DECLARED(CORBA::StringSeq);
  DECLARED(CORBA::StructMember);
  DECLARED(CORBA::StructMemberSeq);
  DECLARED(CORBA::TCKind);
  DECLARED(CORBA::TypeCode);
  DECLARED(CORBA::ULongLongSeq);
  DECLARED(CORBA::ULongSeq);
  DECLARED_CONSTANT(CORBA::UNSUPPORTED_POLICY);
  DECLARED_CONSTANT(CORBA::UNSUPPORTED_POLICY_VALUE);
  DECLARED(CORBA::UShortSeq);
  DECLARED(CORBA::UnionMember);
  DECLARED(CORBA::UnionMemberSeq);
  DECLARED_CONSTANT(CORBA::VM_ABSTRACT);
  DECLARED_CONSTANT(CORBA::VM_CUSTOM);
  DECLARED_CONSTANT(CORBA::VM_NONE);
  DECLARED_CONSTANT(CORBA::VM_TRUNCATABLE);
  DECLARED(CORBA::ValueFactory);
  DECLARED(CORBA::ValueMember);
  DECLARED(CORBA::ValueMemberSeq);
  DECLARED(CORBA::ValueModifier);
  DECLARED(CORBA::Visibility);
  DECLARED(CORBA::WCharSeq);
  DECLARED(CORBA::WStringSeq);
  DECLARED(Dynamic::ContextList);
  DECLARED(Dynamic::ExceptionList);
  DECLARED(Dynamic::Parameter);
  DECLARED(Dynamic::ParameterList);
  DECLARED(Dynamic::ParameterMode);
  DECLARED(Dynamic::RequestContext);
  DECLARED(DynamicAny::AnySeq);
  DECLARED(DynamicAny::DynAny);
  DECLARED(DynamicAny::DynAnyFactory);
  DECLARED(DynamicAny::DynAnySeq);
  DECLARED(DynamicAny::DynArray);
  DECLARED(DynamicAny::DynEnum);
  DECLARED(DynamicAny::DynFixed);
  DECLARED(DynamicAny::DynSequence);
  DECLARED(DynamicAny::DynStruct);
  DECLARED(DynamicAny::DynUnion);
  DECLARED(DynamicAny::DynValue);
  DECLARED(DynamicAny::DynValueBox);
  DECLARED(DynamicAny::DynValueCommon);
  DECLARED(DynamicAny::FieldName);
  DECLARED(DynamicAny::MustTruncate);
  DECLARED(DynamicAny::NameDynAnyPair);
  DECLARED(DynamicAny::NameDynAnyPairSeq);
  DECLARED(DynamicAny::NameValuePair);
  DECLARED(DynamicAny::NameValuePairSeq);
  DECLARED(IOP::Codec);
  DECLARED(IOP::CodecFactory);
  DECLARED(IOP::ComponentId);
  DECLARED_CONSTANT(IOP::ENCODING_CDR_ENCAPS);
  DECLARED(IOP::Encoding);
  DECLARED(IOP::EncodingFormat);
  DECLARED(IOP::ProfileId);
  DECLARED(IOP::ServiceContext);
  DECLARED(IOP::ServiceContextList);
  DECLARED(IOP::ServiceId);
  DECLARED(IOP::TaggedComponent);
  DECLARED(IOP::TaggedComponentSeq);
  DECLARED(IOP::TaggedProfile);
  DECLARED(IOP::TaggedProfileSeq);
  DECLARED(Messaging::ExceptionHolder);
  DECLARED_CONSTANT(Messaging::NO_REBIND);
  DECLARED_CONSTANT(Messaging::NO_RECONNECT);
  DECLARED(Messaging::Poller);
  DECLARED_CONSTANT(Messaging::REBIND_POLICY_TYPE);
  DECLARED_CONSTANT(Messaging::RELATIVE_REQ_TIMEOUT_POLICY_TYPE);
  DECLARED_CONSTANT(Messaging::RELATIVE_RT_TIMEOUT_POLICY_TYPE);
  DECLARED_CONSTANT(Messaging::REPLY_END_TIME_POLICY_TYPE);
  DECLARED_CONSTANT(Messaging::REQUEST_END_TIME_POLICY_TYPE);
  DECLARED(Messaging::RebindMode);
  DECLARED(Messaging::RebindPolicy);
  DECLARED(Messaging::RelativeRequestTimeoutPolicy);
  DECLARED(Messaging::RelativeRoundtripTimeoutPolicy);
  DECLARED(Messaging::ReplyEndTimePolicy);
  DECLARED(Messaging::ReplyHandler);
  DECLARED(Messaging::RequestEndTimePolicy);
  DECLARED_CONSTANT(Messaging::SYNC_NONE);
  DECLARED_CONSTANT(Messaging::SYNC_SCOPE_POLICY_TYPE);
  DECLARED_CONSTANT(Messaging::SYNC_WITH_SERVER);
  DECLARED_CONSTANT(Messaging::SYNC_WITH_TARGET);
  DECLARED_CONSTANT(Messaging::SYNC_WITH_TRANSPORT);
  DECLARED(Messaging::SyncScope);
  DECLARED(Messaging::SyncScopePolicy);
  DECLARED_CONSTANT(Messaging::TRANSPARENT);
  DECLARED_CONSTANT(PortableInterceptor::ACTIVE);
  DECLARED(PortableInterceptor::AdapterManagerId);
  DECLARED(PortableInterceptor::AdapterName);
  DECLARED(PortableInterceptor::AdapterState);
  DECLARED(PortableInterceptor::ClientRequestInfo);
  DECLARED(PortableInterceptor::ClientRequestInterceptor);
  DECLARED(PortableInterceptor::Current);
  DECLARED_CONSTANT(PortableInterceptor::DISCARDING);
  DECLARED(PortableInterceptor::ForwardRequest);
  DECLARED_CONSTANT(PortableInterceptor::HOLDING);
  DECLARED_CONSTANT(PortableInterceptor::INACTIVE);
  DECLARED(PortableInterceptor::IORInfo);
  DECLARED(PortableInterceptor::IORInterceptor);
  DECLARED(PortableInterceptor::IORInterceptor_3_0);
  DECLARED(PortableInterceptor::Interceptor);
  DECLARED(PortableInterceptor::InvalidSlot);
  DECLARED_CONSTANT(PortableInterceptor::LOCATION_FORWARD);
  DECLARED_CONSTANT(PortableInterceptor::NON_EXISTENT);
  DECLARED(PortableInterceptor::ORBId);
  DECLARED(PortableInterceptor::ORBInitInfo);
  DECLARED(PortableInterceptor::ORBInitializer);
  DECLARED(PortableInterceptor::ObjectId);
  DECLARED(PortableInterceptor::ObjectReferenceFactory);
  DECLARED(PortableInterceptor::ObjectReferenceTemplate);
  DECLARED(PortableInterceptor::ObjectReferenceTemplateSeq);
  DECLARED(PortableInterceptor::PolicyFactory);
  DECLARED(PortableInterceptor::ReplyStatus);
  DECLARED(PortableInterceptor::RequestInfo);
  DECLARED_CONSTANT(PortableInterceptor::SUCCESSFUL);
  DECLARED_CONSTANT(PortableInterceptor::SYSTEM_EXCEPTION);
  DECLARED(PortableInterceptor::ServerId);
  DECLARED(PortableInterceptor::ServerRequestInfo);
  DECLARED(PortableInterceptor::ServerRequestInterceptor);
  DECLARED(PortableInterceptor::SlotId);
  DECLARED_CONSTANT(PortableInterceptor::TRANSPORT_RETRY);
  DECLARED_CONSTANT(PortableInterceptor::UNKNOWN);
  DECLARED_CONSTANT(PortableInterceptor::USER_EXCEPTION);
  DECLARED(PortableServer::AdapterActivator);
  DECLARED(PortableServer::Current);
  DECLARED(PortableServer::ForwardRequest);
  DECLARED_CONSTANT(PortableServer::ID_ASSIGNMENT_POLICY_ID);
  DECLARED_CONSTANT(PortableServer::ID_UNIQUENESS_POLICY_ID);
  DECLARED_CONSTANT(PortableServer::IMPLICIT_ACTIVATION_POLICY_ID);
  DECLARED(PortableServer::IdAssignmentPolicy);
  DECLARED(PortableServer::IdAssignmentPolicyValue);
  DECLARED(PortableServer::IdUniquenessPolicy);
  DECLARED(PortableServer::IdUniquenessPolicyValue);
  DECLARED(PortableServer::ImplicitActivationPolicy);
  DECLARED(PortableServer::ImplicitActivationPolicyValue);
  DECLARED_CONSTANT(PortableServer::LIFESPAN_POLICY_ID);
  DECLARED(PortableServer::LifespanPolicy);
  DECLARED(PortableServer::LifespanPolicyValue);
  DECLARED(PortableServer::ObjectId);
  DECLARED(PortableServer::POA);
  DECLARED(PortableServer::POAList);
  DECLARED(PortableServer::POAManager);
  DECLARED(PortableServer::POAManagerFactory);
  DECLARED_CONSTANT(PortableServer::REQUEST_PROCESSING_POLICY_ID);
  DECLARED(PortableServer::RequestProcessingPolicy);
  DECLARED(PortableServer::RequestProcessingPolicyValue);
  DECLARED_CONSTANT(PortableServer::SERVANT_RETENTION_POLICY_ID);
  DECLARED(PortableServer::Servant);
  DECLARED(PortableServer::ServantActivator);
  DECLARED(PortableServer::ServantLocator);
  DECLARED(PortableServer::ServantManager);
  DECLARED(PortableServer::ServantRetentionPolicy);
  DECLARED(PortableServer::ServantRetentionPolicyValue);
  DECLARED_CONSTANT(PortableServer::THREAD_POLICY_ID);
  DECLARED(PortableServer::ThreadPolicy);
  DECLARED(PortableServer::ThreadPolicyValue);
  DECLARED(TimeBase::InaccuracyT);
  DECLARED(TimeBase::IntervalT);
  DECLARED(TimeBase::TdfT);
  DECLARED(TimeBase::TimeT);
  DECLARED(TimeBase::UtcT);
}

TEST(Provided, EveryNameIsDeclaredInCpp) {
  declare_all();
  std::vector<std::string> listed;
  for (const std::string_view name : tenon::idl::model::provided_names()) listed.emplace_back(name);
  EXPECT_EQ(listed, declared_in_cpp);
}

template <class T>
void expect_final_as_listed(const char* name) {
  EXPECT_EQ(tenon::idl::model::is_final_in_orb(name), std::is_final_v<T>) << name;
}
#define FINAL_AS_LISTED(Name) expect_final_as_listed<Name>("::" #Name)

TEST(Provided, KnowsWhichInterfacesAreFinal) {
  FINAL_AS_LISTED(BiDirPolicy::BidirectionalPolicy);
  FINAL_AS_LISTED(CORBA::Current);
  FINAL_AS_LISTED(CORBA::Policy);
  FINAL_AS_LISTED(CORBA::PolicyCurrent);
  FINAL_AS_LISTED(CORBA::PolicyManager);
  FINAL_AS_LISTED(CORBA::PollableSet);
  FINAL_AS_LISTED(DynamicAny::DynAny);
  FINAL_AS_LISTED(DynamicAny::DynAnyFactory);
  FINAL_AS_LISTED(DynamicAny::DynArray);
  FINAL_AS_LISTED(DynamicAny::DynEnum);
  FINAL_AS_LISTED(DynamicAny::DynFixed);
  FINAL_AS_LISTED(DynamicAny::DynSequence);
  FINAL_AS_LISTED(DynamicAny::DynStruct);
  FINAL_AS_LISTED(DynamicAny::DynUnion);
  FINAL_AS_LISTED(DynamicAny::DynValue);
  FINAL_AS_LISTED(DynamicAny::DynValueBox);
  FINAL_AS_LISTED(DynamicAny::DynValueCommon);
  FINAL_AS_LISTED(IOP::Codec);
  FINAL_AS_LISTED(IOP::CodecFactory);
  FINAL_AS_LISTED(Messaging::RebindPolicy);
  FINAL_AS_LISTED(Messaging::RelativeRequestTimeoutPolicy);
  FINAL_AS_LISTED(Messaging::RelativeRoundtripTimeoutPolicy);
  FINAL_AS_LISTED(Messaging::ReplyEndTimePolicy);
  FINAL_AS_LISTED(Messaging::ReplyHandler);
  FINAL_AS_LISTED(Messaging::RequestEndTimePolicy);
  FINAL_AS_LISTED(Messaging::SyncScopePolicy);
  FINAL_AS_LISTED(PortableInterceptor::ClientRequestInfo);
  FINAL_AS_LISTED(PortableInterceptor::ClientRequestInterceptor);
  FINAL_AS_LISTED(PortableInterceptor::Current);
  FINAL_AS_LISTED(PortableInterceptor::IORInfo);
  FINAL_AS_LISTED(PortableInterceptor::IORInterceptor);
  FINAL_AS_LISTED(PortableInterceptor::Interceptor);
  FINAL_AS_LISTED(PortableInterceptor::ORBInitInfo);
  FINAL_AS_LISTED(PortableInterceptor::ORBInitializer);
  FINAL_AS_LISTED(PortableInterceptor::PolicyFactory);
  FINAL_AS_LISTED(PortableInterceptor::RequestInfo);
  FINAL_AS_LISTED(PortableInterceptor::ServerRequestInfo);
  FINAL_AS_LISTED(PortableInterceptor::ServerRequestInterceptor);
  FINAL_AS_LISTED(PortableServer::AdapterActivator);
  FINAL_AS_LISTED(PortableServer::Current);
  FINAL_AS_LISTED(PortableServer::IdAssignmentPolicy);
  FINAL_AS_LISTED(PortableServer::IdUniquenessPolicy);
  FINAL_AS_LISTED(PortableServer::ImplicitActivationPolicy);
  FINAL_AS_LISTED(PortableServer::LifespanPolicy);
  FINAL_AS_LISTED(PortableServer::POA);
  FINAL_AS_LISTED(PortableServer::POAManager);
  FINAL_AS_LISTED(PortableServer::POAManagerFactory);
  FINAL_AS_LISTED(PortableServer::RequestProcessingPolicy);
  FINAL_AS_LISTED(PortableServer::ServantActivator);
  FINAL_AS_LISTED(PortableServer::ServantLocator);
  FINAL_AS_LISTED(PortableServer::ServantManager);
  FINAL_AS_LISTED(PortableServer::ServantRetentionPolicy);
  FINAL_AS_LISTED(PortableServer::ThreadPolicy);
}

TEST(Provided, CoversWhatStandsInsideAndNothingElse) {
  using tenon::idl::model::provided_by_orb;
  EXPECT_TRUE(provided_by_orb("::CORBA::OctetSeq"));
  EXPECT_TRUE(provided_by_orb("::PortableServer::POA::WrongPolicy"));
  EXPECT_FALSE(provided_by_orb("::CORBA"));
  EXPECT_FALSE(provided_by_orb("::CORBA::Repository"));
  EXPECT_FALSE(provided_by_orb("::Mine::CORBA::OctetSeq"));
  EXPECT_FALSE(provided_by_orb("::OctetSeq"));
}

}  // namespace
