// SPDX-License-Identifier: Apache-2.0
//
// A server whose memory and whose end are measured, by a script that is its client. Options go to ORB_init. Commands (bench/raw/blocks.hpp):
//   reference       of its object
//   held            KiB that were resident when read() had its result, and at most until now
//   shutdown        ends the ORB in order: milliseconds that it took, with every thread that served
//
// Threads: main reads the commands; the ORB's own serve, or with -ORBServing single-thread one that is in run().

#include <atomic>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <string>
#include <thread>

#include <tenon/portable_server.hpp>
#include <tenon/tenon.hpp>

#include "bench/raw/blocks.hpp"
#include "resources_skel.hpp"

namespace {

/// A line of /proc/self/status: KiB; 0 if there is none.
unsigned long status(const std::string& name) {
  std::ifstream lines("/proc/self/status");
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with(name + ":")) return std::stoul(line.substr(name.size() + 1));
  return 0;
}

std::atomic<unsigned long> held_kib{0};

class Servant final : public CORBA::servant_traits<BenchUsers::Resources>::base_type {
 public:
  void noop() override {}
  BenchUsers::Texts read() override {
    constexpr std::size_t count = 64 * 1024;  // of 1 KiB each, with length and NUL
    BenchUsers::Texts made(count, std::string(1024 - 4 - 4, 'x'));
    held_kib = status("VmRSS");
    return made;
  }
};

}  // namespace

int main(int argc, char** argv) {
  try {
    auto orb = CORBA::ORB_init(argc, argv);
    auto object = tenon::publish(orb, CORBA::make_reference<Servant>());
    std::thread runner([&] { orb->run(); });
    for (std::string line; std::getline(std::cin, line) && line != "quit";) {
      if (line == "reference") {
        std::puts(orb->object_to_string(object).c_str());
      } else if (line == "held") {
        std::printf("%lu %lu\n", held_kib.load(), status("VmHWM"));
      } else if (line == "shutdown") {
        const std::uint64_t began = blocks::now_ns();
        orb->shutdown(true);
        std::printf("%.3f\n", static_cast<double>(blocks::now_ns() - began) / 1e6);
      } else {
        std::puts("error unknown command");
      }
      std::fflush(stdout);
    }
    orb->shutdown(true);
    runner.join();
    orb->destroy();
    return 0;
  } catch (const CORBA::Exception& e) {
    std::fprintf(stderr, "users_resources_server: %s\n", e.what());
    return 1;
  }
}
