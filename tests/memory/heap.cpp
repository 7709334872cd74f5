// SPDX-License-Identifier: Apache-2.0
//
// What an ORB takes from the heap after its start (tests/memory/heap.py runs it and reads what it reports):
//   heap server single-thread|thread-per-connection|pool iiop|uiop [known]
//                                            prints two references, serves until the client says so, and reports
//   heap client PARAM_TEST METER ABSENT CALLS EACH [known]
//                                            makes CALLS calls of Param_Test's types, and EACH oneways and faults of each kind; reports
// With `known` their memory is limited, and taken at the start. ABSENT is a reference to which nobody listens. The start is over when the
// ORB, the servants and references are made.
//
// Threads: the client has one of its own, the server those of its ORB.
#include <sys/socket.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <tenon/memory.hpp>
#include <tenon/parts.hpp>
#include <tenon/tenon.hpp>
#include <tenon/timeout.hpp>

#include "bench/param/tenon/operations.hpp"
#include "heap.hpp"
#include "tests/memory/counting.hpp"
#include "tests/memory/servants.hpp"

namespace {

using Orb = CORBA::object_reference<CORBA::ORB>;

const char* const types[] = {"short",      "ubstring",      "fixed_struct", "strseq",
                             "var_struct", "nested_struct", "struct_seq"};
/// Phases by their numbers; heap.py has the same names in the same order.
enum Phase {
  first_calls,
  calls,
  user_exceptions,
  system_exceptions,
  time_outs,
  reconnects,
  refusals,
  oneways
};

/// Small, so that a leak is refused memory soon.
tenon::Configuration configured(bool known, unsigned connections) {
  tenon::Configuration configuration;
  if (known)
    configuration.limits = {.connections = connections, .requests = 16, .buffers = 1 << 19, .objects = 16};
  return configuration;
}

void print_report() {
  for (const tenon::MemoryUse& each : tenon::memory_report()) {
    std::printf("M %s %zu %zu %zu %zu\n", each.kind, each.reserved, each.in_use, each.most_in_use,
                each.refused);
  }
}

/// Unix-domain sockets, where the library has them; the preset minimal has not.
void other_transports([[maybe_unused]] tenon::orb::Parts& parts) {
#ifdef HEAP_OVER_UIOP
  tenon::parts::uiop(parts);
#endif
}

tenon::orb::Serving serving_of(std::string_view way) {
  if (way == "pool") return tenon::orb::Serving::pool;
  return way == "single-thread" ? tenon::orb::Serving::single_thread
                                : tenon::orb::Serving::thread_per_connection;
}

int serve(std::string_view way, std::string_view transport, bool known) {
  // Twice those of the client: its new connections may come before the server has seen the end of those that they replace.
  tenon::Configuration configuration = configured(known, 16);
  // So long that its text does not fit into a std::string itself.
  configuration.endpoints = {transport == "uiop" ? "uiop://" : "iiop://127.123.123.123:0"};
  configuration.serving = serving_of(way);
  const Orb orb =
      tenon::init_orb(configuration, {tenon::server, other_transports, tenon::parts::single_thread,
                                      tenon::parts::pool, tenon::parts::known_memory});
  const auto param = CORBA::make_reference<heap::ParamServant>();
  const auto meter = CORBA::make_reference<heap::MeterServant>(orb.get());
  const auto one = tenon::publish(orb, param, "Param");
  const auto other = tenon::publish(orb, meter, "Meter");
  std::printf("%s %s\n", tenon::corbaloc(orb, "Param").c_str(), tenon::corbaloc(orb, "Meter").c_str());
  std::fflush(stdout);
  counting::begin(first_calls);
  orb->run();
  print_report();
  counting::report();
  return one && other ? 0 : 1;
}

/// Ends the connections that this process has, as a network does that fails.
void break_connections() noexcept {
  for (int descriptor = 3; descriptor < 64; ++descriptor) {
    static_cast<void>(::shutdown(descriptor, SHUT_RDWR));
  }
}

[[noreturn]] void fail(const char* what) {
  std::fprintf(stderr, "heap: %s\n", what);
  std::exit(1);
}

/// The exception that the call ends in must be E.
template <class E, class Call>
void must_raise(const char* what, const Call& call) {
  try {
    call();
  } catch (const E&) {
    return;
  }
  fail(what);
}

class Client {
 public:
  Client(const Orb& orb, char** references)
      : param_(IDL::traits<Param::ParamTest>::narrow(orb->string_to_object(references[0]))),
        meter_(IDL::traits<Heap::Meter>::narrow(orb->string_to_object(references[1]))),
        slow_(IDL::traits<Heap::Meter>::narrow(orb->string_to_object(references[1]))),
        unknown_(orb->string_to_object(std::string(references[1]) + "Unknown")),
        absent_(orb->string_to_object(references[2])) {
    if (!param_ || !meter_ || !slow_ || !unknown_ || !absent_) fail("a reference is nil");
    tenon::set_timeout(*slow_, std::chrono::milliseconds(1));
  }

  void run(int number, int each) {
    counting::begin(first_calls);
    for (const char* type : types) call(type, 1);
    enter(calls);
    for (const char* type : types) call(type, number / static_cast<int>(std::size(types)));
    enter(user_exceptions);
    for (int i = 0; i < each; ++i) {
      must_raise<Heap::Refused>("no user exception", [&] { meter_->raise_user(); });
    }
    enter(system_exceptions);
    for (int i = 0; i < each; ++i) {
      must_raise<CORBA::NO_PERMISSION>("no system exception", [&] { meter_->raise_system(); });
    }
    enter(time_outs);
    for (int i = 0; i < each; ++i) {
      must_raise<CORBA::TIMEOUT>("no time-out", [&] {
        // A client that the machine lets wait may find the reply before it looks at its clock.
        for (int tries = 0; tries < 100; ++tries) slow_->dawdle(5);
      });
      meter_->nothing();
    }
    enter(reconnects);
    for (int i = 0; i < each; ++i) {
      break_connections();
      call_again();
    }
    enter(refusals);
    for (int i = 0; i < each; ++i) {
      must_raise<CORBA::OBJECT_NOT_EXIST>("no refusal",
                                          [&] { static_cast<void>(unknown_->_is_a("IDL:x:1.0")); });
      must_raise<CORBA::TRANSIENT>("no TRANSIENT", [&] { static_cast<void>(absent_->_is_a("IDL:x:1.0")); });
    }
    enter(oneways);
    for (int i = 0; i < each; ++i) {
      meter_->dawdle_apart(i % 16 == 0 ? 2 : 0);
      meter_->dawdle_apart(0);
      meter_->nothing();  // waits for both, and with a pool in a queue
    }
    counting::end();
    meter_->finish();
  }

 private:
  void enter(Phase phase) {
    meter_->phase(phase);
    counting::begin(phase);
  }

  void call(const char* type, int number) {
    const std::string why = param::with_type(type, [&](const auto& sample, const auto& operation) {
      for (int i = 0; i < number; ++i) {
        auto inout = sample;
        auto out = sample;
        if (operation(*param_, sample, inout, out) != sample) fail("a value has changed");
      }
      return std::string();
    });
    if (!why.empty()) fail("no such type");
  }

  /// A call on a connection that is broken may fail; the next one opens another.
  void call_again() {
    try {
      meter_->nothing();
    } catch (const CORBA::SystemException&) {
      meter_->nothing();
    }
  }

  IDL::traits<Param::ParamTest>::ref_type param_;
  IDL::traits<Heap::Meter>::ref_type meter_;
  IDL::traits<Heap::Meter>::ref_type slow_;
  IDL::traits<CORBA::Object>::ref_type unknown_;
  IDL::traits<CORBA::Object>::ref_type absent_;
};

int call(char** references, int number, int each, bool known) {
  const Orb orb =
      tenon::init_orb(configured(known, 8), {tenon::client, other_transports, tenon::parts::corbaloc,
                                             tenon::parts::connection_limit, tenon::parts::known_memory});
  {
    Client client(orb, references);
    client.run(number, each);
  }
  orb->destroy();
  print_report();
  counting::report();
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view role = argc > 1 ? argv[1] : "";
  try {
    const bool known = argc > 3 && std::string_view(argv[argc - 1]) == "known";
    if (role == "server" && argc == (known ? 5 : 4)) return serve(argv[2], argv[3], known);
    if (role == "client" && argc == (known ? 8 : 7)) {
      return call(argv + 2, std::atoi(argv[5]), std::atoi(argv[6]), known);
    }
  } catch (const CORBA::Exception& e) {
    std::fprintf(stderr, "heap %s: %s\n", argv[1], e.what());
    return 1;
  }
  std::fputs("heap server WAY TRANSPORT [known] | heap client PARAM_TEST METER ABSENT CALLS EACH [known]\n",
             stderr);
  return 2;
}
