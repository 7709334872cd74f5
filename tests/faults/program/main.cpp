// SPDX-License-Identifier: Apache-2.0
//
// What the tests kill:
//
//   faults_program server LEDGER [option of ORB_init...]              prints its endpoint and serves
//   faults_program client LEDGER TARGET THREADS SEED [option...]      prints a line and calls, for ever
//
// Threads: of a client, those that call.

#include <cstdio>
#include <thread>

#include "tests/faults/workload.hpp"

namespace {

using tenon::faults::Ledger;

int serve(int argc, char** argv) {
  Ledger ledger{std::string(argv[2])};
  const auto orb = CORBA::ORB_init(argc, argv);
  const auto target = tenon::faults::publish_target(orb, ledger);
  std::printf("%s\n", orb->_endpoints().front().c_str());
  std::fflush(stdout);
  orb->run();
  orb->destroy();
  return 0;
}

int call(int argc, char** argv) {
  Ledger ledger{std::string(argv[2])};
  const auto target_text = std::string(argv[3]);
  const auto threads = static_cast<std::uint32_t>(std::stoul(argv[4]));
  const auto seed = static_cast<std::uint32_t>(std::stoul(argv[5]));
  const auto orb = CORBA::ORB_init(argc, argv);
  const auto target = tenon::faults::target_at(*orb, target_text);
  std::printf("calling\n");
  std::fflush(stdout);
  std::vector<std::thread> callers;
  for (std::uint32_t i = 0; i < threads; ++i) {
    callers.emplace_back([&, i] {
      tenon::faults::Caller caller(target, ledger, seed + i);
      while (true) caller.call();
    });
  }
  for (std::thread& caller : callers) caller.join();
  return 0;
}

}  // namespace

int main(int argc, char* argv[]) {
  const std::string role = argc > 2 ? argv[1] : "";
  try {
    if (role == "server") return serve(argc, argv);
    if (role == "client" && argc > 5) return call(argc, argv);
  } catch (const CORBA::Exception& exception) {
    std::fprintf(stderr, "faults_program: %s\n", exception.what());
    return 1;
  }
  return 2;
}
