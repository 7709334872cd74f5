// SPDX-License-Identifier: Apache-2.0
//
// Servers and clients that are killed at any moment of many calls: each call ends and tells the truth, whoever is left goes on, and
// nothing is left behind. TENON_FAULTS_LONG=12 makes about a million calls of it, TENON_FAULTS_SEED repeats a run.
#include <cstdio>
#include <thread>

#include "tests/faults/process.hpp"
#include "tests/faults/workload.hpp"
#include "tests/orb/world.hpp"

namespace tenon::faults {
namespace {

using suite::Case;
using suite::ScopedOrb;
using suite::Words;

class Killed : public ::testing::TestWithParam<Case> {
 protected:
  ~Killed() override { std::printf("%u calls\n", ledger.drawn()); }

  const std::uint32_t seed = seed_or(1);
  Ledger ledger;
};
INSTANTIATE_TEST_SUITE_P(All, Killed, ::testing::ValuesIn(over_sockets()),
                         [](const auto& each) { return suite::name_of(each.param); });

/// Clients of one ORB that call until they are told to stop.
class Callers {
 public:
  Callers(const std::string& target, Ledger& ledger, std::uint32_t count, std::uint32_t seed) {
    for (std::uint32_t i = 0; i < count; ++i) {
      threads_.emplace_back([this, &ledger, reference = target_at(*orb_, target), seed = seed + i] {
        Caller caller(reference, ledger, seed);
        while (!stopped_) {
          // A server that is being started needs the processor more than those who ask for it.
          if (!caller.call()) {
            ++failures_;
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
          }
        }
        EXPECT_EQ(caller.surprises(), "");
      });
    }
  }
  ~Callers() { stop(); }
  void stop() {
    stopped_ = true;
    for (std::thread& each : threads_) each.join();
    threads_.clear();
  }
  std::uint32_t failures() const noexcept { return failures_; }

 private:
  ScopedOrb orb_{Words{"-ORBConnectionsPerEndpoint", "2"}};
  std::atomic<bool> stopped_{false};
  std::atomic<std::uint32_t> failures_{0};
  std::vector<std::thread> threads_;
};

bool wait_for_calls(const Ledger& ledger, std::uint32_t more) {
  const std::uint32_t from = ledger.drawn();
  return suite::eventually([&] { return ledger.drawn() - from >= more; });
}

/// Kills and restarts the server so often; the number of calls that failed.
std::uint32_t kill_servers(const Case& which, Ledger& ledger, std::uint32_t seed, std::uint32_t rounds) {
  std::mt19937 random(seed);
  const auto start = [&](const std::string& endpoint) {
    return std::make_unique<Process>(Words{"server", ledger.path(), "-ORBListenEndpoints", endpoint,
                                           "-ORBServing", which.serving, "-ORBPoolThreads", "2"});
  };
  std::unique_ptr<Process> server = start(suite::endpoint_of(which.protocol));
  const std::string endpoint = server->first_line();
  const std::string text = text_of_target(endpoint);
  Callers callers(text, ledger, 3, seed);
  for (std::uint32_t i = 0; i < rounds; ++i) {
    EXPECT_TRUE(wait_for_calls(ledger, static_cast<std::uint32_t>(random() % 400)));
    std::this_thread::sleep_for(std::chrono::microseconds(random() % 500));
    server->kill();
    server = start(endpoint);
    EXPECT_EQ(server->first_line(), endpoint);
  }
  EXPECT_TRUE(suite::eventually([&] { return callers.failures() > 0; }));
  callers.stop();
  // Whoever was called by a killed server finds the next one.
  ScopedOrb later;
  Caller caller(target_at(*later, text), ledger, seed);
  EXPECT_TRUE(suite::eventually([&] { return caller.call(); }));
  return callers.failures();
}

TEST_P(Killed, Servers) {
  kill_servers(GetParam(), ledger, seed, 2);  // what is made once, is made
  const Holdings before = Holdings::now();
  kill_servers(GetParam(), ledger, seed + 1, longer(8));
  expect_no_more_than(before);
  EXPECT_EQ(ledger.contradictions(), "") << "TENON_FAULTS_SEED=" << seed;
  EXPECT_GT(ledger.count(Ending::returned), 0u);
}

/// A server whose clients are killed so often.
void kill_clients(const Case& which, Ledger& ledger, std::uint32_t seed, std::uint32_t rounds) {
  constexpr std::uint32_t callers_each = 3;
  ScopedOrb server({"-ORBListenEndpoints", suite::endpoint_of(which.protocol), "-ORBServing", which.serving});
  publish_target(server.ref(), ledger);
  const std::string text = text_of_target(server->_endpoints().front());
  const Holdings unused = Holdings::now();
  std::mt19937 random(seed);
  {
    // Somebody else's calls go on as if nothing happened.
    Callers others(text, ledger, 1, seed + 1000);
    for (std::uint32_t i = 0; i < rounds; ++i) {
      const auto start = [&] {
        return std::make_unique<Process>(
            Words{"client", ledger.path(), text, std::to_string(callers_each), std::to_string(random())});
      };
      {
        const std::unique_ptr<Process> clients[] = {start(), start()};
        EXPECT_TRUE(wait_for_calls(ledger, static_cast<std::uint32_t>(random() % 400)));
        std::this_thread::sleep_for(std::chrono::microseconds(random() % 500));
      }
      // One generation after the other: but for what the others use, their connections go.
      constexpr std::uint32_t of_others = 8;
      EXPECT_TRUE(
          suite::eventually([&] { return Holdings::now().descriptors <= unused.descriptors + of_others; }));
    }
    others.stop();
    EXPECT_EQ(others.failures(), 0u);
  }
  EXPECT_TRUE(suite::eventually([&] { return Holdings::now().descriptors == unused.descriptors; }));
  // Threads that have served wait for others to serve: no more than there were connections at a time. Two generations of clients
  // overlap, and a thread whose connection is closed serves again only a moment later, so a third one may find it busy.
  EXPECT_LE(Holdings::now().threads, unused.threads + 6 * callers_each + 2);
}

TEST_P(Killed, Clients) {
  kill_clients(GetParam(), ledger, seed, 2);
  const Holdings before = Holdings::now();
  kill_clients(GetParam(), ledger, seed + 1, longer(8));
  expect_no_more_than(before);
  EXPECT_EQ(ledger.contradictions(), "") << "TENON_FAULTS_SEED=" << seed;
  EXPECT_GT(ledger.count(Ending::returned), 0u);
}

}  // namespace
}  // namespace tenon::faults
