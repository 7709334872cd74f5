// SPDX-License-Identifier: Apache-2.0
//
// Tests that need the socket itself. The rest of Stream is tested by tests/conformance/transport_suite.hpp.
#include "net/stream.hpp"

#include <gtest/gtest.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <sys/socket.h>
#include <sys/time.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <optional>
#include <thread>

namespace tenon::net {
namespace {

struct Pair {
  Pair() {
    int ends[2];
    EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
    near.emplace(Descriptor(ends[0]));
    far.emplace(Descriptor(ends[1]));
  }
  std::optional<Stream> near;
  std::optional<Stream> far;
};

timeval option(int fd, int name) {
  timeval value{};
  socklen_t size = sizeof value;
  EXPECT_EQ(::getsockopt(fd, SOL_SOCKET, name, &value, &size), 0);
  return value;
}

TEST(Stream, TimeOutsAreTheKernels) {
  Pair pair;
  pair.near->set_timeouts(16000, 3500);
  // An eighth of it: see send_window().
  EXPECT_EQ(option(pair.near->descriptor(), SO_SNDTIMEO).tv_sec, 2);
  EXPECT_EQ(option(pair.near->descriptor(), SO_RCVTIMEO).tv_sec, 3);
  EXPECT_EQ(option(pair.near->descriptor(), SO_RCVTIMEO).tv_usec, 500'000);
  pair.near->set_receive_timeout(7000);
  EXPECT_EQ(option(pair.near->descriptor(), SO_RCVTIMEO).tv_sec, 7);
  EXPECT_EQ(option(pair.near->descriptor(), SO_SNDTIMEO).tv_sec, 2);
}

TEST(Stream, EndOfStreamIsNoError) {
  Pair pair;
  pair.far.reset();
  std::uint8_t byte = 0;
  for (const Deadline deadline : {Deadline{}, Deadline::after_ms(5000)}) {
    const Moved moved = pair.near->receive({&byte, 1}, deadline);
    EXPECT_EQ(moved.bytes, 0U);
    EXPECT_EQ(moved.error, 0);
  }
  pair.near->shut_down();
  EXPECT_EQ(pair.near->receive({&byte, 1}, Deadline{}).error, ESHUTDOWN);
}

TEST(Stream, WhatCameBeforeOwnShutDownIsStillGiven) {
  Pair pair;
  const std::uint8_t sent = 9;
  ASSERT_EQ(pair.far->send(ByteView(&sent, 1), Deadline{}).bytes, 1U);
  pair.near->shut_down();
  std::uint8_t byte = 0;
  EXPECT_EQ(pair.near->receive({&byte, 1}, Deadline{}).bytes, 1U);
  EXPECT_EQ(byte, 9);
  EXPECT_EQ(pair.near->receive({&byte, 1}, Deadline{}).error, ESHUTDOWN);
}

TEST(Stream, NothingIsSentForNothing) {
  Pair pair;
  const std::uint8_t none = 0;
  EXPECT_EQ(pair.near->send(ByteView(&none, std::size_t{0}), Deadline{}).error, 0);
}

extern "C" void take_signal(int) {}

TEST(Stream, SignalsDoNotBreakCalls) {
  // Without SA_RESTART, so that the kernel gives EINTR.
  struct sigaction action{};
  struct sigaction before{};
  action.sa_handler = take_signal;
  ASSERT_EQ(::sigaction(SIGUSR1, &action, &before), 0);
  Pair pair;
  for (const Deadline deadline : {Deadline{}, Deadline::after_ms(20000)}) {
    std::atomic<bool> done{false};
    Moved moved{0, -1};
    std::uint8_t byte = 0;
    std::thread receiver([&] {
      moved = pair.near->receive({&byte, 1}, deadline);
      done = true;
    });
    for (int i = 0; i < 20; ++i) {
      ::pthread_kill(receiver.native_handle(), SIGUSR1);
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    EXPECT_FALSE(done);
    const std::uint8_t sent = 3;
    EXPECT_EQ(pair.far->send(ByteView(&sent, 1), Deadline{}).bytes, 1U);
    receiver.join();
    EXPECT_EQ(moved.error, 0);
    EXPECT_EQ(moved.bytes, 1U);
  }
  ::sigaction(SIGUSR1, &before, nullptr);
}

TEST(Stream, TcpIsPrepared) {
  const Descriptor socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  ASSERT_TRUE(socket);
  const auto flag = [&](int level, int name) {
    int value = -1;
    socklen_t size = sizeof value;
    EXPECT_EQ(::getsockopt(socket.get(), level, name, &value, &size), 0);
    return value;
  };
  prepare_tcp(socket.get(), {.on = false, .idle_ms = 7000});
  EXPECT_NE(flag(IPPROTO_TCP, TCP_NODELAY), 0);
  EXPECT_EQ(flag(SOL_SOCKET, SO_KEEPALIVE), 0);
  const int usual = flag(IPPROTO_TCP, TCP_KEEPIDLE);
  EXPECT_NE(usual, 7);
  prepare_tcp(socket.get(), {});
  EXPECT_NE(flag(SOL_SOCKET, SO_KEEPALIVE), 0);
  EXPECT_EQ(flag(IPPROTO_TCP, TCP_KEEPIDLE), usual);
  prepare_tcp(socket.get(), {.idle_ms = 6001, .interval_ms = 1, .probes = 3});
  EXPECT_EQ(flag(IPPROTO_TCP, TCP_KEEPIDLE), 7);
  EXPECT_EQ(flag(IPPROTO_TCP, TCP_KEEPINTVL), 1);
  EXPECT_EQ(flag(IPPROTO_TCP, TCP_KEEPCNT), 3);
  prepare_tcp(socket.get(), {.idle_ms = UINT32_MAX, .interval_ms = UINT32_MAX, .probes = UINT32_MAX});
  EXPECT_EQ(flag(IPPROTO_TCP, TCP_KEEPIDLE), 32767);
  EXPECT_EQ(flag(IPPROTO_TCP, TCP_KEEPINTVL), 32767);
  EXPECT_EQ(flag(IPPROTO_TCP, TCP_KEEPCNT), 127);
}

}  // namespace
}  // namespace tenon::net
