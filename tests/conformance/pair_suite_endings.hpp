// SPDX-License-Identifier: Apache-2.0
//
// Of pair_suite.hpp: calls that do not come to a good end. Each ends, in its time, and says what is known of it.
#pragma once

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>

#include <tenon/timeout.hpp>

#include "suite_async.hpp"
#include "tests/conformance/pair_suite.hpp"

namespace tenon::conformance {

using namespace std::chrono_literals;

// --- time-outs and cancellation ---

TEST_P(PairSuite, TimeOutsSpareOtherCalls) {
  const Pair& one = again({"-ORBPoolThreads", "6"}, {"-ORBConnectionsPerEndpoint", "1"});
  one.test->noop();  // a handshake may take longer than the call may
  {
    const TimeoutScope brief(50ms);
    EXPECT_EQ(outcome_of([&] { one.test->hold(1); }),
              text_of(errors::reply_timed_out.with(Completion::maybe)));
  }
  const TestRef brief = suite::with(one.test, {create_relative_roundtrip_timeout_policy(50 * suite::ms)});
  EXPECT_EQ(outcome_of([&] { brief->hold(2); }).substr(0, 7), "TIMEOUT");
  if (!one_thread()) {
    EXPECT_EQ(one.test->add(1, 2), 3) << "beside the two that the servant still holds";
  }
  one.servant->gate.open(2);
  for (int i = 0; i < 10; ++i) EXPECT_EQ(one.test->add(i, 2), i + 2);
}

TEST_P(PairSuite, CancelledCallsSpareOthers) {
  const Pair& one =
      again({"-ORBPoolThreads", "6"}, {"-ORBConnectionsPerEndpoint", "1", "-ORBCancelRequests", "yes"});
  auto cancelled = async(one.test).hold(1);
  ASSERT_TRUE(one.servant->gate.wait_for_waiters(1));
  cancelled.cancel();
  EXPECT_EQ(outcome_of([&] { cancelled.get(); }), text_of(errors::request_cancelled.with(Completion::maybe)));
  one.servant->gate.open();
  for (int i = 0; i < 10; ++i) EXPECT_EQ(one.test->add(i, 2), i + 2);
}

// A server forgets a request of which fragments are still to come.
TEST_P(PairSuite, CancelRequestEndsFragments) {
  const RawClient raw(GetParam().protocol, pair->test);
  const auto link = raw.connect();
  ASSERT_TRUE(link);
  Octets id;
  put_ulong(id, 2);
  ASSERT_TRUE(link->send(giop_request(2, raw.key(), "add", {}, true, true)));
  ASSERT_TRUE(link->send(giop_message(cancel_request, id)));
  ASSERT_TRUE(link->send(giop_request(4, raw.key(), "add", two_longs(20, 22))));
  const Octets answer = link->receive_message();
  EXPECT_EQ(kind_of(answer), reply);
  EXPECT_EQ(ulong_at(answer, 12), 4u);
  EXPECT_EQ(ulong_at(answer, 24), 42u);
}

TEST_P(PairClientSuite, TimeOutWhereNobodyAnswers) {
  const RawServer silent(protocol(), [](RawLink& link) {
    while (!link.receive_message().empty()) {}
  });
  ScopedOrb client({"-ORBCallTimeout", "200"});
  const TestRef test = silent.at(*client);
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(outcome_of([&] { test->noop(); }), text_of(errors::reply_timed_out.with(Completion::maybe)));
  client.destroy();
}

/// A call with a message that is larger than anything on the way holds.
inline void time_out_where_nobody_reads(const std::string& protocol, Words client_options) {
  std::atomic<bool> done{false};
  const RawServer deaf(protocol, [&](RawLink&) {
    while (!done) std::this_thread::sleep_for(1ms);
  });
  {
    client_options.insert(client_options.end(), {"-ORBSendTimeout", "50"});
    ScopedOrb client(client_options);
    const TestRef test = deaf.at(*client);
    const Suite::Blob blob(20'000'000);
    EXPECT_EQ(outcome_of([&] { test->sum(blob); }), text_of(errors::send_timed_out));
    const TimeoutScope brief(300ms);  // which the next connection's handshake has to do with, too
    EXPECT_EQ(outcome_of([&] { test->sum(blob); }), text_of(errors::send_timed_out));
    client.destroy();
  }
  done = true;
}

TEST_P(PairClientSuite, TimeOutWhereNobodyReads) { time_out_where_nobody_reads(protocol(), {}); }

// It takes in replies while it waits for room, and knows of room by the poller alone.
TEST_P(PairClientSuite, TimeOutOfASingleThreadWhereNobodyReads) {
  std::string why;
  const auto acceptor = plugin_of(protocol())->listen(suite::endpoint_of(protocol()), why);
  ASSERT_TRUE(acceptor) << why;
  if (!acceptor->poll_descriptor()) GTEST_SKIP() << "nothing that a single thread could watch";
  time_out_where_nobody_reads(protocol(), {"-ORBServing", "single-thread"});
}

// --- connections that are closed while calls go on ---

// The server goes while calls are under way, again and again: each call is answered or told why, and what was sent to a server that
// closed in order is sent again to the next one.
TEST_P(PairSuite, ServersThatCloseUnderLoad) {
  const Case& which = GetParam();
  struct Server {
    Server(const std::string& endpoint, const std::string& serving)
        : orb({"-ORBListenEndpoints", endpoint, "-ORBServing", serving}), run_thread(orb, serving) {
      tenon::publish<Suite::Test_skeleton>(orb.ref(), CORBA::make_reference<suite::TestServant>(*orb),
                                           "here");
    }
    ScopedOrb orb;
    suite::RunThread run_thread;
  };
  auto server = std::make_unique<Server>(suite::endpoint_of(which.protocol), which.serving);
  const std::string endpoint = server->orb->_endpoints().front();
  const std::string text = tenon::corbaloc(server->orb.ref(), "here");
  CallerThreads callers(
      4, [test = IDL::traits<Suite::Test>::unchecked_narrow(pair->client().string_to_object(text))](int t) {
        EXPECT_EQ(test->add(t, 2), t + 2);
      });
  for (int round = 0; round < 5; ++round) {
    EXPECT_TRUE(callers.more_good(20));
    server.reset();
    server = std::make_unique<Server>(endpoint, which.serving);
  }
  EXPECT_TRUE(callers.more_good(20));
  callers.stop();
  for (const std::string& each : callers.outcomes())
    EXPECT_TRUE(each.empty() || is_server_gone(each) || each.starts_with("OBJECT_NOT_EXIST")) << each;
}

// Each call ends, and a oneway whose caller was told that it had been executed has been.
TEST_P(PairSuite, ShutdownUnderLoad) {
  const TestRef known = suite::with(pair->test, {create_sync_scope_policy(Messaging::SYNC_WITH_TARGET)});
  std::atomic<int> noted{0};
  CallerThreads callers(6, [&](int t) {
    if (t < 3) {
      EXPECT_EQ(pair->test->add(t, 2), t + 2);
    } else {
      known->note(t);
      ++noted;
    }
  });
  EXPECT_TRUE(callers.more_good(200));
  pair->server().shutdown(true);
  EXPECT_TRUE(eventually([&, before = callers.bad()] { return callers.bad() >= before + 6; }));
  callers.stop();
  for (const std::string& each : callers.outcomes())
    EXPECT_TRUE(each.empty() || is_server_gone(each) || each.starts_with("OBJECT_NOT_EXIST")) << each;
  EXPECT_GE(pair->servant->notes().size(), static_cast<std::size_t>(noted));
}

// Only transports that know how long they have been idle are closed for that.
TEST_P(PairSuite, IdleConnectionsCloseUnderLoad) {
  const Pair& one = again({"-ORBServerIdle", "10"}, {"-ORBClientIdle", "13"});
  if (RawClient(GetParam().protocol, one.test).connect()->ms_idle() < 0)
    GTEST_SKIP() << "this transport cannot tell how long it has been idle";
  std::atomic<int> right{0}, not_executed{0};
  std::vector<std::thread> callers;
  for (int t = 0; t < 3; ++t) {
    callers.emplace_back([&, t] {
      for (int i = 0; i < 40; ++i) {
        const std::string outcome = outcome_of([&] { right += one.test->add(i, t) == i + t ? 1 : 0; });
        // A connection that was idle since it was opened for this very call.
        not_executed += outcome == text_of(errors::peer_closed_connection) ? 1 : 0;
        std::this_thread::sleep_for(std::chrono::microseconds(10'000 + (i * 7919 + t * 104'729) % 9'000));
      }
    });
  }
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(right + not_executed, 3 * 40);
  EXPECT_EQ(one.servant->adds, right) << "none was executed twice";
}

// §9.5.1.1 of GIOP: what has no reply when CloseConnection comes was not executed, and is sent again.
TEST_P(PairClientSuite, CallsThatCrossCloseConnection) {
  std::atomic<int> answered{0};
  const RawServer closing(protocol(), [&](RawLink& link) {
    for (int left = 3;; --left) {
      const Octets asked = link.receive_message();
      if (asked.empty() || kind_of(asked) == close_connection) return;
      if (left == 0) break;
      if (kind_of(asked) != request) continue;
      ++answered;
      if (!link.send(giop_reply(ulong_at(asked, 12), 0, 5))) return;
    }
    link.send(giop_message(close_connection, {}));
    while (!link.receive_message().empty()) {}
  });
  ScopedOrb client({"-ORBConnectionsPerEndpoint", "2"});
  const TestRef test = closing.at(*client);
  std::atomic<int> good{0}, told{0};
  std::vector<std::thread> callers;
  for (int t = 0; t < 4; ++t) {
    callers.emplace_back([&] {
      for (int i = 0; i < 25; ++i) {
        const std::string outcome = outcome_of([&] { good += test->add(1, 2) == 5 ? 1 : 0; });
        const bool closed = outcome == text_of(errors::peer_closed_connection);
        told += closed ? 1 : 0;
        EXPECT_TRUE(outcome.empty() || closed) << outcome;
      }
    });
  }
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(good + told, 100);
  EXPECT_EQ(answered, good);
  EXPECT_GT(closing.connections(), 10);
  client.destroy();
}

// A oneway behind a CloseConnection that has been there for a while is not lost.
TEST_P(PairClientSuite, OnewaysBehindCloseConnection) {
  std::atomic<int> came{0};
  const RawServer closing(protocol(), [&](RawLink& link) {
    if (kind_of(link.receive_message()) == request) ++came;
    link.send(giop_message(close_connection, {}));
    while (!link.receive_message().empty()) {}
  });
  ScopedOrb client;
  const TestRef test = closing.at(*client);
  for (int i = 1; i <= 2; ++i) {
    EXPECT_EQ(outcome_of([&] { test->note(i); }), "");
    EXPECT_TRUE(eventually([&] { return came == i; })) << i;
    // Longer than a connection is used without having been looked at.
    if (i == 1) std::this_thread::sleep_for(700ms);
  }
  EXPECT_EQ(closing.connections(), 2);
  client.destroy();
}

// --- peers that die ---

inline OtherProcess::OtherProcess(const std::string& role, const Case& which, const std::string& reference) {
  std::string path(4096, '\0');
  const ssize_t size = ::readlink("/proc/self/exe", path.data(), path.size());
  path.resize(size > 0 ? static_cast<std::size_t>(size) : 0);
  std::string words[] = {path, "--gtest_filter=PairProcess.*", "--gtest_also_run_disabled_tests"};
  char* const arguments[] = {words[0].data(), words[1].data(), words[2].data(), nullptr};
  std::string settings[] = {"TENON_PAIR_ROLE=" + role, "TENON_PAIR_PROTOCOL=" + which.protocol,
                            "TENON_PAIR_SERVING=" + which.serving, "TENON_PAIR_REFERENCE=" + reference};
  std::vector<char*> environment;
  for (std::string& each : settings) environment.push_back(each.data());
  for (char** each = environ; *each != nullptr; ++each) environment.push_back(*each);
  environment.push_back(nullptr);
  int ends[2];
  if (::pipe(ends) != 0) return;
  pid_ = ::fork();
  if (pid_ == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    ::dup2(ends[1], STDOUT_FILENO);
    ::close(ends[0]);
    ::close(ends[1]);
    ::execve(words[0].c_str(), arguments, environment.data());
    ::_exit(127);
  }
  ::close(ends[1]);
  std::FILE* const out = ::fdopen(ends[0], "r");
  char line[16384];
  while (reference_.empty() && std::fgets(line, sizeof line, out) != nullptr) {
    if (std::strncmp(line, "IOR:", 4) == 0) reference_.assign(line, std::strcspn(line, "\n"));
  }
  std::fclose(out);
}

inline void OtherProcess::kill() noexcept {
  if (pid_ <= 0) return;
  ::kill(pid_, SIGKILL);
  ::waitpid(pid_, nullptr, 0);
  pid_ = 0;
}

/// What an OtherProcess runs, until it is killed.
TEST(PairProcess, DISABLED_Runs) {
  const auto setting = [](const char* name) -> std::string {
    const char* const value = std::getenv(name);
    return value == nullptr ? "" : value;
  };
  const Case which{setting("TENON_PAIR_PROTOCOL"), setting("TENON_PAIR_SERVING")};
  if (which.protocol.empty()) GTEST_SKIP() << "for the suite itself";
  if (setting("TENON_PAIR_ROLE") == "server") {
    const Pair one(which);
    std::printf("%s\n", one.server().object_to_string(one.test).c_str());
    std::fflush(stdout);
    while (true) ::pause();
  }
  const ScopedOrb client;
  const TestRef test =
      IDL::traits<Suite::Test>::unchecked_narrow(client->string_to_object(setting("TENON_PAIR_REFERENCE")));
  const Suite::Blob blob = test->make(4'000'000);
  std::printf("IOR:none\n");
  std::fflush(stdout);
  CallerThreads holding(1, [&](int) { test->hold(1); });
  CallerThreads sending(2, [&](int) { test->echo(blob); });
  while (true) ::pause();
}

TEST_P(PairSuite, ServerKilledInACall) {
  if (!GetParam().other_processes) GTEST_SKIP() << "of one process";
  OtherProcess server("server", GetParam());
  const TestRef test =
      IDL::traits<Suite::Test>::unchecked_narrow(pair->client().string_to_object(server.reference()));
  EXPECT_EQ(test->add(1, 2), 3);
  std::atomic<int> over{0};
  std::vector<std::thread> callers;
  for (int t = 0; t < 3; ++t) {
    callers.emplace_back([&] {
      const std::string outcome = outcome_of([&] { test->hold(1); });
      EXPECT_TRUE(is_server_gone(outcome)) << outcome;
      ++over;
    });
  }
  // Whether the servant holds them already cannot be asked where a single thread serves.
  std::this_thread::sleep_for(100ms);
  EXPECT_EQ(over, 0);
  server.kill();
  for (std::thread& each : callers) each.join();
  const std::string later = outcome_of([&] { test->add(1, 2); });
  EXPECT_TRUE(is_server_gone(later)) << later;
}

TEST_P(PairSuite, ServerKilledInLargeMessages) {
  if (!GetParam().other_processes) GTEST_SKIP() << "of one process";
  const Suite::Blob blob = pair->servant->make(GetParam().large);
  OtherProcess server("server", GetParam());
  const TestRef test =
      IDL::traits<Suite::Test>::unchecked_narrow(pair->client().string_to_object(server.reference()));
  CallerThreads callers(3, [&](int) { EXPECT_TRUE(test->echo(blob) == blob); });
  EXPECT_TRUE(callers.more_good(3));
  server.kill();
  EXPECT_TRUE(eventually([&] { return callers.bad() >= 3; }));
  callers.stop();
  for (const std::string& each : callers.outcomes())
    EXPECT_TRUE(each.empty() || is_server_gone(each)) << each;
}

// In a call that is being executed, and while large messages travel both ways: others are served, and nothing stays of it.
TEST_P(PairSuite, ClientKilled) {
  if (!GetParam().other_processes) GTEST_SKIP() << "of one process";
  EXPECT_EQ(pair->test->add(1, 2), 3);
  const std::ptrdiff_t before = suite::open_descriptors();
  for (int round = 0; round < 2; ++round) {
    OtherProcess client("client", GetParam(), pair->client().object_to_string(pair->test));
    ASSERT_TRUE(pair->servant->gate.wait_for_waiters(1));
    // The single thread is the one that holds.
    if (one_thread()) pair->servant->gate.open(1);
    std::this_thread::sleep_for(20ms);
    client.kill();
    pair->servant->gate.open(1);
    EXPECT_TRUE(eventually([&] { return outcome_of([&] { pair->test->add(1, 2); }).empty(); }));
  }
  EXPECT_TRUE(eventually([&] { return suite::open_descriptors() <= before; })) << suite::descriptor_names();
}

}  // namespace tenon::conformance
