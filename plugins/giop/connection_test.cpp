// SPDX-License-Identifier: Apache-2.0
//
// A connection whose peer is a script: what becomes of calls in flight when replies come in any order, in pieces or never. Calls that
// give up, and connections that no thread reads, are in abandoned_and_resting_test.cpp; the server's side is in
// serving_connection_test.cpp.
#include <gtest/gtest.h>

#include <future>
#include <set>

#include "base/minor_codes.hpp"
#include "calling_connection_test_support.hpp"
#include "giop/control.hpp"
#include "goodbye_pause_test_support.hpp"

namespace tenon::giop {
namespace {

TEST_F(ConnectionTest, RepliesInAnyOrder) {
  connect();
  auto first = call_aside();
  const std::uint32_t first_id = next_id();
  auto second = call_aside();
  const std::uint32_t second_id = next_id();
  EXPECT_NE(first_id, second_id);
  script->give(reply(second_id, 2));
  EXPECT_EQ(second.get().result, 2);
  script->give(reply(first_id, 1));
  EXPECT_EQ(first.get().result, 1);
  EXPECT_EQ(connection->in_flight(), 0u);
}

/// Does nothing for connections, and notes that it was asked to.
class UnusedClock final : public protocol::ConnectionClock {
 public:
  bool remind(protocol::Connection&, Deadline) noexcept override { return asked = true; }
  bool watch(protocol::Connection&, Deadline) noexcept override { return asked = true; }
  void used(protocol::Connection&) noexcept override { asked = true; }
  bool attend(protocol::Connection&) noexcept override { return asked = true; }
  void count_lost(std::size_t) noexcept override { asked = true; }
  bool asked = false;
};

// The smallest kind of connection: its threads wait for themselves, and nothing is left to others.
TEST_F(ConnectionTest, CallsWithoutAnAttendant) {
  UnusedClock clock;
  options.clock = &clock;
  auto transport = std::make_unique<Script>();
  script = transport.get();
  connection = make_ref<CallingConnection>(std::move(transport), protocol::Role::originator, options);
  auto first = call_aside();
  const std::uint32_t first_id = next_id();
  auto second = call_aside();
  script->give(reply(next_id(), 2));
  EXPECT_EQ(second.get().result, 2);
  script->give(reply(first_id, 1));
  EXPECT_EQ(first.get().result, 1);

  const std::size_t before = script->sent_octets();
  const protocol::CallSpec oneway{.operation = "note",
                                  .response_expected = false,
                                  .sync = protocol::Sync::none,
                                  .buffering = {.time_ns = 0, .messages = 0, .octets = 1000}};
  protocol::OutgoingCall out(oneway);
  ASSERT_TRUE(connection->begin(out, plain_target));
  EXPECT_TRUE(connection->post(out));
  connection->end(out);
  EXPECT_GT(script->sent_octets(), before) << "it was buffered, and nobody would send it";

  ior::Ior forward;
  EXPECT_EQ(connection->locate(plain_target, Deadline::never(), forward).error(),
            errors::no_asynchronous_part);
  EXPECT_EQ(call(Deadline::after_ms(5)).status.error(), errors::reply_timed_out.with(Completion::maybe));
  EXPECT_EQ(connection->abandoned(), 1U);
  EXPECT_FALSE(clock.asked);
  EXPECT_TRUE(connection->usable());
  connection->close();
  EXPECT_FALSE(connection->usable());
}

// The first call settles what there is to agree on; the next one is alone, until others join it.
TEST_F(ConnectionTest, OthersJoinACallThatWasAlone) {
  connect();
  auto settles = call_aside();
  script->give(reply(next_id(), 0));
  EXPECT_EQ(settles.get().result, 0);

  auto alone = call_aside();
  const std::uint32_t alone_id = next_id();
  EXPECT_EQ(connection->in_flight(), 1u);
  auto second = call_aside();
  const std::uint32_t second_id = next_id();
  auto third = call_aside();
  const std::uint32_t third_id = next_id();
  EXPECT_EQ(connection->in_flight(), 3u);
  EXPECT_EQ((std::set<std::uint32_t>{alone_id, second_id, third_id}).size(), 3u);

  // The one that was alone reads for the others, and when it ends another one does.
  script->give(reply(third_id, 3));
  EXPECT_EQ(third.get().result, 3);
  script->give(reply(alone_id, 1));
  EXPECT_EQ(alone.get().result, 1);
  script->give(reply(second_id, 2));
  EXPECT_EQ(second.get().result, 2);
  EXPECT_EQ(connection->in_flight(), 0u);
  EXPECT_TRUE(connection->idle());
}

/// A peer that takes no more octets until its reply has been read.
class PeerThatWaits : public ConnectionTest {
 protected:
  /// A call that is alone and is not sent yet, and another one that has been sent.
  PeerThatWaits() {
    connect();
    auto settles = call_aside();
    script->give(reply(next_id(), 0));
    EXPECT_EQ(settles.get().result, 0);
    EXPECT_TRUE(connection->begin(alone_, plain_target));
    alone_.arguments->put(std::int32_t{7});
    sent_ = call_aside(Deadline::after_ms(30'000));
    sent_id_ = next_id();
    script->stick(true);
  }
  std::future<bool> send_late() {
    return std::async(std::launch::async, [this] {
      const bool answered = bool(connection->invoke(alone_));
      EXPECT_EQ(answered ? alone_.reply->get<std::int32_t>() : 0, 1);
      connection->end(alone_);
      return answered;
    });
  }
  /// The reply to what was sent is read although no more can be sent.
  void expect_reply() {
    script->give(reply(sent_id_, 2));
    EXPECT_EQ(sent_.get().result, 2);
    script->stick(false);
  }

  const protocol::CallSpec spec_{.operation = "work"};
  protocol::OutgoingCall alone_{spec_};
  std::future<Outcome> sent_;
  std::uint32_t sent_id_ = 0;
};

TEST_F(PeerThatWaits, ForWhatACallLeavesUnreadUntilItIsSent) {
  auto late = send_late();
  ASSERT_TRUE(script->wait_for_sender());
  expect_reply();
  script->give(reply(next_id(), 1));
  EXPECT_TRUE(late.get());
  EXPECT_TRUE(connection->idle());
  auto next = call_aside();
  script->give(reply(next_id(), 3));
  EXPECT_EQ(next.get().result, 3);
}

// The one before it at the gate is a oneway, which never reads.
TEST_F(PeerThatWaits, WhileAnotherMessageIsBeingSent) {
  const protocol::CallSpec spec{.operation = "note", .response_expected = false};
  auto before = std::async(std::launch::async, [&] {
    protocol::OutgoingCall out(spec);
    if (!connection->begin(out, plain_target)) return false;
    const bool sent = bool(connection->post(out));
    connection->end(out);
    return sent;
  });
  ASSERT_TRUE(script->wait_for_sender());
  auto late = send_late();
  expect_reply();
  EXPECT_TRUE(before.get());
  next_id();
  script->give(reply(next_id(), 1));
  EXPECT_TRUE(late.get());
  EXPECT_TRUE(connection->idle());
}

TEST_F(ConnectionTest, NobodyJoinsWhoShallNotShare) {
  connect();
  const protocol::CallSpec spec{.operation = "work"};
  for (const char* phase : {"code sets are open", "code sets are settled"}) {
    protocol::OutgoingCall first(spec);
    first.may_share = false;
    ASSERT_TRUE(connection->begin(first, plain_target)) << phase;
    protocol::OutgoingCall second(spec);
    second.may_share = false;
    EXPECT_EQ(connection->begin(second, plain_target).error(), errors::connection_taken) << phase;
    EXPECT_EQ(connection->in_flight(), 1u) << phase;
    protocol::OutgoingCall third(spec);
    ASSERT_TRUE(connection->begin(third, plain_target)) << phase;
    EXPECT_EQ(connection->in_flight(), 2u) << phase;
    connection->end(first);
    protocol::OutgoingCall fourth(spec);
    fourth.may_share = false;
    EXPECT_EQ(connection->begin(fourth, plain_target).error(), errors::connection_taken) << phase;
    connection->end(third);
    auto settles = call_aside();
    script->give(reply(next_id(), 1));
    EXPECT_EQ(settles.get().result, 1);
  }
}

TEST_F(ConnectionTest, ReplyToNobodyIsPassedOver) {
  connect();
  auto only = call_aside();
  const std::uint32_t id = next_id();
  script->give(reply(id + 1000, 3));
  script->give(reply(id, 4));
  EXPECT_EQ(only.get().result, 4);
}

// CORBA 3.4 part 2 §9.5.1.1: requests that are unanswered then were not executed.
TEST_F(ConnectionTest, CloseConnectionWithCallsInFlight) {
  connect();
  auto first = call_aside();
  next_id();
  auto second = call_aside();
  next_id();
  script->give(close_connection(2));
  for (auto* each : {&first, &second}) {
    const Outcome outcome = each->get();
    EXPECT_EQ(outcome.status.error().minor, errors::peer_closed_connection.minor);
    EXPECT_EQ(outcome.completed, Completion::no);
  }
  EXPECT_FALSE(connection->usable());
  EXPECT_FALSE(call().status);
}

/// With a pause before this side's CloseConnection, and without.
class SendThatFails : public ConnectionTest, public testing::WithParamInterface<bool> {
 protected:
  const GoodbyePause pause{GetParam()};
};
INSTANTIATE_TEST_SUITE_P(All, SendThatFails, testing::Bool(),
                         [](const auto& each) { return each.param ? "pause" : "none"; });

// The peer has closed, and resets the connection when more comes: a call that notices this by sending must not hide CloseConnection from
// the other calls.
TEST_P(SendThatFails, CloseConnectionIsReadBehindIt) {
  connect();
  script->hold(true);
  auto first = call_aside();
  next_id();
  auto second = call_aside();
  next_id();
  script->give(close_connection(2));
  script->break_sends();
  EXPECT_EQ(call().status.error(), errors::connection_lost.with(Completion::no));
  EXPECT_FALSE(connection->usable());
  script->hold(false);
  EXPECT_EQ(first.get().status.error(), errors::peer_closed_connection);
  EXPECT_EQ(second.get().status.error(), errors::peer_closed_connection);
}

TEST_P(SendThatFails, WakesWhoReads) {
  connect();
  auto first = call_aside();
  next_id();
  script->break_sends();
  EXPECT_EQ(call().completed, Completion::no);
  EXPECT_EQ(first.get().status.error(), errors::connection_lost.with(Completion::maybe));
}

TEST_F(ConnectionTest, MessageErrorWithCallsInFlight) {
  connect();
  auto first = call_aside();
  next_id();
  auto second = call_aside();
  next_id();
  script->give(message_error(2));
  for (auto* each : {&first, &second}) {
    const Outcome outcome = each->get();
    EXPECT_EQ(outcome.status.error().minor, errors::peer_sent_message_error.minor);
    EXPECT_EQ(outcome.completed, Completion::maybe);
  }
  EXPECT_FALSE(connection->usable());
}

// A peer that does not speak the version of the request cannot have executed it.
TEST_F(ConnectionTest, MessageErrorOfALowerVersion) {
  connect();
  auto only = call_aside();
  next_id();
  script->give(message_error(1));
  EXPECT_EQ(only.get().completed, Completion::no);
}

TEST_F(ConnectionTest, PathEndsWithCallsInFlight) {
  connect();
  auto first = call_aside();
  next_id();
  auto second = call_aside();
  next_id();
  script->end();
  for (auto* each : {&first, &second}) {
    const Outcome outcome = each->get();
    EXPECT_EQ(outcome.status.error().id, SystemException::comm_failure);
    EXPECT_EQ(outcome.completed, Completion::maybe);
  }
}

TEST_F(ConnectionTest, ReplyInFragments) {
  connect();
  auto only = call_aside();
  const std::uint32_t id = next_id();
  cdr::Writer whole({.giop_minor = 2});
  begin_reply(whole, {.request_id = id});
  for (std::int32_t i = 0; i < 100; ++i) whole.put(i + 11);
  finish_message(whole);
  Fragmenter fragmenter(whole, 96);
  cdr::Piece fragment[2];
  int count = 0;
  while (const std::size_t pieces = fragmenter.next(fragment)) {
    for (const cdr::Piece& piece : std::span(fragment).first(pieces)) script->give({piece.data, piece.size});
    ++count;
  }
  EXPECT_GT(count, 3);
  EXPECT_EQ(only.get().result, 11);
}

// The deadline of a call holds while another call's thread is stuck in its send.
TEST_F(ConnectionTest, DeadlineWhileAnotherCallSends) {
  connect();
  script->stick(true);
  auto stuck = call_aside();
  ASSERT_TRUE(script->wait_for_sender());
  const Outcome hurried = call(Deadline::after_ms(50));
  EXPECT_EQ(hurried.status.error().id, SystemException::timeout);
  EXPECT_EQ(hurried.completed, Completion::no);
  script->stick(false);
  script->give(reply(next_id(), 6));
  EXPECT_EQ(stuck.get().result, 6);
  EXPECT_TRUE(connection->usable());
}

TEST_F(ConnectionTest, SendThatTimesOutBeforeTheFirstOctet) {
  connect();
  script->stick(true);
  const Outcome hurried = call(Deadline::after_ms(50));
  EXPECT_EQ(hurried.status.error().id, SystemException::timeout);
  EXPECT_EQ(hurried.completed, Completion::no);
  EXPECT_TRUE(connection->usable());
}

// GIOP 1.2 §15.4.1: MessageError carries our own highest minor, which may have been set.
TEST_F(ConnectionTest, GarbageIsAnsweredInTheConfiguredVersion) {
  options.highest_minor = 1;
  connect();
  auto only = call_aside();
  next_id();
  const std::uint8_t garbage[16] = {'H', 'T', 'T', 'P'};
  script->give(garbage);
  EXPECT_EQ(only.get().status.error().id, SystemException::comm_failure);
  const Octets answer = script->next_sent();
  ASSERT_EQ(answer.size(), header_size);
  EXPECT_EQ(answer[5], 1);
  EXPECT_EQ(answer[7], static_cast<std::uint8_t>(MessageType::message_error));
}

// Text in a reply is in the code set of its request, even if a later request has agreed on another one.
TEST_F(ConnectionTest, ReplyKeepsTheCodeSetOfItsRequest) {
  connect();
  auto early = std::async(std::launch::async, [this] { return call(Deadline::never(), true); });
  const std::uint32_t id = next_id();
  const cdr::CodeSetComponentInfo announced = cdr::announced_code_sets(options.native);
  const protocol::Target modern{.object_key = key_octets, .code_sets = &announced};
  auto later = std::async(std::launch::async, [&] { return call(Deadline::never(), false, modern); });
  const std::uint32_t later_id = next_id();
  cdr::Writer writer({.giop_minor = 2});
  begin_reply(writer, {.request_id = id});
  writer.put(std::uint32_t{2});
  writer.put(std::uint8_t{0xE9});  // e with acute in ISO 8859-1
  writer.put(std::uint8_t{0});
  finish_message(writer);
  script->give(writer.bytes());
  EXPECT_EQ(early.get().text, "\u00e9");
  script->give(reply(later_id, 9));
  EXPECT_EQ(later.get().result, 9);
}

TEST_F(ConnectionTest, CloseWithCallsInFlight) {
  connect();
  auto first = call_aside();
  next_id();
  auto second = call_aside();
  next_id();
  connection->close();
  for (auto* each : {&first, &second}) {
    const Outcome outcome = each->get();
    EXPECT_EQ(outcome.status.error().id, SystemException::comm_failure);
    EXPECT_EQ(outcome.completed, Completion::maybe);
  }
  const Octets farewell = script->next_sent();
  ASSERT_EQ(farewell.size(), header_size);
  EXPECT_EQ(farewell[7], static_cast<std::uint8_t>(MessageType::close_connection));
}

}  // namespace
}  // namespace tenon::giop
