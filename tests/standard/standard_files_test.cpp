// SPDX-License-Identifier: Apache-2.0
//
// Declarations whose C++ is made of the standard's IDL files (tenon/standard/orb.hpp): stubs and skeletons of domain managers, value boxes.
#include <tenon/standard/Messaging_any.hpp>
#include <tenon/standard/orb_any.hpp>
#include <tenon/standard/orb_skel.hpp>

#include "tests/standard/standard_test_support.hpp"

namespace tenon::standard {
namespace {

class Domain final : public CORBA::servant_traits<CORBA::DomainManager>::base_type {
 public:
  CORBA::object_reference<CORBA::Policy> get_domain_policy(CORBA::PolicyType type) override {
    if (type != CORBA::SecConstruction) throw CORBA::INV_POLICY();
    return nullptr;
  }
};

class Construction final : public CORBA::servant_traits<CORBA::ConstructionPolicy>::base_type {
 public:
  CORBA::PolicyType policy_type() override { return CORBA::SecConstruction; }
  CORBA::object_reference<CORBA::Policy> copy() override { return nullptr; }
  void destroy() override {}
  void make_domain_manager(CORBA::object_reference<CORBA::Object> object_type, bool constr_policy) override {
    made = constr_policy && !object_type;
  }

  bool made = false;
};

TEST_F(Standard, ConstructionPoliciesMakeDomains) {
  const auto servant = CORBA::make_reference<Construction>();
  const auto policy = IDL::traits<CORBA::ConstructionPolicy>::narrow(
      client->string_to_object(server->object_to_string(publish(server, servant))));
  ASSERT_TRUE(policy);
  EXPECT_EQ(policy->policy_type(), CORBA::SecConstruction);
  policy->make_domain_manager(nullptr, true);
  EXPECT_TRUE(servant->made);
}

TEST_F(Standard, DomainManagersAreAskedForPolicies) {
  const auto domain = IDL::traits<CORBA::DomainManager>::narrow(
      client->string_to_object(server->object_to_string(publish(server, CORBA::make_reference<Domain>()))));
  ASSERT_TRUE(domain);
  EXPECT_EQ(domain->get_domain_policy(CORBA::SecConstruction), nullptr);
  EXPECT_THROW(domain->get_domain_policy(Messaging::REBIND_POLICY_TYPE), CORBA::INV_POLICY);
}

/// What a program has that brings its own policy of a kind that this ORB does not make.
class Priority final : public Messaging::RequestPriorityPolicy {
 public:
  Messaging::PriorityRange priority_range() override { return Messaging::PriorityRange(1, 5); }
  CORBA::PolicyType policy_type() const override { return Messaging::REQUEST_PRIORITY_POLICY_TYPE; }
  CORBA::object_reference<CORBA::Policy> copy() override { return CORBA::make_reference<Priority>(); }
};

CORBA::PolicyErrorCode refusal(CORBA::ORB& orb, CORBA::PolicyType type, const CORBA::Any& value) {
  try {
    orb.create_policy(type, value);
  } catch (const CORBA::PolicyError& error) {
    return error.reason();
  }
  return -1;
}

template <typename T>
CORBA::Any in_any(const T& value) {
  CORBA::Any any;
  any <<= value;
  return any;
}

TEST_F(Standard, PoliciesOfRoutersAreRefused) {
  const auto refused = [&](CORBA::PolicyType type, const CORBA::Any& value) {
    return refusal(*client, type, value) == CORBA::UNSUPPORTED_POLICY;
  };
  const CORBA::Any priority_range = in_any(Messaging::PriorityRange(0, 9));
  EXPECT_TRUE(refused(Messaging::REQUEST_PRIORITY_POLICY_TYPE, priority_range));
  EXPECT_TRUE(refused(Messaging::REPLY_PRIORITY_POLICY_TYPE, priority_range));
  const CORBA::Any routing_range =
      in_any(Messaging::RoutingTypeRange(Messaging::ROUTE_NONE, Messaging::ROUTE_FORWARD));
  EXPECT_TRUE(refused(Messaging::ROUTING_POLICY_TYPE, routing_range));
  const CORBA::Any max_hops = in_any(std::uint16_t{3});
  EXPECT_TRUE(refused(Messaging::MAX_HOPS_POLICY_TYPE, max_hops));
  const CORBA::Any allowed_orders = in_any(Messaging::ORDER_DEADLINE);
  EXPECT_TRUE(refused(Messaging::QUEUE_ORDER_POLICY_TYPE, allowed_orders));
  const CORBA::Any start_time = in_any(utc_after(std::chrono::hours(1)).time());
  EXPECT_TRUE(refused(Messaging::REQUEST_START_TIME_POLICY_TYPE, start_time));
  EXPECT_TRUE(refused(Messaging::REPLY_START_TIME_POLICY_TYPE, start_time));
  // One that a program makes itself is not for calls.
  EXPECT_THROW(mirror->_set_policy_overrides({CORBA::make_reference<Priority>()},
                                             CORBA::SetOverrideType::ADD_OVERRIDE),
               CORBA::NO_PERMISSION);
}

TEST_F(Standard, BoxesOfTextGoInAnAny) {
  CORBA::Any any;
  any <<= CORBA::make_reference<CORBA::StringValue>("narrow");
  CORBA::valuetype_reference<CORBA::StringValue> text;
  ASSERT_TRUE(any >>= text);
  EXPECT_EQ(text->_value(), "narrow");
  any <<= CORBA::make_reference<CORBA::WStringValue>(L"w\u00efde");
  CORBA::valuetype_reference<CORBA::WStringValue> wide;
  EXPECT_FALSE(any >>= text);
  ASSERT_TRUE(any >>= wide);
  EXPECT_EQ(wide->_value(), L"w\u00efde");
}

}  // namespace
}  // namespace tenon::standard
