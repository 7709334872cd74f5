// SPDX-License-Identifier: Apache-2.0
//
// What exceptions of calls say of how they came about: which profiles and addresses were tried, how far each came, what the system
// said, how long it took. And what they do not say: anything of earlier calls.
#include <tenon/timeout.hpp>
#include <tenon/tried.hpp>

#include <atomic>
#include <cerrno>
#include <chrono>

#include "base/clock.hpp"
#include "base/minor_codes.hpp"
#include "ior/iiop_profile.hpp"
#include "ior/named_profile.hpp"
#include "ior/omniorb_unix.hpp"
#include "ior/uiop_profile.hpp"
#include "net/listener.hpp"
#include "net/name_source_test_support.hpp"
#include "suite_async.hpp"
#include "tests/orb/raw_peer.hpp"
#include "tests/orb/world.hpp"

namespace tenon::suite {
namespace {

struct Said {
  std::string name;  ///< of the exception; empty: there was none
  std::vector<Try> tries;
  std::string what;
};

Said said_by(const std::function<void()>& call) {
  try {
    call();
    return {};
  } catch (const CORBA::SystemException& exception) {
    return {std::string(exception._name()), tried(exception), exception.what()};
  }
}

/// A port of 127.0.0.1 that was ours a moment ago and is nobody's.
std::string dead_port() {
  net::Listener taken;
  std::string why;
  EXPECT_TRUE(taken.open(*net::numeric_address({"127.0.0.1", 0}), {}, why)) << why;
  return std::to_string(taken.address().port());
}

TestRef test_at(CORBA::ORB& orb, const std::string& url) {
  return IDL::traits<Suite::Test>::unchecked_narrow(orb.string_to_object(url));
}

TEST(Tried, NobodyListens) {
  const ScopedOrb client;
  const std::string port = dead_port();
  const std::int64_t began = steady_now();
  const Said said = said_by([&] { test_at(*client, "corbaloc::127.0.0.1:" + port + "/k")->noop(); });
  const std::int64_t all = steady_now() - began;
  EXPECT_EQ(said.name, "TRANSIENT");
  ASSERT_EQ(said.tries.size(), 1U) << said.what;
  EXPECT_EQ(said.tries[0].step, Step::connect);
  EXPECT_EQ(said.tries[0].profile, 1U);
  EXPECT_EQ(said.tries[0].place, "iiop 127.0.0.1:" + port);
  EXPECT_EQ(said.tries[0].os_error, ECONNREFUSED);
  EXPECT_EQ(said.tries[0].error, errors::cannot_connect);
  EXPECT_GT(said.tries[0].took_ns, 0);
  EXPECT_LT(said.tries[0].took_ns, all);
  EXPECT_TRUE(has(said.what, "tried: profile 1, iiop 127.0.0.1:" + port +
                                 ": connect: Connection refused (errno 111), after "))
      << said.what;
}

TEST(Tried, EveryAddressOfEveryProfileInOrder) {
  auto names = std::make_shared<net::TestSource>();
  names->answer("server.test", "127.0.0.1");
  use_names(names);
  const ScopedOrb client;
  use_names(nullptr);
  const std::string port = dead_port();
  const Said said = said_by([&] {
    test_at(*client, "corbaloc::nobody.test:7,:server.test:" + port + ",uiop:/no/such/socket.test|/k")
        ->noop();
  });
  EXPECT_EQ(said.name, "TRANSIENT");
  ASSERT_EQ(said.tries.size(), 3U) << said.what;
  EXPECT_EQ(said.tries[0].step, Step::look_up);
  EXPECT_EQ(said.tries[0].place, "iiop nobody.test:7");
  EXPECT_TRUE(has(said.tries[0].said, "no address for host")) << said.what;
  EXPECT_EQ(said.tries[1].place, "iiop server.test:" + port);
  EXPECT_EQ(said.tries[1].address, "127.0.0.1:" + port);
  EXPECT_EQ(said.tries[1].os_error, ECONNREFUSED);
  EXPECT_EQ(said.tries[2].place, "uiop /no/such/socket.test");
  EXPECT_EQ(said.tries[2].os_error, ENOENT);
  for (std::size_t i = 0; i < said.tries.size(); ++i) EXPECT_EQ(said.tries[i].profile, i + 1);
}

TEST(Tried, ProfilesThatNobodyHereUnderstands) {
  const ScopedOrb client;
  ior::Ior strange;
  strange.profiles = {{0x99, {1}}, {ior::tag_internet_iop, {7}}};
  const Said said = said_by([&] { test_at(*client, ior::to_ior_text(strange))->noop(); });
  ASSERT_EQ(said.tries.size(), 2U) << said.what;
  EXPECT_EQ(said.tries[0].step, Step::choose);
  EXPECT_EQ(said.tries[0].error, errors::no_usable_profile_implemented);
  EXPECT_EQ(said.tries[1].error, errors::bad_profile);
}

/// What the one profile of a reference lacks, to an ORB with these options.
std::string why_not(const ior::TaggedProfile& profile, const Words& options = {}) {
  const ScopedOrb client(options);
  ior::Ior only;
  only.profiles = {profile};
  const Said said = said_by([&] { test_at(*client, ior::to_ior_text(only))->noop(); });
  return said.tries.size() == 1 && has(said.what, said.tries[0].said) ? said.tries[0].said : said.what;
}

TEST(Tried, WhatAProfileInOrderLacksIsSaid) {
  const Words tcp_alone{"-ORBProtocol", "iiop"};
  const std::vector<std::uint8_t> key{'k'};
  const auto without_tcp = [&](ior::TaggedComponent component) {
    return ior::make_iiop_profile({2, {"127.0.0.1", 0}, key, {std::move(component)}});
  };
  EXPECT_EQ(why_not(without_tcp({ior::tag_ssl_sec_trans, {1, 0, 0x66, 0, 0x06, 0, 0x15, 0xB3}})),
            "it is reachable over TLS alone, and this ORB has no protocol ssliop (-ORBProtocolLibrary "
            "libtenon-ssliop.so)");
  const ior::TaggedProfile unix_alone = without_tcp(ior::omniorb_unix_component("elsewhere.test", "/s"));
  EXPECT_EQ(why_not(unix_alone, tcp_alone),
            "it is reachable over a Unix-domain socket alone, and this ORB has no protocol uiop");
  EXPECT_EQ(why_not(unix_alone),
            "it is reachable over a Unix-domain socket alone, of machine elsewhere.test");
  EXPECT_EQ(why_not(without_tcp({ior::tag_orb_type, {}})), "it has no address");
  EXPECT_EQ(why_not(ior::make_uiop_profile({2, "/s", key, {}}), tcp_alone), "this ORB has no protocol uiop");
  EXPECT_EQ(why_not(ior::make_named_profile(0x544E0002, {2, "elsewhere", "@a", key, {}})),
            "it is of another machine, container or user");
  EXPECT_EQ(why_not(ior::make_named_profile(0x544E0003, {2, "elsewhere", "a", key, {}})),
            "it is of another process");
}

TEST(Tried, ThePeerHangsUp) {
  const RawServer server([](RawSocket& peer) { (void)peer.receive_message(); });
  const ScopedOrb client;
  const Said said = said_by([&] { test_at(*client, server.url())->noop(); });
  EXPECT_EQ(said.name, "COMM_FAILURE");
  ASSERT_EQ(said.tries.size(), 1U) << said.what;
  EXPECT_EQ(said.tries[0].step, Step::call);
  EXPECT_EQ(said.tries[0].place, "iiop 127.0.0.1:" + std::to_string(server.port()));
  EXPECT_EQ(said.tries[0].error.minor, errors::connection_lost.minor);
}

/// The error of a call to a port where `peer` talks, and what it says.
Said said_with_peer(const RawServer::Talk& talk) {
  const RawServer server(talk);
  const ScopedOrb client;
  return said_by([&] { test_at(*client, server.url())->noop(); });
}

Bytes octets(std::string_view text) { return {text.begin(), text.end()}; }

TEST(Tried, APeerThatSpeaksNoGiopIsShown) {
  const Said web = said_with_peer([](RawSocket& peer) {
    (void)peer.receive_message();
    (void)peer.send(octets("HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n"));
  });
  EXPECT_EQ(web.name, "COMM_FAILURE");
  ASSERT_EQ(web.tries.size(), 1U) << web.what;
  EXPECT_EQ(web.tries[0].error.minor, errors::giop_bad_magic.minor);
  EXPECT_TRUE(
      has(web.what, "the peer sent something that is not GIOP: it begins with 'HTTP/1.1 400 Bad Request"))
      << web.what;
  // Less than a header, and then nothing more: nobody waits for the rest.
  const Said tls = said_with_peer([](RawSocket& peer) {
    (void)peer.receive_message();
    (void)peer.send({0x15, 3, 1, 0, 2, 2, 10});
    while (!peer.receive_message().empty()) {}
  });
  EXPECT_EQ(tls.name, "COMM_FAILURE") << tls.what;
  EXPECT_TRUE(has(tls.what, "it begins with 1503010002020a (TLS)")) << tls.what;
  // It talks first, as many do.
  const Said shell = said_with_peer([](RawSocket& peer) {
    (void)peer.send(octets("SSH-2.0-OpenSSH_9.2p1\r\n"));
    (void)peer.receive_message();
  });
  EXPECT_TRUE(has(shell.what, "it begins with 'SSH-2.0-OpenSSH_9.2p1\\x0d\\x0a'")) << shell.what;
  const Said later = said_with_peer([](RawSocket& peer) {
    (void)peer.receive_message();
    (void)peer.send({'G', 'I', 'O', 'P', 2, 0, 0, 0, 0, 0, 0, 0});
  });
  EXPECT_TRUE(has(later.what, "a GIOP version that we do not: it begins with 47494f500200")) << later.what;
}

TEST(Tried, AReplyAboveTheLimitIsSaidToBeThat) {
  const RawServer server([](RawSocket& peer) {
    (void)peer.receive_message();
    (void)peer.send(message(1, Bytes(100000)));
  });
  const ScopedOrb client({"-ORBMaxMessageSize", "64k"});
  const Said said = said_by([&] { test_at(*client, server.url())->noop(); });
  EXPECT_EQ(said.name, "COMM_FAILURE");
  EXPECT_TRUE(has(said.what, "a GIOP message is larger than the limit (-ORBMaxMessageSize")) << said.what;
}

TEST(Tried, WhatComesIsShownInPart) {
  const Said said = said_with_peer([](RawSocket& peer) {
    (void)peer.receive_message();
    (void)peer.send(Bytes(100000, 0xEE));
  });
  EXPECT_TRUE(has(said.what, "it begins with eeeeee")) << said.what;
  EXPECT_LT(said.what.size(), 400U) << said.what;
}

TEST(Tried, NoReplyInTime) {
  Gate gate;
  const RawServer server([&](RawSocket& peer) {
    (void)peer.receive_message();
    gate.pass();
  });
  const ScopedOrb client;
  const Said said = said_by([&] {
    const TimeoutScope hurry(std::chrono::milliseconds(40));
    test_at(*client, server.url())->noop();
  });
  gate.open();
  EXPECT_EQ(said.name, "TIMEOUT");
  ASSERT_EQ(said.tries.size(), 1U) << said.what;
  EXPECT_EQ(said.tries[0].step, Step::call);
  EXPECT_GE(said.tries[0].took_ns, 10'000'000) << said.what;  // the system counts in ticks
  EXPECT_TRUE(has(said.what, std::string(describe(errors::reply_timed_out)) + ", after ")) << said.what;
}

// A CancelRequest goes out then, and is not what the time is measured from.
TEST(Tried, NoReplyInTimeAndTheServerIsTold) {
  for (const bool waits : {true, false}) {
    std::atomic<unsigned> cancelled{0};
    const RawServer server([&](RawSocket& peer) {
      for (Bytes came; !(came = peer.receive_message()).empty();) cancelled += came[7] == 2;
    });
    ScopedOrb client({"-ORBCancelRequests", "yes"});
    const TestRef test = test_at(*client, server.url());
    const Said said = said_by([&] {
      const TimeoutScope hurry(std::chrono::milliseconds(40));
      waits ? test->noop() : tenon::async(test).noop().get();
    });
    EXPECT_EQ(said.name, "TIMEOUT");
    ASSERT_EQ(said.tries.size(), 1U) << said.what;
    EXPECT_EQ(said.tries[0].step, Step::call);
    EXPECT_GE(said.tries[0].took_ns, 10'000'000) << said.what;
    EXPECT_TRUE(eventually([&] { return cancelled == 1; })) << cancelled;
    client.destroy();  // ends the connection on which the server still reads
  }
}

TEST(Tried, AForwardThatLeadsNowhere) {
  const Pair pair(Case{"iiop", "thread-per-connection"});
  const std::string port = dead_port();
  auto forwarder = CORBA::make_reference<ForwardingServant>();
  forwarder->to = pair.server().string_to_object("corbaloc::127.0.0.1:" + port + "/k");
  const BaseRef first =
      pair.at_client(tenon::publish<Suite::Base_skeleton>(pair.server_orb->ref(), forwarder));
  const Said said = said_by([&] { first->who(); });
  EXPECT_EQ(said.name, "TRANSIENT");
  // The object is asked again where it may be now, and says the same.
  ASSERT_EQ(said.tries.size(), 4U) << said.what;
  EXPECT_EQ(said.tries[0].step, Step::forward);
  EXPECT_EQ(said.tries[1].step, Step::connect);
  EXPECT_EQ(said.tries[1].place, "iiop 127.0.0.1:" + port);
  EXPECT_EQ(said.tries[2].step, Step::forward);
  EXPECT_EQ(said.tries[3].step, Step::connect);
}

TEST(Tried, EarlierCallsLeaveNothingBehind) {
  const Pair pair(Case{"iiop", "thread-per-connection"});
  const std::string endpoint = pair.server()._endpoints().front();
  const std::string alive = endpoint.substr(endpoint.rfind('/') + 1);
  tenon::publish(pair.server_orb->ref(), CORBA::make_reference<PeerServant>("named"), "named");
  const TestRef test = test_at(pair.client(), "corbaloc::127.0.0.1:" + dead_port() + ",:" + alive + "/named");
  EXPECT_TRUE(test->_is_a(std::string(Suite::Peer::_static_id)));  // not at the first address
  const Said over_a_warm_connection = said_by([&] { test->noop(); });
  EXPECT_EQ(over_a_warm_connection.name, "BAD_OPERATION");
  ASSERT_EQ(over_a_warm_connection.tries.size(), 1U) << over_a_warm_connection.what;
  EXPECT_EQ(over_a_warm_connection.tries[0].step, Step::answer);
  EXPECT_EQ(over_a_warm_connection.tries[0].place, "iiop " + alive);
}

// Calls that nobody waits for have tried what others have.
TEST(Tried, ByCallsThatAreNotWaitedFor) {
  ScopedOrb client;
  const std::string port = dead_port();
  const TestRef nobody = test_at(*client, "corbaloc::127.0.0.1:" + port + ",:127.0.0.1:" + port + "/k");
  const Said refused = said_by([&] { tenon::async(nobody).noop().get(); });
  EXPECT_EQ(refused.name, "TRANSIENT");
  ASSERT_EQ(refused.tries.size(), 2U) << refused.what;
  EXPECT_EQ(refused.tries[1].profile, 2U);
  EXPECT_EQ(refused.tries[1].os_error, ECONNREFUSED);

  const Pair pair(Case{"iiop", "thread-per-connection"});
  auto forwarder = CORBA::make_reference<ForwardingServant>();
  forwarder->to = pair.server().string_to_object("corbaloc::127.0.0.1:" + port + "/k");
  const BaseRef first =
      pair.at_client(tenon::publish<Suite::Base_skeleton>(pair.server_orb->ref(), forwarder));
  const Said ended = said_by([&] { static_cast<void>(tenon::async(first).who().get()); });
  ASSERT_EQ(ended.tries.size(), 4U) << ended.what;
  EXPECT_EQ(ended.tries[0].step, Step::forward);
  EXPECT_EQ(ended.tries[3].step, Step::connect);

  const RawServer server([](RawSocket& peer) {
    while (!peer.receive_message().empty()) {}
  });
  const TestRef silent = test_at(*client, server.url());
  const Said late = said_by([&] {
    const TimeoutScope hurry(std::chrono::milliseconds(40));
    tenon::async(silent).noop().get();
  });
  EXPECT_EQ(late.name, "TIMEOUT");
  ASSERT_EQ(late.tries.size(), 1U) << late.what;
  EXPECT_EQ(late.tries[0].step, Step::call);
  EXPECT_EQ(late.tries[0].place, "iiop 127.0.0.1:" + std::to_string(server.port()));
  auto reply = tenon::async(silent).noop();
  reply.cancel();
  const Said cancelled = said_by([&] { reply.get(); });
  ASSERT_EQ(cancelled.tries.size(), 1U) << cancelled.what;
  EXPECT_EQ(cancelled.tries[0].error.minor, errors::request_cancelled.minor);
  client.destroy();  // ends the connection on which the server still reads
}

TEST(Tried, WhatNoCallRaisesSaysNothing) {
  const ScopedOrb orb;
  const Said said = said_by([&] { orb->string_to_object("corbaloc:nonsense"); });
  EXPECT_EQ(said.name, "BAD_PARAM");
  EXPECT_TRUE(said.tries.empty());
  EXPECT_FALSE(has(said.what, "tried"));
}

using TriedOver = World;
INSTANTIATE_TEST_SUITE_P(All, TriedOver, ::testing::ValuesIn(all_cases()),
                         [](const auto& each) { return name_of(each.param); });

TEST_P(TriedOver, AnObjectThatIsGone) {
  const auto poa =
      IDL::traits<PortableServer::POA>::narrow(pair->server().resolve_initial_references("RootPOA"));
  pair->test->noop();
  poa->deactivate_object(poa->servant_to_id(pair->servant));
  const Said said = said_by([&] { pair->test->noop(); });
  EXPECT_EQ(said.name, "OBJECT_NOT_EXIST");
  ASSERT_EQ(said.tries.size(), 1U) << said.what;
  EXPECT_EQ(said.tries[0].step, Step::answer);
  EXPECT_EQ(said.tries[0].error.minor, errors::object_not_active.minor);
  EXPECT_TRUE(has(said.what, "the server answered OBJECT_NOT_EXIST")) << said.what;
  const Said later = said_by([&] { tenon::async(pair->test).noop().get(); });
  ASSERT_EQ(later.tries.size(), 1U) << later.what;
  EXPECT_EQ(later.tries[0].step, Step::answer);
  EXPECT_EQ(later.tries[0].place, said.tries[0].place);
  EXPECT_EQ(later.tries[0].said, said.tries[0].said);
}

}  // namespace
}  // namespace tenon::suite
