// SPDX-License-Identifier: Apache-2.0
//
// Arguments that are lent to asynchronous calls (tenon::Lent): they are sent from where they are, and given back once, however the call
// ends; and arguments that are not: a call that has returned needs none of them any more.
#include <algorithm>
#include <atomic>
#include <future>
#include <optional>
#include <stdexcept>
#include <thread>

#include <tenon/messaging.hpp>
#include <tenon/timeout.hpp>

#include "base/minor_codes.hpp"
#include "mapping/cpp11/messaging/pending_call.hpp"
#include "suite_async.hpp"
#include "tests/orb/raw_peer.hpp"
#include "tests/orb/world.hpp"

namespace tenon::suite {
namespace {

using namespace std::chrono_literals;

/// How often something was given back, and by which thread the last time.
struct Returns {
  std::function<void()> note() {
    return [this] {
      thread = std::this_thread::get_id();
      ++count;
    };
  }
  std::thread::id thread;
  std::atomic<int> count{0};
};

TestRef suite_at(const ScopedOrb& client, const std::string& url) {
  return IDL::traits<Suite::Test>::unchecked_narrow(client->string_to_object(url));
}

/// Lends the octets to a call and waits for its end, which it says as outcome_of() does. They have been given back by then.
std::string ending_of(const TestRef& test, const Suite::Blob& octets) {
  Returns returns;
  std::string ending;
  {
    const Lent lent(octets, returns.note());
    auto reply = tenon::async(test).sum(octets);
    EXPECT_TRUE(lent.taken());
    ending = outcome_of([&] { reply.get(); });
    EXPECT_EQ(returns.count, 1);
  }
  EXPECT_EQ(returns.count, 1);
  return ending;
}

// --- with a server ---

using LentArguments = World;
INSTANTIATE_TEST_SUITE_P(All, LentArguments, ::testing::ValuesIn(all_cases()),
                         [](const auto& each) { return name_of(each.param); });

TEST_P(LentArguments, AreGivenBackBeforeTheReplyIsThere) {
  const Suite::Blob octets(big(), 3);
  for (int i = 0; i < 3; ++i) {
    Returns returns;
    const Lent lent(octets, returns.note());
    auto reply = tenon::async(pair->test).sum(octets);
    EXPECT_TRUE(lent.taken());
    EXPECT_EQ(reply.get(), std::uint64_t{3} * big());
    EXPECT_EQ(returns.count, 1);
    EXPECT_NE(returns.thread, std::this_thread::get_id());
    // The next call with them finds nothing that is lent.
    EXPECT_EQ(tenon::async(pair->test).sum(octets).get(), std::uint64_t{3} * big());
    EXPECT_EQ(returns.count, 1);
  }
}

TEST_P(LentArguments, ByEveryFormOfAsynchronousCalls) {
  const Suite::Blob octets(10'000, 1);
  Returns returns;
  {
    const Lent lent(octets, returns.note());
    auto poller = pair->test->sendp_sum(octets);
    EXPECT_TRUE(lent.taken());
    std::uint64_t sum = 0;
    poller->sum(60'000, sum);
    EXPECT_EQ(sum, 10'000u);
    EXPECT_EQ(returns.count, 1);
  }
  {
    const Lent lent(octets, returns.note());
    pair->test->sendc_sum(nullptr, octets);
    EXPECT_TRUE(lent.taken());
    EXPECT_TRUE(eventually([&] { return returns.count == 2; }));
  }
  EXPECT_EQ(returns.count, 2);
}

TEST_P(LentArguments, AreForTheCallThatTakesThem) {
  const Suite::Blob first(5'000, 1);
  const Suite::Blob second(5'000, 2);
  Returns of_first;
  Returns of_second;
  const Lent outer(first, of_first.note());
  const Lent inner(second, of_second.note());
  EXPECT_EQ(tenon::async(pair->test).sum(first).get(), 5'000u);
  EXPECT_TRUE(outer.taken());
  EXPECT_FALSE(inner.taken());
  EXPECT_EQ(of_first.count, 1);
  EXPECT_EQ(of_second.count, 0);
  EXPECT_EQ(tenon::async(pair->test).sum(second).get(), 10'000u);
  EXPECT_EQ(of_second.count, 1);
}

// These have sent or copied what they need when they return.
TEST_P(LentArguments, SynchronousCallsAndOnewaysTakeNone) {
  const Suite::Blob octets(10'000, 1);
  Returns returns;
  {
    const Lent lent(octets, returns.note());
    EXPECT_EQ(pair->test->sum(octets), 10'000u);
    pair->test->note_size(octets);
    tenon::async(pair->test).note_size(octets);
    EXPECT_FALSE(lent.taken());
    EXPECT_EQ(returns.count, 0);
  }
  EXPECT_EQ(returns.count, 1);
  EXPECT_EQ(returns.thread, std::this_thread::get_id());
}

TEST_P(LentArguments, WhatIsPassedByValueOrComesBackIsCopied) {
  Returns returns;
  {
    const std::int32_t number = 1;
    const Lent by_value(number, returns.note());
    EXPECT_EQ(tenon::async(pair->test).add(number, 2).get(), 3);
    const std::string text = "abc";
    const Lent both_ways(text, returns.note());
    tenon::async(pair->test).mix(6, text, Suite::Point(1, 2.5, "label")).get();
    EXPECT_EQ(text, "abc");
    EXPECT_FALSE(by_value.taken());
    EXPECT_FALSE(both_ways.taken());
    EXPECT_EQ(returns.count, 0);
  }
  EXPECT_EQ(returns.count, 2);
}

TEST_P(LentArguments, WhatIsToldMayCall) {
  const Suite::Blob octets(10'000, 1);
  std::int32_t sum = 0;
  const Lent lent(octets, [&] { sum = pair->test->add(1, 2); });
  EXPECT_EQ(tenon::async(pair->test).sum(octets).get(), 10'000u);
  EXPECT_EQ(sum, 3);
}

TEST_P(LentArguments, WhatIsToldMayThrow) {
  const Suite::Blob octets(10'000, 1);
  {
    const Lent lent(octets, [] { throw std::runtime_error("told"); });
    EXPECT_EQ(tenon::async(pair->test).sum(octets).get(), 10'000u);
  }
  {
    const Lent unused(octets, [] { throw std::runtime_error("told"); });
  }
  const Lent nobody(octets, nullptr);
  EXPECT_EQ(tenon::async(pair->test).sum(octets).get(), 10'000u);
}

// --- without one ---

TEST(LentToNobody, NoServerListens) {
  std::string nowhere;
  {
    const RawServer gone{RawServer::Talk()};
    nowhere = gone.url();
  }
  const ScopedOrb client;
  const std::string ending = ending_of(suite_at(client, nowhere), Suite::Blob(100'000, 1));
  EXPECT_TRUE(ending.starts_with("TRANSIENT")) << ending;
}

TEST(LentToNobody, TheOrbHasEnded) {
  ScopedOrb client;
  const TestRef test = suite_at(client, "corbaloc:iiop:1.2@127.0.0.1:1/key");
  client->shutdown(true);
  const Suite::Blob octets(100'000, 1);
  Returns returns;
  const Lent lent(octets, returns.note());
  EXPECT_NE(outcome_of([&] { static_cast<void>(tenon::async(test).sum(octets)); }), "");
  EXPECT_TRUE(lent.taken());
  EXPECT_EQ(returns.count, 1);
  EXPECT_EQ(returns.thread, std::this_thread::get_id());
}

void read_on(RawSocket& peer) {
  while (!peer.receive_message().empty()) {}
}

TEST(LentToAPeer, ThatDoesNotAnswer) {
  const RawServer silent(read_on);
  const ScopedOrb client;
  const TimeoutScope brief(50ms);
  EXPECT_EQ(ending_of(suite_at(client, silent.url()), Suite::Blob(100'000, 1)),
            text_of(errors::reply_timed_out.with(Completion::maybe)));
}

TEST(LentToAPeer, ThatDoesNotRead) {
  std::promise<void> over;
  const RawServer stuck([done = over.get_future().share()](RawSocket&) { done.wait(); });
  {
    const ScopedOrb client;
    const TimeoutScope brief(100ms);
    const std::string ending = ending_of(suite_at(client, stuck.url()), Suite::Blob(64'000'000, 1));
    EXPECT_TRUE(ending.starts_with("TIMEOUT")) << ending;
  }
  over.set_value();
}

TEST(LentToAPeer, ThatCloses) {
  const RawServer closing([](RawSocket& peer) { static_cast<void>(peer.receive_message()); });
  const ScopedOrb client;
  const std::string ending = ending_of(suite_at(client, closing.url()), Suite::Blob(100'000, 1));
  EXPECT_TRUE(ending.starts_with("COMM_FAILURE")) << ending;
}

TEST(LentToAPeer, ThatClosesInTheMiddle) {
  const RawServer closing([](RawSocket& peer) {
    Bytes some;
    peer.receive(some, 1000);
  });
  const ScopedOrb client;
  EXPECT_NE(ending_of(suite_at(client, closing.url()), Suite::Blob(64'000'000, 1)), "");
}

TEST(LentToAPeer, UntilShutdownOrCancelled) {
  const RawServer silent(read_on);
  const Suite::Blob octets(100'000, 1);
  for (const bool cancels : {false, true}) {
    const ScopedOrb client;
    Returns returns;
    const Lent lent(octets, returns.note());
    auto reply = tenon::async(suite_at(client, silent.url())).sum(octets);
    EXPECT_EQ(returns.count, 0);
    if (cancels) {
      reply.cancel();
    } else {
      client->shutdown(false);
    }
    EXPECT_NE(outcome_of([&] { reply.get(); }), "");
    EXPECT_EQ(returns.count, 1);
  }
}

/// Answers small requests, reads a large one when the test has changed its argument, and closes in order: a request that was not answered
/// has not been executed, so a call that has been made once over the connection is made again over another one.
class ClosingPeer {
 public:
  std::string url() const { return server_->url(); }
  /// The large requests, once the client has ended.
  const std::vector<Bytes>& got() {
    server_.reset();
    return got_;
  }
  std::promise<void> changed;
  std::atomic<int> came{0};

 private:
  void answer(RawSocket& peer) {
    while (true) {
      const Bytes request = peer.receive_message();
      if (request.empty()) return;
      if (request.size() > 1000) {
        got_.push_back(request);
        if (++came == 1) peer.send(message(5, {}));  // CloseConnection
        return;
      }
      peer.send(long_reply(request_id_of(request), 3));
      ready_.wait();
    }
  }

  const std::shared_future<void> ready_ = changed.get_future().share();
  std::vector<Bytes> got_;
  std::optional<RawServer> server_{std::in_place, [this](RawSocket& peer) { answer(peer); }};
};

constexpr std::size_t fits_into_sockets = 32 * 1024;

// That they are not copied is seen by what no program may do: to change them meanwhile.
TEST(LentToAPeer, AreSentAgainFromWhereTheyAre) {
  ClosingPeer peer;
  {
    const ScopedOrb client;
    const TestRef test = suite_at(client, peer.url());
    EXPECT_EQ(test->add(1, 2), 3);
    Suite::Blob octets(fits_into_sockets, 1);
    Returns returns;
    const Lent lent(octets, returns.note());
    auto reply = tenon::async(test).sum(octets);
    std::ranges::fill(octets, 2);
    EXPECT_EQ(returns.count, 0);
    peer.changed.set_value();
    EXPECT_NE(outcome_of([&] { reply.get(); }), "");
    EXPECT_EQ(returns.count, 1);
  }
  const std::vector<Bytes>& got = peer.got();
  ASSERT_EQ(got.size(), 2u);
  EXPECT_EQ(got[0].size(), got[1].size());
  EXPECT_EQ(got[0].back(), 1);
  EXPECT_EQ(got[1].back(), 2);
}

// What is not lent may be changed as soon as the call has returned, however it goes out, and however often.
TEST(LentToAPeer, OtherCallsNeedNothingAnyMore) {
  const OnewayBuffering roomy{.messages = 0, .octets = 1 << 20, .time = 0};
  const auto buffered = [&](const TestRef& test) {
    return with(test, {create_sync_scope_policy(Messaging::SYNC_NONE), create_buffering_policy(roomy)});
  };
  struct Sending {
    std::function<void(const TestRef&, const Suite::Blob&)> call;
    int times;  // it is sent
  };
  const std::vector<Sending> ways{
      {[](const TestRef& test, const Suite::Blob& octets) { test->note_size(octets); }, 1},
      {[&](const TestRef& test, const Suite::Blob& octets) { buffered(test)->note_size(octets); }, 1},
      {[](const TestRef& test, const Suite::Blob& octets) { test->sendc_sum(nullptr, octets); }, 2},
  };
  for (std::size_t way = 0; way < ways.size(); ++way) {
    ClosingPeer peer;
    {
      const ScopedOrb client;
      const TestRef test = suite_at(client, peer.url());
      EXPECT_EQ(test->add(1, 2), 3);
      Suite::Blob octets(fits_into_sockets, 1);
      ways[way].call(test, octets);
      std::ranges::fill(octets, 2);
      peer.changed.set_value();
      flush_oneways(*client);
      EXPECT_TRUE(eventually([&] { return peer.came == ways[way].times; })) << way;
    }
    for (const Bytes& each : peer.got()) {
      ASSERT_GT(each.size(), fits_into_sockets) << way;
      EXPECT_EQ(each.back(), 1) << way;
    }
  }
}

// --- a call that is over while its arguments are being written ---

class SlowCall final : public gen::PendingCall {
 public:
  static constexpr gen::Operation noop{.name = "noop"};
  SlowCall(CORBA::Object& object, const Returns& returns) : PendingCall(object, noop), returns_(returns) {}

  std::atomic<bool> written{false};

 private:
  void write(cdr::Writer&) override {
    EXPECT_TRUE(eventually([this] { return ready(); })) << "its time runs out meanwhile";
    EXPECT_EQ(returns_.count, 0) << "what it reads is not given back";
    written = true;
  }
  void read(cdr::Reader&) override {}

  const Returns& returns_;
};

TEST(LentMeanwhile, ACallThatIsOverReadsOn) {
  const Pair one({"collocated", "thread-per-connection"});
  Returns returns;
  const TimeoutScope brief(50ms);
  const auto call = make_ref<SlowCall>(*one.test, returns);
  call->lend(returns.note());
  gen::begin_call(*call);
  EXPECT_TRUE(eventually([&] { return returns.count == 1; }));
  EXPECT_TRUE(call->written);
}

}  // namespace
}  // namespace tenon::suite
