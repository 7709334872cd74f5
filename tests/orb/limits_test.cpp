// SPDX-License-Identifier: Apache-2.0
//
// What bounds connections: how many this process opens, and how long a peer may take over a message that it has begun.
#include <sys/socket.h>

#include <cerrno>
#include <thread>

#include <tenon/timeout.hpp>

#include "base/minor_codes.hpp"
#include "suite_async.hpp"
#include "tests/orb/raw_peer.hpp"
#include "tests/orb/world.hpp"

namespace tenon::suite {
namespace {

using namespace std::chrono_literals;

std::uint16_t port_of(CORBA::ORB& orb) {
  const std::string endpoint = orb._endpoints().front();
  return static_cast<std::uint16_t>(std::stoi(endpoint.substr(endpoint.rfind(':') + 1)));
}

/// The other side has ended the connection.
bool ends(const RawSocket& peer) {
  return eventually([&] {
    char octet = 0;
    const ssize_t came = ::recv(peer.fd(), &octet, 1, MSG_DONTWAIT);
    return came == 0 || (came < 0 && errno == ECONNRESET);
  });
}

bool lives(const RawSocket& peer) {
  char octet = 0;
  return ::recv(peer.fd(), &octet, 1, MSG_DONTWAIT | MSG_PEEK) < 0 && errno == EAGAIN;
}

Bytes first_part(Bytes whole, std::size_t octets) {
  whole.resize(octets);
  return whole;
}

// --- peers that stop in the middle of a message ---

/// A server, whoever serves, and as many raw clients as a test wants.
class Stalled : public ::testing::TestWithParam<std::string> {
 protected:
  void start(const Words& more = {}) {
    Words options{"-ORBServing", GetParam(), "-ORBPoolThreads", "1", "-ORBMessageTimeout", "150"};
    options.insert(options.end(), more.begin(), more.end());
    server = std::make_unique<ScopedOrb>(options);
    servant = CORBA::make_reference<TestServant>(**server);
    test = tenon::publish<Suite::Test_skeleton>(server->ref(), servant);
    runner = std::thread([this] { (*server)->run(); });
  }
  void TearDown() override {
    (*server)->shutdown(true);
    runner.join();
  }
  RawSocket connect() const { return RawSocket::connect(port_of(**server)); }

  std::unique_ptr<ScopedOrb> server;
  CORBA::servant_reference<TestServant> servant;
  TestRef test;
  std::thread runner;
};
INSTANTIATE_TEST_SUITE_P(All, Stalled, ::testing::Values("thread-per-connection", "pool", "single-thread"),
                         [](const auto& each) {
                           return each.param == "pool"            ? std::string("pool")
                                  : each.param == "single-thread" ? std::string("single")
                                                                  : std::string("threads");
                         });

TEST_P(Stalled, WhereverItIs) {
  start();
  const RawSocket quiet = connect();  // has begun nothing, so it may wait
  const Bytes whole = request(2, "nobody", "noop");
  std::vector<RawSocket> peers;
  for (const std::size_t octets : {std::size_t{1}, std::size_t{11}, std::size_t{12}, whole.size() - 1}) {
    peers.push_back(connect());
    EXPECT_TRUE(peers.back().send(first_part(whole, octets)));
  }
  for (const RawSocket& peer : peers) EXPECT_TRUE(ends(peer));
  EXPECT_TRUE(lives(quiet));
  EXPECT_TRUE(quiet.send(whole));
  EXPECT_FALSE(quiet.receive_message().empty());
  // A whole message before it changes nothing.
  Bytes and_a_half = whole;
  and_a_half.insert(and_a_half.end(), whole.begin(), whole.begin() + 20);
  EXPECT_TRUE(quiet.send(and_a_half));
  EXPECT_FALSE(quiet.receive_message().empty());
  EXPECT_TRUE(ends(quiet));
}

TEST_P(Stalled, BetweenFragments) {
  start();
  Bytes first = request(2, "nobody", "an operation with a name");
  first.resize((first.size() + 7) / 8 * 8);
  first[8] = static_cast<std::uint8_t>(first.size() - 12);
  first[6] |= 2;  // more fragments follow
  const RawSocket peer = connect();
  EXPECT_TRUE(peer.send(first));
  EXPECT_TRUE(ends(peer));
  // Followed by a request that is answered, in one go.
  const RawSocket other = connect();
  Bytes both = first;
  const Bytes whole = request(4, "nobody", "noop");
  both.insert(both.end(), whole.begin(), whole.end());
  EXPECT_TRUE(other.send(both));
  EXPECT_FALSE(other.receive_message().empty());
  EXPECT_TRUE(ends(other));
  // Cancelled, so that nothing is to come.
  const RawSocket cancels = connect();
  EXPECT_TRUE(cancels.send(first));
  EXPECT_TRUE(cancels.send(message(2, {2, 0, 0, 0})));
  const RawSocket clock = connect();
  EXPECT_TRUE(clock.send(first));
  EXPECT_TRUE(ends(clock));
  EXPECT_TRUE(lives(cancels));
  EXPECT_TRUE(cancels.send(whole));
  EXPECT_FALSE(cancels.receive_message().empty());
}

// A little now and then is too little.
TEST_P(Stalled, Trickling) {
  start();
  const RawSocket slow = connect();
  const Bytes whole = request(2, "nobody", "noop", Bytes(100'000));
  std::size_t sent = 0;
  EXPECT_TRUE(eventually([&] {
    EXPECT_LT(sent, whole.size());
    return ::send(slow.fd(), whole.data() + sent++, 1, MSG_NOSIGNAL) < 0;
  }));
  EXPECT_GT(sent, 1u);
}

// Time that the server itself needs for other requests is not the peer's.
TEST_P(Stalled, NotWhileTheServerIsBusy) {
  start({"-ORBMessageTimeout", "1500"});
  ScopedOrb client;
  const TestRef seen = seen_by(*client, test);
  const RawSocket peer = connect();
  const Bytes whole = request(2, "nobody", "noop");
  EXPECT_TRUE(peer.send(first_part(whole, 20)));
  // The half has been read when a later request of another connection has been answered.
  EXPECT_EQ(seen->add(1, 2), 3);
  std::thread caller([&] { EXPECT_EQ(seen->hold(7), 7); });
  ASSERT_TRUE(servant->gate.wait_for_waiters(1));
  EXPECT_TRUE(peer.send({whole.begin() + 20, whole.end()}));
  const RawSocket others = connect();
  EXPECT_TRUE(others.send(first_part(whole, 20)));
  // Where there is one thread for all, it is inside hold(), so nobody reads; whoever keeps the time finds that something has come.
  std::this_thread::sleep_for(2s);
  servant->gate.open();
  caller.join();
  EXPECT_FALSE(peer.receive_message().empty());
  EXPECT_TRUE(ends(others));
}

/// A server that answers with the beginning of a reply for as often as it is told, then properly.
class HalfReplies : public ::testing::Test {
 protected:
  TestRef start(int halves, const Words& options) {
    left = halves;
    client = std::make_unique<ScopedOrb>(options);
    return IDL::traits<Suite::Test>::unchecked_narrow((*client)->string_to_object(server.url()));
  }
  void answer(RawSocket& peer) {
    for (Bytes asked = peer.receive_message(); !asked.empty(); asked = peer.receive_message()) {
      if (asked.size() < 16) return;  // CloseConnection
      const Bytes reply = long_reply(request_id_of(asked), 3);
      if (left == 0) {
        peer.send(reply);
        continue;
      }
      --left;
      peer.send(first_part(reply, reply.size() - 3));
      while (!peer.receive_message().empty()) {}
      ++gone;
      return;
    }
  }
  std::atomic<int> left{0};
  std::atomic<int> gone{0};  // clients that have had enough of a half reply
  const RawServer server{[this](RawSocket& peer) { answer(peer); }};
  std::unique_ptr<ScopedOrb> client;
};

const std::string stalled = text_of(errors::message_stalled.with(Completion::maybe));

TEST_F(HalfReplies, EndTheCall) {
  const TestRef test = start(2, {"-ORBMessageTimeout", "100"});
  EXPECT_EQ(outcome_of([&] { test->add(1, 2); }), stalled);
  EXPECT_EQ(outcome_of([&] { static_cast<void>(tenon::async(test).add(1, 2).get()); }), stalled);
  EXPECT_EQ(test->add(1, 2), 3);
  EXPECT_EQ(server.connections(), 3);
  client.reset();
}

TEST_F(HalfReplies, EndAllCallsOfTheirConnection) {
  const TestRef test = start(1, {"-ORBMessageTimeout", "150", "-ORBConnectionsPerEndpoint", "1"});
  auto other = tenon::async(test).add(1, 2);
  const std::string own = outcome_of([&] { test->add(1, 2); });
  EXPECT_EQ(outcome_of([&] { static_cast<void>(other.get()); }), stalled);
  EXPECT_TRUE(own == stalled || own.empty())
      << own;  // over the next connection, if the first has ended already
  client.reset();
}

// The caller's own time is over before: nobody reads any more, and the connection goes nevertheless.
TEST_F(HalfReplies, WhenNobodyWaitsForThem) {
  const TestRef test = start(1, {"-ORBMessageTimeout", "200", "-ORBConnectionsPerEndpoint", "1"});
  {
    const TimeoutScope brief(30ms);
    EXPECT_EQ(outcome_of([&] { test->add(1, 2); }), text_of(errors::reply_timed_out.with(Completion::maybe)));
  }
  EXPECT_TRUE(eventually([&] { return gone == 1; }));
  EXPECT_EQ(test->add(1, 2), 3);
  EXPECT_EQ(server.connections(), 2);
  client.reset();
}

// --- connections that are opened ---

class Outgoing : public ::testing::TestWithParam<std::string> {
 protected:
  Outgoing()
      : first(Case{GetParam(), "thread-per-connection"}), second(Case{GetParam(), "thread-per-connection"}) {}
  void connect_by(const Words& options) {
    client = std::make_unique<ScopedOrb>(options);
    one = seen_by(**client, at_server(first));
    other = seen_by(**client, at_server(second));
  }
  static TestRef at_server(const Pair& pair) { return seen_by(pair.server(), pair.test); }

  const Pair first, second;
  std::unique_ptr<ScopedOrb> client;
  TestRef one, other;
};
INSTANTIATE_TEST_SUITE_P(All, Outgoing, ::testing::Values("iiop", "uiop", "shmiop", "torture"),
                         [](const auto& each) { return each.param; });

TEST_P(Outgoing, IdleOnesMakeRoom) {
  connect_by({"-ORBMaxClientConnections", "1"});
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(one->add(i, 2), i + 2);
    EXPECT_EQ(tenon::async(other).add(i, 3).get(), i + 3);
  }
}

TEST_P(Outgoing, BusyOnesAreShared) {
  connect_by({"-ORBMaxClientConnections", "1"});
  std::thread caller([&] { EXPECT_EQ(one->hold(7), 7); });
  ASSERT_TRUE(first.servant->gate.wait_for_waiters(1));
  // The server reads on one thread and is inside hold(), so that only a call which is not waited for can be begun.
  auto reply = tenon::async(one).add(1, 2);
  EXPECT_FALSE(reply.ready());
  first.servant->gate.open();
  caller.join();
  EXPECT_EQ(reply.get(), 3);
}

TEST_P(Outgoing, WaitForTheirTurn) {
  connect_by({"-ORBMaxClientConnections", "1", "-ORBConnectTimeout", "100"});
  std::thread caller([&] { EXPECT_EQ(one->hold(7), 7); });
  ASSERT_TRUE(first.servant->gate.wait_for_waiters(1));
  EXPECT_EQ(outcome_of([&] { other->add(1, 2); }), text_of(errors::too_many_connections));
  {
    const TimeoutScope brief(30ms);
    EXPECT_EQ(outcome_of([&] { other->add(1, 2); }), text_of(errors::connection_wait_timed_out));
  }
  EXPECT_EQ(second.servant->adds, 0);
  first.servant->gate.open();
  caller.join();
  EXPECT_EQ(other->add(1, 2), 3);
}

TEST_P(Outgoing, ManyCallersOfMoreAddressesThanPlaces) {
  connect_by({"-ORBMaxClientConnections", "2"});
  std::atomic<int> right{0};
  std::vector<std::thread> callers;
  for (int t = 0; t < 4; ++t) {
    callers.emplace_back([&, t] {
      for (int i = 0; i < 25; ++i) {
        const TestRef& test = (i + t) % 2 == 0 ? one : other;
        EXPECT_EQ(outcome_of([&] { right += test->add(i, t) == i + t ? 1 : 0; }), "");
      }
    });
  }
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(right, 100);
}

// --- calls within the process that nobody waits for ---

TEST(Collocated, SlowOnesTakeNoThreadFromWhatFollowsOthers) {
  const Pair far(Case{"iiop", "thread-per-connection"});
  ScopedOrb orb({"-ORBCompletionThreads", "1"});
  const auto servant = CORBA::make_reference<TestServant>(*orb);
  const TestRef near = tenon::publish<Suite::Test_skeleton>(orb.ref(), servant);
  auto one = tenon::async(near).hold(7);
  auto two = tenon::async(near).hold(8);
  ASSERT_TRUE(servant->gate.wait_for_waiters(2));
  EXPECT_EQ(tenon::async(seen_by(*orb, seen_by(far.server(), far.test))).add(1, 2).get(), 3);
  EXPECT_FALSE(one.ready() || two.ready());
  servant->gate.open(2);
  EXPECT_EQ(one.get(), 7);
  EXPECT_EQ(two.get(), 8);
}

}  // namespace
}  // namespace tenon::suite
