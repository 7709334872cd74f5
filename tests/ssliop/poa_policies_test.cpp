// SPDX-License-Identifier: Apache-2.0
//
// QOPPolicy and EstablishTrustPolicy of POAs: what their references say, and which requests are refused before the servant is touched.
#include <tenon/security.hpp>

#include "base/minor_codes.hpp"
#include "ior/iiop_profile.hpp"
#include "ior/object_url.hpp"
#include "tests/ssliop/world.hpp"

namespace tenon::suite {
namespace {

using PolicyRef = CORBA::object_reference<CORBA::Policy>;
using PoaRef = CORBA::object_reference<PortableServer::POA>;

PolicyRef protecting() {
  return CORBA::make_reference<SecurityLevel2::QOPPolicy>(Security::QOP::SecQOPIntegrityAndConfidentiality);
}
PolicyRef trusting(bool in_client, bool in_target) {
  return CORBA::make_reference<SecurityLevel2::EstablishTrustPolicy>(
      Security::EstablishTrust(in_client, in_target));
}

const Words two_doors{"-ORBListenEndpoints", "iiop://127.0.0.1;ssliop://127.0.0.1"};

/// A POA of that server with these policies, and an object of it.
struct Secured {
  Secured(const TlsServer& server, CORBA::PolicyList policies, bool user_ids = false)
      : servant(CORBA::make_reference<NamingServant>(*server.orb)) {
    static std::atomic<int> made{0};
    const PoaRef root =
        IDL::traits<PortableServer::POA>::narrow(server.orb->resolve_initial_references("RootPOA"));
    if (user_ids) {
      policies.push_back(root->create_id_assignment_policy(PortableServer::IdAssignmentPolicyValue::USER_ID));
      policies.push_back(root->create_lifespan_policy(PortableServer::LifespanPolicyValue::PERSISTENT));
    }
    const PoaRef poa =
        root->create_POA("secured " + std::to_string(made.fetch_add(1)), root->the_POAManager(), policies);
    PortableServer::ObjectId id{'i', 'd'};
    if (user_ids) {
      poa->activate_object_with_id(id, servant);
    } else {
      id = poa->activate_object(servant);
    }
    test = IDL::traits<Suite::Test>::narrow(poa->id_to_reference(id));
    text = server.orb->object_to_string(test);
  }

  /// As `other`'s reference leads, but to this object: who does not keep to what references say.
  std::string led_as(const std::string& other) const {
    ior::Ior made = *ior::parse_ior(other);
    const auto its = ior::parse_iiop_profile(ior::parse_ior(text)->profiles.front().data);
    auto profile = *ior::parse_iiop_profile(made.profiles.front().data);
    profile.key = its->key;
    made.profiles.front() = ior::make_iiop_profile(profile);
    return ior::to_ior_text(made);
  }
  ssliop::SecTrans component() const {
    const auto profile = ior::parse_iiop_profile(ior::parse_ior(text)->profiles.front().data);
    return *ssliop::read_sec_trans(profile->components);
  }

  CORBA::servant_reference<NamingServant> servant;
  TestRef test;
  std::string text;
};

std::uint32_t refused_with(const std::function<void()>& call) {
  try {
    call();
  } catch (const CORBA::NO_PERMISSION& refused) {
    return refused.minor();
  }
  return 0;
}

TEST(SecuredPoas, TheirReferencesLeadOverTlsAlone) {
  const TlsServer server(tls("server", two_doors));
  const Secured secured(server, {protecting()});
  const ior::Ior ior = *ior::parse_ior(secured.text);
  ASSERT_EQ(ior.profiles.size(), 1U);
  const auto profile = ior::parse_iiop_profile(ior.profiles[0].data);
  ASSERT_TRUE(profile);
  EXPECT_EQ(profile->address, (ior::IiopAddress{"127.0.0.1", 0}));
  const ssliop::SecTrans what = secured.component();
  constexpr unsigned both = ssliop::integrity | ssliop::confidentiality;
  EXPECT_EQ(what.requires_ & both, both);
  EXPECT_EQ((what.requires_ | what.supports) & ssliop::no_protection, 0);
  EXPECT_EQ(what.requires_ & ssliop::trust_in_client, 0);
  EXPECT_NE(what.supports & ssliop::trust_in_client, 0);
  // Its neighbours have both doors as before.
  EXPECT_NE(ior::parse_iiop_profile(server.ior().profiles[0].data)->address.port, 0);
  const TlsOrb client(tls("", {"-ORBProtocol", "iiop,ssliop"}));
  EXPECT_EQ(at(client, secured.text)->who(), "unknown version=TLSv1.3");
  EXPECT_EQ(at(client, server.text())->who(), "unknown");
}

TEST(SecuredPoas, RequestsInTheClearAreRefused) {
  for (const char* serving : {"pool", "thread-per-connection", "single-thread"}) {
    const TlsServer server(tls("server", two_doors), serving);
    const PoaRef root =
        IDL::traits<PortableServer::POA>::narrow(server.orb->resolve_initial_references("RootPOA"));
    using Threads = PortableServer::ThreadPolicyValue;
    for (const Threads threads :
         {Threads::ORB_CTRL_MODEL, Threads::SINGLE_THREAD_MODEL, Threads::MAIN_THREAD_MODEL}) {
      for (const bool user_ids : {false, true}) {
        const Secured secured(server, {protecting(), root->create_thread_policy(threads)}, user_ids);
        const TlsOrb clear({"-ORBProtocol", "iiop"});
        const TestRef wrong = at(clear, secured.led_as(server.text()));
        for (int i = 0; i < 2; ++i)
          EXPECT_EQ(refused_with([&] { wrong->add(1, 2); }), errors::came_unprotected.minor) << serving;
        const std::string said = message_of([&] { wrong->add(1, 2); });
        EXPECT_TRUE(has(said, "the server refused the call: it came in the clear")) << said;
        wrong->note(5);
        EXPECT_EQ(secured.servant->adds.load(), 0);
        const TlsOrb client(tls(""));
        const TestRef right = at(client, secured.text);
        EXPECT_EQ(right->add(1, 2), 3) << serving;
        EXPECT_EQ(right->add(1, 2), 3) << serving;
        EXPECT_TRUE(right->notes().empty());
      }
    }
  }
}

TEST(SecuredPoas, CallersMustBeKnown) {
  const TlsServer server(tls("server", two_doors));
  const Secured secured(server, {trusting(true, false)});
  EXPECT_NE(secured.component().requires_ & ssliop::trust_in_client, 0);
  const TlsOrb nobody(tls(""));
  EXPECT_EQ(refused_with([&] { at(nobody, secured.text)->add(1, 2); }), errors::caller_not_known.minor);
  const TestRef uninvited = at(nobody, secured.led_as(server.text()));
  EXPECT_EQ(refused_with([&] { uninvited->add(1, 2); }), errors::caller_not_known.minor);
  const std::string said = message_of([&] { uninvited->add(1, 2); });
  EXPECT_TRUE(has(said, "the server refused the call: its caller has shown no certificate")) << said;
  EXPECT_EQ(secured.servant->adds.load(), 0);
  const TlsOrb somebody(tls("client"));
  EXPECT_TRUE(at(somebody, secured.text)->who().starts_with("tls subject=CN=a client"));
  const TlsOrb clear({"-ORBProtocol", "iiop"});
  EXPECT_EQ(refused_with([&] { at(clear, secured.led_as(server.text()))->add(1, 2); }),
            errors::came_unprotected.minor);
}

TEST(SecuredPoas, TrustInTheTargetWantsTls) {
  const TlsServer server(tls("server", two_doors));
  const Secured secured(server, {trusting(false, true)});
  EXPECT_NE(secured.component().requires_ & ssliop::trust_in_target, 0);
  const TlsOrb client(tls(""));
  EXPECT_EQ(at(client, secured.text)->who(), "unknown version=TLSv1.3");
}

TEST(SecuredPoas, CallsOfTheProcessNeedNoConnection) {
  const TlsServer server(tls("server", two_doors));
  const Secured secured(server, {protecting(), trusting(true, true)});
  EXPECT_EQ(secured.test->add(1, 2), 3);
  EXPECT_TRUE(secured.test->who().starts_with("self "));
}

TEST(SecuredPoas, PoliciesThatAskForNothingChangeNothing) {
  const TlsServer server(tls("server", two_doors));
  const Secured plain(server,
                      {CORBA::make_reference<SecurityLevel2::QOPPolicy>(Security::QOP::SecQOPNoProtection),
                       trusting(false, false)});
  EXPECT_NE(ior::parse_iiop_profile(ior::parse_ior(plain.text)->profiles[0].data)->address.port, 0);
  const TlsOrb clear({"-ORBProtocol", "iiop"});
  EXPECT_EQ(at(clear, plain.text)->who(), "unknown");
}

TEST(SecuredPoas, AreNotMadeWhereNobodyCouldCallThem) {
  const auto why_not = [](const TlsServer& server, const CORBA::PolicyList& policies) {
    try {
      const Secured made(server, policies);
    } catch (const PortableServer::POA::InvalidPolicy& wrong) {
      return std::to_string(wrong.index()) + " " + wrong.what();
    }
    return std::string();
  };
  const TlsServer clear(Words{"-ORBListenEndpoints", "iiop://127.0.0.1"});
  EXPECT_TRUE(has(why_not(clear, {protecting()}), "no endpoint of this POA's references does"))
      << why_not(clear, {protecting()});
  const auto& folder = certificates().folder;
  const TlsServer asks_nobody({"-ORBListenEndpoints", "ssliop://127.0.0.1", "-ORBProtocolOption",
                               "ssliop.certificate=" + folder.path("server.pem"), "-ORBProtocolOption",
                               "ssliop.key=" + folder.path("server.key")});
  EXPECT_EQ(why_not(asks_nobody, {protecting()}), "");
  EXPECT_TRUE(has(why_not(asks_nobody, {protecting(), trusting(true, false)}), "asks nobody for one"))
      << why_not(asks_nobody, {protecting(), trusting(true, false)});
  const PoaRef root =
      IDL::traits<PortableServer::POA>::narrow(clear.orb->resolve_initial_references("RootPOA"));
  EXPECT_THROW(root->the_POAManagerFactory()->create_POAManager("secured", {protecting()}),
               CORBA::PolicyError);
}

}  // namespace
}  // namespace tenon::suite
