// SPDX-License-Identifier: Apache-2.0
//
// The life of an ORB: ORB_init, shutdown and destroy from everywhere, several ORBs, and servers that come back.
#include <sys/resource.h>
#include <sys/socket.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <thread>

#include "base/minor_codes.hpp"
#include "net/connect.hpp"
#include "tests/orb/world.hpp"

namespace tenon::suite {
namespace {

using Life = World;
INSTANTIATE_TEST_SUITE_P(All, Life, ::testing::ValuesIn(remote_cases()),
                         [](const auto& each) { return name_of(each.param); });

TEST_P(Life, ShutdownWaitsForCallsThatRun) {
  std::atomic<int> result{0};
  std::thread caller([&] { result = pair->test->hold(5); });
  ASSERT_TRUE(pair->servant->gate.wait_for_waiters(1));
  std::atomic<bool> down{false};
  std::thread stopper([&] {
    pair->server().shutdown(true);
    down = true;
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(30));
  EXPECT_FALSE(down);
  pair->servant->gate.open();
  caller.join();
  stopper.join();
  EXPECT_EQ(result, 5);
  const std::string late = outcome_of([&] { pair->test->noop(); });
  EXPECT_TRUE(late.starts_with("TRANSIENT") || late.starts_with("COMM_FAILURE")) << late;
  EXPECT_NE(late.find("NO"), std::string::npos) << late;
}

TEST_P(Life, ShutdownWithoutWaitingAnswersWhatRuns) {
  std::atomic<int> result{0};
  std::thread caller([&] { result = pair->test->hold(6); });
  ASSERT_TRUE(pair->servant->gate.wait_for_waiters(1));
  pair->server().shutdown(false);
  pair->servant->gate.open();
  caller.join();
  EXPECT_EQ(result, 6);
  EXPECT_EQ(outcome_of([&] { pair->server().run(); }), text_of(errors::orb_has_shut_down));
}

TEST_P(Life, ShutdownInsideAnUpcall) {
  EXPECT_EQ(outcome_of([&] { pair->test->shut_down(true); }), text_of(errors::would_deadlock));
  EXPECT_EQ(outcome_of([&] { pair->test->destroy_orb(); }), text_of(errors::would_deadlock));
  EXPECT_EQ(pair->test->add(1, 2), 3);
  // Which of the two comes first is open: run() returns, or says that the ORB has been shut down.
  std::thread runner([&] { outcome_of([&] { pair->server().run(); }); });
  pair->test->shut_down(false);  // the reply comes
  runner.join();
  EXPECT_NE(outcome_of([&] { pair->test->noop(); }), "");
}

TEST_P(Life, CallsAfterTheEnd) {
  pair->client().shutdown(true);
  EXPECT_EQ(outcome_of([&] { pair->test->noop(); }), text_of(errors::orb_has_shut_down));
  EXPECT_EQ(outcome_of([&] { pair->client().run(); }), text_of(errors::orb_has_shut_down));
  EXPECT_EQ(outcome_of([&] { pair->client().string_to_object("corbaloc:rir:/NameService"); }),
            text_of(errors::orb_has_shut_down));
  pair->client().shutdown(true);
  pair->client().destroy();
  EXPECT_EQ(outcome_of([&] { pair->test->noop(); }), text_of(errors::orb_destroyed));
  EXPECT_EQ(outcome_of([&] { pair->client().resolve_initial_references("RootPOA"); }),
            text_of(errors::orb_destroyed));
  pair->client().destroy();
}

TEST_P(Life, ServerComesBackAtTheSamePlace) {
  std::string endpoint;
  std::string text;
  {
    Pair first(GetParam());
    endpoint = first.server()._endpoints().front();
    tenon::publish<Suite::Test_skeleton>(first.server_orb->ref(), first.servant, "here");
    text = tenon::corbaloc(first.server_orb->ref(), "here");
  }
  const TestRef test = IDL::traits<Suite::Test>::unchecked_narrow(pair->client().string_to_object(text));
  EXPECT_NE(outcome_of([&] { test->noop(); }), "");
  for (int round = 0; round < 3; ++round) {
    ScopedOrb orb({"-ORBListenEndpoints", endpoint, "-ORBServing", GetParam().serving});
    const auto servant = CORBA::make_reference<TestServant>(*orb);
    tenon::publish<Suite::Test_skeleton>(orb.ref(), servant, "here");
    EXPECT_EQ(test->add(round, 1), round + 1);
    EXPECT_EQ(test->add(round, 2), round + 2);
  }
  EXPECT_NE(outcome_of([&] { test->noop(); }), "");
}

TEST_P(Life, PersistentReferenceSurvivesARestart) {
  const auto make_poa = [](CORBA::ORB& orb) {
    const auto root = IDL::traits<PortableServer::POA>::narrow(orb.resolve_initial_references("RootPOA"));
    root->the_POAManager()->activate();
    return root->create_POA(
        "lasting", root->the_POAManager(),
        {root->create_lifespan_policy(PortableServer::LifespanPolicyValue::PERSISTENT),
         root->create_id_assignment_policy(PortableServer::IdAssignmentPolicyValue::USER_ID)});
  };
  const PortableServer::ObjectId id = PortableServer::string_to_ObjectId("one");
  std::string text;
  std::string transient;
  std::string endpoint;
  {
    ScopedOrb orb({"-ORBListenEndpoints", endpoint_of(GetParam().protocol)});
    const auto servant = CORBA::make_reference<TestServant>(*orb);
    const auto poa = make_poa(*orb);
    poa->activate_object_with_id(id, servant);
    text = orb->object_to_string(poa->id_to_reference(id));
    transient = orb->object_to_string(
        tenon::publish<Suite::Test_skeleton>(orb.ref(), CORBA::make_reference<TestServant>(*orb)));
    endpoint = orb->_endpoints().front();
  }
  ScopedOrb orb({"-ORBListenEndpoints", endpoint, "-ORBServing", GetParam().serving});
  const auto servant = CORBA::make_reference<TestServant>(*orb);
  make_poa(*orb)->activate_object_with_id(id, servant);
  orb->_endpoints();
  const auto at = [&](const std::string& ior) {
    return IDL::traits<Suite::Test>::unchecked_narrow(pair->client().string_to_object(ior));
  };
  EXPECT_EQ(at(text)->add(4, 5), 9);
  EXPECT_EQ(outcome_of([&] { at(transient)->noop(); }).substr(0, 16), "OBJECT_NOT_EXIST");
}

TEST(Init, SameNameSameOrbUntilDestroyed) {
  const auto first = init_orb(Words{}, "init-a");
  const auto again = init_orb(Words{"-ORBid", "init-a"});
  const auto other = init_orb(Words{}, "init-b");
  EXPECT_TRUE(first == again);
  EXPECT_FALSE(first == other);
  EXPECT_EQ(first->id(), "init-a");
  first->destroy();
  const auto fresh = init_orb(Words{}, "init-a");
  EXPECT_FALSE(fresh == first);
  EXPECT_FALSE(fresh->work_pending());
  fresh->perform_work();
  fresh->destroy();
  other->destroy();
}

TEST(Init, SeveralOrbsInOneProcess) {
  std::vector<std::unique_ptr<ScopedOrb>> orbs;
  std::vector<CORBA::servant_reference<PeerServant>> servants;
  std::vector<std::string> texts;
  for (int i = 0; i < 6; ++i) {
    orbs.push_back(
        std::make_unique<ScopedOrb>(Words{"-ORBListenEndpoints", endpoint_of(i % 2 == 0 ? "iiop" : "uiop")}));
    servants.push_back(CORBA::make_reference<PeerServant>("orb " + std::to_string(i)));
    texts.push_back(
        (*orbs.back())
            ->object_to_string(tenon::publish<Suite::Peer_skeleton>(orbs.back()->ref(), servants.back())));
  }
  for (auto& orb : orbs) {
    for (std::size_t i = 0; i < texts.size(); ++i) {
      EXPECT_EQ(IDL::traits<Suite::Peer>::narrow((*orb)->string_to_object(texts[i]))->who(),
                "orb " + std::to_string(i));
    }
  }
  orbs[0].reset();
  EXPECT_NE(outcome_of([&] {
              IDL::traits<Suite::Peer>::unchecked_narrow((*orbs[1])->string_to_object(texts[0]))->who();
            }),
            "");
  EXPECT_EQ(IDL::traits<Suite::Peer>::narrow((*orbs[1])->string_to_object(texts[2]))->who(), "orb 2");
}

TEST(Init, ListensOnSeveralProtocolsAtOnce) {
  ScopedOrb server({"-ORBListenEndpoints", endpoint_of("iiop") + ";" + endpoint_of("uiop")});
  const auto servant = CORBA::make_reference<PeerServant>("both");
  const std::string text =
      server->object_to_string(tenon::publish<Suite::Peer_skeleton>(server.ref(), servant));
  EXPECT_EQ(server->_endpoints().size(), 2u);
  ScopedOrb client;
  const auto peer = IDL::traits<Suite::Peer>::narrow(client->string_to_object(text));
  EXPECT_EQ(peer->who(), "both");
  EXPECT_EQ(peer->_reference()->profiles().size(), 2u);
  // Profiles that cannot be read or have a tag that is not known are passed over.
  ior::Ior mixed = peer->_reference()->ior();
  const ior::TaggedProfile broken{mixed.profiles[0].tag, {0, 1}};
  mixed.profiles = {broken, mixed.profiles[0], {0x7654, {1, 2, 3}}, mixed.profiles[1], broken};
  const auto same = client->_core().reference(std::move(mixed));
  ASSERT_EQ(same->profiles().size(), 2u);
  EXPECT_EQ(same->profiles()[0].index, 1u);
  EXPECT_EQ(same->profiles()[1].index, 3u);
  EXPECT_EQ(same->profiles()[0].view.object_key, peer->_reference()->profiles()[0].view.object_key);
  EXPECT_EQ(same->profiles()[1].view.addresses, peer->_reference()->profiles()[1].view.addresses);
}

TEST(Init, ServantsGoWithTheOrb) {
  struct Counting final : CORBA::servant_traits<Suite::Base>::base_type {
    explicit Counting(std::atomic<int>& count) : alive(count) { ++alive; }
    ~Counting() override { --alive; }
    std::string who() override { return "counted"; }
    std::atomic<int>& alive;
  };
  std::atomic<int> alive{0};
  {
    ScopedOrb orb({"-ORBListenEndpoints", endpoint_of("iiop")});
    tenon::publish<Suite::Base_skeleton>(orb.ref(),
                                         CORBA::servant_reference<Suite::Base_skeleton>(new Counting(alive)));
    EXPECT_EQ(alive, 1);
  }
  EXPECT_EQ(alive, 0);
}

std::size_t count_sockets() {
  const std::string names = descriptor_names();
  std::size_t count = 0;
  for (std::size_t at = names.find("socket:"); at != std::string::npos; at = names.find("socket:", at + 1))
    ++count;
  return count;
}

// An ORB that has been shut down may be kept for long.
TEST(Listening, EndsWithTheShutdown) {
  for (const std::string protocol : {"iiop", "uiop", "shmiop"}) {
    for (const std::string serving : {"thread-per-connection", "pool"}) {
      SCOPED_TRACE(protocol + " " + serving);
      const ScopedOrb server({"-ORBListenEndpoints", endpoint_of(protocol), "-ORBServing", serving});
      const std::size_t before = count_sockets();
      tenon::publish<Suite::Test_skeleton>(server.ref(), CORBA::make_reference<TestServant>(*server));
      EXPECT_EQ(count_sockets(), before + 1);
      server->shutdown(true);
      EXPECT_EQ(count_sockets(), before);
    }
  }
}

// Else they would wait until the ORB is destroyed: one with a single thread keeps its sockets until then.
TEST(Listening, HangsUpOnWaitingPeersAtTheShutdown) {
  for (const char* protocol : {"uiop", "shmiop"}) {
    SCOPED_TRACE(protocol);
    const ScopedOrb server({"-ORBListenEndpoints", endpoint_of(protocol), "-ORBServing", "single-thread"});
    tenon::publish<Suite::Test_skeleton>(server.ref(), CORBA::make_reference<TestServant>(*server));
    const std::string endpoint = server->_endpoints().front();
    std::string why;
    const auto where = net::unix_address(endpoint.substr(endpoint.find("://") + 3), why);
    ASSERT_TRUE(where) << why;
    int error = 0;
    const net::Descriptor peer = net::connect_to_path(*where, Deadline::after_ms(5000), error);
    ASSERT_EQ(error, 0);
    server->shutdown(true);
    char octet = 0;
    EXPECT_EQ(::recv(peer.get(), &octet, 1, MSG_DONTWAIT), 0) << "errno " << errno;
  }
}

// A peer that goes while we write must not end the process, whatever SIGPIPE is set to.
TEST(Signals, SigpipeIsNeverRaised) {
  struct sigaction fatal{};
  struct sigaction before{};
  static std::atomic<int> raised{0};
  fatal.sa_handler = [](int) { ++raised; };
  ASSERT_EQ(::sigaction(SIGPIPE, &fatal, &before), 0);
  for (const char* protocol : {"iiop", "uiop", "shmiop"}) {
    ScopedOrb client;
    auto server = std::make_unique<ScopedOrb>(Words{"-ORBListenEndpoints", endpoint_of(protocol)});
    const auto servant = CORBA::make_reference<TestServant>(**server);
    const TestRef test = seen_by(*client, tenon::publish<Suite::Test_skeleton>(server->ref(), servant));
    test->noop();
    server.reset();
    for (int i = 0; i < 5; ++i) {
      EXPECT_NE(outcome_of([&] { test->sum(Suite::Blob(1000000)); }), "");
      // Whether a oneway is told depends on what the connection knows already.
      (void)outcome_of([&] { test->note(1); });
    }
  }
  EXPECT_EQ(raised, 0);
  ::sigaction(SIGPIPE, &before, nullptr);
}

}  // namespace
}  // namespace tenon::suite
