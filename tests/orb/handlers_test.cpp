// SPDX-License-Identifier: Apache-2.0
//
// sendc_ operations: replies that go to handlers, which are CORBA objects of the client's ORB, of another one, or no more than C++.
#include <algorithm>
#include <future>

#include <tenon/timeout.hpp>

#include "base/minor_codes.hpp"
#include "tests/orb/recorder.hpp"

namespace tenon::suite {
namespace {

using namespace std::chrono_literals;
using HandlerRef = CORBA::object_reference<Suite::AMI_TestHandler>;

class ReplyHandlers : public World {
 protected:
  void SetUp() override {
    World::SetUp();
    const ScopedOrb& mine = pair->client_orb ? *pair->client_orb : *pair->server_orb;
    handler = tenon::publish<Suite::AMI_TestHandler_skeleton>(mine.ref(), recorder);
  }
  void TearDown() override {
    handler = nullptr;
    World::TearDown();
  }

  CORBA::servant_reference<Recorder> recorder = CORBA::make_reference<Recorder>();
  HandlerRef handler;
};
INSTANTIATE_TEST_SUITE_P(All, ReplyHandlers, ::testing::ValuesIn(all_cases()),
                         [](const auto& each) { return name_of(each.param); });

TEST_P(ReplyHandlers, GetResults) {
  const TestRef& test = pair->test;
  test->sendc_add(handler, 1, 2);
  EXPECT_EQ(recorder->wait_for_one(), "add 3");
  test->sendc_noop(handler);
  EXPECT_EQ(recorder->wait_for_one(), "noop");
  test->sendc_set_title(handler, "by a handler");
  EXPECT_EQ(recorder->wait_for_one(), "set_title");
  test->sendc_get_title(handler);
  EXPECT_EQ(recorder->wait_for_one(), "get_title by a handler");
  test->sendc_mix(handler, 6, "abc", Suite::Point(1, 2.5, "label"));
  EXPECT_EQ(recorder->wait_for_one(), "mix 6 cba label 5");
  test->sendc_make(handler, big());
  EXPECT_EQ(recorder->wait_for_one(), "make " + std::to_string(big()));
  test->sendc_pass(handler, nullptr);
  EXPECT_EQ(recorder->wait_for_one(), "pass nil was nil");
  test->sendc_pass(handler, handler);
  EXPECT_EQ(recorder->wait_for_one(), "pass an object");
  // An inherited operation wants the base's handler, which this one is.
  test->sendc_who(handler);
  EXPECT_EQ(recorder->wait_for_one(), "who test");
}

TEST_P(ReplyHandlers, GetExceptions) {
  const auto ending = [&](Suite::Failure kind) {
    pair->test->sendc_fail(handler, kind);
    return recorder->wait_for_one();
  };
  EXPECT_EQ(ending(Suite::Failure::listed_one), "fail raised Refused");
  EXPECT_EQ(ending(Suite::Failure::unlisted_one),
            "fail raised " + text_of(errors::unlisted_user_exception.with(Completion::maybe)));
  EXPECT_EQ(ending(Suite::Failure::transient_with_minor), "fail raised TRANSIENT 0x12345678 MAYBE");
  EXPECT_EQ(ending(Suite::Failure::completed_bad_param), "fail raised BAD_PARAM 0x00000063 YES");
}

/// Keeps what it is given.
class Keeper final : public CORBA::servant_traits<Suite::AMI_DirectoryHandler>::base_type {
 public:
  void resolve(ObjectRef) override { got.set_value(nullptr); }
  void resolve_excep(ExceptionHolderRef holder) override { got.set_value(std::move(holder)); }
  std::promise<ExceptionHolderRef> got;
};

// A holder is a value that may outlive its upcall and be asked twice.
TEST_P(ReplyHandlers, HoldersAreKept) {
  const ScopedOrb& mine = pair->client_orb ? *pair->client_orb : *pair->server_orb;
  const auto keeper = CORBA::make_reference<Keeper>();
  const auto keeping = tenon::publish<Suite::AMI_DirectoryHandler_skeleton>(mine.ref(), keeper);
  const auto nowhere = IDL::traits<Suite::Directory>::unchecked_narrow(pair->test);
  nowhere->sendc_resolve(keeping, {});
  const ExceptionHolderRef holder = keeper->got.get_future().get();
  ASSERT_TRUE(holder);
  const std::string first = raised_by(holder);
  EXPECT_EQ(first.substr(0, 13), "BAD_OPERATION") << first;
  EXPECT_EQ(raised_by(holder), first);
  // As a copy of it travels.
  const auto copy = IDL::traits<Messaging::ExceptionHolder>::narrow(
      CORBA::make_reference<Messaging::ExceptionHolder>(Suite::Refused("why", 7)));
  EXPECT_EQ(raised_by(copy), text_of(errors::unlisted_user_exception.with(Completion::yes)));
  static constexpr gen::Raises listed[] = {gen::raises<Suite::NotFound>, gen::raises<Suite::Refused>};
  copy->_listed(listed);
  EXPECT_EQ(raised_by(copy), "Refused");
}

TEST_P(ReplyHandlers, NobodyWantsToKnow) {
  pair->test->sendc_add(nullptr, 1, 2);
  EXPECT_TRUE(eventually([&] { return pair->servant->adds == 1; }));
  pair->test->sendc_fail(nullptr, Suite::Failure::listed_one);
  EXPECT_EQ(pair->test->add(2, 2), 4);
}

TEST_P(ReplyHandlers, WhatTheyThrowEndsThere) {
  recorder->throws = true;
  pair->test->sendc_noop(handler);
  EXPECT_EQ(recorder->wait_for_one(), "noop");
  pair->test->sendc_fail(handler, Suite::Failure::listed_one);
  EXPECT_EQ(recorder->wait_for_one(), "fail raised Refused");
  recorder->throws = false;
  pair->test->sendc_add(handler, 3, 4);
  EXPECT_EQ(recorder->wait_for_one(), "add 7");
}

TEST_P(ReplyHandlers, ManyAtOnce) {
  constexpr std::size_t calls = 50;
  std::vector<std::string> wanted;
  for (std::size_t i = 0; i < calls; ++i) {
    pair->test->sendc_add(handler, static_cast<std::int32_t>(i), 1000);
    wanted.push_back("add " + std::to_string(1000 + i));
  }
  std::vector<std::string> got = recorder->wait_for(calls);
  std::ranges::sort(got);
  EXPECT_EQ(got, wanted);
}

// A handler is an object like any other: the client that calls need not be where it is.
TEST_P(ReplyHandlers, OfAnotherOrb) {
  const auto far = CORBA::make_reference<Recorder>();
  const HandlerRef there =
      pair->at_client(tenon::publish<Suite::AMI_TestHandler_skeleton>(pair->server_orb->ref(), far));
  pair->test->sendc_mix(there, 6, "abc", Suite::Point(1, 2.5, "label"));
  EXPECT_EQ(far->wait_for_one(), "mix 6 cba label 5");
  pair->test->sendc_fail(there, Suite::Failure::listed_one);
  EXPECT_EQ(far->wait_for_one(), "fail raised Refused");
  EXPECT_TRUE(recorder->quiet());
  EXPECT_TRUE(there->_is_a("IDL:omg.org/Messaging/ReplyHandler:1.0"));
  EXPECT_TRUE(there->_is_a("IDL:Suite/AMI_BaseHandler:1.0"));
  EXPECT_FALSE(there->_is_a("IDL:Suite/Test:1.0"));
}

/// A handler that is no more than C++: nobody else can call it.
class InPlace final : public Suite::AMI_TestHandler {
 public:
  void add(std::int32_t sum) override { got.set_value(std::to_string(sum)); }
  void hold_excep(ExceptionHolderRef holder) override { got.set_value(raised_by(holder)); }
  void fail_excep(ExceptionHolderRef holder) override { got.set_value(raised_by(holder)); }
  std::promise<std::string> got;
};

TEST_P(ReplyHandlers, WithoutAnObject) {
  const auto in_place = CORBA::make_reference<InPlace>();
  pair->test->sendc_add(in_place, 20, 22);
  EXPECT_EQ(in_place->got.get_future().get(), "42");
  // It is told of the exceptions that the operation lists, as an object is.
  const auto another = CORBA::make_reference<InPlace>();
  pair->test->sendc_fail(another, Suite::Failure::listed_one);
  EXPECT_EQ(another->got.get_future().get(), "Refused");
}

// The handler is none that is called over a connection: where that is the one whose only thread holds the call, it would wait, too.
TEST_P(ReplyHandlers, TimeRunsOut) {
  const auto in_place = CORBA::make_reference<InPlace>();
  set_timeout(*pair->test, 50ms);
  pair->test->sendc_hold(in_place, 1);
  EXPECT_EQ(in_place->got.get_future().get(), text_of(errors::reply_timed_out.with(Completion::maybe)));
}

// Where one thread does everything, the handler is called by it, too.
TEST(ReplyHandlersOfASingleThread, AreCalledByTheLoop) {
  ScopedOrb there({"-ORBListenEndpoints", "iiop://127.0.0.1"});
  const auto servant = CORBA::make_reference<TestServant>(*there);
  const auto published = tenon::publish<Suite::Test_skeleton>(there.ref(), servant);
  ScopedOrb here({"-ORBServing", "single-thread", "-ORBListenEndpoints", "iiop://127.0.0.1"});
  const auto recorder = CORBA::make_reference<Recorder>();
  const HandlerRef handler = tenon::publish<Suite::AMI_TestHandler_skeleton>(here.ref(), recorder);
  const TestRef test = seen_by(*here, published);
  const auto loop = [&] {
    return eventually([&] {
      if (here->work_pending()) here->perform_work();
      return !recorder->quiet();
    });
  };
  test->sendc_add(handler, 1, 2);
  ASSERT_TRUE(loop());
  EXPECT_EQ(recorder->wait_for_one(), "add 3");
  test->sendc_fail(handler, Suite::Failure::listed_one);
  ASSERT_TRUE(loop());
  EXPECT_EQ(recorder->wait_for_one(), "fail raised Refused");
  std::int32_t sum = 0;
  test->sendp_add(3, 4)->add(60'000, sum);
  EXPECT_EQ(sum, 7);
}

}  // namespace
}  // namespace tenon::suite
