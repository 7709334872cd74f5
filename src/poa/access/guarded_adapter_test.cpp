// SPDX-License-Identifier: Apache-2.0
//
// Where rules of access are looked at: before anything of the application hears of a request, whichever way the request would take.
#include "poa/access/guarded_adapter.hpp"

#include <gtest/gtest.h>

#include "base/minor_codes.hpp"
#include "poa/manager_test_support.hpp"

namespace tenon::poa::test {
namespace {

using Counts = CountingServant::Counts;
using Words = std::vector<std::string>;

Ref<const AccessRules> rules_of(std::string_view text) { return AccessRules::parse(text, "rules"); }

struct Guarded {
  Ref<GuardedAdapter> root = make_ref<GuardedAdapter>();
  Ref<WholePoa> poa = *root->root_poa();

  Guarded() {
    enable_thread_policies();
    static_cast<void>(poa->manager().activate());
  }
  ~Guarded() { root->shut_down(true); }

  Ref<WholePoa> child(std::string_view name, const Policies& policies) const {
    return *poa->create_child(name, Ref<Manager>(&poa->manager()), policies);
  }
  Error call(const Octets& key, const std::string& operation) const {
    FakeCall call(operation, key);
    root->upcall(call);
    return call.error();
  }
  protocol::LocateStatus locate(const Octets& key) const {
    ior::Ior forward;
    return *root->locate(key, forward);
  }
};

TEST(GuardedAdapter, RulesOfAllPoasOldAndNew) {
  Counts counts;
  const Guarded adapter;
  const ObjectId id = *adapter.poa->activate(*make_servant(counts));
  const Octets key = *adapter.poa->make_key(id);
  EXPECT_FALSE(adapter.call(key, "debit"));
  adapter.root->set_rules(rules_of("allow poa=RootPOA operation=debit\nallow poa=RootPOA/* operation=close"));
  EXPECT_TRUE(adapter.poa->is_guarded());
  EXPECT_FALSE(adapter.call(key, "debit"));
  EXPECT_EQ(adapter.call(key, "close"), errors::access_refused);
  const Ref<WholePoa> later = adapter.child("later", user_ids());
  ASSERT_TRUE(later->activate_with_id(octets("till"), *make_servant(counts)));
  EXPECT_EQ(adapter.call(*later->make_key(octets("till")), "debit"), errors::access_refused);
  EXPECT_FALSE(adapter.call(*later->make_key(octets("till")), "close"));
  EXPECT_EQ(counts.calls, 3);
  adapter.root->set_rules(nullptr);
  EXPECT_FALSE(adapter.poa->is_guarded());
  EXPECT_FALSE(adapter.call(key, "close"));
}

TEST(GuardedAdapter, RulesOfOnePoaAndOfAllMustBothAllow) {
  Counts counts;
  const Guarded adapter;
  const Ref<WholePoa> bank = adapter.child("Bank", {});
  const Ref<WholePoa> other = adapter.child("other", {});
  const Octets bank_key = *bank->make_key(*bank->activate(*make_servant(counts)));
  const Octets other_key = *other->make_key(*other->activate(*make_servant(counts)));
  ASSERT_TRUE(adapter.root->set_rules(*bank, rules_of("allow operation=debit|close")));
  EXPECT_FALSE(other->is_guarded());
  EXPECT_FALSE(adapter.call(bank_key, "debit"));
  EXPECT_EQ(adapter.call(bank_key, "audit"), errors::access_refused);
  EXPECT_FALSE(adapter.call(other_key, "audit"));
  adapter.root->set_rules(rules_of("deny operation=close\nallow"));
  EXPECT_FALSE(adapter.call(bank_key, "debit"));
  EXPECT_EQ(adapter.call(bank_key, "close"), errors::access_refused);
  EXPECT_EQ(adapter.call(bank_key, "audit"), errors::access_refused);
  EXPECT_FALSE(adapter.call(other_key, "audit"));
  ASSERT_TRUE(adapter.root->set_rules(*bank, nullptr));
  EXPECT_FALSE(adapter.call(bank_key, "audit"));
  ASSERT_TRUE(bank->destroy(false, true));
  EXPECT_EQ(adapter.root->set_rules(*bank, nullptr).error(), errors::no_such_adapter);
}

TEST(GuardedAdapter, TlsThatIsDemanded) {
  Counts counts;
  const Guarded adapter;
  const Octets key = *adapter.poa->make_key(*adapter.poa->activate(*make_servant(counts)));
  ASSERT_TRUE(adapter.root->demand_tls(*adapter.poa, true));
  EXPECT_EQ(adapter.call(key, "debit"), errors::access_refused);
  ASSERT_TRUE(adapter.root->set_rules(*adapter.poa, rules_of("allow")));
  EXPECT_EQ(adapter.call(key, "debit"), errors::access_refused);
  ASSERT_TRUE(adapter.root->demand_tls(*adapter.poa, false));
  EXPECT_FALSE(adapter.call(key, "debit"));
  EXPECT_TRUE(adapter.poa->is_guarded());
}

TEST(GuardedAdapter, RulesThatCannotBeUsedCloseEverything) {
  Counts counts;
  const Guarded adapter;
  const Octets key = *adapter.poa->make_key(*adapter.poa->activate(*make_servant(counts)));
  adapter.root->set_rules(rules_of("allow\nalow"));
  EXPECT_EQ(adapter.call(key, "debit"), errors::access_refused);
  EXPECT_EQ(counts.calls, 0);
}

TEST(GuardedAdapter, NobodyElseHearsOfWhatIsRefused) {
  Counts counts;
  const Guarded adapter;
  adapter.root->set_rules(rules_of("deny operation=close\nallow"));
  const Ref<WholePoa> retained = adapter.child("retained", managed(Retention::retain));
  const auto activator = fresh_servants(counts);
  ASSERT_TRUE(retained->set_manager(activator));
  const Ref<WholePoa> located = adapter.child("located", managed(Retention::non_retain));
  unsigned asked = 0;
  const auto locator = make_ref<NotingLocator>([&](ByteView, WholePoa&) {
    ++asked;
    return Supplied{make_servant(counts), nullptr, {}};
  });
  ASSERT_TRUE(located->set_manager(locator));
  Policies by_default = user_ids();
  by_default.processing = Processing::default_servant;
  by_default.uniqueness = Uniqueness::multiple_id;
  const Ref<WholePoa> defaults = adapter.child("defaults", by_default);
  ASSERT_TRUE(defaults->set_servant(make_servant(counts).get()));
  for (const Ref<WholePoa>& each : {retained, located, defaults}) {
    const Octets key = *each->make_key(octets("till"));
    EXPECT_EQ(adapter.call(key, "close"), errors::access_refused);
    EXPECT_EQ(counts.calls, 0);
  }
  EXPECT_EQ(activator->notes.count() + asked, 0u);
  for (const Ref<WholePoa>& each : {retained, located, defaults})
    EXPECT_FALSE(adapter.call(*each->make_key(octets("till")), "debit"));
  EXPECT_EQ(counts.calls, 3);
  EXPECT_EQ(asked, 1u);
}

TEST(GuardedAdapter, AdapterActivatorsAreNotAskedForWhatIsRefused) {
  Counts counts;
  const Guarded adapter;
  const auto activator = make_ref<NotingPoaActivator>([&](WholePoa& parent, const std::string& name) {
    const Ref<WholePoa> child = *parent.create_child(name, Ref<Manager>(&parent.manager()), persistent_ids());
    EXPECT_TRUE(child->activate_with_id(octets("till"), *make_servant(counts)));
    EXPECT_TRUE(adapter.root->set_rules(*child, rules_of("deny operation=audit\nallow")));
    return AdapterActivator::Answer::yes;
  });
  ASSERT_TRUE(adapter.poa->set_activator(activator));
  adapter.root->set_rules(rules_of("deny poa=RootPOA/Bank operation=close\nallow"));
  const Octets key = make_persistent_key(std::string("Bank\0", 5), octets("till"));
  EXPECT_EQ(adapter.call(key, "close"), errors::access_refused);
  EXPECT_EQ(activator->notes.count(), 0u);
  EXPECT_EQ(adapter.locate(key), protocol::LocateStatus::object_here);
  EXPECT_EQ(activator->notes.count(), 0u);
  // The POA that this makes has rules of its own.
  EXPECT_EQ(adapter.call(key, "audit"), errors::access_refused);
  EXPECT_EQ(activator->notes.count(), 1u);
  EXPECT_EQ(counts.calls, 0);
  EXPECT_FALSE(adapter.call(key, "debit"));
  EXPECT_EQ(counts.calls, 1);
}

TEST(GuardedAdapter, WhatIsRefusedIsNotHeld) {
  Counts counts;
  const Guarded adapter;
  const Octets key = *adapter.poa->make_key(*adapter.poa->activate(*make_servant(counts)));
  ASSERT_TRUE(adapter.root->set_rules(*adapter.poa, rules_of("allow operation=debit")));
  ASSERT_TRUE(adapter.poa->manager().hold_requests(false));
  EXPECT_EQ(adapter.call(key, "close"), errors::access_refused);
  EXPECT_EQ(counts.calls, 0);
}

TEST(GuardedAdapter, EveryThreadPolicy) {
  for (const Thread thread : {Thread::orb_control, Thread::single_thread, Thread::main_thread}) {
    Counts counts;
    const Guarded adapter;
    Policies policies;
    policies.thread = thread;
    const Ref<WholePoa> poa = adapter.child("child", policies);
    const Octets key = *poa->make_key(*poa->activate(*make_servant(counts)));
    ASSERT_TRUE(adapter.root->set_rules(*poa, rules_of("allow operation=debit")));
    EXPECT_EQ(adapter.call(key, "close"), errors::access_refused);
    EXPECT_EQ(counts.calls, 0);
    if (thread == Thread::main_thread) continue;  // this test has none
    EXPECT_FALSE(adapter.call(key, "debit"));
    EXPECT_EQ(counts.calls, 1);
  }
}

TEST(GuardedAdapter, LocateSaysNothingOfPoasWithRules) {
  const Guarded adapter;
  const Ref<WholePoa> open = adapter.child("open", user_ids());
  EXPECT_EQ(adapter.locate(*open->make_key(octets("none"))), protocol::LocateStatus::unknown_object);
  ASSERT_TRUE(adapter.root->set_rules(*open, rules_of("allow")));
  EXPECT_EQ(adapter.locate(*open->make_key(octets("none"))), protocol::LocateStatus::object_here);
  EXPECT_EQ(adapter.call(*open->make_key(octets("none")), "debit"), errors::object_not_active);
  EXPECT_EQ(adapter.locate(octets("no key")), protocol::LocateStatus::unknown_object);
}

TEST(GuardedAdapter, PlainKeysAndNumbers) {
  Counts counts;
  const Guarded adapter;
  const Octets key = *adapter.poa->make_key(*adapter.poa->activate(*make_servant(counts)));
  ASSERT_TRUE(adapter.root->publish(octets("Bank"), key));
  EXPECT_FALSE(adapter.call(key, "0017x7Qz"));
  adapter.root->set_rules(rules_of("deny operation=close\nallow"));
  EXPECT_EQ(adapter.call(octets("Bank"), "close"), errors::access_refused);
  EXPECT_FALSE(adapter.call(octets("Bank"), "debit"));
  EXPECT_EQ(adapter.call(key, "0017x7Qz"), errors::access_refused);
  EXPECT_EQ(adapter.call(key, "17"), errors::access_refused);
}

TEST(GuardedAdapter, ARootPoaThatIsMadeAnewHasTheRulesOfAll) {
  const Guarded adapter;
  adapter.root->set_rules(rules_of("allow operation=debit"));
  ASSERT_TRUE(adapter.poa->destroy(false, true));
  const Ref<WholePoa> again = *adapter.root->root_poa();
  EXPECT_TRUE(again->is_guarded());
}

}  // namespace
}  // namespace tenon::poa::test
