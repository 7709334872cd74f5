// SPDX-License-Identifier: Apache-2.0
//
// What an object says of itself: interface, component and ORB; and what an interface repository says of an operation.
#include <tenon/dynamic.hpp>
#include <tenon/gen/any.hpp>

#include "base/minor_codes.hpp"
#include "tests/dynamic/repository_test_support.hpp"

namespace tenon::described {
namespace {

using ObjectRef = CORBA::object_reference<CORBA::Object>;
using OrbRef = CORBA::object_reference<CORBA::ORB>;

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
  EXPECT_NE(no_interface().find("does not know " + thing_id), std::string::npos);
  repository->create_interface(thing_id, "Thing", "1.0", {});
  const auto found = IDL::traits<CORBA::InterfaceDef>::narrow(remote->_get_interface());
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
  thing->component = published(CORBA::make_reference<Thing>(), "Component");
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
  const auto type_def = CORBA::make_reference<Primitive>(PrimitiveKind::pk_long)->_this();
  using enum CORBA::ParameterMode;
  operation->params({CORBA::ParameterDescription("count", CORBA::_tc_long, type_def, PARAM_IN),
                     CORBA::ParameterDescription("label", CORBA::_tc_string, nullptr, PARAM_INOUT),
                     CORBA::ParameterDescription("kind", CORBA::_tc_DefinitionKind, nullptr, PARAM_OUT)});
  CORBA::object_reference<CORBA::NVList> list;
  client->create_operation_list(at_client(published(operation, "Operation")), list);
  ASSERT_EQ(list->count(), 3u);
  EXPECT_EQ(list->item(0)->name(), "count");
  EXPECT_EQ(list->item(0)->flags(), CORBA::ARG_IN);
  EXPECT_TRUE(list->item(0)->value().type()->equal(CORBA::_tc_long));
  EXPECT_EQ(list->item(1)->flags(), CORBA::ARG_INOUT);
  EXPECT_EQ(list->item(2)->flags(), CORBA::ARG_OUT);
  EXPECT_TRUE(list->item(2)->value().type()->equal(CORBA::_tc_DefinitionKind));
  EXPECT_THROW(client->create_operation_list(nullptr, list), CORBA::BAD_PARAM);
  EXPECT_THROW(client->create_operation_list(remote, list), CORBA::BAD_OPERATION);
  EXPECT_EQ(list->count(), 3u);
}

}  // namespace
}  // namespace tenon::described
