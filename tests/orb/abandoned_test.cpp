// SPDX-License-Identifier: Apache-2.0
//
// Calls that give up waiting leave requests behind with which the server may be busy for long: the calls that follow do not wait behind
// them, whatever way the server serves.
#include <algorithm>
#include <atomic>
#include <optional>
#include <thread>

#include <tenon/timeout.hpp>

#include "base/log.hpp"
#include "base/minor_codes.hpp"
#include "orb/client/async_call.hpp"
#include "tests/orb/raw_peer.hpp"
#include "tests/orb/world.hpp"

namespace tenon::suite {
namespace {

using namespace std::chrono_literals;

using Abandoned = World;
INSTANTIATE_TEST_SUITE_P(All, Abandoned, ::testing::ValuesIn(remote_cases()),
                         [](const auto& each) { return name_of(each.param); });

std::string out_of_time() { return text_of(errors::reply_timed_out.with(Completion::maybe)); }

/// add() without waiting, and what came of it.
class AddCall final : public orb::AsyncCall {
 public:
  AddCall(const TestRef& test, const char* operation, Deadline deadline)
      : AsyncCall(test->_reference(), orb::CallSpec{.operation = operation, .deadline = deadline}) {}
  std::atomic<bool> over{false};
  std::atomic<bool> good{false};

 private:
  void put(cdr::Writer& into) noexcept override {
    into.put(std::int32_t{1});
    into.put(std::int32_t{2});
  }
  void finished(const Status& outcome, protocol::ReplyStatus, cdr::Reader*) noexcept override {
    good = static_cast<bool>(outcome);
    over = true;
  }
};

TEST_P(Abandoned, NextCallsGoOverAnotherConnection) {
  {
    const TimeoutScope brief(100ms);
    EXPECT_EQ(outcome_of([&] { pair->test->hold(1); }), out_of_time());
  }
  // The servant still holds that one.
  const TimeoutScope enough(20s);
  for (int i = 0; i < 8; ++i) EXPECT_EQ(outcome_of([&] { pair->test->add(i, 1); }), "");
  pair->servant->gate.open();
}

TEST_P(Abandoned, NotCountedAgainstTheLimit) {
  const Pair one(GetParam(), {}, {"-ORBConnectionsPerEndpoint", "1"});
  for (int i = 0; i < 3; ++i) {
    const TimeoutScope brief(50ms);
    EXPECT_EQ(outcome_of([&] { one.test->hold(i); }), out_of_time());
  }
  const TimeoutScope enough(20s);
  EXPECT_EQ(outcome_of([&] { one.test->add(1, 2); }), "");
  one.servant->gate.open(3);
}

TEST_P(Abandoned, SharedConnectionsKeepTheirCalls) {
  const Pair one(GetParam(), {"-ORBPoolThreads", "6"}, {"-ORBConnectionsPerEndpoint", "1"});
  std::thread patient([&] {
    const TimeoutScope enough(50s);
    EXPECT_EQ(outcome_of([&] { one.test->hold(1); }), "");
  });
  ASSERT_TRUE(one.servant->gate.wait_for_waiters(1));
  {
    const TimeoutScope brief(50ms);
    EXPECT_EQ(outcome_of([&] { one.test->hold(2); }), out_of_time());
  }
  const TimeoutScope enough(20s);
  EXPECT_EQ(outcome_of([&] { one.test->add(1, 2); }), "");
  one.servant->gate.open(2);
  patient.join();
}

TEST_P(Abandoned, AsynchronousCallsBehindOneThatTakesLong) {
  auto slow = make_ref<AddCall>(pair->test, "hold", Deadline::after_ms(60'000));
  ASSERT_TRUE(slow->start());
  ASSERT_TRUE(pair->servant->gate.wait_for_waiters(1));
  std::vector<Ref<AddCall>> quick;
  for (int i = 0; i < 30; ++i) {
    quick.push_back(make_ref<AddCall>(pair->test, "add", Deadline::after_ms(20'000)));
    ASSERT_TRUE(quick.back()->start());
  }
  EXPECT_TRUE(
      eventually([&] { return std::ranges::all_of(quick, [](const auto& each) { return +each->over; }); }));
  for (const auto& each : quick) EXPECT_TRUE(each->good);
  EXPECT_FALSE(slow->over);
  pair->servant->gate.open();
  EXPECT_TRUE(eventually([&] { return +slow->over; }));
}

TEST_P(Abandoned, AsynchronousCallsBehindOneThatWasCancelled) {
  const Pair one(GetParam(), {}, {"-ORBConnectionsPerEndpoint", "1"});
  auto slow = make_ref<AddCall>(one.test, "hold", Deadline::after_ms(60'000));
  ASSERT_TRUE(slow->start());
  ASSERT_TRUE(one.servant->gate.wait_for_waiters(1));
  slow->cancel();
  ASSERT_TRUE(eventually([&] { return +slow->over; }));
  auto quick = make_ref<AddCall>(one.test, "add", Deadline::after_ms(20'000));
  ASSERT_TRUE(quick->start());
  EXPECT_TRUE(eventually([&] { return +quick->over; }));
  EXPECT_TRUE(quick->good);
  one.servant->gate.open();
}

TEST_P(Abandoned, UsedAgainWhenTheReplyHasCome) {
  if (GetParam().protocol != "iiop") GTEST_SKIP() << "what happens does not depend on the transport";
  const LogLines lines(LogLevel::debug);
  const auto accepted = [&] { return lines.count("accepted a connection"); };
  const Pair one(GetParam(), {}, {"-ORBConnectionsPerEndpoint", "1"});
  {
    const TimeoutScope brief(50ms);
    EXPECT_EQ(outcome_of([&] { one.test->hold(1); }), out_of_time());
  }
  one.servant->gate.open();
  // Opened for a call before the late reply was seen, at most.
  EXPECT_TRUE(eventually([&] { return one.test->_non_existent() || one.test->notes().empty(); }));
  const int before = accepted();
  EXPECT_LE(before, 2);
  for (int i = 0; i < 20; ++i) EXPECT_EQ(one.test->add(i, 1), i + 1);
  EXPECT_EQ(accepted(), before);
}

// A server that never answers: what was abandoned is closed in time, and there are never many of them.
TEST(AbandonedForGood, IsClosed) {
  std::atomic<int> ended{0};
  std::vector<std::thread> peers;
  std::optional<RawServer> silent(std::in_place, [&](RawSocket& peer) {
    const int fd = ::dup(peer.fd());
    peers.emplace_back([&ended, fd] {
      RawSocket mine(fd);
      while (!mine.receive_message().empty()) {}
      ++ended;
    });
  });
  ScopedOrb client({"-ORBCallTimeout", "100", "-ORBConnectionsPerEndpoint", "2"});
  const TestRef test = IDL::traits<Suite::Test>::unchecked_narrow(client->string_to_object(silent->url()));
  EXPECT_EQ(outcome_of([&] { test->noop(); }), out_of_time());
  EXPECT_TRUE(eventually([&] { return ended == 1; })) << "by time";
  {
    const TimeoutScope brief(10ms);
    for (int i = 0; i < 6; ++i) EXPECT_EQ(outcome_of([&] { test->noop(); }), out_of_time());
  }
  EXPECT_TRUE(eventually([&] { return ended == 7; }));
  client.destroy();
  silent.reset();  // no further peer comes
  for (std::thread& peer : peers) peer.join();
}

}  // namespace
}  // namespace tenon::suite
