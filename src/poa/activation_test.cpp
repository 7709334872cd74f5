// SPDX-License-Identifier: Apache-2.0
//
// Adapter activators, POAs of the main thread, managers by name, and the ways to find an object.
#include <gtest/gtest.h>

#include <set>

#include "base/minor_codes.hpp"
#include "orb/orb.hpp"
#include "poa/manager_test_support.hpp"

namespace tenon::poa::test {
namespace {

using Answer = AdapterActivator::Answer;
using Counts = CountingServant::Counts;
using Words = std::vector<std::string>;

/// Makes every child that is asked for, with an object "till" in it.
Ref<NotingPoaActivator> maker(Counts& counts) {
  const auto itself = std::make_shared<NotingPoaActivator*>();
  auto made = make_ref<NotingPoaActivator>([&counts, itself](WholePoa& parent, const std::string& name) {
    const Ref<WholePoa> child = *parent.create_child(name, Ref<Manager>(&parent.manager()), persistent_ids());
    EXPECT_TRUE(child->activate_with_id(octets("till"), *make_servant(counts)));
    EXPECT_TRUE(child->set_activator(Ref<AdapterActivator>(*itself)));
    return Answer::yes;
  });
  *itself = made.get();
  return made;
}

Octets key_of(std::initializer_list<std::string_view> names) {
  std::string path;
  for (const std::string_view name : names) path.append(name).append(1, '\0');
  return make_persistent_key(path, octets("till"));
}

TEST(AdapterActivators, MakeAPathOfAnyDepth) {
  Counts counts;
  Adapter adapter;
  const Octets key = key_of({"a", "b", "c", "d", "e", "f", "g", "h"});
  EXPECT_EQ(adapter.call(key), errors::no_such_adapter);
  const auto activator = maker(counts);
  ASSERT_TRUE(adapter.poa->set_activator(activator));
  EXPECT_EQ(adapter.poa->activator(), activator);
  EXPECT_FALSE(adapter.call(key));
  EXPECT_FALSE(adapter.call(key));
  EXPECT_EQ(activator->notes.all(), Words({"a", "b", "c", "d", "e", "f", "g", "h"}));
  EXPECT_EQ(counts.calls, 2);
  // A destroyed part is made again.
  EXPECT_TRUE((*adapter.poa->find_child("a"))->destroy(true, true));
  EXPECT_FALSE(adapter.call(key_of({"a", "b"})));
  EXPECT_EQ(activator->notes.count(), 10u);
  ior::Ior forward;
  EXPECT_EQ(*adapter.root->locate(key_of({"a", "x"}), forward), protocol::LocateStatus::object_here);
  // Not a path at all.
  EXPECT_EQ(adapter.call(make_persistent_key("a", octets("till"))), errors::no_such_adapter);
}

TEST(AdapterActivators, MayRefuseOrFail) {
  Adapter adapter;
  Answer answer = Answer::no;
  const auto activator = make_ref<NotingPoaActivator>([&](WholePoa&, const std::string&) { return answer; });
  ASSERT_TRUE(adapter.poa->set_activator(activator));
  EXPECT_EQ(adapter.call(key_of({"a"})), errors::no_such_adapter);
  answer = Answer::yes;  // but makes none
  EXPECT_EQ(adapter.call(key_of({"a"})), errors::no_such_adapter);
  answer = Answer::failed;
  EXPECT_EQ(adapter.call(key_of({"a"})), errors::adapter_activator_failed);
  EXPECT_EQ(adapter.poa->find_child("a", true).fault().error, errors::adapter_activator_failed);
  EXPECT_EQ(adapter.poa->find_child("a").fault().kind, Exception::adapter_non_existent);
  EXPECT_EQ(activator->notes.count(), 4u);
  ASSERT_TRUE(adapter.poa->set_activator(nullptr));
  EXPECT_EQ(adapter.call(key_of({"a"})), errors::no_such_adapter);
  EXPECT_EQ(activator->ref_count(), 1u);
}

TEST(AdapterActivators, FindPoaAsksThem) {
  Counts counts;
  Adapter adapter;
  ASSERT_TRUE(adapter.poa->set_activator(maker(counts)));
  EXPECT_EQ(adapter.poa->find_child("a").fault().kind, Exception::adapter_non_existent);
  const auto made = adapter.poa->find_child("a", true);
  ASSERT_TRUE(made);
  EXPECT_EQ((*made)->name(), "a");
}

TEST(AdapterActivators, RequestsWaitUntilThePoaIsComplete) {
  Counts counts;
  Adapter adapter;
  std::atomic<bool> created{false};
  std::atomic<bool> may_end{false};
  const auto activator = make_ref<NotingPoaActivator>([&](WholePoa& parent, const std::string& name) {
    const Ref<WholePoa> child = *parent.create_child(name, Ref<Manager>(&parent.manager()), persistent_ids());
    created = true;
    EXPECT_TRUE(eventually([&] { return may_end.load(); }));
    EXPECT_TRUE(child->activate_with_id(octets("till"), *make_servant(counts)));
    // The thread that makes it may use it.
    EXPECT_FALSE(adapter.call(key_of({"a"})));
    return Answer::yes;
  });
  ASSERT_TRUE(adapter.poa->set_activator(activator));
  std::thread callers[3];
  callers[0] = std::thread([&] { EXPECT_FALSE(adapter.call(key_of({"a"}))); });
  ASSERT_TRUE(eventually([&] { return created.load(); }));
  for (int i : {1, 2}) callers[i] = std::thread([&] { EXPECT_FALSE(adapter.call(key_of({"a"}))); });
  std::this_thread::sleep_for(std::chrono::milliseconds(10));
  EXPECT_EQ(counts.calls, 0);
  may_end = true;
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(counts.calls, 4);
  EXPECT_EQ(activator->notes.count(), 1u);
}

TEST(AdapterActivators, ObeyTheStateOfTheParentsManager) {
  Counts counts;
  Adapter adapter;
  Manager& manager = adapter.poa->manager();
  const auto activator = maker(counts);
  ASSERT_TRUE(adapter.poa->set_activator(activator));
  ASSERT_TRUE(manager.discard_requests(false));
  EXPECT_EQ(adapter.call(key_of({"a"})), errors::request_discarded);
  ASSERT_TRUE(manager.hold_requests(false));
  std::thread caller([&] { EXPECT_FALSE(adapter.call(key_of({"a"}))); });
  std::this_thread::sleep_for(std::chrono::milliseconds(10));
  EXPECT_EQ(activator->notes.count(), 0u);
  ASSERT_TRUE(manager.activate());
  caller.join();
  ASSERT_TRUE(manager.deactivate(true, true));
  EXPECT_EQ(adapter.call(key_of({"b"})), errors::manager_inactive);
  EXPECT_EQ(activator->notes.count(), 1u);
}

// --- MAIN_THREAD_MODEL ---

TEST(MainThread, DoesTheUpcallsOfItsPoas) {
  Counts counts;
  const auto orb = make_ref<orb::Orb>(orb::Options{}, std::vector<orb::Protocol>());
  const auto root = make_ref<WholeAdapter>(orb.get());
  ASSERT_TRUE((*root->root_poa())->manager().activate());
  const auto manager = Ref<Manager>(&(*root->root_poa())->manager());
  Policies plain = managed(Retention::retain);
  plain.thread = Thread::main_thread;
  std::set<std::thread::id> seen;  // no lock: one thread only
  const auto activator = make_ref<NotingActivator>([&](ByteView, WholePoa&) {
    seen.insert(std::this_thread::get_id());
    return Supplied{
        make_servant(counts, [&](protocol::IncomingCall&) { seen.insert(std::this_thread::get_id()); }),
        nullptr,
        {}};
  });
  activator->on_etherealize = [&](ByteView, WholePoa&) { seen.insert(std::this_thread::get_id()); };
  Ref<WholePoa> poas[2];
  for (Ref<WholePoa>& poa : poas) {
    poa = *(*root->root_poa())->create_child(&poa == poas ? "one" : "two", manager, plain);
    ASSERT_TRUE(poa->set_manager(activator));
  }
  std::atomic<int> done{0};
  std::thread callers[4];
  for (int i = 0; i < 4; ++i) {
    callers[i] = std::thread([&, i] {
      for (int round = 0; round < 20; ++round) {
        FakeCall call("noop", *poas[i % 2]->make_key(octets(std::to_string(i))));
        root->upcall(call);
        EXPECT_TRUE(call.succeeded());
      }
      EXPECT_TRUE(poas[i % 2]->deactivate(octets(std::to_string(i))));
      ++done;
    });
  }
  orb::MainWork& work = orb->main_work();
  while (done < 4 || work.pending()) work.perform();
  for (std::thread& caller : callers) caller.join();
  while (work.pending()) work.perform();
  EXPECT_EQ(counts.calls, 80);
  EXPECT_EQ(counts.most_running, 1);
  EXPECT_EQ(activator->overlaps, 0);
  EXPECT_EQ(activator->notes.count(), 8u);
  EXPECT_EQ(seen, std::set{std::this_thread::get_id()});
  // After stop() no thread waits for a main thread that does not come.
  std::thread late([&] {
    FakeCall call("noop", *poas[0]->make_key(octets("late")));
    root->upcall(call);
    EXPECT_EQ(call.error(), errors::poa_destroyed);
  });
  ASSERT_TRUE(eventually([&] { return work.pending(); }));
  work.stop();
  late.join();
  root->shut_down(true);
}

TEST(MainThread, ARequestThatWaitsKeepsNoPoaAlive) {
  Counts counts;
  Adapter adapter;
  Policies policies = user_ids();
  policies.thread = Thread::main_thread;
  const Ref<WholePoa> poa = adapter.child("shop", policies);
  ASSERT_TRUE(poa->activate_with_id(octets("till"), *make_servant(counts)));
  std::thread caller(
      [&] { EXPECT_EQ(adapter.call(*poa->make_key(octets("till"))).id, SystemException::transient); });
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  EXPECT_TRUE(poa->destroy(true, true));
  adapter.root->shut_down(true);
  caller.join();
  EXPECT_EQ(counts.calls, 0);
  EXPECT_EQ(counts.destroyed, 1);
}

// --- POAManagerFactory ---

TEST(ManagerFactory, KnowsManagersByTheirIds) {
  Adapter adapter;
  EXPECT_EQ(adapter.poa->manager().id(), "RootPOAManager");
  const Ref<Manager> made = *adapter.root->create_manager("mine");
  EXPECT_EQ(adapter.root->create_manager("mine").fault().kind, Exception::manager_already_exists);
  EXPECT_EQ(adapter.root->find_manager("mine"), made);
  EXPECT_EQ(adapter.root->find_manager("nobody's"), nullptr);
  EXPECT_EQ(made->state(), ManagerState::holding);
  const Ref<WholePoa> own = *adapter.poa->create_child("own", made, Policies());
  const Ref<WholePoa> other = *adapter.poa->create_child("other", nullptr, Policies());
  EXPECT_EQ(&own->manager(), made.get());
  EXPECT_EQ(adapter.root->managers({}), 3u);
  const std::string id = other->manager().id();
  EXPECT_EQ(adapter.root->find_manager(id).get(), &other->manager());
  EXPECT_TRUE(other->destroy(true, true));
  EXPECT_TRUE(own->destroy(true, true));
  EXPECT_EQ(adapter.root->find_manager(id), nullptr);
  EXPECT_EQ(adapter.root->find_manager("mine"), made);
}

// --- Demux ---

class Demuxes : public testing::TestWithParam<Demux> {};
INSTANTIATE_TEST_SUITE_P(All, Demuxes, testing::Values(Demux::active, Demux::hash, Demux::linear));

TEST_P(Demuxes, FindTheSameObjects) {
  Counts counts;
  Counts standing_in;
  Adapter adapter;
  for (const Assignment assignment : {Assignment::system_id, Assignment::user_id}) {
    Policies policies;
    policies.demux = GetParam();
    policies.assignment = assignment;
    policies.uniqueness = Uniqueness::multiple_id;
    policies.processing = Processing::default_servant;
    const Ref<WholePoa> poa = adapter.child(policies.system_ids() ? "system" : "user", policies);
    std::vector<ObjectId> ids;
    for (int i = 0; i < 50; ++i) {
      if (policies.system_ids()) {
        ids.push_back(*poa->activate(*make_servant(counts)));
      } else {
        ids.push_back(octets("object " + std::to_string(i)));
        ASSERT_TRUE(poa->activate_with_id(ids.back(), *make_servant(counts)));
      }
    }
    counts.calls = standing_in.calls = 0;
    for (const ObjectId& id : ids) EXPECT_FALSE(adapter.call(*poa->make_key(id)));
    EXPECT_EQ(counts.calls, 50);
    ASSERT_TRUE(poa->deactivate(ids[7]));
    EXPECT_EQ(adapter.call(*poa->make_key(ids[7])), errors::no_default_servant);
    ASSERT_TRUE(poa->activate_with_id(ids[7], *make_servant(counts)));
    EXPECT_FALSE(adapter.call(*poa->make_key(ids[7])));
    ASSERT_TRUE(poa->set_servant(make_servant(standing_in).get()));
    EXPECT_FALSE(adapter.call(*poa->make_key(make_slot_id(5, 99))));
    EXPECT_EQ(standing_in.calls, 1);
    EXPECT_EQ(counts.calls, 51);
  }
}

}  // namespace
}  // namespace tenon::poa::test
