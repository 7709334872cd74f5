// SPDX-License-Identifier: Apache-2.0
//
// Servant managers, adapter activators, main-thread POAs and managers by name, as an application writes and callers see them.
#include "tenon/portable_server/poa_managers.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <stdexcept>
#include <string>
#include <thread>

#include "base/log.hpp"
#include "base/minor_codes.hpp"
#include "mapping/cpp11/calls/bell_test_support.hpp"
#include "mapping/cpp11/portable_server/portable_server_test_support.hpp"
#include "protocol/identity.hpp"

namespace {

using namespace PortableServer;
using tenon::gen::test::PortableServerTest;
using tenon::gen::test::Way;
using Tower::Bell;
using Tower::Bell_impl;
using ServantRef = CORBA::servant_reference<Servant>;
using PoaRef = CORBA::object_reference<POA>;

class Keeper final : public ServantActivator {
 public:
  explicit Keeper(std::function<ServantRef(const ObjectId&)> make) : make_(std::move(make)) {}
  ServantRef incarnate(const ObjectId& oid, PoaRef adapter) override {
    EXPECT_EQ(adapter->the_name(), "shop");
    EXPECT_THROW(CORBA::make_reference<Current>()->get_POA(), Current::NoContext);
    ++incarnated;
    return make_(oid);
  }
  void etherealize(const ObjectId&, PoaRef, ServantRef serv, bool cleanup_in_progress,
                   bool remaining_activations) override {
    EXPECT_TRUE(serv);
    EXPECT_FALSE(remaining_activations);
    ++(cleanup_in_progress ? cleaned_up : etherealized);
    throw CORBA::NO_MEMORY();  // is ignored
  }
  std::atomic<int> incarnated{0};
  std::atomic<int> etherealized{0};
  std::atomic<int> cleaned_up{0};

 private:
  std::function<ServantRef(const ObjectId&)> make_;
};

class Lender final : public ServantLocator {
 public:
  explicit Lender(std::function<ServantRef(const ObjectId&)> make) : make_(std::move(make)) {}
  ServantRef preinvoke(const ObjectId& oid, PoaRef, const std::string& operation,
                       Cookie& the_cookie) override {
    the_cookie = new std::string(operation);
    try {
      return make_(oid);
    } catch (...) {
      delete static_cast<std::string*>(the_cookie);
      throw;
    }
  }
  void postinvoke(const ObjectId&, PoaRef, const std::string& operation, Cookie the_cookie,
                  ServantRef the_servant) override {
    EXPECT_TRUE(the_servant);
    EXPECT_EQ(*static_cast<std::string*>(the_cookie), operation);
    delete static_cast<std::string*>(the_cookie);
    ++given_back;
    if (after) after();
  }
  std::atomic<int> given_back{0};
  std::function<void()> after;

 private:
  std::function<ServantRef(const ObjectId&)> make_;
};

class Builder final : public AdapterActivator {
 public:
  explicit Builder(std::function<bool(PoaRef, const std::string&)> make) : make_(std::move(make)) {}
  bool unknown_adapter(PoaRef parent, const std::string& name) override { return make_(parent, name); }

 private:
  std::function<bool(PoaRef, const std::string&)> make_;
};

CORBA::PolicyList managed(ServantRetentionPolicyValue retention) {
  return {POA::create_id_assignment_policy(IdAssignmentPolicyValue::USER_ID),
          POA::create_servant_retention_policy(retention),
          POA::create_request_processing_policy(RequestProcessingPolicyValue::USE_SERVANT_MANAGER)};
}

class PoaManagersTest : public PortableServerTest {
 protected:
  CORBA::object_reference<Bell> bell(const PoaRef& poa, const std::string& id) const {
    return IDL::traits<Bell>::unchecked_narrow(
        poa->create_reference_with_id(string_to_ObjectId(id), std::string(Bell::_static_id)));
  }
  ServantRef forward_to_root() {
    throw ForwardRequest(root_->servant_to_reference(CORBA::make_reference<Bell_impl>()));
  }
};

INSTANTIATE_TEST_SUITE_P(Collocated, PoaManagersTest, testing::Values(Way::collocated));
INSTANTIATE_TEST_SUITE_P(OverTcp, PoaManagersTest, testing::Values(Way::threads));
INSTANTIATE_TEST_SUITE_P(PoolOverTcp, PoaManagersTest, testing::Values(Way::pool));

TEST_P(PoaManagersTest, Activator) {
  start();
  const auto shop =
      root_->create_POA("shop", root_->the_POAManager(), managed(ServantRetentionPolicyValue::RETAIN));
  const auto keeper = CORBA::make_reference<Keeper>([&](const ObjectId& id) -> ServantRef {
    const std::string which = ObjectId_to_string(id);
    if (which == "elsewhere") return forward_to_root();
    if (which == "busy") throw CORBA::TRANSIENT(7);
    if (which == "broken") throw 7;
    if (which == "none") return nullptr;
    return CORBA::make_reference<Bell_impl>();
  });
  EXPECT_THROW(shop->set_servant_manager(nullptr), CORBA::OBJ_ADAPTER);
  EXPECT_THROW(root_->set_servant_manager(keeper), POA::WrongPolicy);
  shop->set_servant_manager(keeper);
  EXPECT_THROW(shop->set_servant_manager(keeper), CORBA::BAD_INV_ORDER);
  EXPECT_EQ(shop->get_servant_manager(), keeper);
  EXPECT_TRUE(IDL::traits<ServantActivator>::narrow(shop->get_servant_manager()));

  const auto till = bell(shop, "till");
  EXPECT_EQ(till->ring(2), 2);
  EXPECT_EQ(till->ring(2), 4);
  EXPECT_EQ(keeper->incarnated, 1);
  shop->deactivate_object(string_to_ObjectId("till"));
  EXPECT_EQ(till->ring(2), 2);
  EXPECT_EQ(keeper->etherealized, 1);

  EXPECT_EQ(bell(shop, "elsewhere")->ring(3), 3);
  EXPECT_THROW(bell(shop, "busy")->ring(1), CORBA::TRANSIENT);
  EXPECT_THROW(bell(shop, "broken")->ring(1), CORBA::UNKNOWN);
  EXPECT_THROW(bell(shop, "none")->ring(1), CORBA::OBJ_ADAPTER);
  shop->destroy(true, true);
  EXPECT_EQ(keeper->cleaned_up, 1);
  EXPECT_THROW(till->ring(1), CORBA::OBJECT_NOT_EXIST);
}

TEST_P(PoaManagersTest, Locator) {
  start();
  const auto shop =
      root_->create_POA("shop", root_->the_POAManager(), managed(ServantRetentionPolicyValue::NON_RETAIN));
  std::atomic<int> destroyed = 0;
  CORBA::object_reference<CORBA::Object> seen;
  const auto lender = CORBA::make_reference<Lender>([&](const ObjectId& id) -> ServantRef {
    if (ObjectId_to_string(id) == "elsewhere") return forward_to_root();
    return CORBA::make_reference<Bell_impl>(
        [&] {
          const auto current = CORBA::make_reference<Current>();
          seen = current->get_reference();
          EXPECT_EQ(ObjectId_to_string(current->get_object_id()), "till");
          EXPECT_EQ(current->get_POA(), shop);
        },
        &destroyed);
  });
  const auto keeper = CORBA::make_reference<Keeper>([](const ObjectId&) { return nullptr; });
  EXPECT_THROW(shop->set_servant_manager(keeper), CORBA::OBJ_ADAPTER);
  shop->set_servant_manager(lender);
  EXPECT_EQ(shop->get_servant_manager(), lender);
  const auto till = bell(shop, "till");
  EXPECT_EQ(till->ring(2), 2);
  EXPECT_EQ(till->ring(2), 2);
  EXPECT_EQ(lender->given_back, 2);
  EXPECT_TRUE(till->_is_equivalent(seen));
  EXPECT_EQ(bell(shop, "elsewhere")->ring(3), 3);
  EXPECT_EQ(lender->given_back, 2);
  lender->after = [] { throw CORBA::NO_RESOURCES(9); };
  EXPECT_THROW(till->ring(1), CORBA::NO_RESOURCES);
  EXPECT_THROW(till->rung(), CORBA::NO_RESOURCES);
  // The operation has run: who calls again would run it twice.
  lender->after = [] { throw std::runtime_error("out of paper"); };
  std::vector<std::string> logged;
  tenon::set_log_sink(
      [](void* into, tenon::LogLevel, std::string_view, std::string_view text) {
        static_cast<std::vector<std::string>*>(into)->emplace_back(text);
      },
      &logged);
  tenon::set_log_level(tenon::LogLevel::warning);
  try {
    till->ring(1);
    ADD_FAILURE();
  } catch (const CORBA::UNKNOWN& unknown) {
    EXPECT_EQ(unknown.completed(), CORBA::CompletionStatus::COMPLETED_YES);
  }
  tenon::set_log_level(tenon::LogLevel::off);
  tenon::set_log_sink(nullptr, nullptr);
  std::string line = "postinvoke of a servant manager, for operation 'ring', threw: out of paper";
  if (GetParam() == Way::collocated) {
    tenon::protocol::Identity caller;
    tenon::protocol::identify_this_process(caller);
    line += ", called by " + caller.text();
  }
  EXPECT_EQ(logged, std::vector<std::string>{line});
  shop->destroy(false, true);
  EXPECT_EQ(destroyed, 5);
}

TEST_P(PoaManagersTest, WhatAManagerThrowsIsToldToTheCaller) {
  start();
  std::function<void()> raise;
  const auto keeper = CORBA::make_reference<Keeper>([&](const ObjectId&) -> ServantRef {
    raise();
    return nullptr;
  });
  const auto shop =
      root_->create_POA("shop", root_->the_POAManager(), managed(ServantRetentionPolicyValue::RETAIN));
  shop->set_servant_manager(keeper);
  const auto lender = CORBA::make_reference<Lender>([&](const ObjectId&) -> ServantRef {
    raise();
    return nullptr;
  });
  const auto library =
      root_->create_POA("library", root_->the_POAManager(), managed(ServantRetentionPolicyValue::NON_RETAIN));
  library->set_servant_manager(lender);
  bool asked = false;
  root_->the_activator(CORBA::make_reference<Builder>([&](PoaRef, const std::string&) -> bool {
    asked = true;
    raise();
    return false;
  }));
  raise = [] { throw 42; };
  EXPECT_THROW(bell(shop, "till")->ring(1), CORBA::UNKNOWN);
  EXPECT_THROW(bell(library, "book")->ring(1), CORBA::UNKNOWN);
  EXPECT_THROW(root_->find_POA("none", true), CORBA::OBJ_ADAPTER);
  EXPECT_TRUE(asked);
  raise = [] { throw std::bad_alloc(); };
  EXPECT_THROW(bell(shop, "till")->ring(1), CORBA::NO_MEMORY);
  EXPECT_THROW(bell(library, "book")->ring(1), CORBA::NO_MEMORY);
  EXPECT_THROW(root_->find_POA("none", true), CORBA::OBJ_ADAPTER);
}

// A server that makes its POAs and servants on demand has the same objects again after a restart.
TEST_P(PoaManagersTest, PersistentReferencesFindPoaAndServantAgain) {
  const auto furnish = [&] {
    root_->the_activator(CORBA::make_reference<Builder>([](PoaRef parent, const std::string& name) {
      if (name != "shop") return false;
      auto policies = managed(ServantRetentionPolicyValue::RETAIN);
      policies.push_back(POA::create_lifespan_policy(LifespanPolicyValue::PERSISTENT));
      const auto shop = parent->create_POA(name, parent->the_POAManager(), policies);
      shop->set_servant_manager(CORBA::make_reference<Keeper>(
          [](const ObjectId&) -> ServantRef { return CORBA::make_reference<Bell_impl>(); }));
      return true;
    }));
    EXPECT_TRUE(root_->the_activator());
    start();
  };
  furnish();
  EXPECT_THROW(root_->find_POA("shop", false), POA::AdapterNonExistent);
  EXPECT_THROW(root_->find_POA("other", true), POA::AdapterNonExistent);
  const std::string text = orb_->object_to_string(bell(root_->find_POA("shop", true), "till"));
  const std::string endpoint = core_->endpoints().front();
  close();
  open(endpoint);
  furnish();
  orb_->_endpoints();
  const auto till = IDL::traits<Bell>::unchecked_narrow(orb_->string_to_object(text));
  EXPECT_EQ(till->ring(1), 1);
  EXPECT_EQ(till->ring(1), 2);
  EXPECT_EQ(root_->the_children().size(), 1u);
}

TEST_P(PoaManagersTest, MainThread) {
  start();
  const auto shop = root_->create_POA(
      "shop", root_->the_POAManager(),
      {POA::create_thread_policy(ThreadPolicyValue::MAIN_THREAD_MODEL),
       POA::create_implicit_activation_policy(ImplicitActivationPolicyValue::IMPLICIT_ACTIVATION)});
  std::thread::id served;
  const auto servant = CORBA::make_reference<Bell_impl>([&] {
    served = std::this_thread::get_id();
    EXPECT_EQ(CORBA::make_reference<Current>()->get_POA(), shop);
    EXPECT_THROW(orb_->shutdown(true), CORBA::BAD_INV_ORDER);
  });
  const auto till = IDL::traits<Bell>::unchecked_narrow(shop->servant_to_reference(servant));
  // A program with a loop of its own.
  std::atomic<bool> done{false};
  std::thread caller([&] {
    EXPECT_EQ(till->ring(1), 1);
    done = true;
  });
  while (!done) {
    if (orb_->work_pending()) orb_->perform_work();
    std::this_thread::yield();
  }
  caller.join();
  EXPECT_EQ(served, std::this_thread::get_id());
  // One that gives its main thread to the ORB.
  served = {};
  caller = std::thread([&] {
    EXPECT_EQ(till->ring(1), 2);
    orb_->shutdown(false);
  });
  orb_->run();
  caller.join();
  EXPECT_EQ(served, std::this_thread::get_id());
}

TEST_P(PoaManagersTest, ManagersByName) {
  const auto factory = root_->the_POAManagerFactory();
  EXPECT_EQ(root_->the_POAManager()->get_id(), "RootPOAManager");
  const auto made = factory->create_POAManager("mine", {});
  EXPECT_EQ(made->get_id(), "mine");
  EXPECT_THROW(factory->create_POAManager("mine", {}), POAManagerFactory::ManagerAlreadyExists);
  EXPECT_THROW(
      factory->create_POAManager("other", {POA::create_thread_policy(ThreadPolicyValue::ORB_CTRL_MODEL)}),
      CORBA::PolicyError);
  EXPECT_EQ(factory->find("mine"), made);
  EXPECT_FALSE(factory->find("nobody's"));
  EXPECT_EQ(factory->list().size(), 2u);
  EXPECT_EQ(root_->create_POA("shop", made, {})->the_POAManager(), made);
}

TEST_P(PoaManagersTest, EveryDemultiplexingFindsItsObjects) {
  start();
  for (const tenon::ObjectDemux demux :
       {tenon::ObjectDemux::active, tenon::ObjectDemux::hash, tenon::ObjectDemux::linear}) {
    const auto policy = tenon::create_object_demux_policy(demux);
    EXPECT_EQ(policy->value(), demux);
    const auto shop = root_->create_POA("shop", root_->the_POAManager(), {policy});
    for (int i = 1; i < 4; ++i) {
      const auto id = shop->activate_object(CORBA::make_reference<Bell_impl>());
      EXPECT_EQ(IDL::traits<Bell>::unchecked_narrow(shop->id_to_reference(id))->ring(i), i);
    }
    shop->destroy(false, true);
  }
}

}  // namespace
