// SPDX-License-Identifier: Apache-2.0
#include "tests/protocol_policies/world.hpp"

#include <unistd.h>

#include <algorithm>
#include <atomic>

#include "base/hex.hpp"
#include "orb/client/endpoint.hpp"
#include "orb/orb.hpp"

namespace tenon::protocols {
namespace {

std::string next_number() {
  static std::atomic<int> number{0};
  return std::to_string(::getpid()) + '-' + std::to_string(++number);
}

/// The idle connections of an ORB; with one for an endpoint these are all.
template <typename Code>
void each_connection(const ScopedOrb& orb, Code code) {
  orb::EndpointList endpoints;
  ASSERT_TRUE(orb->_core().all_endpoints(endpoints));
  for (const auto& each : endpoints) {
    if (const auto connection = each->take_idle()) code(*each, *connection);
  }
}

}  // namespace

ScopedOrb::ScopedOrb(const Words& options)
    : orb_(CORBA::ORB_init(
          [&] {
            Words all{"test", "-ORBConnectionsPerEndpoint", "1"};
            all.insert(all.end(), options.begin(), options.end());
            return all;
          }(),
          "protocols-" + next_number())) {}

Words both_endpoints() {
  return {"-ORBListenEndpoints", "iiop://127.0.0.1:0", "-ORBListenEndpoints",
          "uiop://@tenon-protocol-policies-" + next_number()};
}

World::World() : server(both_endpoints()), target(object_of(root())) {}

TargetRef World::seen_by(const ScopedOrb& orb, const TargetRef& object) const {
  return IDL::traits<::Protocols::Target>::unchecked_narrow(
      orb->string_to_object(server->object_to_string(object)));
}

PoaRef World::root() const {
  auto found = IDL::traits<PortableServer::POA>::narrow(server->resolve_initial_references("RootPOA"));
  found->the_POAManager()->activate();
  return found;
}

PoaRef World::poa(const std::string& name, const CORBA::PolicyList& policies) const {
  const PoaRef root = this->root();
  return root->create_POA(name, root->the_POAManager(), policies);
}

TargetRef World::object_of(const PoaRef& poa) const {
  return IDL::traits<::Protocols::Target>::narrow(
      poa->id_to_reference(poa->activate_object(CORBA::make_reference<Adder>())));
}

RTCORBA::ProtocolList list(std::initializer_list<IOP::ProfileId> tags) {
  RTCORBA::ProtocolList protocols;
  for (const IOP::ProfileId tag : tags) protocols.emplace_back(tag);
  return protocols;
}

PolicyRef client_policy(std::initializer_list<IOP::ProfileId> tags) {
  return CORBA::make_reference<RTCORBA::ClientProtocolPolicy>(list(tags));
}

PolicyRef server_policy(std::initializer_list<IOP::ProfileId> tags) {
  return CORBA::make_reference<RTCORBA::ServerProtocolPolicy>(list(tags));
}

TargetRef with(const TargetRef& object, const CORBA::PolicyList& policies) {
  return IDL::traits<::Protocols::Target>::unchecked_narrow(
      object->_set_policy_overrides(policies, SetOverrideType::SET_OVERRIDE));
}

CORBA::object_reference<CORBA::PolicyManager> manager_of(const ScopedOrb& orb) {
  return IDL::traits<CORBA::PolicyManager>::narrow(orb->resolve_initial_references("ORBPolicyManager"));
}

CORBA::object_reference<CORBA::PolicyManager> current_of(const ScopedOrb& orb) {
  return IDL::traits<CORBA::PolicyManager>::narrow(orb->resolve_initial_references("PolicyCurrent"));
}

std::string connections(const ScopedOrb& orb) {
  Words names;
  each_connection(orb, [&](const orb::Endpoint& endpoint, protocol::Connection&) {
    names.emplace_back(endpoint.key().transport);
  });
  std::ranges::sort(names);
  std::string text;
  for (const std::string& each : names) text.append(text.empty() ? "" : " ").append(each);
  return text;
}

std::vector<int> sockets(const ScopedOrb& orb) {
  std::vector<int> all;
  each_connection(orb, [&](const orb::Endpoint&, protocol::Connection& connection) {
    all.push_back(connection.transport().poll_descriptor().value_or(-1));
  });
  return all;
}

std::vector<std::uint8_t> octets(std::string_view text) {
  std::string digits;
  bool comment = false;
  for (const char letter : text) {
    comment = letter == '#' || (comment && letter != '\n');
    if (!comment && hex_digit(letter) >= 0) digits += letter;
  }
  std::vector<std::uint8_t> all;
  EXPECT_TRUE(from_hex(digits, all));
  return all;
}

std::vector<std::uint32_t> tags_of(const TargetRef& object) {
  std::vector<std::uint32_t> tags;
  for (const ior::TaggedProfile& each : object->_reference()->ior().profiles) tags.push_back(each.tag);
  return tags;
}

}  // namespace tenon::protocols
