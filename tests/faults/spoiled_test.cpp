// SPDX-License-Identifier: Apache-2.0
//
// Connections that break off inside headers and bodies, stand still or crawl: each call ends with the right exception and the right
// completion status. What the time-outs are is drawn at random, so that they strike anywhere, too.
#include <thread>

#include <tenon/timeout.hpp>

#include "tests/faults/process.hpp"
#include "tests/faults/proxy.hpp"
#include "tests/faults/workload.hpp"
#include "tests/orb/raw_peer.hpp"
#include "tests/orb/world.hpp"

namespace tenon::faults {
namespace {

using namespace std::chrono_literals;
using suite::Case;
using suite::ScopedOrb;
using suite::Words;

class Spoiled : public ::testing::TestWithParam<Case> {
 protected:
  const std::uint32_t seed = seed_or(1);
  Ledger ledger;
};
INSTANTIATE_TEST_SUITE_P(All, Spoiled, ::testing::ValuesIn(over_streams()),
                         [](const auto& each) { return suite::name_of(each.param); });

/// So many calls by each of three threads through a proxy that spoils most connections; how many it has cut or stalled.
int call_through_faults(const Case& which, Ledger& ledger, std::uint32_t seed, std::uint32_t calls) {
  ScopedOrb server({"-ORBListenEndpoints", suite::endpoint_of(which.protocol), "-ORBServing", which.serving,
                    "-ORBSendTimeout", "2000"});
  publish_target(server.ref(), ledger);
  Proxy proxy(server->_endpoints().front(), seed);
  ScopedOrb client({"-ORBConnectionsPerEndpoint", "2"});
  const TargetRef target = target_at(*client, text_of_target(proxy.endpoint()));
  std::vector<std::thread> threads;
  for (std::uint32_t i = 0; i < 3; ++i) {
    threads.emplace_back([&, i] {
      Caller caller(target, ledger, seed + i);
      for (std::uint32_t k = 0; k < calls; ++k) {
        const TimeoutScope brief(std::chrono::milliseconds(1 + caller.draw(60)));
        caller.call();
      }
      EXPECT_EQ(caller.surprises(), "");
    });
  }
  for (std::thread& each : threads) each.join();
  // Without faults the same reference is as good as new.
  proxy.heal();
  Caller caller(target, ledger, seed);
  EXPECT_TRUE(suite::eventually([&] {
    int good = 0;
    while (good < 20 && caller.call()) ++good;
    return good == 20;
  }));
  return proxy.count(Fault::close) + proxy.count(Fault::reset) + proxy.count(Fault::stall);
}

TEST_P(Spoiled, Connections) {
  call_through_faults(GetParam(), ledger, seed, 20);
  const Holdings before = Holdings::now();
  EXPECT_GT(call_through_faults(GetParam(), ledger, seed + 1, longer(100)), 0);
  expect_no_more_than(before);
  EXPECT_EQ(ledger.contradictions(), "") << "TENON_FAULTS_SEED=" << seed;
  EXPECT_GT(ledger.count(Ending::maybe), 0u);
  EXPECT_GT(ledger.count(Ending::returned), 0u);
}

/// Clients of an ORB's server that stop after every octet of a message, and another one that calls meanwhile.
void stop_in_the_middle(const std::string& endpoint, Ledger& ledger) {
  const auto port = static_cast<std::uint16_t>(std::stoi(endpoint.substr(endpoint.rfind(':') + 1)));
  const suite::Bytes whole = suite::request(1, "target", "apply", octets_of(ledger.draw()));
  std::vector<suite::RawSocket> stopped;
  for (std::size_t size = 1; size < whole.size(); ++size) {
    stopped.push_back(suite::RawSocket::connect(port));
    ASSERT_TRUE(stopped.back().send({whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size)}));
  }
  ScopedOrb good;
  Caller caller(target_at(*good, text_of_target(endpoint)), ledger, 1);
  for (int i = 0; i < 50; ++i) EXPECT_TRUE(caller.call());
  EXPECT_EQ(caller.surprises(), "");
  // Whoever goes on is answered.
  const auto& last = stopped.back();
  EXPECT_TRUE(last.send({whole.end() - 1, whole.end()}));
  EXPECT_FALSE(last.receive_message().empty());
}

/// Others do not notice, and when they go nothing of them stays.
TEST(StalledPeers, InTheMiddleOfAMessage) {
  for (const char* serving : {"thread-per-connection", "pool"}) {
    Ledger ledger;
    ScopedOrb server(
        {"-ORBListenEndpoints", "iiop://127.0.0.1", "-ORBServing", serving, "-ORBPoolThreads", "2"});
    publish_target(server.ref(), ledger);
    const std::string endpoint = server->_endpoints().front();
    stop_in_the_middle(endpoint, ledger);  // what is made once, is made
    const Holdings before = Holdings::now();
    stop_in_the_middle(endpoint, ledger);
    EXPECT_TRUE(suite::eventually([&] { return Holdings::now().descriptors <= before.descriptors; }));
    EXPECT_EQ(ledger.contradictions(), "");
  }
}

}  // namespace
}  // namespace tenon::faults
