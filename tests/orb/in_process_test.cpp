// SPDX-License-Identifier: Apache-2.0
//
// ORBs of one process that call each other through memory: which way a client takes, in each way of serving, and that a reference
// that leads to another process is used by its other profiles. What every protocol does is in tests/conformance/pairs.
#include <unistd.h>

#include <tenon/parts.hpp>
#include <tenon/peer.hpp>

#include "base/minor_codes.hpp"
#include "ior/object_url.hpp"
#include "plugins/inproc/profile.hpp"
#include "suite_async.hpp"
#include "tests/orb/world.hpp"

namespace tenon::suite {
namespace {

/// The reference after a change of its profile inside the process.
std::string changed(const TestRef& test, const std::function<void(inproc::Profile&)>& change) {
  ior::Ior ior = test->_reference()->ior();
  for (ior::TaggedProfile& each : ior.profiles) {
    if (each.tag != inproc::profile_tag) continue;
    inproc::Profile profile = *inproc::parse_profile(each.data);
    change(profile);
    each = inproc::write_profile(profile);
  }
  return ior::to_ior_text(ior);
}

TestRef test_in(const ScopedOrb& client, const std::string& text) {
  return IDL::traits<Suite::Test>::unchecked_narrow(client->string_to_object(text));
}

std::vector<std::string> transports_of(const TestRef& test) {
  std::vector<std::string> names;
  for (const auto& each : test->_reference()->profiles()) names.emplace_back(each.transport->name());
  return names;
}

std::string used_by(const TestRef& test) {
  return std::string(test->_reference()->binding()->endpoint->key().transport);
}

/// A server that listens on both, and a reference to it.
struct InprocAndTcp {
  InprocAndTcp()
      : orb({"-ORBListenEndpoints", "inproc://;iiop://127.0.0.1"}),
        servant(CORBA::make_reference<TestServant>(*orb)) {
    test = tenon::publish<Suite::Test_skeleton>(orb.ref(), servant);
  }
  ScopedOrb orb;
  CORBA::servant_reference<TestServant> servant;
  TestRef test;
};

TEST(InProcess, IsTakenFirstWhereItStandsFirst) {
  const InprocAndTcp server;
  const ScopedOrb client;
  const TestRef test = seen_by(*client, server.test);
  EXPECT_EQ(transports_of(test), (std::vector<std::string>{"inproc", "iiop"}));
  EXPECT_EQ(test->add(1, 2), 3);
  EXPECT_EQ(used_by(test), "inproc");
}

TEST(InProcess, IsChosenByOptions) {
  const InprocAndTcp server;
  const ScopedOrb tcp({"-ORBProtocol", "iiop,inproc"});
  const TestRef over_tcp = seen_by(*tcp, server.test);
  EXPECT_EQ(over_tcp->add(1, 2), 3);
  EXPECT_EQ(used_by(over_tcp), "iiop");
  const ScopedOrb none({"-ORBProtocol", "uiop"});
  EXPECT_NE(outcome_of([&] { seen_by(*none, server.test)->noop(); }), "");
  // The first one listens.
  const ScopedOrb other({"-ORBProtocol", "inproc,iiop"});
  const auto servant = CORBA::make_reference<TestServant>(*other);
  const TestRef published = tenon::publish<Suite::Test_skeleton>(other.ref(), servant);
  EXPECT_EQ(transports_of(published), std::vector<std::string>{"inproc"});
}

TEST(InProcess, OfAnotherProcessIsNotEvenTried) {
  const InprocAndTcp server;
  const ScopedOrb client;
  const TestRef test =
      test_in(client, changed(server.test, [](inproc::Profile& profile) { profile.place += '0'; }));
  EXPECT_EQ(transports_of(test), std::vector<std::string>{"iiop"});
  for (int i = 0; i < 3; ++i) EXPECT_EQ(test->add(i, 2), i + 2);
  EXPECT_EQ(ior::parse_ior(client->object_to_string(test))->profiles.size(), 2u)
      << "not lost on the way to the process that can use it";
}

TEST(InProcess, WhereNobodyListensAnyMoreTheNextWayIsTaken) {
  const InprocAndTcp server;
  const ScopedOrb client;
  const TestRef test =
      test_in(client, changed(server.test, [](inproc::Profile& profile) { profile.address = "nobody"; }));
  EXPECT_EQ(transports_of(test), (std::vector<std::string>{"inproc", "iiop"}));
  for (int i = 0; i < 3; ++i) EXPECT_EQ(outcome_of([&] { test->add(i, 2); }), "");
  EXPECT_EQ(used_by(test), "iiop");
}

TEST(InProcess, UrlsNameIt) {
  const ScopedOrb server({"-ORBListenEndpoints", "inproc://suite-url"});
  const auto servant = CORBA::make_reference<TestServant>(*server);
  tenon::publish<Suite::Test_skeleton>(server.ref(), servant, "here");
  EXPECT_EQ(tenon::corbaloc(server.ref(), "here"), "corbaloc:inproc:1.2@suite-url/here");
  const ScopedOrb client;
  EXPECT_EQ(test_in(client, "corbaloc:inproc:1.2@suite-url/here")->add(1, 2), 3);
  EXPECT_EQ(outcome_of([&] { test_in(client, "corbaloc:inproc:1.2@suite-nobody/here")->noop(); }),
            text_of(errors::cannot_connect));
  EXPECT_THROW(test_in(client, "corbaloc:inproc:1.2@a%20b/here"), CORBA::BAD_PARAM);
}

TEST(InProcess, TwoOrbsCannotHaveOneName) {
  const ScopedOrb server({"-ORBListenEndpoints", "inproc://suite-taken"});
  const auto servant = CORBA::make_reference<TestServant>(*server);
  tenon::publish<Suite::Test_skeleton>(server.ref(), servant);
  const ScopedOrb other({"-ORBListenEndpoints", "inproc://suite-taken"});
  const auto second = CORBA::make_reference<TestServant>(*other);
  EXPECT_THROW(tenon::publish<Suite::Test_skeleton>(other.ref(), second), CORBA::INITIALIZE);
}

// It would be one more way for all references of a process that may have one ORB alone.
TEST(InProcess, IsNotListenedOnByItself) {
  tenon::Configuration configuration;
  configuration.id = "in-process-full";
  orb::Parts parts;
  tenon::full(parts);
  const OrbRef full = tenon::init_orb(std::move(configuration), std::move(parts));
  const TestRef test = tenon::publish<Suite::Test_skeleton>(full, CORBA::make_reference<TestServant>(*full));
  for (const ior::TaggedProfile& each : test->_reference()->ior().profiles)
    EXPECT_NE(each.tag, inproc::profile_tag);
  full->destroy();
}

class SelfTellingServant final : public TestServant {
 public:
  using TestServant::TestServant;
  std::string who() override { return tenon::peer().text(); }
};

class InProcessServing : public ::testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(All, InProcessServing,
                         ::testing::Values("thread-per-connection", "pool", "single-thread"),
                         [](const auto& each) { return name_of({"inproc", each.param}); });

TEST_P(InProcessServing, ServantsKnowThatTheCallerIsTheirProcess) {
  const Pair one({"inproc", GetParam()});
  const auto asking = CORBA::make_reference<SelfTellingServant>(one.server());
  const TestRef test =
      one.at_client(tenon::publish<Suite::Test_skeleton>(one.server_orb->ref(), asking, "who"));
  const std::string self = "self uid=" + std::to_string(::geteuid()) + " gid=" + std::to_string(::getegid()) +
                           " pid=" + std::to_string(::getpid());
  EXPECT_EQ(test->who(), self);
  EXPECT_EQ(tenon::async(test).who().get(), self);
}

// The client's only thread waits for a reply, and serves the call that comes back meanwhile.
TEST_P(InProcessServing, AClientServesWhileItWaits) {
  const Pair one({"inproc", GetParam()});
  const ScopedOrb client({"-ORBServing", "single-thread", "-ORBListenEndpoints", "inproc://"});
  const auto here =
      tenon::publish<Suite::Peer_skeleton>(client.ref(), CORBA::make_reference<PeerServant>("client"));
  const TestRef test = seen_by(*client, one.test);
  for (int i = 0; i < 20; ++i) EXPECT_EQ(test->ask(here), "client");
  // More than a connection keeps, both ways.
  const Suite::Blob blob = one.servant->make(3'000'000);
  EXPECT_TRUE(test->echo(blob) == blob);
  EXPECT_EQ(tenon::async(test).ask(here).get(), "client");
}

// All that connections take is given back.
TEST_P(InProcessServing, NothingIsLeftOpen) {
  {
    const Pair warm({"inproc", GetParam()});
    EXPECT_EQ(warm.test->add(1, 2), 3);
  }
  const std::ptrdiff_t before = open_descriptors();
  {
    const Pair one({"inproc", GetParam()});
    std::vector<std::thread> callers;
    for (int t = 0; t < 8; ++t) {
      callers.emplace_back([&, t] {
        for (int i = 0; i < 50; ++i)
          EXPECT_EQ(outcome_of([&] { EXPECT_EQ(one.test->add(i, t), i + t); }), "");
      });
    }
    for (std::thread& each : callers) each.join();
  }
  EXPECT_TRUE(eventually([&] { return open_descriptors() <= before; })) << descriptor_names();
}

}  // namespace
}  // namespace tenon::suite
