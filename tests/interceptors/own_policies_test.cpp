// SPDX-License-Identifier: Apache-2.0
//
// Policies that a program's own factories make: create_POA and overrides take them, interceptors see them, and those that are exposed
// travel in references and come back at the client (CORBA 3.4 part 1 §8.9, §16.8, §17.2).
#include <thread>

#include <tenon/gen/any.hpp>
#include <tenon/messaging.hpp>

#include "base/minor_codes.hpp"
#include "ior/components.hpp"
#include "ior/ior.hpp"
#include "tests/interceptors/world.hpp"

namespace tenon::spied {
namespace {

using CORBA::SetOverrideType;
using PolicyRef = CORBA::object_reference<CORBA::Policy>;
using PoaRef = CORBA::object_reference<PortableServer::POA>;

constexpr CORBA::PolicyType colour_type = 0x54450001;
constexpr CORBA::PolicyType secret_type = 0x54450002;

/// Travels.
class Colour final : public ExposedPolicy {
 public:
  explicit Colour(std::int32_t number) : number_(number) {}
  CORBA::PolicyType policy_type() const override { return colour_type; }
  PolicyRef copy() override { return CORBA::make_reference<Colour>(number_); }
  CORBA::Any exposed_value() const override { return number_in_any(number_); }
  std::int32_t number() const { return number_; }

 private:
  const std::int32_t number_;
};

/// Stays in its process.
class Secret final : public virtual CORBA::Policy {
 public:
  explicit Secret(std::int32_t number) : number_(number) {}
  CORBA::PolicyType policy_type() const override { return secret_type; }
  PolicyRef copy() override { return CORBA::make_reference<Secret>(number_); }
  std::int32_t number() const { return number_; }

 private:
  const std::int32_t number_;
};

class Colours final : public ExposedPolicyFactory {
 public:
  PolicyRef create_policy(CORBA::PolicyType, const CORBA::Any& value) override {
    const std::int32_t number = number_of(value);
    if (number < 0) throw CORBA::PolicyError(CORBA::BAD_POLICY_VALUE);
    return CORBA::make_reference<Colour>(number);
  }
  CORBA::TypeCodeRef exposed_type(CORBA::PolicyType) override { return CORBA::_tc_long; }
};

class Secrets final : public PolicyFactory {
 public:
  PolicyRef create_policy(CORBA::PolicyType, const CORBA::Any& value) override {
    return CORBA::make_reference<Secret>(number_of(value));
  }
};

void add_factories(ORBInitInfo& info) {
  info.register_policy_factory(colour_type, CORBA::make_reference<Colours>());
  info.register_policy_factory(secret_type, CORBA::make_reference<Secrets>());
}

/// -1: nil.
std::int32_t colour(const PolicyRef& policy) { return policy ? dynamic_cast<Colour&>(*policy).number() : -1; }
std::int32_t secret(const PolicyRef& policy) { return policy ? dynamic_cast<Secret&>(*policy).number() : -1; }

/// What what() says of an exception of that class; empty: none was thrown.
template <typename Exception, typename Code>
std::string said(Code code) {
  try {
    code();
  } catch (const Exception& exception) {
    return exception.what();
  }
  return "";
}

/// Two ORBs with factories and one spy each. The server's has a POA with a colour and a secret.
class OwnPolicies : public ::testing::Test {
 protected:
  void SetUp() override {
    server = make_orb(
        [this](ORBInitInfo& info) {
          add_factories(info);
          info.add_server_request_interceptor(s);
        },
        {"-ORBListenEndpoints", "iiop://127.0.0.1"});
    client = make_orb([this](ORBInitInfo& info) {
      add_factories(info);
      info.add_client_request_interceptor(c);
    });
    root = IDL::traits<PortableServer::POA>::narrow(server->resolve_initial_references("RootPOA"));
    root->the_POAManager()->activate();
  }
  void TearDown() override {
    current()->set_policy_overrides({}, SetOverrideType::SET_OVERRIDE);
    client->destroy();
    server->destroy();
  }
  PolicyRef colour_of(std::int32_t number) {
    return server->create_policy(colour_type, number_in_any(number));
  }
  PolicyRef secret_of(std::int32_t number) {
    return server->create_policy(secret_type, number_in_any(number));
  }
  /// A new object of the POA, as the client sees it.
  TargetRef object_in(const PoaRef& poa) {
    const auto id = poa->activate_object(CORBA::make_reference<TargetServant>(diary, "painted"));
    return IDL::traits<Spied::Target>::unchecked_narrow(
        client->string_to_object(server->object_to_string(poa->id_to_reference(id))));
  }
  TargetRef painted(std::int32_t number) {
    return object_in(root->create_POA("painted", root->the_POAManager(), {secret_of(5), colour_of(number)}));
  }
  CORBA::object_reference<CORBA::PolicyManager> manager() {
    return IDL::traits<CORBA::PolicyManager>::narrow(client->resolve_initial_references("ORBPolicyManager"));
  }
  CORBA::object_reference<CORBA::PolicyCurrent> current() {
    return IDL::traits<CORBA::PolicyCurrent>::narrow(client->resolve_initial_references("PolicyCurrent"));
  }

  Diary diary;
  CORBA::object_reference<ClientSpy> c = CORBA::make_reference<ClientSpy>(diary, "c");
  CORBA::object_reference<ServerSpy> s = CORBA::make_reference<ServerSpy>(diary, "s");
  OrbRef server, client;
  PoaRef root;
};

TEST_F(OwnPolicies, ServersInterceptorsSeeThoseOfThePoa) {
  const TargetRef target = painted(7);
  std::int32_t seen_colour = 0;
  std::int32_t seen_secret = 0;
  s->code["receive_request"] = [&](ServerRequestInfo& info) {
    seen_colour = colour(info.get_server_policy(colour_type));
    seen_secret = secret(info.get_server_policy(secret_type));
    const auto ways = IDL::traits<BiDirPolicy::BidirectionalPolicy>::narrow(
        info.get_server_policy(BiDirPolicy::BIDIRECTIONAL_POLICY_TYPE));
    EXPECT_EQ(ways->value(), BiDirPolicy::NORMAL);
    EXPECT_NE(said<CORBA::INV_POLICY>([&] {
                info.get_server_policy(4711);
              }).find("policy of type 0x1267 (vendor 0x1, number 615)"),
              std::string::npos);
  };
  EXPECT_EQ(target->add(1, 2), 3);
  EXPECT_EQ(seen_colour, 7);
  EXPECT_EQ(seen_secret, 5);
  EXPECT_EQ(object_in(root)->add(1, 2), 3);
  EXPECT_EQ(seen_colour, -1);
}

TEST_F(OwnPolicies, ExposedOnesComeBackAtTheClient) {
  const TargetRef target = painted(7);
  EXPECT_EQ(colour(target->_get_policy(colour_type)), 7);
  EXPECT_EQ(secret(target->_get_policy(secret_type)), -1);
  EXPECT_EQ(colour(target->_get_client_policy(colour_type)), -1);
  std::int32_t requested = 0;
  CORBA::OctetSeq component;
  c->code["send_request"] = [&](ClientRequestInfo& info) {
    requested = colour(info.get_request_policy(colour_type));
    component = info.get_effective_component(ior::tag_policies).component_data();
  };
  EXPECT_EQ(target->add(1, 2), 3);
  EXPECT_EQ(requested, 7);
  // sequence<PolicyValue>: one policy, whose value is an encapsulation of a long.
  const std::uint8_t order = native_order == ByteOrder::little ? 1 : 0;
  ASSERT_EQ(component.size(), 24u);
  EXPECT_EQ(component[0], order);
  cdr::Reader in = cdr::Reader::encapsulation(component);
  EXPECT_EQ(in.get<std::uint32_t>(), 1u);
  EXPECT_EQ(in.get<std::uint32_t>(), colour_type);
  cdr::Reader value = cdr::Reader::encapsulation(in.get_octet_sequence());
  EXPECT_EQ(value.get<std::int32_t>(), 7);
  EXPECT_TRUE(in.good() && value.good());
}

TEST_F(OwnPolicies, OverridesAreKeptAtEveryLevel) {
  const TargetRef target = object_in(root);
  std::int32_t requested = 0;
  c->code["send_request"] = [&](ClientRequestInfo& info) {
    requested = colour(info.get_request_policy(colour_type));
  };
  const auto requested_of = [&](const TargetRef& of) {
    EXPECT_EQ(of->add(1, 2), 3);
    return requested;
  };
  EXPECT_EQ(requested_of(target), -1);
  manager()->set_policy_overrides({colour_of(1), secret_of(2)}, SetOverrideType::SET_OVERRIDE);
  EXPECT_EQ(requested_of(target), 1);
  EXPECT_EQ(manager()->get_policy_overrides({}).size(), 2u);
  EXPECT_EQ(secret(manager()->get_policy_overrides({secret_type}).at(0)), 2);
  current()->set_policy_overrides({colour_of(3)}, SetOverrideType::SET_OVERRIDE);
  EXPECT_EQ(requested_of(target), 3);
  std::thread([&] { EXPECT_EQ(colour(target->_get_client_policy(colour_type)), 1); }).join();
  const auto own = IDL::traits<Spied::Target>::unchecked_narrow(target->_set_policy_overrides(
      {create_relative_roundtrip_timeout_policy(100'000'000), colour_of(4)}, SetOverrideType::SET_OVERRIDE));
  EXPECT_EQ(requested_of(own), 4);
  EXPECT_EQ(colour(own->_get_policy(colour_type)), 4);
  EXPECT_EQ(secret(own->_get_client_policy(secret_type)), 2);
  EXPECT_EQ(own->_get_policy_overrides({}).size(), 2u);
  const auto added = own->_set_policy_overrides({secret_of(6)}, SetOverrideType::ADD_OVERRIDE);
  EXPECT_EQ(added->_get_policy_overrides({}).size(), 3u);
  current()->set_policy_overrides({}, SetOverrideType::SET_OVERRIDE);
  EXPECT_EQ(requested_of(target), 1);
}

TEST_F(OwnPolicies, AnOverrideAndAnExposedPolicyMustAgree) {
  const TargetRef target = painted(7);
  const auto with = [&](std::int32_t number) {
    return target->_set_policy_overrides({colour_of(number)}, SetOverrideType::SET_OVERRIDE);
  };
  CORBA::PolicyList inconsistent;
  EXPECT_EQ(colour(with(7)->_get_policy(colour_type)), 7);
  EXPECT_TRUE(with(7)->_validate_connection(inconsistent));
  EXPECT_EQ(minor_of<CORBA::INV_POLICY>([&] { with(8)->_get_policy(colour_type); }),
            errors::irreconcilable_policy.minor);
  EXPECT_FALSE(with(8)->_validate_connection(inconsistent));
  ASSERT_EQ(inconsistent.size(), 1u);
  EXPECT_EQ(colour(inconsistent[0]), 8);
}

TEST_F(OwnPolicies, AValueThatTheClientsFactoryRefuses) {
  const TargetRef target =
      object_in(root->create_POA("odd", root->the_POAManager(), {CORBA::make_reference<Colour>(-1)}));
  const std::string why = said<CORBA::INV_POLICY>([&] { target->_get_policy(colour_type); });
  EXPECT_NE(
      why.find(
          "policy of type 0x54450001 (vendor 0x54450, number 1): the reference has a value that is none"),
      std::string::npos)
      << why;
  EXPECT_EQ(target->add(1, 2), 3);
}

TEST_F(OwnPolicies, ManagersHaveThemForTheirPoas) {
  const auto factory = root->the_POAManagerFactory();
  const auto made = factory->create_POAManager("painted", {colour_of(9), secret_of(1)});
  made->activate();
  const auto plain = root->create_POA("plain", made, {});
  const auto own = root->create_POA("own", made, {colour_of(3)});
  EXPECT_EQ(colour(object_in(plain)->_get_policy(colour_type)), 9);
  EXPECT_EQ(colour(object_in(own)->_get_policy(colour_type)), 3);
  std::int32_t seen = 0;
  s->code["receive_request"] = [&](ServerRequestInfo& info) {
    seen = secret(info.get_server_policy(secret_type));
  };
  EXPECT_EQ(object_in(own)->add(1, 2), 3);
  EXPECT_EQ(seen, 1);
  const std::string why = said<CORBA::PolicyError>([&] {
    factory->create_POAManager(
        "other",
        {PortableServer::POA::create_thread_policy(PortableServer::ThreadPolicyValue::ORB_CTRL_MODEL)});
  });
  EXPECT_NE(why.find("ThreadPolicy: a POAManager takes only"), std::string::npos) << why;
  EXPECT_EQ(factory->find("other"), nullptr);
  EXPECT_EQ(factory->list().size(), 2u);
}

TEST(OwnPolicyValues, BadListsHaveNone) {
  const auto find = [&](const std::vector<std::uint8_t>& data) {
    return ior::find_policy({ior::TaggedComponent{ior::tag_policies, data}}, colour_type).has_value();
  };
  EXPECT_FALSE(find({}));
  EXPECT_FALSE(find({1}));
  EXPECT_FALSE(find({1, 0, 0, 0, 0xff, 0xff, 0xff, 0x7f}));
  EXPECT_FALSE(find({1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0x45, 0x54, 9, 0, 0, 0, 1}));
  EXPECT_TRUE(find({1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0x45, 0x54, 1, 0, 0, 0, 1}));
  EXPECT_TRUE(find({0, 0, 0, 0, 0, 0, 0, 1, 0x54, 0x45, 0, 1, 0, 0, 0, 1, 1}));
}

TEST_F(OwnPolicies, ErrorsNameThePolicy) {
  using PortableServer::POA;
  const PolicyRef trip = create_relative_roundtrip_timeout_policy(1);
  const PolicyRef thread = POA::create_thread_policy(PortableServer::ThreadPolicyValue::SINGLE_THREAD_MODEL);
  const auto has = [](const std::string& text, const std::string& part) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
  };
  has(said<POA::InvalidPolicy>([&] { root->create_POA("x", nullptr, {colour_of(1), trip}); }),
      "policy 1 of the list, RelativeRoundtripTimeoutPolicy: no policy of POAs");
  class Unknown final : public virtual CORBA::Policy {
    CORBA::PolicyType policy_type() const override { return 4711; }
    PolicyRef copy() override { return PolicyRef(this); }
  };
  has(said<POA::InvalidPolicy>([&] { root->create_POA("x", nullptr, {CORBA::make_reference<Unknown>()}); }),
      "policy of type 0x1267 (vendor 0x1, number 615): no policy of POAs, and the ORB has no policy factory "
      "for its type");
  has(said<POA::InvalidPolicy>([&] { root->create_POA("x", nullptr, {colour_of(1), thread, colour_of(1)}); }),
      "policy 2 of the list, policy of type 0x54450001 (vendor 0x54450, number 1): given twice");
  has(said<CORBA::NO_PERMISSION>(
          [&] { manager()->set_policy_overrides({trip, thread}, SetOverrideType::SET_OVERRIDE); }),
      "policy 1 of the list, ThreadPolicy");
  has(said<CORBA::InvalidPolicies>(
          [&] { manager()->set_policy_overrides({trip, trip}, SetOverrideType::SET_OVERRIDE); }),
      "policy 1 of the list, RelativeRoundtripTimeoutPolicy: given twice");
  has(said<CORBA::INV_POLICY>([&] {
        manager()->set_policy_overrides({create_sync_scope_policy(9)}, SetOverrideType::SET_OVERRIDE);
      }),
      "SyncScopePolicy: there is no value 9");
  has(said<CORBA::INV_POLICY>([&] { object_in(root)->_get_policy(4711); }),
      "policy of type 0x1267 (vendor 0x1, number 615)");
  has(said<CORBA::PolicyError>([&] { server->create_policy(41, CORBA::Any()); }),
      "UNSUPPORTED_POLICY): ThreadpoolPolicy");
  has(said<CORBA::PolicyError>([&] { server->create_policy(4711, CORBA::Any()); }),
      "policy of type 0x1267 (vendor 0x1, number 615)");
  CORBA::Any text;
  text <<= std::string("fast");
  has(said<CORBA::PolicyError>([&] { server->create_policy(Messaging::SYNC_SCOPE_POLICY_TYPE, text); }),
      "SyncScopePolicy: the value is of type string, not short");
}

}  // namespace
}  // namespace tenon::spied
