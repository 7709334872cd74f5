// SPDX-License-Identifier: Apache-2.0
// References: golden bytes, round trips that keep what is not understood, IORs of other ORBs, equivalence, hostile input.
#include "ior/ior.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <memory>

#include "base/absent_test_support.hpp"
#include "base/minor_codes.hpp"
#include "cdr/reader.hpp"
#include "cdr/writer.hpp"
#include "ior/components.hpp"
#include "ior/iiop_profile.hpp"
#include "ior/object_url.hpp"
#include "ior/uiop_profile.hpp"

namespace tenon::ior {
namespace {

using Bytes = std::vector<std::uint8_t>;

Bytes bytes(std::string_view text) { return {text.begin(), text.end()}; }

std::string peer_text(const std::string& name) {
  std::ifstream file("../../tests/wire/ior_peers.txt");
  for (std::string word; file >> word;) {
    if (word[0] == '#') std::getline(file, word);
    if (word != name) continue;
    file >> word;
    return word;
  }
  ADD_FAILURE() << "no reference named " << name;
  return {};
}

Ior peer(const std::string& name) {
  Parsed<Ior> ior = parse_ior_text(peer_text(name));
  EXPECT_TRUE(ior);
  return ior ? *ior : Ior{};
}

IiopProfile sample_profile(std::uint8_t minor = 2) {
  IiopProfile profile;
  profile.minor = minor;
  profile.address = {"linecard.example", 2809};
  profile.key = bytes("key0");
  return profile;
}

Ior sample() { return {"IDL:Test/Echo:1.0", {make_iiop_profile(sample_profile())}}; }

TEST(Ior, IsTheBytesOfTheStandard) {
  cdr::WireFormat big;
  big.order = ByteOrder::big;
  cdr::Writer writer(big);
  write_ior(writer, {"IDL:X:1.0", {{5, {1, 2, 3}}, {6, {}}}});
  const Bytes expected = {
      0, 0, 0, 10, 'I', 'D', 'L', ':', 'X', ':', '1', '.', '0', 0, 0, 0,  // type id; padding
      0, 0, 0, 2,                                                         // two profiles
      0, 0, 0, 5,  0,   0,   0,   3,   1,   2,   3,   0,                  // tag 5, three octets; padding
      0, 0, 0, 6,  0,   0,   0,   0,                                      // tag 6, none
  };
  EXPECT_EQ(writer.copy(), expected);
  cdr::Reader reader(expected, big);
  Ior ior;
  read_ior(reader, ior);
  EXPECT_TRUE(reader.good());
  EXPECT_EQ(ior, (Ior{"IDL:X:1.0", {{5, {1, 2, 3}}, {6, {}}}}));
}

TEST(Ior, NilInBothSpellings) {
  cdr::WireFormat big;
  big.order = ByteOrder::big;
  Ior ior = sample();
  const Bytes usual = {0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0};
  cdr::Reader reader(usual, big);
  read_ior(reader, ior);
  EXPECT_TRUE(reader.good());
  EXPECT_TRUE(ior.nil());
  ior = sample();
  const Bytes without_nul(8);  // type id of length 0
  cdr::Reader other(without_nul, big);
  read_ior(other, ior);
  EXPECT_TRUE(other.good());
  EXPECT_TRUE(ior.nil());
  cdr::Writer writer(big);
  write_ior(writer, {});
  EXPECT_EQ(writer.copy(), usual);
}

TEST(Ior, EveryTruncationAndHugeLengthsAreErrors) {
  const Bytes whole = encapsulate(sample());
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const Bytes cut(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
    EXPECT_FALSE(from_encapsulation(cut)) << size;
  }
  // The lengths: of the type id, of the list of profiles, of the first profile.
  for (const std::size_t at : {4u, 28u, 36u}) {
    Bytes changed = whole;
    for (std::size_t i = 0; i < 4; ++i) changed[at + i] = 0xFF;
    EXPECT_FALSE(from_encapsulation(changed)) << at;
  }
}

TEST(Ior, KeepsOtherOrbsReferencesBitForBit) {
  for (const char* name : {"genior", "omninames"}) {
    const std::string text = to_ior_text(peer(name));
    // The references are little-endian; the octets around their profiles have the writer's byte order.
    if (native_order == ByteOrder::little) {
      EXPECT_EQ(text, peer_text(name));
    }
    const Parsed<Ior> again = parse_ior_text(text);
    ASSERT_TRUE(again);
    EXPECT_EQ(*again, peer(name));
  }
}

TEST(Ior, UnderstandsTheReferencesOfOmniOrb) {
  const Ior ior = peer("genior");
  EXPECT_EQ(ior.type_id, "IDL:Test/Echo:1.0");
  ASSERT_EQ(ior.profiles.size(), 1u);
  const Result<IiopProfile> profile = parse_iiop_profile(ior.profiles[0].data);
  ASSERT_TRUE(profile);
  EXPECT_EQ(profile->minor, 2);
  EXPECT_EQ(to_text(profile->address), "linecard.example:2809");
  EXPECT_EQ(profile->key, bytes("key0"));
  EXPECT_EQ(read_orb_type(profile->components), 0x41545400u);
  const auto sets = read_code_sets(profile->components);
  ASSERT_TRUE(sets);
  EXPECT_EQ(sets->char_data.native, cdr::CodeSet::iso8859_1);
  EXPECT_EQ(sets->char_data.conversion, std::vector<cdr::CodeSet>{cdr::CodeSet::utf8});
  EXPECT_EQ(sets->wchar_data.native, cdr::CodeSet::utf16);
  const TaggedProfile made = make_iiop_profile(*profile);
  if (native_order == ByteOrder::little) {
    EXPECT_EQ(made, ior.profiles[0]);
  }
  const Result<IiopProfile> again = parse_iiop_profile(made.data);
  ASSERT_TRUE(again);
  EXPECT_EQ(*again, *profile);

  const Result<IiopProfile> names = parse_iiop_profile(peer("omninames").profiles[0].data);
  ASSERT_TRUE(names);
  EXPECT_EQ(names->key, bytes("NameService"));
  EXPECT_EQ(to_text(names->address), "127.0.0.1:28411");
  EXPECT_EQ(names->components.size(), 4u);
}

bool catior_is_installed() { return std::system("command -v catior >/dev/null 2>&1") == 0; }

/// What omniORB's catior says about a reference.
std::string catior(const Ior& ior) {
  const std::string command = "catior " + to_ior_text(ior) + " 2>&1";
  std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  std::string output;
  for (int letter = std::fgetc(pipe.get()); letter != EOF; letter = std::fgetc(pipe.get())) {
    output += static_cast<char>(letter);
  }
  return output;
}

TEST(Ior, CatiorUnderstandsOurs) {
  if (!catior_is_installed()) TENON_ABSENT("catior is not installed (Debian: omniorb)");
  Ior ior = sample();
  IiopProfile profile = sample_profile();
  profile.components = {
      orb_type_component(),
      code_sets_component(cdr::announced_code_sets({cdr::CodeSet::utf8, cdr::CodeSet::utf16})),
      alternate_address_component({"::1", 1234}),
      operation_numbers_component({'a', 'b', 'c', 'd'}, std::vector<InterfaceNumbers>{{1, 0}})};
  ior.profiles = {make_iiop_profile(profile), make_uiop_profile({2, "/run/app.sock", bytes("key0"), {}})};
  const std::string output = catior(ior);
  for (const char* part :
       {"\"IDL:Test/Echo:1.0\"", "IIOP 1.2 linecard.example 2809 \"key0\"", "TNON",
        "char native code set:       UTF-8", "wchar native code set:      UTF-16", "::1"}) {
    EXPECT_NE(output.find(part), std::string::npos) << part << " is not in\n" << output;
  }
}

TEST(Ior, Equivalence) {
  const Ior ior = sample();
  EXPECT_TRUE(equivalent(ior, ior));
  EXPECT_TRUE(equivalent({}, {}));
  EXPECT_FALSE(equivalent(ior, {}));
  IiopProfile other = sample_profile(1);
  other.address.host = "LineCard.Example";
  other.components = {orb_type_component()};
  const Ior same{"IDL:Other:1.0", {{99, {1}}, make_iiop_profile(other)}};
  EXPECT_TRUE(equivalent(ior, same));
  EXPECT_EQ(hash(ior), hash(same));
  other.key = bytes("key1");
  EXPECT_FALSE(equivalent(ior, {"", {make_iiop_profile(other)}}));
  EXPECT_NE(hash(ior), hash({"", {make_iiop_profile(other)}}));
  const Ior local{"", {make_uiop_profile({2, "/s", bytes("k"), {}})}};
  EXPECT_TRUE(equivalent(local, local));
  EXPECT_FALSE(equivalent(local, {"", {make_uiop_profile({2, "/t", bytes("k"), {}})}}));
  EXPECT_NE(hash(local), hash({}));
}

TEST(Iiop, RoundTripsEveryVersion) {
  for (std::uint8_t minor = 0; minor <= 3; ++minor) {
    IiopProfile profile = sample_profile(minor);
    if (minor >= 1) profile.components = {{7, {1, 2, 3}}, {tag_orb_type, {}}};
    const TaggedProfile made = make_iiop_profile(profile);
    const Result<IiopProfile> read = parse_iiop_profile(made.data);
    ASSERT_TRUE(read);
    EXPECT_EQ(*read, profile);
    for (std::size_t size = 0; size < made.data.size(); ++size) {
      EXPECT_FALSE(parse_iiop_profile(ByteView(made.data).first(size))) << size;
    }
    Bytes longer = made.data;
    longer.push_back(1);
    EXPECT_TRUE(parse_iiop_profile(longer));
    longer[1] = 2;  // major version
    EXPECT_FALSE(parse_iiop_profile(longer));
  }
}

TEST(Iiop, ReadsBothByteOrders) {
  const Bytes big = {0, 1, 0, 0, 0, 0, 0, 2, 'h', 0, 0x0a, 0xf9, 0, 0, 0, 1, 'k'};
  const Bytes little = {1, 1, 0, 0, 2, 0, 0, 0, 'h', 0, 0xf9, 0x0a, 1, 0, 0, 0, 'k'};
  for (const Bytes& data : {big, little}) {
    const Result<IiopProfile> profile = parse_iiop_profile(data);
    ASSERT_TRUE(profile);
    EXPECT_EQ(profile->address, (IiopAddress{"h", 2809}));
    EXPECT_EQ(profile->key, bytes("k"));
    EXPECT_EQ(profile->minor, 0);
  }
}

TEST(Iiop, NeverPublishesAWildcardAddress) {
  for (const char* host :
       {"", "0.0.0.0", "0", "0.0", "::", "[::]", "0:0:0:0:0:0:0:0", "::0", "::ffff:0.0.0.0", "*"}) {
    EXPECT_FALSE(publishable(host)) << host;
  }
  for (const char* host :
       {"127.0.0.1", "10.0.0.0", "::1", "[::1]", "localhost", "::ffff:10.0.0.1", "fe80::1%eth0"}) {
    EXPECT_TRUE(publishable(host)) << host;
  }
}

TEST(Components, AlternateAddressesAndMultipleComponents) {
  const std::vector<TaggedComponent> components = {alternate_address_component({"a.example", 1}),
                                                   {77, {1}},
                                                   {tag_alternate_iiop_address, {0}},
                                                   alternate_address_component({"::1", 65535})};
  EXPECT_EQ(alternate_addresses(components), (std::vector<IiopAddress>{{"a.example", 1}, {"::1", 65535}}));
  const TaggedProfile profile = make_multiple_components(components);
  EXPECT_EQ(profile.tag, tag_multiple_components);
  const auto read = parse_multiple_components(profile.data);
  ASSERT_TRUE(read);
  EXPECT_EQ(*read, components);
  EXPECT_FALSE(parse_multiple_components(ByteView(profile.data).first(9)));
  EXPECT_FALSE(read_orb_type(components));
  EXPECT_FALSE(read_code_sets({{tag_code_sets, {0, 1, 2}}}));
}

TEST(Uiop, RoundTrips) {
  for (std::uint8_t minor = 0; minor <= 2; ++minor) {
    UiopProfile profile{minor, "/run/app.sock", bytes("key"), {}};
    if (minor >= 1) profile.components = {orb_type_component()};
    const TaggedProfile made = make_uiop_profile(profile);
    EXPECT_EQ(made.tag, 0x54414f00u);
    const Result<UiopProfile> read = parse_uiop_profile(made.data);
    ASSERT_TRUE(read);
    EXPECT_EQ(*read, profile);
    for (std::size_t size = 0; size < made.data.size(); ++size) {
      EXPECT_FALSE(parse_uiop_profile(ByteView(made.data).first(size)));
    }
  }
}

}  // namespace
}  // namespace tenon::ior
