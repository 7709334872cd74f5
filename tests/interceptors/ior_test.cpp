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
    kept = info;
    throw 5;  // is dropped
  }
  void components_established(CORBA::object_reference<IORInfo> info) override {
    EXPECT_EQ(minor_of<CORBA::BAD_INV_ORDER>([&] { info->add_ior_component({everywhere, {}}); }),
              errors::wrong_interception_point.minor);
    diary_.note("established");
    if (refuses) throw CORBA::NO_PERMISSION();
  }
  void adapter_manager_state_changed(AdapterManagerId id, AdapterState state) override {
    diary_.note("manager " + std::to_string(id - manager) + " state " + std::to_string(state));
  }
  void adapter_state_changed(const ObjectReferenceTemplateSeq& templates, AdapterState state) override {
    for (const auto& each : templates)
      diary_.note(each->adapter_name().back() + " state " + std::to_string(state));
  }

  AdapterManagerId manager = 0;
  bool refuses = false;
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
  diary.take();
  child->the_POAManager()->activate();
  child->the_POAManager()->discard_requests(false);
  child->destroy(false, true);
  const Words expected{"manager 0 state 1", "manager 0 state 2", "child state 4"};
  EXPECT_EQ(diary.take(), expected);
}

}  // namespace
}  // namespace tenon::spied
