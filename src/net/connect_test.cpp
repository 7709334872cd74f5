// SPDX-License-Identifier: Apache-2.0
//
// Connecting over several addresses: which one wins, and what the trail says of the others. An address that never answers is a listener
// whose backlog is full.
#include "net/connect.hpp"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <cerrno>
#include <future>

#include "base/trail.hpp"
#include "net/listener.hpp"

namespace tenon::net {
namespace {

/// Drops further handshakes, which looks like a dead host.
class BlackHole {
 public:
  BlackHole() {
    std::string why;
    ListenOptions options;
    options.backlog = 1;
    EXPECT_TRUE(listener_.open(*numeric_address({"127.0.0.1", 0}), options, why)) << why;
    const SocketAddress address = listener_.address();
    int error = 0;
    while (waiting_.size() < 10) {
      Descriptor socket = connect_stream({&address, 1}, Deadline::after_ms(100), error);
      if (!socket) break;
      waiting_.push_back(std::move(socket));
    }
    EXPECT_EQ(error, ETIMEDOUT);
    Trail::mine().restart();
  }
  SocketAddress address() const { return listener_.address(); }

 private:
  Listener listener_;
  std::vector<Descriptor> waiting_;
};

class There {
 public:
  explicit There(const char* host = "127.0.0.1") {
    std::string why;
    open_ = listener_.open(*numeric_address({host, 0}), {}, why);
  }
  bool open() const { return open_; }
  SocketAddress address() const { return listener_.address(); }
  /// An address on which no process listens any more.
  SocketAddress gone() {
    const SocketAddress address = listener_.address();
    listener_.shut_down();
    return address;
  }

 private:
  Listener listener_;
  bool open_ = false;
};

class Race : public testing::Test {
 protected:
  Race() { Trail::mine().restart(); }
  std::size_t failures() const { return Trail::mine().size(); }
  int error = 0;
};

TEST_F(Race, ASilentAddressKeepsNobodyWaiting) {
  const BlackHole silent, also_silent;
  const There there;
  const SocketAddress addresses[] = {silent.address(), also_silent.address(), there.address()};
  const Connected connected = connect_first(addresses, Deadline::after_ms(60'000), error);
  ASSERT_TRUE(connected.socket) << error_text(error);
  EXPECT_EQ(connected.place, 2u);
  EXPECT_EQ(peer_address(connected.socket.get()), there.address());
  // The silent addresses have not failed. If each had got a share of the time, they would have failed long before the deadline.
  EXPECT_EQ(failures(), 0u);
}

TEST_F(Race, TheFirstThatAnswersWins) {
  const There first, second;
  const SocketAddress addresses[] = {first.address(), second.address()};
  for (int i = 0; i < 20; ++i) EXPECT_EQ(connect_first(addresses, Deadline::never(), error).place, 0u);
}

TEST_F(Race, RefusalsGoOnAtOnceAndAreNoted) {
  There refuses, refuses_too;
  const There there;
  const SocketAddress addresses[] = {refuses.gone(), refuses_too.gone(), there.address()};
  const Connected connected = connect_first(addresses, Deadline::never(), error);
  ASSERT_TRUE(connected.socket) << error_text(error);
  EXPECT_EQ(connected.place, 2u);
  ASSERT_EQ(failures(), 2u);
  EXPECT_EQ(Trail::mine().tries()[0].os_error, ECONNREFUSED);
  EXPECT_EQ(Trail::mine().tries()[0].address, addresses[0].text());
}

TEST_F(Race, NobodyAnswers) {
  const BlackHole silent;
  There refuses;
  const SocketAddress addresses[] = {silent.address(), refuses.gone(), silent.address()};
  EXPECT_FALSE(connect_first(addresses, Deadline::after_ms(300), error).socket);
  EXPECT_EQ(error, ETIMEDOUT);
  EXPECT_EQ(failures(), 3u);
}

TEST_F(Race, EverybodyRefuses) {
  There one, other;
  const SocketAddress addresses[] = {one.gone(), other.gone()};
  EXPECT_FALSE(connect_first(addresses, Deadline::never(), error).socket);
  EXPECT_EQ(error, ECONNREFUSED);
  EXPECT_EQ(failures(), 2u);
}

TEST_F(Race, FamiliesTakeTurns) {
  const auto at = [](const char* host) { return *numeric_address({host, 1}); };
  const SocketAddress mixed[] = {at("::1"), at("::2"), at("::3"), at("127.0.0.1"), at("127.0.0.2")};
  EXPECT_EQ(attempt_order(mixed), (std::vector<std::size_t>{0, 3, 1, 4, 2}));
  EXPECT_EQ(attempt_order({mixed + 3, 2}), (std::vector<std::size_t>{0, 1}));
  EXPECT_TRUE(attempt_order({}).empty());
}

TEST_F(Race, TheOtherFamilyAnswers) {
  const BlackHole silent;
  const There there("::1");
  if (!there.open()) GTEST_SKIP() << "no IPv6 here";
  const SocketAddress addresses[] = {silent.address(), there.address()};
  EXPECT_EQ(connect_first(addresses, Deadline::after_ms(60'000), error).place, 1u);
}

// A full backlog of a Unix-domain socket keeps callers waiting until there is room, or their time is over.
TEST(FullBacklog, OfAPathIsWaitedFor) {
  const std::string path = testing::TempDir() + "backlog-" + std::to_string(::getpid());
  Listener listener;
  std::string why;
  ListenOptions options;
  options.backlog = 1;
  ASSERT_TRUE(listener.open_path(*unix_address(path, why), options, why)) << why;
  const SocketAddress address = listener.address();
  std::vector<Descriptor> waiting;
  int os_error = 0;
  while (waiting.size() < 10) {
    Descriptor socket = connect_stream({&address, 1}, Deadline::after_ms(50), os_error);
    if (!socket) break;
    waiting.push_back(std::move(socket));
  }
  EXPECT_EQ(os_error, ETIMEDOUT);
  ASSERT_FALSE(waiting.empty());
  EXPECT_FALSE(connect_stream({&address, 1}, Deadline::immediately(), os_error));
  EXPECT_EQ(os_error, ETIMEDOUT);
  for (const Deadline deadline : {Deadline::never(), Deadline::after_ms(60'000)}) {
    auto patient =
        std::async(std::launch::async, [&] { return connect_stream({&address, 1}, deadline, os_error); });
    SocketAddress peer;
    const Descriptor accepted = listener.accept(peer);
    EXPECT_TRUE(accepted);
    const Descriptor connected = patient.get();
    ASSERT_TRUE(connected) << error_text(os_error);
    // The caller's socket must not keep a time-out of connecting.
    timeval left{1, 1};
    socklen_t size = sizeof left;
    ASSERT_EQ(::getsockopt(connected.get(), SOL_SOCKET, SO_SNDTIMEO, &left, &size), 0);
    EXPECT_EQ(left.tv_sec + left.tv_usec, 0);
  }
}

// The system may give a client the port of the server that it calls, if that has gone; the server must be able to come back at once.
TEST(SelfConnection, IsNoticedAndLeavesThePortFree) {
  const SocketAddress any = *numeric_address({"127.0.0.1", 0});
  SocketAddress self;
  {
    const Descriptor socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    ASSERT_EQ(::bind(socket.get(), any.get(), any.size()), 0);
    self = local_address(socket.get());
    ASSERT_EQ(::connect(socket.get(), self.get(), self.size()), 0);
    EXPECT_TRUE(ends_at_itself(socket.get()));
  }
  Listener listener;
  std::string why;
  EXPECT_TRUE(listener.open(self, {}, why)) << why;
  int os_error = 0;
  const Descriptor ordinary = connect_stream({&self, 1}, Deadline::never(), os_error);
  ASSERT_TRUE(ordinary);
  EXPECT_FALSE(ends_at_itself(ordinary.get()));
}

}  // namespace
}  // namespace tenon::net
