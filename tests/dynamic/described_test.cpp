// SPDX-License-Identifier: Apache-2.0
//
// What an object says of itself: interface, component and ORB; and what an interface repository says of an operation.
#include <gtest/gtest.h>
#include <tenon/dynamic.hpp>
#include <tenon/gen/any.hpp>
#include <tenon/portable_server.hpp>
#include <tenon/tenon.hpp>

#include "base/minor_codes.hpp"
#include "repository_any.hpp"
#include "repository_skel.hpp"

namespace tenon {
namespace {

using ObjectRef = CORBA::object_reference<CORBA::Object>;
using OrbRef = CORBA::object_reference<CORBA::ORB>;
const std::string thing_id(Described::Thing::_static_id);

class Thing final : public CORBA::servant_traits<Described::Thing>::base_type {
 public:
  void touch() override {}
  ObjectRef _get_component() override { return component; }
  ObjectRef component;
};

class Contained final : public CORBA::servant_traits<Described::Contained>::base_type {
 public:
  std::string id() override { return thing_id; }
};

class Repository final : public CORBA::servant_traits<Described::Repository>::base_type {
 public:
  CORBA::object_reference<Described::Contained> lookup_id(const std::string& search_id) override {
    if (fails) throw CORBA::NO_PERMISSION();
    return search_id == thing_id ? contained->_this() : nullptr;
  }
  bool fails = false;

 private:
  const CORBA::object_reference<Contained> contained = CORBA::make_reference<Contained>();
};

class Operation final : public CORBA::servant_traits<Described::Operation>::base_type {
 public:
  std::string id() override { return "IDL:Described/Thing/touch:1.0"; }
  Described::Parameters params() override { return parameters; }
  Described::Parameters parameters;
};

/// A servant without compiled code.
class DynamicThing final : public PortableServer::DynamicImplementation {
 public:
  void invoke(CORBA::object_reference<CORBA::ServerRequest> request) override {
    request->arguments(CORBA::make_reference<CORBA::NVList>());
  }
  std::string _primary_interface(const PortableServer::ObjectId&,
                                 const CORBA::object_reference<PortableServer::POA>&) const override {
    return thing_id;
  }
};

/// An object of one ORB, called over a socket by another one.
class DescribedObjects : public ::testing::Test {
 protected:
  void TearDown() override {
    client->destroy();
    server->destroy();
  }
  ObjectRef at_client(const ObjectRef& object) {
    return client->string_to_object(server->object_to_string(object));
  }
  template <typename Servant>
  ObjectRef published(const CORBA::object_reference<Servant>& servant, const std::string& name) {
    return tenon::publish(server, servant, name);
  }
  /// What the client is told instead of an interface.
  std::string no_interface() {
    try {
      static_cast<void>(remote->_get_interface());
    } catch (const CORBA::INTF_REPOS& exception) {
      EXPECT_EQ(exception.minor(), errors::no_interface_repository.minor);
      return exception.what();
    }
    return "";
  }

  OrbRef server = CORBA::ORB_init({"-ORBListenEndpoints", "iiop://127.0.0.1", "-ORBExceptionDetail", "full"},
                                  "described server");
  OrbRef client = CORBA::ORB_init({}, "described client");
  CORBA::object_reference<Thing> thing = CORBA::make_reference<Thing>();
  ObjectRef own = published(thing, "Thing");
  ObjectRef remote = at_client(own);
};

TEST_F(DescribedObjects, TheInterfaceComesFromTheServersRepository) {
  std::string why = no_interface();
  EXPECT_NE(why.find("-ORBInitRef InterfaceRepository=URL"), std::string::npos) << why;
  EXPECT_THROW(own->_get_interface(), CORBA::INTF_REPOS);
  const auto repository = CORBA::make_reference<Repository>();
  server->register_initial_reference("InterfaceRepository", published(repository, "Repository"));
  const auto found = IDL::traits<Described::Contained>::narrow(remote->_get_interface());
  ASSERT_TRUE(found);
  EXPECT_EQ(found->id(), thing_id);
  EXPECT_TRUE(own->_get_interface());
  EXPECT_TRUE(at_client(CORBA::make_reference<DynamicThing>()->_this())->_get_interface());
  // It does not know its own interface.
  EXPECT_THROW(at_client(published(repository, "Repository"))->_get_interface(), CORBA::INTF_REPOS);
  repository->fails = true;
  why = no_interface();
  EXPECT_NE(why.find("does not answer: NO_PERMISSION"), std::string::npos) << why;
}

TEST_F(DescribedObjects, AComponentIsWhatTheServantSays) {
  EXPECT_FALSE(remote->_get_component());
  thing->component = published(CORBA::make_reference<Contained>(), "Contained");
  const ObjectRef found = remote->_get_component();
  ASSERT_TRUE(found);
  EXPECT_TRUE(found->_is_equivalent(thing->component));
}

TEST_F(DescribedObjects, ReferencesKnowTheirOrb) {
  EXPECT_EQ(own->_get_orb(), server);
  EXPECT_EQ(remote->_get_orb(), client);
  EXPECT_THROW(client->_get_orb(), CORBA::NO_IMPLEMENT);
  const OrbRef third = CORBA::ORB_init({}, "described third");
  const ObjectRef orphan = third->string_to_object(server->object_to_string(own));
  third->destroy();
  EXPECT_THROW(orphan->_get_orb(), CORBA::OBJECT_NOT_EXIST);
}

TEST_F(DescribedObjects, ThereAreNoServices) {
  CORBA::ServiceInformation information({1}, {});
  EXPECT_FALSE(client->get_service_information(CORBA::Security, information));
  EXPECT_EQ(information, CORBA::ServiceInformation());
}

TEST_F(DescribedObjects, AnOperationsListHasItsParameters) {
  const auto operation = CORBA::make_reference<Operation>();
  const auto add = [&](const char* name, const CORBA::TypeCodeRef& type, Described::Direction direction) {
    operation->parameters.emplace_back(name, type, own, direction);
  };
  add("count", CORBA::_tc_long, Described::Direction::in_);
  add("label", CORBA::_tc_string, Described::Direction::inout_);
  add("kind", Described::_tc_Direction, Described::Direction::out_);
  CORBA::object_reference<CORBA::NVList> list;
  client->create_operation_list(at_client(published(operation, "Operation")), list);
  ASSERT_EQ(list->count(), 3u);
  EXPECT_EQ(list->item(0)->name(), "count");
  EXPECT_EQ(list->item(0)->flags(), CORBA::ARG_IN);
  EXPECT_TRUE(list->item(0)->value().type()->equal(CORBA::_tc_long));
  EXPECT_EQ(list->item(1)->flags(), CORBA::ARG_INOUT);
  EXPECT_EQ(list->item(2)->flags(), CORBA::ARG_OUT);
  EXPECT_TRUE(list->item(2)->value().type()->equal(Described::_tc_Direction));
  EXPECT_THROW(client->create_operation_list(nullptr, list), CORBA::BAD_PARAM);
  EXPECT_THROW(client->create_operation_list(remote, list), CORBA::BAD_OPERATION);
  EXPECT_EQ(list->count(), 3u);
}

}  // namespace
}  // namespace tenon
