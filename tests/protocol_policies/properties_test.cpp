// SPDX-License-Identifier: Apache-2.0
//
// Properties of protocols, as the sockets of calls have them.
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

#include <tenon/dynamic_protocols.hpp>

#include "net/pacing_test_support.hpp"
#include "tests/protocol_policies/world.hpp"

namespace tenon::protocols {
namespace {

using ProtocolProperties = World;
using Properties = CORBA::object_reference<RTCORBA::ProtocolProperties>;

int option(int socket, int level, int name) {
  int value = -1;
  socklen_t size = sizeof value;
  EXPECT_EQ(::getsockopt(socket, level, name, &value, &size), 0);
  return value;
}

Properties tcp(std::int32_t send, std::int32_t receive, bool keep_alive, bool dont_route, bool no_delay) {
  return CORBA::make_reference<RTCORBA::TCPProtocolProperties>(send, receive, keep_alive, dont_route,
                                                               no_delay);
}

PolicyRef policy(IOP::ProfileId tag, const Properties& transport) {
  return CORBA::make_reference<RTCORBA::ClientProtocolPolicy>(
      RTCORBA::ProtocolList{RTCORBA::Protocol(tag, nullptr, transport)});
}

/// The one socket that a call over the object opens in a new ORB.
template <typename Code>
void look_at_socket(const TargetRef& there, const ScopedOrb& client, Code code) {
  ASSERT_EQ(there->add(1, 2), 3);
  const std::vector<int> all = sockets(client);
  ASSERT_EQ(all.size(), 1U);
  code(all[0]);
}

TEST_F(ProtocolProperties, OfTcpAreThoseOfTheSocket) {
  for (const bool on : {true, false}) {
    const ScopedOrb client;
    const TargetRef there = with(seen_by(client), {policy(iiop, tcp(20000, 30000, on, on, on))});
    look_at_socket(there, client, [on](int socket) {
      EXPECT_EQ(option(socket, IPPROTO_TCP, TCP_NODELAY) != 0, on);
      EXPECT_EQ(option(socket, SOL_SOCKET, SO_KEEPALIVE) != 0, on);
      EXPECT_EQ(option(socket, SOL_SOCKET, SO_DONTROUTE) != 0, on);
      EXPECT_EQ(option(socket, SOL_SOCKET, SO_SNDBUF), 2 * 20000);  // Linux doubles it
      EXPECT_EQ(option(socket, SOL_SOCKET, SO_RCVBUF), 2 * 30000);
    });
  }
}

TEST_F(ProtocolProperties, WhatTheyDoNotSayIsAsTheOptionsHaveIt) {
  const ScopedOrb plain({"-ORBSndSock", "25000"});
  look_at_socket(seen_by(plain), plain, [](int socket) {
    EXPECT_EQ(option(socket, IPPROTO_TCP, TCP_NODELAY), 1);
    EXPECT_EQ(option(socket, SOL_SOCKET, SO_SNDBUF), 2 * 25000);
  });
  const ScopedOrb client({"-ORBSndSock", "25000"});
  const TargetRef there = with(seen_by(client), {policy(iiop, tcp(0, 30000, true, false, true))});
  look_at_socket(there, client, [](int socket) {
    EXPECT_EQ(option(socket, SOL_SOCKET, SO_SNDBUF), 2 * 25000);
    EXPECT_EQ(option(socket, SOL_SOCKET, SO_RCVBUF), 2 * 30000);
  });
}

TEST_F(ProtocolProperties, OfUnixDomainSockets) {
  const ScopedOrb client;
  const Properties buffers = CORBA::make_reference<UnixDomainProtocolProperties>(20000, 30000);
  look_at_socket(with(seen_by(client), {policy(uiop, buffers)}), client, [](int socket) {
    EXPECT_EQ(option(socket, SOL_SOCKET, SO_DOMAIN), AF_UNIX);
    EXPECT_EQ(option(socket, SOL_SOCKET, SO_SNDBUF), 2 * 20000);
    EXPECT_EQ(option(socket, SOL_SOCKET, SO_RCVBUF), 2 * 30000);
  });
}

TEST_F(ProtocolProperties, AProtocolPassesOverWhatDoesNotApplyToIt) {
  const ScopedOrb client;
  look_at_socket(with(seen_by(client), {policy(uiop, tcp(20000, 0, true, true, true))}), client,
                 [](int socket) { EXPECT_EQ(option(socket, SOL_SOCKET, SO_SNDBUF), 2 * 20000); });
}

TEST_F(ProtocolProperties, CallsWhosePropertiesDifferShareNoConnection) {
  const ScopedOrb client;
  const TargetRef plain = seen_by(client);
  const TargetRef slow = with(plain, {policy(iiop, tcp(0, 0, true, false, false))});
  const TargetRef also_slow = with(plain, {policy(iiop, tcp(0, 0, true, false, false))});
  const TargetRef fast = with(plain, {policy(iiop, tcp(0, 0, true, false, true))});
  for (int i = 0; i < 2; ++i) {
    for (const TargetRef& each : {plain, slow, also_slow, fast}) EXPECT_EQ(each->add(1, 2), 3);
  }
  EXPECT_EQ(connections(client), "iiop iiop iiop");
  int delayed = 0;
  for (const int socket : sockets(client)) delayed += option(socket, IPPROTO_TCP, TCP_NODELAY) == 0 ? 1 : 0;
  EXPECT_EQ(delayed, 1);
}

TEST_F(ProtocolProperties, APolicyKeepsWhatItWasMadeOf) {
  const ScopedOrb client;
  const auto properties = CORBA::make_reference<RTCORBA::TCPProtocolProperties>(0, 0, true, false, false);
  const PolicyRef made = policy(iiop, properties);
  properties->no_delay(true);
  look_at_socket(with(seen_by(client), {made}), client,
                 [](int socket) { EXPECT_EQ(option(socket, IPPROTO_TCP, TCP_NODELAY), 0); });
}

Properties marked(std::uint8_t dscp) {
  return CORBA::make_reference<tenon::TCPProtocolProperties>(0, 0, true, false, true, dscp);
}

/// The socket of this process at the other end of a connection.
int other_end(int socket) {
  sockaddr_storage own{};
  socklen_t own_size = sizeof own;
  EXPECT_EQ(::getsockname(socket, reinterpret_cast<sockaddr*>(&own), &own_size), 0);
  for (int fd = 0; fd < 4096; ++fd) {
    sockaddr_storage peer{};
    socklen_t size = sizeof peer;
    if (::getpeername(fd, reinterpret_cast<sockaddr*>(&peer), &size) == 0 && size == own_size &&
        std::memcmp(&peer, &own, size) == 0)
      return fd;
  }
  ADD_FAILURE() << "no such socket";
  return -1;
}

TEST_F(ProtocolProperties, TheDscpOfAClient) {
  const ScopedOrb client;
  look_at_socket(with(seen_by(client), {policy(iiop, marked(46))}), client, [](int socket) {
    EXPECT_EQ(option(socket, IPPROTO_IP, IP_TOS), 46 << 2);
    EXPECT_EQ(option(other_end(socket), IPPROTO_IP, IP_TOS), 0);
    EXPECT_EQ(option(socket, IPPROTO_TCP, TCP_NODELAY), 1);
  });
}

TEST_F(ProtocolProperties, TheDscpOfAServersPoaAndOfItsOrb) {
  const auto policy_of = [](std::uint8_t dscp) -> PolicyRef {
    return CORBA::make_reference<RTCORBA::ServerProtocolPolicy>(
        RTCORBA::ProtocolList{RTCORBA::Protocol(iiop, nullptr, marked(dscp))});
  };
  const auto seen_at_server = [this](const TargetRef& object) {
    const ScopedOrb client;
    int dscp = -1;
    look_at_socket(seen_by(client, object), client, [&dscp](int socket) {
      EXPECT_EQ(option(socket, IPPROTO_IP, IP_TOS), 0);
      dscp = option(other_end(socket), IPPROTO_IP, IP_TOS) >> 2;
    });
    return dscp;
  };
  EXPECT_EQ(seen_at_server(target), 0);
  EXPECT_EQ(seen_at_server(object_of(poa("marked", {policy_of(10)}))), 10);
  manager_of(server)->set_policy_overrides({policy_of(20)}, SetOverrideType::SET_OVERRIDE);
  EXPECT_EQ(seen_at_server(target), 20);
}

TEST_F(ProtocolProperties, ADscpHasSixBits) {
  EXPECT_NE(said<CORBA::INV_POLICY>([] { policy(iiop, marked(64)); }).find("a DSCP of 64"),
            std::string::npos);
}

// --- pacing ---

Properties paced(std::optional<std::uint64_t> octets_per_second) {
  return CORBA::make_reference<tenon::TCPProtocolProperties>(0, 0, true, false, true, std::uint8_t{0},
                                                             octets_per_second);
}

/// An option for both sides of a connection.
Words iiop_paced(const std::string& octets_per_second) {
  return {"-ORBProtocolOption", "iiop.pacing=" + octets_per_second};
}

/// Of a connection: the client's end, and the server's.
using Pacings = std::pair<unsigned long, unsigned long>;

/// Of the one connection that a call over the object opens in a new ORB.
Pacings pacings(const TargetRef& there, const ScopedOrb& client) {
  Pacings both{0, 0};
  look_at_socket(there, client, [&both](int socket) {
    both = {net::pacing_of(socket).value_or(0), net::pacing_of(other_end(socket)).value_or(0)};
  });
  return both;
}

class ProtocolPacing : public World {
 protected:
  void SetUp() override {
    const ScopedOrb client;
    if (pacings(seen_by(client), client).first == 0) GTEST_SKIP() << "the system does not tell";
  }
};

TEST_F(ProtocolPacing, IsNoneUnlessItIsAskedFor) {
  const ScopedOrb client;
  EXPECT_EQ(pacings(seen_by(client), client), Pacings(net::unpaced, net::unpaced));
}

TEST_F(ProtocolPacing, OfAClientsPolicy) {
  for (const std::uint64_t rate : {std::uint64_t{1000}, std::uint64_t{4'000'000'000}}) {
    const ScopedOrb client;
    EXPECT_EQ(pacings(with(seen_by(client), {policy(iiop, paced(rate))}), client),
              Pacings(rate, net::unpaced));
  }
}

TEST_F(ProtocolPacing, OfAServersPoaAndOfItsOrb) {
  const auto policy_of = [](std::uint64_t rate) -> PolicyRef {
    return CORBA::make_reference<RTCORBA::ServerProtocolPolicy>(
        RTCORBA::ProtocolList{RTCORBA::Protocol(iiop, nullptr, paced(rate))});
  };
  const auto seen_by_new_client = [this](const TargetRef& object) {
    const ScopedOrb client;
    return pacings(seen_by(client, object), client);
  };
  EXPECT_EQ(seen_by_new_client(object_of(poa("paced", {policy_of(20'000'000)}))),
            Pacings(net::unpaced, 20'000'000));
  EXPECT_EQ(seen_by_new_client(target), Pacings(net::unpaced, 20'000'000)) << "the endpoint is the same";
  manager_of(server)->set_policy_overrides({policy_of(30'000'000)}, SetOverrideType::SET_OVERRIDE);
  EXPECT_EQ(seen_by_new_client(target), Pacings(net::unpaced, 30'000'000));
  manager_of(server)->set_policy_overrides({policy_of(0)}, SetOverrideType::SET_OVERRIDE);
  EXPECT_EQ(seen_by_new_client(target), Pacings(net::unpaced, net::unpaced));
}

TEST_F(ProtocolPacing, OfTheOptionIsThatOfAllConnections) {
  Words options = iiop_paced("40000000");
  options.insert(options.end(), {"-ORBListenEndpoints", "iiop://127.0.0.1:0"});
  const ScopedOrb paced_server(options);
  const TargetRef object =
      tenon::publish<::Protocols::Target_skeleton>(paced_server.ref(), CORBA::make_reference<Adder>());
  const std::string text = paced_server->object_to_string(object);
  const auto seen = [&text](const ScopedOrb& client) {
    return IDL::traits<::Protocols::Target>::unchecked_narrow(client->string_to_object(text));
  };
  const ScopedOrb plain;
  EXPECT_EQ(pacings(seen(plain), plain), Pacings(net::unpaced, 40'000'000));
  const ScopedOrb paced_client(iiop_paced("50000000"));
  EXPECT_EQ(pacings(seen(paced_client), paced_client), Pacings(50'000'000, 40'000'000));
}

TEST_F(ProtocolPacing, OfAPolicyIsNearerThanTheOption) {
  struct Row {
    std::optional<std::uint64_t> of_policy;
    unsigned long found;
  };
  for (const Row& row : {Row{std::nullopt, 50'000'000}, Row{60'000'000, 60'000'000}, Row{0, net::unpaced}}) {
    const ScopedOrb client(iiop_paced("50000000"));
    EXPECT_EQ(pacings(with(seen_by(client), {policy(iiop, paced(row.of_policy))}), client),
              Pacings(row.found, net::unpaced));
  }
  const ScopedOrb client(iiop_paced("50000000"));
  EXPECT_EQ(pacings(with(seen_by(client), {policy(iiop, marked(46))}), client),
            Pacings(50'000'000, net::unpaced));
}

TEST_F(ProtocolPacing, AnOptionThatChangesIsForConnectionsFromThenOn) {
  const ScopedOrb client;
  const TargetRef plain = seen_by(client);
  EXPECT_EQ(plain->add(1, 2), 3);
  const std::string lacks =
      said<CORBA::NO_IMPLEMENT>([&] { set_protocol_option(*client.ref(), "iiop", "pacing", "70000000"); });
  if (!lacks.empty()) GTEST_SKIP() << lacks;
  EXPECT_EQ(with(plain, {policy(iiop, tcp(0, 0, true, false, true))})->add(1, 2), 3);
  std::vector<unsigned long> found;
  for (const int socket : sockets(client)) found.push_back(net::pacing_of(socket).value_or(0));
  std::ranges::sort(found);
  EXPECT_EQ(found, (std::vector<unsigned long>{70'000'000, net::unpaced}));
}

TEST_F(ProtocolPacing, CallsWithoutThePolicyUseAnotherConnection) {
  const ScopedOrb client;
  const TargetRef plain = seen_by(client);
  const TargetRef none = with(plain, {policy(iiop, paced(std::nullopt))});
  const TargetRef no_limit = with(plain, {policy(iiop, paced(0))});
  const TargetRef slow = with(plain, {policy(iiop, paced(20'000'000))});
  const TargetRef also_slow = with(plain, {policy(iiop, paced(20'000'000))});
  for (int i = 0; i < 2; ++i) {
    for (const TargetRef& each : {plain, none, no_limit, slow, also_slow}) EXPECT_EQ(each->add(1, 2), 3);
  }
  EXPECT_EQ(connections(client), "iiop iiop iiop iiop");
  std::vector<unsigned long> found;
  for (const int socket : sockets(client)) found.push_back(net::pacing_of(socket).value_or(0));
  std::ranges::sort(found);
  EXPECT_EQ(found, (std::vector<unsigned long>{20'000'000, net::unpaced, net::unpaced, net::unpaced}));
}

TEST_F(ProtocolPacing, OtherProtocolsPassOverIt) {
  const ScopedOrb client;
  look_at_socket(with(seen_by(client), {policy(uiop, paced(20'000'000))}), client, [](int socket) {
    EXPECT_EQ(option(socket, SOL_SOCKET, SO_DOMAIN), AF_UNIX);
    EXPECT_EQ(net::pacing_of(socket), net::unpaced);
  });
}

TEST_F(ProtocolPacing, ThatMakesNoSenseIsRefused) {
  EXPECT_NE(said<CORBA::INV_POLICY>([] { policy(iiop, paced(999)); })
                .find("TCPProtocolProperties: a pacing of 999 octets per second; it is 1000 to "
                      "9223372036854775807, or 0 for no limit"),
            std::string::npos);
  EXPECT_NE(said<CORBA::INV_POLICY>([] { policy(iiop, paced(UINT64_MAX)); }), "");
  for (const char* wrong : {"999", "-1", "1M", "", "9223372036854775808", "18446744073709551616"}) {
    const std::string why = said<CORBA::BAD_PARAM>([wrong] { const ScopedOrb orb(iiop_paced(wrong)); });
    EXPECT_NE(
        why.find("option iiop.pacing=" + std::string(wrong) +
                 ": wants a number of octets per second, 1000 to 9223372036854775807, or 0 for no limit"),
        std::string::npos)
        << why;
  }
  const ScopedOrb none(iiop_paced("0"));
  EXPECT_EQ(pacings(seen_by(none), none), Pacings(net::unpaced, net::unpaced));
}

TEST_F(ProtocolProperties, OfAHostNameToo) {
  const ScopedOrb named({"-ORBListenEndpoints", "iiop://localhost:0"});
  const TargetRef object =
      tenon::publish<::Protocols::Target_skeleton>(named.ref(), CORBA::make_reference<Adder>());
  const ScopedOrb client;
  const TargetRef there = IDL::traits<::Protocols::Target>::unchecked_narrow(
      client->string_to_object(named->object_to_string(object)));
  look_at_socket(with(there, {policy(iiop, tcp(20000, 0, true, false, true))}), client,
                 [](int socket) { EXPECT_EQ(option(socket, SOL_SOCKET, SO_SNDBUF), 2 * 20000); });
}

}  // namespace
}  // namespace tenon::protocols
