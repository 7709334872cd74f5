// SPDX-License-Identifier: Apache-2.0
//
// failing [SCENARIO [NUMBER]]: what a program sees when memory ends. In each scenario the 1st allocation fails, then the 2nd, the 3rd ...
// until the scenario needs no more: each time in a process of its own, which has a client and a server. The call ends in a system
// exception, or succeeds because it can do without; the next one works. With a number, in this process, for a debugger.
//
// Threads: those of the ORBs; an allocation of any of them may be the one that fails.
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <tenon/parts.hpp>
#include <tenon/tenon.hpp>
#include <tenon/timeout.hpp>

#include "bench/param/tenon/operations.hpp"
#include "heap_skel.hpp"
#include "tests/memory/counting.hpp"
#include "tests/memory/servants.hpp"

namespace {

using Object = IDL::traits<Heap::Meter>::ref_type;
using ParamTest = IDL::traits<Param::ParamTest>::ref_type;

struct World {
  CORBA::object_reference<CORBA::ORB> server;
  CORBA::object_reference<CORBA::ORB> client;
  ParamTest param;
  Object meter;
};

World make_world() {
  tenon::Configuration serving;
  serving.id = "server";
  serving.endpoints = {"iiop://127.0.0.1:0"};
  serving.serving = tenon::orb::Serving::thread_per_connection;
  tenon::Configuration calling;
  calling.id = "client";
  World made{tenon::init_orb(serving, {tenon::server}),
             tenon::init_orb(calling, {tenon::client, tenon::parts::corbaloc}), nullptr, nullptr};
  const auto param = CORBA::make_reference<heap::ParamServant>();
  const auto meter = CORBA::make_reference<heap::MeterServant>(made.server.get());
  static_cast<void>(tenon::publish(made.server, param, "Param"));
  static_cast<void>(tenon::publish(made.server, meter, "Meter"));
  made.param = IDL::traits<Param::ParamTest>::narrow(
      made.client->string_to_object(tenon::corbaloc(made.server, "Param")));
  made.meter =
      IDL::traits<Heap::Meter>::narrow(made.client->string_to_object(tenon::corbaloc(made.server, "Meter")));
  tenon::set_timeout(*made.param, std::chrono::seconds(2));
  tenon::set_timeout(*made.meter, std::chrono::seconds(2));
  return made;
}

void break_connections() noexcept {
  for (int descriptor = 3; descriptor < 64; ++descriptor) {
    sockaddr_storage peer{};
    socklen_t size = sizeof peer;
    if (::getpeername(descriptor, reinterpret_cast<sockaddr*>(&peer), &size) == 0)
      static_cast<void>(::shutdown(descriptor, SHUT_RDWR));
  }
}

template <class T, class Operation>
void four_ways(World& world, const T& sample, const Operation& operation) {
  T inout = sample;
  T out = sample;
  static_cast<void>(operation(*world.param, sample, inout, out));
}

struct Scenario {
  const char* name;
  void (*before)(World&);
  void (*act)(World&);
  bool has_values = false;  ///< whose memory may be what is missing: the program's own std::bad_alloc
};

void nothing(World& world) { world.meter->nothing(); }

const Scenario scenarios[] = {
    {"call", nothing, nothing},
    {"strings", nothing,
     [](World& world) {
       four_ways(world, param::str_seq(),
                 [](auto& o, auto& in, auto& io, auto& out) { return o.test_strseq(in, io, out); });
     },
     true},
    {"structs", nothing,
     [](World& world) {
       four_ways(world, param::var_struct(),
                 [](auto& o, auto& in, auto& io, auto& out) { return o.test_var_struct(in, io, out); });
     },
     true},
    {"connect", [](World&) { break_connections(); }, nothing},
    {"first_connection",
     [](World& world) {
       world.client->destroy();
       tenon::Configuration calling;
       calling.id = "another";
       world.client = tenon::init_orb(calling, {tenon::client, tenon::parts::corbaloc});
       world.meter = IDL::traits<Heap::Meter>::narrow(
           world.client->string_to_object(tenon::corbaloc(world.server, "Meter")));
       break_connections();
     },
     nothing},
    {"user_exception", nothing,
     [](World& world) {
       try {
         world.meter->raise_user();
       } catch (const Heap::Refused&) {}
     }},
    {"system_exception", nothing, [](World& world) { world.meter->raise_system(); }},
    {"is_a", nothing,
     [](World& world) { static_cast<void>(world.meter->_is_a("IDL:tenon.test/Heap/Other:1.0")); }, true},
};

enum Outcome { good = 0, not_reached = 10, foreign_exception = 11, next_call_failed = 12 };

int run(const Scenario& scenario, long number) {
  ::alarm(20);
  World world = make_world();
  nothing(world);
  scenario.before(world);
  int outcome = good;
  counting::fail(number);
  try {
    scenario.act(world);
  } catch (const CORBA::SystemException&) {
    // NO_MEMORY, or what a refused connection leads to.
  } catch (const std::bad_alloc&) {
    if (!scenario.has_values) outcome = foreign_exception;
  } catch (...) {
    outcome = foreign_exception;
  }
  const bool reached = counting::has_failed();
  counting::fail(0);
  try {
    nothing(world);
  } catch (const CORBA::SystemException&) {
    // The peer may have closed the connection for want of memory; the one after that is fresh.
    try {
      nothing(world);
    } catch (const CORBA::SystemException& e) {
      std::fprintf(stderr, "failing %s %ld: the next call: %s\n", scenario.name, number, e.what());
      outcome = next_call_failed;
    }
  }
  return outcome != good ? outcome : reached ? good : not_reached;
}

/// How often it went wrong.
int run_all(const Scenario& scenario) {
  constexpr long most = 500;
  int bad = 0;
  for (long number = 1; number <= most; ++number) {
    const pid_t child = ::fork();
    if (child == 0) ::_exit(run(scenario, number));
    int status = 0;
    ::waitpid(child, &status, 0);
    if (WIFEXITED(status) && WEXITSTATUS(status) == not_reached) {
      std::printf("%s: %ld allocations, %d went wrong\n", scenario.name, number - 1, bad);
      std::fflush(stdout);
      return bad;
    }
    if (WIFEXITED(status) && WEXITSTATUS(status) == good) continue;
    ++bad;
    std::printf("%s %ld: %s %d\n", scenario.name, number, WIFSIGNALED(status) ? "signal" : "status",
                WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
    std::fflush(stdout);
  }
  std::printf("%s: does not end\n", scenario.name);
  return bad + 1;
}

}  // namespace

int main(int argc, char** argv) {
  int bad = 0;
  for (const Scenario& each : scenarios) {
    if (argc > 1 && std::strcmp(argv[1], each.name) != 0) continue;
    if (argc > 2) return run(each, std::atol(argv[2]));
    bad += run_all(each);
  }
  return bad == 0 ? 0 : 1;
}
