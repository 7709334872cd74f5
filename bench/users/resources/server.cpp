// SPDX-License-Identifier: Apache-2.0
//
// A server whose memory and whose end are measured, by a script that is its client. Options go to ORB_init. Commands (bench/raw/blocks.hpp):
//   reference       of its object
//   shutdown        ends the ORB in order: milliseconds that it took, with every thread that served
//
// Threads: main reads the commands; the ORB's own serve, or with -ORBServing single-thread one that is in run().

#include <cstdio>
#include <iostream>
#include <string>
#include <thread>

#include <tenon/portable_server.hpp>
#include <tenon/tenon.hpp>

#include "bench/raw/blocks.hpp"
#include "resources_skel.hpp"

namespace {

class Servant final : public CORBA::servant_traits<BenchUsers::Resources>::base_type {
 public:
  void noop() override {}
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
