// SPDX-License-Identifier: Apache-2.0
//
// Calls to objects of the same process that their POA keeps waiting: each wait ends with the call's time, and what has timed out never
// runs.
#include <atomic>
#include <chrono>
#include <thread>

#include <tenon/messaging.hpp>
#include <tenon/timeout.hpp>

#include "base/minor_codes.hpp"
#include "suite_async.hpp"
#include "tests/orb/world.hpp"

namespace tenon::suite {
namespace {

using namespace std::chrono_literals;
using PortableServer::POA;
using ServantRef = CORBA::servant_reference<PortableServer::Servant>;
using PoaRef = CORBA::object_reference<POA>;

const std::string begun_late = text_of(errors::not_begun_in_time);

/// An object in a POA of its own, whose manager holds requests until the test says otherwise.
class Held : public ::testing::Test {
 protected:
  explicit Held(const Words& options = {}) : orb_(options) {}
  void TearDown() override {
    if (test_) expect_nothing_ran();
  }

  TestRef make(
      PortableServer::ThreadPolicyValue threads = PortableServer::ThreadPolicyValue::ORB_CTRL_MODEL) {
    const auto root = root_poa();
    child_ = root->create_POA("held", nullptr, {root->create_thread_policy(threads)});
    child_->activate_object(servant_);
    test_ = IDL::traits<Suite::Test>::unchecked_narrow(child_->servant_to_reference(servant_));
    return test_;
  }
  PoaRef root_poa() { return IDL::traits<POA>::narrow(orb_->resolve_initial_references("RootPOA")); }
  /// What would have waited has had its chance.
  void expect_nothing_ran() {
    child_->the_POAManager()->activate();
    EXPECT_EQ(test_->add(0, 0), 0);
    EXPECT_EQ(servant_->adds, 1);
    EXPECT_TRUE(test_->notes().empty());
  }

  ScopedOrb orb_;
  CORBA::servant_reference<TestServant> servant_ = CORBA::make_reference<TestServant>(*orb_);
  PoaRef child_;
  TestRef test_;
};

TEST_F(Held, ByAManager) {
  const TestRef test = make();
  const TimeoutScope brief(30ms);
  EXPECT_EQ(outcome_of([&] { test->add(1, 2); }), begun_late);
  EXPECT_EQ(outcome_of([&] { test->add(1, 2); }), begun_late);
}

TEST_F(Held, TheRequestsOwnTimeCountsToo) {
  const TestRef test = make();
  const TestRef hurried = with(test, {create_relative_request_timeout_policy(30 * ms)});
  EXPECT_EQ(outcome_of([&] { hurried->add(1, 2); }), begun_late);
  const TestRef gone = with(test, {create_reply_end_time_policy(TimeBase::UtcT(1, 0, 0, 0))});
  EXPECT_EQ(outcome_of([&] { gone->add(1, 2); }), text_of(errors::send_timed_out));
}

class HeldForTheUsualTime : public Held {
 protected:
  HeldForTheUsualTime() : Held({"-ORBCallTimeout", "30"}) {}
};
TEST_F(HeldForTheUsualTime, ByAManager) {
  EXPECT_EQ(outcome_of([&] { make()->add(1, 2); }), begun_late);
}
TEST_F(HeldForTheUsualTime, WithoutAThreadThatWaits) {
  const std::string outcome = outcome_of([&] { tenon::async(make()).add(1, 2).get(); });
  EXPECT_TRUE(outcome == begun_late || outcome == text_of(errors::reply_timed_out)) << outcome;
}

TEST_F(Held, ByAManagerThatIsActivatedInTime) {
  const TestRef test = make();
  const TimeoutScope long_enough(60s);
  std::thread other([&] { EXPECT_EQ(test->add(1, 2), 3); });
  std::this_thread::sleep_for(20ms);
  child_->the_POAManager()->activate();
  other.join();
  servant_->adds = 0;
}

// The caller would take it for sent.
TEST_F(Held, Oneways) {
  const TestRef test = make();
  const TimeoutScope brief(30ms);
  EXPECT_EQ(outcome_of([&] { test->note(1); }), begun_late);
  child_->the_POAManager()->discard_requests(false);
  EXPECT_EQ(outcome_of([&] { test->note(2); }), "");
}

TEST_F(Held, ByWhoHasTheTurn) {
  const TestRef test = make(PortableServer::ThreadPolicyValue::SINGLE_THREAD_MODEL);
  child_->the_POAManager()->activate();
  std::thread holder([&] { EXPECT_EQ(test->hold(1), 1); });
  ASSERT_TRUE(servant_->gate.wait_for_waiters(1));
  {
    const TimeoutScope brief(30ms);
    EXPECT_EQ(outcome_of([&] { test->add(1, 2); }), begun_late);
    EXPECT_EQ(outcome_of([&] { test->note(1); }), begun_late);
  }
  // Those that have more time get the turn.
  std::thread patient([&] {
    const TimeoutScope long_enough(60s);
    EXPECT_EQ(test->add(1, 2), 3);
  });
  {
    const TimeoutScope brief(30ms);
    EXPECT_EQ(outcome_of([&] { test->add(1, 2); }), begun_late);
  }
  servant_->gate.open();
  holder.join();
  patient.join();
  servant_->adds = 0;
}

TEST_F(Held, ByAMainThreadThatIsElsewhere) {
  const TestRef test = make(PortableServer::ThreadPolicyValue::MAIN_THREAD_MODEL);
  child_->the_POAManager()->activate();
  orb_->perform_work();  // this is the main thread
  std::thread other([&] {
    const TimeoutScope brief(30ms);
    EXPECT_EQ(outcome_of([&] { test->add(1, 2); }), begun_late);
    EXPECT_EQ(outcome_of([&] { test->note(1); }), begun_late);
  });
  other.join();
  EXPECT_FALSE(orb_->work_pending());
}

/// Is not ready with what it has made until the gate opens.
class SlowMaker final : public PortableServer::AdapterActivator {
 public:
  bool unknown_adapter(PoaRef parent, const std::string& name) override {
    made = parent->create_POA(
        name, parent->the_POAManager(),
        {parent->create_id_assignment_policy(PortableServer::IdAssignmentPolicyValue::USER_ID)});
    gate.pass();
    return true;
  }
  PoaRef made;
  Gate gate;
};

TEST_F(Held, ByAPoaThatIsBeingMade) {
  const auto root = root_poa();
  root->the_POAManager()->activate();
  const auto maker = CORBA::make_reference<SlowMaker>();
  root->the_activator(maker);
  std::thread finder([&] { EXPECT_EQ(root->find_POA("late", true)->the_name(), "late"); });
  ASSERT_TRUE(maker->gate.wait_for_waiters(1));
  const TestRef test = IDL::traits<Suite::Test>::unchecked_narrow(
      maker->made->create_reference_with_id({'x'}, "IDL:Suite/Test:1.0"));
  {
    const TimeoutScope brief(30ms);
    EXPECT_EQ(outcome_of([&] { test->add(1, 2); }), begun_late);
  }
  maker->gate.open();
  finder.join();
  EXPECT_EQ(outcome_of([&] { test->add(1, 2); }), text_of(errors::object_not_active));
}

class Activator final : public PortableServer::ServantActivator {
 public:
  explicit Activator(CORBA::servant_reference<TestServant> given) : servant(std::move(given)) {}
  ServantRef incarnate(const PortableServer::ObjectId&, PoaRef) override {
    ++incarnated;
    return servant;
  }
  void etherealize(const PortableServer::ObjectId&, PoaRef, ServantRef, bool, bool) override {}
  CORBA::servant_reference<TestServant> servant;
  std::atomic<int> incarnated{0};
};

// The next incarnation waits for the end of the one before it.
TEST_F(Held, ByAnObjectThatIsBeingDeactivated) {
  const auto root = root_poa();
  root->the_POAManager()->activate();
  const PoaRef poa =
      root->create_POA("shop", root->the_POAManager(),
                       {root->create_id_assignment_policy(PortableServer::IdAssignmentPolicyValue::USER_ID),
                        root->create_request_processing_policy(
                            PortableServer::RequestProcessingPolicyValue::USE_SERVANT_MANAGER)});
  const auto activator = CORBA::make_reference<Activator>(servant_);
  poa->set_servant_manager(activator);
  const TestRef test =
      IDL::traits<Suite::Test>::unchecked_narrow(poa->create_reference_with_id({'x'}, "IDL:Suite/Test:1.0"));
  std::thread holder([&] { EXPECT_EQ(test->hold(1), 1); });
  ASSERT_TRUE(servant_->gate.wait_for_waiters(1));
  poa->deactivate_object({'x'});
  {
    const TimeoutScope brief(30ms);
    EXPECT_EQ(outcome_of([&] { test->add(1, 2); }), begun_late);
  }
  EXPECT_EQ(activator->incarnated, 1);
  servant_->gate.open();
  holder.join();
  EXPECT_EQ(test->add(1, 2), 3);
  EXPECT_EQ(activator->incarnated, 2);
  EXPECT_EQ(servant_->adds, 1);
}

/// Of a call that no thread waits for.
std::string end_of(tenon::Reply<std::int32_t> reply) {
  return outcome_of([&] { reply.get(); });
}

TEST_F(Held, WithoutAThreadThatWaits) {
  const TestRef test = make();
  const TimeoutScope brief(30ms);
  const std::string outcome = end_of(tenon::async(test).add(1, 2));
  EXPECT_TRUE(outcome == begun_late || outcome == text_of(errors::reply_timed_out)) << outcome;
}

TEST_F(Held, AndCancelled) {
  const TestRef test = make();
  auto reply = tenon::async(test).add(1, 2);
  std::this_thread::sleep_for(20ms);
  reply.cancel();
  EXPECT_EQ(outcome_of([&] { reply.get(); }), text_of(errors::request_cancelled.with(Completion::no)));
}

class HeldByTheLimitOfThreads : public Held {
 protected:
  HeldByTheLimitOfThreads() : Held({"-ORBPoolThreadsMost", "2"}) {}
};

// Whoever waits for a thread is not forgotten when its time is over.
TEST_F(HeldByTheLimitOfThreads, WithoutAThreadThatWaits) {
  const TestRef test = make();
  child_->the_POAManager()->activate();
  auto one = tenon::async(test).hold(7);
  auto two = tenon::async(test).hold(8);
  ASSERT_TRUE(servant_->gate.wait_for_waiters(2));
  {
    const TimeoutScope brief(30ms);
    EXPECT_EQ(end_of(tenon::async(test).add(1, 2)), text_of(errors::reply_timed_out));
    auto cancelled = tenon::async(test).add(1, 2);
    cancelled.cancel();
    EXPECT_EQ(outcome_of([&] { cancelled.get(); }), text_of(errors::request_cancelled.with(Completion::no)));
  }
  servant_->gate.open(2);
  EXPECT_EQ(one.get(), 7);
  EXPECT_EQ(two.get(), 8);
}

}  // namespace
}  // namespace tenon::suite
