// SPDX-License-Identifier: Apache-2.0
//
// What the IDL compiler takes for provided by the ORB is declared by the ORB's headers: naming each type here
// makes the compiler of C++ the judge, and the list of names must be the IDL compiler's own.
#include "idl/model/provided.hpp"

#include <gtest/gtest.h>

#include <string>
#include <type_traits>
#include <vector>

#include <tenon/gen/any.hpp>
#include <tenon/gen/messaging.hpp>
#include <tenon/gen/orb_types.hpp>
#include <tenon/gen/support.hpp>
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
  DECLARED(CORBA::Policy);
  DECLARED(CORBA::PolicyError);
  DECLARED(CORBA::PolicyErrorCode);
  DECLARED(CORBA::PolicyList);
  DECLARED(CORBA::PolicyType);
  DECLARED(CORBA::PolicyTypeSeq);
  DECLARED(CORBA::Pollable);
  DECLARED(CORBA::PollableSet);
  DECLARED(CORBA::RepositoryId);
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
  DECLARED(Messaging::ExceptionHolder);
  DECLARED(Messaging::Poller);
  DECLARED(Messaging::ReplyHandler);
}

TEST(Provided, EveryNameOfCorbaAndMessagingIsDeclaredInCpp) {
  declare_all();
  std::vector<std::string> listed;
  for (const std::string_view name : tenon::idl::model::provided_names()) {
    if (name.starts_with("::CORBA::") || name.starts_with("::Messaging::")) listed.emplace_back(name);
  }
  EXPECT_EQ(listed, declared_in_cpp);
}

TEST(Provided, KnowsWhichClassesAreFinal) {
  using namespace PortableServer;
  using tenon::idl::model::is_final_in_orb;
  EXPECT_EQ(is_final_in_orb("::PortableServer::POA"), std::is_final_v<POA>);
  EXPECT_EQ(is_final_in_orb("::PortableServer::POAManager"), std::is_final_v<POAManager>);
  EXPECT_EQ(is_final_in_orb("::PortableServer::Current"), std::is_final_v<Current>);
  EXPECT_EQ(is_final_in_orb("::PortableServer::AdapterActivator"), std::is_final_v<AdapterActivator>);
  EXPECT_EQ(is_final_in_orb("::PortableServer::ServantManager"), std::is_final_v<ServantManager>);
  EXPECT_EQ(is_final_in_orb("::PortableServer::ServantActivator"), std::is_final_v<ServantActivator>);
  EXPECT_EQ(is_final_in_orb("::PortableServer::ServantLocator"), std::is_final_v<ServantLocator>);
  EXPECT_EQ(is_final_in_orb("::CORBA::Policy"), std::is_final_v<CORBA::Policy>);
  EXPECT_EQ(is_final_in_orb("::CORBA::Current"), std::is_final_v<CORBA::Current>);
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
