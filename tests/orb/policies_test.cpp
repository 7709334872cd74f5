// SPDX-License-Identifier: Apache-2.0
//
// Policies of calls at the level of ORB, thread and object, and what they do: time-outs, and how far oneways go.
#include <thread>

#include <tenon/messaging.hpp>
#include <tenon/timeout.hpp>

#include "base/minor_codes.hpp"
#include "tests/orb/world.hpp"

namespace tenon::suite {
namespace {

using namespace std::chrono_literals;
using CORBA::SetOverrideType;

constexpr auto roundtrip = Messaging::RELATIVE_RT_TIMEOUT_POLICY_TYPE;

CORBA::object_reference<CORBA::Policy> trip_of(TimeBase::TimeT time) {
  return create_relative_roundtrip_timeout_policy(time);
}
CORBA::object_reference<CORBA::Policy> sync_of(Messaging::SyncScope scope) {
  return create_sync_scope_policy(scope);
}
CORBA::object_reference<CORBA::PolicyManager> manager_of(CORBA::ORB& orb) {
  return IDL::traits<CORBA::PolicyManager>::narrow(orb.resolve_initial_references("ORBPolicyManager"));
}
CORBA::object_reference<CORBA::PolicyCurrent> current_of(CORBA::ORB& orb) {
  return IDL::traits<CORBA::PolicyCurrent>::narrow(orb.resolve_initial_references("PolicyCurrent"));
}
/// In ms; -1: nil.
std::int64_t trip_ms(const CORBA::object_reference<CORBA::Policy>& policy) {
  const auto trip = IDL::traits<Messaging::RelativeRoundtripTimeoutPolicy>::narrow(policy);
  return trip ? static_cast<std::int64_t>(trip->relative_expiry() / ms) : -1;
}

/// Leaves the thread without policies.
class Policies : public World {
 protected:
  void TearDown() override {
    current_of(pair->client())->set_policy_overrides({}, SetOverrideType::SET_OVERRIDE);
    World::TearDown();
  }
};
INSTANTIATE_TEST_SUITE_P(All, Policies, ::testing::ValuesIn(remote_cases()),
                         [](const auto& each) { return name_of(each.param); });

TEST_P(Policies, TheNearestCounts) {
  const auto manager = manager_of(pair->client());
  const auto current = current_of(pair->client());
  const TestRef own = with(pair->test, {trip_of(300 * ms)});
  EXPECT_EQ(trip_ms(pair->test->_get_client_policy(roundtrip)), -1);
  EXPECT_EQ(trip_ms(pair->test->_get_policy(roundtrip)), 30000);  // -ORBCallTimeout
  manager->set_policy_overrides({trip_of(100 * ms)}, SetOverrideType::SET_OVERRIDE);
  EXPECT_EQ(trip_ms(pair->test->_get_client_policy(roundtrip)), 100);
  current->set_policy_overrides({trip_of(200 * ms)}, SetOverrideType::SET_OVERRIDE);
  EXPECT_EQ(trip_ms(pair->test->_get_client_policy(roundtrip)), 200);
  EXPECT_EQ(trip_ms(own->_get_client_policy(roundtrip)), 300);
  EXPECT_EQ(trip_ms(own->_get_policy(roundtrip)), 300);
  std::thread([&] { EXPECT_EQ(trip_ms(pair->test->_get_client_policy(roundtrip)), 100); }).join();
  {
    const TimeoutScope scope(250ms);
    EXPECT_EQ(trip_ms(pair->test->_get_client_policy(roundtrip)), 250);
  }
  EXPECT_EQ(trip_ms(pair->test->_get_client_policy(roundtrip)), 200);
  current->set_policy_overrides({}, SetOverrideType::SET_OVERRIDE);
  EXPECT_EQ(trip_ms(pair->test->_get_client_policy(roundtrip)), 100);
  set_timeout(*pair->test, 400ms);
  EXPECT_EQ(trip_ms(pair->test->_get_client_policy(roundtrip)), 400);
}

TEST_P(Policies, OverridesAreAddedOrReplaced) {
  const auto manager = manager_of(pair->client());
  manager->set_policy_overrides({trip_of(100 * ms)}, SetOverrideType::SET_OVERRIDE);
  manager->set_policy_overrides({sync_of(Messaging::SYNC_WITH_SERVER)}, SetOverrideType::ADD_OVERRIDE);
  EXPECT_EQ(manager->get_policy_overrides({}).size(), 2u);
  EXPECT_EQ(manager->get_policy_overrides({roundtrip}).size(), 1u);
  manager->set_policy_overrides({sync_of(Messaging::SYNC_NONE)}, SetOverrideType::SET_OVERRIDE);
  EXPECT_TRUE(manager->get_policy_overrides({roundtrip}).empty());
  const TestRef own = with(pair->test, {trip_of(ms), sync_of(Messaging::SYNC_NONE)});
  EXPECT_EQ(own->_get_policy_overrides({}).size(), 2u);
  EXPECT_TRUE(pair->test->_get_policy_overrides({}).empty());
  EXPECT_TRUE(own->_is_equivalent(pair->test));
}

TEST_P(Policies, WrongOnesAreRefused) {
  const auto manager = manager_of(pair->client());
  EXPECT_THROW(manager->set_policy_overrides({trip_of(1), trip_of(2)}, SetOverrideType::SET_OVERRIDE),
               CORBA::InvalidPolicies);
  EXPECT_EQ(outcome_of([&] {
              manager->set_policy_overrides({create_object_demux_policy(ObjectDemux::hash)},
                                            SetOverrideType::SET_OVERRIDE);
            }),
            text_of(errors::not_a_policy_of_calls));
  EXPECT_EQ(outcome_of([&] { manager->set_policy_overrides({sync_of(4)}, SetOverrideType::SET_OVERRIDE); }),
            text_of(errors::unknown_policy_value));
  EXPECT_EQ(outcome_of([&] { pair->test->_get_policy(4711); }), text_of(errors::bad_policy_type));
  EXPECT_TRUE(manager->get_policy_overrides({}).empty());
}

TEST_P(Policies, TimeOutsAtEveryLevel) {
  const auto late = text_of(errors::reply_timed_out.with(Completion::maybe));
  const auto try_one = [&](const TestRef& test) { EXPECT_EQ(outcome_of([&] { test->hold(1); }), late); };
  try_one(with(pair->test, {trip_of(50 * ms)}));
  const auto current = current_of(pair->client());
  current->set_policy_overrides({trip_of(50 * ms)}, SetOverrideType::SET_OVERRIDE);
  try_one(pair->test);
  current->set_policy_overrides({}, SetOverrideType::SET_OVERRIDE);
  manager_of(pair->client())->set_policy_overrides({trip_of(50 * ms)}, SetOverrideType::SET_OVERRIDE);
  try_one(pair->test);
  manager_of(pair->client())->set_policy_overrides({}, SetOverrideType::SET_OVERRIDE);
  pair->servant->gate.open(3);
  EXPECT_EQ(pair->test->add(1, 2), 3);
}

TEST_P(Policies, ARequestTimeOutSaysNothingAboutTheReply) {
  const TestRef quick = with(pair->test, {create_relative_request_timeout_policy(5000 * ms)});
  std::thread opener([&] {
    pair->servant->gate.wait_for_waiters(1);
    pair->servant->gate.open();
  });
  EXPECT_EQ(quick->hold(7), 7);
  opener.join();
  // Gone by before there is a connection.
  const TestRef never = with(pair->test, {create_relative_request_timeout_policy(1)});
  const std::string outcome = outcome_of([&] {
    std::vector<std::uint8_t> much(4'000'000);
    never->sum(much);
  });
  EXPECT_TRUE(outcome.empty() || (outcome.starts_with("TIMEOUT") && outcome.ends_with(" NO"))) << outcome;
}

TEST_P(Policies, OnewaysGoAsFarAsTheyShall) {
  // SYNC_WITH_TARGET: the servant has returned.
  const TestRef to_target = with(pair->test, {sync_of(Messaging::SYNC_WITH_TARGET)});
  for (int i = 0; i < 20; ++i) {
    to_target->note(i);
    EXPECT_EQ(pair->servant->notes().size(), static_cast<std::size_t>(i + 1));
  }
  // SYNC_WITH_SERVER: the caller goes on although the servant does not return.
  const TestRef to_server = with(pair->test, {sync_of(Messaging::SYNC_WITH_SERVER)});
  to_server->hold_note(100);
  ASSERT_TRUE(pair->servant->gate.wait_for_waiters(1));
  EXPECT_EQ(pair->servant->notes().size(), 20u);
  pair->servant->gate.open();
  EXPECT_TRUE(eventually([&] { return pair->servant->notes().size() == 21; }));
  for (const Messaging::SyncScope scope : {Messaging::SYNC_NONE, Messaging::SYNC_WITH_TRANSPORT}) {
    with(pair->test, {sync_of(scope)})->note(200);
  }
  EXPECT_TRUE(eventually([&] { return pair->servant->notes().size() == 23; }));
}

TEST_P(Policies, WhoWaitsForTheTargetHearsThatItIsGone) {
  const TestRef to_target = with(pair->test, {sync_of(Messaging::SYNC_WITH_TARGET)});
  to_target->note(1);
  pair->server().shutdown(true);
  EXPECT_NE(outcome_of([&] { to_target->note(2); }), "");
  EXPECT_EQ(pair->servant->notes().size(), 1u);
}

TEST_P(Policies, ConnectionsAreValidated) {
  CORBA::PolicyList inconsistent{trip_of(1)};
  EXPECT_TRUE(pair->test->_validate_connection(inconsistent));
  EXPECT_TRUE(inconsistent.empty());
  pair->server().shutdown(true);
  EXPECT_NE(outcome_of([&] { pair->test->_validate_connection(inconsistent); }), "");
}

}  // namespace
}  // namespace tenon::suite
