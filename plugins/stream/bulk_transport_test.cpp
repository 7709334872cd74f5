// SPDX-License-Identifier: Apache-2.0
//
// When a receiver looks again instead of sleeping: a thread that looks makes no voluntary context switch.
#include "plugins/stream/bulk_transport.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/socket.h>

#include <thread>
#include <vector>

namespace tenon::stream {
namespace {

constexpr std::size_t large_part = 48 * 1024;
constexpr std::int64_t minute_ns = 60'000'000'000;

long times_asleep() {
  rusage usage{};
  EXPECT_EQ(::getrusage(RUSAGE_THREAD, &usage), 0);
  return usage.ru_nvcsw;
}

class BulkTransportTest : public testing::Test {
 protected:
  BulkTransportTest() {
    int ends[2] = {-1, -1};
    EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
    transport_ = std::make_unique<BulkTransport>(net::Descriptor(ends[0]), "the test");
    peer_.reset(ends[1]);
    net::thread_spin_ns = minute_ns;  // so that a look ends only by what it waits for
  }
  ~BulkTransportTest() override { net::thread_spin_ns = -1; }

  void send(std::size_t octets) const {
    const std::vector<std::uint8_t> message(octets, 0x5a);
    EXPECT_EQ(::send(peer_.get(), message.data(), octets, 0), static_cast<ssize_t>(octets));
  }
  protocol::Transfer receive(std::size_t room, Deadline deadline = Deadline::after_ms(20000)) {
    room_.resize(room);
    return transport_->receive(room_, deadline);
  }
  /// Whether the thread slept until the deadline: nothing comes.
  bool sleeps(std::size_t room) {
    const long before = times_asleep();
    EXPECT_EQ(receive(room, Deadline::after_ms(30)).result, protocol::Io::timed_out);
    return times_asleep() != before;
  }

  std::unique_ptr<BulkTransport> transport_;
  net::Descriptor peer_;
  std::vector<std::uint8_t> room_;
};

TEST_F(BulkTransportTest, LooksWithinALargeMessage) {
  send(1000);
  EXPECT_EQ(receive(64 * 1024).bytes, 1000U);
  EXPECT_FALSE(sleeps(127 * 1024));
}

TEST_F(BulkTransportTest, LooksBehindALargeMessage) {
  send(large_part);
  EXPECT_EQ(receive(64 * 1024).bytes, large_part);
  EXPECT_FALSE(sleeps(64 * 1024));
}

TEST_F(BulkTransportTest, SleepsWhereSmallMessagesCome) {
  EXPECT_TRUE(sleeps(Buffer::small));
  EXPECT_TRUE(sleeps(64 * 1024));
  send(1000);
  EXPECT_EQ(receive(64 * 1024).bytes, 1000U);
  EXPECT_TRUE(sleeps(64 * 1024));
}

TEST_F(BulkTransportTest, SleepsWhereRoomForSmallMessagesIsLeft) {
  send(large_part);
  EXPECT_EQ(receive(64 * 1024).bytes, large_part);
  EXPECT_TRUE(sleeps(Buffer::small));
}

TEST_F(BulkTransportTest, SleepsAgainBehindASmallOne) {
  send(large_part);
  EXPECT_EQ(receive(64 * 1024).bytes, large_part);
  send(1000);
  EXPECT_EQ(receive(64 * 1024).bytes, 1000U);
  EXPECT_TRUE(sleeps(64 * 1024));
}

TEST_F(BulkTransportTest, FindsWhatAnotherThreadSends) {
  send(large_part);
  EXPECT_EQ(receive(64 * 1024).bytes, large_part);
  std::thread sender([this] { send(7); });
  EXPECT_EQ(receive(64 * 1024).bytes, 7U);
  sender.join();
}

TEST_F(BulkTransportTest, SeesTheEndWhileItLooks) {
  send(large_part);
  EXPECT_EQ(receive(64 * 1024).bytes, large_part);
  peer_.reset();
  EXPECT_EQ(receive(127 * 1024).result, protocol::Io::closed);
}

TEST_F(BulkTransportTest, IsShutDownWhileItLooks) {
  std::thread other([this] { transport_->shut_down(); });
  EXPECT_NE(receive(127 * 1024).result, protocol::Io::timed_out);
  other.join();
}

TEST_F(BulkTransportTest, AnImmediateDeadlineNeverWaits) {
  EXPECT_EQ(receive(127 * 1024, Deadline::immediately()).result, protocol::Io::timed_out);
}

TEST_F(BulkTransportTest, ASpinOfNothingIsNone) {
  net::thread_spin_ns = 0;
  EXPECT_TRUE(sleeps(127 * 1024));
}

}  // namespace
}  // namespace tenon::stream
