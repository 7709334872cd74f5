// SPDX-License-Identifier: Apache-2.0
//
// POAManager states as callers see them, and single-threaded POAs.
#include <gtest/gtest.h>

#include <thread>

#include "base/minor_codes.hpp"
#include "poa/poa_test_support.hpp"

namespace tenon::poa::test {
namespace {

using Counts = CountingServant::Counts;

/// Waits for what another thread does; gives up after a time that only a hang takes.
template <typename Condition>
bool eventually(Condition condition) {
  const Deadline deadline = Deadline::after_ms(20000);
  while (!condition()) {
    if (deadline.expired()) return false;
    std::this_thread::yield();
  }
  return true;
}

TEST(Manager, RootStartsHolding) {
  const auto root = make_ref<WholeAdapter>();
  EXPECT_EQ((*root->root_poa())->manager().state(), ManagerState::holding);
  root->shut_down(true);
}

TEST(Manager, HeldRequestsRunAfterActivation) {
  Counts counts;
  Adapter adapter;
  Manager& manager = adapter.poa->manager();
  const Octets key = *adapter.poa->key_of(*make_servant(counts));
  ASSERT_TRUE(manager.hold_requests(false));
  std::atomic<int> answered{0};
  std::thread caller([&] {
    EXPECT_FALSE(adapter.call(key));
    ++answered;
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_EQ(counts.calls, 0);
  EXPECT_EQ(answered, 0);
  ASSERT_TRUE(manager.activate());
  caller.join();
  EXPECT_EQ(counts.calls, 1);
}

// A server creates a persistent POA, then its objects, then lets requests in.
TEST(Manager, ObjectsActivatedWhileHoldingAreFound) {
  Counts counts;
  Adapter adapter;
  Policies policies;
  policies.assignment = Assignment::user_id;
  policies.lifespan = Lifespan::persistent;
  const Ref<WholePoa> poa = *adapter.poa->create_child("shop", nullptr, policies);
  const ObjectId id{'t'};
  std::thread caller([&, key = *poa->make_key(id)] { EXPECT_FALSE(adapter.call(key)); });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  ASSERT_TRUE(poa->activate_with_id(id, *make_servant(counts)));
  ASSERT_TRUE(poa->manager().activate());
  caller.join();
  EXPECT_EQ(counts.calls, 1);
}

TEST(Manager, HeldRequestsAreToldWhenThePoaGoes) {
  Counts counts;
  Adapter adapter;
  const Ref<WholePoa> poa = *adapter.poa->create_child("shop", nullptr, Policies());
  const Octets key = *poa->make_key(*poa->activate(*make_servant(counts)));
  std::thread caller([&] { EXPECT_EQ(adapter.call(key), errors::no_such_adapter); });
  std::this_thread::sleep_for(std::chrono::milliseconds(10));
  EXPECT_TRUE(poa->destroy(true, true));
  caller.join();
  EXPECT_EQ(counts.calls, 0);
  EXPECT_EQ(counts.destroyed, 1);
}

TEST(Manager, HeldRequestsAreLimited) {
  Counts counts;
  Adapter adapter;
  const Octets key = *adapter.poa->key_of(*make_servant(counts));
  ASSERT_TRUE(adapter.poa->manager().hold_requests(false));
  adapter.root->limit_held_requests(1);
  std::atomic<int> refused{0};
  const auto call = [&] {
    const Error error = adapter.call(key);
    if (error) {
      EXPECT_EQ(error, errors::request_discarded);
      ++refused;
    }
  };
  std::thread one(call);
  std::thread two(call);
  EXPECT_TRUE(eventually([&] { return refused == 1; }));
  ASSERT_TRUE(adapter.poa->manager().activate());
  one.join();
  two.join();
  EXPECT_EQ(counts.calls, 1);
}

TEST(Manager, DiscardingAndInactive) {
  Counts counts;
  Adapter adapter;
  Manager& manager = adapter.poa->manager();
  const Octets key = *adapter.poa->key_of(*make_servant(counts));
  ASSERT_TRUE(manager.discard_requests(true));
  EXPECT_EQ(adapter.call(key), errors::request_discarded);
  ASSERT_TRUE(manager.activate());
  EXPECT_FALSE(adapter.call(key));
  ASSERT_TRUE(manager.deactivate(true, true));
  EXPECT_EQ(adapter.call(key), errors::manager_inactive);
  EXPECT_EQ(manager.activate().fault().kind, Exception::manager_inactive);
  EXPECT_EQ(manager.hold_requests(false).fault().kind, Exception::manager_inactive);
  EXPECT_EQ(manager.deactivate(true, false).fault().kind, Exception::manager_inactive);
}

TEST(Manager, SharedByPoasOfOneOrbOnly) {
  Counts counts;
  Adapter adapter;
  Adapter other;
  const Ref<WholePoa> poa = adapter.child("shop", Policies());
  const Octets key = *poa->make_key(*poa->activate(*make_servant(counts)));
  ASSERT_TRUE(adapter.poa->manager().discard_requests(false));
  EXPECT_EQ(adapter.call(key), errors::request_discarded);
  EXPECT_EQ(adapter.poa->create_child("x", Ref<Manager>(&other.poa->manager()), Policies()).fault().error,
            errors::foreign_manager);
}

TEST(Manager, WaitingInsideAnUpcallIsRefused) {
  Counts counts;
  Adapter adapter;
  Manager& manager = adapter.poa->manager();
  auto servant = make_servant(counts, [&](protocol::IncomingCall&) {
    EXPECT_EQ(manager.hold_requests(true).fault().error, errors::would_deadlock);
    EXPECT_EQ(manager.state(), ManagerState::active);
  });
  EXPECT_FALSE(adapter.call(*adapter.poa->key_of(*servant)));
}

TEST(Manager, HoldAndWaitSeesTheLastUpcallEnd) {
  Counts counts;
  Adapter adapter;
  std::atomic<bool> may_end{false};
  const Octets key = *adapter.poa->key_of(*make_servant(
      counts, [&](protocol::IncomingCall&) { EXPECT_TRUE(eventually([&] { return may_end.load(); })); }));
  std::thread caller([&] { EXPECT_FALSE(adapter.call(key)); });
  ASSERT_TRUE(eventually([&] { return counts.running == 1; }));
  std::atomic<bool> waited{false};
  std::thread holder([&] {
    EXPECT_TRUE(adapter.poa->manager().hold_requests(true));
    EXPECT_EQ(counts.running, 0);
    waited = true;
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(10));
  EXPECT_FALSE(waited);
  may_end = true;
  holder.join();
  caller.join();
}

TEST(Manager, SingleThreadPoaRunsOneUpcallAtATime) {
  Counts counts;
  Adapter adapter;
  Policies policies;
  policies.thread = Thread::single_thread;
  const Ref<WholePoa> poa = adapter.child("one", policies);
  Octets keys[2];
  for (Octets& key : keys) {
    key = *poa->make_key(
        *poa->activate(*make_servant(counts, [](protocol::IncomingCall&) { std::this_thread::yield(); })));
  }
  std::thread threads[3];
  for (std::thread& thread : threads) {
    thread = std::thread([&] {
      for (int i = 0; i < 200; ++i) EXPECT_FALSE(adapter.call(keys[i % 2]));
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(counts.calls, 600);
  EXPECT_EQ(counts.most_running, 1);
}

TEST(Manager, SingleThreadPoaLetsItsOwnThreadComeBack) {
  Counts outer;
  Counts inner;
  Adapter adapter;
  Policies policies;
  policies.thread = Thread::single_thread;
  const Ref<WholePoa> poa = adapter.child("one", policies);
  const Octets second = *poa->make_key(*poa->activate(*make_servant(inner)));
  const Octets first = *poa->make_key(*poa->activate(
      *make_servant(outer, [&](protocol::IncomingCall&) { EXPECT_FALSE(adapter.call(second)); })));
  EXPECT_FALSE(adapter.call(first));
  EXPECT_EQ(inner.calls, 1);
}

}  // namespace
}  // namespace tenon::poa::test
