// SPDX-License-Identifier: Apache-2.0
//
// ORBs that consist of some parts: what they can do, and what they say of the parts that they lack.
#include "tenon/parts.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "mapping/cpp11/calls/bell_test_support.hpp"
#include "tenon/corba/call_policies.hpp"
#include "tenon/corba/protocol_policies.hpp"
#include "tenon/corba/security_policies.hpp"
#include "tenon/portable_server/poa.hpp"
#include "tenon/portable_server/publish.hpp"

namespace tenon {
namespace {

using Tower::Bell;
using Tower::Bell_impl;
using OrbRef = CORBA::object_reference<CORBA::ORB>;

/// An ORB that is destroyed at the end.
struct Made {
  explicit Made(std::initializer_list<Part> parts, Configuration configuration = {}) {
    if (configuration.id.empty()) configuration.id = "parts test";
    if (configuration.endpoints.empty()) configuration.endpoints = {"iiop://127.0.0.1:0"};
    orb = init_orb(std::move(configuration), parts);
  }
  Made(const Made&) = delete;
  Made& operator=(const Made&) = delete;
  ~Made() { orb->destroy(); }
  CORBA::ORB* operator->() const { return orb.get(); }

  OrbRef orb;
};

template <typename Exception, typename Act>
std::string reason(Act act) {
  try {
    act();
  } catch (const Exception& exception) {
    return exception.what();
  }
  return "no such exception";
}

bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

std::vector<std::string> names_of(const Made& made) { return made->list_initial_services(); }

TEST(Parts, AServerAndAClientNeedNoOthers) {
  const Made server({tenon::server}, {.id = "server"});
  const auto servant = CORBA::make_reference<Bell_impl>();
  const std::string ior = server->object_to_string(publish(server.orb, servant, "Bell"));
  EXPECT_TRUE(ior.starts_with("IOR:")) << ior;
  const Made client({tenon::client}, {.id = "client"});
  EXPECT_EQ(IDL::traits<Bell>::narrow(client->string_to_object(ior))->ring(1), 1);
  EXPECT_EQ(IDL::traits<Bell>::narrow(client->string_to_object("\n " + ior + "\n"))->ring(1), 2);
  EXPECT_EQ(client->string_to_object(client->object_to_string(nullptr)), nullptr);
}

TEST(Parts, MicroServes) {
  const Made server({tenon::micro}, {.id = "micro"});
  const auto servant = CORBA::make_reference<Bell_impl>();
  const std::string ior = server->object_to_string(publish(server.orb, servant, "Bell"));
  std::thread serving([&server] { server->run(); });
  const Made client({tenon::client, parts::corbaloc}, {.id = "client"});
  EXPECT_EQ(IDL::traits<Bell>::narrow(client->string_to_object(ior))->ring(3), 3);
  EXPECT_EQ(IDL::traits<Bell>::narrow(client->string_to_object(corbaloc(server.orb, "Bell")))->ring(1), 4);
  server->shutdown(false);
  serving.join();
}

TEST(Parts, UrlsThatAnOrbLacksAreRefusedByName) {
  const Made client({tenon::client});
  for (const char* url : {"corbaloc::localhost/Bell", "corbaname::localhost#a", "corbaloc:rir:/NameService",
                          "file:/etc/hostname", "", "http://localhost"}) {
    try {
      client->string_to_object(url);
      ADD_FAILURE() << url;
    } catch (const CORBA::BAD_PARAM& exception) {
      EXPECT_EQ(exception.minor(), CORBA::OMGVMCID | 7) << url;
      EXPECT_TRUE(has(exception.what(), "tenon::parts::corbaloc")) << exception.what();
      EXPECT_TRUE(has(exception.what(), "tenon::parts::naming")) << exception.what();
    }
  }
  // A part of some of them does not make the others known.
  const Made with({tenon::client, parts::corbaloc}, {.id = "with"});
  EXPECT_NE(with->string_to_object("corbaloc::localhost/Bell"), nullptr);
  EXPECT_TRUE(has(reason<CORBA::BAD_PARAM>([&] { with->string_to_object("corbaname::localhost#a"); }),
                  "tenon::parts::naming"));
  EXPECT_TRUE(has(reason<CORBA::BAD_PARAM>([&] { with->string_to_object("corbaloc:rir:/Bell"); }), "'rir'"));
}

TEST(Parts, AReferenceWhoseProtocolIsNoPartIsRefusedForGood) {
  const Made server({tenon::server}, {.id = "server"});
  const auto servant = CORBA::make_reference<Bell_impl>();
  const std::string ior = server->object_to_string(publish(server.orb, servant, "Bell"));
  const Made without({parts::calls, parts::corbaloc}, {.id = "without"});
  const auto bell = IDL::traits<Bell>::unchecked_narrow(without->string_to_object(ior));
  try {
    bell->ring(1);
    ADD_FAILURE() << "it has been called";
  } catch (const CORBA::NO_IMPLEMENT& exception) {
    EXPECT_EQ(exception.minor(), CORBA::OMGVMCID | 3);
    EXPECT_EQ(exception.completed(), CORBA::CompletionStatus::COMPLETED_NO);
  }
  const std::string why =
      reason<CORBA::BAD_PARAM>([&] { without->string_to_object("corbaloc::127.0.0.1:1/Bell"); });
  EXPECT_TRUE(has(why, "protocol 'iiop' at position ")) << why;
  EXPECT_TRUE(has(why, "is not known here: one of a shared object is brought by -ORBProtocolLibrary")) << why;
  EXPECT_TRUE(has(why, "a program that names its parts needs tenon::parts::iiop")) << why;
}

TEST(Parts, InitialReferencesComeWithTheirParts) {
  const Made client({tenon::client});
  EXPECT_TRUE(names_of(client).empty());
  const std::string why =
      reason<CORBA::ORB::InvalidName>([&] { client->resolve_initial_references("RootPOA"); });
  EXPECT_TRUE(has(why, "'RootPOA'")) << why;
  EXPECT_TRUE(has(why, "there are none; others come with parts")) << why;
  EXPECT_TRUE(has(why, "tenon/parts.hpp")) << why;
  EXPECT_TRUE(has(why, "RootPOA where the program narrows it to PortableServer::POA")) << why;
  const Made named({tenon::client, parts::naming}, {.id = "named"});
  const std::string more =
      reason<CORBA::ORB::InvalidName>([&] { named->resolve_initial_references("DynAnyFactory"); });
  EXPECT_TRUE(has(more, "DynAnyFactory with dynamic")) << more;
  EXPECT_TRUE(has(more, "Configuration::initial_references, -ORBInitRef DynAnyFactory=URL")) << more;
  EXPECT_THROW(client->register_initial_reference("RootPOA", client->string_to_object("corbaloc::a/b")),
               CORBA::BAD_PARAM);
  const Made server({tenon::server, tenon::server, parts::policies}, {.id = "server"});
  EXPECT_EQ(names_of(server),
            (std::vector<std::string>{"ORBPolicyManager", "POACurrent", "PolicyCurrent", "RootPOA"}));
  for (const std::string& name : names_of(server))
    EXPECT_NE(server->resolve_initial_references(name), nullptr) << name;
  const auto current =
      IDL::traits<PortableServer::Current>::narrow(server->resolve_initial_references("POACurrent"));
  EXPECT_THROW(current->get_object_id(), PortableServer::Current::NoContext);
}

TEST(Parts, AllOfThemAreThoseOfOrbInit) {
  const Made all({all_but_protocols, parts::iiop});
  const OrbRef standard = CORBA::ORB_init(std::vector<std::string>{"-ORBid", "standard"});
  EXPECT_EQ(all->list_initial_services(), standard->list_initial_services());
  EXPECT_GE(names_of(all).size(), 4u);
  standard->destroy();
}

TEST(Parts, ProtocolPoliciesAreRefusedByTheNameOfTheirPart) {
  const CORBA::PolicyList over_tcp{
      CORBA::make_reference<RTCORBA::ClientProtocolPolicy>(RTCORBA::ProtocolList{RTCORBA::Protocol(0)})};
  const auto add = CORBA::SetOverrideType::ADD_OVERRIDE;
  {
    const Made without({tenon::client, tenon::server, parts::texts}, {.id = "without"});
    EXPECT_THROW(without->resolve_initial_references("RTORB"), CORBA::ORB::InvalidName);
    const auto root =
        IDL::traits<PortableServer::POA>::narrow(without->resolve_initial_references("RootPOA"));
    std::string why =
        reason<PortableServer::POA::InvalidPolicy>([&] { root->create_POA("tcp", nullptr, over_tcp); });
    EXPECT_TRUE(has(why, "tenon::parts::protocol_policies")) << why;
    const auto bell = publish(without.orb, CORBA::make_reference<Bell_impl>());
    why = reason<CORBA::NO_PERMISSION>([&] { bell->_set_policy_overrides(over_tcp, add); });
    EXPECT_TRUE(has(why, "tenon::parts::protocol_policies")) << why;
  }
  const Made with({tenon::client, tenon::server, parts::protocol_policies}, {.id = "with"});
  EXPECT_TRUE(IDL::traits<RTCORBA::RTORB>::narrow(with->resolve_initial_references("RTORB")));
  const auto bell = publish(with.orb, CORBA::make_reference<Bell_impl>());
  EXPECT_EQ(IDL::traits<Bell>::narrow(bell->_set_policy_overrides(over_tcp, add))->ring(1), 1);
}

TEST(Parts, SecurityPoliciesAreRefusedByTheNameOfTheirPart) {
  const CORBA::PolicyList closed{
      CORBA::make_reference<SecurityLevel2::QOPPolicy>(Security::QOP::SecQOPConfidentiality)};
  const auto add = CORBA::SetOverrideType::ADD_OVERRIDE;
  const Made without({tenon::client, tenon::server, parts::policies, parts::texts}, {.id = "without"});
  const auto bell = publish(without.orb, CORBA::make_reference<Bell_impl>());
  std::string why = reason<CORBA::NO_PERMISSION>([&] { bell->_set_policy_overrides(closed, add); });
  EXPECT_TRUE(has(why, "tenon::parts::security_policies")) << why;
  const auto root = IDL::traits<PortableServer::POA>::narrow(without->resolve_initial_references("RootPOA"));
  why = reason<PortableServer::POA::InvalidPolicy>([&] { root->create_POA("closed", nullptr, closed); });
  EXPECT_TRUE(has(why, "tenon::parts::security_policies")) << why;
  // A thread's policy, set by an ORB that has the part, also counts for ORBs that could not keep to it.
  const Made with({tenon::client, parts::policies, parts::texts, parts::security_policies}, {.id = "with"});
  const auto current =
      IDL::traits<CORBA::PolicyManager>::narrow(with->resolve_initial_references("PolicyCurrent"));
  EXPECT_EQ(bell->ring(1), 1);
  current->set_policy_overrides(closed, CORBA::SetOverrideType::SET_OVERRIDE);
  why = reason<CORBA::NO_PERMISSION>([&] { bell->ring(1); });
  EXPECT_TRUE(has(why, "tenon::parts::security_policies")) << why;
  current->set_policy_overrides({}, CORBA::SetOverrideType::SET_OVERRIDE);
  EXPECT_EQ(bell->ring(1), 2);
}

TEST(Parts, NamingReadsWhatTheConfigurationNames) {
  Configuration configuration;
  configuration.initial_references = {{"Bell", "corbaloc::localhost:1/Bell"}};
  configuration.default_initial_reference = "corbaloc::localhost:2";
  const Made client({tenon::client, parts::naming}, configuration);
  EXPECT_EQ(names_of(client), (std::vector<std::string>{"Bell"}));
  const auto bell = client->resolve_initial_references("Bell");
  EXPECT_TRUE(client->string_to_object("corbaloc:rir:/Bell")->_is_equivalent(bell));
  EXPECT_TRUE(client->resolve_initial_references("Tower")->_is_equivalent(
      client->string_to_object("corbaloc::localhost:2/Tower")));
  const std::string file = testing::TempDir() + "parts_test.ref";
  std::ofstream(file) << client->object_to_string(bell) << '\n';
  EXPECT_TRUE(client->string_to_object("file:" + file)->_is_equivalent(bell));
  std::remove(file.c_str());
}

TEST(Parts, AServantSaysThatItHasNoInterfaceRepository) {
  const Made server({tenon::server}, {.id = "server"});
  const auto servant = CORBA::make_reference<Bell_impl>();
  const Made client({tenon::client}, {.id = "client"});
  const auto bell = client->string_to_object(server->object_to_string(publish(server.orb, servant)));
  EXPECT_THROW(bell->_get_interface(), CORBA::INTF_REPOS);
  const std::string why = reason<CORBA::INTF_REPOS>([&] { gen::interface_def("IDL:Tower/Bell:1.0"); });
  EXPECT_TRUE(has(why, "tenon::parts::interface_repository")) << why;
}

}  // namespace
}  // namespace tenon
