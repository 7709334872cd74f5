// SPDX-License-Identifier: Apache-2.0
// Object URLs: the examples of the standard, both directions, extensions, and messages that point at the mistake.
#include "ior/object_url.hpp"

#include <gtest/gtest.h>

#include "ior/uiop_profile.hpp"

namespace tenon::ior {
namespace {

std::string text(const std::vector<std::uint8_t>& octets) { return {octets.begin(), octets.end()}; }

ObjectUrl parse(std::string_view url) {
  Parsed<ObjectUrl> parsed = parse_object_url(url);
  EXPECT_TRUE(parsed) << url << ": " << (parsed ? "" : parsed.error().text);
  return parsed ? *parsed : ObjectUrl{};
}

ParsedIiopAddress iiop(const ObjectUrl& url, std::size_t index = 0) {
  const Parsed<ParsedIiopAddress> parsed = parse_iiop_address(url.addresses.at(index).text);
  EXPECT_TRUE(parsed);
  return parsed ? *parsed : ParsedIiopAddress{};
}

TEST(Corbaloc, TheUsualForms) {
  ObjectUrl url = parse("corbaloc:iiop:1.1@host.example:1234/Dev/Trading%20Service");
  ASSERT_EQ(url.addresses.size(), 1u);
  EXPECT_EQ(url.addresses[0].protocol, "iiop");
  EXPECT_EQ(iiop(url).minor, 1);
  EXPECT_EQ(iiop(url).address, (IiopAddress{"host.example", 1234}));
  EXPECT_EQ(text(url.key), "Dev/Trading Service");

  url = parse("corbaloc::host/Key");
  EXPECT_EQ(url.addresses[0].protocol, "iiop");
  EXPECT_EQ(iiop(url).minor, 0);
  EXPECT_EQ(iiop(url).address, (IiopAddress{"host", 2809}));

  url = parse("corbaloc::host");
  EXPECT_TRUE(url.key.empty());
  url = parse("corbaloc::host/");
  EXPECT_TRUE(url.key.empty());
  url = parse("  CORBALOC:IIOP:host/k\n");
  EXPECT_EQ(url.addresses[0].protocol, "iiop");
  EXPECT_EQ(text(url.key), "k");
}

TEST(Corbaloc, SeveralAddresses) {
  const ObjectUrl url = parse("corbaloc::one:110,:1.2@[fe80::2]:120,iiop:[::1],other:x@y/a,b");
  ASSERT_EQ(url.addresses.size(), 4u);
  EXPECT_EQ(iiop(url, 0).address, (IiopAddress{"one", 110}));
  EXPECT_EQ(iiop(url, 1).address, (IiopAddress{"fe80::2", 120}));
  EXPECT_EQ(iiop(url, 1).minor, 2);
  EXPECT_EQ(iiop(url, 2).address, (IiopAddress{"::1", 2809}));
  EXPECT_EQ(url.addresses[3], (UrlAddress{"other", "x@y", 0}));
  EXPECT_EQ(text(url.key), "a,b");
}

TEST(Corbaloc, InitialReferences) {
  ObjectUrl url = parse("corbaloc:rir:/TradingService");
  EXPECT_TRUE(url.initial_reference());
  EXPECT_EQ(text(url.key), "TradingService");
  EXPECT_EQ(text(parse("corbaloc:rir:").key), "NameService");
  EXPECT_EQ(text(parse("corbaloc:rir:/").key), "NameService");
  EXPECT_FALSE(parse("corbaloc::h/k").initial_reference());
}

TEST(Corbaloc, UnixSockets) {
  ObjectUrl url = parse("corbaloc:uiop:/run/app.sock|Key");
  EXPECT_EQ(url.addresses[0].protocol, "uiop");
  EXPECT_EQ(text(url.key), "Key");
  Parsed<ParsedUiopAddress> address = parse_uiop_address(url.addresses[0].text);
  ASSERT_TRUE(address);
  EXPECT_EQ(address->path, "/run/app.sock");
  EXPECT_EQ(address->minor, 0);
  url = parse("corbaloc:unix:1.2@//run/a%2Cb@c|Key,iiop:h/k");
  ASSERT_EQ(url.addresses.size(), 1u);
  address = parse_uiop_address(url.addresses[0].text);
  ASSERT_TRUE(address);
  EXPECT_EQ(address->path, "/run/a,b@c");
  EXPECT_EQ(address->minor, 2);
  EXPECT_EQ(text(url.key), "Key,iiop:h/k");
  // Behind a socket and another address the key follows either character.
  for (const char* both :
       {"corbaloc:uiop:/run/app.sock,:host:7/a|b", "corbaloc:uiop:/run/app.sock,:host:7|a|b"}) {
    url = parse(both);
    ASSERT_EQ(url.addresses.size(), 2u) << both;
    EXPECT_EQ(url.addresses[1].text, "host:7");
    EXPECT_EQ(text(url.key), "a|b");
  }
}

TEST(Corbaname, TheUsualForms) {
  ObjectUrl url = parse("corbaname::host:2000#a/b.c");
  EXPECT_EQ(url.kind, UrlKind::corbaname);
  EXPECT_EQ(text(url.key), "NameService");
  EXPECT_EQ(url.name, "a/b.c");
  url = parse("corbaname:rir:#a%20b/c%5c.d");
  EXPECT_TRUE(url.initial_reference());
  EXPECT_EQ(url.name, "a b/c\\.d");
  url = parse("corbaname::host/Other/Context");
  EXPECT_EQ(text(url.key), "Other/Context");
  EXPECT_TRUE(url.name.empty());
}

TEST(ObjectUrl, WritesWhatItReads) {
  for (const char* url :
       {"corbaloc:iiop:1.2@host:2809/Key", "corbaloc:iiop:host/a%20b%25%7C%00", "corbaloc:iiop:[::1]:9",
        "corbaloc:uiop:1.2@/run/app.sock|Key", "corbaloc:rir:/NameService", "corbaloc:iiop:a,iiop:b:1/k",
        "corbaname:iiop:h/NameService#a/b.c%20d"}) {
    EXPECT_EQ(to_text(parse(url)), url);
  }
}

TEST(ObjectUrl, EveryKeyRoundTrips) {
  std::vector<std::uint8_t> key;
  for (int i = 0; i < 256; ++i) key.push_back(static_cast<std::uint8_t>(i));
  const Parsed<std::vector<std::uint8_t>> back = unescape_key(escape_key(key));
  ASSERT_TRUE(back);
  EXPECT_EQ(*back, key);
}

TEST(ObjectUrl, MakesReferences) {
  const Parsed<Ior> ior = to_reference(parse("corbaloc::1.2@one:1,uiop:1.1@/s|key"));
  ASSERT_TRUE(ior);
  ASSERT_EQ(ior->profiles.size(), 2u);
  EXPECT_EQ(ior->type_id, "");
  const Result<IiopProfile> first = parse_iiop_profile(ior->profiles[0].data);
  ASSERT_TRUE(first);
  EXPECT_EQ(first->address, (IiopAddress{"one", 1}));
  EXPECT_EQ(text(first->key), "key");
  const Result<UiopProfile> second = parse_uiop_profile(ior->profiles[1].data);
  ASSERT_TRUE(second);
  EXPECT_EQ(second->path, "/s");
  EXPECT_EQ(second->minor, 1);
  EXPECT_FALSE(to_reference(parse("corbaloc:rir:/X")));
  EXPECT_FALSE(to_reference(parse("corbaloc:other:y/X")));
}

struct Mistake {
  const char* url;
  std::size_t position;
  const char* hint;
};

TEST(ObjectUrl, MistakesAreExplainedWhereTheyAre) {
  const Mistake mistakes[] = {
      {"", 0, "empty"},
      {"  \n", 0, "empty"},
      {"http://x", 0, "unknown scheme"},
      {"  corba:x", 2, "unknown scheme"},
      {"IOR:", 4, "must follow"},
      {"IOR:0g", 5, "not a hexadecimal digit"},
      {"IOR:zz", 4, "not a hexadecimal digit"},
      {" IOR:000", 7, "odd number"},
      {"IOR:0000", 4, "cut off"},
      {"corbaloc:", 9, "protocol and a colon"},
      {"corbaloc:host/k", 9, "protocol and a colon"},
      {"corbaloc:host:2809/k", 99, ""},
      {"corbaloc:iiop:/k", 14, "host is missing"},
      {"corbaloc:iiop://host/k", 14, "host is missing"},
      {"corbaloc::1.2@/k", 14, "host is missing"},
      {"corbaloc:::2809/k", 10, "host is missing"},
      {"corbaloc::host:0/k", 15, "a port is"},
      {"corbaloc::host:65536/k", 15, "a port is"},
      {"corbaloc::host:28x/k", 15, "a port is"},
      {"corbaloc::fe80::1/k", 10, "brackets"},
      {"corbaloc::[fe80::1/k", 10, "no ']'"},
      {"corbaloc::[host]/k", 11, "brackets are for IPv6"},
      {"corbaloc::[::1]x/k", 15, "only ':'"},
      {"corbaloc::ho st/k", 12, "cannot stand"},
      {"corbaloc::2.0@host/k", 10, "versions 1.0 to 1.2"},
      {"corbaloc::1@host/k", 10, "version such as"},
      {"corbaloc::a,/k", 12, "protocol and a colon"},
      {"corbaloc::h/a b", 13, "%20"},
      {"corbaloc::h/a%2", 13, "two hexadecimal"},
      {"corbaloc::h/%zz", 12, "two hexadecimal"},
      {"corbaloc::h/k#n", 13, "corbaname"},
      {"corbaloc:rir:,:h/k", 13, "stands alone"},
      {"corbaloc::h,rir:/k", 16, "stands alone"},
      {"corbaloc:rir:x/k", 13, "no address"},
      {"corbaloc:uiop:|k", 14, "path of the socket"},
      {"corbaname::h#a//b", 15, "empty component"},
      {"corbaname::h#a%20%2", 17, "two hexadecimal"},
  };
  for (const Mistake& mistake : mistakes) {
    const Parsed<ObjectUrl> parsed = parse_object_url(mistake.url);
    // "host" is taken as the protocol here: the name of a plug-in looks like the name of a host.
    if (mistake.position == 99) {
      ASSERT_TRUE(parsed);
      EXPECT_FALSE(to_reference(*parsed));
      continue;
    }
    ASSERT_FALSE(parsed) << mistake.url;
    EXPECT_EQ(parsed.error().position, mistake.position) << mistake.url << ": " << parsed.error().text;
    EXPECT_NE(std::string_view(parsed.error().text).find(mistake.hint), std::string::npos)
        << mistake.url << ": " << parsed.error().text;
  }
}

TEST(NameString, RoundTrips) {
  const std::vector<NameComponent> name = {{"a", ""}, {"b", "c"}, {"", "d"}, {"", ""}, {"x/y", "p.q\\r"}};
  EXPECT_EQ(to_text(name), "a/b.c/.d/./x\\/y.p\\.q\\\\r");
  const Parsed<std::vector<NameComponent>> back = parse_name(to_text(name));
  ASSERT_TRUE(back);
  EXPECT_EQ(*back, name);
  EXPECT_TRUE(parse_name("")->empty());
}

TEST(NameString, RefusesWhatTheStandardRefuses) {
  struct Case {
    const char* text;
    std::size_t position;
  };
  for (const Case& item : {Case{"/a", 0}, Case{"a//b", 2}, Case{"a/", 2}, Case{"a.", 1}, Case{"a.b.c", 3},
                           Case{"a\\b", 1}, Case{"a\\", 1}}) {
    const Parsed<std::vector<NameComponent>> parsed = parse_name(item.text);
    ASSERT_FALSE(parsed) << item.text;
    EXPECT_EQ(parsed.error().position, item.position) << item.text;
  }
}

}  // namespace
}  // namespace tenon::ior
