// SPDX-License-Identifier: Apache-2.0
//
// Of pair_suite.hpp: calls while nothing goes wrong.
#pragma once

#include <tenon/messaging.hpp>
#include <tenon/rtcorba.hpp>

#include "tests/conformance/pair_suite.hpp"

namespace tenon::conformance {

TEST_P(PairSuite, TwoWay) {
  for (int i = 0; i < 50; ++i) EXPECT_EQ(pair->test->add(i, 1000), i + 1000);
  std::string text = "abc";
  Suite::Point copy;
  std::uint32_t count = 0;
  const Suite::Point given(1, 2.5, "four");
  EXPECT_EQ(pair->test->mix(7, text, given, copy, count), Suite::Point(7, 3.5, "abc"));
  EXPECT_EQ(text, "cba");
  EXPECT_EQ(copy, given);
  EXPECT_THROW(pair->test->fail(Suite::Failure::listed_one), Suite::Refused);
  EXPECT_EQ(outcome_of([&] { pair->test->fail(Suite::Failure::transient_with_minor); }),
            "TRANSIENT 0x12345678 MAYBE");
  EXPECT_EQ(pair->test->add(1, 1), 2);
}

/// Eight threads; the sum of the mistakes.
inline int mistakes_of_threads(const TestRef& test, int calls) {
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&, t] {
      const std::string outcome = outcome_of([&] {
        for (int i = 0; i < calls; ++i) {
          if (test->add(t, i) != t + i) ++wrong;
          if (i % 25 == 0 && test->make(30000).size() != 30000) ++wrong;
        }
      });
      if (!outcome.empty()) ++wrong;
    });
  }
  for (std::thread& thread : threads) thread.join();
  return wrong;
}

TEST_P(PairSuite, TwoWayFromManyThreads) { EXPECT_EQ(mistakes_of_threads(pair->test, 100), 0); }

TEST_P(PairSuite, TwoWayFromManyThreadsOverOneConnection) {
  const Pair& one = again({"-ORBPoolThreads", "4"}, {"-ORBConnectionsPerEndpoint", "1"});
  EXPECT_EQ(mistakes_of_threads(one.test, 100), 0);
}

TEST_P(PairSuite, OnewaysInOrder) {
  for (int i = 0; i < 200; ++i) pair->test->note(i);
  // One caller, one object: in order, and before the two-way call that came after them.
  const std::vector<std::int32_t> notes = pair->test->notes();
  ASSERT_EQ(notes.size(), 200u);
  for (int i = 0; i < 200; ++i) EXPECT_EQ(notes[static_cast<std::size_t>(i)], i);
}

// More than any buffer on the way holds, and nobody waits for a reply.
TEST_P(PairSuite, OnewaysThatAreLarge) {
  const Suite::Blob blob = pair->servant->make(GetParam().large / 4);
  for (int i = 0; i < 8; ++i) pair->test->note_size(blob);
  EXPECT_EQ(pair->test->notes(), std::vector<std::int32_t>(8, static_cast<std::int32_t>(blob.size())));
}

TEST_P(PairSuite, LargeBothWays) {
  const Suite::Blob made = pair->test->make(GetParam().large);
  EXPECT_TRUE(made == pair->servant->make(GetParam().large));
  EXPECT_EQ(pair->test->sum(made), pair->servant->sum(made));
  EXPECT_TRUE(pair->test->echo(made) == made);
}

// Requests and replies that cross on one connection.
TEST_P(PairSuite, LargeInBothDirectionsAtOnce) {
  const Pair& one = again({"-ORBPoolThreads", "4"}, {"-ORBConnectionsPerEndpoint", "1"});
  const Suite::Blob blob = one.servant->make(GetParam().large / 3);
  std::atomic<int> right{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 2; ++i) {
        const std::string outcome = outcome_of([&] { right += one.test->echo(blob) == blob ? 1 : 0; });
        EXPECT_EQ(outcome, "");
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(right, 8);
}

// Of several messages between one another, on one connection.
TEST_P(PairSuite, Fragments) {
  const Pair& cut = again({"-ORBFragmentAbove", "2048", "-ORBPoolThreads", "4"},
                          {"-ORBFragmentAbove", "1024", "-ORBConnectionsPerEndpoint", "1"});
  const Suite::Blob blob = cut.servant->make(100001);
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 5; ++i) {
        EXPECT_EQ(outcome_of([&] { EXPECT_TRUE(cut.test->echo(blob) == blob); }), "");
        std::string text(9999, 'x');
        Suite::Point copy;
        std::uint32_t count = 0;
        const Suite::Point given(1, 2.5, std::string(7777, 'y'));
        EXPECT_EQ(outcome_of([&] { cut.test->mix(7, text, given, copy, count); }), "");
        EXPECT_EQ(copy, given);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

// All of them open at once, and answered in whatever order they ask.
TEST_P(PairSuite, ManyConnections) {
  constexpr std::uint32_t number = 100;
  const RawClient raw(GetParam().protocol, pair->test);
  std::vector<std::unique_ptr<RawLink>> links;
  for (std::uint32_t i = 0; i < number; ++i) {
    links.push_back(raw.connect());
    ASSERT_TRUE(links.back()) << i;
    ASSERT_TRUE(links.back()->send(giop_request(2 * i, raw.key(), "add", two_longs(i, 1)))) << i;
  }
  EXPECT_EQ(pair->test->add(1, 2), 3);
  for (std::uint32_t i = number; i-- > 0;) {
    const Octets answer = links[i]->receive_message();
    EXPECT_EQ(kind_of(answer), reply);
    EXPECT_EQ(ulong_at(answer, 12), 2 * i);
    EXPECT_EQ(ulong_at(answer, 24), i + 1);
  }
  links.clear();
  EXPECT_EQ(pair->test->add(1, 2), 3);
}

TEST_P(PairSuite, BothWaysOverOneConnection) {
  if (!plugin_of(GetParam().protocol)->properties().both_ways) GTEST_SKIP() << "one side sends";
  const suite::LogLines lines(LogLevel::debug);
  const Pair& one = again({"-ORBBidirectional", "accept"},
                          {"-ORBBidirectional", "offer", "-ORBConnectionsPerEndpoint", "1"});
  const auto here = tenon::publish<Suite::Peer_skeleton>(one.client_orb->ref(),
                                                         CORBA::make_reference<suite::PeerServant>("client"));
  const auto there = one.at_client(tenon::publish<Suite::Peer_skeleton>(
      one.server_orb->ref(), CORBA::make_reference<suite::PeerServant>("server")));
  EXPECT_EQ(one.test->ask(here), "client");
  EXPECT_EQ(there->recurse(here, 6), 7);
  // While the client calls nothing. A server with a single thread is called back by that thread alone.
  if (!one_thread()) {
    const auto at_server = suite::seen_by(one.server(), here);
    for (int i = 0; i < 20; ++i) EXPECT_EQ(at_server->who(), "client");
  }
  EXPECT_EQ(one.test->add(1, 2), 3);
  EXPECT_EQ(lines.count("accepted a connection"), 1);
}

TEST_P(PairSuite, PolicyOfTheProtocol) {
  const auto only = [&](IOP::ProfileId tag) {
    return suite::with(pair->test, {CORBA::make_reference<RTCORBA::ClientProtocolPolicy>(
                                       RTCORBA::ProtocolList{RTCORBA::Protocol(tag)})});
  };
  EXPECT_EQ(only(plugin_of(GetParam().protocol)->profile_tag())->add(1, 2), 3);
  EXPECT_EQ(outcome_of([&] { only(0x54450099)->add(1, 2); }).substr(0, 10), "INV_POLICY");
}

TEST_P(PairSuite, PolicyOfOneways) {
  const TestRef known = suite::with(pair->test, {create_sync_scope_policy(Messaging::SYNC_WITH_TARGET)});
  for (int i = 0; i < 20; ++i) {
    known->note(i);
    EXPECT_EQ(pair->servant->notes().size(), static_cast<std::size_t>(i) + 1);
  }
  const TestRef later = suite::with(pair->test, {create_sync_scope_policy(Messaging::SYNC_NONE)});
  for (int i = 0; i < 20; ++i) later->note(i);
  EXPECT_TRUE(eventually([&] { return pair->servant->notes().size() == 40; }));
}

}  // namespace tenon::conformance
