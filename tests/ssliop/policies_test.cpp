// SPDX-License-Identifier: Apache-2.0
//
// QOPPolicy and EstablishTrustPolicy of clients: over which connections calls go, and which calls are refused before one is opened.
#include <algorithm>

#include <tenon/dynamic.hpp>
#include <tenon/messaging.hpp>
#include <tenon/rtcorba.hpp>
#include <tenon/security.hpp>

#include "base/minor_codes.hpp"
#include "ior/components.hpp"
#include "ior/iiop_profile.hpp"
#include "ior/object_url.hpp"
#include "orb/client/endpoint.hpp"
#include "tests/ssliop/world.hpp"

namespace tenon::suite {
namespace {

using CORBA::SetOverrideType;
using PolicyRef = CORBA::object_reference<CORBA::Policy>;
using Security::QOP;

PolicyRef qop(QOP wanted = QOP::SecQOPIntegrityAndConfidentiality) {
  return CORBA::make_reference<SecurityLevel2::QOPPolicy>(wanted);
}
PolicyRef trust(bool in_client, bool in_target) {
  return CORBA::make_reference<SecurityLevel2::EstablishTrustPolicy>(
      Security::EstablishTrust(in_client, in_target));
}

CORBA::object_reference<CORBA::PolicyManager> policies_of(const TlsOrb& orb, const std::string& name) {
  return IDL::traits<CORBA::PolicyManager>::narrow(orb.orb->resolve_initial_references(name));
}

/// The policies of this thread while it lives.
class OfThread {
 public:
  OfThread(const TlsOrb& orb, const CORBA::PolicyList& policies)
      : current_(policies_of(orb, "PolicyCurrent")) {
    current_->set_policy_overrides(policies, SetOverrideType::SET_OVERRIDE);
  }
  ~OfThread() { current_->set_policy_overrides({}, SetOverrideType::SET_OVERRIDE); }
  OfThread(const OfThread&) = delete;
  OfThread& operator=(const OfThread&) = delete;

 private:
  CORBA::object_reference<CORBA::PolicyManager> current_;
};

/// The addresses that the ORB is connected to, as "iiop" or "ssliop", with what the connections were opened with.
Words ways(const TlsOrb& orb) {
  Words all;
  orb::EndpointList endpoints;
  EXPECT_TRUE(orb.orb->_core().all_endpoints(endpoints));
  for (const auto& each : endpoints) {
    if (!each->connected()) continue;
    std::string text(each->key().transport);
    if (!each->key().properties.empty()) text.append(" ").append(each->key().properties);
    all.push_back(std::move(text));
  }
  std::ranges::sort(all);
  return all;
}

/// How many addresses it has tried.
std::size_t tried(const TlsOrb& orb) {
  orb::EndpointList endpoints;
  EXPECT_TRUE(orb.orb->_core().all_endpoints(endpoints));
  return endpoints.size();
}

const Words both_doors{"-ORBListenEndpoints", "iiop://127.0.0.1;ssliop://127.0.0.1"};
const Words clear_first{"-ORBProtocol", "iiop,ssliop"};
const std::string in_the_clear = "unknown";
const std::string over_tls = "unknown version=TLSv1.3";

/// A server with both doors, and a client that takes the clear one by itself and has no certificate.
struct QopPolicies : ::testing::Test {
  TestRef seen() const { return at(client, server.text()); }

  TlsServer server{tls("server", both_doors)};
  TlsOrb client{tls("", clear_first)};
};

TEST_F(QopPolicies, OfAnObject) {
  const TestRef plain = seen();
  EXPECT_EQ(plain->who(), in_the_clear);
  for (const QOP wanted :
       {QOP::SecQOPIntegrity, QOP::SecQOPConfidentiality, QOP::SecQOPIntegrityAndConfidentiality}) {
    const TestRef kept = with(plain, {qop(wanted)});
    EXPECT_EQ(kept->who(), over_tls);
    EXPECT_EQ(kept->who(), over_tls);  // the second call, over the connection that is there
  }
  EXPECT_EQ(plain->who(), in_the_clear);
  EXPECT_EQ(with(plain, {qop(QOP::SecQOPNoProtection)})->who(), in_the_clear);
  EXPECT_EQ(ways(client), (Words{"iiop", "ssliop"}));
}

TEST_F(QopPolicies, OfAThread) {
  const TestRef test = seen();
  EXPECT_EQ(test->who(), in_the_clear);
  for (int i = 0; i < 2; ++i) {  // the override changes between calls, there and back
    const OfThread now(client, {qop()});
    EXPECT_EQ(test->who(), over_tls);
    EXPECT_EQ(test->who(), over_tls);
    std::string elsewhere;
    std::thread([&] { elsewhere = test->who(); }).join();
    EXPECT_EQ(elsewhere, in_the_clear);
  }
  EXPECT_EQ(test->who(), in_the_clear);
}

TEST_F(QopPolicies, OfAnOrbAndWhichIsNearer) {
  const TestRef test = seen();
  policies_of(client, "ORBPolicyManager")->set_policy_overrides({qop()}, SetOverrideType::SET_OVERRIDE);
  EXPECT_EQ(test->who(), over_tls);
  EXPECT_EQ(with(test, {qop(QOP::SecQOPNoProtection)})->who(), in_the_clear);
  {
    const OfThread nearer(client, {qop(QOP::SecQOPNoProtection)});
    EXPECT_EQ(test->who(), in_the_clear);
    EXPECT_EQ(with(test, {qop()})->who(), over_tls);
  }
  EXPECT_EQ(test->who(), over_tls);
  policies_of(client, "ORBPolicyManager")->set_policy_overrides({}, SetOverrideType::SET_OVERRIDE);
  EXPECT_EQ(test->who(), in_the_clear);
}

TEST_F(QopPolicies, BesideAClientProtocolPolicy) {
  const auto list = [](std::initializer_list<IOP::ProfileId> tags) -> PolicyRef {
    RTCORBA::ProtocolList protocols;
    for (const IOP::ProfileId tag : tags) protocols.emplace_back(tag);
    return CORBA::make_reference<RTCORBA::ClientProtocolPolicy>(protocols);
  };
  const TestRef test = seen();
  EXPECT_EQ(with(test, {qop(), list({0, ssliop::profile_tag})})->who(), over_tls);
  const TestRef neither = with(test, {qop(), list({0})});
  EXPECT_TRUE(has(message_of([&] { neither->who(); }), "QOPPolicy"));
  const OfThread protocols(client, {list({0})});
  EXPECT_TRUE(has(message_of([&] { with(test, {qop()})->who(); }), "QOPPolicy"));
}

TEST_F(QopPolicies, CallsThatNobodyWaitsForAreRefusedOrProtectedToo) {
  const TestRef kept = with(seen(), {qop()});
  kept->note(7);
  EXPECT_EQ(kept->notes(), std::vector<std::int32_t>{7});
  EXPECT_EQ(ways(client), (Words{"ssliop"}));
}

TEST(QopRefusals, NothingIsTriedInTheClear) {
  const TlsServer server(Words{"-ORBListenEndpoints", "iiop://127.0.0.1"});
  for (const Words& options : {tls("client"), tls("client", clear_first), Words{"-ORBProtocol", "iiop"}}) {
    const TlsOrb client(options);
    const TestRef plain = at(client, server.text());
    const TestRef kept = with(plain, {qop()});
    for (int i = 0; i < 2; ++i) {
      try {
        kept->noop();
        ADD_FAILURE();
      } catch (const CORBA::NO_PERMISSION& refused) {
        EXPECT_EQ(refused.minor(), errors::no_protected_way.minor);
        EXPECT_EQ(refused.completed(), CORBA::CompletionStatus::COMPLETED_NO);
        EXPECT_TRUE(has(refused.what(), "this side refused to call: QOPPolicy")) << refused.what();
      }
    }
    EXPECT_EQ(tried(client), 0U);
    const OfThread now(client, {trust(false, true)});
    EXPECT_TRUE(has(message_of([&] { plain->noop(); }), "this side refused to call")) << "of a thread";
    EXPECT_EQ(tried(client), 0U);
  }
  EXPECT_EQ(server.servant->adds.load(), 0);
}

TEST(QopRefusals, AreSaidByValidateConnection) {
  const TlsServer server(Words{"-ORBListenEndpoints", "iiop://127.0.0.1"});
  const TlsOrb client(tls("client"));
  const TestRef kept = with(at(client, server.text()), {qop(), trust(true, true)});
  CORBA::PolicyList wrong;
  EXPECT_FALSE(kept->_validate_connection(wrong));
  ASSERT_EQ(wrong.size(), 2U);
  EXPECT_EQ(wrong[0]->policy_type(), Security::SecQOPPolicy);
  EXPECT_EQ(wrong[1]->policy_type(), Security::SecEstablishTrustPolicy);
  const TlsServer both(tls("server", both_doors));
  EXPECT_TRUE(with(at(client, both.text()), {qop(), trust(true, true)})->_validate_connection(wrong));
  EXPECT_TRUE(wrong.empty());
}

TEST(QopRefusals, AForwardIntoTheClearIsNotFollowed) {
  class Forwards final : public TestServant {
   public:
    Forwards(CORBA::ORB& its_orb, TestRef where) : TestServant(its_orb), to(std::move(where)) {}
    std::string who() override { throw PortableServer::ForwardRequest(to); }
    const TestRef to;
  };
  const TlsServer clear(Words{"-ORBListenEndpoints", "iiop://127.0.0.1"});
  const TlsServer first(tls("server", both_doors));
  const TestRef elsewhere =
      IDL::traits<Suite::Test>::unchecked_narrow(first.orb->string_to_object(clear.text()));
  const auto root =
      IDL::traits<PortableServer::POA>::narrow(first.orb->resolve_initial_references("RootPOA"));
  const TestRef forwarding = IDL::traits<Suite::Test>::narrow(
      root->servant_to_reference(CORBA::make_reference<Forwards>(*first.orb, elsewhere)));
  const TlsOrb client(tls("client"));
  const TestRef seen = at(client, first.orb->object_to_string(forwarding));
  EXPECT_EQ(seen->who(), in_the_clear);
  EXPECT_TRUE(has(message_of([&] { with(seen, {qop()})->who(); }), "this side refused to call"));
}

/// A reference like that one whose component requires something else of clients; it may also lose its address in the clear.
std::string requiring(const std::string& text, std::uint16_t requires_) {
  ior::Ior made = *ior::parse_ior(text);
  auto profile = *ior::parse_iiop_profile(made.profiles.front().data);
  auto what = *ssliop::read_sec_trans(profile.components);
  what.requires_ = requires_;
  std::erase_if(profile.components, [](const auto& each) { return each.tag == ior::tag_ssl_sec_trans; });
  profile.components.push_back(ssliop::sec_trans_component(what));
  made.profiles.front() = ior::make_iiop_profile(profile);
  return ior::to_ior_text(made);
}

TEST_F(QopPolicies, WhatTheReferenceRequiresCounts) {
  // It has an address in the clear, and says that nobody may call it so.
  EXPECT_EQ(at(client, requiring(server.text(), ssliop::integrity | ssliop::confidentiality))->who(),
            over_tls);
  const TestRef asks = at(client, requiring(server.text(), ssliop::integrity | ssliop::trust_in_client));
  // The server decides: omniORB's says so in its references, and takes clients without a certificate.
  EXPECT_EQ(asks->who(), over_tls);
  // A client that does not want to know whom it calls does not fit a server that insists.
  const TestRef insists = at(client, requiring(server.text(), ssliop::integrity | ssliop::trust_in_target));
  EXPECT_EQ(insists->who(), over_tls);
  EXPECT_TRUE(has(message_of([&] { with(insists, {trust(false, false)})->who(); }), "INV_POLICY"));
}

TEST(QopUrls, AreProtected) {
  const TlsServer server(tls("server", {"-ORBListenEndpoints", "ssliop://127.0.0.1"}));
  const std::string endpoint = server.orb->_core().endpoints().front();
  const auto profile = ior::parse_iiop_profile(server.ior().profiles[0].data);
  const std::string url = "corbaloc:ssliop:127.0.0.1" + endpoint.substr(endpoint.rfind(':')) + "/" +
                          ior::escape_key(profile->key);
  const TlsOrb client(tls("client", clear_first));
  const std::string who = with(at(client, url), {qop(), trust(true, true)})->who();
  EXPECT_TRUE(who.starts_with("tls subject=CN=a client")) << who;
}

// --- EstablishTrustPolicy ---

TEST(TrustPolicies, TrustInTheTargetIsPerCall) {
  const TlsServer server(tls("server", {"-ORBListenEndpoints", "ssliop://127.0.0.1"}));
  const TlsOrb client(Words{});  // does not know the test's authority
  const TestRef plain = at(client, server.text());
  const TestRef careless = with(plain, {trust(false, false)});
  const std::string refused = "this side refused the peer's certificate";
  EXPECT_TRUE(has(message_of([&] { plain->noop(); }), refused));
  EXPECT_EQ(careless->who(), over_tls);
  EXPECT_EQ(careless->who(), over_tls);
  // The connection that is there now has verified nobody: others may not use it.
  EXPECT_TRUE(has(message_of([&] { plain->noop(); }), refused));
  EXPECT_TRUE(has(message_of([&] { with(plain, {trust(false, true)})->noop(); }), refused));
  EXPECT_EQ(ways(client), (Words{"ssliop trust_in_target=0"}));
  {
    const OfThread now(client, {trust(false, false)});
    EXPECT_EQ(plain->who(), over_tls);
  }
  EXPECT_TRUE(has(message_of([&] { plain->noop(); }), refused));
}

TEST(TrustPolicies, TrustInTheTargetIsMoreThanTheOptionsSay) {
  const TlsServer server(tls("server", {"-ORBListenEndpoints", "ssliop://127.0.0.1"}));
  const TlsOrb knows(tls("", {"-ORBProtocolOption", "ssliop.verify=none"}));
  const TestRef test = at(knows, server.text());
  EXPECT_EQ(test->who(), over_tls);
  EXPECT_EQ(with(test, {trust(false, true)})->who(), over_tls);
  EXPECT_EQ(ways(knows), (Words{"ssliop", "ssliop trust_in_target=1"}));
  const TlsOrb knows_nobody({"-ORBProtocolOption", "ssliop.verify=none"});
  const TestRef stranger = at(knows_nobody, server.text());
  EXPECT_EQ(stranger->who(), over_tls);
  EXPECT_TRUE(has(message_of([&] { with(stranger, {trust(false, true)})->noop(); }),
                  "this side refused the peer's certificate"));
}

TEST(TrustPolicies, CallsThatVerifyShareTheirConnections) {
  const TlsServer server(tls("server", {"-ORBListenEndpoints", "ssliop://127.0.0.1"}));
  const TlsOrb client(tls("client"));
  const TestRef plain = at(client, server.text());
  plain->noop();
  with(plain, {trust(false, true)})->noop();
  with(plain, {trust(true, true), qop()})->noop();
  EXPECT_EQ(ways(client), (Words{"ssliop"}));
  with(plain, {trust(true, false)})->noop();
  with(plain, {trust(false, false), qop()})->noop();
  EXPECT_EQ(ways(client), (Words{"ssliop", "ssliop trust_in_target=0"}));
}

TEST(TrustPolicies, TrustInTheClientWantsACertificate) {
  const TlsServer server(tls("server", both_doors));
  const TlsOrb without(tls("", clear_first));
  const TestRef nobody = with(at(without, server.text()), {trust(true, false)});
  for (int i = 0; i < 2; ++i) {
    const std::string said = message_of([&] { nobody->noop(); });
    EXPECT_TRUE(has(said, "NO_PERMISSION")) << said;
    EXPECT_TRUE(has(said, "wants it to show a certificate, and it has none")) << said;
  }
  EXPECT_EQ(tried(without), 0U);
  const TlsOrb somebody(tls("client", clear_first));
  const std::string who = with(at(somebody, server.text()), {trust(true, true)})->who();
  EXPECT_TRUE(who.starts_with("tls subject=CN=a client")) << who;
}

TEST(TrustPolicies, AServerThatAsksNobodyKnowsNoClient) {
  const auto& folder = certificates().folder;
  const TlsServer server({"-ORBListenEndpoints", "ssliop://127.0.0.1", "-ORBProtocolOption",
                          "ssliop.certificate=" + folder.path("server.pem"), "-ORBProtocolOption",
                          "ssliop.key=" + folder.path("server.key")});
  const TlsOrb client(tls("client"));
  const TestRef test = at(client, server.text());
  EXPECT_EQ(test->who(), over_tls);
  const std::string said = message_of([&] { with(test, {trust(true, true)})->noop(); });
  EXPECT_TRUE(has(said, "the object's server asks nobody for a certificate")) << said;
}

// --- the policies as objects ---

TEST(SecurityPolicies, AreMadeOfAnys) {
  const TlsOrb orb(Words{});
  CORBA::Any level;
  level <<= QOP::SecQOPConfidentiality;
  const PolicyRef made = orb.orb->create_policy(Security::SecQOPPolicy, level);
  const auto as_qop = IDL::traits<SecurityLevel2::QOPPolicy>::narrow(made);
  ASSERT_TRUE(as_qop);
  EXPECT_EQ(as_qop->qop(), QOP::SecQOPConfidentiality);
  EXPECT_EQ(made->policy_type(), 15U);
  CORBA::Any who;
  who <<= Security::EstablishTrust(true, false);
  const PolicyRef also_made = orb.orb->create_policy(Security::SecEstablishTrustPolicy, who);
  const auto as_trust = IDL::traits<SecurityLevel2::EstablishTrustPolicy>::narrow(also_made);
  ASSERT_TRUE(as_trust);
  EXPECT_TRUE(as_trust->trust().trust_in_client());
  EXPECT_FALSE(as_trust->trust().trust_in_target());
  EXPECT_EQ(also_made->policy_type(), 39U);
  for (const PolicyRef& each : {made, also_made}) {
    const PolicyRef same = each->copy();
    each->destroy();
    EXPECT_EQ(same->policy_type(), each->policy_type());
  }
}

TEST(SecurityPolicies, OtherValuesAreRefused) {
  const TlsOrb orb(Words{});
  const auto reason = [&](CORBA::PolicyType type, const CORBA::Any& value) -> int {
    try {
      orb.orb->create_policy(type, value);
    } catch (const CORBA::PolicyError& error) {
      return error.reason();
    }
    return -1;
  };
  CORBA::Any number;
  number <<= std::int32_t{1};
  EXPECT_EQ(reason(Security::SecQOPPolicy, number), CORBA::BAD_POLICY_TYPE);
  EXPECT_EQ(reason(Security::SecEstablishTrustPolicy, number), CORBA::BAD_POLICY_TYPE);
  CORBA::Any other;
  other <<= PortableServer::LifespanPolicyValue::PERSISTENT;  // an enum too
  EXPECT_EQ(reason(Security::SecQOPPolicy, other), CORBA::BAD_POLICY_TYPE);
  EXPECT_EQ(reason(Security::SecEstablishTrustPolicy, other), CORBA::BAD_POLICY_TYPE);
  EXPECT_TRUE(has(message_of([] { qop(static_cast<QOP>(4)); }), "QOPPolicy: there is no value 4"));
}

TEST(SecurityPolicies, AreGivenBackAsOverrides) {
  const TlsOrb orb(Words{});
  const TlsServer server(tls("server", both_doors));
  const TestRef test = with(at(orb, server.text()), {qop(), trust(false, true)});
  EXPECT_EQ(test->_get_policy_overrides({}).size(), 2U);
  const CORBA::PolicyList trusts = test->_get_policy_overrides({Security::SecEstablishTrustPolicy});
  ASSERT_EQ(trusts.size(), 1U);
  EXPECT_TRUE(
      IDL::traits<SecurityLevel2::EstablishTrustPolicy>::narrow(trusts[0])->trust().trust_in_target());
  EXPECT_EQ(test->_get_policy(Security::SecQOPPolicy)->policy_type(), Security::SecQOPPolicy);
  EXPECT_EQ(test->_get_client_policy(Security::SecQOPPolicy)->policy_type(), Security::SecQOPPolicy);
  const auto of_orb = policies_of(orb, "ORBPolicyManager");
  of_orb->set_policy_overrides({qop()}, SetOverrideType::ADD_OVERRIDE);
  of_orb->set_policy_overrides({trust(true, true)}, SetOverrideType::ADD_OVERRIDE);
  EXPECT_EQ(of_orb->get_policy_overrides({}).size(), 2U);
}

TEST(SecurityPolicies, CiphersThatDoNotEncryptAreRefused) {
  const auto plugin = ssliop::make_plugin();
  std::string why;
  EXPECT_FALSE(plugin->set_option("ciphers", "eNULL@SECLEVEL=0", why));
  EXPECT_FALSE(plugin->set_option("ciphers", "ECDHE+AESGCM:eNULL@SECLEVEL=0", why));
  EXPECT_TRUE(plugin->set_option("ciphers", "ECDHE+AESGCM", why)) << why;
}

}  // namespace
}  // namespace tenon::suite
