// SPDX-License-Identifier: Apache-2.0
//
// Tenon's server of desk.idl. Options: --ior FILE, --idle SECONDS; the rest goes to ORB_init.
//
// Threads: the ORB's; one of our own waits for the end while the main one is in run(), and call_back() makes some.

#include <atomic>
#include <chrono>
#include <future>
#include <tenon/portable_server.hpp>
#include <tenon/tenon.hpp>
#include <thread>

#include "desk_skel.hpp"
#include "tests/interop/tenon/program.hpp"

namespace {

using ListenerRef = CORBA::object_reference<BenchUsers::Listener>;

class DeskServant final : public CORBA::servant_traits<BenchUsers::Desk>::base_type {
 public:
  DeskServant(CORBA::ORB& orb, bool single_thread) : orb_(orb), single_thread_(single_thread) {}

  void quick() override {}

  void wait(std::uint32_t milliseconds) override {
    const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(milliseconds);
    while (std::chrono::steady_clock::now() < end) {
      // A program with one thread goes on serving while it waits.
      if (single_thread_ && orb_.work_pending()) {
        orb_.perform_work();
      } else {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      }
    }
  }

  void tick() override { ++ticks_; }
  std::uint64_t ticks() override { return ticks_.exchange(0); }

  void call_back(ListenerRef whom, std::uint32_t times) override {
    std::vector<std::future<void>> calls;
    for (std::uint32_t i = 0; i < times; ++i) {
      calls.push_back(std::async(std::launch::async, [&] { whom->told(); }));
    }
    for (auto& call : calls) call.get();
  }

 private:
  CORBA::ORB& orb_;
  const bool single_thread_;
  std::atomic<std::uint64_t> ticks_{0};
};

}  // namespace

int main(int argc, char** argv) {
  program::Options options = program::parse(argc, argv);
  program::hold_signals();
  bool single_thread = false;
  for (const std::string& word : options.orb) single_thread = single_thread || word == "single-thread";
  try {
    char** arguments = options.arguments();
    auto orb = CORBA::ORB_init(options.argc, arguments);
    auto root = IDL::traits<PortableServer::POA>::narrow(orb->resolve_initial_references("RootPOA"));
    root->the_POAManager()->activate();
    auto servant = CORBA::make_reference<DeskServant>(*orb, single_thread);
    program::publish(options.ior, orb->object_to_string(servant->_this()));
    std::thread ending([&] {
      program::wait_for_the_end(options.idle_seconds);
      orb->shutdown(false);
    });
    orb->run();
    ending.join();
    orb->destroy();
    return 0;
  } catch (const CORBA::Exception& e) {
    std::fprintf(stderr, "server: %s\n", e.what());
    return 1;
  }
}
