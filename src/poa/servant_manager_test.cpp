// SPDX-License-Identifier: Apache-2.0
//
// Servant activators and locators: when they are asked, what they may answer, and how objects end.
#include "poa/servant_manager.hpp"

#include <gtest/gtest.h>

#include "base/minor_codes.hpp"
#include "orb/orb.hpp"
#include "poa/manager_test_support.hpp"

namespace tenon::poa::test {
namespace {

using Counts = CountingServant::Counts;
using Words = std::vector<std::string>;

Ref<orb::Reference> elsewhere() {
  ior::Ior target;
  target.type_id = "IDL:Test/Elsewhere:1.0";
  target.profiles.push_back({77, {1, 2, 3}});
  return make_ref<orb::Orb>(orb::Options{}, std::vector<orb::Protocol>())->reference(std::move(target));
}

void expect_forward(const FakeCall& call) {
  EXPECT_EQ(call.replies, 1);
  ASSERT_EQ(call.status, protocol::ReplyStatus::location_forward);
  cdr::Reader in(call.reply.bytes(), call.reply.format());
  ior::Ior target;
  ior::read_ior(in, target);
  EXPECT_EQ(target.type_id, "IDL:Test/Elsewhere:1.0");
}

TEST(ServantManagers, OnePerPoaOfTheKindThatItsPoliciesAskFor) {
  Counts counts;
  Adapter adapter;
  const auto activator = fresh_servants(counts);
  const auto locator = make_ref<NotingLocator>([](ByteView, WholePoa&) { return Supplied(); });
  EXPECT_EQ(adapter.poa->set_manager(activator).fault().kind, Exception::wrong_policy);
  EXPECT_EQ(adapter.poa->get_manager().fault().kind, Exception::wrong_policy);
  for (const Retention retention : {Retention::retain, Retention::non_retain}) {
    const bool retains = retention == Retention::retain;
    const Ref<WholePoa> poa = adapter.child(retains ? "retain" : "not", managed(retention));
    EXPECT_FALSE(*poa->get_manager());
    EXPECT_EQ(adapter.call(*poa->make_key(octets("x"))), errors::no_servant_manager);
    const Fault wrong_kind = (retains ? poa->set_manager(locator) : poa->set_manager(activator)).fault();
    EXPECT_EQ(wrong_kind.error, errors::no_servant_manager);
    EXPECT_EQ(poa->set_manager(Ref<ServantActivator>()).fault().error, errors::no_servant_manager);
    EXPECT_TRUE(retains ? poa->set_manager(activator) : poa->set_manager(locator));
    EXPECT_EQ((retains ? poa->set_manager(activator) : poa->set_manager(locator)).fault().error,
              errors::servant_manager_set);
    EXPECT_TRUE(*poa->get_manager());
    ior::Ior forward;
    EXPECT_EQ(*adapter.root->locate(*poa->make_key(octets("x")), forward),
              protocol::LocateStatus::object_here);
  }
}

TEST(ServantActivators, AskedOncePerLifeOfAnObject) {
  Counts counts;
  Adapter adapter;
  const Ref<WholePoa> poa = adapter.child("shop", managed(Retention::retain));
  const auto activator = fresh_servants(counts);
  ASSERT_TRUE(poa->set_manager(activator));
  const Octets key = *poa->make_key(octets("till"));
  EXPECT_EQ(poa->id_to_servant(octets("till")).fault().kind, Exception::object_not_active);
  EXPECT_FALSE(adapter.call(key));
  EXPECT_FALSE(adapter.call(key));
  EXPECT_TRUE(poa->id_to_servant(octets("till")));
  EXPECT_EQ(activator->notes.all(), Words({"incarnate till"}));
  ASSERT_TRUE(poa->deactivate(octets("till")));
  EXPECT_EQ(activator->notes.all(), Words({"incarnate till", "etherealize till"}));
  EXPECT_EQ(counts.destroyed, 1);
  EXPECT_FALSE(adapter.call(key));
  EXPECT_EQ(activator->notes.count(), 3u);
  // An object that the application activated ends with the activator too.
  ASSERT_TRUE(poa->activate_with_id(octets("own"), *make_servant(counts)));
  ASSERT_TRUE(poa->deactivate(octets("own")));
  EXPECT_EQ(activator->notes.all().back(), "etherealize own");
}

TEST(ServantActivators, SystemIdsOfSlotsAreSuppliedAgain) {
  Counts counts;
  Adapter adapter;
  Policies policies = managed(Retention::retain);
  policies.assignment = Assignment::system_id;
  const Ref<WholePoa> poa = adapter.child("shop", policies);
  const auto activator = fresh_servants(counts);
  ASSERT_TRUE(poa->set_manager(activator));
  const ObjectId id = *poa->activate(*make_servant(counts));
  const Octets key = *poa->make_key(id);
  EXPECT_FALSE(adapter.call(key));
  EXPECT_EQ(activator->notes.count(), 0u);
  ASSERT_TRUE(poa->deactivate(id));
  EXPECT_EQ(activator->notes.all(), Words({"etherealize " + text_of(id)}));
  EXPECT_FALSE(adapter.call(key));
  EXPECT_EQ(activator->notes.all().back(), "incarnate " + text_of(id));
}

TEST(ServantActivators, WhatTheyMayAnswer) {
  Counts counts;
  Adapter adapter;
  const auto same = make_servant(counts);
  const auto activator = make_ref<NotingActivator>([&](ByteView id, WholePoa& poa) {
    const std::string which = text_of(id);
    Supplied answer;
    if (which == "forward") answer.forward = elsewhere();
    if (which == "error") answer.error = errors::out_of_memory;
    if (which.starts_with("same")) answer.servant = same;
    if (which == "itself") {
      EXPECT_TRUE(poa.activate_with_id(id, *same));
      answer.servant = same;
    }
    return answer;
  });
  const Ref<WholePoa> poa = adapter.child("shop", managed(Retention::retain));
  ASSERT_TRUE(poa->set_manager(activator));
  const auto outcome = [&](std::string_view id) { return adapter.call(*poa->make_key(octets(id))); };
  EXPECT_EQ(outcome("null"), errors::null_servant);
  EXPECT_EQ(outcome("error"), errors::out_of_memory);
  EXPECT_FALSE(outcome("same one"));
  EXPECT_EQ(outcome("same two"), errors::incarnate_violated_policy);
  EXPECT_EQ(activator->notes.all().back(), "etherealize same two remaining");
  ASSERT_TRUE(poa->deactivate(octets("same one")));
  EXPECT_FALSE(outcome("itself"));
  EXPECT_EQ(counts.calls, 2);
  FakeCall call("noop", *poa->make_key(octets("forward")));
  adapter.root->upcall(call);
  expect_forward(call);
}

TEST(ServantActivators, RemainingActivationsOfAServant) {
  Counts counts;
  Adapter adapter;
  Policies policies = managed(Retention::retain);
  policies.uniqueness = Uniqueness::multiple_id;
  const Ref<WholePoa> poa = adapter.child("shop", policies);
  auto servant = make_servant(counts);
  const auto activator =
      make_ref<NotingActivator>([&](ByteView, WholePoa&) { return Supplied{servant, nullptr, {}}; });
  ASSERT_TRUE(poa->set_manager(activator));
  for (const char* id : {"a", "b", "c"}) EXPECT_FALSE(adapter.call(*poa->make_key(octets(id))));
  ASSERT_TRUE(poa->deactivate(octets("b")));
  EXPECT_TRUE(poa->destroy(true, true));
  const Words all = activator->notes.all();
  ASSERT_EQ(all.size(), 6u);
  EXPECT_EQ(all[3], "etherealize b remaining");
  EXPECT_EQ(all[4], "etherealize a cleanup remaining");
  EXPECT_EQ(all[5], "etherealize c cleanup");
}

TEST(ServantActivators, EndOfThePoa) {
  for (const bool etherealize : {true, false}) {
    Counts counts;
    Adapter adapter;
    const Ref<WholePoa> shop = adapter.child("shop", managed(Retention::retain));
    const Ref<WholePoa> desk =
        *shop->create_child("desk", Ref<Manager>(&shop->manager()), managed(Retention::retain));
    const auto activator = fresh_servants(counts);
    activator->on_etherealize = [](ByteView id, WholePoa& poa) {
      // By now the POA is gone for all threads.
      EXPECT_EQ(poa.id_to_servant(id).fault().kind, Exception::system);
      EXPECT_EQ(poa.destroy(true, true).fault().error, errors::would_deadlock);
    };
    ASSERT_TRUE(shop->set_manager(activator));
    ASSERT_TRUE(desk->set_manager(activator));
    EXPECT_FALSE(adapter.call(*shop->make_key(octets("parent"))));
    EXPECT_FALSE(adapter.call(*desk->make_key(octets("child"))));
    EXPECT_TRUE(shop->destroy(etherealize, true));
    EXPECT_EQ(counts.destroyed, 2);
    const Words all = activator->notes.all();
    if (etherealize) {
      ASSERT_EQ(all.size(), 4u);
      EXPECT_EQ(all[2], "etherealize child cleanup");
      EXPECT_EQ(all[3], "etherealize parent cleanup");
    } else {
      EXPECT_EQ(all.size(), 2u);
    }
    // The POA has let go of its manager: no circle keeps either.
    EXPECT_EQ(activator->ref_count(), 1u);
  }
}

TEST(ServantActivators, EndOfTheManagerState) {
  Counts counts;
  Adapter adapter;
  const Ref<WholePoa> poa = *adapter.poa->create_child("shop", nullptr, managed(Retention::retain));
  ASSERT_TRUE(poa->manager().activate());
  const auto activator = fresh_servants(counts);
  ASSERT_TRUE(poa->set_manager(activator));
  for (const char* id : {"a", "b"}) EXPECT_FALSE(adapter.call(*poa->make_key(octets(id))));
  EXPECT_TRUE(poa->manager().deactivate(true, true));
  EXPECT_EQ(activator->notes.count(), 4u);
  EXPECT_EQ(counts.destroyed, 2);
  EXPECT_EQ(adapter.call(*poa->make_key(octets("a"))), errors::manager_inactive);
  EXPECT_EQ(poa->id_to_servant(octets("a")).fault().kind, Exception::object_not_active);
}

TEST(ServantActivators, AShutDownEtherealizes) {
  Counts counts;
  Adapter adapter;
  const Ref<WholePoa> poa = adapter.child("shop", managed(Retention::retain));
  const auto activator = fresh_servants(counts);
  ASSERT_TRUE(poa->set_manager(activator));
  EXPECT_FALSE(adapter.call(*poa->make_key(octets("a"))));
  adapter.root->shut_down(true);
  EXPECT_EQ(activator->notes.all().back(), "etherealize a cleanup");
}

// §15.3.9, deactivate_object: the next life of an object begins after etherealize() has returned.
TEST(ServantActivators, TheNextLifeWaitsForTheEndOfTheLast) {
  Counts counts;
  Adapter adapter;
  const Ref<WholePoa> poa = adapter.child("shop", managed(Retention::retain));
  std::atomic<bool> may_end{false};
  std::atomic<bool> first_call{true};
  const auto activator = fresh_servants(counts, [&](protocol::IncomingCall&) {
    if (first_call.exchange(false)) {
      EXPECT_TRUE(eventually([&] { return may_end.load(); }));
    }
  });
  ASSERT_TRUE(poa->set_manager(activator));
  const ObjectId id = octets("till");
  const Octets key = *poa->make_key(id);
  std::thread first([&] { EXPECT_FALSE(adapter.call(key)); });
  ASSERT_TRUE(eventually([&] { return counts.running == 1; }));
  ASSERT_TRUE(poa->deactivate(id));  // returns at once
  std::thread second([&] { EXPECT_FALSE(adapter.call(key)); });
  std::this_thread::sleep_for(std::chrono::milliseconds(10));
  EXPECT_EQ(activator->notes.count(), 1u);
  may_end = true;
  first.join();
  second.join();
  EXPECT_EQ(activator->notes.all(), Words({"incarnate till", "etherealize till", "incarnate till"}));
}

// Where no activator has been set, there is none to be told, and nothing to wait for.
TEST(ServantActivators, TheNextLifeWhereNoActivatorIsSet) {
  Counts counts;
  Counts others;
  Adapter adapter;
  const Ref<WholePoa> poa = adapter.child("shop", managed(Retention::retain));
  const ObjectId id = octets("till");
  ASSERT_TRUE(poa->activate_with_id(id, *make_servant(counts, [&](protocol::IncomingCall&) {
                                      EXPECT_TRUE(poa->deactivate(id));
                                      EXPECT_TRUE(poa->activate_with_id(id, *make_servant(others)));
                                    })));
  const Octets key = *poa->make_key(id);
  EXPECT_FALSE(adapter.call(key));
  EXPECT_FALSE(adapter.call(key));
  EXPECT_EQ(counts.destroyed, 1);
  EXPECT_EQ(others.calls, 1);
}

// A servant from incarnate() that cannot be used is given back, and the call goes to the servant that was quicker.
TEST(ServantActivators, AnActivationDuringAnIncarnation) {
  Counts supplied;
  Counts activated;
  bool destroyed_before = true;  // before the adapter, which etherealizes what is left
  Adapter adapter;
  const Ref<WholePoa> poa = adapter.child("shop", managed(Retention::retain));
  const ObjectId id = octets("till");
  const auto activator = make_ref<NotingActivator>([&](ByteView, WholePoa&) {
    std::thread([&] { EXPECT_TRUE(poa->activate_with_id(id, *make_servant(activated))); }).join();
    return Supplied{make_servant(supplied), nullptr, {}};
  });
  activator->on_etherealize = [&](ByteView, WholePoa&) { destroyed_before = supplied.destroyed != 0; };
  ASSERT_TRUE(poa->set_manager(activator));
  EXPECT_FALSE(adapter.call(*poa->make_key(id)));
  EXPECT_EQ(activator->notes.all(), Words({"incarnate till", "etherealize till"}));
  EXPECT_FALSE(destroyed_before);
  EXPECT_EQ(supplied.destroyed, 1);
  EXPECT_EQ(supplied.calls, 0);
  EXPECT_FALSE(adapter.call(*poa->make_key(id)));
  EXPECT_EQ(activated.calls, 2);
  EXPECT_EQ(activator->notes.count(), 2u);
  EXPECT_EQ(activator->overlaps, 0);
}

TEST(ServantActivators, NobodyWaitsForHimself) {
  Counts counts;
  Adapter adapter;
  const Ref<WholePoa> poa = adapter.child("shop", managed(Retention::retain));
  const ObjectId id = octets("till");
  Fault again;
  Error nested;
  const auto activator = fresh_servants(counts, [&](protocol::IncomingCall&) {
    EXPECT_TRUE(poa->deactivate(id));
    again = poa->activate_with_id(id, *make_servant(counts)).fault();
    nested = adapter.call(*poa->make_key(id));
  });
  ASSERT_TRUE(poa->set_manager(activator));
  EXPECT_FALSE(adapter.call(*poa->make_key(id)));
  EXPECT_EQ(again.error, errors::would_deadlock);
  EXPECT_EQ(nested, errors::would_deadlock);
  EXPECT_EQ(activator->notes.all().back(), "etherealize till");
}

// A thread that has the turn of a SINGLE_THREAD POA etherealizes an object that it has deactivated before it incarnates it again.
TEST(ServantActivators, EvictionInsideAnUpcallOfASingleThreadPoa) {
  Counts counts;
  Adapter adapter;
  Policies policies = managed(Retention::retain);
  policies.thread = Thread::single_thread;
  const Ref<WholePoa> poa = adapter.child("shop", policies);
  const auto activator = fresh_servants(counts, [&](protocol::IncomingCall& call) {
    if (call.operation != "evict") return;
    EXPECT_TRUE(poa->deactivate(octets("other")));
    EXPECT_FALSE(adapter.call(*poa->make_key(octets("other"))));
    EXPECT_TRUE(poa->deactivate(octets("other")));
    EXPECT_TRUE(poa->activate_with_id(octets("other"), *make_servant(counts)));
  });
  ASSERT_TRUE(poa->set_manager(activator));
  EXPECT_FALSE(adapter.call(*poa->make_key(octets("other"))));
  FakeCall evict("evict", *poa->make_key(octets("one")));
  adapter.root->upcall(evict);
  EXPECT_TRUE(evict.succeeded());
  EXPECT_EQ(activator->notes.all(), Words({"incarnate other", "incarnate one", "etherealize other",
                                           "incarnate other", "etherealize other"}));
}

TEST(ServantLocators, AroundEveryRequest) {
  Counts counts;
  Adapter adapter;
  const Ref<WholePoa> poa = adapter.child("shop", managed(Retention::non_retain));
  ObjectId seen;
  const auto locator = make_ref<NotingLocator>([&](ByteView, WholePoa&) {
    return Supplied{make_servant(counts,
                                 [&](protocol::IncomingCall&) {
                                   seen = ObjectId(current_frame->id.begin(), current_frame->id.end());
                                   EXPECT_EQ(*poa->servant_to_id(*current_frame->servant), seen);
                                   EXPECT_EQ(*poa->key_of(*current_frame->servant), *poa->make_key(seen));
                                 }),
                    nullptr,
                    {}};
  });
  ASSERT_TRUE(poa->set_manager(locator));
  FakeCall call("noop", *poa->make_key(octets("till")));
  locator->on_postinvoke = [&] { EXPECT_EQ(call.replies, 0); };
  adapter.root->upcall(call);
  EXPECT_TRUE(call.succeeded());
  EXPECT_EQ(seen, octets("till"));
  EXPECT_EQ(counts.destroyed, 1);
  EXPECT_EQ(locator->notes.all(), Words({"preinvoke till noop", "postinvoke till noop"}));
  EXPECT_EQ(poa->activate_with_id(octets("x"), *make_servant(counts)).fault().kind, Exception::wrong_policy);
  EXPECT_EQ(poa->id_to_servant(octets("x")).fault().kind, Exception::wrong_policy);
  EXPECT_EQ(poa->deactivate(octets("x")).fault().kind, Exception::wrong_policy);
}

TEST(ServantLocators, WhatTheyMayAnswer) {
  Counts counts;
  Adapter adapter;
  const Ref<WholePoa> poa = adapter.child("shop", managed(Retention::non_retain));
  const auto locator = make_ref<NotingLocator>([&](ByteView id, WholePoa&) {
    const std::string which = text_of(id);
    Supplied answer;
    if (which == "forward") answer.forward = elsewhere();
    if (which == "error") answer.error = errors::out_of_memory;
    if (which == "servant") answer.servant = make_servant(counts);
    return answer;
  });
  ASSERT_TRUE(poa->set_manager(locator));
  const auto outcome = [&](std::string_view id) { return adapter.call(*poa->make_key(octets(id))); };
  EXPECT_EQ(outcome("null"), errors::null_servant);
  EXPECT_EQ(outcome("error"), errors::out_of_memory);
  FakeCall call("noop", *poa->make_key(octets("forward")));
  adapter.root->upcall(call);
  expect_forward(call);
  EXPECT_EQ(locator->notes.count(), 3u);  // no postinvoke
  locator->answer = errors::foreign_exception;
  EXPECT_EQ(outcome("servant"), errors::foreign_exception);
  EXPECT_EQ(counts.calls, 1);
}

TEST(ServantLocators, DestroyWaitsForTheirUpcalls) {
  Counts counts;
  Adapter adapter;
  const Ref<WholePoa> poa = adapter.child("shop", managed(Retention::non_retain));
  std::atomic<bool> may_end{false};
  const auto locator = make_ref<NotingLocator>([&](ByteView, WholePoa&) {
    return Supplied{make_servant(counts,
                                 [&](protocol::IncomingCall&) {
                                   EXPECT_TRUE(eventually([&] { return may_end.load(); }));
                                 }),
                    nullptr,
                    {}};
  });
  ASSERT_TRUE(poa->set_manager(locator));
  const Octets key = *poa->make_key(octets("till"));
  std::thread caller([&] { EXPECT_FALSE(adapter.call(key)); });
  ASSERT_TRUE(eventually([&] { return counts.running == 1; }));
  std::atomic<bool> destroyed{false};
  std::thread ender([&] {
    EXPECT_TRUE(poa->destroy(true, true));
    destroyed = true;
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(10));
  EXPECT_FALSE(destroyed);
  may_end = true;
  ender.join();
  EXPECT_EQ(locator->notes.count(), 2u);
  caller.join();
  EXPECT_EQ(adapter.call(key), errors::no_such_adapter);
}

}  // namespace
}  // namespace tenon::poa::test
