// SPDX-License-Identifier: Apache-2.0
//
// ServerProtocolPolicy: what profiles references have. ClientProtocolPolicy of POAs: what references say of it, and what clients do then.
#include <unistd.h>

#include <algorithm>

#include "base/bytes.hpp"
#include "base/minor_codes.hpp"
#include "ior/components.hpp"
#include "orb/orb.hpp"
#include "tests/protocol_policies/world.hpp"

namespace tenon::protocols {
namespace {

using ServerProtocols = World;
using Tags = std::vector<std::uint32_t>;

TEST_F(ServerProtocols, AnyProtocolStandsForTheOthers) {
  EXPECT_EQ(tags_of(object_of(poa("any", {server_policy({uiop, any_protocol})}))),
            (std::vector<std::uint32_t>{uiop, iiop}));
  EXPECT_EQ(tags_of(object_of(poa("any at all", {server_policy({any_protocol})}))),
            (std::vector<std::uint32_t>{iiop, uiop}));
}

TEST_F(ServerProtocols, OfAPoaAreThoseOfItsReferences) {
  EXPECT_EQ(tags_of(object_of(poa("unix", {server_policy({uiop})}))), Tags{uiop});
  EXPECT_EQ(tags_of(object_of(poa("tcp", {server_policy({iiop})}))), Tags{iiop});
  EXPECT_EQ(tags_of(object_of(poa("both", {server_policy({uiop, iiop, uiop})}))), (Tags{uiop, iiop}));
  EXPECT_EQ(tags_of(object_of(poa("none", {}))), (Tags{iiop, uiop}));
  EXPECT_EQ(tags_of(object_of(root())), (Tags{iiop, uiop}));
  const ScopedOrb client;
  EXPECT_EQ(seen_by(client, object_of(poa("called", {server_policy({uiop})})))->add(1, 2), 3);
  EXPECT_EQ(connections(client), "uiop");
}

TEST_F(ServerProtocols, OfAnOrbCountForPoasWithout) {
  const PoaRef own = poa("own", {server_policy({iiop})});
  const PoaRef without = poa("without", {});
  const auto manager = manager_of(server);
  manager->set_policy_overrides({server_policy({uiop})}, SetOverrideType::SET_OVERRIDE);
  EXPECT_EQ(tags_of(object_of(without)), Tags{uiop});
  EXPECT_EQ(tags_of(object_of(root())), Tags{uiop});
  EXPECT_EQ(tags_of(object_of(own)), Tags{iiop});
  EXPECT_EQ(manager->get_policy_overrides({RTCORBA::SERVER_PROTOCOL_POLICY_TYPE}).size(), 1U);
  manager->set_policy_overrides({}, SetOverrideType::SET_OVERRIDE);
  EXPECT_EQ(tags_of(object_of(without)), (Tags{iiop, uiop}));
}

TEST_F(ServerProtocols, WhatTheOrbDoesNotListenOnIsRefused) {
  try {
    poa("bad", {client_policy({iiop}), server_policy({iiop, nobodys})});
    ADD_FAILURE();
  } catch (const PortableServer::POA::InvalidPolicy& exception) {
    EXPECT_EQ(exception.index(), 1);
    EXPECT_NE(std::string(exception.what()).find("no endpoint of this ORB has"), std::string::npos)
        << exception.what();
  }
  EXPECT_THROW(root()->find_POA("bad", false), PortableServer::POA::AdapterNonExistent);
  try {
    manager_of(server)->set_policy_overrides({server_policy({nobodys})}, SetOverrideType::SET_OVERRIDE);
    ADD_FAILURE();
  } catch (const CORBA::InvalidPolicies& exception) {
    EXPECT_EQ(exception.indices(), std::vector<std::uint16_t>{0});
    EXPECT_NE(std::string(exception.what()).find("no protocol with profile tag 0x54450099"),
              std::string::npos)
        << exception.what();
  }
  // It has the protocol but no endpoint of it, which shows when a reference is made.
  const ScopedOrb tcp_alone({"-ORBListenEndpoints", "iiop://127.0.0.1:0"});
  manager_of(tcp_alone)->set_policy_overrides({server_policy({uiop})}, SetOverrideType::SET_OVERRIDE);
  EXPECT_NE(said<CORBA::INV_POLICY>([&] {
              tenon::publish<::Protocols::Target_skeleton>(tcp_alone.ref(), CORBA::make_reference<Adder>());
            }).find("no protocol that an endpoint of this ORB has"),
            std::string::npos);
}

TEST_F(ServerProtocols, AnAddressInAnotherProfileIsOneOfItsOwnProtocol) {
  const ScopedOrb as_omniorb({"-ORBListenEndpoints", "iiop://127.0.0.1:0", "-ORBListenEndpoints",
                              "giop:unix:/tmp/tenon-policies-" + std::to_string(::getpid())});
  const auto root_of =
      IDL::traits<PortableServer::POA>::narrow(as_omniorb->resolve_initial_references("RootPOA"));
  const auto components_of = [&](const PoaRef& poa) {
    const TargetRef made = IDL::traits<::Protocols::Target>::narrow(
        poa->id_to_reference(poa->activate_object(CORBA::make_reference<Adder>())));
    const auto& profiles = made->_reference()->ior().profiles;
    const auto found = std::ranges::find(profiles, iiop, &ior::TaggedProfile::tag);
    const auto view = as_omniorb->_core().transport_for(iiop)->read_profile(found->data);
    return view->components;
  };
  constexpr std::uint32_t omniorb_unix = 0x41545402;
  EXPECT_TRUE(ior::find_component(components_of(root_of), omniorb_unix));
  const PoaRef tcp = root_of->create_POA("tcp", nullptr, {server_policy({iiop})});
  EXPECT_FALSE(ior::find_component(components_of(tcp), omniorb_unix));
}

TEST_F(ServerProtocols, AClientPolicyOfAPoaReachesItsClients) {
  const TargetRef made = object_of(poa("exposed", {client_policy({uiop, iiop})}));
  const ScopedOrb client;
  const TargetRef there = seen_by(client, made);
  EXPECT_EQ(tags_of(there), (Tags{iiop, uiop}));
  const auto found = IDL::traits<RTCORBA::ClientProtocolPolicy>::narrow(
      there->_get_policy(RTCORBA::CLIENT_PROTOCOL_POLICY_TYPE));
  ASSERT_TRUE(found);
  ASSERT_EQ(found->protocols().size(), 2U);
  EXPECT_EQ(found->protocols()[0].protocol_type(), uiop);
  EXPECT_FALSE(there->_get_client_policy(RTCORBA::CLIENT_PROTOCOL_POLICY_TYPE));
  EXPECT_EQ(there->add(1, 2), 3);
  EXPECT_EQ(connections(client), "uiop");
  // An override goes together with it if it is the same; another one contradicts it.
  EXPECT_EQ(with(there, {client_policy({uiop, iiop})})->add(1, 2), 3);
  const TargetRef against = with(there, {client_policy({iiop})});
  try {
    against->add(1, 2);
    ADD_FAILURE();
  } catch (const CORBA::INV_POLICY& exception) {
    EXPECT_EQ(exception._error(), errors::irreconcilable_policy);
  }
  EXPECT_THROW(against->_get_policy(RTCORBA::CLIENT_PROTOCOL_POLICY_TYPE), CORBA::INV_POLICY);
  CORBA::PolicyList inconsistent;
  EXPECT_FALSE(against->_validate_connection(inconsistent));
  EXPECT_EQ(inconsistent.size(), 1U);
  EXPECT_EQ(connections(client), "uiop");
}

TEST_F(ServerProtocols, AClientPolicyOfAPoaThatItsClientsCannotMeet) {
  const TargetRef made = object_of(poa("far", {client_policy({nobodys})}));
  const ScopedOrb client;
  const TargetRef there = seen_by(client, made);
  try {
    there->add(1, 2);
    ADD_FAILURE();
  } catch (const CORBA::INV_POLICY& exception) {
    EXPECT_EQ(exception._error(), errors::no_protocol_of_policy);
  }
  CORBA::PolicyList inconsistent;
  EXPECT_THROW(there->_validate_connection(inconsistent), CORBA::INV_POLICY);
}

TEST_F(ServerProtocols, OctetsOfAClientPolicyInAReference) {
  const TargetRef made = object_of(poa("octets", {client_policy({uiop, iiop})}));
  for (const ior::TaggedProfile& profile : made->_reference()->ior().profiles) {
    const auto view = server->_core().transport_for(profile.tag)->read_profile(profile.data);
    ASSERT_TRUE(view);
    const auto value = ior::find_policy(view->components, RTCORBA::CLIENT_PROTOCOL_POLICY_TYPE);
    ASSERT_TRUE(value);
    const bool little = value->front() == 1;
    const std::string text = little ? R"(
      01 000000    # little-endian; padding
      02000000     # two protocols
      004F4154     # protocol_type: TAO's UIOP, 0x54414F00
      00000000     # orb_protocol_properties: none
      00000000     # transport_protocol_properties: none
      00000000     # protocol_type: TAG_INTERNET_IOP
      00000000     # none
      00000000     # none
    )"
                                    : R"(
      00 000000    # big-endian; padding
      00000002     # two protocols
      54414F00     # protocol_type: TAO's UIOP
      00000000     # orb_protocol_properties: none
      00000000     # transport_protocol_properties: none
      00000000     # protocol_type: TAG_INTERNET_IOP
      00000000     # none
      00000000     # none
    )";
    EXPECT_EQ(std::vector<std::uint8_t>(value->begin(), value->end()), octets(text));
  }
}

/// A reference to `object` whose profiles say that of ClientProtocolPolicy.
TargetRef saying(const ScopedOrb& client, const TargetRef& object, const std::vector<std::uint8_t>& value) {
  ior::Ior made(object->_reference()->ior());
  for (ior::TaggedProfile& profile : made.profiles) {
    const auto* const transport = client->_core().transport_for(profile.tag);
    auto view = transport->read_profile(profile.data);
    const ior::PolicyValue said[] = {{RTCORBA::CLIENT_PROTOCOL_POLICY_TYPE, value}};
    view->components.push_back(ior::policies_component(said));
    profile = transport->make_profile(*view);
  }
  return IDL::traits<::Protocols::Target>::unchecked_narrow(client->string_to_object(ior::to_ior_text(made)));
}

TEST_F(ServerProtocols, AClientReadsPropertiesThatItDoesNotKnow) {
  const ScopedOrb client;
  const TargetRef there = saying(client, target, octets(R"(
    00 000000            # big-endian
    00000001             # one protocol
    54414F00             # UIOP
    00000003 AABBCC 00   # orb_protocol_properties
    00000002 0102        # transport_protocol_properties
  )"));
  EXPECT_EQ(there->add(1, 2), 3);
  EXPECT_EQ(connections(client), "uiop");
}

TEST_F(ServerProtocols, BadOctetsOfAClientPolicyHaveNoEffect) {
  std::vector<std::uint8_t> many = octets("00 000000 00000041");
  many.resize(8 + std::size_t{0x41} * 12);
  const std::vector<std::uint8_t> bad[] = {
      {},
      octets("00"),
      octets("00 000000 00000000"),           // an empty list
      octets("00 000000 FFFFFFFF 54414F00"),  // more than there is
      octets("00 000000 00000001 54414F00 00000000"),
      octets("00 000000 00000001 54414F00 00010000 00010000 00000000"),  // TCP's sizes of another ORB
      many,                                                              // 65 protocols
  };
  for (const std::vector<std::uint8_t>& value : bad) {
    const ScopedOrb client;
    EXPECT_EQ(saying(client, target, value)->add(1, 2), 3);
    EXPECT_EQ(connections(client), "iiop");
  }
}

}  // namespace
}  // namespace tenon::protocols
