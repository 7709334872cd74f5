// SPDX-License-Identifier: Apache-2.0
//
// Callers that speak for others: which ones a server trusts, by password and by certificate.
#include "tests/security/world.hpp"

namespace tenon::suite {
namespace {

const std::vector<std::uint8_t> cn_bob = {0x30, 0x0e, 0x31, 0x0c, 0x30, 0x0a, 0x06, 0x03,
                                          0x55, 0x04, 0x03, 0x0c, 0x03, 'b',  'o',  'b'};

csi::Credentials gateway_for(csi::Name name) {
  return {.user = "gateway", .password = "key", .speaks_for = std::move(name)};
}

csi::Target bank_that_trusts(std::vector<std::string> users, std::vector<std::string> subjects = {}) {
  csi::Target target = bank();
  target.trusts = csi::trusted(std::move(users), std::move(subjects));
  return target;
}

TEST(CsiAssertions, OfATrustedUser) {
  CsiServer server(bank_that_trusts({"gateway"}), on_tls);
  const auto said = [&](const csi::Credentials& own) {
    const CsiClient client(own);
    return who(at(client, server.text));
  };
  EXPECT_EQ(said(gateway_for(csi::Name::principal("bob"))), "user gateway for bob, tls");
  EXPECT_EQ(said(gateway_for(csi::Name::anonymous())), "user gateway for somebody unnamed, tls");
  EXPECT_EQ(said(gateway_for(csi::Name::distinguished(cn_bob))),
            "user gateway for the X.501 name 300e310c300a06035504030c03626f62, tls");
  EXPECT_EQ(said(gateway_for({})), "user gateway, tls");
}

TEST(CsiAssertions, OfOthersAreRefused) {
  CsiServer server(bank_that_trusts({"gateway"}), on_tls);
  csi::Credentials own = alice();
  own.speaks_for = csi::Name::principal("bob");
  const CsiClient client(own);
  const LogLines log(LogLevel::warning);
  const TestRef test = at(client, server.text);
  const std::string said = who(test);
  EXPECT_TRUE(said.starts_with("NO_PERMISSION")) << said;
  EXPECT_TRUE(has(said, "this caller may not speak for others")) << said;
  EXPECT_TRUE(has(said, "CSIv2 status 1.1")) << said;
  EXPECT_EQ(log.count("user 'alice': this caller may not speak for others"), 1);
  EXPECT_EQ(server.servant->upcalls, 0);
  EXPECT_EQ(who(with(test, {csi::credentials(alice())})), "user alice, tls");
}

TEST(CsiAssertions, AServerThatTrustsNobodyIsNotAsked) {
  CsiServer server(bank(), on_tls);
  const CsiClient client(gateway_for(csi::Name::principal("bob")));
  const LogLines log(LogLevel::warning);
  const std::string said = who(at(client, server.text));
  EXPECT_TRUE(has(said, "the object's server takes no such assertions")) << said;
  EXPECT_EQ(log.count("csi: refused"), 0);
}

TEST(CsiAssertions, OfACertificate) {
  csi::Target target = bank_that_trusts({}, {"CN=a client"});
  target.accepts = nullptr;
  target.required = false;
  CsiServer server(target, on_tls);
  const csi::Credentials for_bob{.speaks_for = csi::Name::principal("bob")};
  const CsiClient known(for_bob, {}, "client");
  EXPECT_EQ(who(at(known, server.text)), "a peer without a password for bob, tls");
  const CsiClient unknown(for_bob);
  EXPECT_TRUE(has(who(at(unknown, server.text)), "this caller may not speak for others"));
  const CsiOrb nobody(tls("client"));
  EXPECT_EQ(who(at(nobody, server.text)), "nobody, tls");
}

TEST(CsiAssertions, TheProgramSeesWhoAsksForWhom) {
  csi::Target target = bank();
  std::string asked;
  target.trusts = [&asked](const csi::Assertion& assertion) {
    asked = std::string(assertion.user) + " for " + assertion.name.text +
            (assertion.peer["version"].empty() ? "" : ", tls");
    return assertion.name.text != "root";
  };
  CsiServer server(target, on_tls);
  const CsiClient client(gateway_for(csi::Name::principal("bob")));
  const TestRef test = at(client, server.text);
  EXPECT_EQ(who(test), "user gateway for bob, tls");
  EXPECT_EQ(asked, "gateway for bob, tls");
  EXPECT_TRUE(has(who(with(test, {csi::credentials(gateway_for(csi::Name::principal("root")))})),
                  "this caller may not speak for others"));
}

/// A servant that asks for another one has called it; the other one knows the servant's process, and afterwards the servant its own caller.
TEST(CsiAssertions, EachUpcallHasItsOwnCaller) {
  CsiServer server(bank(), on_tls);
  csi::set_credentials(*server.orb, {.user = "gateway", .password = "key"});
  struct Passing final : TestServant {
    Passing(CORBA::ORB& orb, TestRef to) : TestServant(orb), to_(std::move(to)) {}
    std::string who() override {
      const std::string before = csi::caller().text();
      const std::string inner = to_->who();
      return before + " / " + inner + " / " + csi::caller().text();
    }
    const TestRef to_;
  };
  const TestRef passing = tenon::publish<Suite::Test_skeleton>(
      server.orb, CORBA::make_reference<Passing>(*server.orb, server.test));
  const CsiClient client(alice());
  EXPECT_EQ(who(at(client, server.orb->object_to_string(passing))),
            "user alice / user gateway, self / user alice");
}

}  // namespace
}  // namespace tenon::suite
