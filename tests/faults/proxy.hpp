// SPDX-License-Identifier: Apache-2.0
//
// Stands between a client and a server and spoils what passes: connections that break off after a number of octets, in order or not,
// that stand still, that bring their octets late and in pieces. What happens to a connection is drawn from a seed when it comes.
//
// Threads: one that accepts, and two for each connection; a test's own call the rest.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <random>
#include <string>
#include <thread>
#include <vector>

namespace tenon::faults {

enum class Fault : std::uint8_t { none, close, reset, stall, trickle };

class Proxy {
 public:
  /// In front of an endpoint as an ORB tells it, on an endpoint of the same kind.
  Proxy(const std::string& endpoint, std::uint32_t seed);
  ~Proxy();
  Proxy(const Proxy&) = delete;
  Proxy& operator=(const Proxy&) = delete;

  const std::string& endpoint() const noexcept { return endpoint_; }
  /// No more faults; connections that have one end.
  void heal();
  /// How often this happened to a connection.
  int count(Fault fault) const noexcept { return happened_[static_cast<std::size_t>(fault)]; }

 private:
  /// What happens to the octets of one direction.
  struct Fate {
    Fault fault = Fault::none;
    std::uint64_t after = 0;  ///< octets that pass before
  };
  struct Link {
    int client;
    int server;
    Fate up;
    Fate down;
    std::atomic<bool> spoiled{false};  ///< nothing passes any more
    std::thread threads[2];
  };

  void accept();
  Fate draw_fate(std::uint64_t passed);
  void pump(Link& link, int from, int to, Fate fate);
  void stand_still(const Link& link, int from);
  static void end(Link& link, bool reset) noexcept;

  std::string upstream_;
  std::string endpoint_;
  int listener_ = -1;
  std::atomic<bool> healed_{false};
  std::atomic<bool> ended_{false};
  std::atomic<int> happened_[5]{};
  std::mutex mutex_;  // guards what follows
  std::mt19937 random_;
  std::vector<std::unique_ptr<Link>> links_;
  std::thread accepting_;
};

}  // namespace tenon::faults
