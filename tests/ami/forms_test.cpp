// SPDX-License-Identifier: Apache-2.0
//
// Handlers and pollers of an awkward interface (forms.idl), collocated and over a socket. What names the compiler chose is shown by
// this file's compiling. It is compiled twice, with compiled and with interpreted stubs.
#include <condition_variable>
#include <future>
#include <mutex>

#include <gtest/gtest.h>
#include <tenon/portable_server.hpp>
#include <tenon/tenon.hpp>

#include "forms_async.hpp"
#include "forms_skel.hpp"

namespace tenon::forms {
namespace {

using Messaging::ExceptionHolderRef;
using Holder = const ExceptionHolderRef&;
using BusyRef = CORBA::object_reference<Forms::Busy>;
using NoteRef = CORBA::valuetype_reference<Forms::Note>;
using Forms::Busy;

constexpr std::uint32_t for_ever = 0xFFFFFFFF;

NoteRef note_of(const std::string& text) { return CORBA::make_reference<Forms::OBV_Note>(text); }

class BusyServant : public CORBA::servant_traits<Forms::Busier>::base_type {
 public:
  Busy::Mood state() override { throw Busy::TooBusy(Busy::Job("asking", {1, 2}, Busy::Mood::hectic)); }
  void state(Busy::Mood value) override {
    if (value == Busy::Mood::hectic) throw Forms::Refused("too hectic");
  }
  std::int32_t load() override { return 1; }
  std::int32_t get_load() override { return 2; }
  Busy::Job work(const Busy::Job& given, std::string& text, Busy::Mood& felt) override {
    if (given.numbers().empty()) throw Busy::TooBusy(given);
    text += "!";
    felt = given.felt();
    Busy::Job done = given;
    done.name() += " done";
    return done;
  }
  void work_excep(std::int32_t) override {}
  std::int32_t sendc_work(std::int32_t ami_handler, std::int32_t& ami_timeout) override {
    ami_timeout *= 2;
    return ami_handler;
  }
  NoteRef remember(NoteRef what) override { return what ? note_of(what->text() + " remembered") : nullptr; }
  BusyRef another() override { return _this(); }
  void tell(std::int32_t) override {}
  void _cxx_class(const std::string& _cxx_operator, std::string& _cxx_self, std::int32_t& _cxx_get) override {
    _cxx_self = _cxx_operator;
    ++_cxx_get;
  }
};

/// Writes down what it is told.
class Listener final : public CORBA::servant_traits<Forms::AMI_BusierHandler>::base_type {
 public:
  std::string next() {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, std::chrono::seconds(60), [&] { return !said_.empty(); });
    return std::exchange(said_, {});
  }

  void get_state(Busy::Mood) override { say("get_state"); }
  void set_state() override { say("set_state"); }
  void get_ami_load(std::int32_t load) override { say("attribute " + std::to_string(load)); }
  void get_load(std::int32_t load) override { say("operation " + std::to_string(load)); }
  void work(const Busy::Job& done, const std::string& text, Busy::Mood felt) override {
    say(done.name() + " " + text + (felt == Busy::Mood::calm ? " calm" : " hectic"));
  }
  void work_excep() override { say("work_excep"); }
  void sendc_work(std::int32_t handler, std::int32_t timeout) override {
    say(std::to_string(handler) + " " + std::to_string(timeout));
  }
  void remember(NoteRef note) override { say(note ? note->text() : "null"); }
  void another(BusyRef busy) override { say(busy ? "another" : "nil"); }
  void _cxx_class(const std::string& _cxx_self, std::int32_t _cxx_get) override {
    say(_cxx_self + " " + std::to_string(_cxx_get));
  }

  void get_state_excep(ExceptionHolderRef holder) override { raised(holder); }
  void set_state_excep(ExceptionHolderRef holder) override { raised(holder); }
  void get_ami_load_excep(ExceptionHolderRef holder) override { raised(holder); }
  void get_load_excep(ExceptionHolderRef holder) override { raised(holder); }
  void work_ami_excep(ExceptionHolderRef holder) override { raised(holder); }
  void work_excep_excep(ExceptionHolderRef holder) override { raised(holder); }
  void sendc_work_excep(ExceptionHolderRef holder) override { raised(holder); }
  void remember_excep(ExceptionHolderRef holder) override { raised(holder); }
  void another_excep(ExceptionHolderRef holder) override { raised(holder); }
  void class_excep(ExceptionHolderRef holder) override { raised(holder); }

 private:
  void say(std::string text) {
    const std::lock_guard lock(mutex_);
    said_ = std::move(text);
    changed_.notify_all();
  }
  void raised(Holder holder) {
    try {
      holder->raise_exception();
    } catch (const Busy::TooBusy& exception) {
      say("TooBusy " + exception.kept().name() + " " + std::to_string(exception.kept().numbers().size()));
    } catch (const Forms::Refused& exception) {
      say("Refused " + exception.why());
    } catch (const CORBA::Exception& exception) {
      say(exception.what());
    }
  }

  std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  std::string said_;
};

using Forms::Large;

class LargeServant : public CORBA::servant_traits<Large>::base_type {
 public:
  Large::Row measure(const Large::Row& given, Large::Lines& notes, Large::Jobs& done,
                     Large::Choice& other) override {
    Large::Row doubled = given;
    for (double& each : doubled) each *= 2;
    for (const std::string& note : notes)
      done.emplace_back(note, Forms::Busy::Job().numbers(), Busy::Mood::hectic);
    notes.push_back(std::to_string(other._d() ? other.text().size() : other.numbers().size()));
    other.numbers(given);
    return doubled;
  }
};

std::string said_of(const Large::Row& row, const Large::Lines& notes, const Large::Jobs& done,
                    const Large::Choice& other) {
  std::string text = std::to_string(static_cast<int>(row.front() + row.back()));
  for (const std::string& note : notes) text += " " + note;
  for (const Busy::Job& job : done) text += " " + job.name() + (job.felt() == Busy::Mood::hectic ? "!" : "?");
  return text + " " + std::to_string(static_cast<int>(other.numbers().back()));
}

class LargeListener final : public CORBA::servant_traits<Forms::AMI_LargeHandler>::base_type {
 public:
  void measure(const Large::Row& row, const Large::Lines& notes, const Large::Jobs& done,
               const Large::Choice& other) override {
    got.set_value(said_of(row, notes, done, other));
  }
  void measure_excep(ExceptionHolderRef) override { got.set_value("exception"); }
  std::promise<std::string> got;
};

/// A client and a server; the same ORB where the parameter says so.
class ImpliedForms : public ::testing::TestWithParam<bool> {
 protected:
  void SetUp() override {
    const std::vector<std::string> options{"-ORBListenEndpoints", "iiop://127.0.0.1"};
    server = CORBA::ORB_init(options, "server");
    client = GetParam() ? server : CORBA::ORB_init(options, "client");
    for (const auto& orb : {client, server}) tenon::register_value<Forms::Note>(orb);
    const auto published = tenon::publish<Forms::Busier_skeleton>(server, servant);
    busy = IDL::traits<Forms::Busier>::narrow(client->string_to_object(server->object_to_string(published)));
    handler = tenon::publish<Forms::AMI_BusierHandler_skeleton>(client, listener);
  }
  void TearDown() override {
    busy = nullptr;
    handler = nullptr;
    if (!GetParam()) client->destroy();
    server->destroy();
  }

  CORBA::object_reference<CORBA::ORB> server, client;
  CORBA::servant_reference<BusyServant> servant = CORBA::make_reference<BusyServant>();
  CORBA::servant_reference<Listener> listener = CORBA::make_reference<Listener>();
  CORBA::object_reference<Forms::Busier> busy;
  CORBA::object_reference<Forms::AMI_BusierHandler> handler;
};
INSTANTIATE_TEST_SUITE_P(All, ImpliedForms, ::testing::Bool(),
                         [](const auto& each) { return each.param ? "collocated" : "iiop"; });

TEST_P(ImpliedForms, Handlers) {
  const Busy::Job job("dig", {1, 2, 3}, Busy::Mood::calm);
  busy->sendc_ami_work(handler, job, "text");
  EXPECT_EQ(listener->next(), "dig done text! calm");
  busy->sendc_ami_work(handler, Busy::Job("nothing", {}, Busy::Mood::calm), "text");
  EXPECT_EQ(listener->next(), "TooBusy nothing 0");
  busy->sendc_work_excep(handler, 1);
  EXPECT_EQ(listener->next(), "work_excep");
  busy->sendc_sendc_work(handler, 20, 21);
  EXPECT_EQ(listener->next(), "20 42");
  busy->sendc_get_load(handler);
  EXPECT_EQ(listener->next(), "operation 2");
  busy->sendc_ami_get_load(handler);
  EXPECT_EQ(listener->next(), "attribute 1");
  busy->sendc_get_state(handler);
  EXPECT_EQ(listener->next(), "TooBusy asking 2");
  busy->sendc_set_state(handler, Busy::Mood::calm);
  EXPECT_EQ(listener->next(), "set_state");
  busy->sendc_set_state(handler, Busy::Mood::hectic);
  EXPECT_EQ(listener->next(), "Refused too hectic");
  busy->sendc_remember(handler, note_of("this"));
  EXPECT_EQ(listener->next(), "this remembered");
  busy->sendc_remember(handler, nullptr);
  EXPECT_EQ(listener->next(), "null");
  busy->sendc_another(handler);
  EXPECT_EQ(listener->next(), "another");
  busy->sendc_class(handler, "operator", 8);
  EXPECT_EQ(listener->next(), "operator 9");
}

TEST_P(ImpliedForms, Pollers) {
  Busy::Job done;
  std::string text;
  auto felt = Busy::Mood::calm;
  busy->sendp_work(Busy::Job("dig", {1}, Busy::Mood::hectic), "text")->work(for_ever, done, text, felt);
  EXPECT_EQ(done.name(), "dig done");
  EXPECT_EQ(text, "text!");
  EXPECT_EQ(felt, Busy::Mood::hectic);
  EXPECT_THROW(busy->sendp_work({}, "")->work(for_ever, done, text, felt), Busy::TooBusy);
  EXPECT_THROW(busy->sendp_get_state()->get_state(for_ever, felt), Busy::TooBusy);
  EXPECT_THROW(busy->sendp_set_state(Busy::Mood::hectic)->set_state(for_ever), Forms::Refused);
  std::int32_t number = 0;
  busy->sendp_ami_get_load()->get_ami_load(for_ever, number);
  EXPECT_EQ(number, 1);
  std::int32_t doubled = 0;
  busy->sendp_sendc_work(20, 21)->sendc_work(for_ever, number, doubled);
  EXPECT_EQ(number, 20);
  EXPECT_EQ(doubled, 42);
  NoteRef note;
  busy->sendp_remember(note_of("that"))->remember(for_ever, note);
  ASSERT_TRUE(note);
  EXPECT_EQ(note->text(), "that remembered");
  auto poller = busy->sendp_class("operator", 8);
  poller->_cxx_class(for_ever, text, number);
  EXPECT_EQ(text, "operator");
  EXPECT_EQ(number, 9);
  // The same calls as coroutines await them.
  EXPECT_EQ(tenon::async(busy).get_load().get(), 2);
}

TEST_P(ImpliedForms, LargeValues) {
  const auto served = CORBA::make_reference<LargeServant>();
  const auto large = IDL::traits<Large>::narrow(client->string_to_object(
      server->object_to_string(tenon::publish<Forms::Large_skeleton>(server, served))));
  Large::Row row{};
  row.back() = 21;
  const std::string long_note(100, 'n');
  Large::Choice other;
  other.text("four");
  // The second upcall reads into what the first one kept, which is longer.
  for (const Large::Lines& notes : {Large::Lines{long_note, "b"}, Large::Lines{"c"}}) {
    const std::string wanted =
        notes.size() == 2 ? "42 " + long_note + " b 4 " + long_note + "! b! 21" : "42 c 4 c! 21";
    const auto listening = CORBA::make_reference<LargeListener>();
    large->sendc_measure(tenon::publish<Forms::AMI_LargeHandler_skeleton>(client, listening), row, notes,
                         other);
    EXPECT_EQ(listening->got.get_future().get(), wanted);
    Large::Row doubled{};
    Large::Lines noted{"what was there goes"};
    Large::Jobs done(3);
    Large::Choice changed;
    changed.text("goes, too");
    large->sendp_measure(row, notes, other)->measure(for_ever, doubled, noted, done, changed);
    EXPECT_EQ(said_of(doubled, noted, done, changed), wanted);
  }
}

// A handler's repository ids are those of the implied IDL.
TEST(ImpliedNames, RepositoryIds) {
  EXPECT_EQ(Forms::AMI_AMI_BusyHandler::_static_id, "IDL:Forms/AMI_AMI_BusyHandler:1.0");
  EXPECT_EQ(Forms::AMI_BusierHandler::_static_id, "IDL:Forms/AMI_BusierHandler:1.0");
  EXPECT_TRUE((std::is_base_of_v<Forms::AMI_AMI_BusyHandler, Forms::AMI_BusierHandler>));
  EXPECT_TRUE((std::is_base_of_v<Forms::AMI_BusyPoller, Forms::AMI_BusierPoller>));
}

}  // namespace
}  // namespace tenon::forms
