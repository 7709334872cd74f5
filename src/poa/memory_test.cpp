// SPDX-License-Identifier: Apache-2.0
//
// What the adapter says when there is no memory for what a program or a peer wants of it, and that nothing has changed then.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>

#include "base/memory.hpp"
#include "base/minor_codes.hpp"
#include "poa/manager_test_support.hpp"
#include "poa/poa_test_support.hpp"

namespace tenon::poa {
namespace {

using namespace test;
using Counts = CountingServant::Counts;

std::atomic<int> allocations_left{0};

/// Gives what the heap has until so many allocations have been made; then the next one fails, and those after it succeed.
constexpr memory::Source failing_source{
    [](memory::Kind kind, std::size_t octets) noexcept -> void* {
      if (kind == memory::Kind::objects && allocations_left.fetch_sub(1) == 1) return nullptr;
      return std::aligned_alloc(64, (octets + 63) & ~std::size_t{63});
    },
    [](void*) noexcept { return false; }, [](memory::Kind, std::size_t (&)[4]) noexcept {},
    [](memory::Kind) noexcept {}};

class PoaMemory : public testing::Test {
 protected:
  PoaMemory() { memory::source.store(&failing_source); }
  ~PoaMemory() override { memory::source.store(nullptr); }

  Counts counts;

  /// Has the first allocation of `act` fail, then the second one ... until it needs no more. Each time `act` says why it failed, and
  /// succeeds when it is tried again.
  template <typename With = Adapter, typename Act>
  void fail_each(int at_least, Act act) {
    int failed = 0;
    for (int number = 1; number < 100; ++number) {
      With adapter;
      allocations_left = number;
      const Fault fault = act(adapter);
      const bool reached = allocations_left.exchange(0) <= 0;
      EXPECT_EQ(static_cast<bool>(fault), reached) << number;
      if (!reached) {
        EXPECT_GE(failed, at_least);
        return;
      }
      ++failed;
      EXPECT_EQ(fault.error, errors::memory_limit_reached) << number;
      EXPECT_FALSE(act(adapter)) << number;
    }
    ADD_FAILURE() << "it always needs more";
  }
};

template <typename T>
Fault fault_of(const Outcome<T>& outcome) {
  return outcome ? Fault() : outcome.fault();
}

TEST_F(PoaMemory, OfAnActivation) {
  // Its chunk of slots, what the chunk is noted in, and the servant's chain.
  fail_each(3, [this](Adapter& adapter) {
    const auto servant = make_servant(counts);
    return fault_of(adapter.poa->activate(*servant));
  });
}

struct RootAlone {
  Ref<RootAdapter> root = make_ref<LoneAdapter>();
  Ref<Poa> poa = *root->root_poa();
  ~RootAlone() { root->shut_down(true); }
};

TEST_F(PoaMemory, OfAReferenceBeforeItsServant) {
  // Its octets, what ids are found by, its id, and what an activation takes otherwise.
  fail_each<RootAlone>(6, [this](RootAlone& alone) {
    const Outcome<Octets> key = alone.poa->new_key();
    if (!key) return key.fault();
    const auto servant = make_servant(counts);
    return fault_of(alone.poa->activate_with_id(*alone.poa->id_of(*key), *servant));
  });
}

TEST_F(PoaMemory, OfAChildAndAnActivationWithAnId) {
  fail_each(5, [this](Adapter& adapter) {
    auto child = adapter.poa->find_child("shop");
    if (!child && child.fault().error) return child.fault();
    if (!child) child = adapter.poa->create_child("shop", nullptr, persistent_ids());
    if (!child) return child.fault();
    const auto servant = make_servant(counts);
    return fault_of((*child)->activate_with_id(octets("till"), *servant));
  });
}

TEST_F(PoaMemory, OfAServantThatAnActivatorSupplies) {
  int made = 0;
  fail_each(4, [&](Adapter& adapter) -> Fault {
    auto child = adapter.poa->find_child("shop");
    if (!child && child.fault().error) return child.fault();
    if (!child)
      child = adapter.poa->create_child("shop", Ref<Manager>(&adapter.poa->manager()),
                                        managed(Retention::retain));
    if (!child) return child.fault();
    const auto activator = make_ref<NotingActivator>([&](ByteView, WholePoa&) {
      ++made;
      return Supplied{make_servant(counts), nullptr, {}};
    });
    if (const Fault set = fault_of((*child)->set_manager(Ref<ServantActivator>(activator)));
        set && set.error != errors::servant_manager_set)
      return set;
    const Error why = adapter.call(*(*child)->key_with_id(octets("till")));
    if (why) return why;
    EXPECT_TRUE((*child)->destroy(true, true));
    EXPECT_EQ(counts.destroyed, made) << "a servant that found no place was given back";
    return {};
  });
}

TEST_F(PoaMemory, OfAPlainKey) {
  fail_each(2, [](Adapter& adapter) -> Fault {
    const Status done = adapter.root->publish(octets("Bell"), octets("not a key of ours"));
    return done ? Fault() : Fault(done.error());
  });
}

TEST_F(PoaMemory, OfAPathThatAPeerHasChosen) {
  Adapter adapter;
  const auto activator = make_ref<NotingPoaActivator>(
      [](WholePoa&, const std::string&) { return AdapterActivator::Answer::no; });
  ASSERT_TRUE(adapter.poa->set_activator(activator));
  const Octets key = make_persistent_key(std::string_view("shop\0", 5), octets("till"));
  allocations_left = 1;
  EXPECT_EQ(adapter.call(key), errors::memory_limit_reached);
  EXPECT_EQ(activator->notes.all().size(), 0u);
  EXPECT_EQ(adapter.call(key), errors::no_such_adapter);
  EXPECT_EQ(activator->notes.all().size(), 1u);
}

}  // namespace
}  // namespace tenon::poa
