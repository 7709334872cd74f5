// SPDX-License-Identifier: Apache-2.0
#include "idl/model/provided.hpp"

#include <algorithm>

namespace tenon::idl::model {

namespace {

// Sorted. Names of CORBA and Messaging are declared by the C++ mapping's headers (tests/idl/provided_test.cpp
// proves it).
// Names of PortableServer are the ORB's to declare even where it does not support them yet (servant
// managers): a generated class of that name could never be handed to a POA.
constexpr std::string_view names[] = {
    "::CORBA::AnySeq",
    "::CORBA::BAD_POLICY",
    "::CORBA::BAD_POLICY_TYPE",
    "::CORBA::BAD_POLICY_VALUE",
    "::CORBA::BooleanSeq",
    "::CORBA::CharSeq",
    "::CORBA::CompletionStatus",
    "::CORBA::Current",
    "::CORBA::DoubleSeq",
    "::CORBA::EnumMemberSeq",
    "::CORBA::FloatSeq",
    "::CORBA::Identifier",
    "::CORBA::InvalidPolicies",
    "::CORBA::LongDoubleSeq",
    "::CORBA::LongLongSeq",
    "::CORBA::LongSeq",
    "::CORBA::OctetSeq",
    "::CORBA::PRIVATE_MEMBER",
    "::CORBA::PUBLIC_MEMBER",
    "::CORBA::Policy",
    "::CORBA::PolicyError",
    "::CORBA::PolicyErrorCode",
    "::CORBA::PolicyList",
    "::CORBA::PolicyType",
    "::CORBA::PolicyTypeSeq",
    "::CORBA::Pollable",
    "::CORBA::PollableSet",
    "::CORBA::RepositoryId",
    "::CORBA::Security",
    "::CORBA::ServiceDetail",
    "::CORBA::ServiceDetailType",
    "::CORBA::ServiceInformation",
    "::CORBA::ServiceOption",
    "::CORBA::ServiceType",
    "::CORBA::SetOverrideType",
    "::CORBA::ShortSeq",
    "::CORBA::StringSeq",
    "::CORBA::StructMember",
    "::CORBA::StructMemberSeq",
    "::CORBA::TCKind",
    "::CORBA::ULongLongSeq",
    "::CORBA::ULongSeq",
    "::CORBA::UNSUPPORTED_POLICY",
    "::CORBA::UNSUPPORTED_POLICY_VALUE",
    "::CORBA::UShortSeq",
    "::CORBA::UnionMember",
    "::CORBA::UnionMemberSeq",
    "::CORBA::VM_ABSTRACT",
    "::CORBA::VM_CUSTOM",
    "::CORBA::VM_NONE",
    "::CORBA::VM_TRUNCATABLE",
    "::CORBA::ValueFactory",
    "::CORBA::ValueMember",
    "::CORBA::ValueMemberSeq",
    "::CORBA::ValueModifier",
    "::CORBA::Visibility",
    "::CORBA::WCharSeq",
    "::CORBA::WStringSeq",
    "::Messaging::ExceptionHolder",
    "::Messaging::Poller",
    "::Messaging::ReplyHandler",
    "::PortableServer::AdapterActivator",
    "::PortableServer::Current",
    "::PortableServer::ForwardRequest",
    "::PortableServer::ObjectId",
    "::PortableServer::POA",
    "::PortableServer::POAList",
    "::PortableServer::POAManager",
    "::PortableServer::Servant",
    "::PortableServer::ServantActivator",
    "::PortableServer::ServantLocator",
    "::PortableServer::ServantManager",
};

// Their classes are final, since only the ORB makes such objects.
constexpr std::string_view final_names[] = {
    "::PortableServer::Current",
    "::PortableServer::POA",
    "::PortableServer::POAManager",
};

}  // namespace

bool is_final_in_orb(std::string_view scoped_name) {
  return std::binary_search(std::begin(final_names), std::end(final_names), scoped_name);
}

bool provided_by_orb(std::string_view scoped_name) {
  // A nested name is provided with its outermost provided scope: try "::A::B::C", "::A::B", "::A".
  while (!scoped_name.empty()) {
    if (std::binary_search(std::begin(names), std::end(names), scoped_name)) return true;
    scoped_name = scoped_name.substr(0, scoped_name.rfind("::"));
  }
  return false;
}

const std::vector<std::string_view>& provided_names() {
  static const std::vector<std::string_view> all(std::begin(names), std::end(names));
  return all;
}

}  // namespace tenon::idl::model
