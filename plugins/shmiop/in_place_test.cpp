// SPDX-License-Identifier: Apache-2.0
//
// Large messages that are read where the peer has written them.
#include <poll.h>

#include <fstream>
#include <thread>

#include "plugins/shmiop/ends_test_support.hpp"
#include "plugins/shmiop/raw_client_test_support.hpp"

namespace tenon::shmiop {
namespace {

using conformance::Bytes;
using conformance::patience_ms;
using conformance::pattern;
using conformance::receive_all;
using conformance::send_all;
using protocol::Io;
using protocol::Transfer;

/// Of the memory of rings in this process.
std::size_t mappings() {
  std::ifstream maps("/proc/self/maps");
  std::size_t count = 0;
  for (std::string line; std::getline(maps, line);)
    count += line.find("tenon-shmiop") != std::string::npos ? 1 : 0;
  return count;
}

Bytes lent(SharedTransport& transport, std::size_t least) {
  ByteView view;
  while (view.size() < least) {
    if (transport.lend(view, Deadline::after_ms(patience_ms)).result != Io::ok) break;
  }
  return {view.begin(), view.end()};
}

TEST(InPlace, WhatIsLargerThanTheRoomIsLentAndWhatFitsIsNot) {
  Ends ends("1M");
  Bytes room(5000);
  const Bytes small = pattern(5000, 1);
  const Bytes large = pattern(5001, 2);
  ASSERT_TRUE(send_all(*ends.client, small, 5000));
  EXPECT_EQ(ends.server->receive(room, Deadline::never()).bytes, 5000U);
  ASSERT_TRUE(send_all(*ends.client, large, 5001));
  const Transfer got = ends.server->receive(room, Deadline::never());
  EXPECT_EQ(got.result, Io::lent);
  EXPECT_EQ(got.bytes, 0U);
  EXPECT_EQ(ends.server->lendable(), 1U << 20) << "an empty ring begins at its start";
  EXPECT_EQ(lent(*ends.server, large.size()), large);
  EXPECT_FALSE(ends.server->release(large.size()));
}

TEST(InPlace, OnlyWhereTheUserTrustsItsOwnProcessesAndTheRingIsLarge) {
  for (const bool trusts : {false, true}) {
    RawPair pair({.in_place = trusts}, trusts ? 512U << 10 : 1U << 20);
    pair.greet();
    EXPECT_EQ(pair.server->lends(), trusts);
    std::uint8_t* const data = pair.segment.to_server().data;
    std::fill_n(data, 10'000, std::uint8_t{7});
    pair.segment.to_server().control->tail.store(10'000);
    Bytes room(1000);
    const Transfer got = pair.server->receive(room, Deadline::never());
    EXPECT_EQ(got.result, Io::ok);
    EXPECT_EQ(got.bytes, 1000U);
    EXPECT_EQ(pair.server->lendable(), 0U);
  }
}

// A view and what was kept of one outlive what is written later, and at last the connection.
TEST(InPlace, KeptOctetsBelongToTheirBuffer) {
  const std::size_t before = mappings();
  Buffer kept;
  ByteView view;
  const Bytes first = pattern(600'000, 3);
  {
    Ends ends("1M");
    std::thread sender([&] { EXPECT_TRUE(send_all(*ends.client, first, first.size())); });
    while (view.size() < first.size())
      ASSERT_EQ(ends.server->lend(view, Deadline::after_ms(patience_ms)).result, Io::ok);
    sender.join();
    kept = ends.server->keep(first.size());
    ASSERT_TRUE(kept);
    EXPECT_LE(kept.data(), view.data());
    EXPECT_GE(kept.data() + kept.capacity(), view.data() + view.size());
    EXPECT_EQ(ends.server->lendable(), 0U) << "once only";
    for (unsigned round = 0; round < 5; ++round) {
      const Bytes next = pattern(900'000, 10 + round);
      std::thread again([&] { EXPECT_TRUE(send_all(*ends.client, next, next.size())); });
      EXPECT_TRUE(receive_all(*ends.server, next.size()) == next);
      again.join();
    }
    EXPECT_TRUE(std::equal(view.begin(), view.end(), first.begin(), first.end()));
  }
  EXPECT_TRUE(std::equal(view.begin(), view.end(), first.begin(), first.end()));
  EXPECT_EQ(mappings(), before);
}

TEST(InPlace, APollerIsToldOfWhatComesBehindALentMessage) {
  Ends ends("1M");
  const auto descriptor = ends.server->poll_descriptor();
  ASSERT_TRUE(descriptor);
  const auto polls = [&] {
    pollfd one{*descriptor, POLLIN, 0};
    return ::poll(&one, 1, 0) == 1;
  };
  ASSERT_TRUE(send_all(*ends.client, pattern(20'000, 1), 20'000));
  ByteView view;
  ASSERT_EQ(ends.server->lend(view, Deadline::immediately()).result, Io::ok);
  ASSERT_EQ(view.size(), 20'000U);
  EXPECT_FALSE(polls());
  ASSERT_TRUE(send_all(*ends.client, pattern(10, 2), 10));
  EXPECT_TRUE(polls());
  EXPECT_TRUE(ends.server->release(20'000)) << "and so does the receiver itself";
  EXPECT_EQ(receive_all(*ends.server, 10), pattern(10, 2));
  EXPECT_EQ(receive_one(*ends.server, Deadline::immediately()).result, Io::timed_out);
  EXPECT_FALSE(polls());
}

TEST(HostilePeer, WhoTakesBackWhatWasShownIsHungUpOn) {
  RawPair pair({.in_place = true}, 1U << 20);
  pair.greet();
  Control& control = *pair.segment.to_server().control;
  control.tail.store(20'000);
  ByteView view;
  ASSERT_EQ(pair.server->lend(view, Deadline::immediately()).result, Io::ok);
  ASSERT_EQ(view.size(), 20'000U);
  control.tail.store(10'000);
  const Transfer got = pair.server->lend(view, Deadline::immediately());
  EXPECT_EQ(got.result, Io::failed);
  EXPECT_EQ(got.os_error, EPROTO);
}

}  // namespace
}  // namespace tenon::shmiop
