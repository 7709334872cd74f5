// SPDX-License-Identifier: Apache-2.0
//
// Connections through shared memory: who is woken and how, what pollers see, and peers that are killed or hostile. What every transport does is
// in conformance_test.cpp.
#include "plugins/shmiop/shared_transport.hpp"

#include <poll.h>
#include <sys/epoll.h>
#include <sys/wait.h>

#include <csignal>
#include <fstream>
#include <random>
#include <thread>

#include "net/wait.hpp"
#include "plugins/shmiop/ends_test_support.hpp"
#include "plugins/shmiop/raw_client_test_support.hpp"
#include "tests/conformance/transport_suite.hpp"

namespace tenon::shmiop {
namespace {

using conformance::Bytes;
using conformance::patience_ms;
using conformance::pattern;
using conformance::receive_all;
using conformance::send_all;
using protocol::Io;
using protocol::Transfer;

/// Gives back what comes, octet by octet, until the end.
void echo(protocol::Transport& transport) {
  Bytes buffer(4096);
  for (;;) {
    const Transfer came = transport.receive(buffer, Deadline::never());
    if (came.result != Io::ok) return;
    if (!send_all(transport, Bytes(buffer.begin(), buffer.begin() + static_cast<std::ptrdiff_t>(came.bytes)),
                  4096))
      return;
  }
}

TEST(Waking, OneForEachDirectionOfACallAtMost) {
  Ends ends;
  std::thread server([&] { echo(*ends.server); });
  constexpr std::uint64_t calls = 500;
  const Bytes message = pattern(100, 1);
  for (std::uint64_t i = 0; i < calls; ++i) {
    ASSERT_TRUE(send_all(*ends.client, message, 100));
    ASSERT_EQ(receive_all(*ends.client, message.size()), message);
  }
  EXPECT_LE(ends.client->counts().wakes, calls);
  ends.client->shut_down();
  server.join();
  EXPECT_LE(ends.server->counts().wakes, calls);
  EXPECT_GT(ends.client->counts().sleeps + ends.server->counts().sleeps, 0u);
  // Nobody polls: at most what came before the server had looked for the first time went over the socket.
  EXPECT_LE(ends.client->counts().rings, 1u);
  EXPECT_EQ(ends.server->counts().rings, 0u);
}

TEST(Waking, NobodyIsWokenWhoDoesNotWait) {
  Ends ends;
  EXPECT_EQ(receive_one(*ends.server, Deadline::after_ms(1)).result, Io::timed_out);
  for (int i = 0; i < 50; ++i) ASSERT_TRUE(send_all(*ends.client, Bytes(10), 10));
  EXPECT_EQ(ends.client->counts().wakes, 0u);
  EXPECT_EQ(ends.client->counts().rings, 0u);
}

TEST(Waking, WhoSpinsSleepsSeldom) {
  cpu_set_t set;
  ASSERT_EQ(::sched_getaffinity(0, sizeof set, &set), 0);
  if (CPU_COUNT(&set) < 2) GTEST_SKIP() << "for two processors";
  Ends ends("4K", "200000");
  std::thread server([&] { echo(*ends.server); });
  for (int i = 0; i < 200; ++i) {
    ASSERT_TRUE(send_all(*ends.client, Bytes(10), 10));
    ASSERT_EQ(receive_all(*ends.client, 10).size(), 10u);
  }
  EXPECT_LT(ends.client->counts().sleeps, 20u);
  ends.client->shut_down();
  server.join();
}

TEST(Waking, AWriterThatWaitsForRoom) {
  Ends ends;
  const Bytes bytes = pattern(200'000, 2);
  std::thread sender([&] { EXPECT_TRUE(send_all(*ends.client, bytes, 100'000)); });
  EXPECT_TRUE(receive_all(*ends.server, bytes.size(), 1000) == bytes);
  sender.join();
}

// --- pollers ---

class Epoll {
 public:
  Epoll(protocol::Transport& transport, std::uint32_t how) : epoll_(::epoll_create1(EPOLL_CLOEXEC)) {
    epoll_event event{};
    event.events = EPOLLIN | EPOLLRDHUP | how;
    fd_ = transport.poll_descriptor().value();
    EXPECT_EQ(::epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, fd_, &event), 0);
  }
  bool wait(int ms) {
    epoll_event event{};
    return ::epoll_wait(epoll_.get(), &event, 1, ms) == 1;
  }
  void pause() { change(EPOLLET); }
  void resume(const protocol::Transport& transport) {
    ASSERT_EQ(transport.poll_descriptor(), fd_);
    change(EPOLLIN | EPOLLRDHUP | EPOLLET);
  }

 private:
  void change(std::uint32_t events) {
    epoll_event event{};
    event.events = events;
    ASSERT_EQ(::epoll_ctl(epoll_.get(), EPOLL_CTL_MOD, fd_, &event), 0);
  }
  net::Descriptor epoll_;
  int fd_ = -1;
};

TEST(Pollers, SeeWhatComesAndNothingElse) {
  for (const std::uint32_t how : {std::uint32_t{0}, std::uint32_t{EPOLLET}}) {
    Ends ends;
    // The beginning of the connection is input, too.
    Epoll epoll(*ends.server, how);
    ASSERT_TRUE(epoll.wait(10'000));
    EXPECT_EQ(receive_one(*ends.server, Deadline::immediately()).result, Io::timed_out);
    for (int i = 0; i < 200; ++i) {
      EXPECT_FALSE(epoll.wait(0)) << i;
      ASSERT_TRUE(send_all(*ends.client, Bytes(20), 20));
      ASSERT_TRUE(epoll.wait(10'000)) << i;
      // A read that gets less than it has room for has got all.
      Bytes buffer(100);
      ASSERT_EQ(ends.server->receive(buffer, Deadline::immediately()).bytes, 20u);
      EXPECT_FALSE(ends.server->may_hold_unseen_bytes());
    }
    ends.client.reset();
    ASSERT_TRUE(epoll.wait(10'000));
    EXPECT_EQ(receive_one(*ends.server, Deadline::immediately()).result, Io::closed);
  }
}

TEST(Pollers, WhatIsNotReadStaysToBeSeen) {
  Ends ends;
  Epoll epoll(*ends.server, 0);
  ASSERT_TRUE(epoll.wait(10'000));
  EXPECT_EQ(receive_one(*ends.server, Deadline::immediately()).result, Io::timed_out);
  ASSERT_TRUE(send_all(*ends.client, Bytes(20), 20));
  for (int i = 0; i < 20; ++i) {
    ASSERT_TRUE(epoll.wait(10'000)) << i;
    EXPECT_EQ(ends.server->may_hold_unseen_bytes(), true);
    ASSERT_EQ(receive_one(*ends.server, Deadline::immediately()).bytes, 1u);
  }
  EXPECT_FALSE(ends.server->may_hold_unseen_bytes());
}

// What was not seen by the thread that received itself is seen by who polls later.
TEST(Pollers, MayComeLater) {
  Ends ends;
  ASSERT_TRUE(send_all(*ends.server, Bytes(3), 3) && receive_one(*ends.client, Deadline::never()).bytes == 1);
  Epoll epoll(*ends.client, EPOLLET);
  EXPECT_TRUE(ends.client->may_hold_unseen_bytes());
  EXPECT_EQ(receive_all(*ends.client, 2).size(), 2u);
  ASSERT_TRUE(send_all(*ends.server, Bytes(3), 3));
  EXPECT_TRUE(epoll.wait(10'000));
}

// A pool's thread stays with a connection for a while, with the poller paused, and gives it back: nothing is overlooked.
TEST(Pollers, TakeTurnsWithAThreadThatStays) {
  Ends ends;
  constexpr std::size_t size = 400'000;
  const Bytes bytes = pattern(size, 3);
  std::thread sender([&] {
    std::minstd_rand random(4);
    for (std::size_t sent = 0; sent < size;) {
      const std::size_t now = std::min<std::size_t>(1 + random() % 300, size - sent);
      const auto from = bytes.begin() + static_cast<std::ptrdiff_t>(sent);
      ASSERT_TRUE(send_all(*ends.client, Bytes(from, from + static_cast<std::ptrdiff_t>(now)), now));
      sent += now;
      if (random() % 8 == 0) std::this_thread::sleep_for(std::chrono::microseconds(random() % 60));
    }
  });
  std::minstd_rand random(5);
  Epoll epoll(*ends.server, EPOLLET);
  Bytes came;
  Bytes buffer(512);
  const auto take = [&](Deadline deadline) {
    const Transfer got = ends.server->receive(buffer, deadline);
    EXPECT_TRUE(got.result == Io::ok || got.result == Io::timed_out);
    came.insert(came.end(), buffer.begin(), buffer.begin() + static_cast<std::ptrdiff_t>(got.bytes));
    return got.result == Io::ok && got.bytes == buffer.size();
  };
  while (came.size() < size && !testing::Test::HasFailure()) {
    ASSERT_TRUE(epoll.wait(20'000)) << "overlooked after " << came.size();
    do {
      while (take(Deadline::immediately())) {}
      if (random() % 4 == 0 && came.size() < size) {
        epoll.pause();
        for (auto i = random() % 5; i > 0 && came.size() < size; --i) take(Deadline::after_ms(1));
        epoll.resume(*ends.server);
      }
    } while (ends.server->may_hold_unseen_bytes());
  }
  sender.join();
  EXPECT_TRUE(came == bytes);
}

TEST(Pollers, AskForRoomWithoutABusyLoop) {
  Ends ends;
  const Bytes bytes(4096);
  ASSERT_TRUE(send_all(*ends.client, bytes, 4096));
  const cdr::Piece piece{bytes.data(), 1};
  const std::int64_t began = steady_now();
  EXPECT_EQ(ends.client->send({&piece, 1}, Deadline::immediately()).result, Io::timed_out);
  EXPECT_GE(steady_now() - began, SharedTransport::no_room_pause_ns);
  EXPECT_EQ(receive_all(*ends.server, 4096).size(), 4096u);
  EXPECT_EQ(ends.client->send({&piece, 1}, Deadline::immediately()).result, Io::ok);
}

// --- peers that are killed ---

/// A process that connects, does something and then waits to be killed.
class Victim {
 public:
  template <typename Work>
  explicit Victim(Work work) : process_(::fork()) {
    if (process_ != 0) return;
    const auto kept = work();
    for (;;) ::pause();
  }
  ~Victim() { kill(); }
  Victim(const Victim&) = delete;
  Victim& operator=(const Victim&) = delete;
  void kill() {
    if (process_ <= 0) return;
    ::kill(process_, SIGKILL);
    ::waitpid(process_, nullptr, 0);
    process_ = -1;
  }

 private:
  pid_t process_;
};

struct KilledPeer : testing::Test {
  KilledPeer() {
    std::string why;
    acceptor = plugin->listen("shmiop://", why);
    EXPECT_TRUE(acceptor) << why;
    address = acceptor->published().front();
    victim = std::make_unique<Victim>([this] {
      auto path = plugin->connect(address, Deadline::after_ms(patience_ms));
      const std::uint8_t octet = 7;
      const cdr::Piece piece{&octet, 1};
      static_cast<void>((*path)->send({&piece, 1}, Deadline::never()));
      return path;
    });
    auto accepted = acceptor->accept();
    EXPECT_TRUE(accepted);
    server = std::move(*accepted);
    server->set_timeouts(patience_ms, patience_ms);
    EXPECT_EQ(receive_one(*server, Deadline::after_ms(patience_ms)).result, Io::ok);
  }
  void kill_soon() {
    killer = std::thread([this] {
      std::this_thread::sleep_for(std::chrono::milliseconds(30));
      victim->kill();
    });
  }

  std::unique_ptr<protocol::TransportPlugin> plugin = make_plugin();
  std::unique_ptr<protocol::Acceptor> acceptor;
  std::string address;
  std::unique_ptr<Victim> victim;
  std::unique_ptr<protocol::Transport> server;
  std::thread killer;
};

TEST_F(KilledPeer, EndsAReceive) {
  kill_soon();
  const std::int64_t began = steady_now();
  EXPECT_EQ(receive_one(*server, Deadline::after_ms(patience_ms)).result, Io::closed);
  EXPECT_LT(steady_now() - began, 5'000'000'000);
  killer.join();
  EXPECT_EQ(receive_one(*server, Deadline::immediately()).result, Io::closed);
  EXPECT_TRUE(server->wait(Deadline::immediately()));
}

TEST_F(KilledPeer, EndsASendThatWaitsForRoom) {
  kill_soon();
  const Bytes bytes(1 << 20);
  const cdr::Piece piece{bytes.data(), bytes.size()};
  Transfer sent;
  do {
    sent = server->send({&piece, 1}, Deadline::after_ms(patience_ms));
  } while (sent.result == Io::ok);
  EXPECT_EQ(sent.result, Io::failed);
  EXPECT_EQ(sent.os_error, EPIPE);
  killer.join();
}

TEST_F(KilledPeer, IsNoticedByWhoOnlySends) {
  victim->kill();
  const std::uint8_t octet = 0;
  const cdr::Piece piece{&octet, 1};
  unsigned sends = 0;
  while (server->send({&piece, 1}, Deadline::never()).result == Io::ok && sends < 1000) ++sends;
  EXPECT_LT(sends, 100u) << "long before the ring is full";
}

TEST_F(KilledPeer, WakesAPoller) {
  Epoll epoll(*server, EPOLLET);
  EXPECT_EQ(receive_one(*server, Deadline::immediately()).result, Io::timed_out);
  while (epoll.wait(0)) EXPECT_EQ(receive_one(*server, Deadline::immediately()).result, Io::timed_out);
  victim->kill();
  ASSERT_TRUE(epoll.wait(10'000));
  EXPECT_EQ(receive_one(*server, Deadline::immediately()).result, Io::closed);
}

std::string names_of_sockets() {
  std::ifstream file("/proc/net/unix");
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(KilledListener, LeavesNothingBehind) {
  int told[2];
  ASSERT_EQ(::pipe(told), 0);
  const std::string name = "@tenon-shmiop-killed-" + std::to_string(::getpid());
  const auto plugin = make_plugin();
  {
    Victim listener([&] {
      std::string why;
      auto acceptor = plugin->listen("shmiop://" + name, why);
      EXPECT_EQ(::write(told[1], "x", 1), 1);
      return acceptor;
    });
    char octet = 0;
    ASSERT_EQ(::read(told[0], &octet, 1), 1);
    EXPECT_NE(names_of_sockets().find(name), std::string::npos);
    std::string why;
    EXPECT_FALSE(plugin->listen("shmiop://" + name, why));
    EXPECT_NE(why.find("'shmiop://" + name + "'"), std::string::npos) << why;
  }
  EXPECT_EQ(names_of_sockets().find(name), std::string::npos);
  std::string why;
  EXPECT_TRUE(plugin->listen("shmiop://" + name, why)) << why;
  ::close(told[0]);
  ::close(told[1]);
}

// --- hostile peers ---

TEST(HostilePeer, WhoseWordsCannotBeIsHungUpOn) {
  for (const std::uint32_t wrong : {least_ring + 1, 0x80000000U, 0xFFFFFFFFU}) {
    RawPair reads;
    reads.greet();
    reads.segment.to_server().control->tail.store(wrong);
    const Transfer got = receive_one(*reads.server, Deadline::after_ms(patience_ms));
    EXPECT_EQ(got.result, Io::failed);
    EXPECT_EQ(got.os_error, EPROTO);
    char end = 0;
    EXPECT_EQ(::recv(reads.client.get(), &end, 1, MSG_DONTWAIT), 0);

    RawPair sends;
    sends.greet();
    sends.segment.to_client().control->head.store(0 - wrong);
    const std::uint8_t octet = 1;
    const cdr::Piece piece{&octet, 1};
    const Transfer sent = sends.server->send({&piece, 1}, Deadline::after_ms(patience_ms));
    EXPECT_EQ(sent.result, Io::failed);
    EXPECT_EQ(sent.os_error, EPROTO);
  }
}

TEST(HostilePeer, StatesThatAreNoneAreIgnored) {
  RawPair pair;
  pair.greet();
  pair.segment.to_client().control->reader.store(77);
  pair.segment.to_server().control->writer.store(0xFFFFFFFF);
  ASSERT_TRUE(send_all(*pair.server, Bytes(10), 10));
  pair.segment.to_server().control->tail.store(10);
  EXPECT_EQ(receive_all(*pair.server, 10).size(), 10u);
  // "It polls", time and again, without ever looking at the socket: this must not block.
  for (int i = 0; i < 4000; ++i) {
    pair.segment.to_client().control->reader.store(polled);
    pair.segment.to_client().control->head.store(static_cast<std::uint32_t>(10 + i));
    ASSERT_TRUE(send_all(*pair.server, Bytes(1), 1));
  }
}

TEST(HostilePeer, WhoKeepsTheReaderAwakeDoesNotKeepItLonger) {
  RawPair pair;
  pair.greet();
  std::atomic<bool> stop{false};
  std::thread peer([&] {
    while (!stop) {
      pair.segment.to_server().control->reader.store(awake);
      wake_on(pair.segment.to_server().control->reader);
    }
  });
  const Deadline soon = Deadline::after_ms(50);
  EXPECT_EQ(receive_one(*pair.server, soon).result, Io::timed_out);
  EXPECT_TRUE(soon.expired());
  EXPECT_LT(steady_now() - soon.ns(), 5'000'000'000);
  stop = true;
  peer.join();
}

// All words at random all the time, from both sides of the server: it ends or goes on, within its deadlines.
TEST(HostilePeer, WritesAnythingAtAnyTime) {
  std::uint32_t ended = 0;
  for (std::uint32_t round = 0; round < 60; ++round) {
    RawPair pair({.spin_us = round % 2 == 0 ? std::nullopt : std::optional(10U), .in_place = round % 5 < 2},
                 round % 5 == 0 ? 1U << 20 : least_ring);
    pair.greet();
    EXPECT_TRUE(round % 3 != 0 || pair.server->poll_descriptor());
    std::atomic<bool> stop{false};
    std::thread peer([&, round] {
      std::minstd_rand random(round + 1);
      Control* const controls[] = {pair.segment.to_server().control, pair.segment.to_client().control};
      while (!stop) {
        Control& control = *controls[random() % 2];
        Word* const words[] = {&control.tail, &control.head, &control.reader, &control.writer,
                               &control.starts};
        Word& word = *words[random() % 5];
        const auto number = static_cast<std::uint32_t>(random());
        word.store(random() % 50 == 0 ? number : number % 3);
        wake_on(word);
      }
    });
    std::thread sender([&] {
      const Bytes bytes(9000);
      const cdr::Piece piece{bytes.data(), bytes.size()};
      const Deadline end = Deadline::after_ms(20);
      while (!end.expired() && pair.server->send({&piece, 1}, end).result == Io::ok) {}
    });
    Bytes buffer(5000);
    const Deadline end = Deadline::after_ms(20);
    Transfer got;
    do {
      got = pair.server->receive(buffer, round % 4 == 0 ? Deadline::immediately() : end);
      ASSERT_LE(got.bytes, buffer.size());
      if (got.result != Io::lent) continue;
      ByteView view;
      got = pair.server->lend(view, end);
      ASSERT_LE(view.size(), std::size_t{1} << 20);
      if (got.result == Io::ok && !view.empty()) pair.server->release(view.size() / 2 + 1);
    } while (!end.expired() && got.result != Io::failed && got.result != Io::closed);
    ended += got.result == Io::failed ? 1 : 0;
    sender.join();
    stop = true;
    peer.join();
  }
  EXPECT_GT(ended, 0u);
}

TEST(HostilePeer, SaysThatItHasClosedAndGoesOn) {
  RawPair pair;
  pair.greet();
  pair.segment.to_server().control->closed.store(1);
  EXPECT_EQ(receive_one(*pair.server, Deadline::never()).result, Io::closed);
  pair.segment.to_server().control->tail.store(1);
  EXPECT_EQ(receive_one(*pair.server, Deadline::never()).result, Io::ok);
  pair.segment.to_client().control->gone.store(1);
  EXPECT_FALSE(send_all(*pair.server, Bytes(1), 1));
}

}  // namespace
}  // namespace tenon::shmiop
