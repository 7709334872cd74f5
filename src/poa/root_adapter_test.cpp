// SPDX-License-Identifier: Apache-2.0
//
// An adapter that has its root POA alone: what it serves, what it refuses, how it ends.
#include <gtest/gtest.h>

#include <thread>

#include "base/minor_codes.hpp"
#include "poa/poa_test_support.hpp"
#include "poa/root_adapter.hpp"

namespace tenon::poa::test {
namespace {

using Counts = CountingServant::Counts;

struct Alone {
  Ref<RootAdapter> adapter = make_ref<LoneAdapter>();
  Ref<Poa> root = *adapter->root_poa();

  Alone() { EXPECT_TRUE(root->manager().activate()); }
  ~Alone() { adapter->shut_down(true); }
  Error call(const Octets& key) const {
    FakeCall call("noop", key);
    adapter->upcall(call);
    return call.succeeded() ? Error() : call.error();
  }
};

TEST(RootAdapter, ServesServantsOfItsRootPoa) {
  Counts counts;
  const Alone alone;
  EXPECT_EQ(alone.root->whole(), nullptr);
  EXPECT_TRUE(alone.root->policies() == Policies::of_root());
  EXPECT_EQ(alone.root->name(), "RootPOA");
  EXPECT_TRUE(alone.root->path().empty());
  auto servant = make_servant(counts);
  const Octets key = *alone.root->key_of(*servant);
  EXPECT_EQ(*alone.root->key_of(*servant), key) << "UNIQUE_ID";
  EXPECT_EQ(alone.root->activate(*servant).fault().kind, Exception::servant_already_active);
  const ObjectId id = *alone.root->servant_to_id(*servant);
  EXPECT_EQ(*alone.root->id_of(key), id);
  EXPECT_EQ((*alone.root->id_to_servant(id)).get(), servant.get());
  EXPECT_EQ(*alone.root->key_of_active(id), key);
  EXPECT_FALSE(alone.call(key));
  ior::Ior nowhere;
  EXPECT_EQ(*alone.adapter->locate(key, nowhere), protocol::LocateStatus::object_here);
  EXPECT_TRUE(alone.adapter->owns(key));

  servant.reset();
  ASSERT_TRUE(alone.root->deactivate(id));
  EXPECT_EQ(counts.destroyed, 1);
  EXPECT_EQ(alone.root->deactivate(id).fault().kind, Exception::object_not_active);
  EXPECT_EQ(alone.call(key), errors::object_not_active);
  EXPECT_EQ(*alone.adapter->locate(key, nowhere), protocol::LocateStatus::unknown_object);
  EXPECT_EQ(counts.calls, 1);
}

TEST(RootAdapter, FindsEachOfManyServants) {
  constexpr std::size_t many = 3000;
  Counts counts;
  const Alone alone;
  std::vector<Ref<CountingServant>> servants;
  std::vector<Octets> keys;
  for (std::size_t i = 0; i < many; ++i) {
    servants.push_back(make_servant(counts));
    keys.push_back(*alone.root->key_of(*servants.back()));
  }
  for (std::size_t i = 0; i < many; i += 2) ASSERT_TRUE(alone.root->deactivate(*alone.root->id_of(keys[i])));
  for (std::size_t i = 0; i < many; ++i) {
    EXPECT_EQ(static_cast<bool>(alone.call(keys[i])), i % 2 == 0) << i;
    // The others get a new place, and their servants are found there.
    const Octets now = *alone.root->key_of(*servants[i]);
    EXPECT_EQ(now == keys[i], i % 2 == 1) << i;
    EXPECT_EQ(*alone.root->key_of(*servants[i]), now);
    EXPECT_FALSE(alone.call(now));
  }
  EXPECT_EQ(counts.calls, static_cast<int>(many + many / 2));
}

TEST(RootAdapter, KeysThatAreNoneAreRefused) {
  Counts counts;
  const Alone alone;
  const auto servant = make_servant(counts);
  const Octets key = *alone.root->key_of(*servant);
  for (std::size_t size = 0; size < key.size(); ++size) {
    EXPECT_TRUE(alone.call(Octets(key.begin(), key.begin() + static_cast<std::ptrdiff_t>(size)))) << size;
  }
  for (std::size_t at = 0; at < key.size(); ++at) {
    Octets wrong = key;
    wrong[at] ^= 0x40;
    EXPECT_TRUE(alone.call(wrong)) << at;
  }
  EXPECT_EQ(alone.call(make_persistent_key(std::string_view("shop\0", 5), octets("a"))),
            errors::no_such_adapter);
  EXPECT_EQ(counts.calls, 0);

  ASSERT_TRUE(alone.adapter->publish(octets("Bell"), key));
  EXPECT_FALSE(alone.call(octets("Bell")));
  EXPECT_TRUE(alone.adapter->owns(octets("Bell")));
  EXPECT_EQ(alone.call(octets("Bells")), errors::no_such_adapter);
  ASSERT_TRUE(alone.adapter->publish(octets("Bell"), {}));
  EXPECT_EQ(alone.call(octets("Bell")), errors::no_such_adapter);
  EXPECT_FALSE(alone.adapter->publish(key, key)) << "a key of ours is no plain key";
}

TEST(RootAdapter, HoldsNoRequests) {
  Counts counts;
  const Ref<RootAdapter> adapter = make_ref<LoneAdapter>();
  const Ref<Poa> root = *adapter->root_poa();
  const auto servant = make_servant(counts);
  const Octets key = *root->key_of(*servant);
  const auto answer = [&] {
    FakeCall call("noop", key);
    adapter->upcall(call);
    return call.error();
  };
  EXPECT_EQ(root->manager().state(), ManagerState::holding);
  EXPECT_EQ(answer(), errors::request_discarded) << "at most none is held";
  EXPECT_TRUE(root->manager().activate());
  EXPECT_FALSE(answer());
  EXPECT_TRUE(root->manager().discard_requests(true));
  EXPECT_EQ(answer(), errors::request_discarded);
  EXPECT_TRUE(root->manager().hold_requests(true));
  EXPECT_EQ(answer(), errors::request_discarded);
  EXPECT_TRUE(root->manager().deactivate(true, true));
  EXPECT_EQ(answer(), errors::manager_inactive);
  EXPECT_EQ(root->manager().activate().fault().kind, Exception::manager_inactive);
  adapter->shut_down(true);
  EXPECT_EQ(answer(), errors::poa_destroyed);
  EXPECT_EQ(adapter->root_poa().fault().error, errors::orb_has_shut_down);
}

TEST(RootAdapter, EndsWhenItsUpcallsHaveEnded) {
  for (const bool by_destroy : {true, false}) {
    Counts counts;
    std::atomic<bool> entered{false};
    std::atomic<bool> may_end{false};
    Alone alone;
    const auto servant = make_servant(counts, [&](protocol::IncomingCall&) {
      EXPECT_EQ(alone.root->destroy(false, true).fault().error, errors::would_deadlock);
      EXPECT_EQ(alone.root->manager().hold_requests(true).fault().error, errors::would_deadlock);
      entered.store(true);
      entered.notify_all();
      may_end.wait(false);
    });
    const auto probe = make_servant(counts);
    const Octets key = *alone.root->key_of(*servant);
    const Octets probed = *alone.root->key_of(*probe);
    std::thread caller([&] { EXPECT_FALSE(alone.call(key)); });
    entered.wait(false);
    std::atomic<bool> ended{false};
    std::thread ender([&] {
      if (by_destroy) {
        EXPECT_TRUE(alone.root->destroy(true, true));
      } else {
        alone.adapter->shut_down(true);
      }
      EXPECT_EQ(counts.running, 0);
      ended.store(true);
    });
    while (!alone.call(probed)) std::this_thread::yield();
    EXPECT_FALSE(ended);
    may_end.store(true);
    may_end.notify_all();
    ender.join();
    caller.join();
    if (by_destroy) {
      EXPECT_EQ(alone.root->activate(*servant).fault().error, errors::no_such_adapter);
      const Ref<Poa> anew = *alone.adapter->root_poa();
      ASSERT_TRUE(anew);
      EXPECT_NE(anew.get(), alone.root.get());
      EXPECT_TRUE(alone.call(key)) << "a key of the POA before";
    }
  }
}

// create_reference() and activate_object_with_id() of a POA with SYSTEM_ID: a reference comes before its servant, or outlives it.
TEST(RootAdapter, ReferencesBeforeTheirServants) {
  Counts counts;
  Counts others;
  const Alone alone;
  const Octets key = *alone.root->new_key();
  EXPECT_NE(*alone.root->new_key(), key);
  EXPECT_TRUE(alone.adapter->owns(key));
  EXPECT_EQ(alone.call(key), errors::object_not_active);
  const ObjectId id = *alone.root->id_of(key);
  const auto servant = make_servant(counts);
  ASSERT_TRUE(alone.root->activate_with_id(id, *servant));
  EXPECT_FALSE(alone.call(key));
  ior::Ior nowhere;
  EXPECT_EQ(*alone.adapter->locate(key, nowhere), protocol::LocateStatus::object_here);
  EXPECT_EQ(*alone.root->key_of(*servant), key);
  EXPECT_EQ(*alone.root->servant_to_id(*servant), id);
  EXPECT_EQ((*alone.root->id_to_servant(id)).get(), servant.get());
  EXPECT_EQ(alone.root->activate_with_id(id, *make_servant(others)).fault().kind,
            Exception::object_already_active);
  const ObjectId more = *alone.root->id_of(*alone.root->new_key());
  EXPECT_EQ(alone.root->activate_with_id(more, *servant).fault().kind, Exception::servant_already_active);
  ASSERT_TRUE(alone.root->deactivate(id));
  EXPECT_EQ(alone.call(key), errors::object_not_active);
  ASSERT_TRUE(alone.root->activate_with_id(id, *make_servant(others)));
  EXPECT_FALSE(alone.call(key));
  EXPECT_EQ(counts.calls, 1);
  EXPECT_EQ(others.calls, 1);
}

TEST(RootAdapter, AnObjectIsActivatedAgainUnderItsId) {
  Counts counts;
  Counts others;
  Counts again;
  const Alone alone;
  const ObjectId id = *alone.root->activate(*make_servant(counts));
  const Octets key = *alone.root->make_key(id);
  ASSERT_TRUE(alone.root->deactivate(id));
  // It has the slot of the first one.
  const Octets other = *alone.root->make_key(*alone.root->activate(*make_servant(others)));
  ASSERT_TRUE(alone.root->activate_with_id(id, *make_servant(again)));
  EXPECT_FALSE(alone.call(key));
  EXPECT_FALSE(alone.call(other));
  EXPECT_EQ(counts.calls, 0);
  EXPECT_EQ(others.calls, 1);
  EXPECT_EQ(again.calls, 1);
  ASSERT_TRUE(alone.root->deactivate(id));
  EXPECT_EQ(again.destroyed, 1);
  EXPECT_FALSE(alone.call(other));
}

TEST(RootAdapter, IdsThatItHasNotMadeAreRefused) {
  Counts counts;
  const Alone alone;
  const auto servant = make_servant(counts);
  const ObjectId loose = *alone.root->id_of(*alone.root->new_key());
  ObjectId next = loose;
  ++next[4];  // the lowest octet of its number
  for (const ObjectId& id : {octets("mine"), ObjectId(), next, make_slot_id(0, 1), make_slot_id(7, 0)})
    EXPECT_EQ(alone.root->activate_with_id(id, *servant).fault().error, errors::bad_object_id);
  EXPECT_TRUE(alone.root->activate_with_id(loose, *servant));
}

TEST(RootAdapter, TheNextLifeBeginsWhileAnUpcallOfTheLastOneRuns) {
  Counts counts;
  Counts others;
  const Alone alone;
  ObjectId id;
  for (const bool by_number : {true, false}) {
    const auto servant = make_servant(counts, [&](protocol::IncomingCall&) {
      EXPECT_TRUE(alone.root->deactivate(id));
      EXPECT_TRUE(alone.root->activate_with_id(id, *make_servant(others)));
      EXPECT_EQ(alone.root->activate_with_id(id, *make_servant(others)).fault().kind,
                Exception::object_already_active);
      EXPECT_FALSE(alone.call(*alone.root->make_key(id)));
    });
    id = by_number ? *alone.root->activate(*servant) : *alone.root->id_of(*alone.root->new_key());
    if (!by_number) {
      ASSERT_TRUE(alone.root->activate_with_id(id, *servant));
    }
    EXPECT_FALSE(alone.call(*alone.root->make_key(id)));
    EXPECT_FALSE(alone.call(*alone.root->make_key(id)));
    ASSERT_TRUE(alone.root->deactivate(id));
  }
  EXPECT_EQ(counts.calls, 2);
  EXPECT_EQ(others.calls, 4);
}

TEST(RootAdapter, ThousandsOfReferencesComeAndGo) {
  constexpr std::size_t many = 3000;
  Counts counts;
  const Alone alone;
  Ref<Poa> root = alone.root;
  for (int turn = 0; turn < 2; ++turn) {
    std::vector<Octets> keys;
    for (std::size_t i = 0; i < many; ++i) {
      keys.push_back(*root->new_key());
      ASSERT_TRUE(root->activate_with_id(*root->id_of(keys.back()), *make_servant(counts)));
      if (i % 3 == 0) {
        ASSERT_TRUE(root->deactivate(*root->id_of(keys.back())));
      }
    }
    for (std::size_t i = 0; i < many; ++i) EXPECT_EQ(static_cast<bool>(alone.call(keys[i])), i % 3 == 0) << i;
    // The next root POA has the place of this one.
    ASSERT_TRUE(root->destroy(true, true));
    EXPECT_EQ(counts.destroyed, static_cast<int>(many) * (turn + 1));
    EXPECT_TRUE(alone.call(keys[1]));
    root = *alone.adapter->root_poa();
    ASSERT_TRUE(root->manager().activate());
  }
}

TEST(RootAdapter, ServantsComeAndGoUnderCalls) {
  Counts counts;
  const Alone alone;
  std::atomic<bool> stop{false};
  Mutex mutex;
  Octets key;
  std::vector<std::thread> callers;
  for (int i = 0; i < 3; ++i) {
    callers.emplace_back([&] {
      while (!stop.load()) {
        Octets now;
        {
          LockGuard lock(mutex);
          now = key;
        }
        const Error error = alone.call(now);
        EXPECT_TRUE(!error || error == errors::object_not_active || error == errors::no_such_adapter);
      }
    });
  }
  for (int i = 0; i < 2000; ++i) {
    const auto servant = make_servant(counts);
    const ObjectId id = *alone.root->activate(*servant);
    {
      LockGuard lock(mutex);
      key = *alone.root->make_key(id);
    }
    if (i % 64 == 0) std::this_thread::yield();
    ASSERT_TRUE(alone.root->deactivate(id));
  }
  stop.store(true);
  for (std::thread& each : callers) each.join();
  EXPECT_EQ(counts.destroyed, 2000);
  EXPECT_EQ(counts.destroyed_while_running, 0);
}

}  // namespace
}  // namespace tenon::poa::test
