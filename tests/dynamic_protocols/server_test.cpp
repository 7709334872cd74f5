// SPDX-License-Identifier: Apache-2.0
//
// Protocols and endpoints of an ORB that serves, in each way of serving.
#include <future>

#include "orb/orb.hpp"
#include "tests/dynamic_protocols/world.hpp"

namespace tenon::changing {
namespace {

using std::chrono::milliseconds;

/// After its protocol has been removed: a reply may be here before the connection over which it came has closed.
void call_until_it_has_closed(const WorkRef& there) {
  EXPECT_THROW(
      {
        for (;;) EXPECT_EQ(there->add(1, 2), 3);
      },
      CORBA::TRANSIENT);
}

class ServerProtocolsThatChange : public ::testing::TestWithParam<const char*> {
 protected:
  static Words serving(Words options) {
    options.insert(options.end(), {"-ORBServing", GetParam()});
    return options;
  }
  static Words on_both() {
    return serving({"-ORBListenEndpoints", "iiop://127.0.0.1:0", "-ORBListenEndpoints", new_uiop_endpoint()});
  }
};
INSTANTIATE_TEST_SUITE_P(Serving, ServerProtocolsThatChange,
                         ::testing::Values("thread-per-connection", "pool", "single-thread"),
                         [](const auto& each) {
                           std::string name = each.param;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

TEST_P(ServerProtocolsThatChange, OneIsAddedWithAnEndpointWhileCallsRun) {
  const Served server(serving({"-ORBProtocol", "iiop", "-ORBListenEndpoints", "iiop://127.0.0.1:0"}));
  const ScopedOrb client;
  Callers calling(server.seen_by(client), 2);
  calling.go_on(10);
  const std::string endpoint = new_uiop_endpoint();
  add_protocol(*server.orb, "uiop", {.endpoints = {endpoint}});
  EXPECT_EQ(server.orb->_endpoints().back(), endpoint);
  const WorkRef anew = server.new_reference();
  EXPECT_EQ(tags_of(anew), (std::vector<std::uint32_t>{iiop_tag, uiop_tag}));
  EXPECT_EQ(over(server.seen_by(client, anew), {uiop_tag})->add(1, 2), 3);
  calling.go_on(10);
  EXPECT_EQ(calling.stop(), "");
}

TEST_P(ServerProtocolsThatChange, OneIsRemovedWhileCallsRunOverItAndOthers) {
  const Served server(on_both());
  const ScopedOrb client;
  const WorkRef there = server.seen_by(client);
  Callers over_tcp(over(there, {iiop_tag}), 2);
  Callers over_any(over(there, {uiop_tag, any_protocol}), 2);
  over_tcp.go_on(10);
  over_any.go_on(10);
  remove_protocol(*server.orb, "uiop");
  over_any.go_on(20);
  over_tcp.go_on(10);
  EXPECT_EQ(over_any.stop(), "");
  EXPECT_EQ(over_tcp.stop(), "");
  EXPECT_EQ(server.orb->_endpoints().size(), 1U);
  EXPECT_EQ(tags_of(server.new_reference()), (std::vector<std::uint32_t>{iiop_tag}));
  const ScopedOrb another;
  EXPECT_EQ(error_of([&] { over(server.seen_by(another, server.object), {uiop_tag})->add(1, 2); }).id,
            SystemException::transient);
}

TEST_P(ServerProtocolsThatChange, WhatIsBeingServedIsAnswered) {
  if (std::string_view(GetParam()) == "single-thread") GTEST_SKIP() << "its one thread serves";
  const Served server(on_both());
  const ScopedOrb client;
  const WorkRef over_unix = over(server.seen_by(client), {uiop_tag});
  auto in_flight = std::async(std::launch::async, [&] { return over_unix->held(5); });
  server.worker->wait_until_held(1);
  remove_protocol(*server.orb, "uiop", milliseconds(0));
  EXPECT_EQ(server.seen_by(client)->add(1, 2), 3);
  server.worker->let_go();
  EXPECT_EQ(in_flight.get(), 5);
  call_until_it_has_closed(over_unix);
}

TEST_P(ServerProtocolsThatChange, InAnUpcallThatCameOverIt) {
  const Served server(on_both());
  const ScopedOrb client;
  const WorkRef there = over(server.seen_by(client), {uiop_tag, any_protocol});
  EXPECT_EQ(there->remove_in_upcall("uiop"), 7);
  const Words left = protocol_names(*server.orb);
  EXPECT_EQ(std::ranges::count(left, "uiop"), 0) << "the others stay";
  EXPECT_EQ(std::ranges::count(left, "iiop"), 1);
  // The reply may be here before the connection has closed.
  while (connections(client) != "iiop") EXPECT_EQ(there->add(1, 2), 3);
}

TEST_P(ServerProtocolsThatChange, TheOnlyOneGoesAndComesBackAtTheSameEndpoint) {
  const std::string endpoint = new_uiop_endpoint();
  const Served server(serving({"-ORBProtocol", "uiop", "-ORBListenEndpoints", endpoint}));
  const ScopedOrb client;
  const WorkRef there = server.seen_by(client);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(there->add(1, 2), 3);
    remove_protocol(*server.orb, "uiop");
    EXPECT_TRUE(server.orb->_endpoints().empty());
    call_until_it_has_closed(there);
    EXPECT_EQ(error_of([&] { (void)server.new_reference(); }), errors::cannot_listen);
    // A single thread gives the address back when it sees that nobody listens there any more.
    while (protocol_names(*server.orb).empty()) {
      try {
        add_protocol(*server.orb, "uiop", {.endpoints = {endpoint}});
      } catch (const CORBA::INITIALIZE&) {
        std::this_thread::yield();
      }
    }
    EXPECT_EQ(protocol_names(*server.orb), (Words{"uiop"}));
    EXPECT_EQ(server.orb->_endpoints(), (Words{endpoint}));
  }
}

TEST_P(ServerProtocolsThatChange, EndpointsComeAndGo) {
  const Served server(serving({"-ORBProtocol", "iiop", "-ORBListenEndpoints", "iiop://127.0.0.1:0"}));
  const std::string first = server.orb->_endpoints().front();
  const ScopedOrb client({"-ORBConnectionsPerEndpoint", "1"});
  Callers calling(server.seen_by(client), 2);
  calling.go_on(10);
  const std::string second = add_endpoint(*server.orb, "iiop://127.0.0.1:0");
  EXPECT_NE(first, second);
  EXPECT_EQ(server.orb->_endpoints(), (Words{first, second}));
  const WorkRef on_two = server.new_reference();
  EXPECT_EQ(tags_of(on_two).size(), 2U);
  EXPECT_EQ(error_of([&] { add_endpoint(*server.orb, second); }), errors::cannot_listen);
  remove_endpoint(*server.orb, first);
  EXPECT_EQ(server.orb->_endpoints(), (Words{second}));
  calling.go_on(10);  // over the connection that is there
  EXPECT_EQ(calling.stop(), "");
  const ScopedOrb another({"-ORBConnectTimeout", "2000"});
  EXPECT_EQ(server.seen_by(another, on_two)->add(1, 2), 3);
  EXPECT_EQ(error_of([&] { server.seen_by(another, server.object)->add(1, 2); }).id,
            SystemException::transient);
  remove_endpoint(*server.orb, second);
  EXPECT_TRUE(server.orb->_endpoints().empty());
  std::string said;
  EXPECT_EQ(error_of([&] { remove_endpoint(*server.orb, second); }, &said), errors::no_such_endpoint);
  EXPECT_NE(said.find("it has none"), std::string::npos) << said;
  EXPECT_EQ(error_of([&] { add_endpoint(*server.orb, "uiop:///x"); }, &said), errors::no_such_protocol);
  EXPECT_NE(said.find("this ORB has iiop"), std::string::npos) << said;
}

TEST_P(ServerProtocolsThatChange, ReferencesAreMadeWhileEndpointsChange) {
  const Served server(serving({"-ORBProtocol", "iiop", "-ORBListenEndpoints", "iiop://127.0.0.1:0"}));
  std::atomic<bool> ends{false};
  std::thread making([&] {
    while (!ends) {
      const WorkRef made = server.new_reference();
      EXPECT_GE(tags_of(made).size(), 1U);
      EXPECT_EQ(made->add(1, 2), 3);  // in this process
    }
  });
  for (int i = 0; i < 40; ++i) remove_endpoint(*server.orb, add_endpoint(*server.orb, "iiop://127.0.0.1:0"));
  ends = true;
  making.join();
}

TEST_P(ServerProtocolsThatChange, WhileItShutsDown) {
  for (int i = 0; i < 5; ++i) {
    const Served server(on_both());
    const ScopedOrb client;
    EXPECT_EQ(over(server.seen_by(client), {uiop_tag})->add(1, 2), 3);
    std::thread changing([&] {
      try {
        for (;;) {
          remove_protocol(*server.orb, "uiop", milliseconds(0));
          add_protocol(*server.orb, "uiop", {.endpoints = {new_uiop_endpoint()}});
        }
      } catch (const CORBA::BAD_INV_ORDER&) {  // it has been shut down
      } catch (const CORBA::INITIALIZE&) {     // it listens no more
      }
    });
    server.orb->shutdown(false);
    changing.join();
  }
}

TEST_P(ServerProtocolsThatChange, AnOrbThatDoesNotListenBeginsToWithTheFirstEndpoint) {
  const ScopedOrb orb(serving({"-ORBProtocol", "iiop", "-ORBListenEndpoints", "iiop://127.0.0.1:0"}));
  add_protocol(*orb, "uiop", {.endpoints = {new_uiop_endpoint()}});
  EXPECT_EQ(orb->_endpoints().size(), 2U);
}

}  // namespace
}  // namespace tenon::changing
