// SPDX-License-Identifier: Apache-2.0
//
// One direction of a connection inside a process: what is kept and what is lent, who waits for whom, and what a poller sees.
#include "plugins/inproc/channel.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/epoll.h>

#include <algorithm>
#include <atomic>
#include <random>
#include <thread>
#include <vector>

#include "tests/conformance/transport_suite.hpp"

namespace tenon::inproc {
namespace {

using conformance::Bytes;
using conformance::pattern;
using protocol::Io;
using protocol::Transfer;

constexpr std::size_t most = 1000;

Transfer send(Channel& channel, ByteView octets, Deadline deadline = Deadline::never()) {
  const cdr::Piece piece{octets.data(), octets.size()};
  return channel.send({&piece, 1}, deadline, 0);
}

Bytes receive(Channel& channel, std::size_t room, Deadline deadline = Deadline::immediately()) {
  Bytes into(room);
  const Transfer came = channel.receive(into, deadline, 0);
  EXPECT_TRUE(came.bytes == 0 || came.result == Io::ok);
  into.resize(came.bytes);
  return into;
}

Io end_of(Channel& channel) {
  std::uint8_t octet = 0;
  return channel.receive({&octet, 1}, Deadline::immediately(), 0).result;
}

bool readable(int descriptor, int within_ms = 0) {
  pollfd watched{descriptor, POLLIN, 0};
  return ::poll(&watched, 1, within_ms) == 1;
}

ByteView part_of(const Bytes& whole, std::size_t from, std::size_t octets) {
  return ByteView(whole).subspan(from, octets);
}

Bytes copy_of(ByteView octets) { return {octets.begin(), octets.end()}; }

TEST(Channel, KeepsWhatFitsAndItsSenderNeedNotWait) {
  Channel channel(most, {});
  const Bytes octets = pattern(most, 1);
  EXPECT_FALSE(channel.has_input());
  EXPECT_EQ(send(channel, part_of(octets, 0, 600)).bytes, 600u);
  EXPECT_EQ(send(channel, part_of(octets, 600, 400)).bytes, 400u);
  EXPECT_TRUE(channel.has_input());
  EXPECT_EQ(receive(channel, 2 * most), octets) << "all at once";
  EXPECT_FALSE(channel.has_input());
  EXPECT_EQ(end_of(channel), Io::timed_out);
}

TEST(Channel, NothingIsSentByNothing) {
  Channel channel(most, {});
  EXPECT_EQ(channel.send({}, Deadline::never(), 0).result, Io::ok);
  EXPECT_FALSE(channel.has_input());
}

// A send that returns has nothing more to do with its octets, so they may change then, and not before.
TEST(Channel, AMessageThatIsLargeIsLentUntilItHasBeenTaken) {
  Channel channel(most, {});
  const Bytes large = pattern(50 * most, 2);
  std::atomic<bool> sent{false};
  std::thread sender([&] {
    Bytes lent = large;
    EXPECT_EQ(send(channel, lent).bytes, lent.size());
    sent = true;
    std::fill(lent.begin(), lent.end(), std::uint8_t{0});
  });
  Bytes came;
  while (came.size() < large.size()) {
    EXPECT_FALSE(sent);
    const Bytes some = receive(channel, 7 * most + 1, Deadline::never());
    EXPECT_FALSE(some.empty());
    came.insert(came.end(), some.begin(), some.end());
  }
  sender.join();
  EXPECT_TRUE(came == large);
}

// What is kept comes first.
TEST(Channel, WhatIsLentComesBehindWhatIsKept) {
  Channel channel(most, {});
  const Bytes all = pattern(5 * most, 3);
  EXPECT_EQ(send(channel, part_of(all, 0, 900)).bytes, 900u);
  std::thread sender([&] { EXPECT_EQ(send(channel, part_of(all, 900, 4100)).bytes, 4100u); });
  Bytes came;
  while (came.size() < all.size()) {
    const Bytes some = receive(channel, 333, Deadline::never());
    came.insert(came.end(), some.begin(), some.end());
  }
  sender.join();
  EXPECT_TRUE(came == all);
}

TEST(Channel, ATimeOutLeavesWhatThereIsRoomFor) {
  Channel channel(most, {});
  const Bytes large = pattern(3 * most, 4);
  const Transfer first = send(channel, large, Deadline::after_ms(5));
  EXPECT_EQ(first.result, Io::ok);
  EXPECT_EQ(first.bytes, most);
  const Transfer second = send(channel, large, Deadline::after_ms(5));
  EXPECT_EQ(second.result, Io::timed_out);
  EXPECT_EQ(second.bytes, 0u);
  EXPECT_TRUE(receive(channel, 9 * most) == copy_of(part_of(large, 0, most)));
  EXPECT_FALSE(channel.has_input());
  const std::uint32_t usual_ms = 5;
  const cdr::Piece piece{large.data(), large.size()};
  EXPECT_EQ(channel.send({&piece, 1}, Deadline::never(), usual_ms).bytes, most);
  EXPECT_EQ(channel.send({&piece, 1}, Deadline::never(), usual_ms).result, Io::timed_out);
}

TEST(Channel, ASendThatIsToldNotToWaitLeavesWhatThereIsRoomFor) {
  Channel channel(most, {});
  const Bytes large = pattern(3 * most, 5);
  EXPECT_EQ(send(channel, large, Deadline::immediately()).bytes, most);
  EXPECT_EQ(send(channel, large, Deadline::immediately()).result, Io::timed_out);
  EXPECT_EQ(receive(channel, 600).size(), 600u);
  EXPECT_EQ(send(channel, part_of(large, most, 2 * most), Deadline::immediately()).bytes, 600u);
  EXPECT_TRUE(receive(channel, 9 * most) == copy_of(part_of(large, 600, most)));
}

TEST(Channel, AnEndWakesBothSides) {
  for (const bool of_sender : {true, false}) {
    Channel channel(most, {});
    const Bytes large = pattern(3 * most, 6);
    Transfer sent;
    std::thread sender([&] { sent = send(channel, large); });
    while (!channel.has_input()) std::this_thread::yield();
    of_sender ? channel.end_sending() : channel.end_receiving();
    sender.join();
    EXPECT_EQ(sent.result, Io::failed);
    EXPECT_NE(sent.os_error, 0);
    EXPECT_EQ(end_of(channel), of_sender ? Io::closed : Io::failed);
    EXPECT_EQ(send(channel, {large.data(), 1}).result, Io::failed);
    EXPECT_TRUE(channel.wait(Deadline::immediately(), 0));
  }
  Channel channel(most, {});
  Io received = Io::ok;
  std::thread receiver([&] {
    std::uint8_t octet = 0;
    received = channel.receive({&octet, 1}, Deadline::never(), 0).result;
  });
  channel.end_sending();
  receiver.join();
  EXPECT_EQ(received, Io::closed);
}

// While its sender may still hold the other end for long.
TEST(Channel, AReceiverThatGoesLeavesNothingOpen) {
  Channel channel(most, {});
  EXPECT_EQ(send(channel, pattern(10, 12)).bytes, 10u);
  const int descriptor = channel.descriptor();
  ASSERT_GE(::fcntl(descriptor, F_GETFD), 0);
  channel.end_receiving();
  channel.let_go();
  EXPECT_LT(::fcntl(descriptor, F_GETFD), 0);
  EXPECT_EQ(send(channel, pattern(10, 12)).result, Io::failed);
  channel.end_sending();
}

TEST(Channel, WhatIsKeptComesBeforeTheEnd) {
  Channel channel(most, {});
  const Bytes octets = pattern(10, 7);
  EXPECT_EQ(send(channel, octets).bytes, 10u);
  channel.end_sending();
  EXPECT_EQ(receive(channel, 6), copy_of(part_of(octets, 0, 6)));
  EXPECT_EQ(receive(channel, 6), copy_of(part_of(octets, 6, 4)));
  EXPECT_EQ(end_of(channel), Io::closed);
}

TEST(Channel, APollerSeesInputAndTheEnd) {
  Channel channel(most, {});
  const Bytes octets = pattern(100, 8);
  EXPECT_EQ(send(channel, octets).bytes, 100u);
  const int descriptor = channel.descriptor();
  ASSERT_GE(descriptor, 0);
  EXPECT_EQ(channel.descriptor(), descriptor);
  EXPECT_TRUE(readable(descriptor)) << "what came before it was asked for";
  EXPECT_EQ(receive(channel, 60).size(), 60u);
  EXPECT_TRUE(readable(descriptor));
  EXPECT_EQ(receive(channel, 60).size(), 40u);
  EXPECT_FALSE(readable(descriptor));
  EXPECT_EQ(send(channel, octets).bytes, 100u);
  EXPECT_TRUE(readable(descriptor));
  EXPECT_EQ(receive(channel, 100).size(), 100u);
  // A message that is lent, as long as it is.
  std::thread sender([&] { EXPECT_EQ(send(channel, pattern(5 * most, 9)).bytes, 5 * most); });
  EXPECT_TRUE(readable(descriptor, 20000));
  EXPECT_EQ(receive(channel, 5 * most - 1).size(), 5 * most - 1);
  EXPECT_TRUE(readable(descriptor));
  EXPECT_EQ(receive(channel, 5).size(), 1u);
  sender.join();
  EXPECT_FALSE(readable(descriptor));
  channel.end_sending();
  EXPECT_TRUE(readable(descriptor));
  EXPECT_EQ(end_of(channel), Io::closed);
  EXPECT_TRUE(readable(descriptor)) << "for good";
}

// As with a socket, each change is told to one that watches for changes.
TEST(Channel, AnEdgeTriggeredPollerSeesTheEndBehindTheInput) {
  Channel channel(most, {});
  const net::Descriptor poller(::epoll_create1(EPOLL_CLOEXEC));
  epoll_event watched{.events = EPOLLIN | EPOLLET, .data = {}};
  ASSERT_EQ(::epoll_ctl(poller.get(), EPOLL_CTL_ADD, channel.descriptor(), &watched), 0);
  const auto told = [&] {
    epoll_event event{};
    return ::epoll_wait(poller.get(), &event, 1, 0) == 1;
  };
  EXPECT_FALSE(told());
  EXPECT_EQ(send(channel, pattern(10, 11)).bytes, 10u);
  EXPECT_TRUE(told());
  channel.end_sending();
  EXPECT_EQ(receive(channel, 60).size(), 10u);
  EXPECT_TRUE(told());
  EXPECT_EQ(end_of(channel), Io::closed);
}

// A thread that only waits leaves the input to a poller.
TEST(Channel, APollerSeesWhatAnotherThreadHasWaitedFor) {
  Channel channel(most, {});
  const int descriptor = channel.descriptor();
  std::atomic<bool> waits{false};
  std::thread waiter([&] {
    waits = true;
    EXPECT_TRUE(channel.wait(Deadline::never(), 0));
  });
  while (!waits) std::this_thread::yield();
  EXPECT_EQ(send(channel, pattern(10, 10)).bytes, 10u);
  waiter.join();
  EXPECT_TRUE(readable(descriptor));
}

/// All that comes, by a thread that polls and never waits otherwise, as those of a pool do: edges are enough for it.
Bytes receive_by_polling(Channel& channel, int descriptor, std::size_t room) {
  Bytes came;
  for (;;) {
    pollfd watched{descriptor, POLLIN, 0};
    EXPECT_EQ(::poll(&watched, 1, 20000), 1);
    for (;;) {
      Bytes into(room);
      const Transfer some = channel.receive(into, Deadline::immediately(), 0);
      if (some.result == Io::closed) return came;
      EXPECT_NE(some.result, Io::failed);
      came.insert(came.end(), into.begin(), into.begin() + static_cast<std::ptrdiff_t>(some.bytes));
      if (some.bytes < into.size()) break;
    }
  }
}

// Messages of all sizes around what is kept, received in pieces of all sizes.
TEST(Channel, CarriesEverythingInOrder) {
  const Bytes all = pattern(300'000, 11);
  for (std::uint32_t seed = 1; seed <= 20; ++seed) {
    Channel channel(most, seed % 3 == 0 ? std::optional<std::uint32_t>(20) : std::nullopt);
    const int descriptor = seed % 2 == 0 ? channel.descriptor() : -1;
    std::thread sender([&] {
      std::minstd_rand chance(seed);
      std::size_t sent = 0;
      while (sent < all.size()) {
        const std::size_t size =
            std::min<std::size_t>(1 + chance() % (chance() % 4 == 0 ? 3 * most : 200), all.size() - sent);
        const bool now = chance() % 5 == 0;
        sent +=
            send(channel, part_of(all, sent, size), now ? Deadline::immediately() : Deadline::never()).bytes;
      }
      channel.end_sending();
    });
    Bytes came;
    if (descriptor >= 0) {
      came = receive_by_polling(channel, descriptor, 100 * seed);
    } else {
      std::minstd_rand chance(seed + 100);
      for (;;) {
        const Bytes some = receive(channel, 1 + chance() % (2 * most), Deadline::never());
        if (some.empty()) break;
        came.insert(came.end(), some.begin(), some.end());
      }
    }
    sender.join();
    EXPECT_TRUE(came == all) << seed;
  }
}

}  // namespace
}  // namespace tenon::inproc
