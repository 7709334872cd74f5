// SPDX-License-Identifier: Apache-2.0
//
// exhausted [SCENARIO]: a program takes all memory that there is, with an ORB in it, and gives it back. Calls meanwhile succeed or end in
// NO_MEMORY; nothing crashes or hangs, and afterwards all works. Each scenario in a process of its own, whose address space has an end.
#include <malloc.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <string>
#include <tenon/parts.hpp>
#include <tenon/tenon.hpp>
#include <tenon/timeout.hpp>

#include "heap_skel.hpp"
#include "tests/memory/servants.hpp"

namespace {

using Meter = IDL::traits<Heap::Meter>::ref_type;
using ORB = CORBA::object_reference<CORBA::ORB>;

// --- memory ---

/// All memory of the process, in pieces of which each knows the one before.
class Everything {
 public:
  /// From now on the process gets no more than a little above what it has.
  static bool limit() {
    long pages = 0;
    std::FILE* const sizes = std::fopen("/proc/self/statm", "r");
    const bool read = sizes != nullptr && std::fscanf(sizes, "%ld", &pages) == 1;
    if (sizes != nullptr) std::fclose(sizes);
    const rlim_t octets = static_cast<rlim_t>(pages * ::sysconf(_SC_PAGESIZE)) + (rlim_t{64} << 20);
    const rlimit end{.rlim_cur = octets, .rlim_max = RLIM_INFINITY};
    return read && ::setrlimit(RLIMIT_AS, &end) == 0;
  }
  /// With malloc(), which leaves what ORBs have set aside.
  void take_heap() {
    take([](std::size_t size) { return std::malloc(size); });
  }
  /// With operator new, which takes that as well.
  void take_all() {
    take_heap();
    take([](std::size_t size) { return ::operator new(size, std::nothrow); });
    take_heap();
  }
  void give_back() {
    while (last_ != nullptr) std::free(std::exchange(last_, last_->before));
  }

 private:
  struct Piece {
    Piece* before;
  };
  template <typename Take>
  void take(Take from) {
    for (std::size_t size = std::size_t{1} << 20; size >= sizeof(Piece); size /= 2) {
      while (void* const memory = from(size)) last_ = new (memory) Piece{last_};
    }
  }
  Piece* last_ = nullptr;
};

// --- ORBs ---

ORB make_server() {
  tenon::Configuration serving;
  serving.id = "server";
  serving.endpoints = {"iiop://127.0.0.1:0"};
  serving.serving = tenon::orb::Serving::thread_per_connection;
  ORB made = tenon::init_orb(serving, {tenon::server});
  static_cast<void>(tenon::publish(made, CORBA::make_reference<heap::MeterServant>(made.get()), "Meter"));
  return made;
}

ORB make_client(const char* id) {
  tenon::Configuration calling;
  calling.id = id;
  return tenon::init_orb(calling, {tenon::client, tenon::parts::corbaloc});
}

Meter meter_at(const ORB& client, const std::string& url) {
  Meter made = IDL::traits<Heap::Meter>::narrow(client->string_to_object(url));
  tenon::set_timeout(*made, std::chrono::seconds(2));
  return made;
}

enum class Call { good, no_memory, refused, wrong };

/// `refused`: the peer has closed the connection, or takes none.
template <typename Do>
Call outcome_of(Do act) {
  try {
    act();
    return Call::good;
  } catch (const CORBA::NO_MEMORY& e) {
    return e.completed() == CORBA::CompletionStatus::COMPLETED_NO ? Call::no_memory : Call::wrong;
  } catch (const CORBA::COMM_FAILURE&) {
    return Call::refused;
  } catch (const CORBA::TRANSIENT&) {
    return Call::refused;
  } catch (...) {
    return Call::wrong;
  }
}

Call call(const Meter& meter) {
  return outcome_of([&] { meter->nothing(); });
}

/// After the memory is back: the call works, at the second time if its connection was closed meanwhile.
bool works_again(const Meter& meter) { return call(meter) == Call::good || call(meter) == Call::good; }

// --- scenarios: 0, or the number of the step that went wrong ---

constexpr int times = 200;

int both_in_one_process() {
  const ORB server = make_server();
  const ORB client = make_client("client");
  const Meter meter = meter_at(client, tenon::corbaloc(server, "Meter"));
  const Meter unbound = meter_at(client, tenon::corbaloc(server, "Meter"));
  if (call(meter) != Call::good) return 1;
  Everything memory;
  if (!Everything::limit()) return 2;
  for (int round = 0; round < 3; ++round) {
    memory.take_heap();
    for (int i = 0; i < times; ++i) {
      const Call ended = call(meter);
      if (ended != Call::good && ended != Call::no_memory) return 3;
    }
    memory.take_all();
    for (int i = 0; i < times; ++i) {
      if (call(meter) != Call::no_memory) return 4;
      if (call(unbound) != Call::no_memory) return 5;
    }
    memory.give_back();
    if (!works_again(meter) || !works_again(unbound)) return 6;
  }
  server->shutdown(false);
  client->destroy();
  server->destroy();
  return 0;
}

int server_alone() {
  int there[2];
  int back[2];
  if (::pipe(there) != 0 || ::pipe(back) != 0) return 1;
  const pid_t child = ::fork();
  if (child == 0) {
    const ORB server = make_server();
    const std::string url = tenon::corbaloc(server, "Meter") + '\n';
    if (::write(back[1], url.data(), url.size()) < 0 || !Everything::limit()) ::_exit(1);
    Everything memory;
    char order = 0;
    while (::read(there[0], &order, 1) == 1) {
      if (order == 'e') break;
      order == 't' ? memory.take_all() : memory.give_back();
      if (::write(back[1], &order, 1) != 1) ::_exit(2);
    }
    server->shutdown(false);
    server->destroy();
    ::_exit(0);
  }
  std::string url;
  char letter = 0;
  while (::read(back[0], &letter, 1) == 1 && letter != '\n') url += letter;
  const auto tell = [&](char order) {
    return ::write(there[1], &order, 1) == 1 && ::read(back[0], &letter, 1) == 1;
  };
  const ORB client = make_client("client");
  const Meter meter = meter_at(client, url);
  if (call(meter) != Call::good) return 2;
  for (int round = 0; round < 3; ++round) {
    if (!tell('t')) return 3;
    for (int i = 0; i < times; ++i) {
      const Call ended = call(meter);
      if (ended != Call::no_memory && ended != Call::refused) return 4;
    }
    // A connection that is opened now.
    const ORB another = make_client("another");
    for (int i = 0; i < 20; ++i) {
      const Call ended = outcome_of([&] { meter_at(another, url)->nothing(); });
      if (ended != Call::no_memory && ended != Call::refused) return 5;
    }
    another->destroy();
    if (!tell('g')) return 6;
    if (!works_again(meter)) return 7;
  }
  letter = 'e';
  int status = 0;
  if (::write(there[1], &letter, 1) != 1 || ::waitpid(child, &status, 0) != child || status != 0) return 8;
  return 0;
}

int no_memory_to_start() {
  // What a start-up allocates before it looks for memory is the program's.
  tenon::Configuration calling;
  calling.id = "client";
  tenon::Configuration again = calling;
  Everything memory;
  if (!Everything::limit()) return 1;
  memory.take_all();
  bool refused = false;
  try {
    static_cast<void>(tenon::init_orb(std::move(calling), {tenon::client}));
  } catch (const CORBA::NO_MEMORY&) {
    refused = true;
  }
  bool full_refused = false;
  try {
    int argc = 0;
    static_cast<void>(CORBA::ORB_init(argc, nullptr));
  } catch (const CORBA::NO_MEMORY&) {
    full_refused = true;
  }
  memory.give_back();
  if (!refused) return 2;
  if (!full_refused) return 3;
  tenon::init_orb(std::move(again), {tenon::client})->destroy();
  int argc = 0;
  CORBA::ORB_init(argc, nullptr)->destroy();
  return 0;
}

struct Scenario {
  const char* name;
  int (*run)();
};

constexpr Scenario scenarios[] = {{"both_in_one_process", both_in_one_process},
                                  {"server_alone", server_alone},
                                  {"no_memory_to_start", no_memory_to_start}};

int run_apart(const Scenario& scenario) {
  const pid_t child = ::fork();
  if (child == 0) {
    ::alarm(60);
    ::mallopt(M_ARENA_MAX, 1);  // else each thread has memory of its own
    ::_exit(scenario.run());
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  const bool exited = WIFEXITED(status);
  std::printf("%s: %s %d\n", scenario.name, exited ? "step" : "signal",
              exited ? WEXITSTATUS(status) : WTERMSIG(status));
  std::fflush(stdout);
  return status == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  int bad = 0;
  for (const Scenario& each : scenarios) {
    if (argc == 1 || std::strcmp(argv[1], each.name) == 0) bad += run_apart(each);
  }
  return bad == 0 ? 0 : 1;
}
