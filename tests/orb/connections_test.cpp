// SPDX-License-Identifier: Apache-2.0
//
// Connections that come and go: closed when they are idle, refused or made room for at the limit, and calls that cross the closing.
#include <atomic>
#include <thread>

#include "base/log.hpp"
#include "base/minor_codes.hpp"
#include "plugins/giop/goodbye_pause_test_support.hpp"
#include "plugins/giop/test_hooks.hpp"
#include "tests/orb/raw_peer.hpp"
#include "tests/orb/world.hpp"

namespace tenon::suite {
namespace {

constexpr const char* connection_accepted = "accepted a connection";
constexpr const char* connection_ended = ": connection with ";  // on either side
constexpr const char* connection_refused = "refused a connection";

/// Only TCP says how long it has been idle.
class Idle : public ::testing::TestWithParam<std::string> {
 protected:
  Case which() const { return {"iiop", GetParam()}; }
};
INSTANTIATE_TEST_SUITE_P(All, Idle, ::testing::Values("thread-per-connection", "pool"), [](const auto& each) {
  return each.param == "pool" ? std::string("pool") : std::string("threads");
});

TEST(ConnectionLog, SaysWhereAConnectionComesFromIfThatHasAName) {
  for (const char* protocol : {"iiop", "uiop", "shmiop"}) {
    SCOPED_TRACE(protocol);
    const LogLines lines(LogLevel::trace);
    const Pair one({protocol, "pool"});
    EXPECT_EQ(one.test->add(1, 2), 3);
    const bool is_named = protocol == std::string("iiop");
    EXPECT_EQ(lines.count(std::string("orb: connected to ") + protocol + ' '), 1);
    int from_somewhere = 0;
    for (const std::string& line : lines.all()) {
      if (has(line, "connected to ")) from_somewhere += has(line, " from 127.0.0.1:") ? 1 : 0;
      EXPECT_FALSE(line.ends_with(" from ")) << line;
      EXPECT_FALSE(has(line, " from  with ")) << line;
    }
    EXPECT_EQ(from_somewhere, is_named ? 1 : 0);
  }
}

TEST_P(Idle, ServersClose) {
  const LogLines lines(LogLevel::debug);
  const Pair one(which(), {"-ORBServerIdle", "40"});
  EXPECT_EQ(one.test->add(1, 2), 3);
  EXPECT_TRUE(eventually([&] { return lines.count(connection_ended) >= 1; }));
  EXPECT_EQ(one.test->add(1, 2), 3);
  EXPECT_EQ(lines.count(connection_accepted), 2);
}

TEST_P(Idle, ClientsClose) {
  const LogLines lines(LogLevel::debug);
  const Pair one(which(), {}, {"-ORBClientIdle", "40"});
  EXPECT_EQ(one.test->add(1, 2), 3);
  EXPECT_TRUE(eventually([&] { return lines.count(connection_ended) >= 1; }));
  EXPECT_EQ(one.test->add(1, 2), 3);
  EXPECT_EQ(lines.count(connection_accepted), 2);
}

// Another client's connection, idle since later, shows that the sweep has passed the one that is in use.
TEST_P(Idle, NotWhileACallIsInFlight) {
  const Words idle{"-ORBServerIdle", "40", "-ORBClientIdle", "40"};
  const Pair one(which(), idle, idle);
  std::int32_t held = 0;
  std::thread caller([&] { held = one.test->hold(7); });
  ASSERT_TRUE(one.servant->gate.wait_for_waiters(1));
  const LogLines lines(LogLevel::debug);
  ScopedOrb other;
  const TestRef test =
      seen_by(*other, tenon::publish<Suite::Test_skeleton>(one.server_orb->ref(), one.servant, "o"));
  EXPECT_EQ(test->add(1, 2), 3);
  EXPECT_TRUE(eventually([&] { return lines.count(connection_ended) >= 1; }));
  one.servant->gate.open();
  caller.join();
  EXPECT_EQ(held, 7);
  EXPECT_EQ(one.servant->adds, 1);
}

TEST_P(Idle, NotWhenThePeerMayCallBack) {
  const Words idle{"-ORBServerIdle", "40", "-ORBClientIdle", "40", "-ORBBidirectional", "both"};
  const LogLines lines(LogLevel::debug);
  const Pair one(which(), idle, idle);
  const PeerRef callback = tenon::publish<Suite::Peer_skeleton>(one.client_orb->ref(),
                                                                CORBA::make_reference<PeerServant>("client"));
  EXPECT_EQ(one.test->ask(callback), "client");
  ScopedOrb other;
  const TestRef test =
      seen_by(*other, tenon::publish<Suite::Test_skeleton>(one.server_orb->ref(), one.servant, "o"));
  EXPECT_EQ(test->add(1, 2), 3);
  EXPECT_TRUE(eventually([&] { return lines.count(connection_ended) >= 1; }));
  EXPECT_EQ(seen_by(one.server(), callback)->who(), "client");
  EXPECT_EQ(lines.count(connection_accepted), 2);
}

// §9.5.1.1: a request that crosses CloseConnection was not executed, and is sent again. None may be lost, none be executed twice. Only a
// connection that was idle since it was opened for this very call may say so to the caller: truthfully, not executed.
void requests_cross_the_closing(const Case& which) {
  const Words idle{"-ORBServerIdle", "10", "-ORBClientIdle", "13"};
  const LogLines lines(LogLevel::debug);
  const Pair one(which, idle, idle);
  constexpr int threads = 3;
  constexpr int calls = 60;
  std::atomic<int> right{0};
  std::atomic<int> not_executed{0};
  std::vector<std::thread> callers;
  for (int t = 0; t < threads; ++t) {
    callers.emplace_back([&, t] {
      for (int i = 0; i < calls; ++i) {
        const std::string outcome = outcome_of([&] { right += one.test->add(i, t) == i + t ? 1 : 0; });
        if (outcome == text_of(errors::peer_closed_connection)) {
          ++not_executed;
        } else {
          EXPECT_EQ(outcome, "");
        }
        std::this_thread::sleep_for(std::chrono::microseconds(10'000 + (i * 7919 + t * 104'729) % 9'000));
      }
    });
  }
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(right + not_executed, threads * calls);
  EXPECT_EQ(one.servant->adds, right);
  EXPECT_GT(right, 0);
  EXPECT_GE(lines.count(connection_ended), 1);
}

TEST_P(Idle, RequestsThatCrossTheClosing) { requests_cross_the_closing(which()); }

// The same with time between the last request that is taken on and CloseConnection.
TEST_P(Idle, RequestsThatCrossASlowClosing) {
  const giop::GoodbyePause pause;
  requests_cross_the_closing(which());
}

std::uint16_t port_of(CORBA::ORB& orb) {
  const std::string endpoint = orb._endpoints().front();
  return static_cast<std::uint16_t>(std::stoi(endpoint.substr(endpoint.rfind(':') + 1)));
}

TEST(IdleOnTheWire, IsSaidWithCloseConnection) {
  ScopedOrb server({"-ORBServerIdle", "40"});
  const TestRef test =
      tenon::publish<Suite::Test_skeleton>(server.ref(), CORBA::make_reference<TestServant>(*server), "t");
  const RawSocket peer = RawSocket::connect(port_of(*server));
  const Bytes said = peer.receive_message();
  ASSERT_GE(said.size(), 12u);
  EXPECT_EQ(said[7], 5);
  EXPECT_TRUE(peer.receive_message().empty());
}

TEST_P(Idle, MakesRoomAtTheLimit) {
  const LogLines lines(LogLevel::debug);
  const Pair one(which(), {"-ORBMaxServerConnections", "1"});
  EXPECT_EQ(one.test->add(1, 2), 3);
  ScopedOrb other;
  const TestRef test =
      seen_by(*other, tenon::publish<Suite::Test_skeleton>(one.server_orb->ref(), one.servant, "o"));
  // Somebody has just used the only one; in a while it is idle enough.
  EXPECT_TRUE(eventually([&] {
    const std::string outcome = outcome_of([&] { test->add(1, 2); });
    EXPECT_TRUE(outcome.empty() || outcome == text_of(errors::peer_closed_connection)) << outcome;
    return outcome.empty();
  }));
  EXPECT_EQ(lines.count(connection_accepted), 2);
}

TEST_P(Idle, RefusesPolitelyAtTheLimit) {
  const LogLines lines(LogLevel::debug);
  const Pair one(which(), {"-ORBMaxServerConnections", "1"});
  std::thread caller([&] { EXPECT_EQ(one.test->hold(7), 7); });
  ASSERT_TRUE(one.servant->gate.wait_for_waiters(1));
  const RawSocket peer = RawSocket::connect(port_of(one.server()));
  const Bytes said = peer.receive_message();
  one.servant->gate.open();
  caller.join();
  ASSERT_GE(said.size(), 12u);
  EXPECT_EQ(said[7], 5);  // CloseConnection
  EXPECT_EQ(lines.count(connection_refused), 1);
  EXPECT_EQ(lines.count(connection_accepted), 1);
}

/// Until when those who close connections may wait for their peers, while it lives.
class Goodbyes {
 public:
  Goodbyes() {
    said.clear();
    giop::test_hooks.before_goodbye = [](Deadline by) {
      const std::lock_guard lock(mutex);
      said.push_back(by.ns());
    };
  }
  ~Goodbyes() { giop::test_hooks.before_goodbye = nullptr; }
  Goodbyes(const Goodbyes&) = delete;
  Goodbyes& operator=(const Goodbyes&) = delete;
  static std::vector<std::int64_t> deadlines() {
    const std::lock_guard lock(mutex);
    return said;
  }

 private:
  static inline std::mutex mutex;
  static inline std::vector<std::int64_t> said;
};

// However many peers there are that do not listen, on whatever side, they hold up an orderly shutdown once.
TEST_P(Idle, ShutdownWaitsOnceForAllPeers) {
  const Goodbyes goodbyes;
  const RawServer silent([](RawSocket& peer) { (void)peer.receive_message(); });
  ScopedOrb orb({"-ORBListenEndpoints", "iiop://127.0.0.1", "-ORBServing", GetParam()});
  const TestRef test =
      tenon::publish<Suite::Test_skeleton>(orb.ref(), CORBA::make_reference<TestServant>(*orb));
  const TestRef away = IDL::traits<Suite::Test>::unchecked_narrow(orb->string_to_object(silent.url()));
  away->note(1);
  std::vector<std::unique_ptr<ScopedOrb>> clients;
  for (int i = 0; i < 4; ++i) {
    clients.push_back(std::make_unique<ScopedOrb>());
    EXPECT_EQ(seen_by(**clients.back(), test)->add(i, 1), i + 1);
  }
  orb->shutdown(true);
  std::vector<std::int64_t> by = Goodbyes::deadlines();
  // What the clients make of it is not bounded.
  std::erase_if(by, [](std::int64_t each) { return Deadline::at(each).is_never(); });
  ASSERT_EQ(by.size(), 5u);
  for (const std::int64_t each : by) EXPECT_EQ(each, by.front());
}

}  // namespace
}  // namespace tenon::suite
