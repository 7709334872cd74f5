// SPDX-License-Identifier: Apache-2.0
//
// Calls that no thread waits for, as the engine makes them: over every protocol, beside calls that wait, until time runs out, somebody
// cancels, or the connection or the ORB goes.
#include "orb/client/async_call.hpp"

#include <thread>

#include "base/minor_codes.hpp"
#include "tests/orb/world.hpp"

namespace tenon::suite {
namespace {

constexpr auto patience = std::chrono::seconds(60);
const Words one_connection{"-ORBConnectionsPerEndpoint", "1"};

/// operation(long...) -> long, without waiting.
class NumberCall final : public orb::AsyncCall {
 public:
  using Then = std::function<void(NumberCall&)>;
  NumberCall(const CORBA::Object& object, const orb::CallSpec& spec, std::vector<std::int32_t> arguments,
             Then then = {})
      : AsyncCall(object._reference(), spec), arguments_(std::move(arguments)), then_(std::move(then)) {}

  bool wait() {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, patience, [this] { return ends_ != 0; });
  }
  /// As outcome_of() says it; "" when there was a reply.
  std::string outcome() const { return error ? text_of(error) : ""; }
  int ends() {
    const std::lock_guard lock(mutex_);
    return ends_;
  }

  std::int32_t result = -1;
  Error error;
  bool user_exception = false;
  std::thread::id thread;

 private:
  void put(cdr::Writer& into) noexcept override {
    for (const std::int32_t each : arguments_) into.put(each);
  }
  void finished(const Status& outcome, protocol::ReplyStatus status, cdr::Reader* reply) noexcept override {
    thread = std::this_thread::get_id();
    if (!outcome) {
      error = outcome.error();
    } else if (status == protocol::ReplyStatus::user_exception) {
      user_exception = true;
    } else {
      result = reply->get<std::int32_t>();
    }
    if (then_) then_(*this);
    const std::lock_guard lock(mutex_);
    ++ends_;
    changed_.notify_all();
  }

  const std::vector<std::int32_t> arguments_;
  const Then then_;
  std::mutex mutex_;
  std::condition_variable changed_;
  int ends_ = 0;
};
using NumberRef = Ref<NumberCall>;

NumberRef add(const TestRef& test, std::int32_t a, std::int32_t b, NumberCall::Then then = {},
              Deadline deadline = {}) {
  auto call = make_ref<NumberCall>(*test, orb::CallSpec{.operation = "add", .deadline = deadline},
                                   std::vector{a, b}, std::move(then));
  EXPECT_TRUE(call->start());
  return call;
}

NumberRef hold(const TestRef& test, std::int32_t number, Deadline deadline = {}, NumberCall::Then then = {}) {
  auto call = make_ref<NumberCall>(*test, orb::CallSpec{.operation = "hold", .deadline = deadline},
                                   std::vector{number}, std::move(then));
  EXPECT_TRUE(call->start());
  return call;
}

using Async = World;
INSTANTIATE_TEST_SUITE_P(All, Async, ::testing::ValuesIn(all_cases()),
                         [](const auto& each) { return name_of(each.param); });
using AsyncRemote = World;
INSTANTIATE_TEST_SUITE_P(All, AsyncRemote, ::testing::ValuesIn(remote_cases()),
                         [](const auto& each) { return name_of(each.param); });

TEST_P(Async, RepliesComeOnAThreadOfTheOrb) {
  for (int i = 0; i < 50; ++i) {
    const auto call = add(pair->test, i, 1);
    ASSERT_TRUE(call->wait());
    EXPECT_EQ(call->outcome(), "");
    EXPECT_EQ(call->result, i + 1);
    EXPECT_NE(call->thread, std::this_thread::get_id());
    EXPECT_EQ(pair->test->add(i, 2), i + 2);  // the connection is as it was
  }
}

TEST_P(Async, ManyAtATimeBesideCallsThatWait) {
  const Pair one(GetParam(), {}, one_connection);
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 100; ++i) wrong += one.test->add(t, i) != t + i;
    });
  }
  std::vector<NumberRef> calls;
  for (int i = 0; i < 300; ++i) calls.push_back(add(one.test, i, 1000));
  for (auto& thread : threads) thread.join();
  for (int i = 0; i < 300; ++i) {
    ASSERT_TRUE(calls[static_cast<std::size_t>(i)]->wait());
    EXPECT_EQ(calls[static_cast<std::size_t>(i)]->result, i + 1000);
    EXPECT_EQ(calls[static_cast<std::size_t>(i)]->ends(), 1);
  }
  EXPECT_EQ(wrong, 0);
}

TEST_P(Async, WhatFollowsMayCallTheSameObject) {
  const Pair one(GetParam(), {}, one_connection);
  const auto call = add(one.test, 1, 2, [&](NumberCall& first) {
    first.result += one.test->add(10, 20);
    const auto second = add(one.test, 100, 200);
    first.result += second->wait() ? second->result : 0;
  });
  ASSERT_TRUE(call->wait());
  EXPECT_EQ(call->result, 333);
}

TEST_P(Async, TimeRunsOut) {
  const Pair one(GetParam(), {}, one_connection);
  const auto late = hold(one.test, 1, Deadline::after_ms(50));
  ASSERT_TRUE(late->wait());
  EXPECT_EQ(late->outcome(), text_of(errors::reply_timed_out.with(Completion::maybe)));
  ASSERT_TRUE(one.servant->gate.wait_for_waiters(1));
  one.servant->gate.open();  // the late reply is for nobody
  EXPECT_EQ(one.test->add(1, 2), 3);
  const auto next = add(one.test, 3, 4);
  ASSERT_TRUE(next->wait());
  EXPECT_EQ(next->result, 7);
  EXPECT_EQ(late->ends(), 1);
}

TEST_P(Async, Cancelled) {
  const auto call = hold(pair->test, 1);
  ASSERT_TRUE(pair->servant->gate.wait_for_waiters(1));
  EXPECT_EQ(call->ends(), 0);
  call->cancel();
  ASSERT_TRUE(call->wait());
  EXPECT_EQ(call->outcome(), text_of(errors::request_cancelled.with(Completion::maybe)));
  pair->servant->gate.open();
  const auto done = add(pair->test, 1, 1);
  ASSERT_TRUE(done->wait());
  done->cancel();  // too late to matter
  EXPECT_EQ(done->result, 2);
  EXPECT_EQ(call->ends(), 1);
}

TEST_P(Async, EndsAsExceptions) {
  const auto fail = [&](Suite::Failure kind) {
    auto call = make_ref<NumberCall>(*pair->test, orb::CallSpec{.operation = "fail"},
                                     std::vector{static_cast<std::int32_t>(kind)});
    EXPECT_TRUE(call->start());
    EXPECT_TRUE(call->wait());
    return call;
  };
  EXPECT_TRUE(fail(Suite::Failure::listed_one)->user_exception);
  EXPECT_EQ(fail(Suite::Failure::completed_bad_param)->error.id, SystemException::bad_param);
  EXPECT_EQ(fail(Suite::Failure::an_int)->error.id, SystemException::unknown);
}

TEST_P(Async, FollowsForwards) {
  const auto forwarding = CORBA::make_reference<ForwardingServant>();
  forwarding->to = seen_by(pair->server(), pair->test);
  const auto away = pair->at_client(forwarding->_this());
  auto call = make_ref<NumberCall>(*away, orb::CallSpec{.operation = "who", .has_arguments = false},
                                   std::vector<std::int32_t>{});
  ASSERT_TRUE(call->start());
  ASSERT_TRUE(call->wait());
  EXPECT_EQ(call->outcome(), "");
  EXPECT_EQ(call->result, 5);  // the length of "test" with its NUL
}

TEST_P(AsyncRemote, TheConnectionGoes) {
  const Pair one(GetParam(), {}, one_connection);
  std::vector<NumberRef> calls;
  for (int i = 0; i < 3; ++i) calls.push_back(hold(one.test, i));
  ASSERT_TRUE(one.servant->gate.wait_for_waiters(1));
  one.client().shutdown(false);
  for (const auto& call : calls) {
    ASSERT_TRUE(call->wait());
    EXPECT_NE(call->outcome(), "");
    EXPECT_EQ(call->ends(), 1);
  }
  one.servant->gate.open(3);
}

TEST_P(AsyncRemote, NothingListens) {
  auto gone = std::make_unique<Pair>(GetParam());
  const std::string text = gone->client().object_to_string(gone->test);
  gone.reset();
  const auto object = pair->client().string_to_object(text);
  auto call = make_ref<NumberCall>(*object, orb::CallSpec{.operation = "add"}, std::vector{1, 2});
  ASSERT_TRUE(call->start());
  ASSERT_TRUE(call->wait());
  EXPECT_EQ(call->error.id, SystemException::transient);
  EXPECT_EQ(call->error.completed, Completion::no);
}

TEST_P(AsyncRemote, AConnectionThatWasClosedMeanwhileIsMadeAnew) {
  const Pair one(GetParam(), {}, one_connection);
  ASSERT_EQ(one.test->add(1, 1), 2);
  const auto* binding = one.test->_reference()->binding();
  ASSERT_NE(binding, nullptr);
  binding->endpoint->take_idle()->abort();
  const auto call = add(one.test, 2, 3);
  ASSERT_TRUE(call->wait());
  EXPECT_EQ(call->outcome(), "");
  EXPECT_EQ(call->result, 5);
}

TEST_P(AsyncRemote, DestroyWaitsForWhatFollows) {
  auto one = std::make_unique<Pair>(GetParam());
  std::atomic<int> followed{0};
  std::vector<NumberRef> calls;
  for (int i = 0; i < 20; ++i) {
    calls.push_back(hold(one->test, i, {}, [&](NumberCall&) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      ++followed;
    }));
  }
  one->client().destroy();
  EXPECT_EQ(followed, 20);
  EXPECT_FALSE(
      make_ref<NumberCall>(*one->test, orb::CallSpec{.operation = "add"}, std::vector{1, 2})->start());
  one->servant->gate.open(20);
}

}  // namespace
}  // namespace tenon::suite
