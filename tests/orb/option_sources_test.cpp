// SPDX-License-Identifier: Apache-2.0
//
// Where options come from: the command line, the environment, a file; which of them counts, and what a second ORB_init does with them.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "base/log.hpp"
#include "base/minor_codes.hpp"
#include "mapping/cpp11/corba/orb_options.hpp"
#include "tests/orb/world.hpp"

namespace tenon::suite {
namespace {

std::string refusal_of(const Words& options) {
  try {
    init_orb(options, "refused")->destroy();
    return "";
  } catch (const CORBA::BAD_PARAM& exception) {
    EXPECT_EQ(exception.minor(), errors::bad_option.minor);
    return exception.what();
  }
}

/// A file with this text, for as long as the object lives.
class ConfigFile {
 public:
  explicit ConfigFile(const std::string& text) {
    std::FILE* file = std::fopen(path.c_str(), "we");
    EXPECT_NE(file, nullptr);  // NOLINT(clang-analyzer-unix.Stream): it ends here unopened
    std::fwrite(text.data(), 1, text.size(), file);
    std::fclose(file);
  }
  ~ConfigFile() { ::unlink(path.c_str()); }
  ConfigFile(const ConfigFile&) = delete;
  ConfigFile& operator=(const ConfigFile&) = delete;
  const std::string path = ::testing::TempDir() + "tenon-options-" + std::to_string(::getpid()) + ".cfg";
};

class Variable {
 public:
  Variable(const char* name, const std::string& value) : name_(name) { ::setenv(name, value.c_str(), 1); }
  ~Variable() { ::unsetenv(name_); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  const char* name_;
};

using References = std::vector<std::pair<std::string, std::string>>;

TEST(OptionSources, ValuesMayBeJoinedToTheirOptions) {
  const ScopedOrb orb({"-ORBInitRefA=corbaloc::a/A", "-ORBInitRef B=corbaloc::b/B", "-ORBPoolThreads7",
                       "-ORBInitRef", "C=corbaloc::c/C", "-ORBMemoryPerConnection64k", "-ORBServerIdthis"});
  EXPECT_EQ(orb->_core().options().initial_references,
            (References{{"A", "corbaloc::a/A"}, {"B", "corbaloc::b/B"}, {"C", "corbaloc::c/C"}}));
  EXPECT_EQ(orb->_core().options().pool_threads, 7u);
  EXPECT_EQ(orb->_core().options().messaging.limits.memory, 65536u) << "the longest name counts";
  EXPECT_EQ(orb->_core().options().server_id, "this");
  const auto named = init_orb({"-ORBidMine"});
  EXPECT_EQ(named->id(), "Mine");
  EXPECT_EQ(init_orb({"-ORBid  Mine"}).get(), named.get()) << "blanks behind the option do not count";
  named->destroy();
  EXPECT_TRUE(has(refusal_of({"-ORBPoolThreads many"}), "option -ORBPoolThreads, value 'many'"));
  EXPECT_TRUE(has(refusal_of({"-ORBLogFilename", "x"}), "option -ORBLogFilename: there is no such option"))
      << "words are joined to the standard's options only";
  EXPECT_TRUE(has(refusal_of({"-ORBServerIdel", "3"}), "did you mean -ORBServerIdle?"));
  EXPECT_TRUE(has(refusal_of({"-ORBCallTimeouts", "3"}), "did you mean -ORBCallTimeout?"));
  EXPECT_TRUE(has(refusal_of({"-ORBMaxMessageSize", "100"}), "wants at least 1k bytes"));
  EXPECT_TRUE(has(refusal_of({"-ORBInitRef "}), "no such option"));
  EXPECT_TRUE(has(refusal_of({"-ORBHelpMe"}), "no such option"))
      << "an option without a value has none joined";
}

TEST(OptionSources, CapitalsDoNotMatter) {
  const ScopedOrb orb({"-ORBpoolTHREADS", "5", "-ORBSERVING", "Pool", "-ORBNativeCharCodeSet", "iso-8859-1",
                       "-orbinitref", "A=corbaloc::a/A"});
  EXPECT_EQ(orb->_core().options().pool_threads, 5u);
  EXPECT_EQ(orb->_core().options().serving, orb::Serving::pool);
  EXPECT_EQ(orb->_core().options().messaging.native.chars, cdr::CodeSet::iso8859_1);
  EXPECT_EQ(orb->_core().options().initial_references.size(), 1u);
  // What begins with other capitals and is no option is the program's.
  std::string words[] = {"program", "-orbit", "3"};
  char* argv[] = {words[0].data(), words[1].data(), words[2].data(), nullptr};
  int argc = 3;
  tenon::init_orb(argc, argv, {}, "orbit")->destroy();
  EXPECT_EQ(argc, 3);
}

TEST(OptionSources, QuotesInTheVariableKeepBlanks) {
  const Variable set("TENON_ORB_OPTIONS", "-ORBServerId 'two words'\t\"-ORBInitRef\" X=\"file:/x/a b\"\n");
  const ScopedOrb orb;
  EXPECT_EQ(orb->_core().options().server_id, "two words");
  EXPECT_EQ(orb->_core().options().initial_references, (References{{"X", "file:/x/a b"}}));
}

TEST(OptionSources, TheVariableIsNamedInComplaints) {
  for (const auto& [value, said] : std::vector<std::pair<std::string, std::string>>{
           {"-ORBServerId 'two words", "TENON_ORB_OPTIONS: there is no second '"},
           {"-ORBPoolThreads", "TENON_ORB_OPTIONS: option -ORBPoolThreads: wants n behind it"},
           {"-ORBServerId two words", "TENON_ORB_OPTIONS: 'words' is neither an option nor the value of one"},
           {"-ORBPoolThreads x",
            "TENON_ORB_OPTIONS: option -ORBPoolThreads, value 'x': wants a whole number"}}) {
    const Variable set("TENON_ORB_OPTIONS", value);
    EXPECT_TRUE(has(refusal_of({}), said)) << refusal_of({});
  }
}

TEST(OptionSources, FilesAreReadAsOmniOrbWritesThem) {
  const ConfigFile file(
      "# of omniORB\n"
      "traceLevel = 0\n"
      "InitRef = NameService=corbaname::host\n"
      "        = Log=corbaloc::host:3000/Log\n"
      "endPoint = giop:tcp:127.0.0.1:\n"
      "endPoint = giop:unix:/tmp/nowhere.sock\n"
      "ORBDefaultInitRef = corbaloc::host\n"
      "-ORBServerId = two words\n"
      "maxGIOPConnectionPerServer = 3\n"
      "maxGIOPConnectionPerServer = 4\n"
      "NoProprietaryActivation\n"
      "ORBInitRef.Trading=corbaloc::host/Trading\n"
      "jacorb.connection.server.timeout=60000\n");
  const ScopedOrb orb({"-ORBConfigFile", file.path});
  const orb::Options& options = orb->_core().options();
  EXPECT_EQ(options.initial_references, (References{{"NameService", "corbaname::host"},
                                                    {"Log", "corbaloc::host:3000/Log"},
                                                    {"Trading", "corbaloc::host/Trading"}}));
  EXPECT_EQ(options.endpoints, (Words{"giop:tcp:127.0.0.1:", "giop:unix:/tmp/nowhere.sock"}));
  EXPECT_EQ(options.default_initial_reference, "corbaloc::host");
  EXPECT_EQ(options.server_id, "two words");
  EXPECT_EQ(options.connections_per_endpoint, 4u) << "the last one counts";
  EXPECT_EQ(options.server_idle_ms, 60000u);
  set_log_level(LogLevel::off);
}

TEST(OptionSources, LaterSourcesOverrideEarlierOnes) {
  const ConfigFile file(
      "poolThreads = 2\nforwardsMost = 2\nconnectionsPerEndpoint = 2\n"
      "listenEndpoints = iiop://127.0.0.1:1;iiop://127.0.0.1:2\nendPointNoListen = giop:tcp:a:1\n"
      "InitRef = A=corbaloc::file/A\n");
  const Variable options(
      "TENON_ORB_OPTIONS",
      "-ORBForwardsMost 3 -ORBConnectionsPerEndpoint 3 -ORBListenEndpoints iiop://127.0.0.1:3");
  const Variable config("TENON_ORB_CONFIG", file.path);
  {
    const ScopedOrb orb({"-ORBConnectionsPerEndpoint", "4", "-ORBInitRef", "A=corbaloc::line/A"});
    EXPECT_EQ(orb->_core().options().pool_threads, 2u);
    EXPECT_EQ(orb->_core().options().forwards_most, 3u);
    EXPECT_EQ(orb->_core().options().connections_per_endpoint, 4u);
    EXPECT_EQ(orb->_core().options().endpoints, (Words{"iiop://127.0.0.1:3"})) << "lists are not mixed";
    EXPECT_EQ(orb->_core().options().transports.publish_also, (Words{"a:1"}));
    EXPECT_EQ(orb->_core().options().initial_references.back().second, "corbaloc::line/A");
  }
  {
    const ScopedOrb orb({"-ORBListenEndpoints", "iiop://127.0.0.1:4", "-ORBEndpoint", "iiop://127.0.0.1:5"});
    EXPECT_EQ(orb->_core().options().endpoints, (Words{"iiop://127.0.0.1:4", "iiop://127.0.0.1:5"}));
  }
}

TEST(OptionSources, WhichFileIsRead) {
  const ConfigFile file("poolThreads = 2\n");
  const std::string nowhere = file.path + ".none";
  const auto threads = [](const Words& options) {
    const ScopedOrb orb(options);
    return orb->_core().options().pool_threads;
  };
  const Variable config("TENON_ORB_CONFIG", nowhere);
  EXPECT_TRUE(has(refusal_of({}), "TENON_ORB_CONFIG=" + nowhere + ": cannot be read: No such file"))
      << refusal_of({});
  EXPECT_EQ(threads({"-ORBConfigFile", ""}), 4u) << "no file";
  EXPECT_EQ(threads({"-ORBConfigFile", file.path}), 2u);
  const Variable options("TENON_ORB_OPTIONS", "-ORBConfigFile " + file.path);
  EXPECT_EQ(threads({}), 2u) << "the option says more than the variable";
  EXPECT_TRUE(has(refusal_of({"-ORBConfigFile", nowhere}), "-ORBConfigFile " + nowhere + ": cannot be read"));
}

TEST(OptionSources, WrongLinesAreNamedWithTheirFile) {
  for (const auto& [text, said] : std::vector<std::pair<std::string, std::string>>{
           {"\n\npoolThreads = many\n",
            ":3: option poolThreads, value 'many': wants a whole number from 1 to 4096"},
           {"no such thing = 1", ":1: a key has no blanks"},
           {"# x\nnoSuchThing = 1", ":2: option noSuchThing: there is no such option"},
           {"poolThreads", ":1: option poolThreads: wants poolThreads = n"},
           {"Help = me", ":1: option Help: takes no value"},
           {"configFile = other.cfg", ":1: option configFile: a file cannot name another one"},
           {"clientTransportRule = * tcp", ":1: option clientTransportRule: omniORB has it, Tenon does not"},
           {"jacorb.retries = 5",
            ":1: option jacorb.retries: JacORB has it, Tenon does not; write ORBConnectTimeout"},
           {"jacorb.nothing = 5", ":1: option jacorb.nothing: there is no such option"},
           {"\npolThreads = 5",
            ":2: option polThreads: there is no such option; did you mean PoolThreads? -ORBHelp lists them"},
           {"InitRef = Name=corbaloc:host",
            ":1: option InitRef, value 'Name=corbaloc:host': wrong URL, at position "},
           {"InitRef = A=corbaloc::host/A # mine", "; a comment wants a line of its own"},
           {"poolThreads = 5 # all",
            ": wants a whole number from 1 to 4096; a comment wants a line of its own"},
           {"\n\nendPoint = giop:tcp:127.0.0.1: # c",
            ":3: option endPoint, value 'giop:tcp:127.0.0.1: # c': a comment wants a line of its own"},
           {"serverId = \x01", ":1: there is an octet in it that is no text"}}) {
    const ConfigFile file(text);
    const std::string told = refusal_of({"-ORBConfigFile", file.path});
    // The place is written alike in all.
    const bool at_line = said.starts_with(":");
    const std::string place = "BAD_PARAM: " + file.path + (at_line && said[1] != ' ' ? said : ":");
    EXPECT_TRUE(told.starts_with(place)) << told;
    EXPECT_TRUE(has(told, said)) << told;
  }
}

TEST(OptionSources, ANearOptionIsSuggested) {
  const auto suggested = [](const std::string& option) {
    const std::string told = refusal_of({option, "1"});
    const std::size_t at = told.find("did you mean ");
    return at == std::string::npos ? "" : told.substr(at + 13, told.find('?') - at - 13);
  };
  EXPECT_EQ(suggested("-ORBCallTimout"), "-ORBCallTimeout");
  EXPECT_EQ(suggested("-ORBCallTiemout"), "-ORBCallTimeout") << "letters are swapped";
  EXPECT_EQ(suggested("-ORBinitrefs"), "-ORBInitRef") << "capitals do not count";
  EXPECT_EQ(suggested("-ORBEndPiont"), "-ORBEndpoint");
  EXPECT_EQ(suggested("-ORBLgo"), "-ORBLog");
  EXPECT_EQ(suggested("-ORBNoSuchThing"), "");
  EXPECT_EQ(suggested("-ORBx"), "");
  EXPECT_EQ(suggested("-ORBPoolThread" + std::string(100000, 's')), "");
}

TEST(OptionSources, ComplaintsAreShort) {
  const ConfigFile file("poolThreads = " + std::string(100000, 'x'));
  EXPECT_LT(refusal_of({"-ORBConfigFile", file.path}).size(), 1000u);
}

TEST(OptionSources, NothingIsSetWhereAnOptionIsUnknown) {
  set_log_level(LogLevel::off);
  EXPECT_NE(refusal_of({"-ORBLog", "trace", "-ORBNoSuchThing"}), "");
  EXPECT_FALSE(log_enabled(LogLevel::error));
}

TEST(OptionSources, AnotherOrbInitSaysWhichOfItsOptionsAreLost) {
  const ConfigFile file("forwardsMost = 5\n");
  const Variable options("TENON_ORB_OPTIONS", "-ORBCallTimeout 2000");
  const auto first = init_orb({"-ORBPoolThreads", "3", "-ORBConfigFile", file.path}, "twice");
  {
    const LogLines lines(LogLevel::warning);
    EXPECT_EQ(init_orb({}, "twice").get(), first.get());
    EXPECT_EQ(init_orb({"-ORBPoolThreads", "3", "-ORBConfigFile", file.path}, "twice").get(), first.get());
    EXPECT_EQ(init_orb({"-ORBLog", "warning", "-ORBid", "twice"}).get(), first.get());
    EXPECT_EQ(lines.all(), Words());
    EXPECT_EQ(init_orb({"-ORBPoolThreads", "4", "-ORBserving", "pool", "-ORBclientCallTimeOutPeriod", "2000"},
                       "twice")
                  .get(),
              first.get());
    EXPECT_EQ(
        lines.all(),
        Words{
            "orb: ORB_init: there is an ORB 'twice' already, so these options of the later call have no "
            "effect: -ORBPoolThreads 4, -ORBServing pool; give them to the first call, or another -ORBid to "
            "this one"});
  }
  EXPECT_EQ(first->_core().options().pool_threads, 3u);
  first->destroy();
}

}  // namespace
}  // namespace tenon::suite
