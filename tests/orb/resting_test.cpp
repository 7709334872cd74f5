// SPDX-License-Identifier: Apache-2.0
//
// Connections that nobody reads for a while: what the peer has said there meanwhile, CloseConnection or the end, is seen before anything
// is sent, and a connection that the peer has ended keeps no descriptor.
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <optional>
#include <thread>

#include <tenon/timeout.hpp>

#include "base/log.hpp"
#include "base/minor_codes.hpp"
#include "tests/orb/raw_peer.hpp"
#include "tests/orb/world.hpp"

namespace tenon::suite {
namespace {

using namespace std::chrono_literals;

/// Longer than a connection is used without having been looked at.
constexpr auto a_while = 700ms;

/// Talks to each peer on a thread of its own.
class RawServers {
 public:
  explicit RawServers(RawServer::Talk talk)
      : talk_(std::move(talk)), server_(std::in_place, [this](RawSocket& peer) {
          threads_.emplace_back(
              [this, mine = std::make_shared<RawSocket>(::dup(peer.fd()))] { talk_(*mine); });
        }) {}
  ~RawServers() {
    server_.reset();  // no further peer comes
    for (std::thread& each : threads_) each.join();
  }
  TestRef at(CORBA::ORB& client) const {
    return IDL::traits<Suite::Test>::unchecked_narrow(client.string_to_object(server_->url()));
  }
  int connections() const { return server_->connections(); }

 private:
  const RawServer::Talk talk_;
  std::vector<std::thread> threads_;
  std::optional<RawServer> server_;
};

/// By how the client's ORB serves, though it does not.
class Resting : public ::testing::TestWithParam<std::string> {
 protected:
  Words serving() const { return {"-ORBServing", GetParam()}; }
};
INSTANTIATE_TEST_SUITE_P(All, Resting, ::testing::Values("thread-per-connection", "single-thread"),
                         [](const auto& each) {
                           return each.param == "single-thread" ? std::string("single_thread")
                                                                : std::string("threads");
                         });

TEST_P(Resting, OnewaysBehindCloseConnectionGoOverAnother) {
  std::atomic<int> came{0};
  const RawServers closing([&](RawSocket& peer) {
    // As some peers do it: the socket stays open until the other side closes it.
    if (peer.receive_message().size() > 12) ++came;
    peer.send(message(5, {}));
    while (peer.receive_message().size() > 12) {}
  });
  ScopedOrb client(serving());
  const TestRef test = closing.at(*client);
  for (int i = 1; i <= 3; ++i) {
    EXPECT_EQ(outcome_of([&] { test->note(i); }), "");
    EXPECT_TRUE(eventually([&] { return came == i; })) << i;
    std::this_thread::sleep_for(a_while);
  }
  EXPECT_EQ(closing.connections(), 3);
  client.destroy();
}

TEST_P(Resting, CallsBehindTheEndGoOverAnother) {
  const RawServers brief([&](RawSocket& peer) {
    const Bytes asked = peer.receive_message();
    if (asked.size() > 16) peer.send(long_reply(request_id_of(asked), 5));
  });
  ScopedOrb client(serving());
  const TestRef test = brief.at(*client);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(outcome_of([&] { EXPECT_EQ(test->add(1, 1), 5); }), "");
    std::this_thread::sleep_for(a_while);
  }
  client.destroy();
}

// Nobody reads a connection that carries oneways only, however often.
TEST_P(Resting, ManyOneways) {
  std::atomic<int> came{0};
  const RawServers closing([&](RawSocket& peer) {
    for (int i = 0; i < 3; ++i) came += peer.receive_message().size() > 12 ? 1 : 0;
    peer.send(message(5, {}));
    while (peer.receive_message().size() > 12) {}
  });
  ScopedOrb client(serving());
  const TestRef test = closing.at(*client);
  const auto until = std::chrono::steady_clock::now() + 30s;
  while (closing.connections() < 3 && std::chrono::steady_clock::now() < until) {
    EXPECT_EQ(outcome_of([&] { test->note(1); }), "");
    std::this_thread::sleep_for(20ms);
  }
  EXPECT_GE(closing.connections(), 3);
  EXPECT_GE(came, 6);
  client.destroy();
}

class IdleServer : public ::testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(All, IdleServer,
                         ::testing::Values(Case{"iiop", "thread-per-connection"}, Case{"iiop", "pool"}),
                         [](const auto& each) { return name_of(each.param); });

TEST_P(IdleServer, OnewaysAreNotLost) {
  const Pair one(GetParam(), {"-ORBServerIdle", "300"});
  std::vector<std::int32_t> sent;
  for (int i = 0; i < 4; ++i) {
    one.test->note(i);
    sent.push_back(i);
    if (i != 3) std::this_thread::sleep_for(1200ms);
  }
  EXPECT_TRUE(eventually([&] { return one.test->notes() == sent; }));
}

// --- descriptors ---

TEST(Descriptors, OfPeersThatHaveGone) {
  ScopedOrb client;
  std::unique_ptr<ScopedOrb> server = std::make_unique<ScopedOrb>();
  const auto call_new_server = [&] {
    server = std::make_unique<ScopedOrb>(Words{"-ORBListenEndpoints", "iiop://127.0.0.1"});
    const auto servant = CORBA::make_reference<TestServant>(**server);
    const TestRef test = seen_by(*client, tenon::publish<Suite::Test_skeleton>(server->ref(), servant, "t"));
    std::vector<std::thread> callers;
    for (int i = 0; i < 4; ++i)
      callers.emplace_back([&] { EXPECT_EQ(outcome_of([&] { test->hold(1); }), ""); });
    servant->gate.wait_for_waiters(4);
    servant->gate.open(4);
    for (std::thread& each : callers) each.join();
    server.reset();
  };
  call_new_server();
  EXPECT_TRUE(eventually([before = open_descriptors()] { return open_descriptors() <= before; }));
  std::this_thread::sleep_for(a_while);
  const std::ptrdiff_t before = open_descriptors();
  for (int i = 0; i < 5; ++i) call_new_server();
  EXPECT_TRUE(eventually([&] { return open_descriptors() <= before; }))
      << descriptor_names() << "; before there were " << before;
}

std::ptrdiff_t open_sockets() {
  std::ptrdiff_t count = 0;
  for (const auto& each : std::filesystem::directory_iterator("/proc/self/fd")) {
    std::error_code none;
    count += std::filesystem::read_symlink(each, none).string().starts_with("socket:") ? 1 : 0;
  }
  return count;
}

/// One call, and one that is given up, to a server that is gone afterwards.
void use_connections(const ScopedOrb& client) {
  ScopedOrb server({"-ORBListenEndpoints", "iiop://127.0.0.1"});
  const auto servant = CORBA::make_reference<TestServant>(*server);
  const TestRef test = seen_by(*client, tenon::publish<Suite::Test_skeleton>(server.ref(), servant, "t"));
  EXPECT_EQ(test->add(1, 2), 3);
  const TimeoutScope brief(30ms);
  EXPECT_NE(outcome_of([&] { test->hold(1); }), "");
  servant->gate.open();
}

// The reference to the ORB is still there.
TEST(Descriptors, NoneStaysBehindAClient) {
  { const ScopedOrb first; }  // what stays for the process
  const std::ptrdiff_t before = open_descriptors();
  const ScopedOrb client;
  use_connections(client);
  client->destroy();
  EXPECT_TRUE(eventually([&] { return open_descriptors() <= before; })) << descriptor_names();
}

TEST_P(Resting, NoSocketStaysBehindAClient) {
  { const ScopedOrb first; }
  const std::ptrdiff_t before = open_descriptors();
  {
    const std::ptrdiff_t sockets_before = open_sockets();
    const ScopedOrb client(serving());
    use_connections(client);
    client->destroy();
    EXPECT_TRUE(eventually([&] { return open_sockets() <= sockets_before; })) << descriptor_names();
  }
  EXPECT_TRUE(eventually([&] { return open_descriptors() <= before; })) << descriptor_names();
}

/// As long as it lives, this process can open nothing more.
class NothingToOpen {
 public:
  NothingToOpen() {
    getrlimit(RLIMIT_NOFILE, &before_);
    const int lowest = ::dup(0);
    ::close(lowest);
    const rlimit none{static_cast<rlim_t>(lowest), before_.rlim_max};
    setrlimit(RLIMIT_NOFILE, &none);
  }
  ~NothingToOpen() { setrlimit(RLIMIT_NOFILE, &before_); }
  NothingToOpen(const NothingToOpen&) = delete;
  NothingToOpen& operator=(const NothingToOpen&) = delete;

 private:
  rlimit before_{};
};

#if defined(__has_feature)
#if __has_feature(undefined_behavior_sanitizer)
#define TENON_VPTR_CHECKED
#endif
#endif

class NoDescriptors : public ::testing::Test {
 protected:
  void SetUp() override {
#if defined(TENON_VPTR_CHECKED)
    GTEST_SKIP() << "the sanitizer asks by a pipe whether it may look at an object, and takes no descriptor "
                    "for no object";
#endif
  }
};

TEST_F(NoDescriptors, CallsShareAConnection) {
  const Pair one({"iiop", "pool"});
  std::thread holding([&] { EXPECT_EQ(outcome_of([&] { one.test->hold(1); }), ""); });
  ASSERT_TRUE(one.servant->gate.wait_for_waiters(1));
  {
    const NothingToOpen none;
    EXPECT_EQ(outcome_of([&] { EXPECT_EQ(one.test->add(1, 2), 3); }), "");
  }
  one.servant->gate.open();
  holding.join();
}

// Before one that is alive.
TEST_F(NoDescriptors, ADeadConnectionMakesRoom) {
  const auto answer = [](RawSocket& peer, int times) {
    for (Bytes asked = peer.receive_message(); asked.size() > 16 && times-- != 0;
         asked = times != 0 ? peer.receive_message() : Bytes()) {
      peer.send(long_reply(request_id_of(asked), 5));
    }
  };
  const RawServers alive([&](RawSocket& peer) { answer(peer, 100); });
  const RawServers dead([&](RawSocket& peer) { answer(peer, 1); });
  const RawServer silent([](RawSocket&) {});
  ScopedOrb client;
  const TestRef live = alive.at(*client);
  EXPECT_EQ(live->add(1, 2), 5);
  std::this_thread::sleep_for(100ms);  // idle for longer than the dead one
  EXPECT_EQ(dead.at(*client)->add(1, 2), 5);
  std::this_thread::sleep_for(50ms);
  const TestRef test = IDL::traits<Suite::Test>::unchecked_narrow(client->string_to_object(silent.url()));
  {
    const NothingToOpen none;
    const TimeoutScope brief(500ms);
    const std::string outcome = outcome_of([&] { test->noop(); });
    EXPECT_TRUE(outcome.starts_with("TIMEOUT") || outcome.starts_with("COMM_FAILURE")) << outcome;
  }
  EXPECT_EQ(live->add(1, 2), 5);
  EXPECT_EQ(alive.connections(), 1);
  client.destroy();
}

TEST_F(NoDescriptors, AnIdleConnectionMakesRoom) {
  ScopedOrb client;
  const auto serve = [&client](ScopedOrb& server) {
    const auto servant = CORBA::make_reference<TestServant>(*server);
    return seen_by(*client, tenon::publish<Suite::Test_skeleton>(server.ref(), servant, "t"));
  };
  ScopedOrb first({"-ORBListenEndpoints", "iiop://127.0.0.1"});
  const TestRef idle = serve(first);
  EXPECT_EQ(idle->add(1, 2), 3);
  std::this_thread::sleep_for(50ms);
  const RawServer silent([&](RawSocket&) {}, 16);
  const TestRef test = IDL::traits<Suite::Test>::unchecked_narrow(client->string_to_object(silent.url()));
  {
    const NothingToOpen none;
    const TimeoutScope brief(500ms);
    // There was a descriptor for the connection; the raw server could not accept it.
    const std::string outcome = outcome_of([&] { test->noop(); });
    EXPECT_TRUE(outcome.starts_with("TIMEOUT") || outcome.starts_with("COMM_FAILURE")) << outcome;
  }
  EXPECT_EQ(idle->add(1, 2), 3);
}

}  // namespace
}  // namespace tenon::suite
