// SPDX-License-Identifier: Apache-2.0
//
// Calls that are taken out of their upcall (IncomingCall::take()) and completed later: over every protocol and in one process, by
// threads that wait and without.
#include <chrono>
#include <thread>

#include <tenon/messaging.hpp>
#include <tenon/timeout.hpp>

#include "orb/server/refuse.hpp"
#include "suite_async.hpp"
#include "tests/orb/taken_test_support.hpp"

namespace tenon::suite {
namespace {

using namespace std::chrono_literals;

const std::string lost = text_of(errors::connection_lost.with(Completion::maybe));

class AskingServant final : public CORBA::servant_traits<Suite::Base>::base_type {
 public:
  std::string who() override { return std::to_string(test->hold(41)); }
  TestRef test;
};

INSTANTIATE_TEST_SUITE_P(All, Taken, ::testing::ValuesIn(all_cases()),
                         [](const auto& each) { return name_of(each.param); });

/// Makes so many calls, each of which another thread completes when its upcall has returned.
void complete_by_another_thread(TakingServant& servant, const TestRef& test, int calls) {
  std::thread other([&] {
    for (int i = 0; i < calls; ++i) {
      Call call = servant.next();
      EXPECT_TRUE(eventually([&] { return servant.upcalls_left == i + 1; }));
      TakingServant::finish(std::move(call));
    }
  });
  for (int i = 0; i < calls; ++i) EXPECT_EQ(test->hold(i), i);
  other.join();
}

TEST_P(Taken, AndCompletedByAnotherThread) { complete_by_another_thread(*servant_, test_, 3); }

TEST_P(Taken, AndCompletedInItsUpcall) {
  servant_->after_take = [](TakingServant& servant) { TakingServant::finish(servant.next()); };
  EXPECT_EQ(test_->hold(5), 5);
  EXPECT_EQ(test_->hold(6), 6);
}

TEST_P(Taken, AndCompletedByAnotherThreadWhileItsUpcallRuns) {
  servant_->after_take = [](TakingServant& servant) {
    std::thread([&] { TakingServant::finish(servant.next()); }).join();
    // What the upcall's thread knows of its request has outlived the request.
    const auto current =
        IDL::traits<PortableServer::Current>::narrow(servant.orb.resolve_initial_references("POACurrent"));
    EXPECT_FALSE(current->get_object_id().empty());
  };
  EXPECT_EQ(test_->hold(5), 5);
}

TEST_P(Taken, AnExceptionOfTheUpcallComesTooLate) {
  servant_->after_take = [](TakingServant&) { throw CORBA::INTERNAL(); };
  std::thread other([&] { TakingServant::finish(servant_->next()); });
  EXPECT_EQ(test_->hold(7), 7);
  other.join();
}

TEST_P(Taken, AndCompletedWithExceptions) {
  std::thread other([&] {
    Call call = servant_->next();
    cdr::Writer& out = call->begin_reply(protocol::ReplyStatus::user_exception);
    out.put_raw_string("IDL:Suite/Refused:1.0");
    out.put_string("not now");
    out.put(std::int32_t{3});
    EXPECT_TRUE(call->finish_reply());
    call = servant_->next();
    orb::refuse(*call, errors::no_thread_left.with(Completion::yes));
    orb::refuse(*call, errors::out_of_memory);  // once is enough
  });
  try {
    test_->fail(Suite::Failure::listed_one);
    ADD_FAILURE();
  } catch (const Suite::Refused& refused) {
    EXPECT_EQ(refused.why(), "not now");
    EXPECT_EQ(refused.code(), 3);
  }
  EXPECT_EQ(outcome_of([&] { test_->hold(1); }), text_of(errors::no_thread_left.with(Completion::yes)));
  other.join();
}

TEST_P(Taken, AndForwarded) {
  const auto elsewhere = CORBA::make_reference<TestServant>(pair->server());
  elsewhere->gate.open(2);
  const TestRef to = tenon::publish<Suite::Test_skeleton>(pair->server_orb->ref(), elsewhere);
  std::thread other([&] {
    const Call call = servant_->next();
    ior::write_ior(call->begin_reply(protocol::ReplyStatus::location_forward), to->_reference()->ior());
    EXPECT_TRUE(call->finish_reply());
  });
  EXPECT_EQ(test_->hold(8), 8);
  other.join();
  EXPECT_EQ(test_->hold(9), 9);
}

// The request is the taken call's own, and so is all that the reply needs.
TEST_P(Taken, AndCompletedAfterTheCallersTime) {
  const Suite::Blob large(big(), 0x5A);
  {
    const TimeoutScope brief(200ms);
    EXPECT_EQ(outcome_of([&] { test_->hold(3); }), timed_out);
  }
  const Call call = servant_->next();
  EXPECT_EQ(call->operation, "hold");
  EXPECT_FALSE(call->object_key.empty());
  EXPECT_EQ(call->arguments.get<std::int32_t>(), 3);
  cdr::Writer& out = call->begin_reply(protocol::ReplyStatus::no_exception);
  out.put_octets(large);
  EXPECT_TRUE(call->finish_reply());
  ASSERT_TRUE(eventually([&] { return servant_->upcalls_left == 1; }));
  servant_->after_take = [](TakingServant& servant) { TakingServant::finish(servant.next()); };
  EXPECT_EQ(test_->hold(4), 4);
}

TEST_P(Taken, LargeOnesToo) {
  const Suite::Blob large(big(), 0x5A);
  std::thread other([&] {
    const Call call = servant_->next();
    EXPECT_TRUE(eventually([&] { return servant_->upcalls_left == 1; }));
    ASSERT_EQ(call->arguments.get<std::uint32_t>(), large.size());
    const ByteView data = call->arguments.get_octets(large.size());
    call->begin_reply(protocol::ReplyStatus::no_exception).put_octet_sequence(data);
    EXPECT_TRUE(call->finish_reply());
  });
  EXPECT_EQ(test_->echo(large), large);
  other.join();
}

TEST_P(Taken, AndDropped) {
  std::thread other([&] { EXPECT_NE(servant_->next(), nullptr); });
  const TimeoutScope brief(200ms);
  EXPECT_EQ(outcome_of([&] { test_->hold(3); }), timed_out);
  other.join();
}

TEST_P(Taken, Twice) {
  std::thread other([&] {
    Call first = servant_->next();
    const Call second = first->take();
    EXPECT_TRUE(first->replied());
    orb::refuse(*first, errors::out_of_memory);
    first.reset();
    const Call third = second->take();
    EXPECT_EQ(third->operation, "hold");
    third->begin_reply(protocol::ReplyStatus::no_exception).put(third->arguments.get<std::int32_t>());
    EXPECT_TRUE(third->finish_reply());
  });
  EXPECT_EQ(test_->hold(11), 11);
  other.join();
}

TEST_P(Taken, Oneways) {
  test_->hold_note(5);
  Call call = servant_->next();
  EXPECT_FALSE(call->response_expected);
  // One behind it, whose upcall begins once that of the first has returned.
  test_->note(6);
  EXPECT_TRUE(eventually([&] { return test_->notes() == std::vector<std::int32_t>{6}; }));
  EXPECT_EQ(call->arguments.get<std::int32_t>(), 5);
  static_cast<void>(call->begin_reply(protocol::ReplyStatus::no_exception));
  EXPECT_TRUE(call->finish_reply());
  test_->hold_note(7);
  call = servant_->next();
  call.reset();
  EXPECT_EQ(test_->add(1, 2), 3);
}

// Oneways whose calls are gone before their upcalls return: what keeps their order does not look at them.
TEST_P(Taken, OnewaysThatAreGoneBeforeTheirUpcalls) {
  servant_->after_take = [](TakingServant& servant) { servant.next().reset(); };
  for (int i = 0; i < 20; ++i) {
    test_->hold_note(i);
    test_->note(i);
  }
  EXPECT_EQ(test_->notes().size(), 20u);
}

TEST_P(Taken, ByManyThreads) {
  constexpr int callers = 4, each = 50;
  std::thread other([&] {
    for (int left = callers * each; left > 0; --left) {
      Call call = servant_->next();
      Call other_one = servant_->next(1ms);  // which is then answered first
      if (other_one && left-- > 0) TakingServant::finish(std::move(other_one));
      TakingServant::finish(std::move(call));
    }
  });
  std::vector<std::thread> threads;
  for (int t = 0; t < callers; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < each; ++i) EXPECT_EQ(test_->hold(1000 * t + i), 1000 * t + i);
    });
  }
  for (std::thread& thread : threads) thread.join();
  other.join();
}

// Time-outs and completions that meet.
TEST_P(Taken, AndCompletedAsTheirTimeRunsOut) {
  std::atomic<bool> ended{false};
  std::thread other([&] {
    while (!ended) {
      if (Call call = servant_->next(1ms)) TakingServant::finish(std::move(call));
    }
  });
  for (int i = 0; i < 30; ++i) {
    const TimeoutScope brief(1ms + i % 3 * 1ms);
    const std::string outcome = outcome_of([&] { EXPECT_EQ(test_->hold(i), i); });
    EXPECT_TRUE(outcome.empty() || has(outcome, "TIMEOUT")) << outcome;
  }
  ended = true;
  other.join();
}

TEST_P(Taken, OfACallerThatIsServedItself) {
  // The caller is a servant, whose connection another thread must read meanwhile: over it comes the call that completes.
  start({"-ORBConnectionsPerEndpoint", "1"});
  servant_->complete_in_noop = true;
  const auto asks = CORBA::make_reference<AskingServant>();
  asks->test = tenon::publish<Suite::Test_skeleton>(pair->server_orb->ref(), servant_);
  const auto asked = pair->at_client(tenon::publish<Suite::Base_skeleton>(pair->server_orb->ref(), asks));
  std::thread other([&] {
    ASSERT_TRUE(eventually([&] { return servant_->upcalls_left == 1; }));
    test_->noop();
  });
  EXPECT_EQ(asked->who(), "42");
  other.join();
}

// --- without a thread that waits ---

TEST_P(Taken, OfAsynchronousCalls) {
  auto first = tenon::async(test_).hold(1);
  auto second = tenon::async(test_).hold(2);
  Call one = servant_->next();
  Call two = servant_->next();
  TakingServant::finish(std::move(two));
  TakingServant::finish(std::move(one));
  EXPECT_EQ(first.get() + second.get(), 3);
  ASSERT_TRUE(eventually([&] { return servant_->upcalls_left == 2; }));
  servant_->after_take = [](TakingServant& servant) { TakingServant::finish(servant.next()); };
  EXPECT_EQ(tenon::async(test_).hold(3).get(), 3);
}

TEST_P(Taken, AsynchronousCallsKeepNoThread) {
  constexpr int count = 300;  // more than there are threads for upcalls
  start({"-ORBPoolThreadsMost", "8"});
  std::vector<decltype(tenon::async(test_).hold(1))> all;
  for (int i = 0; i < count; ++i) all.push_back(tenon::async(test_).hold(i));
  std::vector<Call> calls;
  for (int i = 0; i < count; ++i) calls.push_back(servant_->next());
  for (Call& call : calls) TakingServant::finish(std::move(call));
  int expected = 0;
  for (auto& each : all) EXPECT_EQ(each.get(), expected++);
}

TEST_P(Taken, OfAsynchronousCallsWhoseTimeRunsOut) {
  const TestRef hurried = with(test_, {create_relative_roundtrip_timeout_policy(50 * ms)});
  EXPECT_EQ(outcome_of([&] { tenon::async(hurried).hold(1).get(); }), timed_out);
  TakingServant::finish(servant_->next());
  EXPECT_EQ(outcome_of([&] { tenon::async(hurried).hold(1).get(); }), timed_out);
  servant_->next().reset();
}

TEST_P(Taken, OfAsynchronousCallsWithExceptions) {
  auto refused = tenon::async(test_).fail(Suite::Failure::listed_one);
  Call call = servant_->next();
  cdr::Writer& out = call->begin_reply(protocol::ReplyStatus::user_exception);
  out.put_raw_string("IDL:Suite/Refused:1.0");
  out.put_string("not now");
  out.put(std::int32_t{3});
  EXPECT_TRUE(call->finish_reply());
  EXPECT_THROW(refused.get(), Suite::Refused);
  auto failed = tenon::async(test_).hold(1);
  orb::refuse(*servant_->next(), errors::no_thread_left.with(Completion::yes));
  EXPECT_EQ(outcome_of([&] { failed.get(); }), text_of(errors::no_thread_left.with(Completion::yes)));
}

// --- in an ORB with a single thread, which serves while it waits ---

class TakenInASingleThread : public ::testing::Test {
 protected:
  void TearDown() override {
    test_ = nullptr;
    orb_.destroy();
  }
  ScopedOrb orb_{{"-ORBServing", "single-thread", "-ORBListenEndpoints", "iiop://127.0.0.1"}};
  TakingRef servant_ = CORBA::make_reference<TakingServant>(*orb_);
  TestRef test_ = tenon::publish<Suite::Test_skeleton>(orb_.ref(), servant_);
};

TEST_F(TakenInASingleThread, AndCompletedByItInAnotherUpcall) {
  servant_->complete_in_noop = true;
  const ScopedOrb client;
  std::thread other([&] {
    ASSERT_TRUE(eventually([&] { return servant_->upcalls_left == 1; }));
    seen_by(*client, test_)->noop();
  });
  EXPECT_EQ(test_->hold(1), 2);
  other.join();
}

TEST_F(TakenInASingleThread, AndCompletedByAnotherThread) {
  complete_by_another_thread(*servant_, test_, 10);
}

TEST_F(TakenInASingleThread, OfAThreadThatDoesNotServe) {
  std::thread caller([&] {
    const TestRef test = test_;
    EXPECT_EQ(test->hold(1), 1);
  });
  TakingServant::finish(servant_->next());
  caller.join();
}

TEST_F(TakenInASingleThread, UntilTheCallersTime) {
  const TimeoutScope brief(50ms);
  EXPECT_EQ(outcome_of([&] { test_->hold(1); }), timed_out);
  TakingServant::finish(servant_->next());
  EXPECT_EQ(test_->add(1, 2), 3);
}

TEST_F(TakenInASingleThread, OfAsynchronousCalls) {
  auto first = tenon::async(test_).hold(1);
  auto second = tenon::async(test_).hold(2);
  while (servant_->upcalls_left != 2) orb_->perform_work();
  std::thread other([&] {
    TakingServant::finish(servant_->next());
    TakingServant::finish(servant_->next());
  });
  other.join();
  EXPECT_EQ(first.get() + second.get(), 3);
}

// --- the end of the ORB ---

/// Completes it in a while, so that a server that waits for what it has taken can end.
std::thread later(Call call) {
  return std::thread([call = std::move(call)] {
    std::this_thread::sleep_for(100ms);
    call->begin_reply(protocol::ReplyStatus::no_exception).put(std::int32_t{1});
    static_cast<void>(call->finish_reply());
  });
}

TEST_P(Taken, AndOpenWhenTheCallersOrbEnds) {
  std::string outcome;
  std::thread caller([&] { outcome = outcome_of([&] { test_->hold(1); }); });
  Call call = servant_->next();
  ASSERT_TRUE(eventually([&] { return servant_->upcalls_left == 1; }));
  std::thread completes = later(std::move(call));
  pair->client().destroy();
  caller.join();
  EXPECT_EQ(outcome, lost);
  completes.join();
}

TEST_P(Taken, AndOpenWhenTheCallersOrbEndsWithoutAThreadThatWaits) {
  auto call = tenon::async(test_).hold(1);
  Call taken = servant_->next();
  ASSERT_TRUE(eventually([&] { return servant_->upcalls_left == 1; }));
  std::thread completes = later(std::move(taken));
  pair->client().destroy();
  EXPECT_EQ(outcome_of([&] { call.get(); }), lost);
  completes.join();
}

TEST_P(Taken, AndKeptBeyondTheOrb) {
  test_->hold_note(1);
  const Call call = servant_->next();
  ASSERT_TRUE(eventually([&] { return servant_->upcalls_left == 1; }));
  if (GetParam().serving == "pool" || is_collocated()) {
    test_ = nullptr;
    servant_ = nullptr;
    pair.reset();
  }
  EXPECT_EQ(call->arguments.get<std::int32_t>(), 1);
  static_cast<void>(call->begin_reply(protocol::ReplyStatus::no_exception));
  static_cast<void>(call->finish_reply());
}

}  // namespace
}  // namespace tenon::suite
