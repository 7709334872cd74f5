// SPDX-License-Identifier: Apache-2.0
//
// An ORB that has its root POA alone (tenon::parts::root_poa), as its programs see it: what it does, and how it refuses the rest.
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "base/minor_codes.hpp"
#include "mapping/cpp11/calls/bell_test_support.hpp"
#include "poa/access/guarded_adapter.hpp"
#include "poa/root_adapter.hpp"
#include "poa/whole_adapter.hpp"
#include "tenon/parts.hpp"
#include "tenon/portable_server.hpp"
#include "tenon/portable_server/publish.hpp"

namespace tenon::gen {
namespace {

namespace ps = PortableServer;

/// Everything but other POAs.
void all_with_root_poa(orb::Parts& parts) {
  parts::iiop(parts);
  all_but_protocols(parts);
  parts.make_adapter = nullptr;
  parts::root_poa(parts);
}

class RootPoaAlone : public testing::Test {
 protected:
  RootPoaAlone() {
    Configuration configuration;
    configuration.id = "root POA alone";
    configuration.endpoints = {"iiop://127.0.0.1"};
    orb_ = init_orb(std::move(configuration), {&all_with_root_poa});
    root_ = IDL::traits<ps::POA>::narrow(orb_->resolve_initial_references("RootPOA"));
  }
  ~RootPoaAlone() override { orb_->destroy(); }

  CORBA::object_reference<CORBA::ORB> orb_;
  CORBA::object_reference<ps::POA> root_;
  CORBA::servant_reference<Tower::Bell_impl> servant_ = CORBA::make_reference<Tower::Bell_impl>();
};

CORBA::object_reference<Tower::Bell> bell(const CORBA::object_reference<CORBA::Object>& object) {
  return IDL::traits<Tower::Bell>::narrow(object);
}

TEST_F(RootPoaAlone, ServesWhatIsActivated) {
  root_->the_POAManager()->activate();
  const auto implicitly = bell(root_->servant_to_reference(servant_));
  EXPECT_EQ(implicitly->ring(2), 2);
  EXPECT_TRUE(servant_->_this()->_is_equivalent(implicitly));
  EXPECT_TRUE(publish(orb_, servant_, "Bell")->_is_equivalent(implicitly));
  EXPECT_EQ(bell(orb_->string_to_object(corbaloc(orb_, "Bell")))->ring(1), 3);
  EXPECT_THROW(root_->activate_object(servant_), ps::POA::ServantAlreadyActive);

  const auto other = CORBA::make_reference<Tower::Bell_impl>();
  const ps::ObjectId id = root_->activate_object(other);
  const auto object = bell(root_->id_to_reference(id));
  EXPECT_EQ(object->ring(5), 5);
  EXPECT_EQ(root_->servant_to_id(other), id);
  EXPECT_EQ(root_->reference_to_id(object), id);
  EXPECT_EQ(root_->reference_to_servant(object).get(), other.get());
  EXPECT_EQ(root_->id_to_servant(id).get(), other.get());
  const auto cracked = CORBA::make_reference<Tower::Bell_impl>([] { throw Tower::Cracked(3); });
  EXPECT_THROW(bell(root_->servant_to_reference(cracked))->ring(1), Tower::Cracked);
  root_->deactivate_object(id);
  EXPECT_THROW(object->ring(1), CORBA::OBJECT_NOT_EXIST);
  try {
    root_->deactivate_object(id);
    FAIL() << "it is not active";
  } catch (const ps::POA::ObjectNotActive& raised) {
    EXPECT_NE(std::string(raised.what()).find("is not active in POA 'RootPOA'"), std::string::npos)
        << raised.what();
  }
  EXPECT_EQ(root_->the_name(), "RootPOA");
  EXPECT_EQ(root_->the_parent(), nullptr);
  EXPECT_TRUE(root_->the_children().empty());
  EXPECT_FALSE(root_->id().empty());
}

TEST_F(RootPoaAlone, ReferencesBeforeTheirServants) {
  root_->the_POAManager()->activate();
  const std::string type(Tower::Bell::_static_id);
  const auto object = IDL::traits<Tower::Bell>::unchecked_narrow(root_->create_reference(type));
  EXPECT_THROW(object->ring(1), CORBA::OBJECT_NOT_EXIST);
  const ps::ObjectId id = root_->reference_to_id(object);
  EXPECT_THROW(root_->reference_to_servant(object), ps::POA::ObjectNotActive);
  root_->activate_object_with_id(id, servant_);
  EXPECT_EQ(object->ring(2), 2);
  EXPECT_EQ(root_->servant_to_id(servant_), id);
  EXPECT_EQ(root_->reference_to_servant(object).get(), servant_.get());
  EXPECT_EQ(bell(root_->servant_to_reference(servant_))->ring(1), 3);
  EXPECT_THROW(root_->activate_object_with_id(id, CORBA::make_reference<Tower::Bell_impl>()),
               ps::POA::ObjectAlreadyActive);
  EXPECT_THROW(
      root_->activate_object_with_id(root_->reference_to_id(root_->create_reference(type)), servant_),
      ps::POA::ServantAlreadyActive);
  root_->deactivate_object(id);
  EXPECT_THROW(object->ring(1), CORBA::OBJECT_NOT_EXIST);
  // The object lives again under its id; the reference is as good as before.
  const auto other = CORBA::make_reference<Tower::Bell_impl>();
  root_->activate_object_with_id(id, other);
  EXPECT_EQ(object->ring(7), 7);
  try {
    root_->activate_object_with_id(ps::string_to_ObjectId("mine"), servant_);
    FAIL() << "SYSTEM_ID";
  } catch (const CORBA::BAD_PARAM& refused) {
    EXPECT_EQ(refused.minor(), errors::bad_object_id.minor);
  }
}

TEST_F(RootPoaAlone, ManagerStates) {
  using State = ps::POAManager::State;
  const auto manager = root_->the_POAManager();
  const auto object = bell(root_->servant_to_reference(servant_));
  const auto minor = [&]() -> std::uint32_t {
    try {
      object->ring(1);
      return 0;
    } catch (const CORBA::SystemException& refused) {
      return refused.minor();
    }
  };
  EXPECT_EQ(manager->get_state(), State::HOLDING);
  EXPECT_EQ(minor(), errors::request_discarded.minor) << "no request is held";
  manager->activate();
  EXPECT_EQ(minor(), 0u);
  manager->discard_requests(true);
  EXPECT_EQ(minor(), errors::request_discarded.minor);
  manager->hold_requests(true);
  EXPECT_EQ(minor(), errors::request_discarded.minor);
  manager->deactivate(true, true);
  EXPECT_EQ(manager->get_state(), State::INACTIVE);
  EXPECT_EQ(minor(), errors::manager_inactive.minor);
  EXPECT_THROW(manager->activate(), ps::POAManager::AdapterInactive);
  EXPECT_EQ(manager->get_id(), "RootPOAManager");
}

TEST_F(RootPoaAlone, NothingAfterShutdown) {
  root_->the_POAManager()->activate();
  const auto object = bell(root_->servant_to_reference(servant_));
  EXPECT_EQ(object->ring(1), 1);
  orb_->shutdown(true);
  EXPECT_THROW(root_->activate_object(CORBA::make_reference<Tower::Bell_impl>()), CORBA::SystemException);
  EXPECT_THROW(object->ring(1), CORBA::SystemException);
  EXPECT_EQ(servant_->rung(), 1);
}

TEST_F(RootPoaAlone, WhatIsMissingIsRefusedByName) {
  const std::vector<std::pair<std::string, std::function<void()>>> missing{
      {"create_POA", [&] { root_->create_POA("shop", nullptr, {}); }},
      {"find_POA", [&] { root_->find_POA("shop", true); }},
      {"the_activator", [&] { root_->the_activator(); }},
      {"the_activator", [&] { root_->the_activator(nullptr); }},
      {"the_POAManagerFactory", [&] { root_->the_POAManagerFactory(); }},
      {"get_servant_manager", [&] { root_->get_servant_manager(); }},
      {"set_servant_manager", [&] { root_->set_servant_manager(nullptr); }},
      {"get_servant", [&] { root_->get_servant(); }},
      {"set_servant", [&] { root_->set_servant(servant_); }},
      {"create_reference_with_id", [&] { root_->create_reference_with_id({1}, "IDL:Tower/Bell:1.0"); }},
  };
  for (const auto& [operation, call] : missing) {
    try {
      call();
      ADD_FAILURE() << operation;
    } catch (const CORBA::NO_IMPLEMENT& refused) {
      EXPECT_EQ(refused.minor(), errors::root_poa_alone.minor);
      const std::string what = refused.what();
      EXPECT_NE(what.find(operation + ":"), std::string::npos) << what;
      EXPECT_NE(what.find("tenon::parts::poa"), std::string::npos) << what;
    }
  }
}

TEST(AdapterParts, WhichAdapterAnOrbHas) {
  const auto maker = [](std::initializer_list<Part> these) {
    orb::Parts parts;
    for (const Part part : these) part(parts);
    return parts.make_adapter;
  };
  EXPECT_EQ(maker({&client}), nullptr);
  EXPECT_EQ(maker({&micro}), &poa::make_root_adapter);
  EXPECT_EQ(maker({&server}), &poa::make_whole_adapter);
  EXPECT_EQ(maker({&micro, &parts::poa}), &poa::make_whole_adapter);
  EXPECT_EQ(maker({&parts::poa, &micro}), &poa::make_whole_adapter);
  EXPECT_EQ(maker({&all_but_protocols}), &poa::make_guarded_adapter);
  EXPECT_EQ(maker({&parts::access, &micro}), &poa::make_guarded_adapter);
}

TEST(AdapterParts, AClientServesNoObjects) {
  Configuration configuration;
  configuration.id = "client";
  const auto orb = init_orb(std::move(configuration), {&client});
  try {
    static_cast<void>(publish(orb, CORBA::make_reference<Tower::Bell_impl>(), "Bell"));
    ADD_FAILURE() << "a client has no adapter";
  } catch (const CORBA::OBJ_ADAPTER& refused) {
    EXPECT_EQ(refused.minor(), errors::no_adapter.minor);
    EXPECT_NE(std::string(refused.what()).find("tenon::parts::root_poa"), std::string::npos)
        << refused.what();
  }
  orb->destroy();
}

}  // namespace
}  // namespace tenon::gen
