// SPDX-License-Identifier: Apache-2.0
//
// omniORB's client, what is not about the shape of a value: exceptions, oneways, attributes, references that
// travel both ways, callbacks, forwarding, inheritance.
//
// Threads: the callback servant is called from omniORB's threads.

#include "checks.hpp"
#include "same.hpp"

namespace peer {

using namespace Interop;

namespace {

class Listener : public POA_Interop::Callback {
 public:
  char* said(const char* text) override {
    if (std::strcmp(text, "refuse") == 0) throw Plain();
    return CORBA::string_dup((std::string("client heard ") + text).c_str());
  }
  void noted(CORBA::Long) override { ++notes_; }
  CORBA::ULong notes() override { return notes_; }

 private:
  std::atomic<CORBA::ULong> notes_{0};
};

void user_exceptions(Echo_ptr echo) {
  check("fail_plain", [&]() -> std::string {
    try {
      echo->fail_plain();
    } catch (const Plain&) {
      return "";
    }
    return "no exception";
  });
  check("fail_detailed", [&]() -> std::string {
    CORBA::String_var lost;
    try {
      echo->fail_detailed("because", -3, lost.out());
    } catch (const Detailed& e) {
      const bool good = std::strcmp(e.why, "because") == 0 && e.code == -3 && e.bin.s == -2 &&
                        e.bin.d == 0.5 && e.hints.length() == 2 &&
                        std::strcmp(e.hints[0], "first hint") == 0 && std::strcmp(e.hints[1], "because") == 0;
      return good ? "" : "wrong members";
    }
    return "no exception";
  });
  check("fail_detailed_other", [&]() -> std::string {
    CORBA::String_var lost;
    try {
      echo->fail_detailed("because", 0, lost.out());
    } catch (const Plain&) {
      return "";
    }
    return "no exception";
  });
}

void system_exceptions(Echo_ptr echo) {
  struct Wanted {
    CORBA::ULong which;
    const char* name;
    CORBA::ULong minor;
    CORBA::CompletionStatus completed;
  };
  for (const Wanted& w :
       {Wanted{0, "NO_PERMISSION", 17, CORBA::COMPLETED_NO}, Wanted{1, "BAD_PARAM", 42, CORBA::COMPLETED_YES},
        Wanted{2, "NO_RESOURCES", 99, CORBA::COMPLETED_MAYBE}}) {
    check(std::string("fail_system_") + w.name, [&]() -> std::string {
      try {
        echo->fail_system(w.which);
      } catch (const CORBA::SystemException& e) {
        return w.name == std::string(e._name()) && e.minor() == w.minor && e.completed() == w.completed
                   ? ""
                   : show(e);
      }
      return "no exception";
    });
  }
  check_raises("fail_undeclared", {"UNKNOWN"}, [&] { echo->fail_undeclared(); });
  check("alive_after_exceptions", [&] {
    echo->noop();
    return std::string();
  });
  check_raises("unknown_operation", {"BAD_OPERATION"}, [&] {
    Base_var wrong = Base::_unchecked_narrow(echo);
    CORBA::String_var who = wrong->who();
  });
}

void oneways_and_attributes(Echo_ptr echo) {
  check("oneways", [&] {
    echo->clear_notes();
    LongSeq values;
    values.length(3);
    for (CORBA::ULong i = 0; i < 3; ++i) values[i] = static_cast<CORBA::Long>(i + 1);
    for (int i = 0; i < 50; ++i) echo->note(i);
    echo->note_text("four", values);
    const CORBA::ULongLong wanted = 49 * 50 / 2 + 4 + 6;
    // A two-way call may overtake a oneway at omniORB's server: ask until it is there, or for five seconds.
    for (int i = 0; i < 500 && echo->note_sum() != wanted; ++i) usleep(10000);
    const CORBA::ULongLong sum = echo->note_sum();
    return sum == wanted ? "" : "sum " + std::to_string(sum);
  });
  check("attribute_string", [&] {
    echo->title("a title");
    CORBA::String_var got = echo->title();
    return std::string(std::strcmp(got, "a title") == 0 ? "" : got.in());
  });
  check("attribute_struct", [&] {
    BinStruct bin;
    std::memset(static_cast<void*>(&bin), 0, sizeof bin);
    bin.c = 'q';
    bin.d = -0.25;
    echo->bin_attribute(bin);
    return std::string(same(echo->bin_attribute(), bin) ? "" : "another value came back");
  });
  check("attribute_readonly", [&] {
    const CORBA::ULong before = echo->calls();
    return std::string(echo->calls() > before ? "" : "calls did not grow");
  });
}

void callbacks(Echo_ptr echo, Callback_ptr mine) {
  check("call_back", [&] {
    CORBA::String_var got = echo->call_back(mine, "you");
    return std::string(std::strcmp(got, "client heard you") == 0 ? "" : got.in());
  });
  check("call_back_exception", [&]() -> std::string {
    try {
      CORBA::String_var got = echo->call_back(mine, "refuse");
    } catch (const Plain&) {
      return "";
    }
    return "no exception";
  });
  check("note_back", [&] {
    echo->note_back(mine, 20);
    for (int i = 0; i < 500 && mine->notes() != 20; ++i) usleep(10000);
    return mine->notes() == 20 ? "" : std::to_string(mine->notes()) + " notes";
  });
  check("attribute_reference", [&] {
    echo->listener(mine);
    Callback_var got = echo->listener();
    return std::string(same_objects(got, mine) ? "" : "another reference came back");
  });
}

}  // namespace

void behaviour_checks(Echo_ptr echo) {
  user_exceptions(echo);
  system_exceptions(echo);
  oneways_and_attributes(echo);
}

void reference_checks(CORBA::ORB_ptr orb, Echo_ptr echo) {
  CORBA::Object_var root = orb->resolve_initial_references("RootPOA");
  PortableServer::POA_var root_poa = PortableServer::POA::_narrow(root);
  PortableServer::POAManager_var gate = root_poa->the_POAManager();
  gate->activate();
  PortableServer::POA_var poa = peer::bidirectional_poa(orb, root_poa);
  auto* servant = new Listener;
  PortableServer::ObjectId_var id = poa->activate_object(servant);
  CORBA::Object_var object = poa->id_to_reference(id);
  servant->_remove_ref();
  Callback_var mine = Callback::_narrow(object);
  callbacks(echo, mine);

  Callback_var theirs = echo->make_callback("server");
  check("make_callback", [&] {
    CORBA::String_var got = theirs->said("me");
    return std::string(std::strcmp(got, "server heard me") == 0 ? "" : got.in());
  });
  check("echo_callback", [&] {
    Callback_var b = Callback::_duplicate(theirs), c;
    Callback_var r = echo->echo_callback(mine, b.inout(), c.out());
    return std::string(same_objects(r, mine) && same_objects(b, mine) && same_objects(c, theirs) ? ""
                                                                                                 : "wrong");
  });
  check("echo_callback_nil", [&] {
    Callback_var b, c;
    Callback_var r = echo->echo_callback(Callback::_nil(), b.inout(), c.out());
    return std::string(CORBA::is_nil(r) && CORBA::is_nil(b) && CORBA::is_nil(c) ? "" : "not nil");
  });
  check("echo_object", [&] {
    CORBA::Object_var b = CORBA::Object::_nil(), c;
    CORBA::Object_var r = echo->echo_object(theirs, b.inout(), c.out());
    return std::string(same_objects(r, theirs) && same_objects(b, theirs) && CORBA::is_nil(c) ? "" : "wrong");
  });
  check("echo_callback_seq", [&] {
    CallbackSeq a, b;
    a.length(3);
    a[0] = Callback::_duplicate(mine);
    a[2] = Callback::_duplicate(theirs);
    CallbackSeq_var c;
    CallbackSeq_var r = echo->echo_callback_seq(a, b, c.out());
    return std::string(same(r.in(), a) && same(b, a) && c->length() == 0 ? "" : "wrong");
  });
  check("echo_subscriber", [&] {
    Subscriber a, b;
    a.name = CORBA::string_dup("name");
    a.target = Callback::_duplicate(mine);
    Subscriber_var c;
    Subscriber_var r = echo->echo_subscriber(a, b, c.out());
    return std::string(same(r.in(), a) && same(b, a) && CORBA::is_nil(c->target.in()) ? "" : "wrong");
  });

  Base_var base = echo->diamond_as_base();
  check("inheritance", [&]() -> std::string {
    CORBA::String_var who = base->who();
    if (std::strcmp(who, "diamond") != 0) return who.in();
    Diamond_var diamond = Diamond::_narrow(base);
    if (CORBA::is_nil(diamond)) return "cannot be narrowed";
    diamond->right_value(-9);
    CORBA::Long left = 0, right = 0;
    CORBA::String_var all = diamond->all(21, left, right);
    return left == 42 && right == -9 && diamond->leftward(4) == 8 ? "" : "wrong results";
  });
  check("is_a", [&]() -> std::string {
    if (!base->_is_a("IDL:tenon.test/Interop/Left:1.0")) return "not a Left";
    if (base->_is_a("IDL:tenon.test/Interop/Echo:1.0")) return "claims to be an Echo";
    Callback_var wrong = Callback::_narrow(base);
    return CORBA::is_nil(wrong) ? "" : "narrowed to Callback";
  });
  check("gone", [&]() -> std::string {
    Base_var gone = echo->gone();
    if (!gone->_non_existent()) return "_non_existent says that it exists";
    try {
      CORBA::String_var who = gone->who();
    } catch (const CORBA::OBJECT_NOT_EXIST&) {
      return "";
    }
    return "no exception";
  });
  check("forwarded", [&] {
    Base_var passing = echo->forwarded();
    CORBA::String_var first = passing->who();
    CORBA::String_var second = passing->who();
    return std::string(std::strcmp(first, "diamond") == 0 && std::strcmp(second, "diamond") == 0 ? ""
                                                                                                 : "wrong");
  });
  check("reference_text", [&] {
    CORBA::String_var text = orb->object_to_string(echo);
    CORBA::Object_var again = orb->string_to_object(text);
    return std::string(same_objects(again, echo) && again->_hash(1000) == echo->_hash(1000) ? "" : "differs");
  });
}

}  // namespace peer
