// SPDX-License-Identifier: Apache-2.0
//
// The parts of protocols, alone and together: what each can do, and that what is missing is refused by the name of its part. What GIOP's
// connections can do is switched on for a whole process, so the tests of that run in processes of their own.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "base/minor_codes.hpp"
#include "protocol/messaging.hpp"
#include "protocol/transport.hpp"
#include "tenon/parts.hpp"

namespace tenon {
namespace {

orb::Parts parts_of(std::initializer_list<Part> these) {
  orb::Parts parts;
  for (const Part part : these) part(parts);
  return parts;
}

/// Ends the process. A failure says what it was.
void check(bool holds, const std::string& what) {
  if (holds) return;
  std::fprintf(stderr, "%s\n", what.c_str());
  std::_Exit(1);
}

/// The part that a minor code's text names.
bool names(const Error& error, std::string_view part) {
  return describe(error).find("tenon::parts::" + std::string(part)) != std::string_view::npos;
}

TEST(ProtocolParts, MakeOnePluginEach) {
  const orb::Parts both = parts_of({parts::iiop_client, parts::host_names, parts::iiop_server, parts::iiop});
  ASSERT_EQ(both.protocols.size(), 1U);
  EXPECT_EQ(both.protocols[0].transport->name(), "iiop");
  std::string why;
  EXPECT_TRUE(both.protocols[0].transport->listen("iiop://localhost:0", why)) << why;
}

TEST(ProtocolParts, ALocalOneStaysLocalWhenAnotherIsAdded) {
  orb::Protocols all;
  orb::one_more(all).local = true;
  orb::one_more(all);
  EXPECT_TRUE(all.front().local);
  EXPECT_FALSE(all.back().local);
}

TEST(ProtocolParts, AClientDoesNotListen) {
  const orb::Parts client = parts_of({tenon::client});
  std::string why;
  EXPECT_FALSE(client.protocols.at(0).transport->listen("iiop://127.0.0.1:0", why));
  EXPECT_EQ(why,
            "endpoint 'iiop://127.0.0.1:0': this program's start-up does not name tenon::parts::iiop_server");
}

TEST(ProtocolParts, AServerDoesNotConnect) {
  for (const Part part : {Part(tenon::server), Part(tenon::micro)}) {
    const orb::Parts server = parts_of({part});
    std::string why;
    const auto acceptor = server.protocols.at(0).transport->listen("iiop://127.0.0.1:0", why);
    ASSERT_TRUE(acceptor) << why;
    const auto connected =
        server.protocols[0].transport->connect({acceptor->published().at(0)}, Deadline::never());
    ASSERT_FALSE(connected);
    EXPECT_EQ(connected.error(), errors::no_connecting_part);
    EXPECT_TRUE(names(connected.error(), "iiop_client"));
  }
}

TEST(ProtocolParts, AHostNameWantsAPart) {
  const orb::Parts client = parts_of({tenon::client});
  const auto connected = client.protocols.at(0).transport->connect({"localhost:1"}, Deadline::never());
  ASSERT_FALSE(connected);
  EXPECT_EQ(connected.error(), errors::no_host_names_part);
  EXPECT_TRUE(names(connected.error(), "host_names"));
}

TEST(ProtocolParts, PacingIsAnOptionOfTheOnePluginWheneverItIsNamed) {
  EXPECT_TRUE(parts_of({parts::iiop}).protocols.at(0).transport->own_options().empty());
  for (const auto& order :
       {parts_of({parts::pacing, parts::iiop}), parts_of({parts::iiop, parts::pacing}),
        parts_of({parts::iiop_server, parts::pacing, parts::pacing, parts::iiop_client})}) {
    ASSERT_EQ(order.protocols.size(), 1U);
    EXPECT_TRUE(order.choose_protocols) << "which reads the option";
    protocol::TransportPlugin& iiop = *order.protocols[0].transport;
    ASSERT_EQ(iiop.own_options().size(), 1U);
    EXPECT_EQ(iiop.own_options()[0].name, "pacing");
    std::string why;
    EXPECT_TRUE(iiop.set_option("pacing", "10000000", why)) << why;
    const auto acceptor = iiop.listen("iiop://127.0.0.1:0", why);
    ASSERT_TRUE(acceptor) << why;
    EXPECT_TRUE(iiop.connect(acceptor->published().at(0), Deadline::never()));
  }
}

#ifdef TENON_WITH_UIOP
TEST(ProtocolParts, UnixDomainSocketsAlike) {
  const orb::Parts client = parts_of({parts::uiop_client});
  std::string why;
  EXPECT_FALSE(client.protocols.at(0).transport->listen("uiop://@tenon-parts-test", why));
  EXPECT_NE(why.find("tenon::parts::uiop_server"), std::string::npos) << why;
  const orb::Parts server = parts_of({parts::uiop_server});
  const auto connected = server.protocols.at(0).transport->connect({"@tenon-parts-test"}, Deadline::never());
  ASSERT_FALSE(connected);
  EXPECT_TRUE(names(connected.error(), "iiop_client nor uiop_client"));
  EXPECT_EQ(parts_of({parts::uiop_client, parts::uiop, parts::iiop}).protocols.size(), 2U);
}
#endif

#ifdef TENON_WITH_SHMIOP
TEST(ProtocolParts, SharedMemoryAlike) {
  const orb::Parts client = parts_of({parts::shmiop_client});
  std::string why;
  EXPECT_FALSE(client.protocols.at(0).transport->listen("shmiop://", why));
  EXPECT_NE(why.find("tenon::parts::shmiop_server"), std::string::npos) << why;
  const orb::Parts server = parts_of({parts::shmiop_server});
  const auto listens = server.protocols.at(0).transport->listen("shmiop://", why);
  ASSERT_TRUE(listens) << why;
  const std::string address = listens->published().at(0);
  EXPECT_EQ(server.protocols[0].transport->connect(address, Deadline::never()).error(),
            errors::no_connecting_part);
  EXPECT_TRUE(client.protocols[0].transport->connect(address, Deadline::never()));
  EXPECT_EQ(parts_of({parts::shmiop_client, parts::shmiop, parts::iiop}).protocols.size(), 2U);
}

TEST(ProtocolParts, TheFullOrbHasSharedMemoryBehindTcp) {
  const orb::Parts full = parts_of({tenon::full});
  EXPECT_EQ(full.protocols.front().transport->name(), "iiop") << "which listens unless told otherwise";
  std::vector<std::string_view> local;
  for (const orb::Protocol& each : full.protocols) {
    if (each.local) local.push_back(each.transport->name());
  }
  EXPECT_EQ(local, std::vector<std::string_view>{"shmiop"}) << "which listens by itself, too";
}
#endif

#ifdef TENON_WITH_INPROC
TEST(ProtocolParts, InsideOneProcessAlike) {
  const orb::Parts client = parts_of({parts::inproc_client});
  std::string why;
  EXPECT_FALSE(client.protocols.at(0).transport->listen("inproc://", why));
  EXPECT_NE(why.find("tenon::parts::inproc_server"), std::string::npos) << why;
  const orb::Parts server = parts_of({parts::inproc_server});
  const auto listens = server.protocols.at(0).transport->listen("inproc://", why);
  ASSERT_TRUE(listens) << why;
  const std::string address = listens->published().at(0);
  EXPECT_EQ(server.protocols[0].transport->connect(address, Deadline::never()).error(),
            errors::no_connecting_part);
  EXPECT_TRUE(client.protocols[0].transport->connect(address, Deadline::never()));
  EXPECT_EQ(parts_of({parts::inproc_client, parts::inproc, parts::iiop}).protocols.size(), 2U);
}
#endif

/// A connection that is opened to a listening socket.
class OpenConnection {
 public:
  explicit OpenConnection(const orb::Parts& parts, protocol::Role role = protocol::Role::originator) {
    const orb::Parts server = parts_of({parts::iiop_server});
    std::string why;
    acceptor_ = server.protocols.at(0).transport->listen("iiop://127.0.0.1:0", why);
    check(acceptor_ != nullptr, why);
    auto transport = parts_of({parts::iiop_client})
                         .protocols.at(0)
                         .transport->connect({acceptor_->published().at(0)}, Deadline::never());
    check(static_cast<bool>(transport), "no connection");
    auto connected = parts.protocols.at(0).messaging->connect(std::move(*transport), role, {});
    if (connected) made = std::move(*connected);
  }
  Ref<protocol::Connection> made;

 private:
  std::unique_ptr<protocol::Acceptor> acceptor_;
};

class NoSink final : public protocol::Sink {
  void done(protocol::OutgoingCall&) noexcept override {}
  void attend(protocol::Connection&) noexcept override {}
};

Error error_of_asynchronous_call(const orb::Parts& parts) {
  const OpenConnection open(parts);
  const protocol::CallSpec spec{.operation = "work"};
  protocol::OutgoingCall call(spec);
  NoSink sink;
  static constexpr std::uint8_t key[] = {1};
  const Status begun = open.made->begin_asynchronous(call, sink, {.object_key = key});
  if (begun) open.made->end(call);
  return begun.error();
}

void asynchronous_calls_are_a_part() {
  const Error refused = error_of_asynchronous_call(parts_of({tenon::client}));
  check(refused == errors::no_asynchronous_part, "asynchronous calls are there");
  check(names(refused, "asynchronous_calls"), "it does not say what is missing");
  check(!error_of_asynchronous_call(parts_of({tenon::client, parts::asynchronous_calls})),
        "the part does not help");
  check(!error_of_asynchronous_call(parts_of({parts::asynchronous_calls, tenon::client})),
        "the order counts");
  std::_Exit(0);
}

TEST(ProtocolPartsDeathTest, AsynchronousCallsAreAPart) {
  EXPECT_EXIT(asynchronous_calls_are_a_part(), testing::ExitedWithCode(0), "");
}

void messages_are_shown_by_a_part() {
  ::setenv("TENON_LOG", "trace", 1);
  { const OpenConnection open(parts_of({tenon::client})); }
  std::fputs("--\n", stderr);
  { const OpenConnection open(parts_of({tenon::client, parts::message_log})); }
  std::_Exit(0);
}

TEST(ProtocolPartsDeathTest, MessagesAreShownByAPart) {
  EXPECT_EXIT(messages_are_shown_by_a_part(), testing::ExitedWithCode(0),
              "does not name tenon::parts::message_log(.|\n)*--(.|\n)*connection from 127.0.0.1");
}

}  // namespace
}  // namespace tenon
