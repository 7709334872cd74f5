// SPDX-License-Identifier: Apache-2.0
//
// Servant managers and adapter activators while requests run, objects are evicted and POAs are destroyed. The tests check that every call
// has one of the replies that it may have, incarnations and etherealizations alternate and never overlap, and no servant outlives its POA.
// Run under TSan too.
#include <gtest/gtest.h>

#include <map>

#include "base/minor_codes.hpp"
#include "poa/manager_test_support.hpp"

namespace tenon::poa::test {
namespace {

using Counts = CountingServant::Counts;

constexpr int switches = 150;

class ManagerRaces : public testing::TestWithParam<Thread> {
 protected:
  /// Threads that call until stop().
  template <typename Call>
  void start(Call call) {
    for (std::thread& thread : threads_) {
      thread = std::thread([this, call] {
        while (!stop_.load(std::memory_order_relaxed)) {
          call();
          std::this_thread::yield();
        }
      });
    }
  }
  void stop() {
    stop_ = true;
    for (std::thread& thread : threads_) thread.join();
  }

  std::atomic<bool> stop_{false};
  std::thread threads_[3];
};

INSTANTIATE_TEST_SUITE_P(Models, ManagerRaces, testing::Values(Thread::orb_control, Thread::single_thread));

/// Each object is incarnated, then etherealized, then incarnated again.
void expect_lives(const std::vector<std::string>& notes, bool all_over) {
  std::map<std::string, int> alive;
  for (const std::string& note : notes) {
    const std::size_t space = note.find(' ');
    const std::string id = note.substr(space + 1, note.find(' ', space + 1) - space - 1);
    const int now = note.starts_with("incarnate") ? ++alive[id] : --alive[id];
    EXPECT_TRUE(now == 0 || now == 1) << note;
  }
  if (!all_over) return;
  for (const auto& [id, count] : alive) EXPECT_EQ(count, 0) << id;
}

TEST_P(ManagerRaces, EvictionUnderCalls) {
  Counts counts;
  Adapter adapter;
  Policies policies = managed(Retention::retain);
  policies.thread = GetParam();
  const Ref<WholePoa> poa = adapter.child("shop", policies);
  const auto activator = fresh_servants(counts, [](protocol::IncomingCall&) { std::this_thread::yield(); });
  ASSERT_TRUE(poa->set_manager(activator));
  const char* const ids[] = {"a", "b", "c"};
  start([&] {
    for (const char* id : ids) EXPECT_FALSE(adapter.call(*poa->make_key(octets(id))));
  });
  for (int round = 0; round < switches; ++round) {
    const int before = counts.calls;
    const Outcome<void> gone = poa->deactivate(octets(ids[round % 3]));
    EXPECT_TRUE(gone || gone.fault().kind == Exception::object_not_active);
    ASSERT_TRUE(eventually([&] { return counts.calls > before; }));
  }
  stop();
  EXPECT_TRUE(poa->destroy(true, true));
  EXPECT_EQ(activator->overlaps, 0);
  EXPECT_EQ(counts.destroyed_while_running, 0);
  expect_lives(activator->notes.all(), true);
}

TEST_P(ManagerRaces, PoasAreDestroyedAndMadeAgainUnderCalls) {
  Counts counts;
  Adapter adapter;
  Policies policies = managed(Retention::retain);
  policies.thread = GetParam();
  policies.lifespan = Lifespan::persistent;
  std::atomic<int> lives{0};
  std::vector<Ref<NotingActivator>> activators;  // one unknown_adapter() for this name at a time
  const auto maker = make_ref<NotingPoaActivator>([&](WholePoa& parent, const std::string& name) {
    const auto made = parent.create_child(name, Ref<Manager>(&parent.manager()), policies);
    EXPECT_TRUE(made);
    activators.push_back(fresh_servants(counts));
    EXPECT_TRUE((*made)->set_manager(activators.back()));
    ++lives;
    return AdapterActivator::Answer::yes;
  });
  ASSERT_TRUE(adapter.poa->set_activator(maker));
  const Octets key = make_persistent_key(std::string_view("shop\0", 5), octets("till"));
  start([&] {
    const Error error = adapter.call(key);
    EXPECT_TRUE(!error || error == errors::no_such_adapter) << error.minor;
  });
  for (int round = 0; round < switches; ++round) {
    ASSERT_TRUE(eventually([&] { return lives > round; }));
    const auto poa = adapter.poa->find_child("shop");
    ASSERT_TRUE(poa);
    EXPECT_TRUE((*poa)->destroy(round % 2 == 0, true));
  }
  stop();
  adapter.root->shut_down(true);
  for (const auto& each : activators) {
    EXPECT_EQ(each->overlaps, 0);
    expect_lives(each->notes.all(), false);
  }
  EXPECT_EQ(counts.destroyed_while_running, 0);
  EXPECT_EQ(counts.running, 0);
}

TEST_P(ManagerRaces, LocatorsUnderDestruction) {
  Counts counts;
  Adapter adapter;
  Policies policies = managed(Retention::non_retain);
  policies.thread = GetParam();
  std::mutex mutex;
  Octets key = *adapter.poa->new_key();
  std::atomic<int> inside{0};
  start([&] {
    Octets now;
    {
      std::lock_guard lock(mutex);
      now = key;
    }
    const Error error = adapter.call(now);
    EXPECT_TRUE(!error || error == errors::no_such_adapter || error == errors::object_not_active)
        << error.minor;
  });
  for (int round = 0; round < switches; ++round) {
    const Ref<WholePoa> poa = adapter.child("shop", policies);
    const auto locator = make_ref<NotingLocator>([&](ByteView, WholePoa&) {
      ++inside;
      return Supplied{make_servant(counts), nullptr, {}};
    });
    locator->on_postinvoke = [&] { --inside; };
    ASSERT_TRUE(poa->set_manager(locator));
    {
      std::lock_guard lock(mutex);
      key = *poa->make_key(octets("till"));
    }
    const int before = counts.calls;
    ASSERT_TRUE(eventually([&] { return counts.calls > before; }));
    ASSERT_TRUE(poa->destroy(true, true));
    EXPECT_EQ(inside, 0);
  }
  stop();
  EXPECT_EQ(counts.running, 0);
}

}  // namespace
}  // namespace tenon::poa::test
