// SPDX-License-Identifier: Apache-2.0
//
// Generated calls that are not waited for, in every way that a program can take their results.
#include <tenon/messaging.hpp>
#include <tenon/timeout.hpp>

#include "base/minor_codes.hpp"
#include "mapping/cpp11/calls/parameter_type.hpp"
#include "suite_async.hpp"
#include "tests/orb/world.hpp"

namespace tenon::suite {
namespace {

using namespace std::chrono_literals;

/// A coroutine that starts at once and tells when it has ended.
struct Started {
  struct promise_type {
    std::promise<void> ended;
    Started get_return_object() { return {ended.get_future()}; }
    std::suspend_never initial_suspend() noexcept { return {}; }
    std::suspend_never final_suspend() noexcept { return {}; }
    void return_void() { ended.set_value(); }
    void unhandled_exception() { ended.set_exception(std::current_exception()); }
  };
  std::future<void> end;
};

using Ami = World;
INSTANTIATE_TEST_SUITE_P(All, Ami, ::testing::ValuesIn(all_cases()),
                         [](const auto& each) { return name_of(each.param); });

Started talk(TestRef test, std::vector<std::int32_t>& said) {
  said.push_back(co_await async(test).add(1, 2));
  for (int i = 0; i < 20; ++i) said.push_back(co_await async(test).add(said.back(), 1));
  co_await async(test).noop();
  auto [made, text, copy, count] = co_await async(test).mix(6, "abc", Suite::Point(1, 2.5, "label"));
  EXPECT_EQ(made.y(), 3.0);
  EXPECT_EQ(text, "cba");
  EXPECT_EQ(copy.label(), "label");
  EXPECT_EQ(count, 5u);
  co_await async(test).title("by a coroutine");
  EXPECT_EQ(co_await async(test).title(), "by a coroutine");
  EXPECT_EQ(co_await async(test).who(), "test");
}

TEST_P(Ami, Coroutines) {
  std::vector<std::int32_t> said;
  Started started = talk(pair->test, said);
  started.end.get();
  ASSERT_EQ(said.size(), 21u);
  EXPECT_EQ(said.back(), 23);
}

// What an argument's own code throws is what the caller gets.
TEST_P(Ami, ArgumentsThatThrow) {
  struct Odd {
    int number;
  };
  static constexpr gen::ParameterType throws{.size = 1,
                                             .put = [](cdr::Writer&, const void*) { throw Odd{7}; }};
  static constexpr gen::AsyncParameter parameters[] = {{&throws, true, false}};
  static constexpr gen::AsyncOperation operations[] = {{{.name = "noop"}, "noop", "noop_excep", parameters}};
  static constexpr gen::AsyncInterface interface{operations, nullptr, nullptr, 0, {}};
  const char argument = 0;
  const void* const arguments[] = {&argument};
  auto reply = gen::start_call<void>(*pair->test, interface, 0, arguments);
  try {
    reply.get();
    ADD_FAILURE() << "nothing was raised";
  } catch (const Odd& odd) {
    EXPECT_EQ(odd.number, 7);
  }
  EXPECT_EQ(async(pair->test).add(1, 2).get(), 3);
}

Started coroutine_refused(TestRef test, bool& caught) {
  try {
    co_await async(test).fail(Suite::Failure::listed_one);
  } catch (const Suite::Refused& exception) {
    caught = exception.code() == 42;
  }
  co_await async(test).fail(Suite::Failure::completed_bad_param);
}

TEST_P(Ami, ExceptionsComeOutOfCoroutines) {
  bool caught = false;
  Started started = coroutine_refused(pair->test, caught);
  EXPECT_THROW(started.end.get(), CORBA::BAD_PARAM);
  EXPECT_TRUE(caught);
}

TEST_P(Ami, Futures) {
  std::vector<std::future<Suite::Blob>> blobs;
  for (std::uint8_t i = 0; i < 20; ++i) blobs.push_back(async(pair->test).echo(Suite::Blob(1000, i)));
  for (std::uint8_t i = 0; i < 20; ++i) EXPECT_EQ(blobs[i].get(), Suite::Blob(1000, i));
  std::future<void> failing = async(pair->test).fail(Suite::Failure::listed_one);
  EXPECT_THROW(failing.get(), Suite::Refused);
}

TEST_P(Ami, Polling) {
  auto reply = async(pair->test).hold(3);
  EXPECT_FALSE(reply.ready());
  EXPECT_FALSE(reply.wait_for(1ms));
  pair->servant->gate.open();
  EXPECT_TRUE(reply.wait_for(60s));
  EXPECT_TRUE(reply.ready());
  EXPECT_EQ(reply.get(), 3);
}

TEST_P(Ami, Handlers) {
  std::promise<std::int32_t> sum;
  async(pair->test).add(1, 2).then([&](Reply<std::int32_t> reply) { sum.set_value(reply.get()); });
  EXPECT_EQ(sum.get_future().get(), 3);
  // Handlers of replies that are there already run at once.
  auto reply = async(pair->test).add(3, 4);
  ASSERT_TRUE(reply.wait_for(60s));
  int later = 0;
  std::move(reply).then([&](Reply<std::int32_t> done) { later = done.get(); });
  EXPECT_EQ(later, 7);
}

TEST_P(Ami, PoliciesAndCancelling) {
  set_timeout(*pair->test, 50ms);
  auto late = async(pair->test).hold(1);
  set_timeout(*pair->test, 0ms);
  // On a busy machine a collocated one may not have begun.
  const bool sure = GetParam().protocol != "collocated";
  const auto ends_with = [&](const std::string& outcome, const tenon::Error& error) {
    return outcome == text_of(error.with(Completion::maybe)) ||
           (!sure && outcome == text_of(error.with(Completion::no)));
  };
  const std::string late_outcome = outcome_of([&] { late.get(); });
  EXPECT_TRUE(ends_with(late_outcome, errors::reply_timed_out)) << late_outcome;
  auto cancelled = async(pair->test).hold(2);
  cancelled.cancel();
  const std::string cancelled_outcome = outcome_of([&] { cancelled.get(); });
  EXPECT_TRUE(ends_with(cancelled_outcome, errors::request_cancelled)) << cancelled_outcome;
  pair->servant->gate.open(2);
  static_cast<void>(async(pair->test).noop());  // nobody wants to know
  EXPECT_EQ(async(pair->test).add(2, 2).get(), 4);
}

TEST_P(Ami, Oneways) {
  async(pair->test).note(5);
  EXPECT_TRUE(eventually([&] { return pair->servant->notes().size() == 1; }));
}

}  // namespace
}  // namespace tenon::suite
