// SPDX-License-Identifier: Apache-2.0
//
// The slowest calls of Tenon beside the slowest of a raw socket, in the same processes and turn by turn, so that whatever else the
// machine does falls on both.
//
//   core_tail server --ior FILE        publishes its object there, and a raw server's address in FILE.raw
//   core_tail client --ior FILE        command: tail COUNT REQUEST REPLY  -> "TENON RAW" 99.9th percentiles, nanoseconds
//
// Threads: the client has one; the server the ORB's and one for each raw connection.

#include <tenon/portable_server.hpp>
#include <tenon/tenon.hpp>
#include <thread>

#include "bench/raw/blocks.hpp"
#include "bench/raw/server.hpp"
#include "core_skel.hpp"
#include "tests/interop/tenon/program.hpp"

namespace {

class TargetServant final : public CORBA::servant_traits<BenchCore::Target>::base_type {
 public:
  void noop() override {}
};

int serve(program::Options& options) {
  program::hold_signals();
  char** arguments = options.arguments();
  auto orb = CORBA::ORB_init(options.argc, arguments);
  auto object = tenon::publish(orb, CORBA::make_reference<TargetServant>());
  const int listener = raw::listen_on("", options.ior + ".raw");
  std::thread accepting(raw::accept_connections, listener);
  program::publish(options.ior, orb->object_to_string(object));
  program::wait_for_the_end(options.idle_seconds);
  shutdown(listener, SHUT_RDWR);
  accepting.join();
  orb->destroy();
  std::fflush(nullptr);
  _exit(0);  // the threads of raw connections are left where they are
}

std::string p999(std::vector<std::uint64_t>& times) {
  const auto nth = times.begin() + static_cast<std::ptrdiff_t>(times.size() * 999 / 1000);
  std::nth_element(times.begin(), nth, times.end());
  return std::to_string(*nth);
}

template <class Call>
void time_into(std::vector<std::uint64_t>& times, std::size_t count, Call&& call) {
  std::uint64_t begin = blocks::now_ns();
  for (std::size_t i = 0; i < count; ++i) {
    call();
    const std::uint64_t end = blocks::now_ns();
    times.push_back(end - begin);
    begin = end;
  }
}

int command(program::Options& options) {
  char** arguments = options.arguments();
  auto orb = CORBA::ORB_init(options.argc, arguments);
  const auto target = IDL::traits<BenchCore::Target>::unchecked_narrow(
      orb->string_to_object(program::read_reference(options.ior)));
  const int status = blocks::serve_commands([&](const blocks::Words& words) -> std::string {
    if (words.size() != 4 || words[0] != "tail") return "";
    const std::size_t count = std::max<std::size_t>(blocks::number(words, 1), 1);
    const raw::Plan plan{raw::Kind::two_way, static_cast<std::uint32_t>(blocks::number(words, 2)),
                         static_cast<std::uint32_t>(blocks::number(words, 3)), 0};
    const raw::Connection connection(options.ior + ".raw", plan);
    std::vector<char> out(plan.request, 0x2a);
    std::vector<char> in(plan.reply);
    std::vector<std::uint64_t> ours;
    std::vector<std::uint64_t> theirs;
    ours.reserve(count);
    theirs.reserve(count);
    constexpr std::size_t turn = 100;
    for (std::size_t done = 0; done < count; done += turn) {
      time_into(ours, std::min(turn, count - done), [&] { target->noop(); });
      time_into(theirs, std::min(turn, count - done), [&] { connection.exchange(out.data(), in.data()); });
    }
    return p999(ours) + " " + p999(theirs);
  });
  orb->destroy();
  return status;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string role = argc > 1 ? argv[1] : "";
  if (role != "server" && role != "client") {
    std::fprintf(stderr, "usage: core_tail server|client --ior FILE [option of ORB_init...]\n");
    return 2;
  }
  program::Options options = program::parse(argc - 1, argv + 1);
  try {
    return role == "server" ? serve(options) : command(options);
  } catch (const CORBA::Exception& e) {
    std::fprintf(stderr, "core_tail: %s\n", e.what());
    return 1;
  }
}
