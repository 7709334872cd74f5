// SPDX-License-Identifier: Apache-2.0
//
// What interceptors see of arguments, results and user exceptions: of DII and DSI all, of compiled stubs and skeletons the exceptions whose
// types are known (CORBA 3.4 part 1 §16.3.8, §16.4.12).
#include <algorithm>

#include <tenon/dynamic.hpp>
#include <tenon/gen/any.hpp>

#include "base/log.hpp"
#include "base/minor_codes.hpp"
#include "tests/interceptors/world.hpp"
#include "told_any.hpp"
#include "told_skel.hpp"

namespace tenon::spied {
namespace {

using ObjectRef = CORBA::object_reference<CORBA::Object>;
using Dynamic::ParameterMode;

std::string text_of(const CORBA::Any& any) {
  std::string text;
  return (any >>= text) ? text : "";
}

/// "in long 2, out long -": what an interceptor sees of arguments.
std::string text_of(const Dynamic::ParameterList& all) {
  static constexpr const char* modes[] = {"in", "out", "inout"};
  std::string text;
  for (const Dynamic::Parameter& each : all) {
    if (!text.empty()) text += ", ";
    text += modes[static_cast<std::size_t>(each.mode())];
    if (each.argument().type()->kind() == CORBA::TCKind::tk_string)
      text += " \"" + text_of(each.argument()) + '"';
    else
      text += ' ' + std::to_string(number_of(each.argument()));
  }
  return text;
}

/// "IDL:Spied/Refused:1.0": the type of the exception in it.
std::string id_of(const CORBA::Any& any) { return any.type()->id(); }

/// Takes mix(in long by, inout string label, out long count), which returns 5; refuse(), which raises Refused; and skip(), without arguments.
class Mixer final : public PortableServer::DynamicImplementation {
 public:
  explicit Mixer(Diary& diary) : diary_(diary) {}
  void invoke(CORBA::object_reference<CORBA::ServerRequest> request) override {
    if (request->operation() == "refuse") return request->set_exception(refused);
    if (request->operation() == "skip") return diary_.note("skipped");
    const auto arguments = CORBA::make_reference<CORBA::NVList>();
    arguments->add_type("by", CORBA::_tc_long, CORBA::ARG_IN);
    arguments->add_type("label", CORBA::_tc_string, CORBA::ARG_INOUT);
    arguments->add_type("count", CORBA::_tc_long, CORBA::ARG_OUT);
    request->arguments(arguments);
    diary_.note("mixed");
    arguments->item(1)->value() <<= text_of(arguments->item(1)->value()) + "!";
    arguments->item(2)->value() <<= std::int32_t{7};
    request->set_result(number_in_any(5));
  }
  std::string _primary_interface(const PortableServer::ObjectId&,
                                 const CORBA::object_reference<PortableServer::POA>&) const override {
    return "IDL:Spied/Mixer:1.0";
  }
  CORBA::Any refused;

 private:
  Diary& diary_;
};

/// A reference to the servant in this ORB's root POA; _this() would take that of whichever ORB is the first.
ObjectRef in_root_poa(CORBA::ORB& orb, const CORBA::object_reference<PortableServer::Servant>& servant) {
  const auto root = IDL::traits<PortableServer::POA>::narrow(orb.resolve_initial_references("RootPOA"));
  root->the_POAManager()->activate();
  return root->servant_to_reference(servant);
}

class Values : public Spies {
 protected:
  void SetUp() override {
    start();
    CORBA::StructMemberSeq members;
    members.emplace_back("why", CORBA::_tc_string, nullptr);
    refused_type = client->create_exception_tc("IDL:Spied/Refused:1.0", "Refused", members);
    gen::insert(mixer->refused, refused_type->_type(), [](cdr::Writer& out) {
      out.put_raw_string("IDL:Spied/Refused:1.0");
      out.put_string("full");
    });
    mixed = client->string_to_object(server->object_to_string(served()));
    static_cast<void>(diary.take());
  }
  ObjectRef served() const { return in_root_poa(*server, mixer); }
  CORBA::object_reference<CORBA::Request> mix() {
    auto request = mixed->_request("mix");
    request->add_in_arg("by") <<= std::int32_t{2};
    request->add_inout_arg("label") <<= "sand";
    count = &request->add_out_arg("count", CORBA::_tc_long);
    request->set_return_type(CORBA::_tc_long);
    request->exceptions()->add(refused_type);
    return request;
  }
  /// Has both sides note what they see of a call of mix().
  void watch() {
    const auto at_client = [this](const char* point) {
      c1->code[point] = [this, point](ClientRequestInfo& info) {
        diary.note(std::string(point) + ": " + text_of(info.arguments()));
      };
    };
    at_client("send_request");
    c1->code["receive_reply"] = [this](ClientRequestInfo& info) {
      diary.note("receive_reply: " + text_of(info.arguments()) + " = " +
                 std::to_string(number_of(info.result())));
      ASSERT_EQ(info.exceptions().size(), 1u);
      EXPECT_EQ(info.exceptions()[0]->id(), "IDL:Spied/Refused:1.0");
    };
    s1->code["receive_request"] = [this](ServerRequestInfo& info) {
      diary.note("receive_request: " + text_of(info.arguments()));
    };
    s1->code["send_reply"] = [this](ServerRequestInfo& info) {
      diary.note("send_reply: " + text_of(info.arguments()) + " = " +
                 std::to_string(number_of(info.result())));
    };
  }
  /// Entries of the diary that are not just points.
  Words notes() {
    Words all = diary.take();
    std::erase_if(all, [](const std::string& each) {
      return each.starts_with("c1.") || each.starts_with("c2.") || each.starts_with("s1.") ||
             each.starts_with("s2.");
    });
    return all;
  }

  const CORBA::object_reference<Mixer> mixer = CORBA::make_reference<Mixer>(diary);
  CORBA::TypeCodeRef refused_type;
  ObjectRef mixed;
  CORBA::Any* count = nullptr;
};

const Words all_of_mix{
    "send_request: in 2, inout \"sand\", out -1", "receive_request: in 2, inout \"sand\", out -1", "mixed",
    "send_reply: in 2, inout \"sand!\", out 7 = 5", "receive_reply: in 2, inout \"sand!\", out 7 = 5"};

TEST_F(Values, OfDiiAndDsiAreSeen) {
  watch();
  const auto request = mix();
  request->invoke();
  EXPECT_EQ(number_of(request->return_value()), 5);
  EXPECT_EQ(number_of(*count), 7);
  EXPECT_EQ(notes(), all_of_mix);
}

TEST_F(Values, OfDeferredRequestsToo) {
  watch();
  const auto request = mix();
  request->send_deferred();
  request->get_response();
  EXPECT_EQ(number_of(*count), 7);
  EXPECT_EQ(notes(), all_of_mix);
}

TEST_F(Values, OfCollocatedRequestsToo) {
  watch();
  // The server's ORB has no client interceptors.
  mixed = served();
  mix()->invoke();
  EXPECT_EQ(notes(), Words({all_of_mix.begin() + 1, all_of_mix.begin() + 4}));
}

TEST_F(Values, OfCallsInsideACallAreTheirOwn) {
  watch();
  bool nested = false;
  c2->code["send_request"] = [&](ClientRequestInfo& info) {
    if (std::exchange(nested, true)) return;
    EXPECT_EQ(info.operation(), "mix");
    c1->code["send_request"] = [&](ClientRequestInfo& inner) {
      EXPECT_EQ(inner.operation(), "add");
      EXPECT_EQ(minor_of<CORBA::NO_RESOURCES>([&] { inner.arguments(); }), errors::not_in_this_binding.minor);
    };
    c1->code.erase("receive_reply");
    s1->code.clear();
    EXPECT_EQ(target->add(1, 2), 3);
  };
  mix()->invoke();
  EXPECT_TRUE(nested);
}

TEST_F(Values, InterceptorsOfDsiAreAskedOnceAndMayRefuse) {
  s1->code["receive_request"] = [](ServerRequestInfo&) { throw CORBA::NO_PERMISSION(17); };
  EXPECT_EQ(minor_of<CORBA::NO_PERMISSION>([&] { mix()->invoke(); }), 17u);
  const Words refused = diary.take();
  EXPECT_EQ(std::ranges::count(refused, "s1.receive_request"), 1);
  EXPECT_EQ(std::ranges::count(refused, "mixed"), 0);
  // A servant that does not ask for its arguments is intercepted when it has run.
  s1->code["receive_request"] = [](ServerRequestInfo& info) {
    EXPECT_EQ(minor_of<CORBA::NO_RESOURCES>([&] { info.arguments(); }), errors::not_in_this_binding.minor);
  };
  mixed->_request("skip")->invoke();
  const Words skipped = diary.take();
  const auto ran = std::ranges::find(skipped, "skipped");
  ASSERT_NE(ran, skipped.end());
  EXPECT_EQ(*(ran + 1), "s1.receive_request");
  EXPECT_EQ(std::ranges::count(skipped, "s1.receive_request"), 1);
  // Operations that every object has are intercepted before they run.
  EXPECT_FALSE(mixed->_is_a("IDL:Spied/Target:1.0"));
  EXPECT_EQ(std::ranges::count(diary.take(), "s1.receive_request"), 1);
}

TEST_F(Values, ExceptionsOfDiiAndDsiHaveTheirMembers) {
  std::string at_server;
  std::string at_client;
  s1->code["receive_request"] = [](ServerRequestInfo& info) {
    EXPECT_EQ(minor_of<CORBA::NO_RESOURCES>([&] { info.arguments(); }), errors::not_in_this_binding.minor);
  };
  s1->code["send_exception"] = [&](ServerRequestInfo& info) { at_server = id_of(info.sending_exception()); };
  CORBA::Any seen;
  c1->code["receive_exception"] = [&](ClientRequestInfo& info) {
    seen = info.received_exception();
    at_client = info.received_exception_id();
  };
  const auto request = mixed->_request("refuse");
  request->exceptions()->add(refused_type);
  EXPECT_THROW(request->invoke(), CORBA::UnknownUserException);
  EXPECT_EQ(at_server, "IDL:Spied/Refused:1.0");
  EXPECT_EQ(at_client, "IDL:Spied/Refused:1.0");
  EXPECT_TRUE(seen.type()->equal(refused_type));
  EXPECT_NE(types::text(seen._value()).find("{why = \"full\"}"), std::string::npos);
}

TEST_F(Values, OfCompiledStubsAreNotSeenButTheirKnownExceptions) {
  std::string at_server;
  std::string at_client;
  c1->code["send_request"] = [&](ClientRequestInfo& info) {
    EXPECT_EQ(minor_of<CORBA::NO_RESOURCES>([&] { info.arguments(); }), errors::not_in_this_binding.minor);
    EXPECT_EQ(minor_of<CORBA::NO_RESOURCES>([&] { info.exceptions(); }), errors::not_in_this_binding.minor);
    EXPECT_TRUE(info.contexts().empty());
    EXPECT_TRUE(info.operation_context().empty());
  };
  s1->code["send_exception"] = [&](ServerRequestInfo& info) { at_server = id_of(info.sending_exception()); };
  c1->code["receive_exception"] = [&](ClientRequestInfo& info) {
    at_client = id_of(info.received_exception());
  };
  EXPECT_THROW(target->refuse(), Spied::Refused);
  EXPECT_EQ(at_server, "IDL:omg.org/CORBA/UNKNOWN:1.0");
  EXPECT_EQ(at_client, "IDL:omg.org/CORBA/UNKNOWN:1.0");
  show_exception_to_interceptors(*server, refused_type);
  EXPECT_THROW(target->refuse(), Spied::Refused);
  EXPECT_EQ(at_server, "IDL:Spied/Refused:1.0");
  EXPECT_EQ(at_client, "IDL:omg.org/CORBA/UNKNOWN:1.0");
  show_exception_to_interceptors(*client, refused_type);
  EXPECT_THROW(target->refuse(), Spied::Refused);
  EXPECT_EQ(at_server, "IDL:Spied/Refused:1.0");
  EXPECT_EQ(at_client, "IDL:Spied/Refused:1.0");
  EXPECT_THROW(target->fail(), CORBA::TRANSIENT);
  EXPECT_EQ(at_client, "IDL:omg.org/CORBA/TRANSIENT:1.0");
  EXPECT_EQ(minor_of<CORBA::BAD_PARAM>([&] { show_exception_to_interceptors(*client, CORBA::_tc_long); }),
            errors::not_an_exception.minor);
}

// --- stubs and skeletons whose operations have been made known ---

class TellerServant final : public CORBA::servant_traits<Told::Teller>::base_type {
 public:
  explicit TellerServant(Diary& diary) : diary_(diary) {}
  std::int32_t mix(std::int32_t by, std::string& label, std::int32_t& count) override {
    if (by < 0) throw Told::Spoiled(by);
    diary_.note("mixed");
    label += '!';
    count = 7;
    return 5;
  }

 private:
  Diary& diary_;
};

class KnownOperations : public Values {
 protected:
  void SetUp() override {
    Values::SetUp();
    teller = IDL::traits<Told::Teller>::unchecked_narrow(client->string_to_object(
        server->object_to_string(in_root_poa(*server, CORBA::make_reference<TellerServant>(diary)))));
  }
  void make_known(const OrbRef& orb) {
    // What tenon-idl has generated, and what a program says itself.
    show_operations_to_interceptors<Told::Teller>(*orb);
    show_operations_to_interceptors<Spied::Target>(
        *orb, {{.name = "add",
                .result = CORBA::_tc_long,
                .parameters = {{ParameterMode::PARAM_IN, CORBA::_tc_long},
                               {ParameterMode::PARAM_IN, CORBA::_tc_long}}}});
  }
  CORBA::object_reference<Told::Teller> teller;
  const CORBA::TypeCodeRef spoiled = Told::_tc_Spoiled;
};

TEST_F(KnownOperations, ValuesOfInterpretedStubsAndSkeletons) {
  make_known(client);
  make_known(server);
  watch();
  c1->code["receive_reply"] = [this](ClientRequestInfo& info) {
    diary.note("receive_reply: " + text_of(info.arguments()) + " = " +
               std::to_string(number_of(info.result())));
    ASSERT_EQ(info.exceptions().size(), 1u);
    EXPECT_TRUE(info.exceptions()[0]->equal(spoiled));
  };
  std::string label = "sand";
  std::int32_t out = 0;
  EXPECT_EQ(teller->mix(2, label, out), 5);
  EXPECT_EQ(label, "sand!");
  EXPECT_EQ(out, 7);
  EXPECT_EQ(notes(), all_of_mix);
  CORBA::Any at_client;
  std::string at_server;
  c1->code["receive_exception"] = [&](ClientRequestInfo& info) { at_client = info.received_exception(); };
  s1->code["send_exception"] = [&](ServerRequestInfo& info) { at_server = id_of(info.sending_exception()); };
  EXPECT_THROW(teller->mix(-3, label, out), Told::Spoiled);
  EXPECT_TRUE(at_client.type()->equal(spoiled));
  EXPECT_NE(types::text(at_client._value()).find("since = -3"), std::string::npos);
  EXPECT_EQ(at_server, "IDL:Told/Spoiled:1.0");
}

TEST_F(KnownOperations, ValuesOfCompiledStubsAndSkeletons) {
  make_known(client);
  make_known(server);
  watch();
  c1->code["receive_reply"] = [this](ClientRequestInfo& info) {
    diary.note("receive_reply: " + text_of(info.arguments()) + " = " +
               std::to_string(number_of(info.result())));
  };
  EXPECT_EQ(target->add(2, 3), 5);
  const Words expected{"send_request: in 2, in 3", "receive_request: in 2, in 3", "servant",
                       "send_reply: in 2, in 3 = 5", "receive_reply: in 2, in 3 = 5"};
  EXPECT_EQ(notes(), expected);
  // One that is not among the known ones.
  c1->code["send_request"] = [](ClientRequestInfo& info) {
    EXPECT_EQ(minor_of<CORBA::NO_RESOURCES>([&] { info.arguments(); }), errors::not_in_this_binding.minor);
  };
  c1->code.erase("receive_reply");
  s1->code.clear();
  EXPECT_EQ(target->who(), "first");
}

TEST_F(KnownOperations, AreOfTheOrbTheyWereMadeKnownTo) {
  make_known(server);
  c1->code["send_request"] = [](ClientRequestInfo& info) {
    EXPECT_EQ(minor_of<CORBA::NO_RESOURCES>([&] { info.arguments(); }), errors::not_in_this_binding.minor);
  };
  std::string seen;
  s1->code["receive_request"] = [&](ServerRequestInfo& info) { seen = text_of(info.arguments()); };
  EXPECT_EQ(target->add(2, 3), 5);
  EXPECT_EQ(seen, "in 2, in 3");
}

TEST_F(KnownOperations, WrongTypesAreToldToTheInterceptorOnly) {
  show_operations_to_interceptors<Spied::Target>(
      *client,
      {{.name = "add", .result = nullptr, .parameters = {{ParameterMode::PARAM_IN, CORBA::_tc_long}}}});
  show_operations_to_interceptors<Spied::Target>(
      *server,
      {{.name = "add", .result = nullptr, .parameters = {{ParameterMode::PARAM_IN, CORBA::_tc_string}}}});
  int asked = 0;
  c1->code["send_request"] = [&](ClientRequestInfo& info) {
    ++asked;
    EXPECT_EQ(minor_of<CORBA::NO_RESOURCES>([&] { info.arguments(); }), errors::not_in_this_binding.minor);
  };
  s1->code["receive_request"] = [&](ServerRequestInfo& info) {
    ++asked;
    EXPECT_EQ(minor_of<CORBA::NO_RESOURCES>([&] { info.arguments(); }), errors::not_in_this_binding.minor);
  };
  EXPECT_EQ(target->add(2, 3), 5);
  EXPECT_EQ(asked, 2);
}

static_assert(gen::HasSignatures<Told::Teller> && !gen::HasSignatures<Spied::Target>);

TEST_F(KnownOperations, NamesThatTheInterfaceDoesNotHaveStandInTheLog) {
  Words lines;
  set_log_sink(
      [](void* to, LogLevel level, std::string_view, std::string_view text) {
        if (level == LogLevel::warning) static_cast<Words*>(to)->emplace_back(text);
      },
      &lines);
  const auto show = [this](const std::string& name) {
    show_operations_to_interceptors<Told::Narrator>(*client, {{.name = name, .result = nullptr}});
  };
  show("_get_title");
  show("mix");  // inherited
  EXPECT_EQ(lines, Words{});
  show("title");
  set_log_sink(nullptr, nullptr);
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_TRUE(lines[0].starts_with(
      "show_operations_to_interceptors: IDL:Told/Narrator:1.0 has no operation 'title', but '"))
      << lines[0];
  EXPECT_NE(lines[0].find("'_get_title'"), std::string::npos) << lines[0];
}

TEST_F(KnownOperations, WhoAsksForOthersIsToldWhy) {
  Words said;
  c1->code["send_request"] = [&](ClientRequestInfo& info) {
    try {
      info.arguments();
    } catch (const CORBA::NO_RESOURCES& error) {
      said.emplace_back(error.what());
    }
  };
  EXPECT_EQ(target->who(), "first");
  make_known(client);
  EXPECT_EQ(target->who(), "first");
  EXPECT_EQ(
      said,
      (Words{
          "NO_RESOURCES: operation 'who': tenon::show_operations_to_interceptors() would make its values "
          "known",
          "NO_RESOURCES: operation 'who': not among those that tenon::show_operations_to_interceptors() was "
          "given for the interface"}));
}

TEST_F(KnownOperations, GeneratedOnesAreWhatTheIdlSays) {
  const auto all = operation_signatures<Told::Narrator>();
  const auto find = [&](const std::string& name) -> const OperationSignature& {
    const auto found = std::ranges::find(all, name, &OperationSignature::name);
    if (found == all.end()) throw std::runtime_error("no operation " + name);
    return *found;
  };
  EXPECT_EQ(all.size(), 4u);
  const OperationSignature& mix = find("mix");  // inherited
  ASSERT_EQ(mix.parameters.size(), 3u);
  EXPECT_EQ(mix.parameters[1].mode, ParameterMode::PARAM_INOUT);
  EXPECT_TRUE(mix.parameters[1].type->equal(CORBA::_tc_string));
  ASSERT_EQ(mix.exceptions.size(), 1u);
  EXPECT_TRUE(mix.exceptions[0]->equal(Told::_tc_Spoiled));
  EXPECT_TRUE(find("_get_title").result->equal(client->create_string_tc(20)));
  const OperationSignature& set_title = find("_set_title");
  EXPECT_FALSE(set_title.result);
  EXPECT_EQ(set_title.parameters.at(0).mode, ParameterMode::PARAM_IN);
  const OperationSignature& told_to = find("told_to");
  EXPECT_TRUE(told_to.result->equal(Told::_tc_Lines));
  EXPECT_EQ(told_to.parameters.at(0).type->kind(), CORBA::TCKind::tk_objref);
}

}  // namespace
}  // namespace tenon::spied
