// SPDX-License-Identifier: Apache-2.0
//
// sendp_ operations: replies that are polled for, and pollers that turn them over to a handler.
#include "base/minor_codes.hpp"
#include "tests/orb/recorder.hpp"

namespace tenon::suite {
namespace {

using Pollers = World;
INSTANTIATE_TEST_SUITE_P(All, Pollers, ::testing::ValuesIn(all_cases()),
                         [](const auto& each) { return name_of(each.param); });

TEST_P(Pollers, ThroughALife) {
  auto poller = pair->test->sendp_hold(5);
  std::int32_t number = 0;
  EXPECT_EQ(outcome_of([&] { poller->is_from_poller(); }), text_of(errors::not_polled_yet));
  EXPECT_EQ(poller->operation_name(), "hold");
  EXPECT_EQ(poller->operation_target(), ObjectRef(pair->test));
  EXPECT_FALSE(poller->is_ready(0));
  EXPECT_FALSE(poller->is_ready(1));
  EXPECT_EQ(outcome_of([&] { poller->hold(0, number); }), text_of(errors::no_reply_yet));
  EXPECT_TRUE(poller->is_from_poller());
  EXPECT_EQ(outcome_of([&] { poller->hold(1, number); }), text_of(errors::reply_not_in_time));
  pair->servant->gate.open();
  EXPECT_TRUE(poller->is_ready(60'000));
  EXPECT_TRUE(poller->is_ready(0));
  poller->hold(for_ever, number);
  EXPECT_EQ(number, 5);
  EXPECT_FALSE(poller->is_from_poller());
  EXPECT_EQ(outcome_of([&] { poller->hold(for_ever, number); }), text_of(errors::reply_taken));
  EXPECT_TRUE(poller->is_from_poller());
  EXPECT_EQ(outcome_of([&] { poller->is_ready(0); }), text_of(errors::reply_taken));
}

TEST_P(Pollers, GiveResults) {
  auto mixing = pair->test->sendp_mix(6, "abc", Suite::Point(1, 2.5, "label"));
  auto setting = pair->test->sendp_set_title("polled");
  setting->set_title(for_ever);
  auto getting = pair->test->sendp_get_title();
  auto asking = pair->test->sendp_who();
  std::string title;
  getting->get_title(60'000, title);
  EXPECT_EQ(title, "polled");
  EXPECT_EQ(getting->operation_name(), "_get_title");
  Suite::Point made, copy;
  std::string text;
  std::uint32_t count = 0;
  mixing->mix(for_ever, made, text, copy, count);
  EXPECT_EQ(made.y(), 3.0);
  EXPECT_EQ(text, "cba");
  EXPECT_EQ(copy.label(), "label");
  EXPECT_EQ(count, 5u);
  std::string name;
  asking->who(for_ever, name);
  EXPECT_EQ(name, "test");
  // What nobody polls for.
  static_cast<void>(pair->test->sendp_add(1, 2));
  EXPECT_EQ(pair->test->add(2, 2), 4);
}

TEST_P(Pollers, GiveExceptions) {
  auto poller = pair->test->sendp_fail(Suite::Failure::listed_one);
  try {
    poller->fail(for_ever);
    ADD_FAILURE() << "nothing was raised";
  } catch (const Suite::Refused& exception) {
    EXPECT_EQ(exception.code(), 42);
  }
  EXPECT_FALSE(poller->is_from_poller());
  auto other = pair->test->sendp_fail(Suite::Failure::transient_with_minor);
  EXPECT_EQ(outcome_of([&] { other->fail(for_ever); }), "TRANSIENT 0x12345678 MAYBE");
}

TEST_P(Pollers, KnowTheirOperation) {
  auto poller = pair->test->sendp_add(1, 2);
  EXPECT_EQ(outcome_of([&] { poller->noop(for_ever); }), text_of(errors::wrong_poller_operation));
  EXPECT_TRUE(poller->is_from_poller());
  std::int32_t sum = 0;
  poller->add(for_ever, sum);
  EXPECT_EQ(sum, 3);
}

TEST_P(Pollers, StayWhereTheyAre) {
  auto poller = pair->test->sendp_noop();
  cdr::Writer out;
  gen::put_value(out, poller.get());
  EXPECT_EQ(out.error(), errors::local_object);
  poller->noop(for_ever);
}

TEST_P(Pollers, TurnToHandlers) {
  const ScopedOrb& mine = pair->client_orb ? *pair->client_orb : *pair->server_orb;
  const auto recorder = CORBA::make_reference<Recorder>();
  const auto handler = tenon::publish<Suite::AMI_TestHandler_skeleton>(mine.ref(), recorder);
  // Before the reply is there, with a change of mind.
  auto first = pair->test->sendp_hold(1);
  first->associated_handler(handler);
  EXPECT_TRUE(first->associated_handler());
  first->associated_handler(nullptr);
  EXPECT_FALSE(first->associated_handler());
  auto second = pair->test->sendp_hold(2);
  second->associated_handler(handler);
  pair->servant->gate.open(2);
  std::int32_t number = 0;
  first->hold(for_ever, number);
  EXPECT_EQ(number, 1);
  EXPECT_EQ(recorder->wait_for_one(), "hold 2");
  EXPECT_EQ(outcome_of([&] { second->hold(for_ever, number); }), text_of(errors::reply_taken));
  // When it is there already.
  auto third = pair->test->sendp_fail(Suite::Failure::listed_one);
  EXPECT_TRUE(third->is_ready(60'000));
  third->associated_handler(handler);
  EXPECT_EQ(recorder->wait_for_one(), "fail raised Refused");
  EXPECT_EQ(outcome_of([&] { third->associated_handler(nullptr); }), text_of(errors::reply_taken));
}

TEST_P(Pollers, WantAHandlerThatFits) {
  class Other final : public Suite::AMI_PeerHandler {};
  auto poller = pair->test->sendp_noop();
  const auto other = tenon::publish<Suite::AMI_TestHandler_skeleton>(pair->server_orb->ref(),
                                                                     CORBA::make_reference<Recorder>());
  auto peer = IDL::traits<Suite::Peer>::unchecked_narrow(pair->test)->sendp_who();
  EXPECT_EQ(outcome_of([&] {
              IDL::traits<Suite::Peer>::unchecked_narrow(pair->test)
                  ->sendp_recurse(nullptr, 0)
                  ->associated_handler(pair->at_client(other));
            }),
            text_of(errors::wrong_reply_handler));
  // Only a reference to the base, but the object is of the right type.
  const auto plain = IDL::traits<Messaging::ReplyHandler>::unchecked_narrow(
      pair->client().string_to_object(pair->server().object_to_string(other)));
  poller->associated_handler(plain);
  EXPECT_TRUE(eventually([&] {
    try {
      poller->is_ready(0);
      return false;
    } catch (const CORBA::OBJECT_NOT_EXIST&) {
      return true;
    }
  }));
  std::string name;
  peer->who(for_ever, name);
  EXPECT_EQ(name, "test");
}

}  // namespace
}  // namespace tenon::suite
