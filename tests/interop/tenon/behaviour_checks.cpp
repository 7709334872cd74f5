// SPDX-License-Identifier: Apache-2.0
//
// Tenon's client, what is not about the shape of a value: exceptions, oneways, attributes, references that travel both
// ways, callbacks, forwarding, inheritance.
//
// Threads: the callback servant is called from the ORB's threads.

#include <unistd.h>

#include <atomic>
#include <tenon/portable_server.hpp>
#include <tenon/timeout.hpp>

#include "echo_skel.hpp"
#include "orb/client/invocation.hpp"
#include "tests/interop/tenon/checks.hpp"

namespace checks {

using namespace Interop;
using CallbackRef = IDL::traits<Callback>::ref_type;
using ObjectRef = CORBA::object_reference<CORBA::Object>;

namespace {

class Listener final : public CORBA::servant_traits<Callback>::base_type {
 public:
  std::string said(const std::string& text) override {
    if (text == "refuse") throw Plain();
    if (text == "sleep") usleep(700'000);
    return "client heard " + text;
  }
  void noted(std::int32_t) override { ++notes_; }
  std::uint32_t notes() override { return notes_; }

 private:
  std::atomic<std::uint32_t> notes_{0};
};

bool same_objects(const ObjectRef& a, const ObjectRef& b) {
  if (!a || !b) return !a && !b;
  return a->_is_equivalent(b);
}

void user_exceptions(const EchoRef& echo) {
  check_throws<Plain>("fail_plain", [&] { echo->fail_plain(); });
  check("fail_detailed", [&]() -> std::string {
    std::string lost;
    try {
      echo->fail_detailed("because", -3, lost);
    } catch (const Detailed& e) {
      const bool good = e.why() == "because" && e.code() == -3 && e.bin().s() == -2 && e.bin().d() == 0.5 &&
                        e.hints() == StringSeq{"first hint", "because"};
      return good ? "" : "wrong members";
    }
    return "no exception";
  });
  check_throws<Plain>("fail_detailed_other", [&] {
    std::string lost;
    echo->fail_detailed("because", 0, lost);
  });
}

void system_exceptions(const EchoRef& echo) {
  struct Wanted {
    std::uint32_t which;
    const char* name;
    std::uint32_t minor;
    CORBA::CompletionStatus completed;
  };
  using CORBA::CompletionStatus;
  for (const Wanted& w : {Wanted{0, "NO_PERMISSION", 17, CompletionStatus::COMPLETED_NO},
                          Wanted{1, "BAD_PARAM", 42, CompletionStatus::COMPLETED_YES},
                          Wanted{2, "NO_RESOURCES", 99, CompletionStatus::COMPLETED_MAYBE}}) {
    check(std::string("fail_system_") + w.name, [&]() -> std::string {
      try {
        echo->fail_system(w.which);
      } catch (const CORBA::SystemException& e) {
        return e._name() == w.name && e.minor() == w.minor && e.completed() == w.completed ? "" : e.what();
      }
      return "no exception";
    });
  }
  check_raises("fail_undeclared", {"UNKNOWN"}, [&] { echo->fail_undeclared(); });
  check("alive_after_exceptions", [&] {
    echo->noop();
    return std::string();
  });
  check_raises("unknown_operation", {"BAD_OPERATION"},
               [&] { IDL::traits<Base>::unchecked_narrow(echo)->who(); });
}

void oneways_and_attributes(const EchoRef& echo) {
  check("oneways", [&] {
    echo->clear_notes();
    for (std::int32_t i = 0; i < 50; ++i) echo->note(i);
    echo->note_text("four", {1, 2, 3});
    const std::uint64_t wanted = 49 * 50 / 2 + 4 + 6;
    // A two-way call may overtake a oneway at omniORB's server: ask until it is there, or for five seconds.
    for (int i = 0; i < 500 && echo->note_sum() != wanted; ++i) usleep(10000);
    const std::uint64_t sum = echo->note_sum();
    return sum == wanted ? "" : "sum " + std::to_string(sum);
  });
  check("attribute_string", [&] {
    echo->title("a title");
    const std::string got = echo->title();
    return got == "a title" ? "" : "got " + got;
  });
  check("attribute_struct", [&] {
    const BinStruct bin(0, 'q', 0, 0, -0.25);
    echo->bin_attribute(bin);
    return std::string(echo->bin_attribute() == bin ? "" : "another value came back");
  });
  check("attribute_readonly", [&] {
    const std::uint32_t before = echo->calls();
    return std::string(echo->calls() > before ? "" : "calls did not grow");
  });
}

void callbacks(const EchoRef& echo, const CallbackRef& mine, Listener& servant) {
  check("call_back", [&] {
    const std::string got = echo->call_back(mine, "you");
    return got == "client heard you" ? "" : "got " + got;
  });
  check_throws<Plain>("call_back_exception", [&] { echo->call_back(mine, "refuse"); });
  check("note_back", [&] {
    echo->note_back(mine, 20);
    for (int i = 0; i < 500 && servant.notes() != 20; ++i) usleep(10000);
    return servant.notes() == 20 ? "" : std::to_string(servant.notes()) + " notes";
  });
  check("attribute_reference", [&] {
    echo->listener(mine);
    return std::string(same_objects(echo->listener(), mine) ? "" : "another reference came back");
  });
}

void timeouts(const EchoRef& echo, const CallbackRef& mine) {
  check_raises("timeout", {"TIMEOUT"}, [&] {
    const tenon::TimeoutScope soon(std::chrono::milliseconds(150));
    echo->call_back(mine, "sleep");
  });
  check("alive_after_timeout", [&] {
    // Before the late reply comes, and after it.
    for (int i = 0; i < 2; ++i) {
      std::int32_t b = i, c = -1;
      if (echo->echo_long(7, b, c) != 7 || b != 7 || c != i) return std::string("another call's answer");
      usleep(800'000);
    }
    return std::string();
  });
}

void locate(const EchoRef& echo) {
  using tenon::protocol::LocateStatus;
  const auto answer = [](CORBA::Object& object, LocateStatus wanted) -> std::string {
    const auto got = tenon::orb::locate(*object._reference(), tenon::Deadline::never());
    if (!got) tenon::gen::raise(got.error());
    return *got == wanted ? "" : "status " + std::to_string(static_cast<int>(*got));
  };
  check("locate_here", [&] { return answer(*echo, LocateStatus::object_here); });
  check("locate_gone", [&] {
    try {
      return answer(*echo->gone(), LocateStatus::unknown_object);
    } catch (const CORBA::OBJECT_NOT_EXIST&) {
      return std::string();  // JacORB says it with LOC_SYSTEM_EXCEPTION
    }
  });
}

void references(const EchoRef& echo, const CallbackRef& mine) {
  const CallbackRef theirs = echo->make_callback("server");
  check("make_callback", [&] {
    const std::string got = theirs->said("me");
    return got == "server heard me" ? "" : "got " + got;
  });
  check("echo_callback", [&] {
    CallbackRef b = theirs, c;
    const CallbackRef r = echo->echo_callback(mine, b, c);
    return verdict(same_objects(r, mine), same_objects(b, mine), same_objects(c, theirs));
  });
  check("echo_callback_nil", [&] {
    CallbackRef b, c;
    const CallbackRef r = echo->echo_callback(nullptr, b, c);
    return verdict(!r, !b, !c);
  });
  check("echo_object", [&] {
    ObjectRef b, c;
    const ObjectRef r = echo->echo_object(theirs, b, c);
    return verdict(same_objects(r, theirs), same_objects(b, theirs), !c);
  });
  check("echo_callback_seq", [&] {
    CallbackSeq b, c;
    const CallbackSeq r = echo->echo_callback_seq({mine, nullptr, theirs}, b, c);
    if (r.size() != 3 || b.size() != 3 || !c.empty()) return std::string("wrong lengths");
    return verdict(same_objects(r[0], mine) && !r[1] && same_objects(r[2], theirs), same_objects(b[0], mine),
                   true);
  });
  check("echo_subscriber", [&] {
    Subscriber b, c;
    const Subscriber r = echo->echo_subscriber(Subscriber("name", mine), b, c);
    return verdict(r.name() == "name" && same_objects(r.target(), mine), same_objects(b.target(), mine),
                   !c.target());
  });
}

void inheritance(const EchoRef& echo) {
  const auto base = echo->diamond_as_base();
  check("inheritance", [&]() -> std::string {
    const std::string who = base->who();
    if (who != "diamond") return "got " + who;
    const auto diamond = IDL::traits<Diamond>::narrow(base);
    if (!diamond) return "cannot be narrowed";
    diamond->right_value(-9);
    std::int32_t left = 0, right = 0;
    diamond->all(21, left, right);
    return left == 42 && right == -9 && diamond->leftward(4) == 8 ? "" : "wrong results";
  });
  check("is_a", [&]() -> std::string {
    if (!base->_is_a("IDL:tenon.test/Interop/Left:1.0")) return "not a Left";
    if (base->_is_a("IDL:tenon.test/Interop/Echo:1.0")) return "claims to be an Echo";
    return IDL::traits<Callback>::narrow(base) ? "narrowed to Callback" : "";
  });
  check("gone", [&]() -> std::string {
    const auto gone = echo->gone();
    if (!gone->_non_existent()) return "_non_existent says that it exists";
    try {
      gone->who();
    } catch (const CORBA::OBJECT_NOT_EXIST&) {
      return "";
    }
    return "no exception";
  });
  check("forwarded", [&] {
    const auto passing = echo->forwarded();
    const bool both = passing->who() == "diamond" && passing->who() == "diamond";
    return std::string(both ? "" : "wrong");
  });
}

}  // namespace

void behaviour_checks(const EchoRef& echo) {
  user_exceptions(echo);
  system_exceptions(echo);
  oneways_and_attributes(echo);
}

void reference_checks(CORBA::ORB& orb, const EchoRef& echo) {
  auto poa = IDL::traits<PortableServer::POA>::narrow(orb.resolve_initial_references("RootPOA"));
  poa->the_POAManager()->activate();
  auto servant = CORBA::make_reference<Listener>();
  const CallbackRef mine = servant->_this();
  callbacks(echo, mine, *servant);
  timeouts(echo, mine);
  references(echo, mine);
  inheritance(echo);
  locate(echo);
  check("reference_text", [&] {
    const ObjectRef again = orb.string_to_object(orb.object_to_string(echo));
    return std::string(same_objects(again, echo) && again->_hash(1000) == echo->_hash(1000) ? "" : "differs");
  });
}

}  // namespace checks
