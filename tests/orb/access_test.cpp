// SPDX-License-Identifier: Apache-2.0
//
// Rules of access over each protocol, in each way that a call may come to a servant, and what is said about those that are refused.
#include <unistd.h>

#include <cstdio>

#include <tenon/access.hpp>
#include <tenon/parts.hpp>
#include <tenon/peer.hpp>

#include "base/minor_codes.hpp"
#include "suite_async.hpp"
#include "tests/orb/world.hpp"

namespace tenon::suite {
namespace {

const std::string refused = text_of(errors::access_refused);

/// As rules and the log have it.
std::string kind_over(const std::string& protocol) {
  if (protocol == "uiop" || protocol == "shmiop") return "unix";
  return protocol == "collocated" ? "self" : "unknown";
}

class AskingServant final : public TestServant {
 public:
  using TestServant::TestServant;
  std::string who() override { return tenon::peer().text(); }
};

struct RuleFile {
  explicit RuleFile(const std::string& text) { write(text); }
  ~RuleFile() { ::unlink(name.c_str()); }
  RuleFile(const RuleFile&) = delete;
  RuleFile& operator=(const RuleFile&) = delete;
  void write(const std::string& text) const {
    std::FILE* const file = std::fopen(name.c_str(), "w");
    if (file == nullptr) return;
    std::fwrite(text.data(), 1, text.size(), file);
    std::fclose(file);
  }
  const std::string name = ::testing::TempDir() + "tenon_rules_" + std::to_string(::getpid());
};

class Access : public World {
 protected:
  std::string kind() const { return kind_over(GetParam().protocol); }
};
INSTANTIATE_TEST_SUITE_P(All, Access, ::testing::ValuesIn(all_cases()),
                         [](const auto& each) { return name_of(each.param); });

TEST_P(Access, ByOperationAndByCaller) {
  const TestRef& test = pair->test;
  EXPECT_EQ(test->add(1, 2), 3);
  tenon::set_access_rules(pair->server(), "deny operation=add\nallow kind=" + kind());
  EXPECT_EQ(outcome_of([&] { test->add(1, 2); }), refused);
  EXPECT_EQ(pair->servant->adds, 1);
  EXPECT_EQ(outcome_of([&] { test->noop(); }), "");
  tenon::set_access_rules(pair->server(), "deny kind=" + kind() + "\nallow");
  EXPECT_EQ(outcome_of([&] { test->noop(); }), refused);
  tenon::remove_access_rules(pair->server());
  EXPECT_EQ(test->add(1, 2), 3);
}

TEST_P(Access, TheUserOfTheOtherProcess) {
  const std::string uid = std::to_string(::geteuid());
  tenon::set_access_rules(pair->server(), "allow uid=" + uid);
  EXPECT_EQ(outcome_of([&] { pair->test->noop(); }), kind() == "unknown" ? refused : "");
  tenon::set_access_rules(pair->server(), "allow uid=" + std::to_string(::geteuid() + 1));
  EXPECT_EQ(outcome_of([&] { pair->test->noop(); }), refused);
}

TEST_P(Access, AsynchronousCallsAndOneways) {
  const TestRef& test = pair->test;
  tenon::set_access_rules(pair->server(), "allow operation=add|notes|note_size kind=" + kind());
  EXPECT_EQ(tenon::async(test).add(1, 2).get(), 3);
  EXPECT_EQ(outcome_of([&] { tenon::async(test).noop().get(); }), refused);
  test->note(1);
  test->note_size({1, 2, 3});
  EXPECT_EQ(test->notes(), std::vector<std::int32_t>({3}));
}

// What a servant calls in its own process is called by that process.
TEST_P(Access, NestedCalls) {
  if (GetParam().protocol == "iiop-same-orb") return;
  const auto inner = CORBA::make_reference<AskingServant>(pair->server());
  const BaseRef there = tenon::publish<Suite::Test_skeleton>(pair->server_orb->ref(), inner, "inner");
  tenon::set_access_rules(pair->server(), "allow operation=ask\nallow operation=who kind=self");
  const std::string who = pair->test->ask(pair->at_client(there));
  EXPECT_TRUE(who.starts_with("self uid=")) << who;
  EXPECT_EQ(outcome_of([&] { pair->at_client(there)->who(); }), kind() == "self" ? "" : refused);
  tenon::set_access_rules(pair->server(), "allow operation=ask");
  EXPECT_EQ(outcome_of([&] { pair->test->ask(pair->at_client(there)); }), refused);
}

TEST_P(Access, WhatEveryObjectAnswers) {
  tenon::set_access_rules(pair->server(), "allow operation=noop");
  EXPECT_EQ(outcome_of([&] { pair->test->noop(); }), "");
  EXPECT_EQ(outcome_of([&] { static_cast<void>(pair->test->_non_existent()); }), refused);
  EXPECT_EQ(outcome_of([&] { static_cast<void>(pair->test->_is_a("IDL:Suite/Other:1.0")); }), refused);
  tenon::set_access_rules(pair->server(), "allow operation=noop|_is_a|_non_existent");
  EXPECT_FALSE(pair->test->_non_existent());
  EXPECT_FALSE(pair->test->_is_a("IDL:Suite/Other:1.0"));
}

TEST_P(Access, OfOnePoaAndThoseThatDemandTls) {
  const auto root =
      IDL::traits<PortableServer::POA>::narrow(pair->server().resolve_initial_references("RootPOA"));
  const auto poa = root->create_POA("Bank", root->the_POAManager(), {});
  tenon::set_access_rules(*poa, "allow operation=noop");
  const auto servant = CORBA::make_reference<AskingServant>(pair->server());
  const TestRef guarded = pair->at_client(
      IDL::traits<Suite::Test>::unchecked_narrow(poa->id_to_reference(poa->activate_object(servant))));
  EXPECT_EQ(outcome_of([&] { guarded->noop(); }), "");
  EXPECT_EQ(outcome_of([&] { guarded->who(); }), refused);
  EXPECT_EQ(pair->test->add(1, 2), 3);
  tenon::remove_access_rules(*poa);
  EXPECT_EQ(outcome_of([&] { guarded->who(); }), "");
  tenon::demand_tls(*poa);
  EXPECT_EQ(outcome_of([&] { guarded->who(); }), kind() == "self" ? "" : refused);
}

TEST_P(Access, OnTheMainThread) {
  if (GetParam().serving == "single-thread") return;
  const auto root =
      IDL::traits<PortableServer::POA>::narrow(pair->server().resolve_initial_references("RootPOA"));
  const auto poa =
      root->create_POA("main", root->the_POAManager(),
                       {root->create_thread_policy(PortableServer::ThreadPolicyValue::MAIN_THREAD_MODEL)});
  tenon::set_access_rules(*poa, "allow operation=who");
  const auto servant = CORBA::make_reference<AskingServant>(pair->server());
  const TestRef at_main = pair->at_client(
      IDL::traits<Suite::Test>::unchecked_narrow(poa->id_to_reference(poa->activate_object(servant))));
  std::thread main([&] { pair->server().run(); });
  EXPECT_EQ(outcome_of([&] { at_main->noop(); }), refused);
  EXPECT_TRUE(at_main->who().starts_with(kind()));
  pair->server().shutdown(false);
  main.join();
}

TEST_P(Access, OneLineOfTheLogSaysWhoWasRefusedWhat) {
  tenon::set_access_rules(pair->server(), "deny operation=add kind=" + kind() + "\nallow operation=noop");
  const LogLines log(LogLevel::warning);
  EXPECT_EQ(outcome_of([&] { pair->test->add(1, 2); }), refused);
  EXPECT_EQ(outcome_of([&] { pair->test->hold(1); }), refused);
  EXPECT_EQ(outcome_of([&] { pair->test->noop(); }), "");
  ASSERT_EQ(log.all().size(), 2u);
  const std::string who = kind() == "unknown" ? "unknown" : kind() + " uid=" + std::to_string(::geteuid());
  const std::string first = log.all()[0];
  EXPECT_TRUE(first.starts_with("access: refused: add of RootPOA to " + who)) << first;
  EXPECT_TRUE(first.ends_with(": rules of the program, line 1: deny operation=add kind=" + kind())) << first;
  EXPECT_TRUE(log.all()[1].ends_with(": no rule of rules of the program allows it")) << log.all()[1];
}

TEST(AccessRuleFiles, AreReadByTheOption) {
  const RuleFile file("# everybody may add\nallow operation=add\n");
  const Pair pair({"iiop", "pool"}, {"-ORBAccessRules", file.name});
  EXPECT_EQ(pair.test->add(1, 2), 3);
  EXPECT_EQ(outcome_of([&] { pair.test->noop(); }), refused);
  file.write("allow operation=noop\n");
  EXPECT_TRUE(tenon::read_access_rules(pair.server(), file.name));
  EXPECT_EQ(outcome_of([&] { pair.test->add(1, 2); }), refused);
  EXPECT_EQ(outcome_of([&] { pair.test->noop(); }), "");
}

TEST(AccessRuleFiles, ThatCannotBeUsedCloseEverything) {
  const RuleFile file("allow\nalow operation=add\n");
  const LogLines log(LogLevel::warning);
  const Pair pair({"iiop", "pool"}, {"-ORBAccessRules", file.name});
  EXPECT_EQ(log.count("every call is refused, since the rules cannot be used: " + file.name +
                      ", line 2: 'alow': a rule begins with allow or deny"),
            1);
  EXPECT_EQ(outcome_of([&] { pair.test->add(1, 2); }), refused);
  file.write("allow");
  EXPECT_TRUE(tenon::read_access_rules(pair.server(), file.name));
  EXPECT_EQ(pair.test->add(1, 2), 3);
  EXPECT_FALSE(tenon::read_access_rules(pair.server(), file.name + ".none"));
  EXPECT_EQ(log.count(file.name + ".none: it cannot be read: No such file or directory"), 1);
  EXPECT_EQ(outcome_of([&] { pair.test->add(1, 2); }), refused);
}

TEST(AccessRulesInCode, ThatAreWrongChangeNothing) {
  const Pair pair({"iiop", "pool"});
  tenon::set_access_rules(pair.server(), "allow operation=add");
  try {
    tenon::set_access_rules(pair.server(), "allow\nallow user=me");
    FAIL();
  } catch (const CORBA::BAD_PARAM& wrong) {
    EXPECT_EQ(wrong.minor(), errors::bad_access_rules.minor);
    EXPECT_TRUE(
        has(wrong.what(), "rules of the program, line 2: 'user' is nothing that a rule can ask about"))
        << wrong.what();
  }
  EXPECT_EQ(pair.test->add(1, 2), 3);
  EXPECT_EQ(outcome_of([&] { pair.test->noop(); }), refused);
}

TEST(AccessRulesInCode, WantTheirPart) {
  tenon::Configuration configuration;
  configuration.id = "without-rules";
  const OrbRef orb = tenon::init_orb(configuration, {tenon::server});
  EXPECT_EQ(outcome_of([&] { tenon::set_access_rules(*orb, "allow"); }), text_of(errors::no_access_part));
  orb->destroy();
  configuration.given = {"-ORBAccessRules /etc/none"};
  EXPECT_EQ(outcome_of([&] { tenon::init_orb(configuration, {tenon::server}); }),
            text_of(errors::bad_option));
}

}  // namespace
}  // namespace tenon::suite
