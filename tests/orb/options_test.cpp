// SPDX-License-Identifier: Apache-2.0
//
// ORB_init's options, initial references and object URLs: what is right works, what is wrong is said.
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "base/minor_codes.hpp"
#include "mapping/cpp11/corba/orb_options.hpp"
#include "net/address.hpp"
#include "tests/orb/raw_peer.hpp"
#include "tests/orb/world.hpp"

namespace tenon::suite {
namespace {

/// What ORB_init says of wrong options.
std::string complaint(const Words& options) {
  try {
    init_orb(options, "complaint")->destroy();
    return "";
  } catch (const CORBA::BAD_PARAM& exception) {
    EXPECT_EQ(exception.minor(), errors::bad_option.minor);
    return exception.what();
  }
}

TEST(Options, ErrorsNameOptionValueAndWhatIsRight) {
  struct Wrong {
    const char* option;
    const char* value;
    const char* right;
  };
  for (const Wrong& each : {Wrong{"-ORBServing", "threads", "thread-per-connection, pool or single-thread"},
                            Wrong{"-ORBPoolThreads", "0", "from 1 to 4096"},
                            Wrong{"-ORBPoolThreads", "many", "whole number"},
                            Wrong{"-ORBPoolThreads", "-1", "whole number"},
                            Wrong{"-ORBPoolThreads", "99999999999999999999", "whole number"},
                            Wrong{"-ORBGIOPVersion", "1.3", "1.0, 1.1 or 1.2"},
                            Wrong{"-ORBMaxMessageSize", "64q", "64k"},
                            Wrong{"-ORBMaxMessageSize", "99999999999999999G", "64k"},
                            Wrong{"-ORBCollocation", "maybe", "yes or no"},
                            Wrong{"-ORBInitRef", "NameService", "name=url"},
                            Wrong{"-ORBInitRef", "=corbaloc::x/y", "name=url"},
                            Wrong{"-ORBInitRef", "N=http://host/", "at position 0: unknown scheme"},
                            Wrong{"-ORBInitRef", "N=corbaloc::host:port/N", "wrong URL, at position "},
                            Wrong{"-ORBInitRef", "N=corbaname::host#a//b", "wrong URL, at position "},
                            Wrong{"-ORBInitRef", "N=IOR:0", "wrong URL, at position "},
                            Wrong{"-ORBInitRef", "N=file:", "the path of a file"},
                            Wrong{"-ORBDefaultInitRef", "corbaloc:host", "wrong URL, at position "},
                            Wrong{"-ORBLog", "loud", "debug"},
                            Wrong{"-ORBNativeCharCodeSet", "EBCDIC", "UTF-8"},
                            Wrong{"-ORBNativeCharCodeSet", "ISO-2022-JP", "windows-1252"},
                            Wrong{"-ORBPreferUTF8", "sometimes", "yes or no"},
                            Wrong{"-ORBNativeWCharCodeSet", "UTF-32", "UTF-16"},
                            Wrong{"-ORBListenEndpoints", ";", "iiop://"}}) {
    const std::string text = complaint({each.option, each.value});
    EXPECT_TRUE(has(text, each.option)) << text;
    EXPECT_TRUE(has(text, each.value)) << text;
    EXPECT_TRUE(has(text, each.right)) << text;
  }
  EXPECT_TRUE(has(complaint({"-ORBPoolThreads"}), "-ORBPoolThreads"));
  EXPECT_TRUE(has(complaint({"-ORBNoSuchThing", "1"}), "-ORBNoSuchThing"));
}

TEST(Options, ProtocolsThatAreNone) {
  orb::Protocols without_plug_ins;
  without_plug_ins.emplace_back();
  try {
    tenon::init_orb(Words{}, std::move(without_plug_ins), "incomplete");
    ADD_FAILURE();
  } catch (const CORBA::BAD_PARAM& refusal) {
    EXPECT_TRUE(has(refusal.what(), "lacks a plug-in")) << refusal.what();
  }
  const auto orb = tenon::init_orb(Words{}, {}, "none");
  try {
    static_cast<void>(orb->_endpoints());
    ADD_FAILURE();
  } catch (const CORBA::INITIALIZE& refusal) {
    EXPECT_TRUE(has(refusal.what(), "no protocol")) << refusal.what();
  }
  orb->destroy();
}

TEST(Options, AreTakenOutOfTheArguments) {
  std::string words[] = {"program", "-x", "-ORBServing", "pool", "file", "-ORBLog", "off", "file"};
  char* argv[9] = {};
  for (std::size_t i = 0; i < 8; ++i) argv[i] = words[i].data();
  int argc = 8;
  const auto orb = tenon::init_orb(argc, argv, {}, "taken-out");
  ASSERT_EQ(argc, 4);
  EXPECT_EQ(argv[0], words[0].data());
  EXPECT_EQ(argv[1], words[1].data());
  EXPECT_STREQ(argv[2], "file");
  EXPECT_STREQ(argv[3], "file");
  EXPECT_EQ(argv[4], nullptr);
  EXPECT_EQ(orb->_core().options().serving, orb::Serving::pool);
  orb->destroy();
}

TEST(Options, OfTheEnvironmentComeFirst) {
  ASSERT_EQ(::setenv("TENON_ORB_OPTIONS", " -ORBPoolThreads 9  -ORBServing pool ", 1), 0);
  {
    const ScopedOrb orb({"-ORBPoolThreads", "3"});
    EXPECT_EQ(orb->_core().options().pool_threads, 3u);
    EXPECT_EQ(orb->_core().options().serving, orb::Serving::pool);
  }
  ::setenv("TENON_ORB_OPTIONS", "-ORBServing nobody", 1);
  EXPECT_TRUE(has(complaint({}), "nobody"));
  ::unsetenv("TENON_ORB_OPTIONS");
  EXPECT_EQ(complaint({}), "");
}

TEST(Options, EveryRowIsUnderstoodWithItsDefaultsInTheText) {
  for (const gen::OptionRow& row : gen::option_rows()) {
    EXPECT_TRUE(row.name.starts_with("-ORB")) << row.name;
    EXPECT_FALSE(row.text.empty()) << row.name;
    EXPECT_TRUE(row.text.ends_with(".")) << row.name;
    EXPECT_TRUE(has(gen::options_help(), std::string(row.name))) << row.name;
  }
}

TEST(Options, HelpPrintsThem) {
  ::testing::internal::CaptureStdout();
  { const ScopedOrb orb({"-ORBHelp"}); }
  const std::string printed = ::testing::internal::GetCapturedStdout();
  const std::string own = gen::options_help();
  EXPECT_EQ(printed.substr(0, own.size()), own);
  // Those of the protocols' plug-ins follow.
  for (const char* option : {"iiop.pacing=octets\n      How many ", "shmiop.ring=octets\n      How much ",
                             "shmiop.spin=us\n      How long "})
    EXPECT_TRUE(has(printed.substr(own.size()), "  -ORBProtocolOption " + std::string(option))) << printed;
}

TEST(Options, DocumentIsWhatTheTableSays) {
  std::FILE* file = std::fopen("../../docs/options.md", "re");
  ASSERT_NE(file, nullptr);  // NOLINT(clang-analyzer-unix.Stream): it ends here unopened
  std::string text(1 << 20, '\0');
  text.resize(std::fread(text.data(), 1, text.size(), file));
  std::fclose(file);
  for (const auto& rows : {gen::own_options(), gen::other_orbs_options()}) {
    const std::string table = gen::options_markdown(rows);
    EXPECT_TRUE(has(text, table)) << "docs/options.md wants this table:\n" << table;
  }
}

TEST(Options, WrongEndpointsAreSaid) {
  for (const char* endpoint : {"iiop://127.0.0.1:99999", "carrier-pigeon://coop"}) {
    const ScopedOrb orb({"-ORBListenEndpoints", endpoint});
    try {
      orb->_endpoints();
      ADD_FAILURE() << endpoint;
    } catch (const CORBA::INITIALIZE& exception) {
      EXPECT_TRUE(has(exception.what(), endpoint)) << exception.what();
    }
  }
  const ScopedOrb first({"-ORBListenEndpoints", "iiop://127.0.0.1"});
  const ScopedOrb second({"-ORBListenEndpoints", first->_endpoints().front()});
  EXPECT_THROW(second->_endpoints(), CORBA::INITIALIZE);
}

// --- initial references and URLs ---

class DirectoryServant final : public CORBA::servant_traits<Suite::Directory>::base_type {
 public:
  ObjectRef resolve(const Suite::Name& name) override {
    asked.clear();
    for (const Suite::NamePart& part : name) asked += "/" + part.id() + "." + part.kind();
    if (!known) throw Suite::NotFound();
    return known;
  }
  ObjectRef known;
  std::string asked;
};

/// What a system exception says; "" where there is none.
std::string said_of(const std::function<void()>& what) {
  try {
    what();
    return "";
  } catch (const CORBA::SystemException& exception) {
    return exception.what();
  }
}

class Urls : public ::testing::Test {
 protected:
  Urls()
      : server({"-ORBListenEndpoints", "iiop://127.0.0.1"}),
        servant(CORBA::make_reference<TestServant>(*server)),
        object(tenon::publish<Suite::Test_skeleton>(server.ref(), servant, "test")) {
    const std::string endpoint = server->_endpoints().front();
    port = endpoint.substr(endpoint.rfind(':') + 1);
  }
  static std::int32_t add(CORBA::ORB& orb, const std::string& url) {
    return IDL::traits<Suite::Test>::unchecked_narrow(orb.string_to_object(url))->add(20, 3);
  }
  static std::string refused(CORBA::ORB& orb, const std::string& url) {
    return outcome_of([&] { orb.string_to_object(url); });
  }
  ScopedOrb server;
  ScopedOrb client;
  CORBA::servant_reference<TestServant> servant;
  TestRef object;
  std::string port;
};

TEST_F(Urls, Corbaloc) {
  EXPECT_EQ(add(*client, "corbaloc::127.0.0.1:" + port + "/test"), 23);
  EXPECT_EQ(add(*client, "corbaloc:iiop:1.0@127.0.0.1:" + port + "/test"), 23);
  EXPECT_EQ(add(*client, "CorbaLoc:iiop:127.0.0.1:" + port + "/%74est"), 23);
  EXPECT_EQ(add(*client, tenon::corbaloc(server.ref(), "test")), 23);
  // Nobody listens at the first two.
  EXPECT_EQ(add(*client, "corbaloc::127.0.0.1:1,iiop:127.0.0.1:2,iiop:1.1@127.0.0.1:" + port + "/test"), 23);
  EXPECT_EQ(outcome_of([&] { add(*client, "corbaloc::127.0.0.1:1/test"); }), text_of(errors::cannot_connect));
  EXPECT_EQ(outcome_of([&] { add(*client, "corbaloc::127.0.0.1:" + port + "/other"); }).substr(0, 16),
            "OBJECT_NOT_EXIST");
}

TEST_F(Urls, CorbalocOverUnixSockets) {
  ScopedOrb local({"-ORBListenEndpoints", endpoint_of("uiop")});
  tenon::publish<Suite::Test_skeleton>(local.ref(), CORBA::make_reference<TestServant>(*local), "test");
  EXPECT_EQ(add(*client, tenon::corbaloc(local.ref(), "test")), 23);
}

TEST_F(Urls, CorbalocIsOfTcpWhereTheServerListensThere) {
  ScopedOrb local(
      {"-ORBListenEndpoints", endpoint_of("shmiop") + ";iiop://127.0.0.1;" + endpoint_of("uiop")});
  tenon::publish<Suite::Test_skeleton>(local.ref(), CORBA::make_reference<TestServant>(*local), "test");
  const std::string url = tenon::corbaloc(local.ref(), "test");
  EXPECT_EQ(url.substr(0, 28), "corbaloc:iiop:1.2@127.0.0.1:") << url;
  EXPECT_EQ(add(*client, url), 23);
}

TEST_F(Urls, Ipv6) {
  ScopedOrb six({"-ORBListenEndpoints", "iiop://[::1]"});
  try {
    six->_endpoints();
  } catch (const CORBA::INITIALIZE&) {
    GTEST_SKIP() << "no IPv6 here";
  }
  const auto one = CORBA::make_reference<TestServant>(*six);
  const TestRef test = tenon::publish<Suite::Test_skeleton>(six.ref(), one, "test");
  const std::string url = tenon::corbaloc(six.ref(), "test");
  EXPECT_TRUE(has(url, "[::1]:")) << url;
  EXPECT_EQ(add(*client, url), 23);
  EXPECT_EQ(seen_by(*client, test)->add(1, 2), 3);
}

TEST_F(Urls, Corbaname) {
  const auto directory = CORBA::make_reference<DirectoryServant>();
  directory->known = object;
  tenon::publish<Suite::Directory_skeleton>(server.ref(), directory, "NameService");
  const std::string at = "127.0.0.1:" + port;
  EXPECT_EQ(add(*client, "corbaname::" + at + "#a.b/c"), 23);
  EXPECT_EQ(directory->asked, "/a.b/c.");
  EXPECT_TRUE(client->string_to_object("corbaname::" + at)->_is_a("IDL:Suite/Directory:1.0"));
  ScopedOrb with({"-ORBInitRef", "NameService=corbaloc::" + at + "/NameService"});
  EXPECT_EQ(add(*with, "corbaname:rir:#x"), 23);
  EXPECT_EQ(add(*with, "corbaname:rir:/NameService#x%20y"), 23);
  EXPECT_EQ(directory->asked, "/x y.");
  directory->known = nullptr;
  EXPECT_EQ(refused(*client, "corbaname::" + at + "#a"), text_of(errors::url_other));
  EXPECT_TRUE(has(said_of([&] { client->string_to_object("corbaname::" + at + "#a.b/c"); }),
                  "corbaname: the naming service knows no object of the name 'a.b/c'; it answered "));
  // A name service that cannot be reached is another matter than a wrong name.
  EXPECT_EQ(refused(*client, "corbaname::127.0.0.1:1#a"), text_of(errors::cannot_connect));
}

/// What a corbaname of the name a.b/c says where the naming service answers with this exception of CosNaming, whose members are `why` and
/// a name of the components c and d.e.
std::string said_of_naming(const std::string& exception, std::uint32_t why) {
  const RawServer naming([&](RawSocket& peer) {
    const Bytes asked = peer.receive_message();
    cdr::Writer reply({.giop_minor = 2});
    reply.put(request_id_of(asked));
    reply.put(std::uint32_t{1});  // a user exception
    reply.put(std::uint32_t{0});  // no service contexts
    reply.put_string("IDL:omg.org/CosNaming/NamingContext/" + exception + ":1.0");
    reply.put(why);
    reply.put_length(2);
    for (const char* text : {"c", "", "d", "e"}) reply.put_string(std::string_view(text));
    (void)peer.send(message(1, {reply.bytes().begin(), reply.bytes().end()}));
    (void)peer.receive_message();
  });
  ScopedOrb client;
  const std::string said = said_of([&] {
    client->string_to_object("corbaname::1.2@127.0.0.1:" + std::to_string(naming.port()) + "#a.b/c");
  });
  client.destroy();
  return said;
}

TEST(NamesOfUrls, TheAnswerOfTheNamingServiceIsTold) {
  const std::string start =
      "BAD_PARAM: corbaname: the naming service knows no object of the name 'a.b/c'; it answered ";
  EXPECT_EQ(said_of_naming("NotFound", 0), start + "NotFound, at 'c/d.e': nothing is bound to it");
  EXPECT_EQ(said_of_naming("NotFound", 1), start + "NotFound, at 'c/d.e': this is no naming context");
  EXPECT_EQ(said_of_naming("NotFound", 7), start + "NotFound") << "a reason that there is not";
  EXPECT_EQ(said_of_naming("InvalidName", 0), start + "InvalidName");
  EXPECT_EQ(said_of_naming("AlreadyBound", 0), start + "a user exception that resolve() does not have");
}

TEST_F(Urls, Files) {
  const std::string path = ::testing::TempDir() + "tenon-reference-" + std::to_string(::getpid());
  std::FILE* file = std::fopen(path.c_str(), "we");
  ASSERT_NE(file, nullptr);  // NOLINT(clang-analyzer-unix.Stream): it ends here unopened
  std::fprintf(file, "%s\n", server->object_to_string(object).c_str());
  std::fclose(file);
  EXPECT_EQ(add(*client, "file:" + path), 23);
  EXPECT_EQ(add(*client, "file://" + path), 23);
  ::unlink(path.c_str());
  EXPECT_EQ(refused(*client, "file:" + path), text_of(errors::url_bad_address));
  EXPECT_EQ(said_of([&] { client->string_to_object("file:" + path); }),
            "BAD_PARAM: file:" + path + ": cannot be read: No such file or directory (errno 2)");
  EXPECT_TRUE(has(said_of([&] { client->string_to_object("file:" + ::testing::TempDir()); }),
                  "cannot be read: Is a directory"));
  EXPECT_TRUE(has(said_of([&] { client->string_to_object("file:/dev/null"); }), "file:/dev/null: is empty"));
}

TEST_F(Urls, WrongOnes) {
  EXPECT_EQ(refused(*client, "").substr(0, 9), "BAD_PARAM");
  EXPECT_EQ(refused(*client, "http://example.org/").substr(0, 9), "BAD_PARAM");
  EXPECT_EQ(refused(*client, "IOR:0").substr(0, 9), "BAD_PARAM");
  EXPECT_EQ(refused(*client, "IOR:zz").substr(0, 9), "BAD_PARAM");
  EXPECT_EQ(refused(*client, "corbaloc:").substr(0, 9), "BAD_PARAM");
  EXPECT_EQ(refused(*client, "corbaloc::host:port/x").substr(0, 9), "BAD_PARAM");
  EXPECT_EQ(refused(*client, "corbaloc:other:thing/x"), text_of(errors::url_bad_address));
  EXPECT_EQ(refused(*client, "corbaloc::127.0.0.1:1/%4").substr(0, 9), "BAD_PARAM");
}

TEST_F(Urls, Strings) {
  EXPECT_FALSE(client->string_to_object(client->object_to_string(nullptr)));
  const std::string text = server->object_to_string(object);
  EXPECT_EQ(client->object_to_string(client->string_to_object(text)), text);
  EXPECT_EQ(outcome_of([&] { client->object_to_string(client->resolve_initial_references("RootPOA")); }),
            text_of(errors::local_object));
}

TEST_F(Urls, InitialReferences) {
  ScopedOrb orb({"-ORBInitRef", "Test=corbaloc::127.0.0.1:1/test", "-ORBInitRef",
                 "Test=corbaloc::127.0.0.1:" + port + "/test", "-ORBDefaultInitRef",
                 "corbaloc::127.0.0.1:" + port});
  const auto resolved = [&](const std::string& name) {
    return IDL::traits<Suite::Test>::unchecked_narrow(orb->resolve_initial_references(name))->add(20, 3);
  };
  EXPECT_EQ(resolved("Test"), 23);
  EXPECT_EQ(resolved("test"), 23);  // by the default
  EXPECT_TRUE(orb->resolve_initial_references("RootPOA"));
  EXPECT_TRUE(orb->resolve_initial_references("POACurrent"));
  EXPECT_THROW(client->resolve_initial_references("Test"), CORBA::ORB::InvalidName);
  EXPECT_THROW(client->resolve_initial_references(""), CORBA::ORB::InvalidName);
  try {
    client->resolve_initial_references("NameServce");
    ADD_FAILURE();
  } catch (const CORBA::ORB::InvalidName& exception) {
    const std::string what = exception.what();
    EXPECT_TRUE(
        what.starts_with("IDL:omg.org/CORBA/ORB/InvalidName:1.0: there is no initial reference 'NameServce'"))
        << what;
    EXPECT_TRUE(has(what, "RootPOA") && has(what, "-ORBInitRef NameServce=URL")) << what;
  }

  client->register_initial_reference("Mine", seen_by(*client, object));
  EXPECT_TRUE(client->resolve_initial_references("Mine")->_is_equivalent(object));
  EXPECT_EQ(add(*client, "corbaloc:rir:/Mine"), 23);
  EXPECT_EQ(refused(*client, "corbaloc:rir:/Unknown"), text_of(errors::url_other));
  EXPECT_EQ(refused(*client, "corbaname:rir:/Unknown#a"), text_of(errors::url_other));
  EXPECT_EQ(refused(*client, "corbaloc:rir:"), text_of(errors::url_other));  // NameService
  EXPECT_THROW(client->register_initial_reference("Mine", object), CORBA::ORB::InvalidName);
  EXPECT_THROW(client->register_initial_reference("", object), CORBA::ORB::InvalidName);
  try {
    client->register_initial_reference("RootPOA", object);
    ADD_FAILURE();
  } catch (const CORBA::ORB::InvalidName& exception) {
    EXPECT_STREQ(exception.what(), "IDL:omg.org/CORBA/ORB/InvalidName:1.0: the name 'RootPOA' is taken");
  }
  EXPECT_EQ(outcome_of([&] { client->register_initial_reference("Nil", nullptr); }),
            text_of(errors::nil_initial_reference));
  const auto names = client->list_initial_services();
  for (const char* name : {"Mine", "RootPOA", "POACurrent"}) {
    EXPECT_NE(std::ranges::find(names, name), names.end()) << name;
  }
  const auto configured = orb->list_initial_services();
  EXPECT_EQ(std::ranges::count(configured, "Test"), 1);
}

TEST_F(Urls, InitialReferencesThatCannotBeResolvedAreNamed) {
  const std::string dead = "corbaname::127.0.0.1:1#x";
  const ScopedOrb orb({"-ORBInitRef", "Dead=" + dead, "-ORBInitRef", "Strange=corbaloc:other:x/y",
                       "-ORBInitRef", "File=file:/no/such/file", "-ORBInitRef", "Alias=corbaloc:rir:/File",
                       "-ORBDefaultInitRef", "corbaloc:rir:"});
  const auto said = [&](const std::string& name) {
    return said_of([&] { orb->resolve_initial_references(name); });
  };
  EXPECT_TRUE(said("Dead").starts_with("TRANSIENT: -ORBInitRef Dead=" + dead + ": TRANSIENT (minor 0x"))
      << said("Dead");
  EXPECT_TRUE(has(said("Dead"), "tried: profile 1, iiop 127.0.0.1:1: connect: ")) << said("Dead");
  EXPECT_TRUE(
      said("Strange").starts_with("BAD_PARAM: -ORBInitRef Strange=corbaloc:other:x/y: protocol 'other'"))
      << said("Strange");
  const std::string file =
      "BAD_PARAM: -ORBInitRef File=file:/no/such/file: file:/no/such/file: cannot be read: No such";
  EXPECT_TRUE(said("File").starts_with(file)) << said("File");
  EXPECT_TRUE(said("Alias").starts_with(file)) << said("Alias");
  EXPECT_TRUE(
      said("Other").starts_with("BAD_PARAM: -ORBDefaultInitRef corbaloc:rir: gives corbaloc:rir:/Other: "))
      << said("Other");
}

TEST_F(Urls, InitialReferencesThatGoInACircle) {
  const ScopedOrb orb({"-ORBInitRef", "A=corbaloc:rir:/B", "-ORBInitRef", "B=corbaname:rir:/A#x",
                       "-ORBDefaultInitRef", "corbaloc:rir:"});
  for (const char* url : {"corbaloc:rir:/A", "corbaname:rir:/B#y", "corbaloc:rir:/Unknown"})
    EXPECT_EQ(refused(*orb, url), text_of(errors::url_other)) << url;
  EXPECT_EQ(outcome_of([&] { orb->resolve_initial_references("A"); }), text_of(errors::url_other));
}

TEST_F(Urls, DefaultInitialReferenceOfANameService) {
  const auto directory = CORBA::make_reference<DirectoryServant>();
  directory->known = object;
  tenon::publish<Suite::Directory_skeleton>(server.ref(), directory, "NameService");
  ScopedOrb orb({"-ORBDefaultInitRef", "corbaname::127.0.0.1:" + port + "#context"});
  EXPECT_TRUE(orb->resolve_initial_references("Thing")->_is_equivalent(object));
  EXPECT_EQ(directory->asked, "/context./Thing.");
}

}  // namespace
}  // namespace tenon::suite
