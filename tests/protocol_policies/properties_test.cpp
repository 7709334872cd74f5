// SPDX-License-Identifier: Apache-2.0
//
// Properties of protocols, as the sockets of calls have them.
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <cstring>

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
