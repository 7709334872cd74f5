// SPDX-License-Identifier: Apache-2.0
//
// Bidirectional connections: calls back go over the connection that the client has opened, when both sides want it, and only then.
// Clients publish an address that leads nowhere where that can be, so that a call back by any other way fails.
#include <atomic>
#include <thread>

#include <tenon/messaging.hpp>

#include "base/bytes.hpp"
#include "base/log.hpp"
#include "base/minor_codes.hpp"
#include "giop/contexts.hpp"
#include "giop/reply.hpp"
#include "giop/request.hpp"
#include "ior/iiop_profile.hpp"
#include "ior/listen_points.hpp"
#include "tests/orb/raw_peer.hpp"
#include "tests/orb/world.hpp"

namespace tenon::suite {
namespace {

using CORBA::SetOverrideType;

constexpr const char* accepted = "accepted a connection";

/// Nobody listens there, and the test does not wait for that to show.
constexpr const char* nowhere = "iiop://127.0.0.1:0/publish=127.0.0.1:1";

Words client_options(const Case& which, const Words& more = {}) {
  Words options{"-ORBConnectionsPerEndpoint", "1"};
  if (which.protocol == "iiop") options.insert(options.end(), {"-ORBListenEndpoints", nowhere});
  options.insert(options.end(), more.begin(), more.end());
  return options;
}

using Bidirectional = World;
INSTANTIATE_TEST_SUITE_P(All, Bidirectional, ::testing::ValuesIn(remote_cases()),
                         [](const auto& each) { return name_of(each.param); });

PeerRef peer_of(const OrbRef& orb, const std::string& name) {
  return tenon::publish<Suite::Peer_skeleton>(orb, CORBA::make_reference<PeerServant>(name));
}

TEST_P(Bidirectional, CallsBackTakeTheClientsConnection) {
  const LogLines lines(LogLevel::debug);
  const Pair one(GetParam(), {"-ORBBidirectional", "accept"},
                 client_options(GetParam(), {"-ORBBidirectional", "offer"}));
  const PeerRef callback = peer_of(one.client_orb->ref(), "client");
  EXPECT_EQ(one.test->ask(callback), "client");
  EXPECT_EQ(lines.count(accepted), 1);
  // Calls back while the client calls nothing.
  const PeerRef at_server = seen_by(one.server(), callback);
  for (int i = 0; i < 20; ++i) EXPECT_EQ(at_server->who(), "client");
  EXPECT_EQ(one.test->add(1, 2), 3);
  EXPECT_EQ(lines.count(accepted), 1);
}

TEST_P(Bidirectional, CallsNestInBothDirections) {
  const LogLines lines(LogLevel::debug);
  const Pair one(GetParam(), {"-ORBBidirectional", "accept"},
                 client_options(GetParam(), {"-ORBBidirectional", "offer"}));
  const PeerRef here = peer_of(one.client_orb->ref(), "client");
  const PeerRef there = one.at_client(peer_of(one.server_orb->ref(), "server"));
  EXPECT_EQ(there->recurse(here, 6), 7);
  EXPECT_EQ(lines.count(accepted), 1);
}

TEST_P(Bidirectional, ManyThreadsOnBothSides) {
  const Pair one(GetParam(), {"-ORBBidirectional", "accept"},
                 client_options(GetParam(), {"-ORBBidirectional", "offer"}));
  const PeerRef callback = peer_of(one.client_orb->ref(), "client");
  EXPECT_EQ(one.test->ask(callback), "client");
  const PeerRef at_server = seen_by(one.server(), callback);
  std::atomic<int> right{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 30; ++i) right += one.test->add(i, 1) == i + 1 ? 1 : 0;
    });
    threads.emplace_back([&] {
      for (int i = 0; i < 30; ++i) right += at_server->who() == "client" ? 1 : 0;
    });
    threads.emplace_back([&] {
      for (int i = 0; i < 30; ++i) right += one.test->ask(callback) == "client" ? 1 : 0;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(right, 270);
}

TEST_P(Bidirectional, NothingOfTheKindUnlessBothSidesWantIt) {
  for (const auto& [server, client] : std::vector<std::pair<std::string, std::string>>{
           {"no", "both"}, {"offer", "both"}, {"both", "no"}, {"both", "accept"}}) {
    const LogLines lines(LogLevel::debug);
    const Pair one(GetParam(), {"-ORBBidirectional", server},
                   {"-ORBConnectionsPerEndpoint", "1", "-ORBBidirectional", client});
    EXPECT_EQ(one.test->ask(peer_of(one.client_orb->ref(), "client")), "client");
    EXPECT_EQ(lines.count(accepted), 2) << server << ' ' << client;
  }
}

// What was connected before there was anything to offer is left for a connection that offers.
TEST_P(Bidirectional, AClientThatBeginsToListenLater) {
  const Pair one(GetParam(), {"-ORBBidirectional", "accept"},
                 client_options(GetParam(), {"-ORBBidirectional", "offer"}));
  EXPECT_EQ(one.test->add(1, 2), 3);
  EXPECT_EQ(one.test->add(1, 2), 3);
  EXPECT_EQ(one.test->ask(peer_of(one.client_orb->ref(), "client")), "client");
  EXPECT_EQ(one.test->add(1, 2), 3);
}

CORBA::object_reference<PortableServer::POA> bidirectional_poa(CORBA::ORB& orb) {
  const auto root = IDL::traits<PortableServer::POA>::narrow(orb.resolve_initial_references("RootPOA"));
  root->the_POAManager()->activate();
  return root->create_POA("bidirectional", root->the_POAManager(),
                          {tenon::create_bidirectional_policy(BiDirPolicy::BOTH)});
}

TEST_P(Bidirectional, PoasAskForIt) {
  const Pair one(GetParam(), {}, client_options(GetParam()));
  bidirectional_poa(one.server());
  const auto poa = bidirectional_poa(one.client());
  const auto servant = CORBA::make_reference<PeerServant>("client");
  const auto id = poa->activate_object(servant);
  const auto callback = IDL::traits<Suite::Peer>::narrow(poa->id_to_reference(id));
  EXPECT_EQ(one.test->ask(callback), "client");
}

TEST_P(Bidirectional, ReferencesAndOrbsSayOtherwise) {
  const Pair one(GetParam(), {"-ORBBidirectional", "accept"}, {"-ORBConnectionsPerEndpoint", "1"});
  const PeerRef callback = peer_of(one.client_orb->ref(), "client");
  const auto both = tenon::create_bidirectional_policy(BiDirPolicy::BOTH);
  const auto normal = tenon::create_bidirectional_policy(BiDirPolicy::NORMAL);
  const LogLines lines(LogLevel::debug);
  const TestRef asks = IDL::traits<Suite::Test>::narrow(
      one.test->_set_policy_overrides({both}, SetOverrideType::SET_OVERRIDE));
  EXPECT_EQ(asks->ask(callback), "client");
  EXPECT_EQ(lines.count(accepted), 1);
  EXPECT_EQ(one.test->ask(callback), "client");  // the server has a way to that address now
  EXPECT_EQ(lines.count(accepted), 2);
  const auto manager =
      IDL::traits<CORBA::PolicyManager>::narrow(one.client().resolve_initial_references("ORBPolicyManager"));
  manager->set_policy_overrides({both}, SetOverrideType::SET_OVERRIDE);
  EXPECT_EQ(one.test->ask(callback), "client");  // over the connection that there is for such calls
  EXPECT_EQ(lines.count(accepted), 2);
  const auto said = IDL::traits<BiDirPolicy::BidirectionalPolicy>::narrow(
      one.test->_get_policy(BiDirPolicy::BIDIRECTIONAL_POLICY_TYPE));
  EXPECT_EQ(said->value(), BiDirPolicy::BOTH);
  manager->set_policy_overrides({normal}, SetOverrideType::SET_OVERRIDE);
  EXPECT_EQ(one.test->add(1, 2), 3);
  // The server does not want it for this object.
  const PeerRef alone = IDL::traits<Suite::Peer>::narrow(
      seen_by(one.server(), callback)->_set_policy_overrides({normal}, SetOverrideType::SET_OVERRIDE));
  EXPECT_EQ(alone->who(), "client");
  EXPECT_EQ(lines.count(accepted), 3);
}

TEST_P(Bidirectional, ThreadsHaveNoSuchPolicy) {
  const auto current =
      IDL::traits<CORBA::PolicyCurrent>::narrow(pair->client().resolve_initial_references("PolicyCurrent"));
  EXPECT_EQ(outcome_of([&] {
              current->set_policy_overrides({tenon::create_bidirectional_policy(BiDirPolicy::BOTH)},
                                            SetOverrideType::SET_OVERRIDE);
            }),
            text_of(errors::not_a_policy_of_calls));
}

// The addresses that a client has named go with its connection; the next client of the same address is called over its own.
TEST_P(Bidirectional, AddressesGoWithTheConnection) {
  if (GetParam().protocol != "iiop") return;  // where two clients can publish one address
  const Pair one(GetParam(), {"-ORBBidirectional", "accept"},
                 client_options(GetParam(), {"-ORBBidirectional", "offer"}));
  const TestRef published = tenon::publish<Suite::Test_skeleton>(one.server_orb->ref(), one.servant, "test");
  const PeerRef at_server = seen_by(one.server(), peer_of(one.client_orb->ref(), "client"));
  EXPECT_EQ(outcome_of([&] { at_server->who(); }),
            text_of(errors::cannot_connect));  // it has said nothing yet
  EXPECT_EQ(one.test->add(1, 2), 3);
  EXPECT_EQ(at_server->who(), "client");
  one.client_orb->destroy();
  EXPECT_TRUE(
      eventually([&] { return outcome_of([&] { at_server->who(); }) == text_of(errors::cannot_connect); }));
  ScopedOrb next(
      {"-ORBListenEndpoints", nowhere, "-ORBServing", GetParam().serving, "-ORBBidirectional", "offer"});
  const PeerRef callback = peer_of(next.ref(), "next");
  EXPECT_EQ(seen_by(*next, published)->ask(callback), "next");
}

// --- a peer by hand ---

Bytes request_with(std::uint32_t id, const char* operation,
                   const std::vector<giop::ServiceContext>& contexts) {
  static constexpr std::uint8_t key[] = {'t'};
  cdr::Writer writer({.giop_minor = 2});
  giop::RequestOut out{.request_id = id,
                       .target = {},
                       .operation = operation,
                       .contexts = contexts,
                       .principal = {},
                       .has_body = false};
  out.target.key = key;
  giop::begin_request(writer, out);
  giop::finish_message(writer);
  return {writer.bytes().begin(), writer.bytes().end()};
}

/// The ids of the service contexts that a GIOP 1.2 request carries, in their order.
std::vector<std::uint32_t> context_ids(const Bytes& message) {
  cdr::Reader body(ByteView(message).subspan(giop::header_size), {.giop_minor = 2, .order = native_order},
                   giop::body_phase);
  giop::RequestHeader head;
  EXPECT_TRUE(giop::read_request(body, head));
  std::vector<std::uint32_t> ids;
  giop::ContextList::Walk walk(head.contexts);
  for (giop::ServiceContext each; walk.next(each);) ids.push_back(each.id);
  return ids;
}

// TAO's servers look at the first context that they know and at no other one: code sets in front of it hide the offer.
TEST(BidirectionalContexts, TheOfferComesBeforeTheCodeSets) {
  std::vector<std::uint32_t> ids;
  auto server =
      std::make_unique<RawServer>([&](RawSocket& peer) { ids = context_ids(peer.receive_message()); });
  const ScopedOrb client({"-ORBListenEndpoints", nowhere, "-ORBBidirectional", "offer"});
  const PeerRef listening = peer_of(client.ref(), "client");
  const auto& own = listening->_reference()->profiles();
  ASSERT_FALSE(own.empty());
  ior::Ior place;
  place.profiles.push_back(ior::make_iiop_profile({.minor = 2,
                                                   .address = {"127.0.0.1", server->port()},
                                                   .key = {'t'},
                                                   .components = own.front().view.components}));
  const ObjectRef there = client->string_to_object(ior::to_ior_text(place));
  EXPECT_NE(outcome_of([&] { there->_non_existent(); }), "");
  server.reset();
  EXPECT_EQ(ids, (std::vector<std::uint32_t>{giop::context_bi_dir_iiop, giop::context_code_sets}));
}

class RawClient : public ::testing::Test {
 protected:
  explicit RawClient(const Words& options = {"-ORBBidirectional", "accept"}) : server(options) {
    test =
        tenon::publish<Suite::Test_skeleton>(server.ref(), CORBA::make_reference<TestServant>(*server), "t");
    const std::string endpoint = server->_endpoints().front();
    peer =
        RawSocket::connect(static_cast<std::uint16_t>(std::stoi(endpoint.substr(endpoint.rfind(':') + 1))));
  }
  /// Says that it listens at 127.0.0.1, ports from `first` on.
  bool offer(std::uint16_t first, std::uint16_t count) {
    std::vector<ior::IiopAddress> points;
    for (std::uint16_t i = 0; i < count; ++i)
      points.push_back({"127.0.0.1", static_cast<std::uint16_t>(first + i)});
    return call_with({giop::context_bi_dir_iiop, ior::make_listen_points(points)});
  }
  /// False: no reply has come.
  bool call_with(const giop::ServiceContext& context) {
    return peer.send(request_with(0, "noop", {context})) && !peer.receive_message().empty();
  }
  PeerRef at(int port) {
    return IDL::traits<Suite::Peer>::unchecked_narrow(
        server->string_to_object("corbaloc:iiop:1.2@127.0.0.1:" + std::to_string(port) + "/key"));
  }
  /// Answers one request with "raw"; the request's id.
  std::uint32_t answer() {
    const Bytes request = peer.receive_message();
    if (request.size() < 16) return 0;
    const std::uint32_t id = load<std::uint32_t>(request.data() + 12, false);
    cdr::Writer writer({.giop_minor = 2});
    giop::begin_reply(writer, {.request_id = id});
    writer.put_string("raw");
    giop::finish_message(writer);
    EXPECT_TRUE(peer.send({writer.bytes().begin(), writer.bytes().end()}));
    return id;
  }

  ScopedOrb server;
  TestRef test;
  RawSocket peer;
};

// GIOP 1.2 §9.8: the acceptor's request ids are odd.
TEST_F(RawClient, IsCalledWithOddIds) {
  ASSERT_TRUE(offer(1, 1));
  std::string said;
  std::thread caller([&] { EXPECT_EQ(outcome_of([&] { said = at(1)->who(); }), ""); });
  EXPECT_EQ(answer() % 2, 1u);
  caller.join();
  EXPECT_EQ(said, "raw");
}

TEST_F(RawClient, IsBelievedAboutSoManyAddresses) {
  ASSERT_TRUE(offer(1, 40));
  ASSERT_TRUE(offer(41, 1));
  std::thread caller([&] { EXPECT_EQ(outcome_of([&] { at(16)->who(); }), ""); });
  answer();
  caller.join();
  EXPECT_EQ(outcome_of([&] { at(17)->who(); }), text_of(errors::cannot_connect));
  EXPECT_EQ(outcome_of([&] { at(41)->who(); }), text_of(errors::cannot_connect));
}

TEST_F(RawClient, SupplementsWhatItHasSaid) {
  ASSERT_TRUE(offer(1, 1));
  ASSERT_TRUE(offer(2, 1));
  for (const int port : {1, 2}) {
    std::thread caller([&] { EXPECT_EQ(outcome_of([&] { at(port)->who(); }), ""); });
    answer();
    caller.join();
  }
}

TEST_F(RawClient, IsNotBelievedAboutOurOwnObjects) {
  const std::string endpoint = server->_endpoints().front();
  ASSERT_TRUE(offer(static_cast<std::uint16_t>(std::stoi(endpoint.substr(endpoint.rfind(':') + 1))), 1));
  EXPECT_EQ(test->add(1, 2), 3);
}

TEST_F(RawClient, SendsNonsense) {
  const std::vector<Bytes> all{{},
                               {1},
                               {1, 0, 0, 0, 255, 255, 255, 255},
                               {1, 0, 0, 0, 1, 0, 0, 0, 200, 0, 0, 0, 'x'},
                               {1, 0, 0, 0, 0, 0, 0, 0}};
  for (const Bytes& nonsense : all) ASSERT_TRUE(call_with({giop::context_bi_dir_iiop, nonsense}));
  ASSERT_TRUE(offer(1, 1));
}

// A call that is on its way when the connection ends may have been executed; the next one finds no way.
TEST_F(RawClient, GoesAway) {
  ASSERT_TRUE(offer(1, 1));
  const PeerRef reference = at(1);
  std::thread caller([&] {
    EXPECT_EQ(outcome_of([&] { reference->who(); }),
              text_of(errors::connection_lost.with(Completion::maybe)));
  });
  EXPECT_FALSE(peer.receive_message().empty());
  peer.close();
  caller.join();
  EXPECT_EQ(outcome_of([&] { reference->who(); }), text_of(errors::cannot_connect));
}

// §9.5.1.1: what was not answered before CloseConnection was not executed, so it is sent again, by another way.
TEST_F(RawClient, ClosesInOrder) {
  ASSERT_TRUE(offer(1, 1));
  std::thread caller([&] { EXPECT_EQ(outcome_of([&] { at(1)->who(); }), text_of(errors::cannot_connect)); });
  EXPECT_FALSE(peer.receive_message().empty());
  EXPECT_TRUE(peer.send(message(5, {})));
  caller.join();
}

class UnbelievedClient : public RawClient {
 protected:
  UnbelievedClient() : RawClient({}) {}
};

// Who was not asked must not answer: the reply of a peer that is none ends its connection.
TEST_F(UnbelievedClient, IsNotCalled) {
  ASSERT_TRUE(offer(1, 1));
  EXPECT_EQ(outcome_of([&] { at(1)->who(); }), text_of(errors::cannot_connect));
  cdr::Writer writer({.giop_minor = 2});
  giop::begin_reply(writer, {.request_id = 1, .has_body = false});
  giop::finish_message(writer);
  EXPECT_TRUE(peer.send({writer.bytes().begin(), writer.bytes().end()}));
  const Bytes said = peer.receive_message();
  ASSERT_GE(said.size(), 12u);
  EXPECT_EQ(said[7], 6);  // MessageError
}

}  // namespace
}  // namespace tenon::suite
