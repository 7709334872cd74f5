// SPDX-License-Identifier: Apache-2.0
//
// PortableServer over a real ORB core with iiop: references lead to servants, with and without a socket between.
#include "tenon/portable_server/poa.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <thread>
#include <vector>

#include "base/minor_codes.hpp"
#include "mapping/cpp11/calls/bell_test_support.hpp"
#include "mapping/cpp11/portable_server/portable_server_test_support.hpp"
#include "orb/corbaloc.hpp"
#include "tenon/portable_server/publish.hpp"

namespace {

using PortableServer::POA;
using PortableServer::POAManager;
using tenon::gen::test::PortableServerTest;
using tenon::gen::test::Way;
using Tower::Bell;
using Tower::Bell_impl;

INSTANTIATE_TEST_SUITE_P(Collocated, PortableServerTest, testing::Values(Way::collocated));
INSTANTIATE_TEST_SUITE_P(OverTcp, PortableServerTest, testing::Values(Way::threads));
INSTANTIATE_TEST_SUITE_P(PoolOverTcp, PortableServerTest, testing::Values(Way::pool));

TEST_P(PortableServerTest, ActivateAndCall) {
  start();
  const auto id = root_->activate_object(CORBA::make_reference<Bell_impl>());
  const auto object = root_->id_to_reference(id);
  const auto bell = IDL::traits<Bell>::narrow(object);
  ASSERT_TRUE(bell);
  EXPECT_EQ(bell->ring(2), 2);
  EXPECT_EQ(bell->rung(), 2);
  EXPECT_EQ(bell->echo("ding"), "ding");
  EXPECT_FALSE(bell->_non_existent());
  EXPECT_TRUE(object->_is_a("IDL:Tower/Bell:1.0"));
  EXPECT_FALSE(object->_is_a("IDL:Tower/Clock:1.0"));
  EXPECT_EQ(object->_repository_id(), "IDL:Tower/Bell:1.0");
  EXPECT_EQ(root_->reference_to_id(object), id);
  EXPECT_TRUE(root_->reference_to_servant(object));
  root_->deactivate_object(id);
  EXPECT_TRUE(bell->_non_existent());
  EXPECT_THROW(bell->ring(1), CORBA::OBJECT_NOT_EXIST);
}

TEST_P(PortableServerTest, ExceptionsReachTheCaller) {
  start();
  std::function<void()> on_ring;
  const auto servant = CORBA::make_reference<Bell_impl>([&] { on_ring(); });
  const auto bell = IDL::traits<Bell>::narrow(root_->servant_to_reference(servant));
  on_ring = [] { throw Tower::Cracked(4); };
  try {
    bell->ring(1);
    FAIL();
  } catch (const Tower::Cracked& cracked) {
    EXPECT_EQ(cracked.times(), 4);
  }
  on_ring = [] { throw Tower::Stolen(); };
  EXPECT_THROW(bell->ring(1), CORBA::UNKNOWN);
  on_ring = [] { throw CORBA::NO_RESPONSE(9); };
  try {
    bell->ring(1);
    FAIL();
  } catch (const CORBA::NO_RESPONSE& error) {
    EXPECT_EQ(error.minor(), 9u);
  }
}

TEST_P(PortableServerTest, ForwardRequest) {
  start();
  const auto there = CORBA::make_reference<Bell_impl>();
  const auto target = root_->servant_to_reference(there);
  const auto here = CORBA::make_reference<Bell_impl>([&] { throw PortableServer::ForwardRequest(target); });
  const auto bell = IDL::traits<Bell>::narrow(root_->servant_to_reference(here));
  EXPECT_EQ(bell->ring(5), 5);
  EXPECT_EQ(there->rung(), 5);
}

TEST_P(PortableServerTest, CurrentAndThisInsideAnUpcall) {
  start();
  const auto current = tenon::gen::poa_current(*core_);
  EXPECT_THROW(current->get_POA(), PortableServer::Current::NoContext);
  PortableServer::ObjectId seen;
  CORBA::object_reference<Bell> self;
  Bell_impl* servant = nullptr;
  const auto owner = CORBA::make_reference<Bell_impl>([&] {
    seen = current->get_object_id();
    self = servant->_this();
    EXPECT_EQ(current->get_POA(), root_);
    EXPECT_EQ(current->get_servant().get(), static_cast<PortableServer::Servant*>(servant));
    EXPECT_TRUE(current->get_reference()->_is_equivalent(self));
  });
  servant = owner.get();
  const auto id = root_->activate_object(owner);
  const auto bell = IDL::traits<Bell>::narrow(root_->id_to_reference(id));
  bell->ring(1);
  EXPECT_EQ(seen, id);
  ASSERT_TRUE(self);
  EXPECT_TRUE(self->_is_equivalent(bell));
}

TEST_P(PortableServerTest, ServantEndsWithItsObject) {
  start();
  std::atomic<int> destroyed = 0;
  const auto id =
      root_->activate_object(CORBA::make_reference<Bell_impl>(std::function<void()>(), &destroyed));
  EXPECT_EQ(destroyed, 0);
  root_->deactivate_object(id);
  EXPECT_EQ(destroyed, 1);
}

TEST_P(PortableServerTest, DeactivateAndDestroyInsideAnUpcall) {
  start();
  std::atomic<int> destroyed = 0;
  const auto shop = root_->create_POA("shop", root_->the_POAManager(), {});
  PortableServer::ObjectId id;
  const auto make = [&](std::function<void()> body) {
    id = shop->activate_object(CORBA::make_reference<Bell_impl>(std::move(body), &destroyed));
    return IDL::traits<Bell>::narrow(shop->id_to_reference(id));
  };
  EXPECT_EQ(make([&] { shop->deactivate_object(id); })->ring(1), 1);
  EXPECT_EQ(make([&] {
              EXPECT_THROW(shop->destroy(true, true), CORBA::BAD_INV_ORDER);
              shop->destroy(true, false);
            })->ring(1),
            1);
  // Over a socket the reply comes before the servant's thread has left the adapter; waiting for the POA waits for that.
  core_->adapter()->shut_down(true);
  EXPECT_EQ(destroyed, 2);
}

TEST_P(PortableServerTest, PoliciesAndTree) {
  CORBA::PolicyList policies{
      POA::create_lifespan_policy(PortableServer::LifespanPolicyValue::PERSISTENT),
      POA::create_id_assignment_policy(PortableServer::IdAssignmentPolicyValue::USER_ID)};
  const auto shop = root_->create_POA("shop", root_->the_POAManager(), policies);
  EXPECT_EQ(shop->the_name(), "shop");
  EXPECT_EQ(shop->the_parent(), root_);
  EXPECT_FALSE(root_->the_parent());
  EXPECT_EQ(root_->find_POA("shop", false), shop);
  EXPECT_EQ(shop->the_POAManager(), root_->the_POAManager());
  ASSERT_EQ(root_->the_children().size(), 1u);
  EXPECT_EQ(root_->the_children()[0], shop);
  EXPECT_THROW(root_->create_POA("shop", nullptr, {}), POA::AdapterAlreadyExists);
  EXPECT_THROW(root_->find_POA("none", true), POA::AdapterNonExistent);
  policies.push_back(POA::create_implicit_activation_policy(
      PortableServer::ImplicitActivationPolicyValue::IMPLICIT_ACTIVATION));
  try {
    root_->create_POA("bad", nullptr, policies);
    FAIL();
  } catch (const POA::InvalidPolicy& invalid) {
    EXPECT_EQ(invalid.index(), 1);
    EXPECT_STREQ(
        invalid.what(),
        "IDL:omg.org/PortableServer/POA/InvalidPolicy:2.3: policy 1 of the list, IdAssignmentPolicy: "
        "IMPLICIT_ACTIVATION wants SYSTEM_ID");
  }
  try {
    root_->create_POA("bad", nullptr, {nullptr});
    FAIL();
  } catch (const POA::InvalidPolicy& invalid) {
    EXPECT_STREQ(
        invalid.what(),
        "IDL:omg.org/PortableServer/POA/InvalidPolicy:2.3: policy 0 of the list, a nil reference: no policy "
        "of POAs");
  }
  EXPECT_STREQ(POA::InvalidPolicy(3).what(), "IDL:omg.org/PortableServer/POA/InvalidPolicy:2.3 (index = 3)");

  start();
  const auto id = PortableServer::string_to_ObjectId("till");
  EXPECT_EQ(PortableServer::ObjectId_to_string(id), "till");
  const auto before = shop->create_reference_with_id(id, "IDL:Tower/Bell:1.0");
  EXPECT_TRUE(before->_non_existent());
  shop->activate_object_with_id(id, CORBA::make_reference<Bell_impl>());
  EXPECT_FALSE(before->_non_existent());
  EXPECT_EQ(IDL::traits<Bell>::narrow(before)->ring(1), 1);
  EXPECT_THROW(root_->reference_to_id(before), POA::WrongAdapter);
  EXPECT_THROW(shop->activate_object(CORBA::make_reference<Bell_impl>()), POA::WrongPolicy);
  EXPECT_THROW(shop->deactivate_object({}), POA::ObjectNotActive);
  EXPECT_THROW(shop->get_servant(), POA::WrongPolicy);
  EXPECT_THROW(root_->activate_object(nullptr), CORBA::BAD_PARAM);
}

template <typename Exception>
std::string what_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const Exception& exception) {
    const std::string what = exception.what();
    const std::string id(exception._rep_id());
    EXPECT_TRUE(what.starts_with(id + ": ")) << what;
    return what.substr(std::min(what.size(), id.size() + 2));
  }
  return "nothing of the kind";
}

TEST_P(PortableServerTest, WhatSaysWhichAdapterAndObject) {
  const CORBA::PolicyList user_ids{
      POA::create_id_assignment_policy(PortableServer::IdAssignmentPolicyValue::USER_ID)};
  const auto shop = root_->create_POA("shop", root_->the_POAManager(), {});
  const auto till = shop->create_POA("till", root_->the_POAManager(), user_ids);
  const auto bell = CORBA::make_reference<Bell_impl>();
  const auto named = [](const char* name) { return PortableServer::string_to_ObjectId(name); };
  till->activate_object_with_id(named("one"), bell);

  EXPECT_EQ(what_of<POA::AdapterAlreadyExists>([&] { shop->create_POA("till", nullptr, {}); }),
            "POA 'shop' has a child 'till' already");
  EXPECT_EQ(what_of<POA::AdapterNonExistent>([&] { root_->find_POA("none", true); }),
            "POA 'RootPOA' has no child 'none'");
  EXPECT_EQ(what_of<POA::AdapterNonExistent>([&] { till->find_POA("a\nb", false); }),
            "POA 'shop/till' has no child 'a\\x0ab'");
  EXPECT_EQ(what_of<POA::ObjectNotActive>([&] { till->deactivate_object(named("two")); }),
            "object 'two' is not active in POA 'shop/till'");
  EXPECT_EQ(what_of<POA::ObjectNotActive>([&] { till->id_to_servant(PortableServer::ObjectId(200, 'x')); }),
            "object '" + std::string(100, 'x') + "...' is not active in POA 'shop/till'");
  EXPECT_EQ(what_of<POA::ObjectAlreadyActive>(
                [&] { till->activate_object_with_id(named("one"), CORBA::make_reference<Bell_impl>()); }),
            "object 'one' is active in POA 'shop/till' already");
  EXPECT_EQ(what_of<POA::ServantAlreadyActive>([&] { till->activate_object_with_id(named("three"), bell); }),
            "the servant is active in POA 'shop/till' already, which has UNIQUE_ID");
  EXPECT_EQ(what_of<POA::ServantNotActive>([&] { shop->servant_to_id(bell); }),
            "the servant is not active in POA 'shop'");
  EXPECT_EQ(what_of<POA::WrongPolicy>([&] { till->activate_object(CORBA::make_reference<Bell_impl>()); }),
            "the policies of POA 'shop/till' do not allow this operation");
  EXPECT_EQ(what_of<POA::WrongAdapter>([&] { root_->reference_to_id(till->id_to_reference(named("one"))); }),
            "the reference is not one of POA 'RootPOA'");
  EXPECT_EQ(what_of<PortableServer::Current::NoContext>([&] {
              IDL::traits<PortableServer::Current>::narrow(orb_->resolve_initial_references("POACurrent"))
                  ->get_POA();
            }),
            "this thread serves no request of a POA");
  // Exceptions that a program throws itself have no such text.
  EXPECT_STREQ(POA::NoServant().what(), "IDL:omg.org/PortableServer/POA/NoServant:2.3");
}

TEST_P(PortableServerTest, ManagerStates) {
  const auto manager = root_->the_POAManager();
  EXPECT_EQ(manager->get_state(), POAManager::State::HOLDING);
  const auto bell =
      IDL::traits<Bell>::unchecked_narrow(root_->servant_to_reference(CORBA::make_reference<Bell_impl>()));
  manager->discard_requests(true);
  EXPECT_THROW(bell->ring(1), CORBA::TRANSIENT);
  manager->activate();
  EXPECT_EQ(bell->ring(1), 1);
  manager->deactivate(true, true);
  EXPECT_EQ(manager->get_state(), POAManager::State::INACTIVE);
  EXPECT_THROW(manager->activate(), POAManager::AdapterInactive);
  EXPECT_THROW(bell->ring(1), CORBA::OBJ_ADAPTER);
}

// More held requests than the pool has threads: they must not keep others from being served.
TEST_P(PortableServerTest, HeldRequestsHoldNobodyElse) {
  start();
  const auto open =
      IDL::traits<Bell>::narrow(root_->servant_to_reference(CORBA::make_reference<Bell_impl>()));
  const auto shut = root_->create_POA("shut", nullptr, {});
  const auto id = shut->activate_object(CORBA::make_reference<Bell_impl>());
  const auto held = IDL::traits<Bell>::unchecked_narrow(shut->id_to_reference(id));
  std::vector<std::thread> callers;
  std::atomic<int> answered{0};
  for (int i = 0; i < 4; ++i) {
    callers.emplace_back([&] {
      held->ring(1);
      ++answered;
    });
  }
  for (int i = 0; i < 20; ++i) {
    EXPECT_EQ(open->ring(1), i + 1);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  EXPECT_EQ(answered, 0);
  shut->the_POAManager()->activate();
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(answered, 4);
}

TEST_P(PortableServerTest, FourLines) {
  const auto servant = CORBA::make_reference<Bell_impl>();
  const auto bell = tenon::publish(orb_, servant, "Bell of St. Mary");
  EXPECT_EQ(bell->ring(1), 1);
  const std::string address = tenon::corbaloc(orb_, "Bell of St. Mary");
  EXPECT_EQ(address.find("corbaloc:iiop:1.2@127.0.0.1:"), 0u) << address;
  EXPECT_NE(address.find("/Bell%20of%20St.%20Mary"), std::string::npos) << address;
  std::string why;
  const auto found = tenon::orb::corbaloc_urls.read(*core_, address, why);
  ASSERT_TRUE(found) << why;
  EXPECT_EQ(tenon::gen::make_stub<Bell>(*found)->ring(1), 2);
  EXPECT_TRUE(tenon::publish(orb_, servant)->_is_equivalent(bell));
}

TEST_P(PortableServerTest, NothingAfterShutdown) {
  start();
  const auto bell = tenon::publish(orb_, CORBA::make_reference<Bell_impl>());
  ASSERT_TRUE(core_->shutdown(true));
  EXPECT_THROW(tenon::gen::root_poa(*core_), CORBA::BAD_INV_ORDER);
  EXPECT_THROW(root_->activate_object(CORBA::make_reference<Bell_impl>()), CORBA::OBJECT_NOT_EXIST);
}

TEST(PortableServerExceptions, AreOfTheirClassHoweverTheyAreThrown) {
  const auto check = [](auto&& raise, const char* what) {
    try {
      raise();
      ADD_FAILURE() << "nothing was thrown";
    } catch (const POA::NoServant&) {
      ADD_FAILURE() << "another class";
    } catch (const POA::WrongPolicy& exception) {
      EXPECT_STREQ(exception.what(), what);
      EXPECT_EQ(exception._rep_id(), POA::WrongPolicy::_static_id);
      EXPECT_EQ(exception._name(), "WrongPolicy");
    }
  };
  const char* const why = "IDL:omg.org/PortableServer/POA/WrongPolicy:2.3: the policies are others";
  check([] { throw POA::WrongPolicy("the policies are others"); }, why);
  check([] { throw POA::WrongPolicy(); }, "IDL:omg.org/PortableServer/POA/WrongPolicy:2.3");
  const std::unique_ptr<CORBA::UserException> held(new POA::WrongPolicy("the policies are others"));
  check([&] { held->_raise(); }, why);
  check([] { tenon::gen::raise_plain(tenon::gen::plain_class<POA::WrongPolicy>, "the policies are others"); },
        why);
  POA::WrongPolicy copy;
  copy = static_cast<const POA::WrongPolicy&>(*held);
  check([&] { throw copy; }, why);
}

}  // namespace
