// SPDX-License-Identifier: Apache-2.0
//
// ORBs that serve with a single thread: the one in run(), in perform_work(), or in a call that waits for its reply.
#include <dirent.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <atomic>
#include <thread>

#include <tenon/event_loop.hpp>
#include <tenon/messaging.hpp>
#include <tenon/timeout.hpp>

#include "base/minor_codes.hpp"
#include "suite_async.hpp"
#include "tests/orb/raw_peer.hpp"
#include "tests/orb/world.hpp"

namespace tenon::suite {
namespace {

using namespace std::chrono_literals;

Words single_thread(const std::string& protocol, const Words& more = {}) {
  Words options{"-ORBServing", "single-thread", "-ORBListenEndpoints", endpoint_of(protocol)};
  options.insert(options.end(), more.begin(), more.end());
  return options;
}

/// An ORB whose only thread is in run() until the end of the scope.
class Running {
 public:
  explicit Running(const Words& options)
      : orb(options), servant(CORBA::make_reference<TestServant>(*orb)), thread_([this] { orb->run(); }) {}
  ~Running() {
    servant->gate.open(1000);
    stop();
  }
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;
  void stop() {
    orb->shutdown(true);
    if (thread_.joinable()) thread_.join();
  }
  TestRef test_for(CORBA::ORB& client) { return seen_by(client, publish(servant)); }
  template <typename Skeleton>
  CORBA::object_reference<typename Skeleton::_interface> publish(
      const CORBA::servant_reference<Skeleton>& which) {
    return tenon::publish<Skeleton>(orb.ref(), which);
  }
  TestRef publish(const CORBA::servant_reference<TestServant>& which) {
    return tenon::publish<Suite::Test_skeleton>(orb.ref(), which);
  }

  ScopedOrb orb;
  CORBA::servant_reference<TestServant> servant;

 private:
  std::thread thread_;
};

PeerRef peer_of(CORBA::ORB& caller, const OrbRef& orb, const CORBA::servant_reference<PeerServant>& servant) {
  return seen_by(caller, PeerRef(tenon::publish<Suite::Peer_skeleton>(orb, servant)));
}

std::size_t entries(const char* of) {
  std::size_t count = 0;
  DIR* const folder = ::opendir(of);
  while (const dirent* entry = ::readdir(folder)) count += entry->d_name[0] != '.' ? 1 : 0;
  ::closedir(folder);
  return count;
}
std::size_t threads_now() { return entries("/proc/self/task"); }
std::size_t descriptors_now() { return entries("/proc/self/fd"); }

class SingleThread : public ::testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(All, SingleThread, ::testing::Values("iiop", "uiop", "shmiop", "inproc"),
                         [](const auto& each) { return each.param; });

TEST_P(SingleThread, ServesWithoutAnyThreadOfItsOwn) {
  ScopedOrb client({"-ORBServing", "single-thread"});
  const std::size_t before = threads_now();
  Running server(single_thread(GetParam()));
  const TestRef test = server.test_for(*client);
  for (int i = 0; i < 300; ++i) EXPECT_EQ(test->add(i, 1), i + 1);
  const Suite::Blob blob = test->make(2000000);
  EXPECT_EQ(test->echo(blob), blob);
  EXPECT_EQ(outcome_of([&] { test->fail(Suite::Failure::listed_one); }), "Refused");
  EXPECT_EQ(tenon::async(test).add(3, 4).get(), 7);
  // The server's is ours. Others in this process may end meanwhile.
  EXPECT_LE(threads_now(), before + 1);
}

// While either side sends more than the sockets hold, it must read what the other one sends.
TEST_P(SingleThread, LargeRequestsAndRepliesCrossOnOneConnection) {
  Running server(single_thread(GetParam(), {"-ORBSendTimeout", "20000"}));
  ScopedOrb client({"-ORBServing", "single-thread", "-ORBSendTimeout", "20000"});
  const TestRef test = server.test_for(*client);
  const Suite::Blob blob = test->make(8u << 20);
  std::vector<decltype(tenon::async(test).echo(blob))> replies;
  for (int i = 0; i < 6; ++i) replies.push_back(tenon::async(test).echo(blob));
  for (auto& reply : replies) EXPECT_TRUE(reply.get() == blob);
}

TEST_P(SingleThread, ManyClientsAtOnce) {
  Running server(single_thread(GetParam()));
  ScopedOrb client;
  const TestRef test = server.test_for(*client);
  std::atomic<int> sum{0};
  std::vector<std::thread> callers;
  for (int t = 0; t < 8; ++t) {
    callers.emplace_back([&] {
      for (int i = 0; i < 100; ++i) sum += test->add(i, 1) - i;
    });
  }
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(sum, 800);
  EXPECT_EQ(server.servant->adds, 800);
}

TEST_P(SingleThread, ServesWhileItWaits) {
  // The caller is not in run(): its only thread waits for the call that calls it back.
  ScopedOrb here(single_thread(GetParam()));
  Running there(single_thread(GetParam()));
  const auto near = CORBA::make_reference<PeerServant>("near");
  const PeerRef mine = tenon::publish<Suite::Peer_skeleton>(here.ref(), near);
  EXPECT_EQ(there.test_for(*here)->ask(mine), "near");
}

TEST_P(SingleThread, NestedCallbacks) {
  for (const char* connections : {"1", "8"}) {
    const Words more{"-ORBConnectionsPerEndpoint", connections};
    ScopedOrb here(single_thread(GetParam(), more));
    Running there(single_thread(GetParam(), more));
    const auto far = CORBA::make_reference<PeerServant>("far");
    const auto near = CORBA::make_reference<PeerServant>("near");
    const PeerRef theirs = peer_of(*here, there.orb.ref(), far);
    const PeerRef mine = tenon::publish<Suite::Peer_skeleton>(here.ref(), near);
    for (int depth = 0; depth <= 40; depth += 5) EXPECT_EQ(theirs->recurse(mine, depth), depth + 1);
  }
}

TEST_P(SingleThread, AServantCallsItsOwnOrbOverASocket) {
  for (const char* connections : {"1", "8"}) {
    ScopedOrb orb(
        single_thread(GetParam(), {"-ORBCollocation", "no", "-ORBConnectionsPerEndpoint", connections}));
    const auto servant = CORBA::make_reference<PeerServant>("self");
    const PeerRef self = tenon::publish<Suite::Peer_skeleton>(orb.ref(), servant);
    EXPECT_EQ(self->recurse(self, 20), 21);
    EXPECT_EQ(self->who(), "self");
  }
}

TEST_P(SingleThread, ThereIsALimitToNesting) {
  ScopedOrb here(single_thread(GetParam()));
  Running there(single_thread(GetParam(), {"-ORBPoolThreadsMost", "3"}));
  const auto far = CORBA::make_reference<PeerServant>("far");
  const auto near = CORBA::make_reference<PeerServant>("near");
  const PeerRef theirs = peer_of(*here, there.orb.ref(), far);
  const PeerRef mine = tenon::publish<Suite::Peer_skeleton>(here.ref(), near);
  EXPECT_EQ(theirs->recurse(mine, 7), 8);
  EXPECT_EQ(outcome_of([&] { theirs->recurse(mine, 40); }), text_of(errors::calls_nested_too_deep));
  EXPECT_EQ(theirs->recurse(mine, 7), 8);
}

TEST_P(SingleThread, DeadlinesHoldWhileItServes) {
  ScopedOrb here(single_thread(GetParam()));
  Running there(single_thread(GetParam()));
  const TestRef test = there.test_for(*here);
  {
    const TimeoutScope soon(50ms);
    EXPECT_EQ(outcome_of([&] { test->hold(1); }), text_of(errors::reply_timed_out.with(Completion::maybe)));
  }
  there.servant->gate.open();
  EXPECT_EQ(test->add(1, 2), 3);
  // A peer that goes away ends the wait too.
  there.stop();
  const std::string late = outcome_of([&] { test->noop(); });
  EXPECT_TRUE(late.starts_with("TRANSIENT") || late.starts_with("COMM_FAILURE")) << late;
}

TEST_P(SingleThread, OtherThreadsMayCall) {
  Running both(single_thread(GetParam(), {"-ORBCollocation", "no"}));
  Running there(single_thread(GetParam()));
  const TestRef test = there.test_for(*both.orb);
  const TestRef own = both.publish(both.servant);
  std::atomic<int> sum{0};
  std::vector<std::thread> callers;
  for (int t = 0; t < 4; ++t) {
    callers.emplace_back([&] {
      for (int i = 0; i < 100; ++i) sum += test->add(i, 1) + own->add(-i, 1);
    });
  }
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(sum, 800);
}

/// Its oneway calls elsewhere before it returns.
class HeldUpServant final : public TestServant {
 public:
  using TestServant::TestServant;
  void note(std::int32_t number) override {
    if (number == 0) elsewhere->hold(0);
    TestServant::note(number);
  }
  TestRef elsewhere;
};

TEST_P(SingleThread, WhatFollowsAOnewayThatWaitsIsHeldBackAndKeepsItsOrder) {
  // More than are queued for one object: the rest waits in the connection.
  constexpr int many = 3000;
  Running server(single_thread(GetParam()));
  Running third(single_thread(GetParam()));
  ScopedOrb client({"-ORBConnectionsPerEndpoint", "1"});
  const auto asking = CORBA::make_reference<HeldUpServant>(*server.orb);
  asking->elsewhere = third.test_for(*server.orb);
  const TestRef asked =
      seen_by(*client, TestRef(tenon::publish<Suite::Test_skeleton>(server.orb.ref(), asking)));
  const TestRef other = server.test_for(*client);
  asked->note(0);
  ASSERT_TRUE(third.servant->gate.wait_for_waiters(1));
  EXPECT_EQ(other->add(1, 2), 3);  // another object, inside that wait
  std::thread sender([&] {
    for (int i = 1; i < many; ++i) asked->note(i);
  });
  EXPECT_TRUE(asking->notes().empty());
  third.servant->gate.open();
  sender.join();
  const auto notes = asked->notes();
  ASSERT_EQ(notes.size(), static_cast<std::size_t>(many));
  for (int i = 0; i < many; ++i) EXPECT_EQ(notes[static_cast<std::size_t>(i)], i);
}

TEST_P(SingleThread, RequestsAreNotHeldByTheOnlyThread) {
  Running server(single_thread(GetParam()));
  ScopedOrb client;
  const auto root =
      IDL::traits<PortableServer::POA>::narrow(server.orb->resolve_initial_references("RootPOA"));
  const TestRef test = server.test_for(*client);
  EXPECT_EQ(test->add(1, 2), 3);
  root->the_POAManager()->hold_requests(true);
  EXPECT_EQ(outcome_of([&] { test->add(1, 2); }), text_of(errors::only_thread_would_hold));
  root->the_POAManager()->activate();
  EXPECT_EQ(test->add(1, 2), 3);
}

TEST_P(SingleThread, ShutDownInsideAnUpcallEndsRun) {
  Running server(single_thread(GetParam()));
  ScopedOrb client;
  const TestRef test = server.test_for(*client);
  EXPECT_EQ(outcome_of([&] { test->shut_down(true); }), text_of(errors::would_deadlock));
  test->shut_down(false);
  server.stop();
  EXPECT_NE(outcome_of([&] { test->noop(); }), "");
}

TEST_P(SingleThread, RunMayComeAfterCallsThatWaited) {
  Running there(single_thread(GetParam()));
  ScopedOrb here(single_thread(GetParam()));
  const TestRef test = there.test_for(*here);
  EXPECT_EQ(test->add(1, 2), 3);
  // Another thread than the one that made the ORB and waited here.
  std::thread runner([&] { here->run(); });
  const auto near = CORBA::make_reference<PeerServant>("near");
  const PeerRef mine = tenon::publish<Suite::Peer_skeleton>(here.ref(), near);
  ScopedOrb client;
  EXPECT_EQ(seen_by(*client, mine)->who(), "near");
  EXPECT_EQ(test->ask(mine), "near");
  here->shutdown(true);
  runner.join();
}

// --- the program's own loop ---

/// Something else that a program's loop waits for.
class Bell {
 public:
  Bell() : fd_(::eventfd(0, EFD_CLOEXEC)) {}
  ~Bell() { ::close(fd_); }
  Bell(const Bell&) = delete;
  Bell& operator=(const Bell&) = delete;
  void ring() {
    const std::uint64_t one = 1;
    EXPECT_EQ(::write(fd_, &one, sizeof one), static_cast<ssize_t>(sizeof one));
  }
  int descriptor() const { return fd_; }

 private:
  const int fd_;
};

/// Polls and works until `done`, or until the bell rings.
void loop(CORBA::ORB& orb, const Bell& bell, const std::function<bool()>& done = [] { return false; }) {
  pollfd watched[] = {{work_descriptor(orb), POLLIN, 0}, {bell.descriptor(), POLLIN, 0}};
  while (!done() && watched[1].revents == 0) {
    ASSERT_GT(::poll(watched, 2, 60000), 0) << "the descriptor shows no work";
    while (orb.work_pending()) orb.perform_work();
  }
}

TEST_P(SingleThread, InsideALoopOfTheProgram) {
  ScopedOrb here(single_thread(GetParam()));
  const auto servant = CORBA::make_reference<TestServant>(*here);
  const TestRef published = tenon::publish<Suite::Test_skeleton>(here.ref(), servant);
  Bell over;
  std::thread caller([&] {
    ScopedOrb client({"-ORBConnectionsPerEndpoint", "1"});
    const TestRef test = seen_by(*client, published);
    for (int i = 0; i < 50; ++i) EXPECT_EQ(test->add(i, 1), i + 1);
    // Several requests that come in one piece: not all of them show as input.
    for (int i = 0; i < 200; ++i) test->note(i);
    EXPECT_EQ(test->notes().size(), 200u);
    over.ring();
  });
  loop(*here, over);
  caller.join();
  EXPECT_EQ(servant->adds, 50);
}

TEST_P(SingleThread, TheLoopEndsCallsThatItDoesNotWaitFor) {
  Running there(single_thread(GetParam()));
  ScopedOrb here(single_thread(GetParam()));
  const TestRef test = there.test_for(*here);
  (void)here->work_pending();
  here->perform_work();  // from here on the loop's thread is the one that serves
  int ended = 0;
  std::thread::id on;
  for (int i = 0; i < 20; ++i) {
    auto reply = tenon::async(test).add(i, 1);
    std::move(reply).then([&, i](tenon::Reply<std::int32_t> result) {
      EXPECT_EQ(result.get(), i + 1);
      on = std::this_thread::get_id();
      ++ended;
    });
  }
  const Bell never;
  loop(*here, never, [&] { return ended == 20; });
  EXPECT_EQ(on, std::this_thread::get_id());
  // One whose time runs out shows too.
  bool late = false;
  {
    const TimeoutScope soon(50ms);
    tenon::async(test).hold(1).then([&](tenon::Reply<std::int32_t> result) {
      EXPECT_EQ(outcome_of([&] { result.get(); }), text_of(errors::reply_timed_out.with(Completion::maybe)));
      late = true;
    });
  }
  loop(*here, never, [&] { return late; });
}

/// Calls that a silent server does not answer, started by this thread, and what becomes of them.
class TimeIsKept : public ::testing::Test {
 protected:
  static constexpr int calls = 40;

  // Before the ORB, which ends what is left when it goes.
  int ended = 0;
  std::atomic<int> seen{0};  // the same for other threads
  std::string last;

  void start(const std::string& url) {
    const TestRef test = IDL::traits<Suite::Test>::unchecked_narrow(here->string_to_object(url));
    const TimeoutScope soon(100ms);
    for (int i = 0; i < calls; ++i) {
      tenon::async(test).add(i, 1).then([this](tenon::Reply<std::int32_t> result) {
        last = outcome_of([&] { static_cast<void>(result.get()); });
        seen = ++ended;
      });
    }
  }
  /// What the thread does instead of anything with the ORB.
  static void something_else() { std::this_thread::sleep_for(150ms); }

  const RawServer silent{[](RawSocket& peer) {
    while (!peer.receive_message().empty()) {}
  }};
  ScopedOrb here{single_thread("iiop")};
};

TEST_F(TimeIsKept, ByOnePerformWork) {
  start(silent.url());
  something_else();
  EXPECT_EQ(ended, 0);
  here->perform_work();
  EXPECT_EQ(ended, calls);
  EXPECT_EQ(last, text_of(errors::reply_timed_out.with(Completion::maybe)));
}

TEST_F(TimeIsKept, ByACallThatWaits) {
  Running there(single_thread("iiop"));
  const TestRef test = there.test_for(*here);
  EXPECT_EQ(test->add(1, 2), 3);
  start(silent.url());
  something_else();
  EXPECT_EQ(test->add(1, 2), 3);
  EXPECT_EQ(ended, calls);
}

// Nothing is waited for: no answer comes from there, nor does this call time out.
TEST_F(TimeIsKept, ByACallThatFailsAtOnce) {
  start(silent.url());
  something_else();
  const TestRef gone =
      IDL::traits<Suite::Test>::unchecked_narrow(here->string_to_object("corbaloc::127.0.0.1:1/gone"));
  EXPECT_TRUE(has(outcome_of([&] { gone->add(1, 2); }), "NO"));
  EXPECT_EQ(ended, calls);
}

// Handlers are not run there, but their connections are set aside for that, and those set aside before are closed: there are never more
// than twice those that calls may use. A reminder keeps the descriptor of a closed one for up to a second.
TEST_F(TimeIsKept, ByACallThatIsStarted) {
  start(silent.url());
  const std::size_t descriptors = descriptors_now();
  for (int i = 0; i < 10; ++i) {
    something_else();
    start(silent.url());
  }
  constexpr std::size_t aside = 2 * 8;  // both ends are in this process
  int starts = 11;
  do {
    std::this_thread::sleep_for(1200ms);
    start(silent.url());
    ++starts;
  } while (descriptors_now() > descriptors + 2 * aside && starts < 30);
  EXPECT_EQ(ended, 0);
  EXPECT_LE(descriptors_now(), descriptors + 2 * aside);
  // Those of the last start() have time left.
  here->perform_work();
  EXPECT_GE(ended, (starts - 1) * calls);
  something_else();
  here->perform_work();
  EXPECT_EQ(ended, starts * calls);
}

TEST_F(TimeIsKept, ByRun) {
  start(silent.url());
  something_else();
  std::thread watch([this] {
    EXPECT_TRUE(eventually([this] { return seen == calls; }));
    here->shutdown(false);
  });
  here->run();
  watch.join();
}

// Nobody listens, so nothing was executed, whenever this is found out.
TEST_F(TimeIsKept, OfCallsThatCouldNotBeSent) {
  start("corbaloc::127.0.0.1:1/gone");
  something_else();
  here->perform_work();
  EXPECT_EQ(ended, calls);
  EXPECT_TRUE(last.starts_with("TRANSIENT") || last.starts_with("TIMEOUT")) << last;
  EXPECT_TRUE(last.ends_with(" NO")) << last;
}

TEST(EventLoop, WorkOfMainThreadPoasShowsAtTheDescriptor) {
  ScopedOrb orb({"-ORBListenEndpoints", "iiop://127.0.0.1"});
  const auto root = IDL::traits<PortableServer::POA>::narrow(orb->resolve_initial_references("RootPOA"));
  root->the_POAManager()->activate();
  const auto poa =
      root->create_POA("main", root->the_POAManager(),
                       {root->create_thread_policy(PortableServer::ThreadPolicyValue::MAIN_THREAD_MODEL)});
  const auto servant = CORBA::make_reference<TestServant>(*orb);
  const auto id = poa->activate_object(servant);
  const TestRef test = IDL::traits<Suite::Test>::unchecked_narrow(poa->id_to_reference(id));
  orb->perform_work();  // this thread is the main one
  std::atomic<int> sum{0};
  Bell over;
  std::thread caller([&] {
    for (int i = 0; i < 20; ++i) sum += test->add(i, 1) - i;
    over.ring();
  });
  loop(*orb, over);
  caller.join();
  EXPECT_EQ(sum, 20);
  pollfd watched{work_descriptor(*orb), POLLIN, 0};
  EXPECT_EQ(::poll(&watched, 1, 0), 0);
  EXPECT_FALSE(orb->work_pending());
}

}  // namespace
}  // namespace tenon::suite
