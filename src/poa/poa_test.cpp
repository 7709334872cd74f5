// SPDX-License-Identifier: Apache-2.0
//
// The object adapter as the standard describes it, with requests that the tests make themselves.
#include <gtest/gtest.h>

#include <set>

#include "base/minor_codes.hpp"
#include "poa/poa_test_support.hpp"

namespace tenon::poa::test {
namespace {

using Counts = CountingServant::Counts;

TEST(Poa, ActivatedObjectTakesCalls) {
  Counts counts;
  Adapter adapter;
  auto servant = make_servant(counts);
  const auto id = adapter.poa->activate(*servant);
  ASSERT_TRUE(id);
  const Octets key = *adapter.poa->make_key(*id);
  FakeCall call("noop", key);
  adapter.root->upcall(call);
  EXPECT_TRUE(call.succeeded());
  EXPECT_EQ(counts.calls, 1);
  EXPECT_EQ(*adapter.poa->id_of(key), *id);
  EXPECT_EQ(*adapter.poa->servant_to_id(*servant), *id);
  EXPECT_EQ(adapter.poa->id_to_servant(*id)->get(), servant.get());
  EXPECT_TRUE(adapter.root->owns(key));
}

TEST(Poa, DeactivatedObjectDoesNotExistAndLetsItsServantGo) {
  Counts counts;
  Adapter adapter;
  auto servant = make_servant(counts);
  const ObjectId id = *adapter.poa->activate(*servant);
  const Octets key = *adapter.poa->make_key(id);
  servant.reset();
  EXPECT_EQ(counts.destroyed, 0);
  EXPECT_TRUE(adapter.poa->deactivate(id));
  EXPECT_EQ(counts.destroyed, 1);
  EXPECT_EQ(adapter.call(key), errors::object_not_active);
  EXPECT_EQ(adapter.poa->deactivate(id).fault().kind, Exception::object_not_active);

  // The place is used again, the old key stays dead.
  auto other = make_servant(counts);
  const ObjectId next = *adapter.poa->activate(*other);
  EXPECT_NE(next, id);
  EXPECT_EQ(adapter.call(key), errors::object_not_active);
  EXPECT_FALSE(adapter.call(*adapter.poa->make_key(next)));
}

TEST(Poa, ServantThatDeactivatesItselfLivesUntilItsUpcallEnds) {
  Counts counts;
  Adapter adapter;
  ObjectId id;
  int destroyed_inside = -1;
  auto servant = make_servant(counts, [&](protocol::IncomingCall&) {
    EXPECT_TRUE(adapter.poa->deactivate(id));
    destroyed_inside = counts.destroyed;
  });
  id = *adapter.poa->activate(*servant);
  servant.reset();
  EXPECT_FALSE(adapter.call(*adapter.poa->make_key(id)));
  EXPECT_EQ(destroyed_inside, 0);
  EXPECT_EQ(counts.destroyed, 1);
}

TEST(Poa, UniqueIdRefusesAServantTwice) {
  Counts counts;
  Adapter adapter;
  auto servant = make_servant(counts);
  const ObjectId id = *adapter.poa->activate(*servant);
  EXPECT_EQ(adapter.poa->activate(*servant).fault().kind, Exception::servant_already_active);
  EXPECT_TRUE(adapter.poa->deactivate(id));
  EXPECT_TRUE(adapter.poa->activate(*servant));
}

TEST(Poa, MultipleIdsForOneServant) {
  Counts counts;
  Adapter adapter;
  Policies policies;
  policies.uniqueness = Uniqueness::multiple_id;
  const Ref<WholePoa> poa = adapter.child("many", policies);
  auto servant = make_servant(counts);
  const ObjectId one = *poa->activate(*servant);
  const ObjectId two = *poa->activate(*servant);
  EXPECT_NE(one, two);
  EXPECT_FALSE(adapter.call(*poa->make_key(one)));
  EXPECT_FALSE(adapter.call(*poa->make_key(two)));
  EXPECT_EQ(counts.calls, 2);
  EXPECT_EQ(poa->servant_to_id(*servant).fault().kind, Exception::wrong_policy);
  EXPECT_TRUE(poa->deactivate(one));
  EXPECT_EQ(adapter.call(*poa->make_key(one)), errors::object_not_active);
  EXPECT_FALSE(adapter.call(*poa->make_key(two)));
}

TEST(Poa, UserIds) {
  Counts counts;
  Adapter adapter;
  const Ref<WholePoa> poa = adapter.child("users", user_ids());
  auto servant = make_servant(counts);
  EXPECT_EQ(poa->activate(*servant).fault().kind, Exception::wrong_policy);
  ASSERT_TRUE(poa->activate_with_id(octets("till"), *servant));
  EXPECT_EQ(poa->activate_with_id(octets("till"), *make_servant(counts)).fault().kind,
            Exception::object_already_active);
  EXPECT_EQ(poa->activate_with_id(octets("desk"), *servant).fault().kind, Exception::servant_already_active);
  EXPECT_FALSE(adapter.call(*poa->make_key(octets("till"))));
  EXPECT_EQ(adapter.call(*poa->make_key(octets("desk"))), errors::object_not_active);
  EXPECT_TRUE(poa->deactivate(octets("till")));
  EXPECT_EQ(adapter.call(*poa->make_key(octets("till"))), errors::object_not_active);
}

// A user id that looks like a system id must not lead to another object's slot.
TEST(Poa, UserIdsAreNotTakenForSlots) {
  Counts counts;
  Counts others;
  Adapter adapter;
  const Ref<WholePoa> poa = adapter.child("users", user_ids());
  ASSERT_TRUE(poa->activate_with_id(octets("till"), *make_servant(counts)));
  for (std::uint32_t generation = 0; generation < 4; ++generation) {
    EXPECT_EQ(adapter.call(*poa->make_key(make_slot_id(0, generation))), errors::object_not_active);
  }
  ASSERT_TRUE(poa->activate_with_id(make_slot_id(0, 1), *make_servant(others)));
  EXPECT_FALSE(adapter.call(*poa->make_key(make_slot_id(0, 1))));
  EXPECT_EQ(counts.calls, 0);
  EXPECT_EQ(others.calls, 1);
}

TEST(Poa, ThousandsOfUserIdsComeAndGo) {
  Counts counts;
  Adapter adapter;
  const Ref<WholePoa> poa = adapter.child("users", user_ids());
  const auto id = [](int i) { return octets("object " + std::to_string(i)); };
  for (int i = 0; i < 3000; ++i) ASSERT_TRUE(poa->activate_with_id(id(i), *make_servant(counts)));
  for (int i = 0; i < 3000; i += 2) ASSERT_TRUE(poa->deactivate(id(i)));
  for (int i = 0; i < 3000; ++i) {
    EXPECT_EQ(adapter.call(*poa->make_key(id(i))), i % 2 == 0 ? errors::object_not_active : Error()) << i;
  }
  for (int i = 0; i < 3000; i += 2) ASSERT_TRUE(poa->activate_with_id(id(i), *make_servant(counts)));
  counts.calls = 0;
  for (int i = 0; i < 3000; ++i) EXPECT_FALSE(adapter.call(*poa->make_key(id(i)))) << i;
  EXPECT_EQ(counts.calls, 3000);
}

TEST(Poa, SystemIdActivatedAgainKeepsItsKey) {
  Counts counts;
  Adapter adapter;
  const ObjectId id = *adapter.poa->activate(*make_servant(counts));
  const Octets key = *adapter.poa->make_key(id);
  ASSERT_TRUE(adapter.poa->deactivate(id));
  ASSERT_TRUE(adapter.poa->activate_with_id(id, *make_servant(counts)));
  EXPECT_FALSE(adapter.call(key));
  EXPECT_TRUE(adapter.poa->deactivate(id));
  EXPECT_EQ(adapter.call(key), errors::object_not_active);
}

TEST(Poa, ReferenceBeforeServant) {
  Counts counts;
  Adapter adapter;
  const Octets key = *adapter.poa->new_key();
  EXPECT_EQ(adapter.call(key), errors::object_not_active);
  ASSERT_TRUE(adapter.poa->activate_with_id(*adapter.poa->id_of(key), *make_servant(counts)));
  EXPECT_FALSE(adapter.call(key));
}

TEST(Poa, SystemIdsThatTheSystemDidNotMakeAreRefused) {
  Counts counts;
  Adapter adapter;
  auto servant = make_servant(counts);
  for (const ObjectId& id :
       {ObjectId(), octets("mine"), make_slot_id(0, 1), make_slot_id(77, 1), make_loose_id(5)}) {
    EXPECT_EQ(adapter.poa->activate_with_id(id, *servant).fault().error, errors::bad_object_id);
  }
  EXPECT_EQ(adapter.poa->key_with_id(octets("mine")).fault().error, errors::bad_object_id);
}

TEST(Poa, ImplicitActivationOfTheRoot) {
  Counts counts;
  Adapter adapter;
  auto servant = make_servant(counts);
  const Octets key = *adapter.poa->key_of(*servant);
  EXPECT_EQ(*adapter.poa->key_of(*servant), key);
  EXPECT_FALSE(adapter.call(key));
  const Ref<WholePoa> strict = adapter.child("strict", Policies());
  EXPECT_EQ(strict->key_of(*servant).fault().kind, Exception::servant_not_active);
}

TEST(Poa, DefaultServantStandsInForAllIds) {
  Counts all;
  Counts one;
  Adapter adapter;
  Policies policies = user_ids();
  policies.processing = Processing::default_servant;
  policies.uniqueness = Uniqueness::multiple_id;
  const Ref<WholePoa> poa = adapter.child("any", policies);
  EXPECT_EQ(adapter.call(*poa->make_key(octets("x"))), errors::no_default_servant);
  EXPECT_EQ(poa->get_servant().fault().kind, Exception::no_servant);

  ObjectId seen;
  auto standing_in = make_servant(all, [&](protocol::IncomingCall&) {
    seen = ObjectId(current_frame->id.begin(), current_frame->id.end());
    EXPECT_EQ(*poa->servant_to_id(*current_frame->servant), seen);
  });
  ASSERT_TRUE(poa->set_servant(standing_in.get()));
  ASSERT_TRUE(poa->activate_with_id(octets("one"), *make_servant(one)));
  EXPECT_FALSE(adapter.call(*poa->make_key(octets("x"))));
  EXPECT_EQ(seen, octets("x"));
  EXPECT_FALSE(adapter.call(*poa->make_key(octets("one"))));
  EXPECT_EQ(all.calls, 1);
  EXPECT_EQ(one.calls, 1);
  EXPECT_EQ(poa->servant_to_id(*standing_in).fault().kind, Exception::servant_not_active);
  standing_in.reset();
  ASSERT_TRUE(poa->set_servant(nullptr));
  EXPECT_EQ(all.destroyed, 1);
}

TEST(Poa, CurrentKnowsTheObject) {
  Counts counts;
  Adapter adapter;
  ObjectId seen;
  auto servant = make_servant(counts, [&](protocol::IncomingCall&) {
    ASSERT_NE(current_frame, nullptr);
    EXPECT_EQ(current_frame->poa, adapter.poa.get());
    EXPECT_TRUE(adapter.root->in_upcall());
    seen = ObjectId(current_frame->id.begin(), current_frame->id.end());
  });
  const ObjectId id = *adapter.poa->activate(*servant);
  EXPECT_FALSE(adapter.call(*adapter.poa->make_key(id)));
  EXPECT_EQ(seen, id);
  EXPECT_EQ(current_frame, nullptr);
}

TEST(Poa, TreeOfPoas) {
  Adapter adapter;
  const Ref<WholePoa> shop = adapter.child("shop", Policies());
  const Ref<WholePoa> desk = *shop->create_child("desk", nullptr, Policies());
  EXPECT_EQ(desk->name(), "desk");
  EXPECT_EQ(desk->parent(), shop.get());
  EXPECT_NE(&desk->manager(), &shop->manager());
  EXPECT_EQ(desk->manager().state(), ManagerState::holding);
  EXPECT_EQ(adapter.poa->children({}), 1u);
  EXPECT_EQ(*adapter.poa->find_child("shop"), shop);
  EXPECT_EQ(adapter.poa->find_child("none").fault().kind, Exception::adapter_non_existent);
  EXPECT_EQ(adapter.poa->create_child("shop", nullptr, Policies()).fault().kind,
            Exception::adapter_already_exists);
  EXPECT_NE(*desk->id(), *shop->id());
  EXPECT_EQ(shop->create_child(std::string_view("a\0b", 3), nullptr, Policies()).fault().error,
            errors::nul_in_argument);
  // "desk" is no child of the root, though the two names make its path.
  EXPECT_EQ(adapter.poa->find_child(std::string_view("shop\0desk", 9), true).fault().kind,
            Exception::adapter_non_existent);
}

TEST(Poa, ChildrenAreFoundByNameAndListedUntilTheyAreDestroyed) {
  Adapter adapter;
  for (const char* name : {"a", "b", "c"}) adapter.child(name, Policies());
  const Ref<WholePoa> middle = *adapter.poa->find_child("b");
  adapter.child("b of b", Policies());
  static_cast<void>(middle->create_child("a", nullptr, Policies()));  // the name of another POA elsewhere
  EXPECT_EQ(adapter.poa->children({}), 4u);
  EXPECT_TRUE(middle->destroy(false, false));
  EXPECT_EQ(adapter.poa->find_child("b").fault().kind, Exception::adapter_non_existent);
  EXPECT_TRUE((*adapter.poa->find_child("a"))->destroy(false, false));
  EXPECT_NE(adapter.child("b", Policies()), middle);
  Ref<WholePoa> left[5];
  ASSERT_EQ(adapter.poa->children(left), 3u);
  std::set<std::string_view> names;
  for (const Ref<WholePoa>& each : std::span(left, 3)) names.insert(each->name());
  EXPECT_EQ(names, (std::set<std::string_view>{"b", "b of b", "c"}));
  EXPECT_EQ(adapter.poa->children(std::span(left, 1)), 3u);
}

TEST(Poa, PersistentKeyLeadsToNoTransientPoaOfThatPath) {
  Counts counts;
  Adapter adapter;
  const Ref<WholePoa> shop = adapter.child("shop", user_ids());
  EXPECT_TRUE(shop->activate_with_id(octets("till"), *make_servant(counts)));
  EXPECT_FALSE(adapter.call(*shop->make_key(octets("till"))));
  const Octets persistent = make_persistent_key(shop->path(), octets("till"));
  EXPECT_EQ(adapter.call(persistent), errors::no_such_adapter);
  EXPECT_FALSE(adapter.root->owns(persistent));
  EXPECT_EQ(counts.calls, 1);
}

TEST(Poa, DestroyTakesChildrenAndServants) {
  Counts counts;
  Adapter adapter;
  const Ref<WholePoa> shop = adapter.child("shop", Policies());
  const Ref<WholePoa> desk = *shop->create_child("desk", Ref<Manager>(&shop->manager()), Policies());
  const Octets key = *desk->make_key(*desk->activate(*make_servant(counts)));
  EXPECT_FALSE(adapter.call(key));
  EXPECT_TRUE(shop->destroy(true, true));
  EXPECT_EQ(counts.destroyed, 1);
  EXPECT_EQ(adapter.call(key), errors::no_such_adapter);
  EXPECT_EQ(desk->activate(*make_servant(counts)).fault().error, errors::no_such_adapter);
  EXPECT_EQ(adapter.poa->find_child("shop").fault().kind, Exception::adapter_non_existent);

  // The same name again is another POA, also where it took over the place in the table.
  const Ref<WholePoa> again = adapter.child("shop", Policies());
  const Ref<WholePoa> more = *again->create_child("desk", Ref<Manager>(&shop->manager()), Policies());
  static_cast<void>(again->activate(*make_servant(counts)));
  static_cast<void>(more->activate(*make_servant(counts)));
  EXPECT_EQ(adapter.call(key), errors::no_such_adapter);
  EXPECT_TRUE(again->destroy(true, true));
}

TEST(Poa, DestroyInsideAnUpcall) {
  Counts counts;
  Adapter adapter;
  const Ref<WholePoa> shop = adapter.child("shop", Policies());
  Fault waiting;
  Fault creating;
  auto servant = make_servant(counts, [&](protocol::IncomingCall&) {
    waiting = shop->destroy(true, true).fault();
    EXPECT_TRUE(shop->destroy(true, false));
    creating = shop->create_child("late", nullptr, Policies()).fault();
    EXPECT_EQ(counts.destroyed, 0);
  });
  const Octets key = *shop->make_key(*shop->activate(*servant));
  servant.reset();
  EXPECT_FALSE(adapter.call(key));
  EXPECT_EQ(waiting.error, errors::would_deadlock);
  EXPECT_EQ(creating.error, errors::poa_in_destruction);
  EXPECT_EQ(counts.destroyed, 1);
  EXPECT_EQ(adapter.call(key), errors::no_such_adapter);
}

TEST(Poa, RootCanBeDestroyedAndComesBack) {
  Counts counts;
  Adapter adapter;
  const Octets key = *adapter.poa->key_of(*make_servant(counts));
  EXPECT_TRUE(adapter.poa->destroy(true, true));
  EXPECT_EQ(counts.destroyed, 1);
  const Ref<WholePoa> again = *adapter.root->root_poa();
  EXPECT_NE(again, adapter.poa);
  EXPECT_EQ(adapter.call(key), errors::no_such_adapter);
}

TEST(Poa, ShutDownTellsLateCallers) {
  Counts counts;
  Adapter adapter;
  const Octets key = *adapter.poa->key_of(*make_servant(counts));
  adapter.root->shut_down(true);
  EXPECT_EQ(counts.destroyed, 1);
  EXPECT_EQ(adapter.call(key), errors::poa_destroyed);
  EXPECT_EQ(adapter.call(octets("NameService")), errors::poa_destroyed);
  EXPECT_EQ(adapter.root->root_poa().fault().error, errors::orb_has_shut_down);
}

TEST(Poa, ShutDownInsideAnUpcallWaitsForOthersOnly) {
  Counts counts;
  Adapter adapter;
  auto servant = make_servant(counts, [&](protocol::IncomingCall&) { adapter.root->shut_down(true); });
  const Octets key = *adapter.poa->key_of(*servant);
  servant.reset();
  EXPECT_FALSE(adapter.call(key));
  EXPECT_EQ(counts.destroyed, 1);
}

TEST(Poa, PersistentKeySurvivesTheProcess) {
  Octets key;
  Octets id;
  {
    Adapter first;
    const Ref<WholePoa> shop = first.child("shop", persistent_ids());
    const Ref<WholePoa> desk = *shop->create_child("desk", nullptr, persistent_ids());
    key = *desk->make_key(octets("till"));
    id = *desk->id();
  }
  Counts counts;
  Adapter second;
  EXPECT_EQ(second.call(key), errors::no_such_adapter);
  EXPECT_FALSE(second.root->owns(key));
  const Ref<WholePoa> shop = second.child("shop", persistent_ids());
  const Ref<WholePoa> desk = *shop->create_child("desk", Ref<Manager>(&shop->manager()), persistent_ids());
  EXPECT_EQ(*desk->id(), id);
  EXPECT_TRUE(second.root->owns(key));
  EXPECT_EQ(second.call(key), errors::object_not_active);
  ASSERT_TRUE(desk->activate_with_id(octets("till"), *make_servant(counts)));
  EXPECT_FALSE(second.call(key));
  EXPECT_EQ(counts.calls, 1);
  EXPECT_EQ(*desk->id_of(key), octets("till"));
  EXPECT_EQ(shop->id_of(key).fault().kind, Exception::wrong_adapter);
}

TEST(Poa, PersistentSystemIdsAreGoodInTheNextProcess) {
  Policies policies;
  policies.lifespan = Lifespan::persistent;
  ObjectId id;
  Octets key;
  {
    Counts counts;
    Adapter first;
    const Ref<WholePoa> poa = first.child("shop", policies);
    id = *poa->activate(*make_servant(counts));
    key = *poa->make_key(id);
    EXPECT_FALSE(first.call(key));
  }
  Counts counts;
  Adapter second;
  const Ref<WholePoa> poa = second.child("shop", policies);
  EXPECT_NE(*poa->activate(*make_servant(counts)), id);
  ASSERT_TRUE(poa->activate_with_id(id, *make_servant(counts)));
  EXPECT_FALSE(second.call(key));
}

TEST(Poa, TransientKeyOfAnotherProcessIsRefused) {
  Octets key;
  {
    Counts counts;
    Adapter first;
    key = *first.poa->key_of(*make_servant(counts));
  }
  Counts counts;
  Adapter second;
  static_cast<void>(second.poa->activate(*make_servant(counts)));
  EXPECT_FALSE(second.root->owns(key));
  EXPECT_EQ(second.call(key), errors::no_such_adapter);
  EXPECT_EQ(counts.calls, 0);
}

TEST(Poa, PlainKeysStandForObjects) {
  Counts counts;
  Adapter adapter;
  const Octets key = *adapter.poa->key_of(*make_servant(counts));
  const Octets plain = octets("NameService");
  EXPECT_EQ(adapter.call(plain), errors::no_such_adapter);
  EXPECT_TRUE(adapter.root->publish(plain, key));
  EXPECT_FALSE(adapter.call(plain));
  EXPECT_TRUE(adapter.root->owns(plain));
  ior::Ior forward;
  EXPECT_EQ(*adapter.root->locate(plain, forward), protocol::LocateStatus::object_here);
  EXPECT_TRUE(adapter.root->publish(plain, {}));
  EXPECT_EQ(adapter.call(plain), errors::no_such_adapter);
  EXPECT_FALSE(adapter.root->publish(key, key));
  EXPECT_FALSE(adapter.root->publish(Octets(WholeAdapter::longest_plain_key + 1, 'x'), key));
}

// A good key with any single bit flipped, or truncated anywhere, is refused or leads to the same object; it never causes a crash.
TEST(Poa, ForgedKeys) {
  Counts counts;
  Counts others;
  Adapter adapter;
  const Ref<WholePoa> persistent = adapter.child("shop", persistent_ids());
  ASSERT_TRUE(persistent->activate_with_id(octets("till"), *make_servant(counts)));
  const Octets keys[] = {*adapter.poa->key_of(*make_servant(others)), *persistent->make_key(octets("till"))};
  for (const Octets& good : keys) {
    counts.calls = others.calls = 0;
    for (std::size_t bit = 0; bit < good.size() * 8; ++bit) {
      Octets bad = good;
      bad[bit / 8] = static_cast<std::uint8_t>(bad[bit / 8] ^ (1u << (bit % 8)));
      EXPECT_EQ(adapter.call(bad).id, SystemException::object_not_exist) << bit;
    }
    for (std::size_t size = 0; size < good.size(); ++size) {
      EXPECT_EQ(adapter.call(Octets(good.begin(), good.begin() + static_cast<std::ptrdiff_t>(size))).id,
                SystemException::object_not_exist);
    }
    EXPECT_EQ(counts.calls + others.calls, 0);
  }
}

}  // namespace
}  // namespace tenon::poa::test
