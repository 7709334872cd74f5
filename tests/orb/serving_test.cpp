// SPDX-License-Identifier: Apache-2.0
//
// What a server does with several requests at once: order behind oneways, calls made inside upcalls, the limits of threads.
#include <atomic>
#include <thread>

#include "base/minor_codes.hpp"
#include "tests/orb/world.hpp"

namespace tenon::suite {
namespace {

using Serving = World;
INSTANTIATE_TEST_SUITE_P(All, Serving, ::testing::ValuesIn(remote_cases()),
                         [](const auto& each) { return name_of(each.param); });

bool has_pool(const Case& which) { return which.serving == "pool" && which.protocol != "torture"; }

TEST_P(Serving, ARequestStartsAfterAnEarlierOnewayReturned) {
  const Pair one(GetParam(), {}, {"-ORBConnectionsPerEndpoint", "1"});
  one.test->hold_note(1);
  std::atomic<bool> answered{false};
  std::thread caller([&] {
    one.test->title("set");
    answered = true;
  });
  ASSERT_TRUE(one.servant->gate.wait_for_waiters(1));
  std::this_thread::sleep_for(std::chrono::milliseconds(30));
  EXPECT_FALSE(answered);
  EXPECT_EQ(one.servant->title(), "");
  one.servant->gate.open();
  caller.join();
  EXPECT_EQ(one.servant->title(), "set");
}

TEST_P(Serving, OnewaysKeepTheirOrder) {
  const Pair one(GetParam(), {"-ORBPoolThreads", "8"}, {"-ORBConnectionsPerEndpoint", "1"});
  for (int i = 0; i < 300; ++i) one.test->note(i);
  one.test->hold_note(300);
  for (int i = 301; i < 320; ++i) one.test->note(i);
  one.servant->gate.open();
  const auto notes = one.test->notes();
  ASSERT_EQ(notes.size(), 320u);
  for (int i = 0; i < 320; ++i) EXPECT_EQ(notes[static_cast<std::size_t>(i)], i);
}

TEST_P(Serving, OtherObjectsRunFreelyBehindAOneway) {
  if (!has_pool(GetParam())) return;  // with a thread per connection, a connection runs one request at a time
  const Pair one(GetParam(), {}, {"-ORBConnectionsPerEndpoint", "1"});
  const auto other = CORBA::make_reference<PeerServant>("other");
  const auto peer = one.at_client(tenon::publish<Suite::Peer_skeleton>(one.server_orb->ref(), other));
  one.test->hold_note(1);
  EXPECT_EQ(peer->who(), "other");
  EXPECT_TRUE(one.servant->notes().empty());
  one.servant->gate.open();
  EXPECT_EQ(one.test->notes().size(), 1u);
}

TEST_P(Serving, TheOrderCanBeSwitchedOff) {
  if (!has_pool(GetParam())) return;
  const Pair one(GetParam(), {"-ORBOrderAfterOneway", "no"}, {"-ORBConnectionsPerEndpoint", "1"});
  one.test->hold_note(1);
  EXPECT_EQ(one.test->add(1, 2), 3);  // the same object
  EXPECT_TRUE(one.servant->notes().empty());
  one.servant->gate.open();
}

TEST_P(Serving, NoCallWaitsBehindAnotherWhileConnectionsMayBeOpened) {
  // Calls that begin at the same moment: each server thread runs one of them, so two on one connection would never all be held.
  constexpr int callers_most = 4;
  for (int round = 0; round < 40; ++round) {
    const Pair one(GetParam());
    std::atomic<int> ready{0};
    std::vector<std::thread> callers;
    for (int i = 0; i < callers_most; ++i) {
      callers.emplace_back([&] {
        for (int times = 0; times < 2; ++times) {
          ++ready;
          while (ready < (times + 1) * callers_most) std::this_thread::yield();
          one.test->hold(1);
        }
      });
    }
    for (int times = 0; times < 2; ++times) {
      EXPECT_TRUE(one.servant->gate.wait_for_waiters(callers_most)) << round;
      one.servant->gate.open(callers_most);
    }
    for (std::thread& caller : callers) caller.join();
  }
}

TEST_P(Serving, RequestsOfOneConnectionRunAtTheSameTimeInAPool) {
  if (!has_pool(GetParam())) return;
  const Pair one(GetParam(), {"-ORBPoolThreads", "6"}, {"-ORBConnectionsPerEndpoint", "1"});
  std::vector<std::thread> callers;
  std::atomic<int> sum{0};
  for (int i = 0; i < 5; ++i) callers.emplace_back([&, i] { sum += one.test->hold(i); });
  EXPECT_TRUE(one.servant->gate.wait_for_waiters(5));
  EXPECT_EQ(one.test->add(1, 2), 3);
  one.servant->gate.open(5);
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(sum, 10);
}

// Both sides call each other over one connection each way, deeper than a small pool has threads.
TEST_P(Serving, NestedCallbacks) {
  for (const char* connections : {"1", "8"}) {
    const Words options{"-ORBPoolThreads", "1", "-ORBConnectionsPerEndpoint", connections};
    const Pair both(GetParam(), options, options);
    const auto far = CORBA::make_reference<PeerServant>("far");
    const auto near = CORBA::make_reference<PeerServant>("near");
    const PeerRef there =
        both.at_client(PeerRef(tenon::publish<Suite::Peer_skeleton>(both.server_orb->ref(), far)));
    const PeerRef here = tenon::publish<Suite::Peer_skeleton>(both.client_orb->ref(), near);
    for (int depth = 0; depth <= 12; depth += 3) EXPECT_EQ(there->recurse(here, depth), depth + 1);
    EXPECT_EQ(both.test->ask(here), "near");
    // From several threads at once.
    std::vector<std::thread> callers;
    std::atomic<int> calls{0};
    for (int t = 0; t < 4; ++t) {
      callers.emplace_back([&] {
        for (int i = 0; i < 10; ++i) calls += there->recurse(here, 5);
      });
    }
    for (std::thread& caller : callers) caller.join();
    EXPECT_EQ(calls, 4 * 10 * 6);
    EXPECT_EQ(both.test->add(1, 2), 3);
  }
}

// The caller's own object, over a socket: the server waits for itself.
TEST_P(Serving, AServantCallsItsOwnOrbOverASocket) {
  const Words options{"-ORBPoolThreads", "1", "-ORBCollocation", "no", "-ORBConnectionsPerEndpoint", "1"};
  const Pair both(GetParam(), options, options);
  const auto far = CORBA::make_reference<PeerServant>("far");
  const PeerRef there =
      both.at_client(PeerRef(tenon::publish<Suite::Peer_skeleton>(both.server_orb->ref(), far)));
  EXPECT_EQ(there->recurse(there, 6), 7);
}

TEST_P(Serving, NoThreadToStandInIsTransient) {
  const Pair both(GetParam(), {"-ORBPoolThreads", "2", "-ORBPoolThreadsMost", "2"});
  const auto far = CORBA::make_reference<PeerServant>("far");
  const auto near = CORBA::make_reference<PeerServant>("near");
  const PeerRef there =
      both.at_client(PeerRef(tenon::publish<Suite::Peer_skeleton>(both.server_orb->ref(), far)));
  const PeerRef here = tenon::publish<Suite::Peer_skeleton>(both.client_orb->ref(), near);
  EXPECT_EQ(there->recurse(here, 3), 4);
  // Upcalls of depth 1, 3 and 5 of the far side wait: the third has nobody to stand in for it.
  EXPECT_EQ(outcome_of([&] { there->recurse(here, 20); }), text_of(errors::no_thread_left));
  EXPECT_EQ(there->recurse(here, 3), 4);
  EXPECT_EQ(both.test->add(1, 2), 3);
}

TEST_P(Serving, ConnectionsAboveTheLimitAreRefused) {
  const Pair few(GetParam(), {"-ORBMaxServerConnections", "2"}, {"-ORBConnectionsPerEndpoint", "1"});
  few.test->noop();
  ScopedOrb second;
  const TestRef also = seen_by(*second, few.test);
  also->noop();
  {
    ScopedOrb third;
    EXPECT_NE(outcome_of([&] { seen_by(*third, few.test)->noop(); }), "");
  }
  few.test->noop();
  also->noop();
  second.destroy();
  ScopedOrb fourth;
  const TestRef later = seen_by(*fourth, few.test);
  EXPECT_TRUE(eventually([&] { return outcome_of([&] { later->noop(); }).empty(); }));
}

}  // namespace
}  // namespace tenon::suite
