// SPDX-License-Identifier: Apache-2.0
//
// ClientProtocolPolicy of ORBs, threads and references: which connections calls open.
#include <thread>

#include <tenon/dynamic.hpp>
#include <tenon/timeout.hpp>

#include "base/minor_codes.hpp"
#include "ior/iiop_profile.hpp"
#include "ior/object_url.hpp"
#include "ior/omniorb_unix.hpp"
#include "ior/uiop_profile.hpp"
#include "orb/orb.hpp"
#include "target_async.hpp"
#include "tests/protocol_policies/world.hpp"

namespace tenon::protocols {
namespace {

using ClientProtocols = World;

/// Sets the policies of the current thread for a scope.
class ThreadPolicies {
 public:
  ThreadPolicies(const ScopedOrb& orb, const CORBA::PolicyList& policies) : current_(current_of(orb)) {
    current_->set_policy_overrides(policies, SetOverrideType::SET_OVERRIDE);
  }
  ~ThreadPolicies() { current_->set_policy_overrides({}, SetOverrideType::SET_OVERRIDE); }
  ThreadPolicies(const ThreadPolicies&) = delete;
  ThreadPolicies& operator=(const ThreadPolicies&) = delete;

 private:
  const CORBA::object_reference<CORBA::PolicyManager> current_;
};

void set_orb(const ScopedOrb& orb, const CORBA::PolicyList& policies) {
  manager_of(orb)->set_policy_overrides(policies, SetOverrideType::SET_OVERRIDE);
}

TEST_F(ClientProtocols, WithoutAPolicyTheOrderOfTheReferenceCounts) {
  const ScopedOrb client;
  EXPECT_EQ(tags_of(target), (std::vector<std::uint32_t>{iiop, uiop}));
  EXPECT_EQ(seen_by(client)->add(1, 2), 3);
  EXPECT_EQ(connections(client), "iiop");
}

TEST_F(ClientProtocols, OfAReferenceInTheOrderOfTheList) {
  const ScopedOrb client;
  const TargetRef plain = seen_by(client);
  const TargetRef over_unix = with(plain, {client_policy({uiop, iiop})});
  EXPECT_EQ(over_unix->add(1, 2), 3);
  EXPECT_EQ(connections(client), "uiop");
  // The next call goes over the same connection.
  const std::vector<int> before = sockets(client);
  EXPECT_EQ(over_unix->add(3, 4), 7);
  EXPECT_EQ(sockets(client), before);
  // Another reference to the object has its own policies.
  EXPECT_EQ(plain->add(1, 2), 3);
  EXPECT_EQ(connections(client), "iiop uiop");
}

TEST_F(ClientProtocols, TwoReferencesOfOneObject) {
  const ScopedOrb client;
  const TargetRef plain = seen_by(client);
  const TargetRef over_tcp = with(plain, {client_policy({iiop})});
  const TargetRef over_unix = with(plain, {client_policy({uiop})});
  EXPECT_EQ(over_unix->add(1, 2), 3);
  EXPECT_EQ(connections(client), "uiop");
  EXPECT_EQ(over_tcp->add(1, 2), 3);
  EXPECT_EQ(over_unix->add(1, 2), 3);
  EXPECT_EQ(connections(client), "iiop uiop");
  EXPECT_TRUE(over_tcp->_is_equivalent(over_unix));
}

TEST_F(ClientProtocols, TheNextOfTheListIsUsedWhereTheFirstLeadsNowhere) {
  const ScopedOrb client;
  const TargetRef there = with(seen_by(client), {client_policy({nobodys, uiop})});
  EXPECT_EQ(there->add(1, 2), 3);
  EXPECT_EQ(connections(client), "uiop");
}

TEST_F(ClientProtocols, AnyProtocolIsTheNextBest) {
  const ScopedOrb client;
  const TargetRef there = seen_by(client);
  EXPECT_EQ(with(there, {client_policy({uiop, any_protocol})})->add(1, 2), 3);
  EXPECT_EQ(connections(client), "uiop");
  EXPECT_EQ(with(there, {client_policy({nobodys, any_protocol})})->add(1, 2), 3);
  EXPECT_EQ(connections(client), "iiop uiop");
  const ScopedOrb without({"-ORBProtocol", "iiop"});
  EXPECT_EQ(with(seen_by(without), {client_policy({uiop, any_protocol})})->add(1, 2), 3);
  EXPECT_THROW(with(seen_by(without), {client_policy({uiop})})->add(1, 2), CORBA::INV_POLICY);
}

TEST_F(ClientProtocols, AnyProtocolIsTheLastOfAList) {
  EXPECT_NE(said<CORBA::INV_POLICY>([] { client_policy({any_protocol, iiop}); }).find("any_protocol"),
            std::string::npos);
  EXPECT_THROW(server_policy({any_protocol, iiop}), CORBA::INV_POLICY);
}

TEST_F(ClientProtocols, OfAPoaWithAnyProtocol) {
  const ScopedOrb client;
  const TargetRef object = object_of(poa("any", {client_policy({uiop, any_protocol})}));
  EXPECT_EQ(seen_by(client, object)->add(1, 2), 3);
  EXPECT_EQ(connections(client), "uiop");
}

TEST_F(ClientProtocols, NotOfAPoaManager) {
  const auto factory = root()->the_POAManagerFactory();
  for (const PolicyRef& policy : {client_policy({iiop}), server_policy({iiop})}) {
    try {
      factory->create_POAManager("of protocols", {policy});
      ADD_FAILURE();
    } catch (const CORBA::PolicyError& exception) {
      EXPECT_EQ(exception.reason(), CORBA::UNSUPPORTED_POLICY);
      EXPECT_NE(std::string(exception.what()).find("not for a POAManager"), std::string::npos);
    }
  }
  EXPECT_FALSE(factory->find("of protocols"));
}

TEST_F(ClientProtocols, OfAnOrbAndTakenBack) {
  const ScopedOrb client;
  const TargetRef there = seen_by(client);
  EXPECT_EQ(there->add(1, 2), 3);
  EXPECT_EQ(connections(client), "iiop");
  set_orb(client, {client_policy({uiop})});
  EXPECT_EQ(there->add(1, 2), 3);  // chosen again, though there is a connection
  EXPECT_EQ(connections(client), "iiop uiop");
  EXPECT_TRUE(there->_get_client_policy(RTCORBA::CLIENT_PROTOCOL_POLICY_TYPE));
  set_orb(client, {client_policy({nobodys})});
  EXPECT_THROW(there->add(1, 2), CORBA::INV_POLICY);
  set_orb(client, {});
  EXPECT_EQ(there->add(1, 2), 3);
  EXPECT_FALSE(there->_get_client_policy(RTCORBA::CLIENT_PROTOCOL_POLICY_TYPE));
}

TEST_F(ClientProtocols, OfAThreadAloneAndTakenBack) {
  const ScopedOrb client;
  const TargetRef there = seen_by(client);
  {
    const ThreadPolicies mine(client, {client_policy({uiop})});
    EXPECT_EQ(there->add(1, 2), 3);
    EXPECT_EQ(connections(client), "uiop");
    std::thread([&] { EXPECT_EQ(there->add(1, 2), 3); }).join();
    EXPECT_EQ(connections(client), "iiop uiop");
  }
  const ScopedOrb other;
  EXPECT_EQ(seen_by(other)->add(1, 2), 3);
  EXPECT_EQ(connections(other), "iiop");
}

TEST_F(ClientProtocols, ATimeoutLeavesThePolicyOfItsThread) {
  const ScopedOrb client;
  const ThreadPolicies mine(client, {client_policy({uiop})});
  { const TimeoutScope scope(std::chrono::seconds(20)); }
  EXPECT_EQ(seen_by(client)->add(1, 2), 3);
  EXPECT_EQ(connections(client), "uiop");
}

TEST_F(ClientProtocols, TheNearestLevelCounts) {
  const ScopedOrb client;
  const TargetRef there = seen_by(client);
  set_orb(client, {client_policy({nobodys})});
  {
    const ThreadPolicies mine(client, {client_policy({uiop})});
    EXPECT_EQ(there->add(1, 2), 3);  // the thread's, not the ORB's
    EXPECT_EQ(connections(client), "uiop");
    EXPECT_EQ(with(there, {client_policy({iiop})})->add(1, 2), 3);  // the object's, not the thread's
    EXPECT_EQ(connections(client), "iiop uiop");
  }
  EXPECT_THROW(there->add(1, 2), CORBA::INV_POLICY);
}

TEST_F(ClientProtocols, AListThatCannotBeMet) {
  const ScopedOrb client;
  const TargetRef there = with(seen_by(client), {client_policy({nobodys})});
  try {
    there->add(1, 2);
    ADD_FAILURE();
  } catch (const CORBA::INV_POLICY& exception) {
    EXPECT_EQ(exception._error(), errors::no_protocol_of_policy);
    EXPECT_NE(std::string(exception.what()).find("ClientProtocolPolicy"), std::string::npos);
  }
  EXPECT_EQ(connections(client), "");
  CORBA::PolicyList inconsistent;
  EXPECT_FALSE(there->_validate_connection(inconsistent));
  ASSERT_EQ(inconsistent.size(), 1U);
  EXPECT_EQ(inconsistent[0]->policy_type(), RTCORBA::CLIENT_PROTOCOL_POLICY_TYPE);
  EXPECT_TRUE(with(there, {client_policy({uiop})})->_validate_connection(inconsistent));
  EXPECT_TRUE(inconsistent.empty());
  EXPECT_EQ(connections(client), "uiop");
}

TEST_F(ClientProtocols, AProtocolThatTheOrbLeavesOutStaysOut) {
  const ScopedOrb client({"-ORBProtocol", "iiop"});
  const std::string what =
      said<CORBA::INV_POLICY>([&] { with(seen_by(client), {client_policy({uiop})})->add(1, 2); });
  EXPECT_NE(what.find("profile 1, tag 0x00000000: not usable: a policy of the call leaves it out"),
            std::string::npos)
      << what;
  EXPECT_NE(what.find("tag 0x54414f00: not usable: this ORB has no protocol uiop"), std::string::npos)
      << what;
}

// A server of a Unix-domain socket alone may have an IIOP profile, whose port is 0.
TEST_F(ClientProtocols, AListWhoseProtocolHasNoAddressCannotBeMet) {
  const ScopedOrb client;
  ior::Ior unix_alone;
  unix_alone.profiles = {
      ior::make_iiop_profile(
          {2, {"127.0.0.1", 0}, {'k'}, {ior::omniorb_unix_component("elsewhere.test", "/s")}}),
      ior::make_uiop_profile({2, "/no/such/socket", {'k'}, {}})};
  const TargetRef there = with(IDL::traits<::Protocols::Target>::unchecked_narrow(
                                   client->string_to_object(ior::to_ior_text(unix_alone))),
                               {client_policy({iiop})});
  const std::string what = said<CORBA::INV_POLICY>([&] { there->add(1, 2); });
  EXPECT_NE(what.find("tag 0x54414f00: not usable: a policy of the call leaves it out"), std::string::npos)
      << what;
  CORBA::PolicyList inconsistent;
  EXPECT_FALSE(there->_validate_connection(inconsistent));
  ASSERT_EQ(inconsistent.size(), 1U);
  EXPECT_EQ(inconsistent[0]->policy_type(), RTCORBA::CLIENT_PROTOCOL_POLICY_TYPE);
}

TEST_F(ClientProtocols, EqualListsOfAThreadShareConnections) {
  const ScopedOrb client;
  const TargetRef there = seen_by(client);
  for (int i = 0; i < 3; ++i) {
    const ThreadPolicies mine(client, {client_policy({uiop})});
    EXPECT_EQ(there->add(1, 2), 3);
  }
  const orb::Reference* const variant = there->_reference()->variant();
  ASSERT_NE(variant, nullptr);
  EXPECT_EQ(variant->variant(), nullptr);  // one for the three
  EXPECT_EQ(connections(client), "uiop");
}

TEST_F(ClientProtocols, ThreadsWithOtherListsDoNotDisturbEachOther) {
  const ScopedOrb client;
  const TargetRef there = seen_by(client);
  std::vector<std::thread> threads;
  for (int number = 0; number < 4; ++number) {
    threads.emplace_back([&, number] {
      const ThreadPolicies mine(client,
                                {number % 2 == 0 ? client_policy({uiop, iiop}) : client_policy({nobodys})});
      for (int i = 0; i < 50; ++i) {
        if (number % 2 == 0) {
          EXPECT_EQ(there->add(i, 1), i + 1);
        } else {
          EXPECT_THROW(there->add(i, 1), CORBA::INV_POLICY);
        }
      }
    });
  }
  for (std::thread& each : threads) each.join();
  EXPECT_EQ(connections(client), "uiop");
}

TEST_F(ClientProtocols, AsynchronousAndDynamicCallsHaveThemToo) {
  const ScopedOrb client;
  const TargetRef there = seen_by(client);
  const ThreadPolicies mine(client, {client_policy({uiop})});
  EXPECT_EQ(tenon::async(there).add(2, 40).get(), 42);
  EXPECT_EQ(connections(client), "uiop");
  const auto request = there->_request("add");
  request->add_in_arg("a") <<= std::int32_t{1};
  request->add_in_arg("b") <<= std::int32_t{2};
  request->set_return_type(CORBA::_tc_long);
  request->invoke();
  std::int32_t sum = 0;
  EXPECT_TRUE(request->return_value() >>= sum);
  EXPECT_EQ(sum, 3);
  EXPECT_EQ(connections(client), "uiop");
}

TEST_F(ClientProtocols, CallsThatAreForwardedHaveThemToo) {
  const PoaRef root = this->root();
  const TargetRef forwarder = IDL::traits<::Protocols::Target>::narrow(
      root->id_to_reference(root->activate_object(CORBA::make_reference<Forwarder>(target))));
  const ScopedOrb client;
  const TargetRef over_unix = with(seen_by(client, forwarder), {client_policy({uiop})});
  EXPECT_EQ(over_unix->add(1, 2), 3);
  EXPECT_EQ(over_unix->add(1, 2), 3);
  EXPECT_EQ(connections(client), "uiop");
  const ThreadPolicies mine(client, {client_policy({uiop})});
  EXPECT_EQ(seen_by(client, forwarder)->add(1, 2), 3);
  EXPECT_EQ(connections(client), "uiop");
}

TEST_F(ClientProtocols, ObjectsOfTheProcessAreCalledOverNone) {
  EXPECT_EQ(with(target, {client_policy({nobodys})})->add(1, 2), 3);
  EXPECT_EQ(connections(server), "");
}

TEST_F(ClientProtocols, TheyGoTogetherWithTheOptionOfProtocols) {
  const ScopedOrb client({"-ORBProtocol", "uiop,iiop"});
  const TargetRef there = seen_by(client);
  EXPECT_EQ(there->add(1, 2), 3);
  EXPECT_EQ(connections(client), "uiop");
  EXPECT_EQ(with(there, {client_policy({iiop, uiop})})->add(1, 2), 3);
  EXPECT_EQ(connections(client), "iiop uiop");
}

TEST_F(ClientProtocols, AreSeenAndCopied) {
  const ScopedOrb client;
  const PolicyRef policy = client_policy({uiop, iiop});
  const TargetRef there = with(seen_by(client), {policy});
  const auto found = IDL::traits<RTCORBA::ClientProtocolPolicy>::narrow(
      there->_get_policy(RTCORBA::CLIENT_PROTOCOL_POLICY_TYPE));
  ASSERT_TRUE(found);
  ASSERT_EQ(found->protocols().size(), 2U);
  EXPECT_EQ(found->protocols()[0].protocol_type(), uiop);
  EXPECT_FALSE(found->protocols()[0].transport_protocol_properties());
  EXPECT_EQ(there->_get_policy_overrides({RTCORBA::CLIENT_PROTOCOL_POLICY_TYPE}).size(), 1U);
  EXPECT_EQ(policy->copy()->policy_type(), RTCORBA::CLIENT_PROTOCOL_POLICY_TYPE);
  EXPECT_TRUE(policy->_is_a("IDL:omg.org/RTCORBA/ClientProtocolPolicy:1.0"));
}

TEST_F(ClientProtocols, WhatIsWrongIsSaid) {
  const auto rt_orb = IDL::traits<RTCORBA::RTORB>::narrow(server->resolve_initial_references("RTORB"));
  ASSERT_TRUE(rt_orb);
  EXPECT_NE(said<CORBA::INV_POLICY>([&] {
              rt_orb->create_client_protocol_policy({});
            }).find("ClientProtocolPolicy: an empty list of protocols"),
            std::string::npos);
  EXPECT_NE(said<CORBA::INV_POLICY>([&] {
              rt_orb->create_server_protocol_policy({});
            }).find("ServerProtocolPolicy: an empty list of protocols"),
            std::string::npos);
  const auto negative = rt_orb->create_tcp_protocol_properties(-1, 0, true, false, true);
  EXPECT_NE(said<CORBA::INV_POLICY>([&] {
              rt_orb->create_client_protocol_policy({RTCORBA::Protocol(iiop, nullptr, negative)});
            }).find("TCPProtocolProperties: a buffer of -1 octets"),
            std::string::npos);
  EXPECT_NE(said<CORBA::PolicyError>([&] {
              server->create_policy(RTCORBA::CLIENT_PROTOCOL_POLICY_TYPE, CORBA::Any());
            }).find("the initial reference RTORB makes it"),
            std::string::npos);
  EXPECT_NE(said<CORBA::NO_PERMISSION>([&] {
              with(target, {server_policy({iiop})});
            }).find("ServerProtocolPolicy: it is for ORBs and POAs"),
            std::string::npos);
  EXPECT_THROW(with(target, {client_policy({iiop}), client_policy({uiop})}), CORBA::InvalidPolicies);
}

}  // namespace
}  // namespace tenon::protocols
