// SPDX-License-Identifier: Apache-2.0
//
// -ORBserverTransportRule: which peers a server serves. Which addresses a rule covers is in net/address_mask_test.cpp.
#include <cstdlib>
#include <thread>

#include "tests/orb/world.hpp"

namespace tenon::suite {
namespace {

class PeerRules : public ::testing::TestWithParam<std::string> {
 protected:
  /// Whether a client is served at the endpoint, where the rules are these.
  bool is_served(const std::string& endpoint, const Words& rules) const {
    Words options{"-ORBServing", GetParam(), "-ORBListenEndpoints", endpoint};
    for (const std::string& rule : rules) options.insert(options.end(), {"-ORBserverTransportRule", rule});
    const ScopedOrb server(options);
    const auto servant = CORBA::make_reference<TestServant>(*server);
    const TestRef test = tenon::publish<Suite::Test_skeleton>(server.ref(), servant, "t");
    const ScopedOrb client({"-ORBCallTimeout", "10000"});
    std::thread serving;
    if (GetParam() == "single-thread") serving = std::thread([&] { server->run(); });
    const std::string outcome = outcome_of([&] { seen_by(*client, test)->add(1, 2); });
    EXPECT_EQ(servant->adds, outcome.empty() ? 1 : 0) << outcome;
    EXPECT_TRUE(outcome.empty() || has(outcome, "COMM_FAILURE") || has(outcome, "TRANSIENT")) << outcome;
    server->shutdown(true);
    if (serving.joinable()) serving.join();
    return outcome.empty();
  }
};

TEST_P(PeerRules, SayWhoIsServed) {
  const std::string tcp = "iiop://127.0.0.1";
  EXPECT_TRUE(is_served(tcp, {}));
  EXPECT_TRUE(is_served(tcp, {"* tcp"}));
  EXPECT_TRUE(is_served(tcp, {"localhost unix,tcp"}));
  EXPECT_TRUE(is_served(tcp, {"10.0.0.0/8 none", "127.0.0.0/255.0.0.0 tcp"}));
  EXPECT_FALSE(is_served(tcp, {"127.0.0.1 none", "* tcp"})) << "the first rule counts";
  EXPECT_FALSE(is_served(tcp, {"10.0.0.0/8 tcp"})) << "no rule covers the peer";
  EXPECT_FALSE(is_served(tcp, {"localhost unix"}));
  EXPECT_TRUE(is_served(endpoint_of("uiop"), {"localhost unix"}));
  EXPECT_FALSE(is_served(endpoint_of("uiop"), {"127.0.0.0/8 unix", "* tcp"}));
}

INSTANTIATE_TEST_SUITE_P(Serving, PeerRules,
                         ::testing::Values("thread-per-connection", "pool", "single-thread"),
                         [](const auto& each) {
                           std::string name = each.param;
                           for (char& letter : name) letter = letter == '-' ? '_' : letter;
                           return name;
                         });

TEST(PeerRulesOfOptions, OfALaterSourceReplaceThoseOfAnEarlierOne) {
  ::setenv("TENON_ORB_OPTIONS", "-ORBserverTransportRule '* none' -ORBserverTransportRule '* tcp'", 1);
  {
    const ScopedOrb orb;
    EXPECT_EQ(orb->_core().options().transports.peer_rules.size(), 2u);
  }
  {
    const ScopedOrb orb({"-ORBserverTransportRule", "localhost  tcp ,\tunix"});
    ASSERT_EQ(orb->_core().options().transports.peer_rules.size(), 1u);
    EXPECT_TRUE(orb->_core().options().transports.peer_rules[0].tcp);
    EXPECT_TRUE(orb->_core().options().transports.peer_rules[0].unix_sockets);
  }
  ::unsetenv("TENON_ORB_OPTIONS");
}

}  // namespace
}  // namespace tenon::suite
