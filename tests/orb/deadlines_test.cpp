// SPDX-License-Identifier: Apache-2.0
//
// Points in time until which calls may take, and deadlines that are passed on to the calls which a servant makes.
#include <thread>

#include <tenon/messaging.hpp>

#include "base/minor_codes.hpp"
#include "suite_async.hpp"
#include "tests/orb/world.hpp"

namespace tenon::suite {
namespace {

using namespace std::chrono_literals;
using CORBA::SetOverrideType;

void set_policies(CORBA::ORB& orb, const CORBA::PolicyList& policies) {
  IDL::traits<CORBA::PolicyManager>::narrow(orb.resolve_initial_references("ORBPolicyManager"))
      ->set_policy_overrides(policies, SetOverrideType::SET_OVERRIDE);
}

class Deadlines : public World {};
INSTANTIATE_TEST_SUITE_P(All, Deadlines, ::testing::ValuesIn(remote_cases()),
                         [](const auto& each) { return name_of(each.param); });

TEST_P(Deadlines, APointInTimeForTheReply) {
  const auto late = text_of(errors::reply_timed_out.with(Completion::maybe));
  const TestRef soon = with(pair->test, {create_reply_end_time_policy(utc_after(50ms))});
  EXPECT_EQ(outcome_of([&] { soon->hold(1); }), late);
  // Now it has gone by: nothing is sent.
  const auto too_late = text_of(errors::send_timed_out);
  EXPECT_EQ(outcome_of([&] { soon->add(1, 2); }), too_late);
  EXPECT_EQ(outcome_of([&] { static_cast<void>(tenon::async(soon).add(1, 2)); }), too_late);
  EXPECT_EQ(pair->servant->adds, 0);
  // The nearer end counts.
  const TestRef both = with(pair->test, {create_reply_end_time_policy(utc_after(1h)),
                                         create_relative_roundtrip_timeout_policy(50 * ms)});
  EXPECT_EQ(outcome_of([&] { both->hold(2); }), late);
  pair->servant->gate.open(2);
  EXPECT_EQ(with(pair->test, {create_reply_end_time_policy(utc_after(1h))})->add(1, 2), 3);
}

TEST_P(Deadlines, APointInTimeForTheRequest) {
  EXPECT_EQ(with(pair->test, {create_request_end_time_policy(utc_after(1h))})->add(1, 2), 3);
  const TestRef gone = with(pair->test, {create_request_end_time_policy(TimeBase::UtcT(1, 0, 0, 0))});
  EXPECT_EQ(outcome_of([&] { gone->add(1, 2); }), text_of(errors::send_timed_out));
  EXPECT_EQ(pair->servant->adds, 1);
}

/// Calls another object inside its upcalls, and keeps what became of that.
class AskingServant final : public TestServant {
 public:
  using TestServant::TestServant;
  std::string ask(BaseRef peer) override {
    const std::string outcome = outcome_of([&] { peer->who(); });
    const std::lock_guard lock(mutex_);
    outcomes_.push_back(outcome);
    return "";
  }
  std::vector<std::string> outcomes() {
    const std::lock_guard lock(mutex_);
    return outcomes_;
  }

 private:
  std::mutex mutex_;
  std::vector<std::string> outcomes_;
};

/// Answers when the gate lets it.
class SlowServant final : public CORBA::servant_traits<Suite::Base>::base_type {
 public:
  std::string who() override {
    gate.pass();
    return "slow";
  }
  Gate gate;
};

TEST_P(Deadlines, ArePassedOnToNestedCalls) {
  // Nested calls have no time-out of their own.
  Pair chain(GetParam(), {"-ORBCallTimeout", "0"});
  const auto slow = CORBA::make_reference<SlowServant>();
  const BaseRef peer = tenon::publish<Suite::Base_skeleton>(chain.client_orb->ref(), slow);
  const auto asking = CORBA::make_reference<AskingServant>(chain.server());
  const TestRef test = IDL::traits<Suite::Test>::unchecked_narrow(
      chain.at_client(tenon::publish<Suite::Test_skeleton>(chain.server_orb->ref(), asking)));
  set_policies(chain.server(), {create_deadline_passing_policy(true)});
  const TestRef hurried =
      with(test, {create_deadline_passing_policy(true), create_relative_roundtrip_timeout_policy(100 * ms)});
  const auto late = text_of(errors::reply_timed_out.with(Completion::maybe));
  // The nested call may end before the caller's own, and the answer be in time.
  const std::string outcome = outcome_of([&] { hurried->ask(peer); });
  EXPECT_TRUE(outcome.empty() || outcome == late) << outcome;
  EXPECT_TRUE(eventually([&] { return asking->outcomes().size() == 1; }));
  const std::vector<std::string> outcomes = asking->outcomes();
  // It may have begun when its time was over.
  EXPECT_TRUE(!outcomes.empty() && outcomes[0].starts_with("TIMEOUT"));
  slow->gate.open(1000);
  // A caller that passes nothing on: the nested call takes its time.
  EXPECT_EQ(outcome_of([&] { test->ask(peer); }), "");
  EXPECT_EQ(asking->outcomes().back(), "");
}

TEST_P(Deadlines, CollocatedCallsPassThemOnToo) {
  Pair chain({"collocated", GetParam().serving});
  const ScopedOrb elsewhere({"-ORBListenEndpoints", endpoint_of("iiop")});
  const auto slow = CORBA::make_reference<SlowServant>();
  const BaseRef peer = seen_by(chain.server(), tenon::publish<Suite::Base_skeleton>(elsewhere.ref(), slow));
  const auto asking = CORBA::make_reference<AskingServant>(chain.server());
  const TestRef test = tenon::publish<Suite::Test_skeleton>(chain.server_orb->ref(), asking);
  set_policies(chain.server(), {create_deadline_passing_policy(true)});
  const TestRef hurried = with(test, {create_relative_roundtrip_timeout_policy(100 * ms)});
  hurried->ask(peer);
  EXPECT_TRUE(asking->outcomes().at(0).starts_with("TIMEOUT"));
  slow->gate.open(1000);
}

}  // namespace
}  // namespace tenon::suite
