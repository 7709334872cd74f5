// SPDX-License-Identifier: Apache-2.0
//
// An interface repository in one ORB, written with the library's skeletons, and a client's ORB that fills it, finds it and asks it.
#include <tenon/dynamic.hpp>
#include <tenon/gen/any.hpp>

#include "tests/dynamic/repository_test_support.hpp"

namespace tenon::described {
namespace {

using CORBA::ParameterMode;
const std::string weigh_id = "IDL:Described/Thing/weigh:1.0";

class InterfaceRepository : public ::testing::Test {
 protected:
  void SetUp() override {
    server = CORBA::ORB_init({"-ORBListenEndpoints", "iiop://127.0.0.1"}, "repository server");
    const auto published = tenon::publish(server, CORBA::make_reference<Repository>(), "Repository");
    server->register_initial_reference("InterfaceRepository", published);
    client = CORBA::ORB_init({"-ORBInitRef", "InterfaceRepository=" + server->object_to_string(published)},
                             "repository client");
    repository =
        IDL::traits<CORBA::Repository>::narrow(client->resolve_initial_references("InterfaceRepository"));
    ASSERT_TRUE(repository);
    number = repository->get_primitive(CORBA::PrimitiveKind::pk_long);
    text = repository->get_primitive(CORBA::PrimitiveKind::pk_string);
    thing = repository->create_interface(thing_id, "Thing", "1.0", {});
    weigh = thing->create_operation(
        weigh_id, "weigh", "1.0", number, CORBA::OperationMode::OP_NORMAL,
        {CORBA::ParameterDescription("what", CORBA::_tc_string, text, ParameterMode::PARAM_IN),
         CORBA::ParameterDescription("unit", CORBA::_tc_string, text, ParameterMode::PARAM_INOUT)},
        {}, {"scale"});
  }
  void TearDown() override {
    client->destroy();
    server->destroy();
  }
  static bool same(const Ref<CORBA::Object>& one, const Ref<CORBA::Object>& other) {
    return one->_is_equivalent(other);
  }

  Ref<CORBA::ORB> server, client;
  Ref<CORBA::Repository> repository;
  Ref<CORBA::PrimitiveDef> number, text;
  Ref<CORBA::InterfaceDef> thing;
  Ref<CORBA::OperationDef> weigh;
};

TEST_F(InterfaceRepository, AnObjectsInterfaceIsDescribed) {
  const auto object = client->string_to_object(
      server->object_to_string(tenon::publish(server, CORBA::make_reference<Thing>(), "Thing")));
  const auto found = IDL::traits<CORBA::InterfaceDef>::narrow(object->_get_interface());
  ASSERT_TRUE(found);
  EXPECT_TRUE(same(found, thing));
  EXPECT_TRUE(found->is_a(thing_id));
  EXPECT_FALSE(found->is_a(weigh_id));
  const CORBA::InterfaceDef::FullInterfaceDescription all = found->describe_interface();
  EXPECT_EQ(all.id(), thing_id);
  EXPECT_EQ(all.name(), "Thing");
  EXPECT_TRUE(all.attributes().empty());
  ASSERT_EQ(all.operations().size(), 1u);
  const CORBA::OperationDescription& operation = all.operations().front();
  EXPECT_EQ(operation.id(), weigh_id);
  EXPECT_EQ(operation.mode(), CORBA::OperationMode::OP_NORMAL);
  EXPECT_TRUE(operation.result()->equal(CORBA::_tc_long));
  EXPECT_EQ(operation.contexts(), CORBA::ContextIdSeq{"scale"});
  ASSERT_EQ(operation.parameters().size(), 2u);
  EXPECT_EQ(operation.parameters()[1].name(), "unit");
  EXPECT_EQ(operation.parameters()[1].mode(), ParameterMode::PARAM_INOUT);
  EXPECT_TRUE(operation.parameters()[1].type()->equal(CORBA::_tc_string));
  EXPECT_TRUE(same(operation.parameters()[1].type_def(), text));
}

TEST_F(InterfaceRepository, ThingsAreFoundByIdNameAndKind) {
  EXPECT_TRUE(same(repository->lookup_id(thing_id), thing));
  EXPECT_FALSE(repository->lookup_id(weigh_id + "1"));
  EXPECT_TRUE(same(repository->lookup("::Thing"), thing));
  EXPECT_FALSE(repository->lookup("::Nothing"));
  ASSERT_EQ(repository->contents(DefinitionKind::dk_all, false).size(), 1u);
  EXPECT_TRUE(same(repository->contents(DefinitionKind::dk_Interface, false).front(), thing));
  EXPECT_TRUE(repository->contents(DefinitionKind::dk_Operation, false).empty());
  const CORBA::ContainedSeq named = thing->lookup_name("weigh", -1, DefinitionKind::dk_Operation, true);
  ASSERT_EQ(named.size(), 1u);
  EXPECT_TRUE(same(named.front(), weigh));
  EXPECT_TRUE(thing->lookup_name("weigh", -1, DefinitionKind::dk_Attribute, true).empty());
}

TEST_F(InterfaceRepository, DescriptionsAreInAnys) {
  const CORBA::Contained::Description said = thing->describe();
  EXPECT_EQ(said.kind(), DefinitionKind::dk_Interface);
  EXPECT_EQ(said.value().type()->id(), "IDL:omg.org/CORBA/InterfaceDescription:1.0");
  CORBA::InterfaceDescription interface;
  ASSERT_TRUE(said.value() >>= interface);
  EXPECT_EQ(interface.id(), thing_id);
  const auto within = thing->describe_contents(DefinitionKind::dk_all, true, -1);
  ASSERT_EQ(within.size(), 1u);
  EXPECT_EQ(within.front().kind(), DefinitionKind::dk_Operation);
  EXPECT_TRUE(same(within.front().contained_object(), weigh));
  CORBA::OperationDescription operation;
  ASSERT_TRUE(within.front().value() >>= operation);
  EXPECT_EQ(operation.parameters().front().name(), "what");
  EXPECT_TRUE(thing->describe_contents(DefinitionKind::dk_all, true, 0).empty());
}

TEST_F(InterfaceRepository, EachKnowsItsPlace) {
  EXPECT_EQ(repository->def_kind(), DefinitionKind::dk_Repository);
  EXPECT_EQ(weigh->def_kind(), DefinitionKind::dk_Operation);
  EXPECT_EQ(weigh->id(), weigh_id);
  EXPECT_EQ(weigh->name(), "weigh");
  EXPECT_EQ(weigh->version(), "1.0");
  EXPECT_EQ(weigh->absolute_name(), "::weigh");
  EXPECT_TRUE(same(weigh->defined_in(), thing));
  EXPECT_TRUE(same(weigh->containing_repository(), repository));
  weigh->move(repository, "measure", "2.0");
  EXPECT_TRUE(same(weigh->defined_in(), repository));
  EXPECT_EQ(weigh->name(), "measure");
  EXPECT_EQ(weigh->version(), "2.0");
  weigh->id(thing_id);
  weigh->name("heft");
  weigh->version("3.0");
  EXPECT_EQ(weigh->id() + weigh->name() + weigh->version(), thing_id + "heft3.0");
  EXPECT_TRUE(thing->base_interfaces().empty());
  thing->base_interfaces({thing});
  ASSERT_EQ(thing->base_interfaces().size(), 1u);
  EXPECT_TRUE(same(thing->base_interfaces().front(), thing));
}

TEST_F(InterfaceRepository, OperationsSayWhatTheyTake) {
  EXPECT_TRUE(weigh->result()->equal(CORBA::_tc_long));
  EXPECT_TRUE(same(weigh->result_def(), number));
  weigh->result_def(text);
  EXPECT_TRUE(weigh->result()->equal(CORBA::_tc_string));
  EXPECT_EQ(weigh->params().size(), 2u);
  weigh->params({});
  EXPECT_TRUE(weigh->params().empty());
  weigh->mode(CORBA::OperationMode::OP_ONEWAY);
  EXPECT_EQ(weigh->mode(), CORBA::OperationMode::OP_ONEWAY);
  weigh->contexts({"one", "two"});
  EXPECT_EQ(weigh->contexts(), (CORBA::ContextIdSeq{"one", "two"}));
  weigh->exceptions({nullptr});
  EXPECT_EQ(weigh->exceptions().size(), 1u);
}

TEST_F(InterfaceRepository, TypesAreMadeAndAsked) {
  EXPECT_EQ(number->kind(), CORBA::PrimitiveKind::pk_long);
  EXPECT_EQ(number->def_kind(), DefinitionKind::dk_Primitive);
  EXPECT_TRUE(number->type()->equal(CORBA::_tc_long));
  EXPECT_TRUE(repository->get_canonical_typecode(CORBA::_tc_string)->equal(CORBA::_tc_string));
  const auto name = repository->create_string(80);
  EXPECT_EQ(name->bound(), 80u);
  name->bound(90);
  EXPECT_EQ(name->bound(), 90u);
  EXPECT_THROW(repository->create_fixed(5, 2), CORBA::NO_IMPLEMENT);
  name->destroy();
  EXPECT_FALSE(IDL::traits<CORBA::Contained>::narrow(name));
  EXPECT_TRUE(IDL::traits<CORBA::IDLType>::narrow(Ref<CORBA::Object>(name)));
}

}  // namespace
}  // namespace tenon::described
