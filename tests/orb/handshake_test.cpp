// SPDX-License-Identifier: Apache-2.0
//
// Connections that begin with a handshake: served in each way, with peers that are slow, silent, wrong, or gone in the middle.
#include <sys/socket.h>

#include <chrono>
#include <thread>

#include <tenon/peer.hpp>
#include <tenon/tried.hpp>

#include "base/log.hpp"
#include "base/minor_codes.hpp"
#include "orb/server/server.hpp"
#include "plugins/giop/giop.hpp"
#include "tests/conformance/shaken/shaken.hpp"
#include "tests/orb/raw_peer.hpp"
#include "tests/orb/world.hpp"

namespace tenon::suite {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

/// An ORB over the protocol alone.
struct ShakenOrb {
  ShakenOrb(const shaken::Settings& settings, const Words& options) {
    auto plugin = shaken::make_plugin(settings);
    seen = plugin->seen();
    orb::Protocols protocols;
    protocols.push_back({std::move(plugin), giop::make_messaging()});
    static std::atomic<int> made{0};
    orb = tenon::init_orb(options, std::move(protocols), "shaken-" + std::to_string(made.fetch_add(1)));
  }
  ~ShakenOrb() { orb->destroy(); }
  ShakenOrb(const ShakenOrb&) = delete;
  ShakenOrb& operator=(const ShakenOrb&) = delete;

  std::shared_ptr<shaken::Seen> seen;
  OrbRef orb;
};

Words listening(const std::string& serving, const Words& more) {
  Words options{"-ORBListenEndpoints", "shaken://", "-ORBServing", serving, "-ORBPoolThreads", "2"};
  options.insert(options.end(), more.begin(), more.end());
  return options;
}

class WhoServant final : public TestServant {
 public:
  using TestServant::TestServant;
  std::string who() override { return tenon::peer().text(); }
};

/// A server whose main thread is in run() until the end of the scope.
struct ShakenServer : ShakenOrb {
  explicit ShakenServer(const std::string& serving, const shaken::Settings& settings = {},
                        const Words& more = {})
      : ShakenOrb(settings, listening(serving, more)),
        servant(CORBA::make_reference<WhoServant>(*orb)),
        test(tenon::publish<Suite::Test_skeleton>(orb, servant)),
        main([this] {
          try {
            orb->run();
          } catch (const CORBA::BAD_INV_ORDER&) {
            // It has been shut down before this thread came here.
          }
        }) {}
  ~ShakenServer() { stop(); }
  ShakenServer(const ShakenServer&) = delete;
  ShakenServer& operator=(const ShakenServer&) = delete;
  void stop() {
    if (!main.joinable()) return;
    servant->gate.open(1000);
    orb->shutdown(true);
    main.join();
  }

  RawSocket connect() const { return RawSocket::connect(tcp_port_of(*orb)); }
  TestRef seen_by(const ShakenOrb& client) const { return suite::seen_by(*client.orb, test); }

  CORBA::servant_reference<WhoServant> servant;
  TestRef test;
  std::thread main;
};

/// Nobody but the one who should has used a connection before it was ready.
void expect_orderly(const shaken::Seen& seen) {
  EXPECT_EQ(seen.by_acceptor, 0u);
  EXPECT_EQ(seen.too_early, 0u);
  EXPECT_EQ(seen.at_once, 0u);
}

bool say(const RawSocket& peer, std::uint8_t octet) { return peer.send({octet}); }

/// One round of the connecting side.
bool ask(const RawSocket& peer, const shaken::Settings& settings) {
  Bytes answer;
  return say(peer, shaken::asks) && peer.receive(answer, settings.answer);
}

/// Whether the connection ends, in order or not, and how many octets come before.
bool ends(const RawSocket& peer, std::size_t& octets, std::chrono::milliseconds within = 20s) {
  timeval wait{.tv_sec = within / 1s, .tv_usec = within % 1s / 1us};
  ::setsockopt(peer.fd(), SOL_SOCKET, SO_RCVTIMEO, &wait, sizeof wait);
  Bytes some(65536);
  for (octets = 0;;) {
    const ssize_t came = ::recv(peer.fd(), some.data(), some.size(), 0);
    if (came == 0) return true;
    if (came < 0) return errno == ECONNRESET;
    octets += static_cast<std::size_t>(came);
  }
}
bool ends_without_a_word(const RawSocket& peer) {
  std::size_t octets = 0;
  return ends(peer, octets) && octets == 0;
}

class Handshakes : public ::testing::TestWithParam<std::string> {
 protected:
  bool is_polled() const { return GetParam() != "thread-per-connection"; }
};
INSTANTIATE_TEST_SUITE_P(All, Handshakes, ::testing::Values("thread-per-connection", "pool", "single-thread"),
                         [](const auto& each) {
                           std::string name = each.param;
                           for (char& c : name) c = c == '-' ? '_' : c;
                           return name;
                         });

TEST_P(Handshakes, ComeBeforeCalls) {
  ShakenServer server(GetParam());
  const ShakenOrb client({}, {});
  const TestRef test = server.seen_by(client);
  EXPECT_EQ(test->add(1, 2), 3);
  EXPECT_EQ(test->who(), "shaken rounds=3");
  test->note(4);
  EXPECT_EQ(test->notes(), std::vector<std::int32_t>{4});
  Suite::Blob big(3'000'000, 7);
  EXPECT_EQ(test->echo(big), big);
  EXPECT_EQ(server.seen->done, 1u);
  EXPECT_EQ(server.seen->failed, 0u);
  EXPECT_GE(server.seen->steps, 1u) << "more, unless the client answers while a step is still looking";
  server.stop();
  expect_orderly(*server.seen);
}

TEST_P(Handshakes, OfTransportsWithoutDescriptor) {
  if (GetParam() == "single-thread") return;  // which refuses them
  ShakenServer server(GetParam(), {.polled = false});
  const ShakenOrb client({.polled = false}, {});
  EXPECT_EQ(server.seen_by(client)->add(1, 2), 3);
  expect_orderly(*server.seen);
}

TEST_P(Handshakes, OfConnectionsBothWays) {
  ShakenServer server(GetParam(), {}, {"-ORBBidirectional", "both"});
  ShakenServer client("thread-per-connection", {}, {"-ORBBidirectional", "both"});
  const auto peer = CORBA::make_reference<PeerServant>("client");
  const PeerRef callback = tenon::publish<Suite::Peer_skeleton>(client.orb, peer);
  EXPECT_EQ(server.seen_by(client)->ask(callback), "client");
  EXPECT_EQ(server.seen->done, 1u);
  EXPECT_EQ(client.seen->steps, 0u) << "it was not connected to";
  expect_orderly(*server.seen);
}

// The octets of many peers come in any order, and each then makes a call.
TEST_P(Handshakes, OfManyAtOnce) {
  constexpr int peers = 150;
  const shaken::Settings settings{.rounds = 4, .answer = 5000};
  ShakenServer server(GetParam(), settings);
  std::vector<RawSocket> all;
  for (int i = 0; i < peers; ++i) all.push_back(server.connect());
  for (unsigned round = 0; round < settings.rounds; ++round) {
    for (const RawSocket& each : all) ASSERT_TRUE(say(each, shaken::asks));
    for (auto each = all.rbegin(); each != all.rend(); ++each) {
      Bytes answer;
      ASSERT_TRUE(each->receive(answer, settings.answer));
    }
  }
  for (const RawSocket& each : all) ASSERT_TRUE(each.send(request(1, key_of(server.test), "notes")));
  for (const RawSocket& each : all) ASSERT_FALSE(each.receive_message().empty());
  EXPECT_EQ(server.seen->done, static_cast<unsigned>(peers));
  server.stop();
  expect_orderly(*server.seen);
}

// Octets of the first request come with the last ones of the handshake.
TEST_P(Handshakes, WithTheFirstRequestBehindThem) {
  const shaken::Settings settings{.rounds = 2, .answer = 10};
  ShakenServer server(GetParam(), settings);
  const RawSocket peer = server.connect();
  Bytes all{shaken::asks, shaken::asks};
  const Bytes call = request(1, key_of(server.test), "notes");
  all.insert(all.end(), call.begin(), call.end());
  ASSERT_TRUE(peer.send(all));
  Bytes answers;
  ASSERT_TRUE(peer.receive(answers, 20));
  EXPECT_FALSE(peer.receive_message().empty());
}

// A peer that does not read an answer that is larger than what the sockets hold keeps nobody waiting.
TEST_P(Handshakes, ThatWaitForRoom) {
  const shaken::Settings large{.rounds = 2, .answer = 8'000'000, .send_buffer = 4096};
  ShakenServer server(GetParam(), large);
  std::vector<RawSocket> slow;
  for (int i = 0; i < 5; ++i) {
    slow.push_back(server.connect());
    ASSERT_TRUE(say(slow.back(), shaken::asks));
  }
  if (is_polled()) {
    ASSERT_TRUE(eventually([&] { return server.seen->wanted_output >= slow.size(); }));
  }
  const ShakenOrb client(large, {});
  EXPECT_EQ(server.seen_by(client)->add(1, 2), 3);
  for (const RawSocket& each : slow) {
    Bytes answer;
    ASSERT_TRUE(each.receive(answer, large.answer));
    ASSERT_TRUE(ask(each, large));
    ASSERT_TRUE(each.send(request(1, key_of(server.test), "notes")));
    EXPECT_FALSE(each.receive_message().empty());
  }
  expect_orderly(*server.seen);
}

TEST_P(Handshakes, ThatFailEndWithoutAWord) {
  const LogLines warnings(LogLevel::warning);
  ShakenServer server(GetParam());
  const RawSocket wrong = server.connect();
  ASSERT_TRUE(wrong.send(request(1, key_of(server.test), "notes")));  // a client of iiop
  EXPECT_TRUE(ends_without_a_word(wrong));
  const RawSocket unwanted = server.connect();
  ASSERT_TRUE(ask(unwanted, {}));
  ASSERT_TRUE(say(unwanted, shaken::refuses));
  EXPECT_TRUE(ends_without_a_word(unwanted));
  EXPECT_EQ(warnings.count("no handshake with 127.0.0.1:"), 2);
  EXPECT_EQ(warnings.count(": that is no handshake"), 1);
  EXPECT_EQ(warnings.count(": it is not wanted here"), 1);
  const ShakenOrb client({}, {});
  EXPECT_EQ(server.seen_by(client)->add(1, 2), 3);
  expect_orderly(*server.seen);
}

TEST_P(Handshakes, HaveATimeLimit) {
  const LogLines warnings(LogLevel::warning);
  const shaken::Settings endless{.rounds = 100'000, .answer = 1, .send_buffer = 4096};
  ShakenServer server(GetParam(), endless, {"-ORBMessageTimeout", "300"});
  const RawSocket silent = server.connect();
  const RawSocket halfway = server.connect();
  ASSERT_TRUE(ask(halfway, endless));
  const RawSocket busy = server.connect();
  const auto began = Clock::now();
  while (ask(busy, endless)) std::this_thread::sleep_for(20ms);
  EXPECT_GE(Clock::now() - began, 250ms);
  EXPECT_LE(Clock::now() - began, 15s) << "however much it says";
  EXPECT_TRUE(ends_without_a_word(silent));
  EXPECT_TRUE(ends_without_a_word(halfway));
  EXPECT_EQ(warnings.count("it was not done within 300 ms (-ORBMessageTimeout)"), 3);
  server.stop();
  expect_orderly(*server.seen);
}

TEST_P(Handshakes, HaveATimeLimitWhileTheyWaitForRoom) {
  const LogLines warnings(LogLevel::warning);
  const shaken::Settings large{.rounds = 1, .answer = 8'000'000, .send_buffer = 4096};
  ShakenServer server(GetParam(), large, {"-ORBMessageTimeout", "300"});
  const RawSocket deaf = server.connect();
  ASSERT_TRUE(say(deaf, shaken::asks));
  EXPECT_TRUE(eventually([&] { return warnings.count("was not done within 300 ms") == 1; }));
  std::size_t octets = 0;
  EXPECT_TRUE(ends(deaf, octets));
  EXPECT_LT(octets, large.answer);
  EXPECT_LE(server.seen->steps, 50u) << "and it was not asked again and again";
}

TEST_P(Handshakes, WithPeersThatLeaveInTheMiddle) {
  ShakenServer server(GetParam());
  { EXPECT_TRUE(ask(server.connect(), {})); }
  ASSERT_TRUE(eventually([&] { return server.seen->failed == 1u; }));
  const std::ptrdiff_t before = open_descriptors();  // with that of the first peer, if it is not closed yet
  for (int i = 0; i < 60; ++i) {
    const RawSocket peer = server.connect();
    if (i % 3 != 0) {
      ASSERT_TRUE(say(peer, shaken::asks));
    }
    if (i % 3 != 2) continue;
    const linger reset{.l_onoff = 1, .l_linger = 0};
    ::setsockopt(peer.fd(), SOL_SOCKET, SO_LINGER, &reset, sizeof reset);
  }
  EXPECT_TRUE(eventually([&] { return server.seen->failed == 61u; })) << server.seen->failed;
  EXPECT_TRUE(eventually([&] { return open_descriptors() <= before; })) << descriptor_names();
  const ShakenOrb client({}, {});
  EXPECT_EQ(server.seen_by(client)->add(1, 2), 3);
  expect_orderly(*server.seen);
}

// It has said that it will send nothing more, and there is an answer that it does not read.
TEST_P(Handshakes, WithPeersThatOnlyListen) {
  if (!is_polled()) return;  // a thread waits for room until the time limit
  const LogLines warnings(LogLevel::warning);
  const shaken::Settings large{.rounds = 2, .answer = 8'000'000, .send_buffer = 4096};
  ShakenServer server(GetParam(), large);
  const RawSocket peer = server.connect();
  ASSERT_TRUE(say(peer, shaken::asks));
  ASSERT_EQ(::shutdown(peer.fd(), SHUT_WR), 0);
  EXPECT_TRUE(eventually([&] { return warnings.count("no handshake with 127.0.0.1:") == 1; }));
  std::size_t octets = 0;
  EXPECT_TRUE(ends(peer, octets));
  EXPECT_LE(server.seen->steps, 20u);
}

TEST_P(Handshakes, EndWithTheOrb) {
  const LogLines warnings(LogLevel::warning);
  const shaken::Settings large{.rounds = 2, .answer = 8'000'000, .send_buffer = 4096};
  ShakenServer server(GetParam(), large);
  const ShakenOrb client(large, {});
  EXPECT_EQ(server.seen_by(client)->add(1, 2), 3);
  const RawSocket silent = server.connect();
  const RawSocket deaf = server.connect();
  ASSERT_TRUE(say(deaf, shaken::asks));
  if (is_polled()) {
    ASSERT_TRUE(eventually([&] { return server.seen->wanted_output >= 1u; }));
  }
  const auto began = Clock::now();
  server.stop();
  EXPECT_LE(Clock::now() - began, 10s);
  EXPECT_TRUE(ends_without_a_word(silent)) << "not even CloseConnection";
  std::size_t octets = 0;
  EXPECT_TRUE(ends(deaf, octets));
  EXPECT_LT(octets, large.answer);
  EXPECT_EQ(warnings.count("no handshake"), 0) << "nobody did anything wrong";
  expect_orderly(*server.seen);
}

TEST_P(Handshakes, CountAsConnections) {
  ShakenServer server(GetParam(), {}, {"-ORBMaxServerConnections", "2"});
  const RawSocket first = server.connect();
  const RawSocket second = server.connect();
  ASSERT_TRUE(ask(first, {}));
  ASSERT_TRUE(ask(second, {}));
  EXPECT_TRUE(ends_without_a_word(server.connect())) << "both of the others have said something lately";
  std::this_thread::sleep_for(1100ms);
  ASSERT_TRUE(ask(second, {}));
  const RawSocket third = server.connect();
  EXPECT_TRUE(ask(third, {})) << "it takes the place of the first";
  EXPECT_TRUE(ends_without_a_word(first));
  EXPECT_TRUE(ask(second, {}));
  expect_orderly(*server.seen);
}

// --- the connecting side ---

/// An exception of a call over a connection that could not be made: which one it is, and what its texts say of the handshake.
void expect_no_handshake(const TestRef& test, const Error& error, const std::string& why) {
  try {
    test->noop();
    FAIL() << "it was called";
  } catch (const CORBA::SystemException& exception) {
    EXPECT_EQ(outcome_of([&] { throw; }), text_of(error));
    EXPECT_TRUE(has(exception.what(), ": connect: handshake: " + why)) << exception.what();
    const auto tries = tenon::tried(exception);
    ASSERT_EQ(tries.size(), 1u);
    EXPECT_EQ(tries[0].said, "handshake: " + why);
    EXPECT_EQ(tries[0].error, error);
    EXPECT_GE(tries[0].took_ns, 0);
  }
}

TEST(HandshakesOfClients, AreGivenUpInTime) {
  const RawServer silent([](RawSocket& peer) { static_cast<void>(peer.receive_message()); });
  const ShakenOrb client({}, {"-ORBConnectTimeout", "200"});
  const TestRef test = IDL::traits<Suite::Test>::unchecked_narrow(
      client.orb->string_to_object("corbaloc:shaken:127.0.0.1:" + std::to_string(silent.port()) + "/key"));
  expect_no_handshake(test, errors::connect_timed_out, "it was not done in time");
}

TEST(HandshakesOfClients, ThatFailAreNoConnection) {
  const RawServer closing([](RawSocket& peer) {
    Bytes octet;
    static_cast<void>(peer.receive(octet, 1));
  });
  const ShakenOrb client({}, {});
  const TestRef test = IDL::traits<Suite::Test>::unchecked_narrow(
      client.orb->string_to_object("corbaloc:shaken:127.0.0.1:" + std::to_string(closing.port()) + "/key"));
  expect_no_handshake(test, errors::cannot_connect, "it has ended");
}

// Calls that may open no connection of their own wait for the one that is being opened.
TEST(HandshakesOfClients, AreWaitedForByOthers) {
  ShakenServer server("pool", {.rounds = 50, .answer = 20'000});
  const ShakenOrb client({.rounds = 50, .answer = 20'000}, {"-ORBConnectionsPerEndpoint", "1"});
  const TestRef test = server.seen_by(client);
  std::atomic<int> sum{0};
  std::vector<std::thread> callers;
  for (int i = 0; i < 8; ++i) callers.emplace_back([&] { sum += test->add(1, 1); });
  for (std::thread& each : callers) each.join();
  EXPECT_EQ(sum, 16);
  EXPECT_EQ(server.seen->done, 1u);
}

// --- without the part ---

TEST(HandshakesPart, IsNamedWhereItLacks) {
  const ShakenOrb made({}, {"-ORBListenEndpoints", "shaken://"});
  const auto there = orb::Server::handshakes.exchange(nullptr);
  const auto servant = CORBA::make_reference<TestServant>(*made.orb);
  std::string why;
  try {
    static_cast<void>(tenon::publish<Suite::Test_skeleton>(made.orb, servant));
  } catch (const CORBA::SystemException& exception) {
    why = exception.what();
  }
  orb::Server::handshakes = there;
  EXPECT_TRUE(has(why, "endpoint 'shaken://': needs tenon::parts::handshakes")) << why;
}

}  // namespace
}  // namespace tenon::suite
