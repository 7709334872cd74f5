// SPDX-License-Identifier: Apache-2.0
//
// IOR interceptors: what they add to references, and what they hear of POAs (CORBA 3.4 part 1 §16.5).
#include "base/minor_codes.hpp"
#include "tests/interceptors/world.hpp"

namespace tenon::spied {
namespace {

constexpr IOP::ComponentId everywhere = 0x54450010;
constexpr IOP::ComponentId in_iiop = 0x54450011;
constexpr IOP::ComponentId in_no_profile = 0x54450012;

class Marker final : public IORInterceptor {
 public:
  explicit Marker(Diary& diary) : diary_(diary) {}
  std::string name() override { return "marker"; }
  void establish_components(CORBA::object_reference<IORInfo> info) override {
    const auto lifespan = IDL::traits<PortableServer::LifespanPolicy>::narrow(
        info->get_effective_policy(PortableServer::LIFESPAN_POLICY_ID));
    const bool lasts = lifespan->value() == PortableServer::LifespanPolicyValue::PERSISTENT;
    info->add_ior_component({everywhere, {static_cast<std::uint8_t>(lasts ? 2 : 1)}});
    info->add_ior_component_to_profile({in_iiop, {3}}, 0);
    info->add_ior_component_to_profile({in_no_profile, {4}}, 0x54450013);
    EXPECT_EQ(minor_of<CORBA::INV_POLICY>([&] { info->get_effective_policy(0x54450014); }),
              errors::no_policy_factory.minor);
    manager = info->manager_id();
    EXPECT_EQ(minor_of<CORBA::BAD_INV_ORDER>([&] { info->adapter_template(); }),
              errors::wrong_interception_point.minor);
    EXPECT_EQ(minor_of<CORBA::BAD_INV_ORDER>([&] { info->current_factory(); }),
              errors::wrong_interception_point.minor);
    kept = info;
    throw 5;  // is dropped
  }
  void components_established(CORBA::object_reference<IORInfo> info) override {
    EXPECT_EQ(minor_of<CORBA::BAD_INV_ORDER>([&] { info->add_ior_component({everywhere, {}}); }),
              errors::wrong_interception_point.minor);
    diary_.note("established");
    if (refuses) throw CORBA::NO_PERMISSION();
    if (on_established) on_established(*info);
  }
  void adapter_manager_state_changed(const AdapterManagerId& id, AdapterState state) override {
    diary_.note("manager " + id + " state " + std::to_string(state));
  }
  void adapter_state_changed(const ObjectReferenceTemplateSeq& templates, AdapterState state) override {
    for (const auto& each : templates)
      diary_.note(each->adapter_name().back() + " state " + std::to_string(state));
  }

  AdapterManagerId manager;
  bool refuses = false;
  std::function<void(IORInfo&)> on_established;
  CORBA::object_reference<IORInfo> kept;

 private:
  Diary& diary_;
};

class Iors : public Spies {
 protected:
  CORBA::object_reference<Marker> marker = CORBA::make_reference<Marker>(diary);
  CORBA::object_reference<PortableServer::POA> root;

  void start_marked() {
    ior_interceptors.push_back(marker);
    start();
    root = IDL::traits<PortableServer::POA>::narrow(server->resolve_initial_references("RootPOA"));
  }
  /// The data of that component in the reference as a client sees it; empty: none.
  CORBA::OctetSeq component(const TargetRef& of, IOP::ComponentId id) {
    CORBA::OctetSeq found;
    c1->code["send_request"] = [&](ClientRequestInfo& info) {
      try {
        found = info.get_effective_component(id).component_data();
      } catch (const CORBA::BAD_PARAM&) {
        // there is none
      }
    };
    EXPECT_EQ(of->add(1, 1), 2);
    return found;
  }
};

TEST_F(Iors, ComponentsAreInReferencesOfThePoa) {
  start_marked();
  EXPECT_EQ(component(target, everywhere), CORBA::OctetSeq{1});
  EXPECT_EQ(component(target, in_iiop), CORBA::OctetSeq{3});
  EXPECT_EQ(component(target, in_no_profile), CORBA::OctetSeq());
  const auto lasting = root->create_POA(
      "lasting", root->the_POAManager(),
      {PortableServer::POA::create_lifespan_policy(PortableServer::LifespanPolicyValue::PERSISTENT)});
  const auto id = lasting->activate_object(CORBA::make_reference<TargetServant>(diary, "lasting"));
  EXPECT_EQ(component(at_client(lasting->id_to_reference(id)), everywhere), CORBA::OctetSeq{2});
  EXPECT_EQ(minor_of<CORBA::BAD_INV_ORDER>([&] { marker->kept->state(); }),
            errors::wrong_interception_point.minor);
}

TEST_F(Iors, OneThatObjectsPreventsThePoa) {
  start_marked();
  marker->refuses = true;
  EXPECT_EQ(minor_of<CORBA::OBJ_ADAPTER>([&] { root->create_POA("never", nullptr, {}); }),
            errors::components_not_established.minor);
  EXPECT_THROW(root->find_POA("never", false), PortableServer::POA::AdapterNonExistent);
}

TEST_F(Iors, StatesAreTold) {
  start_marked();
  const auto child = root->create_POA("child", nullptr, {});
  const std::string manager = child->the_POAManager()->get_id();
  diary.take();
  child->the_POAManager()->activate();
  child->the_POAManager()->discard_requests(false);
  child->destroy(false, true);
  const Words expected{"manager " + manager + " state 1", "manager " + manager + " state 2", "child state 4"};
  EXPECT_EQ(marker->manager, manager);
  EXPECT_EQ(diary.take(), expected);
}

/// Counts what it makes with another factory.
class CountingFactory final : public ObjectReferenceFactory {
 public:
  explicit CountingFactory(CORBA::object_reference<ObjectReferenceFactory> before)
      : before_(std::move(before)) {}
  CORBA::object_reference<CORBA::Object> make_object(const std::string& repository_id,
                                                     const ObjectId& id) override {
    made.push_back(repository_id);
    if (makes_nothing) return nullptr;
    return before_->make_object(repository_id, id);
  }
  Words made;
  bool makes_nothing = false;

 private:
  const CORBA::object_reference<ObjectReferenceFactory> before_;
};

TEST_F(Iors, ATemplateMakesReferencesOfItsPoa) {
  CORBA::object_reference<ObjectReferenceTemplate> kept;
  marker->on_established = [&](IORInfo& info) {
    kept = info.adapter_template();
    EXPECT_EQ(info.current_factory(), kept);
    EXPECT_EQ(minor_of<CORBA::BAD_INV_ORDER>([&] { kept->make_object("IDL:Spied/Target:1.0", {1}); }),
              errors::wrong_interception_point.minor);
  };
  start_marked();
  const auto named = root->create_POA(
      "named", root->the_POAManager(),
      {PortableServer::POA::create_id_assignment_policy(PortableServer::IdAssignmentPolicyValue::USER_ID)});
  const auto id = PortableServer::string_to_ObjectId("one");
  const auto made = kept->make_object("IDL:Spied/Target:1.0", id);
  EXPECT_EQ(kept->adapter_name(), AdapterName({"RootPOA", "named"}));
  EXPECT_EQ(named->reference_to_id(made), id);
  named->activate_object_with_id(id, CORBA::make_reference<TargetServant>(diary, "one"));
  const TargetRef one = at_client(made);
  EXPECT_EQ(one->who(), "one");
  EXPECT_EQ(component(one, everywhere), CORBA::OctetSeq{1});
  named->destroy(false, true);
  EXPECT_EQ(minor_of<CORBA::OBJECT_NOT_EXIST>([&] { kept->make_object("IDL:Spied/Target:1.0", id); }),
            errors::no_such_adapter.minor);
}

TEST_F(Iors, ACurrentFactoryMakesAllReferences) {
  CORBA::weak_object_reference<CountingFactory> watched;
  CORBA::object_reference<CountingFactory> factory;
  marker->on_established = [&](IORInfo& info) {
    EXPECT_EQ(minor_of<CORBA::BAD_PARAM>([&] { info.current_factory(nullptr); }), errors::nil_object.minor);
    factory = CORBA::make_reference<CountingFactory>(info.current_factory());
    watched = factory;
    info.current_factory(factory);
    EXPECT_EQ(info.current_factory(), factory);
  };
  ior_interceptors.push_back(marker);
  start();
  root = IDL::traits<PortableServer::POA>::narrow(server->resolve_initial_references("RootPOA"));
  const auto child = root->create_POA("child", root->the_POAManager(), {});
  factory->made.clear();
  const auto servant = CORBA::make_reference<TargetServant>(diary, "counted");
  const auto id = child->activate_object(servant);
  const auto by_id = child->id_to_reference(id);
  EXPECT_EQ(at_client(by_id)->who(), "counted");
  EXPECT_TRUE(child->servant_to_reference(servant)->_is_equivalent(by_id));
  child->create_reference("IDL:Spied/Other:1.0");
  EXPECT_EQ(factory->made, Words({"IDL:Spied/Target:1.0", "IDL:Spied/Target:1.0", "IDL:Spied/Other:1.0"}));
  factory->makes_nothing = true;
  EXPECT_EQ(minor_of<CORBA::OBJ_ADAPTER>([&] { child->id_to_reference(id); }),
            errors::components_not_established.minor);
  // A POA lets go of its factory when it ends, and one that is not made does so at once.
  factory = nullptr;
  child->destroy(false, true);
  EXPECT_TRUE(watched.expired());
  root->create_POA("twin", nullptr, {});
  EXPECT_THROW(root->create_POA("twin", nullptr, {}), PortableServer::POA::AdapterAlreadyExists);
  factory = nullptr;
  EXPECT_TRUE(watched.expired());
}

}  // namespace
}  // namespace tenon::spied
