// SPDX-License-Identifier: Apache-2.0
//
// Sets of pollers: waiting for whichever of several replies comes first.
#include "base/minor_codes.hpp"
#include "tests/orb/recorder.hpp"

namespace tenon::suite {
namespace {

using Set = CORBA::PollableSet;

using PollableSets = World;
INSTANTIATE_TEST_SUITE_P(All, PollableSets, ::testing::ValuesIn(all_cases()),
                         [](const auto& each) { return name_of(each.param); });

std::int32_t held(const CORBA::valuetype_reference<CORBA::Pollable>& ready) {
  std::int32_t number = 0;
  IDL::traits<Suite::AMI_TestPoller>::narrow(ready)->hold(0, number);
  return number;
}

TEST_P(PollableSets, GiveWhatIsReady) {
  auto first = pair->test->sendp_hold(1);
  auto second = pair->test->sendp_hold(2);
  auto set = first->create_pollable_set();
  EXPECT_EQ(set->number_left(), 1u);
  set->add_pollable(second);
  EXPECT_EQ(set->number_left(), 2u);
  EXPECT_EQ(outcome_of([&] { set->get_ready_pollable(0); }), text_of(errors::no_reply_yet));
  EXPECT_EQ(outcome_of([&] { set->get_ready_pollable(1); }), text_of(errors::reply_not_in_time));
  pair->servant->gate.open();
  const std::int32_t one = held(set->get_ready_pollable(for_ever));
  EXPECT_EQ(set->number_left(), 1u);
  pair->servant->gate.open();
  const std::int32_t other = held(set->get_ready_pollable(60'000));
  EXPECT_EQ(one + other, 3);
  EXPECT_EQ(set->number_left(), 0u);
  EXPECT_THROW(set->get_ready_pollable(for_ever), Set::NoPossiblePollable);
}

TEST_P(PollableSets, GiveWhatIsThereAlready) {
  auto poller = pair->test->sendp_add(1, 2);
  EXPECT_TRUE(poller->is_ready(60'000));
  auto set = poller->create_pollable_set();
  EXPECT_EQ(set->get_ready_pollable(0), CORBA::valuetype_reference<CORBA::Pollable>(poller));
  std::int32_t sum = 0;
  poller->add(0, sum);
  EXPECT_EQ(sum, 3);
}

TEST_P(PollableSets, HaveAPollerOnce) {
  auto poller = pair->test->sendp_hold(7);
  auto set = poller->create_pollable_set();
  EXPECT_EQ(outcome_of([&] { set->add_pollable(poller); }), text_of(errors::in_another_set));
  EXPECT_EQ(outcome_of([&] { poller->create_pollable_set(); }), text_of(errors::in_another_set));
  EXPECT_EQ(outcome_of([&] { set->add_pollable(nullptr); }), text_of(errors::not_a_poller));
  set->remove(poller);
  EXPECT_EQ(set->number_left(), 0u);
  EXPECT_THROW(set->remove(poller), Set::UnknownPollable);
  EXPECT_THROW(set->remove(nullptr), Set::UnknownPollable);
  set = poller->create_pollable_set();
  set = nullptr;  // lets go of it
  set = poller->create_pollable_set();
  pair->servant->gate.open();
  EXPECT_EQ(held(set->get_ready_pollable(for_ever)), 7);
}

TEST_P(PollableSets, LoseWhatOthersTake) {
  const ScopedOrb& mine = pair->client_orb ? *pair->client_orb : *pair->server_orb;
  const auto recorder = CORBA::make_reference<Recorder>();
  auto handled = pair->test->sendp_hold(1);
  auto set = handled->create_pollable_set();
  handled->associated_handler(tenon::publish<Suite::AMI_TestHandler_skeleton>(mine.ref(), recorder));
  auto polled = pair->test->sendp_noop();
  pair->servant->gate.open();
  EXPECT_TRUE(polled->is_ready(60'000));
  set->add_pollable(polled);
  polled->noop(0);
  EXPECT_THROW(set->get_ready_pollable(60'000), Set::NoPossiblePollable);
  EXPECT_EQ(recorder->wait_for_one(), "hold 1");
}

TEST_P(PollableSets, GiveFailures) {
  auto failing = pair->test->sendp_fail(Suite::Failure::listed_one);
  auto set = failing->create_pollable_set();
  auto ready = IDL::traits<Suite::AMI_TestPoller>::narrow(set->get_ready_pollable(60'000));
  EXPECT_THROW(ready->fail(0), Suite::Refused);
}

// Whoever waits notices what other threads do to the set.
TEST_P(PollableSets, AreForSeveralThreads) {
  auto poller = pair->test->sendp_hold(3);
  auto set = poller->create_pollable_set();
  std::thread other([&] { set->remove(poller); });
  EXPECT_THROW(set->get_ready_pollable(for_ever), Set::NoPossiblePollable);
  other.join();
  auto quick = pair->test->sendp_hold(4);
  set->add_pollable(poller);
  std::thread adding([&] { set->add_pollable(quick); });
  pair->servant->gate.open(2);
  const std::int32_t one = held(set->get_ready_pollable(for_ever));
  adding.join();
  EXPECT_EQ(one + held(set->get_ready_pollable(for_ever)), 7);
}

// A thread that has to serve does while it waits, also for pollers of an ORB that has threads of its own.
TEST(PollableSetsOfASingleThread, ServeWhileTheyWait) {
  ScopedOrb there({"-ORBListenEndpoints", "iiop://127.0.0.1"});
  const auto servant = CORBA::make_reference<TestServant>(*there);
  const auto published = tenon::publish<Suite::Test_skeleton>(there.ref(), servant);
  ScopedOrb one_thread({"-ORBServing", "single-thread"});
  ScopedOrb many_threads;
  auto of_one = seen_by(*one_thread, published)->sendp_hold(1);
  auto of_many = seen_by(*many_threads, published)->sendp_hold(2);
  ASSERT_TRUE(servant->gate.wait_for_waiters(2));
  auto set = of_many->create_pollable_set();
  set->add_pollable(of_one);
  EXPECT_EQ(outcome_of([&] { set->get_ready_pollable(1); }), text_of(errors::reply_not_in_time));
  std::thread opening([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    servant->gate.open();
  });
  const std::int32_t first = held(set->get_ready_pollable(for_ever));
  opening.join();
  servant->gate.open();
  EXPECT_EQ(first + held(set->get_ready_pollable(for_ever)), 3);
}

}  // namespace
}  // namespace tenon::suite
