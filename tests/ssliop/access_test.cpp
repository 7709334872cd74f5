// SPDX-License-Identifier: Apache-2.0
//
// Rules of access about what certificates say.
#include <tenon/access.hpp>
#include <tenon/peer.hpp>

#include "base/minor_codes.hpp"
#include "plugins/giop/giop.hpp"
#include "plugins/iiop/iiop.hpp"
#include "plugins/ssliop/certificates_test_support.hpp"
#include "plugins/ssliop/ssliop.hpp"
#include "suite_async.hpp"
#include "tests/orb/world.hpp"

namespace tenon::suite {
namespace {

const std::string not_allowed = text_of(errors::access_refused);

const ssliop::World& authority() {
  static const ssliop::World only;
  return only;
}

Words with_certificate(const std::string& name, const Words& more = {}) {
  Words options{"-ORBProtocolOption", "ssliop.authorities=" + authority().ca_file()};
  if (!name.empty()) {
    options.insert(options.end(),
                   {"-ORBProtocolOption", "ssliop.certificate=" + authority().folder.path(name + ".pem"),
                    "-ORBProtocolOption", "ssliop.key=" + authority().folder.path(name + ".key")});
  }
  options.insert(options.end(), more.begin(), more.end());
  return options;
}

struct AccessOrb {
  explicit AccessOrb(const Words& options) {
    static std::atomic<int> made{0};
    orb::Protocols protocols;
    protocols.push_back({iiop::make_plugin(), giop::make_messaging()});
    protocols.push_back({ssliop::make_plugin(), giop::make_messaging()});
    orb = tenon::init_orb(options, std::move(protocols), "access-" + std::to_string(made.fetch_add(1)));
  }
  ~AccessOrb() { orb->destroy(); }
  AccessOrb(const AccessOrb&) = delete;
  AccessOrb& operator=(const AccessOrb&) = delete;
  TestRef sees(const std::string& text) const {
    return IDL::traits<Suite::Test>::unchecked_narrow(orb->string_to_object(text));
  }
  OrbRef orb;
};

/// It listens for TLS and in the clear.
struct AccessServer : AccessOrb {
  AccessServer()
      : AccessOrb(with_certificate(
            "server", {"-ORBServing", "pool", "-ORBListenEndpoints", "ssliop://127.0.0.1;iiop://127.0.0.1"})),
        servant(CORBA::make_reference<TestServant>(*orb)),
        test(orb->object_to_string(tenon::publish<Suite::Test_skeleton>(orb, servant))) {}
  CORBA::servant_reference<TestServant> servant;
  const std::string test;
};

struct TlsAccess : ::testing::Test {
  AccessServer server;
  AccessOrb known{with_certificate("client", {"-ORBProtocol", "ssliop"})};
  AccessOrb nameless{with_certificate("", {"-ORBProtocol", "ssliop"})};
  AccessOrb clear{{"-ORBProtocol", "iiop"}};

  std::string outcome(const AccessOrb& client) const {
    return outcome_of([&] { client.sees(server.test)->noop(); });
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
  const std::string fingerprint = known.sees(there)->who();
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
  EXPECT_EQ(outcome_of([&] { server.sees(server.test)->noop(); }), "");  // this process
  const LogLines log(LogLevel::warning);
  EXPECT_EQ(outcome(clear), not_allowed);
  EXPECT_EQ(log.count("access: refused: noop of RootPOA to unknown: the POA demands TLS"), 1);
}

TEST_F(TlsAccess, AsynchronousCallsHaveTheirCaller) {
  tenon::set_access_rules(*server.orb, "allow operation=add subject=\"CN=a client\"");
  const TestRef test = known.sees(server.test);
  EXPECT_EQ(tenon::async(test).add(1, 2).get(), 3);
  EXPECT_EQ(outcome_of([&] { tenon::async(test).noop().get(); }), not_allowed);
  EXPECT_EQ(outcome_of([&] { tenon::async(nameless.sees(server.test)).add(1, 2).get(); }), not_allowed);
  EXPECT_EQ(server.servant->adds, 1);
}

}  // namespace
}  // namespace tenon::suite
