// SPDX-License-Identifier: Apache-2.0
//
// Threads of a pool that stay with a hot connection (src/orb/server/stays.hpp): that they do, and that nobody waits for them: requests behind a
// long upcall, other connections, calls inside upcalls, the end. Whether a thread stays is read from the log.
//
// On a machine that is slow enough no thread may stay when it matters; what is demanded holds all the same.
#include <atomic>
#include <string>
#include <thread>

#include "base/clock.hpp"
#include "base/log.hpp"
#include "tests/orb/raw_peer.hpp"
#include "tests/orb/world.hpp"

namespace tenon::suite {
namespace {

int begun(const LogLines& lines) { return lines.count("a thread stays"); }
int over(const LogLines& lines) { return lines.count("no thread stays"); }

class Stays : public ::testing::TestWithParam<std::string> {
 protected:
  int begun() const { return suite::begun(lines_); }
  int over() const { return suite::over(lines_); }
  static Case pool() { return {GetParam(), "pool"}; }
  /// A server with so many threads, and a client whose calls share a connection.
  static Pair served_by(int threads) {
    return Pair(pool(), {"-ORBPoolThreads", std::to_string(threads)}, {"-ORBConnectionsPerEndpoint", "1"});
  }
  /// Calls until a thread stays; false: none does within half a minute.
  bool heat(const TestRef& test) const {
    const Deadline until = Deadline::after_ms(30000);
    while (begun() == over()) {
      if (until.expired()) return false;
      test->noop();
    }
    return true;
  }

 private:
  const LogLines lines_{LogLevel::debug};
};

INSTANTIATE_TEST_SUITE_P(All, Stays, ::testing::Values("iiop", "uiop", "shmiop", "inproc"),
                         [](const auto& each) { return each.param; });

TEST_P(Stays, WhileCallsComeOneRightAfterTheOther) {
  const Pair one = served_by(2);
  EXPECT_TRUE(heat(one.test));
  // Not for ever once they stop.
  EXPECT_TRUE(eventually([&] { return over() == begun(); }));
  EXPECT_EQ(one.test->add(1, 2), 3);
  EXPECT_TRUE(heat(one.test));
}

TEST_P(Stays, NotTheOnlyThreadAndNotWhereTheyShallNot) {
  const Pair alone = served_by(1);
  const Pair off(pool(), {"-ORBPoolStay", "no"}, {"-ORBConnectionsPerEndpoint", "1"});
  for (int i = 0; i < 1000; ++i) {
    alone.test->noop();
    off.test->noop();
  }
  EXPECT_EQ(begun(), 0);
}

TEST_P(Stays, RequestsBehindALongUpcallDoNotWait) {
  const Pair one = served_by(2);
  for (int round = 0; round < 3; ++round) {
    ASSERT_TRUE(heat(one.test));
    std::thread caller([&] { EXPECT_EQ(one.test->hold(round), round); });
    ASSERT_TRUE(one.servant->gate.wait_for_waiters(1));
    for (int i = 0; i < 10; ++i) EXPECT_EQ(one.test->add(i, 2), i + 2);
    one.servant->gate.open();
    caller.join();
  }
}

TEST_P(Stays, RequestsStayBehindAOnewayToTheirObject) {
  const Pair one = served_by(4);
  const auto other = CORBA::make_reference<PeerServant>("other");
  const auto peer = one.at_client(tenon::publish<Suite::Peer_skeleton>(one.server_orb->ref(), other));
  for (int round = 1; round <= 3; ++round) {
    ASSERT_TRUE(heat(one.test));
    one.test->hold_note(round);
    EXPECT_EQ(peer->who(), "other");
    EXPECT_EQ(one.servant->notes().size(), static_cast<std::size_t>(round - 1));
    std::atomic<bool> answered{false};
    std::thread caller([&] {
      EXPECT_EQ(one.test->notes().size(), static_cast<std::size_t>(round));
      answered = true;
    });
    EXPECT_EQ(peer->who(), "other");
    EXPECT_FALSE(answered);
    one.servant->gate.open();
    caller.join();
  }
}

TEST_P(Stays, OnewaysAmongCallsKeepTheirOrder) {
  const Pair one = served_by(4);
  ASSERT_TRUE(heat(one.test));
  for (int i = 0; i < 2000; ++i) {
    one.test->note(i);
    if (i % 3 == 0) one.test->noop();
  }
  const auto notes = one.test->notes();
  ASSERT_EQ(notes.size(), 2000u);
  for (int i = 0; i < 2000; ++i) ASSERT_EQ(notes[static_cast<std::size_t>(i)], i);
}

// Both sides wait inside upcalls for calls that come back over their hot connections.
TEST_P(Stays, CallsInsideUpcalls) {
  const Words options{"-ORBPoolThreads", "2", "-ORBConnectionsPerEndpoint", "1"};
  const Pair both(pool(), options, options);
  const auto far = CORBA::make_reference<PeerServant>("far");
  const auto near = CORBA::make_reference<PeerServant>("near");
  const PeerRef there =
      both.at_client(PeerRef(tenon::publish<Suite::Peer_skeleton>(both.server_orb->ref(), far)));
  const PeerRef here = tenon::publish<Suite::Peer_skeleton>(both.client_orb->ref(), near);
  for (int round = 0; round < 5; ++round) {
    ASSERT_TRUE(heat(both.test));
    EXPECT_EQ(there->recurse(here, 8), 9);
    EXPECT_EQ(both.test->ask(here), "near");
  }
}

TEST_P(Stays, OtherConnectionsAreServed) {
  const Pair one = served_by(2);
  std::atomic<bool> enough{false};
  std::thread busy([&] {
    while (!enough) one.test->noop();
  });
  EXPECT_TRUE(eventually([&] { return begun() != 0; }));
  // The other thread is held: nobody but the one that stays is left for the third connection.
  ScopedOrb second;
  ScopedOrb third;
  std::thread holder([&] { EXPECT_EQ(seen_by(*second, one.test)->hold(5), 5); });
  ASSERT_TRUE(one.servant->gate.wait_for_waiters(1));
  const TestRef test = seen_by(*third, one.test);
  for (int i = 0; i < 50; ++i) EXPECT_EQ(test->add(i, 1), i + 1);
  one.servant->gate.open();
  holder.join();
  for (int i = 0; i < 50; ++i) EXPECT_EQ(test->add(i, 1), i + 1);
  enough = true;
  busy.join();
}

TEST_P(Stays, MoreHotConnectionsThanThreads) {
  const Pair one(pool(), {"-ORBPoolThreads", "3"});
  std::atomic<int> right{0};
  std::vector<std::thread> callers;
  for (int t = 0; t < 6; ++t) {
    callers.emplace_back([&, t] {
      ScopedOrb orb;
      const TestRef test = seen_by(*orb, one.test);
      for (int i = 0; i < 500; ++i) right += test->add(i, t) == i + t ? 1 : 0;
    });
  }
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(right, 6 * 500);
}

TEST_P(Stays, ManyThreadsOnOneConnection) {
  const Pair one = served_by(4);
  std::atomic<int> right{0};
  for (int round = 0; round < 3; ++round) {
    ASSERT_TRUE(heat(one.test));
    std::vector<std::thread> callers;
    for (int t = 0; t < 5; ++t) {
      callers.emplace_back([&, t] {
        for (int i = 0; i < 200; ++i) right += one.test->add(i, t) == i + t ? 1 : 0;
      });
    }
    for (std::thread& caller : callers) caller.join();
  }
  EXPECT_EQ(right, 3 * 5 * 200);
}

TEST_P(Stays, TheServerEndsWhileAThreadStays) {
  for (int round = 0; round < 5; ++round) {
    Pair one = served_by(2);
    ASSERT_TRUE(heat(one.test));
    if (round % 2 == 0) one.server_orb->destroy();
  }
}

TEST_P(Stays, TheClientGoesWhileAThreadStays) {
  const Pair one = served_by(2);
  for (int round = 0; round < 5; ++round) {
    ScopedOrb client;
    ASSERT_TRUE(heat(seen_by(*client, one.test)));
    client.destroy();
    EXPECT_TRUE(eventually([&] { return over() == begun(); }));
  }
  EXPECT_EQ(one.test->add(1, 2), 3);
}

// A thread that stays waits in the receive, whose time-out is short: that must not be the end of a message which comes slowly.
TEST(StaysOnTheWire, AMessageInPieces) {
  const LogLines lines(LogLevel::debug);
  ScopedOrb server({"-ORBServing", "pool", "-ORBListenEndpoints", "iiop://127.0.0.1"});
  const TestRef test =
      tenon::publish<Suite::Test_skeleton>(server.ref(), CORBA::make_reference<TestServant>(*server), "t");
  const std::string endpoint = server->_endpoints().front();
  const RawSocket peer =
      RawSocket::connect(static_cast<std::uint16_t>(std::stoi(endpoint.substr(endpoint.rfind(':') + 1))));
  std::uint32_t id = 0;
  const Deadline until = Deadline::after_ms(30000);
  while (begun(lines) == 0 && !until.expired()) {
    ASSERT_TRUE(peer.send(request(id++, "t", "noop")));
    ASSERT_FALSE(peer.receive_message().empty());
  }
  EXPECT_EQ(begun(lines), 1);
  const Bytes whole = request(id, "t", "noop");
  for (const std::size_t cut : {std::size_t{5}, std::size_t{12}, whole.size() - 1}) {
    const auto middle = whole.begin() + static_cast<std::ptrdiff_t>(cut);
    ASSERT_TRUE(peer.send(Bytes(whole.begin(), middle)));
    EXPECT_TRUE(eventually([&] { return over(lines) == begun(lines); }));
    ASSERT_TRUE(peer.send(Bytes(middle, whole.end())));
    ASSERT_FALSE(peer.receive_message().empty()) << cut;
  }
  server.destroy();
}

}  // namespace
}  // namespace tenon::suite
