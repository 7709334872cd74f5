// SPDX-License-Identifier: Apache-2.0
//
// Endpoints that cannot be opened, and those that another process would not have: what a program is told.
#include <tenon/portable_server.hpp>

#include "base/log.hpp"
#include "base/minor_codes.hpp"
#include "net/listener.hpp"
#include "tests/orb/world.hpp"

namespace tenon::suite {
namespace {

using PolicyList = CORBA::PolicyList;
using POARef = CORBA::object_reference<PortableServer::POA>;

POARef root_of(const ScopedOrb& orb) {
  return IDL::traits<PortableServer::POA>::narrow(orb->resolve_initial_references("RootPOA"));
}

/// what() of the INITIALIZE that the call raises; the call for itself says why there is none.
std::string refusal(const std::function<void()>& call) {
  try {
    call();
    return "no exception";
  } catch (const CORBA::INITIALIZE& exception) {
    EXPECT_EQ(exception.minor(), errors::cannot_listen.minor);
    return exception.what();
  }
}

std::string refusal_of_endpoint(const std::string& endpoint) {
  const ScopedOrb orb({"-ORBListenEndpoints", endpoint});
  const auto servant = CORBA::make_reference<TestServant>(*orb);
  return refusal([&] { root_of(orb)->servant_to_reference(servant); });
}

TEST(Endpoints, WhatCannotBeOpenedIsSaidByTheException) {
  net::Listener other;
  std::string why;
  ASSERT_TRUE(other.open(*net::numeric_address({"127.0.0.1", 0}), {}, why)) << why;
  const std::string taken = "127.0.0.1:" + std::to_string(other.address().port());
  EXPECT_EQ(
      refusal_of_endpoint("iiop://" + taken),
      "INITIALIZE: endpoint 'iiop://" + taken + "': cannot listen on " + taken +
          ": Address already in use (errno 98); a process, maybe this one, has it: choose another port");
  EXPECT_EQ(
      refusal_of_endpoint("iiop://127.0.0.1:99999"),
      "INITIALIZE: endpoint 'iiop://127.0.0.1:99999': '127.0.0.1:99999': the port is a number from 0 to "
      "65535, for example host:2809");
  EXPECT_TRUE(has(refusal_of_endpoint("iiop://::1:2809"),
                  "put brackets around an IPv6 address, for example [::1]:2809"));
  EXPECT_TRUE(has(refusal_of_endpoint("ssliop://:2809"),
                  "INITIALIZE: endpoint 'ssliop://:2809': no protocol takes it; this ORB has"));
  EXPECT_TRUE(has(refusal_of_endpoint("iiop://nobody.invalid:2809"), "no address for host 'nobody.invalid'"));
  EXPECT_TRUE(has(refusal_of_endpoint("iiop://192.0.2.1:2809"), "this machine has no such address"));
  EXPECT_TRUE(has(refusal_of_endpoint("iiop://127.0.0.1:0/backlog=x"), "option 'backlog' has the value 'x'"));
  EXPECT_TRUE(has(refusal_of_endpoint("uiop:///no/such/folder/socket"), "No such file or directory"));
}

TEST(Endpoints, EveryWayToAReferenceSaysIt) {
  const ScopedOrb orb({"-ORBListenEndpoints", "iiop://127.0.0.1:99999"});
  const POARef root = root_of(orb);
  const auto servant = CORBA::make_reference<TestServant>(*orb);
  const auto says_why = [](const std::function<void()>& call) {
    return has(refusal(call), "the port is a number");
  };
  EXPECT_TRUE(says_why([&] { root->create_reference("IDL:Suite/Test:1.0"); }));
  EXPECT_TRUE(says_why([&] { root->id_to_reference(root->activate_object(servant)); }));
  EXPECT_TRUE(says_why([&] { static_cast<void>(tenon::corbaloc(orb.ref(), "Test")); }));
  EXPECT_TRUE(says_why([&] { tenon::publish(orb.ref(), servant, "Test"); }));
  EXPECT_TRUE(says_why([&] { orb->_endpoints(); }));
}

TEST(Endpoints, OnesThatBecomeFreeAreOpenedByTheNextReference) {
  auto other = std::make_unique<net::Listener>();
  std::string why;
  ASSERT_TRUE(other->open(*net::numeric_address({"127.0.0.1", 0}), {}, why)) << why;
  const ScopedOrb orb({"-ORBListenEndpoints", "iiop://127.0.0.1:" + std::to_string(other->address().port())});
  const POARef root = root_of(orb);
  EXPECT_TRUE(has(refusal([&] { root->create_reference("IDL:Suite/Test:1.0"); }), "Address already in use"));
  other.reset();
  EXPECT_TRUE(root->create_reference("IDL:Suite/Test:1.0"));
}

Words warnings_of_two_persistent_poas(const std::string& endpoint) {
  const LogLines warnings(LogLevel::warning);
  const ScopedOrb orb({"-ORBListenEndpoints", endpoint});
  const POARef root = root_of(orb);
  const PolicyList persistent{root->create_lifespan_policy(PortableServer::LifespanPolicyValue::PERSISTENT)};
  for (const char* name : {"Accounts", "Others"}) {
    const POARef poa = root->create_POA(name, nullptr, persistent);
    poa->create_reference("IDL:Suite/Test:1.0");
    poa->create_reference("IDL:Suite/Test:1.0");
  }
  return warnings.all();
}

std::string free_port() {
  net::Listener taken;
  std::string why;
  EXPECT_TRUE(taken.open(*net::numeric_address({"127.0.0.1", 0}), {}, why)) << why;
  return std::to_string(taken.address().port());
}

TEST(Endpoints, PersistentReferencesThatWillMoveAreWarnedOfOnce) {
  for (const std::string endpoint : {"iiop://127.0.0.1", "iiop://127.0.0.1:0", "uiop://"}) {
    const Words said = warnings_of_two_persistent_poas(endpoint);
    ASSERT_EQ(said.size(), 1U) << endpoint;
    EXPECT_TRUE(has(said[0], "poa: POA 'Accounts' is PERSISTENT")) << said[0];
    EXPECT_TRUE(has(said[0], "-ORBListenEndpoints iiop://")) << said[0];
  }
  for (const std::string& endpoint :
       {"iiop://127.0.0.1:" + free_port(), endpoint_of("uiop"), "iiop://127.0.0.1;" + endpoint_of("uiop")}) {
    EXPECT_EQ(warnings_of_two_persistent_poas(endpoint), Words()) << endpoint;
  }
}

TEST(Endpoints, TransientReferencesAreNotWarnedOf) {
  const LogLines warnings(LogLevel::warning);
  const ScopedOrb orb({"-ORBListenEndpoints", "iiop://127.0.0.1"});
  EXPECT_TRUE(root_of(orb)->create_reference("IDL:Suite/Test:1.0"));
  EXPECT_EQ(warnings.all(), Words());
}

TEST(UrlProtocols, OneThatTheOrbLacksIsNamedWithItsPlaceAndWhatBringsIt) {
  const auto refused = [](const Words& options, const std::string& url) -> std::string {
    const ScopedOrb client(options);
    try {
      static_cast<void>(client->string_to_object(url));
      return "";
    } catch (const CORBA::BAD_PARAM& exception) {
      return exception.what();
    }
  };
  const std::string left_out = refused({"-ORBProtocol", "iiop"}, "corbaloc:shmiop:1.2@name/k");
  EXPECT_TRUE(
      has(left_out, "protocol 'shmiop' at position 9 is not known here: -ORBProtocol may have left it out"))
      << left_out;
  const std::string of_library = refused({}, "corbaloc::127.0.0.1:7,ssliop:127.0.0.1:8/k");
  EXPECT_TRUE(has(of_library,
                  "protocol 'ssliop' at position 22 is not known here: one of a shared object is "
                  "brought by -ORBProtocolLibrary (ssliop by libtenon-ssliop.so)"))
      << of_library;
  const std::string without_word = refused({"-ORBProtocol", "uiop"}, "corbaloc::127.0.0.1:7/k");
  EXPECT_TRUE(has(without_word, "protocol 'iiop' at position 9 ")) << without_word;
}

}  // namespace
}  // namespace tenon::suite
