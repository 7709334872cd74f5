// SPDX-License-Identifier: Apache-2.0
//
// A connection whose peer is a script: calls that give up before their replies have come, and connections that no thread reads for a
// while.
#include <gtest/gtest.h>

#include <future>

#include "base/minor_codes.hpp"
#include "calling_connection_test_support.hpp"
#include "giop/control.hpp"

namespace tenon::giop {
namespace {

// --- calls that give up ---

TEST_F(ConnectionTest, ACallThatWasAloneTimesOut) {
  connect();
  auto settles = call_aside();
  script->give(reply(next_id(), 0));
  settles.get();
  auto alone = call_aside(Deadline::after_ms(20));
  const std::uint32_t late = next_id();
  EXPECT_EQ(alone.get().status.error().minor, errors::reply_timed_out.minor);
  next_id(MessageType::cancel_request);
  auto next = call_aside();
  const std::uint32_t id = next_id();
  script->give(reply(late, 1));
  script->give(reply(id, 2));
  EXPECT_EQ(next.get().result, 2);
}

// The call that reads gives up first; then the other call's thread reads on.
TEST_F(ConnectionTest, ReadingIsHandedOver) {
  connect();
  auto reader = call_aside(Deadline::after_ms(100));
  const std::uint32_t reader_id = next_id();
  auto other = call_aside();
  const std::uint32_t other_id = next_id();
  EXPECT_EQ(reader.get().status.error().id, SystemException::timeout);
  EXPECT_EQ(next_id(MessageType::cancel_request), reader_id);
  script->give(reply(reader_id, 1));  // no call waits for it any more
  script->give(reply(other_id, 2));
  EXPECT_EQ(other.get().result, 2);
  EXPECT_TRUE(connection->usable());
}

TEST_F(ConnectionTest, WaitingCallTimesOutAlone) {
  connect();
  auto reader = call_aside();
  const std::uint32_t reader_id = next_id();
  auto other = call_aside(Deadline::after_ms(50));
  const std::uint32_t other_id = next_id();
  const Outcome outcome = other.get();
  EXPECT_EQ(outcome.status.error().id, SystemException::timeout);
  EXPECT_EQ(outcome.completed, Completion::maybe);
  EXPECT_EQ(next_id(MessageType::cancel_request), other_id);
  script->give(reply(other_id, 2));
  script->give(reply(reader_id, 1));
  EXPECT_EQ(reader.get().result, 1);
}

TEST_F(ConnectionTest, NothingIsCancelledUnlessAskedFor) {
  options = {};
  connect();
  EXPECT_EQ(call(Deadline::after_ms(20)).status.error().id, SystemException::timeout);
  next_id();
  auto next = call_aside();
  script->give(reply(next_id(), 2));  // the next message is a request again
  EXPECT_EQ(next.get().result, 2);
}

// A caller with a short deadline leaves half a reply behind; the next one reads and drops the other half.
TEST_F(ConnectionTest, DeadlineInTheMiddleOfAReply) {
  connect();
  auto hurried = call_aside(Deadline::after_ms(100));
  const std::uint32_t id = next_id();
  const Octets late = reply(id, 1);
  script->give(ByteView(late).first(18));
  EXPECT_EQ(hurried.get().status.error().id, SystemException::timeout);
  EXPECT_EQ(next_id(MessageType::cancel_request), id);
  EXPECT_TRUE(connection->usable());
  auto next = call_aside();
  const std::uint32_t next_request = next_id();
  script->give(ByteView(late).subspan(18));
  script->give(reply(next_request, 5));
  EXPECT_EQ(next.get().result, 5);
}

TEST_F(ConnectionTest, PeerThatStopsInTheMiddleOfAReplyIsGivenUp) {
  options.limits.receive_timeout_ms = 100;
  connect();
  auto only = call_aside();
  script->give(ByteView(reply(next_id(), 1)).first(18));
  const Outcome outcome = only.get();
  EXPECT_EQ(outcome.status.error().id, SystemException::timeout);
  EXPECT_EQ(outcome.completed, Completion::maybe);
  EXPECT_FALSE(connection->usable());
}

TEST_F(ConnectionTest, PeerThatIsOnlySlowIsKept) {
  options.limits.receive_timeout_ms = 100;
  connect();
  auto only = call_aside();
  next_id();
  EXPECT_EQ(only.get().status.error().id, SystemException::timeout);
  EXPECT_TRUE(connection->usable());
}

TEST_F(ConnectionTest, AbandonedRequestsCountUntilTheyAreAnswered) {
  options = {};
  connect();
  EXPECT_EQ(call(Deadline::after_ms(20)).status.error().id, SystemException::timeout);
  const std::uint32_t late = next_id();
  EXPECT_EQ(connection->in_flight(), 1u);
  EXPECT_EQ(connection->abandoned(), 1u);
  EXPECT_FALSE(connection->close_if_idle());
  const protocol::CallSpec spec{.operation = "work"};
  protocol::OutgoingCall other(spec);
  other.may_share = false;
  EXPECT_EQ(connection->begin(other, plain_target).error(), errors::connection_taken);
  EXPECT_TRUE(connection->rest(true));
  script->give(reply(late, 1));
  script->give(reply(late, 1));  // once more, which is one too many
  connection->look();
  EXPECT_EQ(connection->abandoned(), 0u);
  EXPECT_TRUE(connection->idle());
}

// --- while no thread reads ---

TEST_F(ConnectionTest, LooksBeforeItSendsWhenNobodyHasReadForAWhile) {
  connect();
  auto first = call_aside();
  const std::uint32_t id = next_id();
  script->give(reply(id, 1));
  EXPECT_EQ(first.get().result, 1);
  EXPECT_FALSE(connection->rest(false)) << "a call has read since";
  EXPECT_TRUE(connection->rest(false));
  EXPECT_TRUE(connection->idle());
  script->give(close_connection(2));
  const Outcome next = call();
  EXPECT_EQ(next.status.error(), errors::peer_closed_connection);
  EXPECT_EQ(next.completed, Completion::no);
  EXPECT_FALSE(connection->usable());
  EXPECT_EQ(script->sent_octets(), 0u);
}

// No thread has ever read it: the first sweep marks it.
TEST_F(ConnectionTest, RestsAtOnceAfterAOneway) {
  connect();
  const protocol::CallSpec spec{.operation = "tell", .response_expected = false, .has_arguments = false};
  for (std::uint32_t i = 0; i < 2; ++i) {
    protocol::OutgoingCall oneway(spec);
    ASSERT_TRUE(connection->begin(oneway, plain_target));
    EXPECT_TRUE(connection->post(oneway));
    connection->end(oneway);
    next_id();
    EXPECT_TRUE(connection->rest(false)) << i;
    connection->look();
  }
  script->give(close_connection(2));
  EXPECT_TRUE(connection->rest(false));
  EXPECT_EQ(call().status.error(), errors::peer_closed_connection);
}

TEST_F(ConnectionTest, GoesOnWhenNothingHasCome) {
  connect();
  auto first = call_aside();
  script->give(reply(next_id(), 1));
  EXPECT_EQ(first.get().result, 1);
  EXPECT_TRUE(connection->rest(true));
  auto second = call_aside();
  const std::uint32_t id = next_id();
  script->give(reply(id, 2));
  EXPECT_EQ(second.get().result, 2);
  EXPECT_EQ(connection->in_flight(), 0u);
  EXPECT_TRUE(connection->rest(true));
  EXPECT_TRUE(connection->close_if_idle());
}

TEST_F(ConnectionTest, ClosesOnlyWhenIdleAndThenTakesNothingOn) {
  connect();
  auto first = call_aside();
  const std::uint32_t id = next_id();
  EXPECT_FALSE(connection->close_if_idle());
  script->give(reply(id, 1));
  EXPECT_EQ(first.get().result, 1);
  EXPECT_TRUE(connection->close_if_idle());
  EXPECT_EQ(script->next_sent().at(7), static_cast<std::uint8_t>(MessageType::close_connection));
  EXPECT_FALSE(connection->usable());
  EXPECT_EQ(call().status.error(), errors::connection_lost.with(Completion::no));
  EXPECT_FALSE(connection->close_if_idle());
}

}  // namespace
}  // namespace tenon::giop
