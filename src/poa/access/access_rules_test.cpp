// SPDX-License-Identifier: Apache-2.0
//
// The language of rules of access: what is read, what is refused with which words, and which rule decides.
#include "poa/access/access_rules.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>

namespace tenon::poa {
namespace {

using protocol::Identity;

const std::string fingerprint(64, 'a');
const Identity app{"tls",
                   {{"subject", "CN=line card 7,O=Example"},
                    {"name", "DNS:card7.example.org"},
                    {"name", "IP:192.0.2.7"},
                    {"fingerprint", fingerprint},
                    {"version", "TLSv1.3"}}};
const Identity local{"unix", {{"uid", "1000"}, {"gid", "100"}, {"pid", "4711"}}};
const Identity self{"self", {{"uid", "1000"}, {"gid", "100"}, {"pid", "1"}}};
const Identity nobody;

Ref<const AccessRules> rules_of(std::string_view text) { return AccessRules::parse(text, "rules"); }

std::string outcome(std::string_view text, std::string_view poa, std::string_view operation,
                    const Identity& who) {
  std::string why;
  const auto caller = [&]() -> const Identity& { return who; };
  return rules_of(text)->allow(poa, operation, caller, why) ? "allowed" : why;
}

bool allows(std::string_view text, const Identity& who) {
  return outcome(text, "RootPOA/Bank", "debit", who) == "allowed";
}

std::string fault_of(std::string_view text) { return rules_of(text)->fault(); }

TEST(AccessRules, TheFirstRuleThatMatchesDecides) {
  constexpr std::string_view text =
      "# who may call the bank\n"
      "\n"
      "deny operation=close*\r\n"
      "  allow  poa=RootPOA/Bank\toperation=debit|balance   kind=tls\n"
      "allow poa=RootPOA/Bank subject=\"CN=line card *,*\"\n";
  EXPECT_EQ(outcome(text, "RootPOA/Bank", "debit", app), "allowed");
  EXPECT_EQ(outcome(text, "RootPOA/Bank", "credit", app), "allowed");
  EXPECT_EQ(outcome(text, "RootPOA/Bank", "close_all", app), "rules, line 3: deny operation=close*");
  EXPECT_EQ(outcome(text, "RootPOA/Bank", "debit", nobody), "no rule of rules allows it");
  EXPECT_EQ(outcome(text, "RootPOA", "debit", app), "no rule of rules allows it");
}

TEST(AccessRules, AskWhoCallsOnlyIfARuleWantsToKnow) {
  const auto rules = rules_of("deny operation=close\nallow operation=debit\nallow kind=unix uid=1000");
  unsigned asked = 0;
  const auto caller = [&]() -> const Identity& { return ++asked, local; };
  std::string why;
  EXPECT_TRUE(rules->allow("RootPOA", "debit", caller, why));
  EXPECT_FALSE(rules->allow("RootPOA", "close", caller, why));
  EXPECT_EQ(asked, 0u);
  EXPECT_TRUE(rules->allow("RootPOA", "balance", caller, why));
  EXPECT_EQ(asked, 1u);
}

TEST(AccessRules, KnowCallersByWhatIsKnownOfThem) {
  EXPECT_TRUE(allows("allow kind=tls", app));
  EXPECT_FALSE(allows("allow kind=tls", nobody));
  EXPECT_TRUE(allows("allow kind=unknown", nobody));
  EXPECT_TRUE(allows("allow kind=tls|self", self));
  EXPECT_TRUE(allows("allow uid=0|1000", local));
  EXPECT_FALSE(allows("allow uid=100", local));
  EXPECT_FALSE(allows("allow uid=1000", app));
  EXPECT_TRUE(allows("allow gid=100 kind=unix", local));
  EXPECT_FALSE(allows("allow gid=100 kind=unix", self));
  EXPECT_TRUE(allows("allow subject=CN=line?card?7,O=Example", app));
  EXPECT_FALSE(allows("allow subject=CN=line?card", app));
  EXPECT_TRUE(allows("allow name=IP:192.0.2.7", app));
  EXPECT_TRUE(allows("allow name=dns:*.EXAMPLE.org", app));
  EXPECT_FALSE(allows("allow name=DNS:*.example.org kind=unix", app));
  EXPECT_FALSE(allows("allow subject=*", nobody));
}

TEST(AccessRules, FingerprintsHaveColonsOrNot) {
  std::string text = "allow fingerprint=AA";
  for (unsigned i = 1; i < 32; ++i) text.append(":aA");
  EXPECT_TRUE(allows(text, app));
  EXPECT_TRUE(allows("allow fingerprint=" + std::string(64, 'b') + "|" + fingerprint, app));
  EXPECT_FALSE(allows("allow fingerprint=" + std::string(64, 'b'), app));
}

TEST(AccessPattern, Matches) {
  const auto matches = [](const char* pattern, std::string_view text) {
    return AccessPattern(pattern).matches(text);
  };
  EXPECT_TRUE(matches("*", ""));
  EXPECT_TRUE(matches("a*b*c", "a-b-b-c"));
  EXPECT_FALSE(matches("a*b*c", "a-b-b-d"));
  EXPECT_TRUE(matches("*ab", "aab"));
  EXPECT_TRUE(matches("a?c", "abc"));
  EXPECT_FALSE(matches("a?c", "ac"));
  EXPECT_TRUE(matches("a\\*c", "a*c"));
  EXPECT_FALSE(matches("a\\*c", "abc"));
  EXPECT_FALSE(matches("a\\?c", "abc"));
  EXPECT_TRUE(matches("x|a\\|b", "a|b"));
  EXPECT_TRUE(matches("x|y*", "yes"));
  EXPECT_FALSE(matches("x|y", "x|y"));
  EXPECT_FALSE(matches("abc", "ABC"));
  EXPECT_TRUE(AccessPattern("aBc").matches("AbC", true));
  EXPECT_FALSE(matches(std::string(40, '*').append("b").c_str(), std::string(100000, 'a')));
}

TEST(AccessRules, SayWhichLineIsWrongAndWhatWouldBeRight) {
  const std::pair<const char*, const char*> wrong[] = {
      {"allow\nalow kind=tls", "rules, line 2: 'alow': a rule begins with allow or deny"},
      {"allow who=me",
       "rules, line 1: 'who' is nothing that a rule can ask about; there are poa, operation, kind, subject, "
       "name, "
       "fingerprint, uid, gid"},
      {"allow kind", "rules, line 1: kind wants '=' and a value behind it"},
      {"allow kind tls", "rules, line 1: kind wants '=' and a value behind it"},
      {"allow kind=", "rules, line 1: kind wants a value, such as kind=*"},
      {"allow kind=ssl", "rules, line 1: kind=ssl is none; there are tls, unix, self and unknown"},
      {"allow kind=tls kind=unix", "rules, line 1: kind is there twice; alternatives are separated by |"},
      {"allow operation=a||b", "rules, line 1: operation=a||b has an alternative without text"},
      {"allow operation=a|", "rules, line 1: operation=a| has an alternative without text"},
      {"allow uid=root", "rules, line 1: uid=root wants a number"},
      {"allow uid=007", "rules, line 1: uid=007 wants a number"},
      {"allow fingerprint=abc", "rules, line 1: fingerprint=abc wants the 64 hexadecimal digits of SHA-256"},
      {"allow subject=\"CN=a",
       "rules, line 1: the value of subject wants a second quotation mark, and a blank behind it"},
      {"allow subject=\"CN=a\"kind=tls",
       "rules, line 1: the value of subject wants a second quotation mark, and a blank behind it"},
      {"allow subject=CN\\", "rules, line 1: the value of subject ends in a backslash"},
      {"allow operation=\x01", "rules, line 1: a control character; a rule is one line of text"},
      {"", "rules: there is no rule; to let everybody in, write a line with the word allow"},
      {"# allow\n\n", "rules: there is no rule; to let everybody in, write a line with the word allow"},
  };
  for (const auto& [text, fault] : wrong) EXPECT_EQ(fault_of(text), fault) << text;
  EXPECT_EQ(fault_of("allow operation=\"a b\" subject=\"a \\\"b\\\" c\""), "");
}

TEST(AccessRules, RefuseEverythingIfOneLineIsWrong) {
  EXPECT_EQ(outcome("allow\nallow kind=ssl", "RootPOA", "debit", app),
            "everything is refused, since the rules cannot be used: rules, line 2: kind=ssl is none; there "
            "are tls, unix, "
            "self and unknown");
}

TEST(AccessRules, OfFiles) {
  const std::string name = ::testing::TempDir() + "tenon_access_" + std::to_string(::getpid());
  const auto fault = [&] { return AccessRules::read_file(name)->fault(); };
  EXPECT_EQ(fault(), name + ": it cannot be read: No such file or directory");
  ASSERT_EQ(::mkdir(name.c_str(), 0700), 0);
  EXPECT_EQ(fault(), name + ": it is no file with text in it");
  ASSERT_EQ(::rmdir(name.c_str()), 0);
  const auto write = [&](const std::string& text) {
    std::FILE* const file = std::fopen(name.c_str(), "w");
    ASSERT_NE(file, nullptr);
    std::fwrite(text.data(), 1, text.size(), file);
    std::fclose(file);
  };
  write("allow kind=tls\nallow uid=1000");
  EXPECT_EQ(fault(), "");
  EXPECT_EQ(AccessRules::read_file(name)->rules().size(), 2u);
  write("allow\n" + std::string(AccessRules::largest_file, '#'));
  EXPECT_EQ(fault(), name + ": it is longer than 1 MiB, which is the most for rules");
  write("allow\ndeny everything\n");
  EXPECT_TRUE(fault().starts_with(name + ", line 2: 'everything' is nothing"));
  ::unlink(name.c_str());
}

TEST(AccessName, IsThePathOfAPoa) {
  using std::string_view_literals::operator""sv;
  EXPECT_EQ(access_name(""), "RootPOA");
  EXPECT_EQ(access_name("Bank\0Accounts\0"sv), "RootPOA/Bank/Accounts");
  EXPECT_EQ(access_name("a/b\0"
                        "100%\0"sv),
            "RootPOA/a%2Fb/100%25");
}

}  // namespace
}  // namespace tenon::poa
