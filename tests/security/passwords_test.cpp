// SPDX-License-Identifier: Apache-2.0
//
// The hour of a user and an operator: passwords that are right, wrong and missing, over TCP, TLS and Unix-domain sockets.
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <stdexcept>

#include "ior/components.hpp"
#include "ior/iiop_profile.hpp"
#include "suite_async.hpp"
#include "tenon/corba/call_policies.hpp"
#include "tests/security/world.hpp"

namespace tenon::suite {
namespace {

struct OverTcp : ::testing::Test {
  CsiServer server{bank_in_clear(), on_tcp};
};

TEST_F(OverTcp, TheServantKnowsTheUser) {
  const CsiClient client(alice_in_clear());
  EXPECT_EQ(who(at(client, server.text)), "user alice, clear");
}

TEST(Passwords, WhatTheServersFunctionThrowsIsInItsLogAlone) {
  csi::Target broken = bank_in_clear();
  broken.accepts = [](const csi::Login&) -> bool { throw std::runtime_error("no file of passwords"); };
  const CsiServer server(broken, on_tcp);
  const CsiClient client(alice_in_clear());
  const LogLines log(LogLevel::warning);
  const std::string said = who(at(client, server.text));
  EXPECT_TRUE(has(said, "the user or the password is wrong")) << said;
  EXPECT_FALSE(has(said, "no file")) << said;
  EXPECT_EQ(log.count("csi: Target::accepts has thrown, which counts as a no: no file of passwords"), 1);
}

TEST_F(OverTcp, AWrongPasswordIsRefusedBeforeTheServant) {
  const CsiClient client(alice_in_clear("guess"));
  const LogLines log(LogLevel::warning);
  const TestRef test = at(client, server.text);
  const std::string said = who(test);
  EXPECT_TRUE(said.starts_with("NO_PERMISSION")) << said;
  EXPECT_TRUE(has(said, "completed NO")) << said;
  EXPECT_TRUE(has(said, "the user or the password is wrong")) << said;
  EXPECT_TRUE(has(said, "CSIv2 status 1.1, invalid evidence")) << said;
  EXPECT_EQ(server.servant->upcalls, 0);
  EXPECT_EQ(log.count("csi: refused: who of unknown, user 'alice': the user or the password is wrong"), 1);
  EXPECT_EQ(log.count("guess"), 0);

  // The next call goes over the same connection.
  const TestRef right = with(test, {csi::credentials(alice_in_clear())});
  EXPECT_EQ(who(right), "user alice, clear");
  EXPECT_TRUE(who(test).starts_with("NO_PERMISSION"));
  EXPECT_EQ(who(right), "user alice, clear");
}

TEST_F(OverTcp, WithoutAPasswordNothingIsSent) {
  const CsiOrb client({});
  const LogLines log(LogLevel::warning);
  const std::string said = who(at(client, server.text));
  EXPECT_TRUE(said.starts_with("NO_PERMISSION")) << said;
  EXPECT_TRUE(has(said, "the object's server wants a user and password, and the call has none")) << said;
  EXPECT_EQ(log.count("csi: refused"), 0);
  EXPECT_EQ(server.servant->upcalls, 0);
}

TEST_F(OverTcp, AClientWithoutCsiIsRefusedByTheServer) {
  orb::Protocols protocols;
  protocols.push_back({iiop::make_plugin(), giop::make_messaging()});
  const OrbRef plain = tenon::init_orb(Words{}, std::move(protocols), "csi-plain");
  // Without the component such a client has no reason to stop.
  ior::Ior bare = *ior::parse_ior(server.text);
  for (ior::TaggedProfile& each : bare.profiles) {
    auto profile = *ior::parse_iiop_profile(each.data);
    std::erase_if(profile.components, [](const auto& one) { return one.tag == 33; });
    each = ior::make_iiop_profile(profile);
  }
  const std::string said =
      who(IDL::traits<Suite::Test>::unchecked_narrow(plain->string_to_object(ior::to_ior_text(bare))));
  EXPECT_TRUE(said.starts_with("NO_PERMISSION")) << said;
  EXPECT_TRUE(has(said, "this server wants a user and password (CSIv2), and the call has none")) << said;
  EXPECT_EQ(server.servant->upcalls, 0);
  plain->destroy();
}

TEST_F(OverTcp, APasswordStaysAtHomeUnlessToldOtherwise) {
  const CsiClient client(alice());
  const LogLines log(LogLevel::warning);
  const std::string said = who(at(client, server.text));
  EXPECT_TRUE(has(said, "the credentials would go in the clear")) << said;
  EXPECT_EQ(log.count("csi: refused"), 0);
}

TEST_F(OverTcp, Oneways) {
  const CsiClient client(alice_in_clear());
  const TestRef test = at(client, server.text);
  test->note(1);
  with(test, {csi::credentials(alice_in_clear("guess"))})->note(2);
  test->note(3);
  EXPECT_EQ(test->notes(), (std::vector<std::int32_t>{1, 3}));
}

TEST_F(OverTcp, AsynchronousCalls) {
  const CsiClient client(alice_in_clear());
  const TestRef test = at(client, server.text);
  EXPECT_EQ(tenon::async(test).who().get(), "user alice, clear");
  const TestRef wrong = with(test, {csi::credentials(alice_in_clear("guess"))});
  EXPECT_EQ(outcome_of([&] { tenon::async(wrong).who().get(); }).substr(0, 13), "NO_PERMISSION");
  EXPECT_EQ(tenon::async(test).add(1, 2).get(), 3);
}

TEST_F(OverTcp, ForwardedReferences) {
  const auto forwarding = CORBA::make_reference<ForwardingServant>();
  forwarding->to = server.test;
  const BaseRef first = tenon::publish<Suite::Base_skeleton>(server.orb, forwarding);
  const CsiClient client(alice_in_clear());
  const auto base = IDL::traits<Suite::Base>::unchecked_narrow(
      client.orb->string_to_object(server.orb->object_to_string(first)));
  EXPECT_EQ(base->who(), "user alice, clear");
  EXPECT_EQ(base->who(), "user alice, clear");
  EXPECT_EQ(tenon::async(base).who().get(), "user alice, clear");
}

TEST_F(OverTcp, CallsInTheServersProcess) {
  EXPECT_TRUE(has(who(server.test), "and the call has none"));
  csi::set_credentials(*server.orb, alice("guess"));
  EXPECT_TRUE(has(who(server.test), "CSIv2 status 1.1"));
  csi::set_credentials(*server.orb, alice());
  EXPECT_EQ(who(server.test), "user alice, self");
  EXPECT_EQ(tenon::async(server.test).who().get(), "user alice, self");
}

TEST_F(OverTcp, OfTheThreadAndOfTheObject) {
  const CsiClient client({.user = "gateway", .password = "key", .in_clear = true});
  const TestRef test = at(client, server.text);
  EXPECT_EQ(who(test), "user gateway, clear");
  const auto current =
      IDL::traits<CORBA::PolicyCurrent>::narrow(client.orb->resolve_initial_references("PolicyCurrent"));
  current->set_policy_overrides({csi::credentials(alice_in_clear())}, CORBA::SetOverrideType::SET_OVERRIDE);
  EXPECT_EQ(who(test), "user alice, clear");
  const TestRef other =
      with(test, {csi::credentials({.user = "gateway", .password = "key", .in_clear = true})});
  EXPECT_EQ(who(other), "user gateway, clear");
  EXPECT_TRUE(has(who(with(test, {csi::credentials({})})), "and the call has none"));
  current->set_policy_overrides({}, CORBA::SetOverrideType::SET_OVERRIDE);
  EXPECT_EQ(who(test), "user gateway, clear");
}

TEST_F(OverTcp, OnlyForItsDomain) {
  csi::Credentials own = alice_in_clear();
  own.domain = "bank";
  EXPECT_EQ(who(at(CsiClient(own), server.text)), "user alice, clear");
  own.domain = "shop";
  const std::string said = who(at(CsiClient(own), server.text));
  EXPECT_TRUE(has(said, "its password is for the domain 'shop'")) << said;
  own.domain.clear();
  own.user = "alice@bank";
  EXPECT_EQ(who(at(CsiClient(own), server.text)), "user alice, clear");
}

TEST(CsiPasswords, AreNotTakenInTheClearUnlessToldOtherwise) {
  int asked = 0;
  csi::Target target = bank();
  target.accepts = [&asked](const csi::Login&) { return ++asked != 0; };
  CsiServer server(target, on_tcp);
  const CsiClient careless(alice_in_clear());
  const std::string said = who(at(careless, server.text));
  EXPECT_TRUE(has(said, "a password came in the clear")) << said;
  EXPECT_TRUE(has(said, "CSIv2 status 2.1, invalid mechanism")) << said;
  EXPECT_EQ(asked, 0);
}

TEST(CsiPasswords, OverTls) {
  for (const char* const serving : {"pool", "thread-per-connection", "single-thread"}) {
    CsiServer server(bank(), on_tls, {}, serving);
    const CsiClient client(alice());
    EXPECT_EQ(who(at(client, server.text)), "user alice, tls") << serving;
    const CsiClient wrong(alice("guess"));
    EXPECT_TRUE(has(who(at(wrong, server.text)), "the user or the password is wrong")) << serving;
  }
}

TEST(CsiPasswords, GoOverTlsWhereThereAreBoth) {
  const Words clear_first{"-ORBProtocol", "iiop,ssliop"};
  const std::string both = std::string(on_tcp) + ";" + on_tls;
  CsiServer server(bank(), both);
  const CsiClient client(alice(), clear_first);
  const TestRef test = at(client, server.text);
  EXPECT_EQ(who(test), "user alice, tls");
  EXPECT_EQ(who(test), "user alice, tls");
  EXPECT_EQ(tenon::async(test).who().get(), "user alice, tls");
  // Calls without credentials go as they ever did.
  csi::Target unasked = bank();
  unasked.required = false;
  CsiServer open(unasked, both);
  const CsiOrb nobody(tls("", clear_first));
  EXPECT_EQ(who(at(nobody, open.text)), "nobody, clear");
  EXPECT_EQ(who(at(client, open.text)), "user alice, tls");
}

TEST(CsiPasswords, DoNotGoToServersThatAreNotVerified) {
  CsiServer server(bank(), on_tls);
  const CsiClient client(alice(), {"-ORBProtocolOption", "ssliop.verify=none"});
  const std::string said = who(at(client, server.text));
  EXPECT_TRUE(has(said, "to a server that has not proved who it is")) << said;
}

TEST(CsiPasswords, StayOnTheMachineWhereTheyCan) {
  CsiServer server(bank(), std::string(on_tcp) + ";" + endpoint_of("uiop"));
  const CsiClient client(alice());
  const TestRef test = at(client, server.text);
  EXPECT_EQ(who(test), "user alice, unix");
  EXPECT_EQ(who(test), "user alice, unix");
}

TEST(CsiPasswords, AreNoMatterForOtherServers) {
  CsiServer server(
      [] {
        csi::Target target;
        target.required = false;
        return target;
      }(),
      on_tcp);
  EXPECT_EQ(ior::find_component(
                ior::parse_iiop_profile(ior::parse_ior(server.text)->profiles[0].data)->components, 33),
            nullptr);
  const CsiClient client(alice());
  EXPECT_EQ(who(at(client, server.text)), "nobody, clear");
}

TEST(CsiPasswords, ManyAtOnce) {
  Gate gate;
  csi::Target target = bank_in_clear();
  target.checks_at_once = 1;
  target.accepts = [&gate](const csi::Login& login) {
    if (login.user == "slow") gate.pass();
    return true;
  };
  CsiServer server(target, on_tcp);
  const CsiClient slow({.user = "slow", .password = "", .in_clear = true});
  const CsiClient client(alice_in_clear());
  std::thread waiting([&] { EXPECT_EQ(who(at(slow, server.text)), "user slow, clear"); });
  EXPECT_TRUE(gate.wait_for_waiters(1));
  const std::string said = who(at(client, server.text));
  EXPECT_TRUE(said.starts_with("TRANSIENT")) << said;
  EXPECT_TRUE(has(said, "too many passwords")) << said;
  gate.open();
  waiting.join();
  EXPECT_EQ(who(at(client, server.text)), "user alice, clear");
}

TEST(CsiPasswords, WhatTheFunctionThrowsIsANo) {
  csi::Target target = bank_in_clear();
  target.accepts = [](const csi::Login&) -> bool { throw std::runtime_error("no database"); };
  CsiServer server(target, on_tcp);
  EXPECT_TRUE(has(who(at(CsiClient(alice_in_clear()), server.text)), "the user or the password is wrong"));
}

TEST(CsiSettings, AreChecked) {
  CsiOrb orb({});
  EXPECT_TRUE(has(message_of([&] { csi::credentials({.user = std::string(1025, 'u')}); }),
                  "the user has 1025 octets, and may have 1024"));
  EXPECT_TRUE(has(message_of([&] { csi::credentials({.user = "u", .password = std::string("a\0b", 3)}); }),
                  "the password has a NUL in it"));
  EXPECT_TRUE(has(message_of([&] { csi::credentials({.speaks_for = csi::Name::distinguished({1})}); }),
                  "no X.501 name in DER"));
  EXPECT_TRUE(has(message_of([&] { csi::set_target(*orb.orb, {}); }), "needs a function that accepts"));
  EXPECT_EQ(outcome_of([&] { static_cast<void>(csi::caller()); }).substr(0, 13), "BAD_INV_ORDER");
}

TEST(CsiSettings, PasswordsFromFiles) {
  const std::string path = ::testing::TempDir() + "csi_password";
  const auto write = [&](const std::string& text, mode_t mode) {
    std::ofstream(path) << text;
    ::chmod(path.c_str(), mode);
  };
  write("secret\r\nrest\n", 0600);
  EXPECT_EQ(csi::read_password(path), "secret");
  write("secret", 0400);
  EXPECT_EQ(csi::read_password(path), "secret");
  ::chmod(path.c_str(), 0600);
  write("\n", 0600);
  EXPECT_TRUE(has(message_of([&] { csi::read_password(path); }), "its first line is empty"));
  write("secret", 0640);
  EXPECT_TRUE(has(message_of([&] { csi::read_password(path); }), "chmod 600"));
  ::unlink(path.c_str());
  EXPECT_TRUE(has(message_of([&] { csi::read_password(path); }), "No such file"));
}

}  // namespace
}  // namespace tenon::suite
