// SPDX-License-Identifier: Apache-2.0
//
// Activation, deactivation, destruction and state changes while other threads call. The tests check that every call has one of the
// replies that it may have, no servant is destroyed while it runs, and each is destroyed once. Run under TSan too.
#include <gtest/gtest.h>

#include <mutex>
#include <thread>

#include "base/minor_codes.hpp"
#include "poa/poa_test_support.hpp"

namespace tenon::poa::test {
namespace {

using Counts = CountingServant::Counts;

constexpr int rounds = 200;

void look_around(protocol::IncomingCall& call) {
  // Reads what Current reads, so that TSan sees it.
  EXPECT_NE(current_frame, nullptr);
  EXPECT_FALSE(current_frame->poa->name().empty());
  EXPECT_EQ(current_frame->id.data() + current_frame->id.size(),
            call.object_key.data() + call.object_key.size());
}

/// Threads that call until they are told to stop.
class Callers {
 public:
  template <typename Call>
  explicit Callers(Call call) {
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
    for (std::thread& thread : threads_) {
      if (thread.joinable()) thread.join();
    }
  }
  ~Callers() { stop(); }

 private:
  std::atomic<bool> stop_{false};
  std::thread threads_[2];
};

void expect_clean(const Counts& counts, int servants) {
  EXPECT_EQ(counts.destroyed, servants);
  EXPECT_EQ(counts.destroyed_while_running, 0);
  EXPECT_EQ(counts.running, 0);
}

TEST(Races, ActivateAndDeactivateUnderCalls) {
  Counts counts;
  {
    Adapter adapter;
    constexpr std::size_t places = 4;
    std::mutex mutex;
    Octets keys[places];
    for (Octets& key : keys) key = *adapter.poa->new_key();
    Callers callers([&] {
      for (std::size_t i = 0; i < places; ++i) {
        Octets key;
        {
          std::lock_guard lock(mutex);
          key = keys[i];
        }
        const Error error = adapter.call(key);
        EXPECT_TRUE(!error || error == errors::object_not_active) << error.minor;
      }
    });
    for (int round = 0; round < rounds; ++round) {
      const ObjectId id = *adapter.poa->activate(*make_servant(counts, look_around));
      {
        std::lock_guard lock(mutex);
        keys[static_cast<std::size_t>(round) % places] = *adapter.poa->make_key(id);
      }
      std::this_thread::yield();
      ASSERT_TRUE(adapter.poa->deactivate(id));
    }
    callers.stop();
  }
  expect_clean(counts, rounds);
}

TEST(Races, UserIdsComeAndGoUnderCalls) {
  Counts counts;
  Counts permanent;
  {
    Adapter adapter;
    Policies policies;
    policies.assignment = Assignment::user_id;
    policies.lifespan = Lifespan::persistent;
    const Ref<WholePoa> poa = adapter.child("users", policies);
    const ObjectId always{'a', 'l', 'w', 'a', 'y', 's'};
    ASSERT_TRUE(poa->activate_with_id(always, *make_servant(permanent)));
    const auto id = [](int i) {
      return ObjectId{static_cast<std::uint8_t>(i), static_cast<std::uint8_t>(i >> 8)};
    };
    Callers callers([&] {
      EXPECT_FALSE(adapter.call(*poa->make_key(always)));
      for (int i = 0; i < 8; ++i) {
        const Error error = adapter.call(*poa->make_key(id(i)));
        EXPECT_TRUE(!error || error == errors::object_not_active) << error.minor;
      }
    });
    // Waves make the table grow and be rebuilt.
    for (int wave = 0; wave < 8; ++wave) {
      for (int i = 0; i < rounds; ++i)
        ASSERT_TRUE(poa->activate_with_id(id(i), *make_servant(counts, look_around)));
      for (int i = 0; i < rounds; ++i) ASSERT_TRUE(poa->deactivate(id(i)));
    }
    callers.stop();
  }
  expect_clean(counts, rounds * 8);
}

TEST(Races, PoasComeAndGoUnderCalls) {
  Counts counts;
  {
    Adapter adapter;
    std::mutex mutex;
    Octets key = *adapter.poa->new_key();
    Callers callers([&] {
      Octets now;
      {
        std::lock_guard lock(mutex);
        now = key;
      }
      const Error error = adapter.call(now);
      EXPECT_TRUE(!error || error == errors::object_not_active || error == errors::no_such_adapter)
          << error.minor;
    });
    for (int round = 0; round < rounds; ++round) {
      const Ref<WholePoa> poa = adapter.child("shop", Policies());
      const int before = counts.destroyed;
      const ObjectId id = *poa->activate(*make_servant(counts, look_around));
      {
        std::lock_guard lock(mutex);
        key = *poa->make_key(id);
      }
      std::this_thread::yield();
      ASSERT_TRUE(poa->destroy(true, true));
      // With wait, the servant is gone when destroy() returns.
      EXPECT_EQ(counts.destroyed, before + 1);
    }
    callers.stop();
  }
  expect_clean(counts, rounds);
}

TEST(Races, ManagerStatesUnderCalls) {
  Counts counts;
  {
    Adapter adapter;
    Manager& manager = adapter.poa->manager();
    const Octets key = *adapter.poa->key_of(*make_servant(counts, look_around));
    Callers callers([&] {
      const Error error = adapter.call(key);
      EXPECT_TRUE(!error || error == errors::request_discarded) << error.minor;
    });
    for (int round = 0; round < rounds; ++round) {
      ASSERT_TRUE(round % 2 == 0 ? manager.hold_requests(true) : manager.discard_requests(true));
      EXPECT_EQ(counts.running, 0);
      ASSERT_TRUE(manager.activate());
      std::this_thread::yield();
    }
    callers.stop();
  }
  expect_clean(counts, 1);
}

TEST(Races, ServantsThatDeactivateThemselves) {
  Counts counts;
  {
    Adapter adapter;
    std::mutex mutex;
    Octets key = *adapter.poa->new_key();
    std::atomic<int> gone{0};
    const auto body = [&](protocol::IncomingCall&) {
      const ObjectId own(current_frame->id.begin(), current_frame->id.end());
      // Of several upcalls at once, one wins.
      if (adapter.poa->deactivate(own)) ++gone;
    };
    Callers callers([&] {
      Octets now;
      {
        std::lock_guard lock(mutex);
        now = key;
      }
      const Error error = adapter.call(now);
      EXPECT_TRUE(!error || error == errors::object_not_active) << error.minor;
    });
    for (int round = 0; round < rounds; ++round) {
      const ObjectId id = *adapter.poa->activate(*make_servant(counts, body));
      {
        std::lock_guard lock(mutex);
        key = *adapter.poa->make_key(id);
      }
      while (gone <= round) std::this_thread::yield();
    }
    callers.stop();
    EXPECT_EQ(gone, rounds);
  }
  expect_clean(counts, rounds);
}

TEST(Races, ShutDownUnderCalls) {
  for (int round = 0; round < 40; ++round) {
    Counts counts;
    const auto root = make_ref<WholeAdapter>();
    const Ref<WholePoa> poa = *root->root_poa();
    ASSERT_TRUE(poa->manager().activate());
    const Octets key = *poa->key_of(*make_servant(counts, look_around));
    Callers callers([&] {
      FakeCall call("noop", key);
      root->upcall(call);
      EXPECT_TRUE(call.succeeded() || call.error() == errors::poa_destroyed) << call.error().minor;
    });
    while (counts.calls < 10) std::this_thread::yield();
    root->shut_down(true);
    EXPECT_EQ(counts.destroyed, 1);
    callers.stop();
    expect_clean(counts, 1);
  }
}

TEST(Races, DestroyFromSeveralThreads) {
  for (int round = 0; round < 100; ++round) {
    Counts counts;
    Adapter adapter;
    const Ref<WholePoa> poa = adapter.child("shop", Policies());
    for (int i = 0; i < 5; ++i) ASSERT_TRUE(poa->activate(*make_servant(counts)));
    std::thread threads[3];
    for (std::thread& thread : threads) {
      thread = std::thread([&] {
        EXPECT_TRUE(poa->destroy(true, true));
        EXPECT_EQ(counts.destroyed, 5);
      });
    }
    for (std::thread& thread : threads) thread.join();
  }
}

}  // namespace
}  // namespace tenon::poa::test
