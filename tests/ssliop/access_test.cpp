// SPDX-License-Identifier: Apache-2.0
//
// Rules of access about what certificates say.
#include <tenon/access.hpp>
#include <tenon/peer.hpp>

#include "base/minor_codes.hpp"
#include "suite_async.hpp"
#include "tests/ssliop/world.hpp"

namespace tenon::suite {
namespace {

const std::string not_allowed = text_of(errors::access_refused);

/// It listens for TLS and in the clear.
struct AccessServer : TlsOrb {
  AccessServer()
      : TlsOrb(tls("server",
                   {"-ORBServing", "pool", "-ORBListenEndpoints", "ssliop://127.0.0.1;iiop://127.0.0.1"})),
        servant(CORBA::make_reference<TestServant>(*orb)),
        test(orb->object_to_string(tenon::publish<Suite::Test_skeleton>(orb, servant))) {}
  CORBA::servant_reference<TestServant> servant;
  const std::string test;
};

struct TlsAccess : ::testing::Test {
  AccessServer server;
  TlsOrb known{tls("client", {"-ORBProtocol", "ssliop"})};
  TlsOrb nameless{tls("", {"-ORBProtocol", "ssliop"})};
  TlsOrb clear{{"-ORBProtocol", "iiop"}};

  std::string outcome(const TlsOrb& client) const {
    return outcome_of([&] { at(client, server.test)->noop(); });
  }
};

TEST_F(TlsAccess, BySubjectNameAndFingerprint) {
  for (const char* rule : {"allow subject=\"CN=a client\"", "allow subject=\"CN=a *\" kind=tls",
                           "allow name=DNS:*.TEST", "allow name=DNS:client.test"}) {
    tenon::set_access_rules(*server.orb, rule);
    EXPECT_EQ(outcome(known), "") << rule;
    EXPECT_EQ(outcome(nameless), not_allowed) << rule;
    EXPECT_EQ(outcome(clear), not_allowed) << rule;
  }
  for (const char* rule :
       {"allow subject=\"CN=another client\"", "allow name=DNS:server.test", "allow subject=client"}) {
    tenon::set_access_rules(*server.orb, rule);
    EXPECT_EQ(outcome(known), not_allowed) << rule;
  }
}

TEST_F(TlsAccess, ByFingerprint) {
  struct Asking final : TestServant {
    using TestServant::TestServant;
    std::string who() override { return std::string(tenon::peer()["fingerprint"]); }
  };
  const auto asking = CORBA::make_reference<Asking>(*server.orb);
  const std::string there =
      server.orb->object_to_string(tenon::publish<Suite::Test_skeleton>(server.orb, asking));
  const std::string fingerprint = at(known, there)->who();
  ASSERT_FALSE(fingerprint.empty());
  tenon::set_access_rules(*server.orb, "allow fingerprint=" + fingerprint);
  EXPECT_EQ(outcome(known), "");
  EXPECT_EQ(outcome(nameless), not_allowed);
  tenon::set_access_rules(*server.orb, "allow fingerprint=" + std::string(64, '0'));
  EXPECT_EQ(outcome(known), not_allowed);
}

TEST_F(TlsAccess, APoaThatDemandsTlsIsClosedInTheClear) {
  const auto root =
      IDL::traits<PortableServer::POA>::narrow(server.orb->resolve_initial_references("RootPOA"));
  EXPECT_EQ(outcome(clear), "");
  tenon::demand_tls(*root);
  EXPECT_EQ(outcome(known), "");
  EXPECT_EQ(outcome(nameless), not_allowed);
  EXPECT_EQ(outcome(clear), not_allowed);
  EXPECT_EQ(outcome_of([&] { at(server, server.test)->noop(); }), "");  // this process
  const LogLines log(LogLevel::warning);
  EXPECT_EQ(outcome(clear), not_allowed);
  EXPECT_EQ(log.count("access: refused: noop of RootPOA to unknown: the POA demands TLS"), 1);
}

TEST_F(TlsAccess, AsynchronousCallsHaveTheirCaller) {
  tenon::set_access_rules(*server.orb, "allow operation=add subject=\"CN=a client\"");
  const TestRef test = at(known, server.test);
  EXPECT_EQ(tenon::async(test).add(1, 2).get(), 3);
  EXPECT_EQ(outcome_of([&] { tenon::async(test).noop().get(); }), not_allowed);
  EXPECT_EQ(outcome_of([&] { tenon::async(at(nameless, server.test)).add(1, 2).get(); }), not_allowed);
  EXPECT_EQ(server.servant->adds, 1);
}

}  // namespace
}  // namespace tenon::suite
