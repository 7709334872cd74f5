// SPDX-License-Identifier: Apache-2.0
//
// The budget of one two-way request in steady state, over TCP with one thread per connection: system calls, heap, functions,
// locks. docs/one-request.md tells of the same request; page_test.cpp makes it.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <mutex>
#include <set>
#include <thread>

#include "base/absent_test_support.hpp"
#include "one_request.hpp"
#include "symbols.hpp"
#include "trace.hpp"
#include "world.hpp"

namespace tenon::walk {
namespace {

constexpr int calls = 200;

std::string text_of(const CallCounts& counts) {
  std::string out;
  for (const auto& [number, times] : counts)
    out += system_call_name(number) + " x " + std::to_string(times) + "; ";
  return out;
}

unsigned sum_of(const CallCounts& counts) {
  unsigned sum = 0;
  for (const auto& [number, times] : counts) sum += times;
  return sum;
}

// One send and one receive per side and call, and nothing else in the threads that take part.
TEST(Budget, SystemCalls) {
  const Trace trace = trace_calls(calls);
  if (!trace.problem.empty()) TENON_ABSENT("NO SYSTEM CALL WAS COUNTED: ptrace: " + trace.problem);
  ASSERT_EQ(trace.intervals.size(), 2u);
  for (std::size_t i = 0; i < trace.intervals.size(); ++i) {
    const unsigned expected = calls * static_cast<unsigned>(i + 1);
    const auto& threads = trace.intervals[i];
    unsigned taking_part = 0;
    for (const auto& [thread, counts] : threads) {
      if (!takes_part(counts)) {
        EXPECT_LT(sum_of(counts), expected / 2) << "a third thread took part: " << text_of(counts);
        continue;
      }
      ++taking_part;
      SCOPED_TRACE((thread == trace.main_thread ? "caller: " : "server: ") + text_of(counts));
      unsigned sends = 0;
      unsigned receives = 0;
      unsigned others = 0;
      for (const auto& [number, times] : counts) {
        const std::string name = system_call_name(number);
        (name == "sendto" ? sends : name == "recvfrom" ? receives : others) += times;
      }
      // The server's thread may wait for its next request before or after the mark.
      const unsigned slack = thread == trace.main_thread ? 0 : 1;
      EXPECT_NEAR(sends, expected, slack);
      EXPECT_NEAR(receives, expected, slack);
      EXPECT_EQ(others, 0u);
    }
    EXPECT_EQ(taking_part, 2u);
  }
}

// Client and server together, as the difference between N and 2N calls.
TEST(Budget, NoHeapAllocation) {
  World world;
  count_allocations_here();
  const auto allocated_by = [&](int times) {
    const unsigned long before = allocations();
    for (int i = 0; i < times; ++i) {
      world.calc->noop();
      if (world.calc->add(i, 40) != i + 40) ADD_FAILURE() << "a wrong sum";
    }
    return allocations() - before;
  };
  const unsigned long once = allocated_by(calls);
  const unsigned long twice = allocated_by(2 * calls);
  EXPECT_EQ(twice, once);
  EXPECT_EQ(once, 0u);
}

// The counters count: what the test above would not notice if they did not.
TEST(Budget, AllocationsAreSeen) {
  count_allocations_here();
  const unsigned long before = allocations();
  const auto kept = std::make_unique<std::vector<int>>(100);
  EXPECT_EQ(allocations() - before, 2u);
}

TEST(Budget, FunctionsFromStubToSystemCall) {
  if (!optimised()) GTEST_SKIP() << "functions are not inlined in this build";
  const OneRequest request = observe_one_request();
  EXPECT_LE(request.client_send.size(), 8u) << testing::PrintToString(request.client_send);
  ASSERT_FALSE(request.client_send.empty());
  EXPECT_EQ(request.client_send.front(), "Walk::Calc::add");
  EXPECT_EQ(request.client_send.back(), "tenon::stream::StreamTransport::send");
}

std::string text_of(const std::vector<WrittenFunction>& functions) {
  std::string out;
  for (const WrittenFunction& each : functions)
    out += "\n  " + each.name + " (" + std::to_string(lines_of(each)) + " lines), " + each.file + ':' +
           std::to_string(each.line);
  return out;
}

// What a reader of the sources goes through, whatever the compiler makes of it.
TEST(Budget, FunctionsAsTheyAreWritten) {
  const OneRequest request = observe_one_request();
#ifndef TENON_PAGE_BUILD
  if (request.stub_to_syscall.empty()) GTEST_SKIP() << "this build has no debug information";
#endif
  ASSERT_FALSE(request.stub_to_syscall.empty() || request.syscall_to_servant.empty());
  RecordProperty("stub_to_syscall_functions", static_cast<int>(request.stub_to_syscall.size()));
  RecordProperty("syscall_to_servant_functions", static_cast<int>(request.syscall_to_servant.size()));
  EXPECT_LE(request.stub_to_syscall.size(), 8u) << text_of(request.stub_to_syscall);
  EXPECT_LE(request.syscall_to_servant.size(), 11u) << text_of(request.syscall_to_servant);
  EXPECT_EQ(request.stub_to_syscall.back().name, "tenon::net::send_bytes");
  EXPECT_EQ(request.syscall_to_servant.back().name, "tenon::walk::CalcServant::add");
  for (const auto& functions : {request.stub_to_syscall, request.syscall_to_servant}) {
    for (const WrittenFunction& each : functions) {
      EXPECT_GT(lines_of(each), 0) << text_of({each});
      EXPECT_LE(lines_of(each), 60) << text_of({each});
    }
  }
}

std::set<const void*> mutexes(const Recording& recording, const std::set<pid_t>& threads) {
  std::set<const void*> found;
  for (const LockUse& use : recording.locks()) {
    if (threads.contains(use.thread)) found.insert(use.mutex);
  }
  return found;
}

/// The mutexes that calls lock, client and server, in steady state.
std::set<const void*> locks_of(Walk::Calc& calc, const CalcServant& servant) {
  for (int i = 0; i < 3; ++i) static_cast<void>(calc.add(i, 40));
  Recording recording;
  for (int i = 0; i < calls; ++i) static_cast<void>(calc.add(i, 40));
  recording.stop();
  EXPECT_FALSE(recording.overflowed());
  return mutexes(recording, {::gettid(), servant.thread.load()});
}

// A call that is alone on its connection locks no mutex, whoever else calls over other connections.
TEST(Budget, NoMutex) {
  World world;
  EXPECT_EQ(locks_of(*world.calc, *world.servant), std::set<const void*>());

  const ScopedOrb stranger;
  const CalcRef from_stranger = stranger.calc(world.url);
  EXPECT_EQ(locks_of(*from_stranger, *world.servant), std::set<const void*>());

  // While a call is in flight on the first connection, this client's next call takes another one.
  std::thread holder([&] { world.calc->hold(); });
  while (world.servant->holding.load() == 0) std::this_thread::yield();
  EXPECT_EQ(locks_of(*world.calc, *world.servant), std::set<const void*>());
  world.servant->gate.release();
  holder.join();
}

// What the test above would not notice if mutexes were not seen.
TEST(Budget, MutexesAreSeen) {
  std::mutex mutex;
  Recording recording;
  mutex.lock();
  mutex.unlock();
  recording.stop();
  EXPECT_EQ(mutexes(recording, {::gettid()}).count(mutex.native_handle()), 1u);
}

}  // namespace
}  // namespace tenon::walk
