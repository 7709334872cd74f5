// SPDX-License-Identifier: Apache-2.0
//
// ORB::create_policy: policies out of values in an Any, those of a program's own factories included, and why there is none.
#include <algorithm>
#include <vector>

#include <tenon/gen/any.hpp>
#include <tenon/messaging.hpp>

#include "tests/interceptors/world.hpp"

namespace tenon::spied {
namespace {

using CORBA::Any;

template <typename T>
Any any_of(T value) {
  Any any;
  any <<= value;
  return any;
}
Any short_of(std::int16_t value) { return any_of(value); }

/// The reason of the PolicyError that it raises; -1: none.
int refusal(CORBA::ORB& orb, CORBA::PolicyType type, const Any& value) {
  try {
    return orb.create_policy(type, value) ? -1 : -2;
  } catch (const CORBA::PolicyError& error) {
    return error.reason();
  }
}

class OwnPolicy final : public virtual CORBA::Policy {
 public:
  explicit OwnPolicy(std::int32_t value) : value_(value) {}
  CORBA::PolicyType policy_type() const override { return 4711; }
  CORBA::object_reference<CORBA::Policy> copy() override { return CORBA::make_reference<OwnPolicy>(value_); }
  std::int32_t value() const { return value_; }

 private:
  const std::int32_t value_;
};

class OwnFactory final : public PolicyFactory {
 public:
  CORBA::object_reference<CORBA::Policy> create_policy(CORBA::PolicyType, const Any& value) override {
    std::int32_t number = 0;
    if (!(value >>= number)) throw CORBA::PolicyError(CORBA::BAD_POLICY_TYPE);
    return CORBA::make_reference<OwnPolicy>(number);
  }
};

class CreatePolicy : public ::testing::Test {
 protected:
  void TearDown() override { orb->destroy(); }
  OrbRef orb = make_orb(
      [](ORBInitInfo& info) { info.register_policy_factory(4711, CORBA::make_reference<OwnFactory>()); });
};

TEST_F(CreatePolicy, OfCalls) {
  const auto sync = IDL::traits<Messaging::SyncScopePolicy>::narrow(
      orb->create_policy(Messaging::SYNC_SCOPE_POLICY_TYPE, short_of(Messaging::SYNC_WITH_SERVER)));
  EXPECT_EQ(sync->synchronization(), Messaging::SYNC_WITH_SERVER);
  const auto rebind = IDL::traits<Messaging::RebindPolicy>::narrow(
      orb->create_policy(Messaging::REBIND_POLICY_TYPE, short_of(Messaging::NO_REBIND)));
  EXPECT_EQ(rebind->rebind_mode(), Messaging::NO_REBIND);
  const auto trip = IDL::traits<Messaging::RelativeRoundtripTimeoutPolicy>::narrow(
      orb->create_policy(Messaging::RELATIVE_RT_TIMEOUT_POLICY_TYPE, any_of(std::uint64_t{12345})));
  EXPECT_EQ(trip->relative_expiry(), 12345u);
  const auto passing = IDL::traits<DeadlinePassingPolicy>::narrow(
      orb->create_policy(DEADLINE_PASSING_POLICY_TYPE, any_of(true)));
  EXPECT_TRUE(passing->value());
  const auto copying = IDL::traits<CopyBelowPolicy>::narrow(
      orb->create_policy(COPY_BELOW_POLICY_TYPE, any_of(std::uint32_t{65536})));
  EXPECT_EQ(copying->value(), 65536u);
}

TEST_F(CreatePolicy, OfAnOwnFactory) {
  Any value;
  value <<= std::int32_t{42};
  const auto own = orb->create_policy(4711, value);
  EXPECT_EQ(dynamic_cast<OwnPolicy&>(*own).value(), 42);
  EXPECT_EQ(refusal(*orb, 4711, short_of(1)), CORBA::BAD_POLICY_TYPE);
}

// One that the ORB has is refused, so that create_policy() means the same in all of a program; one that only the standard has is not.
TEST_F(CreatePolicy, FactoriesForPoliciesOfTheOrbAreRefused) {
  std::vector<CORBA::PolicyType> refused;
  const auto refusing = [&](ORBInitInfo& info) {
    for (CORBA::PolicyType type = 0; type < 64; ++type) {
      try {
        info.register_policy_factory(type, CORBA::make_reference<OwnFactory>());
      } catch (const CORBA::BAD_INV_ORDER& error) {
        EXPECT_EQ(error.minor(), CORBA::OMGVMCID | 16);
        if (type == PortableServer::LIFESPAN_POLICY_ID) {
          EXPECT_NE(std::string(error.what()).find("LifespanPolicy: the ORB makes these policies itself"),
                    std::string::npos)
              << error.what();
        }
        refused.push_back(type);
      }
    }
    EXPECT_THROW(info.register_policy_factory(BUFFERING_POLICY_TYPE, CORBA::make_reference<OwnFactory>()),
                 CORBA::BAD_INV_ORDER);
  };
  const OrbRef own = make_orb(refusing);
  EXPECT_EQ(refused, (std::vector<CORBA::PolicyType>{15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 28, 30, 31, 32,
                                                     37, 39, 42, 43, 61}));
  // exactly those that create_policy() of an ORB without such factories can make, and those of protocols, which RTORB makes
  for (CORBA::PolicyType type = 0; type < 64; ++type) {
    if (type == 42 || type == 43) continue;
    const int reason = refusal(*orb, type, Any());
    const bool made = reason != CORBA::UNSUPPORTED_POLICY && reason != CORBA::BAD_POLICY;
    EXPECT_EQ(made, std::ranges::find(refused, type) != refused.end()) << type;
  }
  own->destroy();
}

TEST_F(CreatePolicy, OfPoas) {
  const auto lifespan = [this](const std::string& id, std::uint32_t value) {
    const auto type = orb->create_enum_tc(id, "LifespanPolicyValue", {"TRANSIENT", "PERSISTENT"});
    Any any;
    gen::insert(any, type._type(), [&](cdr::Writer& out) { out.put(value); });
    return any;
  };
  const std::string right = "IDL:omg.org/PortableServer/LifespanPolicyValue:1.0";
  const auto made = orb->create_policy(PortableServer::LIFESPAN_POLICY_ID, lifespan(right, 1));
  EXPECT_EQ(IDL::traits<PortableServer::LifespanPolicy>::narrow(made)->value(),
            PortableServer::LifespanPolicyValue::PERSISTENT);
  EXPECT_EQ(refusal(*orb, PortableServer::LIFESPAN_POLICY_ID, lifespan("IDL:Other:1.0", 1)),
            CORBA::BAD_POLICY_TYPE);
}

TEST_F(CreatePolicy, WhatIsRefused) {
  EXPECT_EQ(refusal(*orb, Messaging::SYNC_SCOPE_POLICY_TYPE, short_of(4)), CORBA::BAD_POLICY_VALUE);
  EXPECT_EQ(refusal(*orb, Messaging::SYNC_SCOPE_POLICY_TYPE, short_of(-1)), CORBA::BAD_POLICY_VALUE);
  EXPECT_EQ(refusal(*orb, Messaging::SYNC_SCOPE_POLICY_TYPE, any_of(std::int32_t{1})),
            CORBA::BAD_POLICY_TYPE);
  EXPECT_EQ(refusal(*orb, Messaging::SYNC_SCOPE_POLICY_TYPE, Any()), CORBA::BAD_POLICY_TYPE);
  EXPECT_EQ(refusal(*orb, 27, Any()), CORBA::UNSUPPORTED_POLICY);
  EXPECT_EQ(refusal(*orb, 99999, short_of(0)), CORBA::BAD_POLICY);
  EXPECT_EQ(refusal(*orb, 99, short_of(0)), CORBA::BAD_POLICY);
}

}  // namespace
}  // namespace tenon::spied
