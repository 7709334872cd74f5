// SPDX-License-Identifier: Apache-2.0
//
// Oneways that a connection buffers, when its peer is a script: which of them are sent when, in which order, and what becomes of them when
// the peer does not read or is gone.
#include <gtest/gtest.h>

#include <thread>

#include "base/minor_codes.hpp"
#include "scripted_transport_test_support.hpp"
#include "serving_connection.hpp"

namespace tenon::giop {
namespace {

using protocol::Buffering;
using protocol::Sync;

constexpr std::uint8_t buffered_key[] = {'k'};
const protocol::Target buffered_target{.object_key = buffered_key};

/// Takes note of what it is asked for; the test lets time go by.
class NotedClock final : public protocol::ConnectionClock {
 public:
  bool remind(protocol::Connection&, Deadline when) noexcept override {
    reminders.push_back(when);
    return has_thread;
  }
  void count_lost(std::size_t oneways) noexcept override { lost += oneways; }
  std::vector<Deadline> reminders;
  std::size_t lost = 0;
  bool has_thread = true;
};

class BufferedTest : public testing::Test {
 protected:
  BufferedTest() {
    options.clock = &clock;
    auto transport = std::make_unique<Script>();
    script = transport.get();
    connection = make_ref<AttendedConnection>(std::move(transport), protocol::Role::originator, options);
  }

  /// A oneway with one number and `more` octets.
  Status post(std::int32_t number, const Buffering& buffering, Sync sync = Sync::none, std::size_t more = 0,
              Deadline deadline = Deadline::never()) {
    const protocol::CallSpec spec{.operation = "note",
                                  .response_expected = false,
                                  .sync = sync,
                                  .deadline = deadline,
                                  .buffering = buffering};
    protocol::OutgoingCall call(spec);
    const Status begun = connection->begin(call, buffered_target);
    if (!begun) return begun;
    call.arguments->put(number);
    const Octets block(more, 0x55);
    call.arguments->put_octets(block);
    const Status posted = connection->post(call);
    connection->end(call);
    return posted;
  }
  /// The number in the next message that was sent.
  std::int32_t next() {
    const Octets message = script->next_sent();
    if (message.size() < 4) return -1;
    std::size_t at =
        header_size + 4;  // behind the request id, anywhere: "note" ends with a NUL, then aligned to 8
    while (at + 5 <= message.size() && std::memcmp(message.data() + at, "note", 5) != 0) ++at;
    at += 5 + 4;  // the count of service contexts
    at = (at + 7) / 8 * 8;
    return at + 4 <= message.size() ? load<std::int32_t>(message.data() + at, false) : -1;
  }
  std::size_t sent() { return script->sent_octets(); }

  NotedClock clock;
  protocol::MessagingOptions options;
  Script* script = nullptr;
  Ref<Connection> connection;
};

constexpr Buffering any_time{.time_ns = 0, .messages = 0, .octets = 64 * 1024};

TEST_F(BufferedTest, TheCountSaysWhenTheyGo) {
  const Buffering three{.time_ns = 0, .messages = 3, .octets = 64 * 1024};
  for (std::int32_t i = 1; i <= 2; ++i) EXPECT_TRUE(post(i, three));
  EXPECT_EQ(sent(), 0u);
  EXPECT_TRUE(post(3, three));
  EXPECT_EQ(script->sends(), 1u);
  for (std::int32_t i = 1; i <= 3; ++i) EXPECT_EQ(next(), i);
  EXPECT_EQ(sent(), 0u);
  EXPECT_TRUE(clock.reminders.empty());
}

TEST_F(BufferedTest, TheSizeSaysWhenTheyGo) {
  const Buffering little{.time_ns = 0, .messages = 0, .octets = 3000};
  EXPECT_TRUE(post(1, little, Sync::none, 1000));
  EXPECT_TRUE(post(2, little, Sync::none, 1000));
  EXPECT_EQ(sent(), 0u);
  EXPECT_TRUE(post(3, little, Sync::none, 1000));
  for (std::int32_t i = 1; i <= 3; ++i) EXPECT_EQ(next(), i);
  // A oneway that is too large to be buffered is sent at once, after those that are buffered.
  EXPECT_TRUE(post(4, little));
  EXPECT_TRUE(post(5, little, Sync::none, 10000));
  EXPECT_EQ(next(), 4);
  EXPECT_EQ(next(), 5);
  EXPECT_EQ(script->sends(), 2u);
}

TEST_F(BufferedTest, OtherOnewaysTakeThemAlong) {
  EXPECT_TRUE(post(1, any_time));
  EXPECT_TRUE(post(2, any_time, Sync::with_transport));
  EXPECT_EQ(next(), 1);
  EXPECT_EQ(next(), 2);
  // Without limits nothing is buffered.
  EXPECT_TRUE(post(3, {}));
  EXPECT_EQ(next(), 3);
}

TEST_F(BufferedTest, TheTimeSaysWhenTheyGo) {
  const Buffering hour{.time_ns = 3'600'000'000'000, .messages = 0, .octets = 64 * 1024};
  const Buffering at_once{.time_ns = 1, .messages = 0, .octets = 64 * 1024};
  EXPECT_TRUE(post(1, hour));
  EXPECT_TRUE(post(2, hour));
  ASSERT_EQ(clock.reminders.size(), 1u);
  connection->reminded();
  EXPECT_EQ(sent(), 0u);
  ASSERT_EQ(clock.reminders.size(), 2u);
  EXPECT_EQ(clock.reminders[0], clock.reminders[1]);
  // A oneway that may wait less long makes the others go earlier, too.
  EXPECT_TRUE(post(3, at_once));
  ASSERT_EQ(clock.reminders.size(), 3u);
  EXPECT_LT(clock.reminders[2], clock.reminders[1]);
  connection->reminded();
  for (std::int32_t i = 1; i <= 3; ++i) EXPECT_EQ(next(), i);
  EXPECT_EQ(clock.reminders.size(), 3u);
  connection->reminded();
  EXPECT_EQ(clock.reminders.size(), 3u);
}

TEST_F(BufferedTest, WithoutAClockTheyGoAtOnce) {
  clock.has_thread = false;
  EXPECT_TRUE(post(1, {.time_ns = 1000, .messages = 0, .octets = 1024}));
  EXPECT_EQ(next(), 1);
}

TEST_F(BufferedTest, APeerThatDoesNotReadStopsTheCaller) {
  const Buffering three{.time_ns = 1, .messages = 3, .octets = 64 * 1024};
  EXPECT_TRUE(post(1, three));
  EXPECT_TRUE(post(2, three));
  script->stick(true);
  const Status late = post(3, three, Sync::none, 0, Deadline::after_ms(20));
  EXPECT_EQ(late.error(), errors::send_timed_out);
  EXPECT_EQ(connection->flush(Deadline::after_ms(20)).error(), errors::send_timed_out);
  // The clock's thread does not wait, and comes again.
  const std::size_t before = clock.reminders.size();
  connection->reminded();
  EXPECT_EQ(clock.reminders.size(), before + 1);
  script->stick(false);
  EXPECT_TRUE(connection->flush(Deadline::never()));
  EXPECT_EQ(next(), 1);
  EXPECT_EQ(next(), 2);
  EXPECT_EQ(sent(), 0u);
  EXPECT_EQ(clock.lost, 0u);
}

TEST_F(BufferedTest, WhatIsLostIsCounted) {
  EXPECT_TRUE(post(1, any_time));
  EXPECT_TRUE(post(2, any_time));
  connection->abort();
  EXPECT_EQ(clock.lost, 2u);
  EXPECT_FALSE(post(3, any_time));
  EXPECT_TRUE(connection->flush(Deadline::never()));
  EXPECT_EQ(clock.lost, 2u);
}

// A message that was sent as a whole is not lost; one of which only a part was sent is.
TEST(BufferedMessages, CountThoseThatHaveNotGone) {
  BufferedMessages buffered;
  const auto add = [&](std::size_t size) {
    cdr::Writer message({.giop_minor = 2});
    begin_message(message, MessageType::request);
    message.put_octets(Octets(size - header_size));
    finish_message(message);
    EXPECT_TRUE(buffered.add(message, 1 << 20));
  };
  add(20);
  add(100'000);
  add(50);
  EXPECT_EQ(buffered.count(), 3u);
  buffered.sent(19);
  EXPECT_EQ(buffered.count(), 3u);
  buffered.sent(1);
  EXPECT_EQ(buffered.count(), 2u);
  add(200'000);  // moves what is left
  buffered.sent(100'049);
  EXPECT_EQ(buffered.count(), 2u);
  buffered.sent(2);
  EXPECT_EQ(buffered.count(), 1u);
  add(12);
  EXPECT_EQ(buffered.count(), 2u);
  buffered.sent(199'999);
  EXPECT_EQ(buffered.count(), 1u);
  buffered.sent(12);
  EXPECT_EQ(buffered.count(), 0u);
  EXPECT_TRUE(buffered.empty());
  add(30);
  buffered.sent(7);
  EXPECT_EQ(buffered.drop(), 1u);
}

TEST_F(BufferedTest, ABrokenConnectionIsNoticedBySending) {
  EXPECT_TRUE(post(1, any_time));
  script->shut_down();
  EXPECT_EQ(connection->flush(Deadline::never()).error(), errors::connection_lost);
  EXPECT_EQ(clock.lost, 1u);
  EXPECT_FALSE(connection->usable());
}

TEST_F(BufferedTest, ClosingSendsThem) {
  EXPECT_TRUE(post(1, any_time));
  connection->close();
  EXPECT_EQ(next(), 1);
  EXPECT_EQ(clock.lost, 0u);
}

// A buffered oneway is either sent or counted as lost, whichever thread is quicker.
TEST_F(BufferedTest, EndingWhileOthersKeep) {
  std::size_t kept = 0;
  std::thread caller([&] {
    while (post(1, any_time)) ++kept;
  });
  (void)connection->flush(Deadline::never());
  connection->abort();
  caller.join();
  std::size_t sent_ones = 0;
  while (sent() != 0) {
    ASSERT_EQ(next(), 1);
    ++sent_ones;
  }
  EXPECT_EQ(sent_ones + clock.lost, kept);
}

}  // namespace
}  // namespace tenon::giop
