// SPDX-License-Identifier: Apache-2.0
//
// Bidirectional connections of ORBs that serve with a single thread: the reactor reads requests and replies of the same connection.
#include <atomic>
#include <memory>
#include <thread>

#include "base/log.hpp"
#include "tests/orb/world.hpp"

namespace tenon::suite {
namespace {

/// An ORB; where it serves with a single thread that has to be in run(), it is until the end of the scope.
class Side {
 public:
  Side(const std::string& serving, const std::string& endpoint, const std::string& bidirectional, bool runs)
      : orb({"-ORBServing", serving, "-ORBListenEndpoints", endpoint, "-ORBBidirectional", bidirectional,
             "-ORBConnectionsPerEndpoint", "1"}) {
    if (runs) runs_ = std::thread([this] { orb->run(); });
  }
  ~Side() {
    orb->shutdown(true);
    if (runs_.joinable()) runs_.join();
  }
  Side(const Side&) = delete;
  Side& operator=(const Side&) = delete;
  PeerRef publish(const std::string& name) {
    return tenon::publish<Suite::Peer_skeleton>(orb.ref(), CORBA::make_reference<PeerServant>(name));
  }

  ScopedOrb orb;

 private:
  std::thread runs_;
};

struct Ways {
  std::string protocol, server, client;
};

class SingleThreadBidirectional : public ::testing::TestWithParam<Ways> {
 protected:
  void SetUp() override {
    server_ = std::make_unique<Side>(GetParam().server, endpoint_of(GetParam().protocol), "accept",
                                     GetParam().server == "single-thread");
  }
  void TearDown() override {
    client_.reset();
    server_.reset();
  }
  /// One that listens where nobody gets to, where that can be.
  void make_client(bool runs) {
    const std::string endpoint = GetParam().protocol == "iiop" ? "iiop://127.0.0.1:0/publish=127.0.0.1:1"
                                                               : endpoint_of(GetParam().protocol);
    client_ = std::make_unique<Side>(GetParam().client, endpoint, "offer",
                                     runs && GetParam().client == "single-thread");
  }

  int accepted() const { return lines_.count("accepted a connection"); }

  const LogLines lines_{LogLevel::debug};
  std::unique_ptr<Side> server_, client_;
};

std::vector<Ways> ways() {
  std::vector<Ways> all;
  for (const char* protocol : {"iiop", "uiop", "shmiop", "inproc"}) {
    all.push_back({protocol, "single-thread", "single-thread"});
    all.push_back({protocol, "single-thread", "thread-per-connection"});
    all.push_back({protocol, "thread-per-connection", "single-thread"});
    all.push_back({protocol, "pool", "single-thread"});
  }
  return all;
}

INSTANTIATE_TEST_SUITE_P(All, SingleThreadBidirectional, ::testing::ValuesIn(ways()), [](const auto& each) {
  std::string name = each.param.protocol + "_" + each.param.server + "_" + each.param.client;
  for (char& c : name) c = c == '-' ? '_' : c;
  return name;
});

TEST_P(SingleThreadBidirectional, CallsNestInBothDirections) {
  make_client(false);
  const PeerRef there = seen_by(*client_->orb, server_->publish("server"));
  const PeerRef here = client_->publish("client");
  for (int depth = 0; depth <= 12; depth += 3) EXPECT_EQ(there->recurse(here, depth), depth + 1);
  EXPECT_EQ(accepted(), 1);
}

TEST_P(SingleThreadBidirectional, CallsBackWhileTheClientCallsNothing) {
  make_client(true);
  const PeerRef there = seen_by(*client_->orb, server_->publish("server"));
  const PeerRef here = client_->publish("client");
  EXPECT_EQ(there->recurse(here, 1), 2);
  const PeerRef at_server = seen_by(*server_->orb, here);
  for (int i = 0; i < 50; ++i) EXPECT_EQ(at_server->who(), "client");
  EXPECT_EQ(there->who(), "server");
  EXPECT_EQ(accepted(), 1);
}

TEST_P(SingleThreadBidirectional, ManyThreadsOnBothSides) {
  make_client(true);
  const PeerRef there = seen_by(*client_->orb, server_->publish("server"));
  const PeerRef here = client_->publish("client");
  EXPECT_EQ(there->recurse(here, 1), 2);
  const PeerRef at_server = seen_by(*server_->orb, here);
  std::atomic<int> right{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 2; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 50; ++i) right += there->recurse(here, 3) == 4 ? 1 : 0;
    });
    threads.emplace_back([&] {
      for (int i = 0; i < 50; ++i) right += at_server->who() == "client" ? 1 : 0;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(right, 200);
  EXPECT_EQ(accepted(), 1);
}

}  // namespace
}  // namespace tenon::suite
