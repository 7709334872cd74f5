// SPDX-License-Identifier: Apache-2.0
//
// Tenon's client of desk.idl; commands on standard input (bench/raw/blocks.hpp):
//   timeout WAIT MS            wait(WAIT), given up after MS milliseconds -> "done" when it raises TIMEOUT
//   quick COUNT MS             quick(), each given up after MS milliseconds -> how many of them succeed
//   pingpong COUNT             quick(), timed -> "P50 P99" nanoseconds
//   ticks COUNT MS             tick() every MS milliseconds, then ticks() -> how many of them were lost
//   call_back TIMES            asks to be called so many times at once -> "done"
//
// Threads: one, and those of the ORB that serves the listener.

#include <chrono>
#include <tenon/portable_server.hpp>
#include <tenon/tenon.hpp>
#include <tenon/timeout.hpp>
#include <thread>

#include "bench/raw/blocks.hpp"
#include "desk_skel.hpp"
#include "tests/interop/tenon/with_orb.hpp"

namespace {

using Desk = IDL::traits<BenchUsers::Desk>;
using std::chrono::milliseconds;

class ListenerServant final : public CORBA::servant_traits<BenchUsers::Listener>::base_type {
 public:
  void told() override {}
};

std::string wait_in_vain(const Desk::ref_type& desk, std::size_t wait, std::size_t timeout) {
  const tenon::TimeoutScope scope{milliseconds(timeout)};
  try {
    desk->wait(static_cast<std::uint32_t>(wait));
    return "error the call came back";
  } catch (const CORBA::TIMEOUT&) {
    return "done";
  }
}

std::string quick(const Desk::ref_type& desk, std::size_t count, std::size_t timeout) {
  const tenon::TimeoutScope scope{milliseconds(timeout)};
  std::size_t succeeded = 0;
  for (std::size_t i = 0; i < count; ++i) {
    try {
      desk->quick();
      ++succeeded;
    } catch (const CORBA::SystemException& e) {
      std::fprintf(stderr, "client: %s\n", e.what());
    }
  }
  return std::to_string(succeeded);
}

std::string ticks(const Desk::ref_type& desk, std::size_t count, std::size_t interval) {
  desk->ticks();
  for (std::size_t i = 0; i < count; ++i) {
    desk->tick();
    std::this_thread::sleep_for(milliseconds(interval));
  }
  return std::to_string(static_cast<long long>(count) - static_cast<long long>(desk->ticks()));
}

std::string call_back(CORBA::ORB& orb, const Desk::ref_type& desk, std::size_t times) {
  auto root = IDL::traits<PortableServer::POA>::narrow(orb.resolve_initial_references("RootPOA"));
  root->the_POAManager()->activate();
  auto listener = CORBA::make_reference<ListenerServant>();
  desk->call_back(listener->_this(), static_cast<std::uint32_t>(times));
  return "done";
}

std::string run(CORBA::ORB& orb, const Desk::ref_type& desk, const blocks::Words& words) {
  const std::size_t first = blocks::number(words, 1);
  const std::size_t second = blocks::number(words, 2);
  try {
    if (words[0] == "timeout") return wait_in_vain(desk, first, second);
    if (words[0] == "quick") return quick(desk, first, second);
    if (words[0] == "pingpong") return blocks::time_calls(first, [&] { desk->quick(); });
    if (words[0] == "ticks") return ticks(desk, first, second);
    if (words[0] == "call_back") return call_back(orb, desk, first);
  } catch (const CORBA::Exception& e) {
    return std::string("error ") + e.what();
  }
  return "";
}

}  // namespace

int main(int argc, char** argv) {
  return program::with_orb("client", argc, argv, [](const auto& orb, const program::Options& options) {
    const auto desk = Desk::unchecked_narrow(orb->string_to_object(program::read_reference(options.ior)));
    if (!desk) return 2;
    return blocks::serve_commands([&](const blocks::Words& words) { return run(*orb, desk, words); });
  });
}
