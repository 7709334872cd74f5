// SPDX-License-Identifier: Apache-2.0
//
// Calls over TLS through a relay that ends the connection after so many octets: what their callers get, and what is left behind.
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>

#include "tests/orb/raw_peer.hpp"
#include "tests/ssliop/world.hpp"

namespace tenon::suite {
namespace {

/// In front of a port of this machine.
class Relay {
 public:
  explicit Relay(std::uint16_t to) : to_(to), front_([this](RawSocket& client) { pass(client); }) {}

  std::uint16_t port() const { return front_.port(); }
  /// Of connections from now on: so many octets pass of the client (0) or of the server (1); a negative number: all.
  void cut(int side, long after) {
    for (auto& each : left_) each = -1;
    left_[side] = after;
  }
  long passed(int side) const { return passed_[side]; }

 private:
  void pass(RawSocket& client) {
    const RawSocket server = RawSocket::connect(to_);
    long left[2] = {left_[0], left_[1]};
    passed_[0] = passed_[1] = 0;
    pollfd both[] = {{client.fd(), POLLIN, 0}, {server.fd(), POLLIN, 0}};
    for (;;) {
      if (::poll(both, 2, 30'000) <= 0) return;
      for (int i = 0; i < 2; ++i) {
        if (both[i].revents == 0) continue;
        char octets[4096];
        const ssize_t came = ::recv(both[i].fd, octets, sizeof octets, 0);
        const long goes = left[i] < 0 ? came : std::min<long>(came, left[i]);
        if (goes > 0 && ::send(both[1 - i].fd, octets, static_cast<std::size_t>(goes), MSG_NOSIGNAL) != goes)
          return;
        passed_[i] = passed_[i] + std::max(0L, goes);
        if (left[i] >= 0) left[i] -= std::max(0L, goes);
        if (came <= 0 || left[i] == 0) return;
      }
    }
  }

  const std::uint16_t to_;
  std::atomic<long> left_[2] = {-1, -1};
  std::atomic<long> passed_[2] = {0, 0};
  RawServer front_;  // the last one: its thread uses the others
};

std::ptrdiff_t descriptors() {
  return std::distance(std::filesystem::directory_iterator("/proc/self/fd"), {});
}

class TlsCuts : public ::testing::Test {
 protected:
  TlsCuts() {
    servant = CORBA::make_reference<TestServant>(*server.orb);
    tenon::publish<Suite::Test_skeleton>(server.orb, servant, "Cut");
    const std::string endpoint = server.orb->_core().endpoints().front();
    relay.emplace(static_cast<std::uint16_t>(std::stoi(endpoint.substr(endpoint.rfind(':') + 1))));
  }
  /// The exception of a call with a connection of its own; empty: there was none.
  std::string call() const {
    const TlsOrb client(tls("client", {"-ORBProtocolOption", "ssliop.resumption=0"}));
    const TestRef test = at(client, "corbaloc:ssliop:127.0.0.1:" + std::to_string(relay->port()) + "/Cut");
    return message_of([&] { test->title(); });
  }

  TlsServer server{tls("server", {"-ORBListenEndpoints", "ssliop://127.0.0.1"})};
  CORBA::servant_reference<TestServant> servant;
  std::optional<Relay> relay;
};

TEST_F(TlsCuts, EndInExceptionsThatSayWhatHappened) {
  relay->cut(0, -1);
  ASSERT_EQ(call(), "");
  const long sizes[] = {relay->passed(0), relay->passed(1)};
  ASSERT_GT(std::min(sizes[0], sizes[1]), 300);
  const std::ptrdiff_t before = descriptors();
  for (int side = 0; side < 2; ++side) {
    // What the two say when they close comes last, and lengths of signatures differ.
    for (long at = 1; at < sizes[side] - 100; at += at < 12 ? 1 : 41) {
      relay->cut(side, at);
      const std::string said = call();
      EXPECT_TRUE(said.starts_with("TRANSIENT") || said.starts_with("COMM_FAILURE") ||
                  said.starts_with("NO_PERMISSION"))
          << side << ' ' << at << ' ' << said;
      EXPECT_TRUE(has(said, "127.0.0.1:" + std::to_string(relay->port())))
          << side << ' ' << at << ' ' << said;
    }
  }
  relay->cut(0, -1);
  EXPECT_EQ(call(), "") << "nothing of it stays";
  for (int i = 0; i < 1000 && descriptors() > before; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  EXPECT_LE(descriptors(), before);
}

// Sanitizers keep what has been given back.
#if defined(__has_feature)
#if __has_feature(thread_sanitizer) || __has_feature(address_sanitizer)
#define TENON_MEMORY_IS_KEPT
#endif
#endif
#ifndef TENON_MEMORY_IS_KEPT
/// The process's memory that is its own, in KiB.
long memory_kib() {
  std::ifstream status("/proc/self/status");
  std::string word;
  long found = 0;
  while (status >> word) {
    if (word == "RssAnon:") status >> found;
  }
  return found;
}

TEST_F(TlsCuts, LeaveNoMemoryBehind) {
  const auto rounds = [this](int count) {
    for (int i = 0; i < count; ++i) {
      relay->cut(i % 2, 40 + i * 37 % 900);
      call();
    }
  };
  rounds(100);
  const long before = memory_kib();
  rounds(400);
  EXPECT_LE(memory_kib(), before + 1024)
      << "KiB: a connection that was broken off has more than two KiB otherwise";
}
#endif

}  // namespace
}  // namespace tenon::suite
