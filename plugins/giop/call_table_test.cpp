// SPDX-License-Identifier: Apache-2.0
//
// The call table by itself. The connection is only an address here.
#include "call_table.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <thread>
#include <vector>

#include "base/minor_codes.hpp"
#include "scripted_transport_test_support.hpp"
#include "serving_connection.hpp"

namespace tenon::giop {
namespace {

using Added = CallTable::Added;
using Waited = CallTable::Waited;

constexpr std::int64_t late_ns = 1'000'000'000;

/// Notes the calls of whose end it was told.
struct NotedSink final : protocol::Sink {
  void done(protocol::OutgoingCall& call) noexcept override { ended.push_back(&call); }
  void attend(protocol::Connection&) noexcept override { ++attended; }
  std::vector<protocol::OutgoingCall*> ended;
  int attended = 0;
};

/// A call that a connection has begun.
class Begun {
 public:
  explicit Begun(const protocol::CallSpec& spec)
      : out_(std::make_unique<protocol::OutgoingCall>(spec)), call_(&out_->make<Call>()) {}
  Call& operator*() const { return *call_; }
  Call* operator->() const { return call_; }

 private:
  std::unique_ptr<protocol::OutgoingCall> out_;
  Call* call_;
};

class CallTableTest : public testing::Test {
 protected:
  /// A call that has been entered into the table.
  Begun added(protocol::Sink* sink = nullptr) {
    Begun call(spec);
    call->share();
    EXPECT_EQ(table.add(*call, sink), Added::yes);
    return call;
  }
  /// One that waits for its reply and is the one to read.
  Begun that_reads() {
    Begun call = added();
    EXPECT_EQ(table.wait(*call, Deadline::never(), late_ns), Waited::reads);
    return call;
  }
  void end(Call& call) {
    if (!call.alone || !table.end_alone(call)) table.end(call);
  }
  bool deliver(std::uint32_t id) {
    return table.deliver(id, [](Call& call) { call.out().status = protocol::ReplyStatus::user_exception; });
  }

  const protocol::CallSpec spec{.operation = "work"};
  Ref<Connection> connection = make_ref<BidirectionalConnection>(
      std::make_unique<Script>(), protocol::Role::originator, protocol::MessagingOptions());
  CallTable table{*connection, Side::originator, false, nullptr};
};

TEST_F(CallTableTest, OneCallIsAlone) {
  const Begun first(spec);
  ASSERT_TRUE(table.begin_alone(*first));
  EXPECT_TRUE(first->reads);
  EXPECT_EQ(table.in_flight(), 1u);
  const Begun second(spec);
  EXPECT_FALSE(table.begin_alone(*second));
  end(*first);
  EXPECT_EQ(table.in_flight(), 0u);
  ASSERT_TRUE(table.begin_alone(*second));
  EXPECT_NE(first->request_id, second->request_id);
  end(*second);
}

TEST_F(CallTableTest, OnlyCallsThatMayShareJoin) {
  const Begun alone(spec);
  ASSERT_TRUE(table.begin_alone(*alone));
  const Begun lonely(spec);
  lonely->out().may_share = false;
  lonely->share();
  EXPECT_EQ(table.add(*lonely, nullptr), Added::taken);
  const auto joined = added();
  EXPECT_FALSE(joined->reads);
  EXPECT_NE(joined->request_id, alone->request_id);
  EXPECT_EQ(table.in_flight(), 2u);
  end(*alone);
  EXPECT_EQ(table.wait(*joined, Deadline::never(), late_ns), Waited::reads) << "it is passed on";
  end(*joined);
  EXPECT_EQ(table.in_flight(), 0u);
}

// A call that is alone and could not be sent yet: who has been sent reads, and hands over also its reply.
TEST_F(CallTableTest, WhoIsNotSentLetsOthersRead) {
  const Begun late(spec);
  ASSERT_TRUE(table.begin_alone(*late));
  EXPECT_TRUE(table.only_one());
  const auto sent = added();
  EXPECT_FALSE(table.only_one());
  EXPECT_FALSE(sent->reads);
  late->share();
  table.join(*late);
  EXPECT_FALSE(late->alone);
  EXPECT_FALSE(late->reads);
  EXPECT_EQ(table.in_flight(), 2u);
  EXPECT_EQ(table.wait(*sent, Deadline::never(), late_ns), Waited::reads);
  EXPECT_TRUE(deliver(late->request_id));
  EXPECT_EQ(table.wait(*late, Deadline::never(), late_ns), Waited::done);
  end(*late);
  end(*sent);
  EXPECT_EQ(table.in_flight(), 0u);
  EXPECT_TRUE(table.rest(true)) << "no thread reads";
}

TEST_F(CallTableTest, WhoIsNotSentWakesWhoWaits) {
  const Begun late(spec);
  ASSERT_TRUE(table.begin_alone(*late));
  const auto sent = added();
  std::thread waiter(
      [&] { EXPECT_EQ(table.wait(*sent, Deadline::after_ms(30'000), late_ns), Waited::reads); });
  late->share();
  table.join(*late);
  waiter.join();
  end(*sent);
  EXPECT_EQ(table.wait(*late, Deadline::never(), late_ns), Waited::reads);
  end(*late);
  EXPECT_EQ(table.in_flight(), 0u);
}

TEST_F(CallTableTest, AReplyGoesToItsCall) {
  const auto reader = that_reads();
  EXPECT_TRUE(reader->reads);
  const auto other = added();
  const auto another = added();
  std::thread waiter([&] {
    EXPECT_EQ(table.wait(*other, Deadline::never(), late_ns), Waited::done);
    EXPECT_EQ(other->out().status, protocol::ReplyStatus::user_exception);
    end(*other);
  });
  EXPECT_TRUE(deliver(other->request_id));
  waiter.join();
  EXPECT_FALSE(deliver(other->request_id));
  EXPECT_FALSE(deliver(0xFFFE));
  EXPECT_EQ(table.in_flight(), 2u);
  end(*reader);
  EXPECT_EQ(table.wait(*another, Deadline::never(), late_ns), Waited::reads);
  end(*another);
}

TEST_F(CallTableTest, WhatIsAbandonedCountsUntilItIsAnswered) {
  const auto reader = that_reads();
  const auto late = added();
  EXPECT_EQ(table.wait(*late, Deadline::immediately(), late_ns), Waited::timed_out);
  const std::uint32_t id = late->request_id;
  end(*late);
  EXPECT_EQ(table.in_flight(), 2u);
  EXPECT_EQ(table.abandoned(), 1u);
  EXPECT_FALSE(table.late_by().is_never());
  EXPECT_FALSE(deliver(id));
  EXPECT_FALSE(deliver(id)) << "what it was never asked";
  EXPECT_EQ(table.abandoned(), 0u);
  EXPECT_TRUE(table.late_by().is_never());
  end(*reader);
  EXPECT_EQ(table.in_flight(), 0u);
}

TEST_F(CallTableTest, TheEndFailsAllButWhoReads) {
  const auto reader = that_reads();
  const auto other = added();
  NotedSink sink;
  const auto asynchronous = added(&sink);
  EXPECT_TRUE(table.started(*asynchronous, {}));
  EXPECT_EQ(sink.attended, 0) << "a call reads";
  table.fail(errors::connection_lost);
  EXPECT_EQ(sink.ended, std::vector{&asynchronous->out()});
  EXPECT_EQ(asynchronous->out().failure, errors::connection_lost);
  EXPECT_EQ(table.wait(*other, Deadline::never(), late_ns), Waited::done);
  EXPECT_EQ(other->out().failure, errors::connection_lost);
  EXPECT_FALSE(reader->out().failure);
  end(*other);
  end(*reader);
  const Begun late(spec);
  late->share();
  EXPECT_EQ(table.add(*late, nullptr), Added::ended);
  EXPECT_EQ(table.in_flight(), 0u);
}

TEST_F(CallTableTest, AsynchronousCallsHaveTheConnectionAttendedTo) {
  NotedSink sink;
  const auto first = added(&sink);
  EXPECT_TRUE(table.started(*first, {}));
  EXPECT_EQ(sink.attended, 1);
  const auto second_call = added(&sink);
  EXPECT_TRUE(table.started(*second_call, {}));
  EXPECT_EQ(sink.attended, 1) << "it is already";
  EXPECT_TRUE(table.stay(0));
  EXPECT_TRUE(deliver(first->request_id));
  EXPECT_TRUE(table.abandon(*second_call, late_ns));
  EXPECT_FALSE(table.abandon(*second_call, late_ns));
  EXPECT_TRUE(table.stay(0)) << "for the reply to what was abandoned";
  EXPECT_FALSE(table.stay(1));
  EXPECT_EQ(table.in_flight(), 0u);
  EXPECT_EQ(sink.ended, std::vector{&first->out()});
}

TEST_F(CallTableTest, AReplyBeforeItsRequestIsSent) {
  NotedSink sink;
  const auto call = added(&sink);
  EXPECT_TRUE(deliver(call->request_id));
  EXPECT_TRUE(sink.ended.empty());
  EXPECT_TRUE(table.started(*call, {}));
  EXPECT_EQ(sink.ended.size(), 1u);
  const auto unsent = added(&sink);
  EXPECT_EQ(table.started(*unsent, errors::connection_lost).error(), errors::connection_lost);
  EXPECT_EQ(sink.ended.size(), 1u);
  EXPECT_EQ(table.in_flight(), 0u);
}

TEST_F(CallTableTest, HeldWhileIdle) {
  const Begun call(spec);
  ASSERT_TRUE(table.begin_alone(*call));
  EXPECT_FALSE(table.hold_if_idle());
  end(*call);
  ASSERT_TRUE(table.hold_if_idle());
  EXPECT_FALSE(table.hold_if_idle());
  const Begun next(spec);
  EXPECT_FALSE(table.begin_alone(*next));
  const auto joined = added();
  EXPECT_FALSE(joined->reads);
  table.let_go();
  EXPECT_EQ(table.wait(*joined, Deadline::never(), late_ns), Waited::reads);
  end(*joined);
  EXPECT_TRUE(table.begin_alone(*next));
  end(*next);
}

TEST_F(CallTableTest, RestsWhenNobodyHasRead) {
  EXPECT_TRUE(table.rest(false));
  const Begun call(spec);
  EXPECT_FALSE(table.begin_alone(*call));
  EXPECT_TRUE(table.begin_look());
  EXPECT_FALSE(table.rest(true)) << "it is being read";
  table.end_look();
  EXPECT_FALSE(table.begin_look());
  ASSERT_TRUE(table.begin_alone(*call));
  end(*call);
  EXPECT_FALSE(table.rest(false));
  EXPECT_TRUE(table.rest(false));
}

// Calls of several threads, of which one always reads: each gets its own reply, and nothing is left in the table.
TEST_F(CallTableTest, ThreadsShare) {
  constexpr int calls_each = 300;
  std::vector<std::thread> threads;
  std::atomic<int> answered{0};
  std::mutex sent_lock;
  std::vector<std::uint32_t> sent;
  const auto read_one = [&](Call& own) {  // true: it was this call's own reply
    std::uint32_t id = 0;
    {
      const std::lock_guard lock(sent_lock);
      if (sent.empty()) return false;
      id = sent.back();
      sent.pop_back();
    }
    if (own.request_id == id) return true;
    EXPECT_TRUE(deliver(id));
    return false;
  };
  for (int i = 0; i < 3; ++i) {
    threads.emplace_back([&] {
      for (int n = 0; n < calls_each; ++n) {
        const Begun call(spec);
        if (!table.begin_alone(*call)) {
          call->share();
          ASSERT_EQ(table.add(*call, nullptr), Added::yes);
        }
        {
          const std::lock_guard lock(sent_lock);
          sent.push_back(call->request_id);
        }
        const bool reads = call->reads || table.wait(*call, Deadline::never(), late_ns) == Waited::reads;
        while (reads && !read_one(*call)) std::this_thread::yield();
        ++answered;
        end(*call);
      }
    });
  }
  for (std::thread& each : threads) each.join();
  EXPECT_EQ(answered, 3 * calls_each);
  EXPECT_EQ(table.in_flight(), 0u);
}

}  // namespace
}  // namespace tenon::giop
