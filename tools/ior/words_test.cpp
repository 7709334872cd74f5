// SPDX-License-Identifier: Apache-2.0
//
// References of other ORBs (tests/wire/ior_peers.txt) and made ones, in words.
#include "tools/ior/words.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "base/hex.hpp"
#include "cdr/writer.hpp"
#include "ior/components.hpp"
#include "ior/iiop_profile.hpp"
#include "tools/ior/places.hpp"
#include "tools/ior/security_words.hpp"

namespace tenon::explain {
namespace {

ior::Ior peer(const std::string& wanted) {
  std::ifstream file("../../tests/wire/ior_peers.txt");
  std::string name;
  std::string text;
  ior::Ior reference;
  std::string why = "no such line";
  while (file >> name) {
    if (name.front() == '#') {
      std::getline(file, text);
      continue;
    }
    file >> text;
    if (name == wanted && read_reference(text, reference, why)) return reference;
  }
  ADD_FAILURE() << wanted << ": " << why;
  return reference;
}

ior::Ior read(const std::string& text) {
  ior::Ior reference;
  std::string why;
  EXPECT_TRUE(read_reference(text, reference, why)) << why;
  return reference;
}

TEST(ReferenceInWords, OfOmniOrb) {
  EXPECT_EQ(in_words(peer("omninames")),
            "type: IDL:omg.org/CosNaming/NamingContextExt:1.0\n"
            "profile 1: IIOP 1.2\n"
            "  address: 127.0.0.1:28411\n"
            "  object key: 11 octets, 'NameService'\n"
            "  component 0x00000000 ORB_TYPE: omniORB\n"
            "  component 0x00000001 CODE_SETS: char ISO 8859-1 (also UTF-8); wchar UTF-16 (also UTF-16)\n"
            "  component 0x41545402 UNIX_TRANS (of omniORB): Unix-domain socket /tmp/giop_on/s on host vm, "
            "for clients of "
            "omniORB and Tenon there\n"
            "  component 0x41545403 PERSISTENT_ID (of omniORB): 8 octets, a214026b01000c52\n");
}

TEST(ReferenceInWords, OfACorbaloc) {
  EXPECT_EQ(in_words(read("corbaloc::1.1@[::1]:5,:host,uiop:/run/a%20b|k%00")),
            "type: not stated\n"
            "profile 1: IIOP 1.1\n"
            "  address: [::1]:5\n"
            "  object key: 2 octets, 6b00\n"
            "profile 2: IIOP 1.0\n"
            "  address: host:2809\n"
            "  object key: 2 octets, 6b00\n"
            "profile 3: UIOP (Unix-domain socket, as TAO has it) 1.0\n"
            "  path: /run/a b\n"
            "  object key: 2 octets, 6b00\n");
}

TEST(ReferenceInWords, OfSharedMemory) {
  ior::Ior reference;
  reference.type_id = "IDL:Far:1.0";
  reference.profiles = {{0x544E0002,
                         {0,                                                                  // big endian
                          1,    2,                                                            // version 1.2
                          0,                                                                  // padding
                          0,    0,    0,    5,   'h', 'e', 'r', 'e', 0,                       // place
                          0,    0,    0,                                                      // padding
                          0,    0,    0,    5,   '@', 'a', 'p', 'p', 0,                       // address
                          0,    0,    0,                                                      // padding
                          0,    0,    0,    2,   'k', 0,                                      // object key
                          0,    0,                                                            // padding
                          0,    0,    0,    1,   0,   0,   0,   0,   0, 0, 0, 8, 0, 0, 0, 0,  // ORB_TYPE
                          0x54, 0x4E, 0x4F, 0x00}},                                           // of nobody's
                        {0x544E0002, {0, 1, 2, 0, 0, 0, 0, 9}}};
  const std::string said = in_words(reference);
  EXPECT_TRUE(
      said.starts_with("type: IDL:Far:1.0\n"
                       "profile 1: SHMIOP (shared memory, as Tenon has it) 1.2\n"
                       "  address: @app\n"
                       "  place: here (processes elsewhere pass over this profile)\n"
                       "  object key: 2 octets, 6b00\n"
                       "  component 0x00000000 ORB_TYPE: "))
      << said;
  EXPECT_TRUE(
      said.ends_with("profile 2: SHMIOP (shared memory, as Tenon has it)\n"
                     "  malformed: 8 octets, 0001020000000009\n"))
      << said;
}

TEST(ReferenceInWords, OfACorbalocOfNamedEndpoints) {
  const std::string said = in_words(read("corbaloc:shmiop:1.2@app,inproc:1.2@app/k"));
  EXPECT_NE(said.find("profile 1: SHMIOP (shared memory, as Tenon has it) 1.2\n  address: @app\n"),
            std::string::npos)
      << said;
  EXPECT_NE(said.find("profile 2: INPROC (inside one process, as Tenon has it) 1.2\n  address: app\n"),
            std::string::npos)
      << said;
}

TEST(ReferenceInWords, Nil) { EXPECT_EQ(in_words(ior::Ior()), "nil: a reference to no object\n"); }

TEST(ReferenceInWords, WhatNobodyUnderstandsIsShownAllTheSame) {
  ior::Ior reference;
  reference.type_id = "IDL:\x1b[31m:1.0";
  reference.profiles = {{0, {1, 2}}, {0x12345678, {0xde, 0xad}}, {1, {}}};
  EXPECT_EQ(in_words(reference),
            "type: IDL:\\x1b[31m:1.0\n"
            "profile 1: IIOP\n"
            "  malformed: 2 octets, 0102\n"
            "profile 2: of tag 0x12345678\n"
            "  2 octets, dead\n"
            "profile 3: MULTIPLE_COMPONENTS\n"
            "  malformed: 0 octets\n");
}

/// An encapsulation in big endian.
ior::TaggedComponent component(std::uint32_t tag, std::vector<std::uint8_t> data) {
  data.insert(data.begin(), 0);
  return {tag, std::move(data)};
}

TEST(ComponentInWords, EachKind) {
  EXPECT_EQ(in_words(ior::orb_type_component()), "component 0x00000000 ORB_TYPE: Tenon");
  EXPECT_EQ(in_words(ior::alternate_address_component({"gw", 4000})),
            "component 0x00000003 ALTERNATE_IIOP_ADDRESS: gw:4000");
  // CORBA security SSLIOP::SSL: target_supports, target_requires, port.
  EXPECT_EQ(
      in_words(component(20, {0, 0x00, 0x66, 0x00, 0x06, 0x0b, 0x05})),
      "component 0x00000014 SSL_SEC_TRANS: TLS at port 2821, supports 0x0066 (integrity, confidentiality, "
      "the server's certificate, the client's certificate), requires 0x0006 (integrity, confidentiality)");
  // The same as VisiBroker has it: the options are ulongs.
  EXPECT_EQ(
      in_words(component(20, {0, 0, 0, 0, 0, 0, 0x66, 0, 0, 0, 0x06, 0x0b, 0x05})),
      "component 0x00000014 SSL_SEC_TRANS: TLS at port 2821, supports 0x0066 (integrity, confidentiality, "
      "the server's certificate, the client's certificate), requires 0x0006 (integrity, confidentiality)");
  // Messaging::PolicyValueSeq of two: types 40 and 35, one octet and none of data.
  EXPECT_EQ(in_words(component(
                2, {0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 40, 0, 0, 0, 1, 9, 0, 0, 0, 0, 0, 0, 35, 0, 0, 0, 0})),
            "component 0x00000002 POLICIES: policy types 40 35");
  EXPECT_EQ(in_words(ior::operation_numbers_component(
                {'x', '7', 'Q', 'z'}, std::vector<ior::InterfaceNumbers>{{0xab, 12}, {1, 0}})),
            "component 0x" + hex_number(ior::tag_operation_numbers, 8) +
                " OPERATION_NUMBERS (of Tenon): checked by \"x7Qz\", from 12 those of interface "
                "0x00000000000000ab, "
                "from 0 those of interface 0x0000000000000001");
  EXPECT_EQ(in_words(component(33, {1})), "component 0x00000021 CSI_SEC_MECH_LIST: 2 octets, 0001");
  EXPECT_EQ(in_words(component(0x77, {})), "component 0x00000077: 1 octet, 00");
}

TEST(ComponentInWords, Malformed) {
  EXPECT_EQ(in_words(ior::TaggedComponent{0, {7}}), "component 0x00000000 ORB_TYPE: 1 octet, 07");
  EXPECT_EQ(in_words(component(20, {0, 1})), "component 0x00000014 SSL_SEC_TRANS: 3 octets, 000001");
  EXPECT_EQ(in_words(component(2, {0, 0, 0, 0xff, 0xff, 0xff, 0xff})),
            "component 0x00000002 POLICIES: 8 octets, 00000000ffffffff");
  EXPECT_EQ(in_words(ior::TaggedComponent{1, {}}), "component 0x00000001 CODE_SETS: 0 octets");
}

/// A profile without a port.
ior::Ior without_port(std::vector<ior::TaggedComponent> components) {
  ior::IiopProfile profile{
      .minor = 2, .address = {"vm", 0}, .key = {'k'}, .components = std::move(components)};
  ior::Ior reference;
  reference.profiles = {ior::make_iiop_profile(profile)};
  return reference;
}

ior::TaggedComponent unix_trans() {
  cdr::Writer out;
  out.put(std::uint8_t{native_order == ByteOrder::little});
  out.put_raw_string("vm");
  out.put_raw_string("/tmp/giop_on/s");
  const ByteView bytes = out.bytes();
  return {0x41545402, {bytes.begin(), bytes.end()}};
}

TEST(ReferenceInWords, PortsThatAreNone) {
  const ior::TaggedComponent tls = component(20, {0, 0x00, 0x66, 0x00, 0x06, 0x0b, 0x05});
  const auto address = [](const ior::Ior& reference) {
    const std::string words = in_words(reference);
    const std::size_t at = words.find("address: ");
    return words.substr(at, words.find('\n', at) - at);
  };
  EXPECT_EQ(address(without_port({tls})), "address: vm:0 (port 0: nothing but TLS)");
  EXPECT_EQ(
      address(without_port({unix_trans()})),
      "address: vm:0 (port 0: no TCP, only the Unix-domain socket of omniORB, see component UNIX_TRANS)");
  EXPECT_EQ(address(without_port({unix_trans(), tls})),
            "address: vm:0 (port 0: no plain TCP, but TLS and the Unix-domain socket of omniORB, see the "
            "components)");
  EXPECT_EQ(address(without_port({})), "address: vm:0 (port 0: nobody can connect to it)");
}

TEST(ReferenceInWords, KeysThatCanBeReadInPart) {
  const auto key = [](std::string_view octets) {
    ior::IiopProfile profile{
        .minor = 2, .address = {"vm", 1}, .key = {octets.begin(), octets.end()}, .components = {}};
    ior::Ior reference;
    reference.profiles = {ior::make_iiop_profile(profile)};
    const std::string words = in_words(reference);
    const std::size_t at = words.find("object key: ") + 12;
    return words.substr(at, words.find('\n', at) - at);
  };
  EXPECT_EQ(key("NameService"), "11 octets, 'NameService'");
  EXPECT_EQ(key({"\x01RootPOA\0\xff", 10}),
            "10 octets, 01526f6f74504f4100ff, in which '.RootPOA..' can be read");
  EXPECT_EQ(key({"\x01\x02oa\0", 5}), "5 octets, 01026f6100");
  EXPECT_TRUE(key(std::string(100, 'x')).ends_with(", in which '" + std::string(100, 'x') + "' can be read"));
}

TEST(NameInWords, OfACorbaname) {
  EXPECT_EQ(name_in_words("corbaname::host:2809#test.dir/my%20printer"),
            "name: 'test.dir/my printer', which clients look up in the naming context below (resolve)\n"
            "  context: id 'test', kind 'dir'\n"
            "  object: id 'my printer'\n");
  EXPECT_EQ(name_in_words("corbaname::host"), "name: none, so the naming context itself\n");
  EXPECT_EQ(name_in_words("corbaloc::host/key"), "");
}

/// Of one mechanism (CORBA 3.4 part 2 §10.5.1): TLS at two addresses, with a name and password, and asserted identities.
ior::TaggedComponent mechanisms() {
  const std::vector<std::uint8_t> tls = {0,   0,                         // big endian
                                         0,   0x66, 0,    0x06, 0,   0,  // supports, requires
                                         0,   0,    0,    2,             // addresses
                                         0,   0,    0,    2,    'a', 0, 0x0b, 0x05, 0, 0, 0, 2,  // a:2821
                                         'b', 0,    0x0b, 0x06};                                 // b:2822
  std::vector<std::uint8_t> data = {0, 0,    0,     // not stateful
                                    0, 0,    0, 1,  // one mechanism
                                    0, 0x46, 0, 0,  // requires
                                    0, 0,    0, 36, 0, 0, 0, static_cast<std::uint8_t>(tls.size())};
  data.insert(data.end(), tls.begin(), tls.end());
  const std::vector<std::uint8_t> rest = {
      0, 0x40, 0, 0x40, 0, 0, 0, 0, 0, 0, 0, 0,  // client: supports, requires, mechanism, target
      4, 0,    0, 0,    0, 0, 0, 0, 0, 0, 0, 0,
      0, 0,    0, 0x0f,  // attributes: supports, requires, none, none, types
  };
  data.insert(data.end(), rest.begin(), rest.end());
  return component(33, std::move(data));
}

TEST(ComponentInWords, MechanismsOfCsi) {
  EXPECT_EQ(
      in_words(mechanisms()),
      "component 0x00000021 CSI_SEC_MECH_LIST: TLS at a:2821 and b:2822, supports 0x0066 (integrity, "
      "confidentiality, the server's certificate, the client's certificate), requires 0x0006 (integrity, "
      "confidentiality); a name and password (CSI authentication) are required; an identity may be asserted "
      "(anonymous, a user's name, certificates, a distinguished name)");
  ior::TaggedComponent cut = mechanisms();
  cut.data.resize(cut.data.size() - 1);
  EXPECT_TRUE(in_words(cut).starts_with("component 0x00000021 CSI_SEC_MECH_LIST: 75 octets, 0"))
      << in_words(cut);
}

TEST(ComponentInWords, MechanismsOfCsiForADomain) {
  std::vector<std::uint8_t> data = {
      0,   0,   0,   0,   0, 0,    1,         // not stateful, one mechanism
      0,   6,   0,   0,   0, 0,    0,    34,  // requires integrity and confidentiality; no transport
      0,   0,   0,   0,   0, 0x40, 0,    0,   // supports trust in the client
      0,   0,   0,   8,   6, 6,    0x67, 0x81, 2, 1, 1,    1,  // GSSUP
      0,   0,   0,   20,  4, 1,    0,    8,    6, 6, 0x67, 0x81, 2, 1, 1, 1, 0, 0, 0, 4,
      'b', 'a', 'n', 'k', 0, 0,    0,    0,    0, 0, 0,    0,    0, 0, 0, 0, 0, 0, 0, 0,
  };
  EXPECT_EQ(in_words(component(33, data)),
            "component 0x00000021 CSI_SEC_MECH_LIST: no transport of its own, not in the clear; a name and "
            "password (CSI authentication) for 'bank' may be given");
  data[32] = 0x2a;  // another mechanism; and a name that is cut
  data[42] = 0xff;
  EXPECT_EQ(in_words(component(33, data)),
            "component 0x00000021 CSI_SEC_MECH_LIST: no transport of its own, not in the clear; a name and "
            "password (CSI authentication) by mechanism 06066781022a0101 may be given");
}

TEST(ComponentInWords, ClientsThatMustShowACertificate) {
  EXPECT_EQ(
      in_words(component(20, {0, 0x00, 0x7e, 0x00, 0x5e, 0x0b, 0x05})),
      "component 0x00000014 SSL_SEC_TRANS: TLS at port 2821, supports 0x007e (integrity, confidentiality, no "
      "replays, order, the server's certificate, the client's certificate), requires 0x005e (integrity, "
      "confidentiality, no replays, order, the client's certificate); a client must show a certificate");
}

TEST(TlsPlaces, OfBothComponentsEachOnce) {
  const ior::TaggedComponent tls = component(20, {0, 0x00, 0x66, 0x00, 0x06, 0x0b, 0x05});
  std::vector<std::string> found;
  for (const TlsPlace& each :
       tls_places(without_port({tls, ior::alternate_address_component({"gw", 4000}), mechanisms(), tls})))
    found.push_back(each.host.text());
  EXPECT_EQ(found, (std::vector<std::string>{"vm:2821", "gw:2821", "a:2821", "b:2822"}));
  EXPECT_TRUE(tls_places(without_port({})).empty());
  EXPECT_TRUE(tls_places(without_port({component(20, {0, 1})})).empty());
}

TEST(ReadReference, OfCorbalocsOfTls) {
  ior::Ior reference;
  std::string why;
  ASSERT_TRUE(read_reference("corbaloc:ssliop:[::1]:2821,iiop:1.1@host:99/k", reference, why)) << why;
  const std::string said = in_words(reference);
  EXPECT_TRUE(said.starts_with(
      "type: not stated\nprofile 1: IIOP 1.2\n  address: [::1]:0 (port 0: nothing but TLS)\n"
      "  object key: 1 octet, 'k'\n  component 0x00000014 SSL_SEC_TRANS: TLS at port 2821, "))
      << said;
  EXPECT_NE(said.find("profile 2: IIOP 1.1\n  address: host:99\n"), std::string::npos) << said;
  const auto found = tls_places(reference);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].host.text(), "[::1]:2821");
  EXPECT_FALSE(read_reference("corbaloc:ssliop:host:99999/k", reference, why));
  EXPECT_NE(why.find("host:99999"), std::string::npos) << why;
}

TEST(ReadReference, ErrorsSayWhatIsWrong) {
  ior::Ior reference;
  for (const char* text : {"", "IOR:zz", "corbaloc:rir:/NameService", "corbaloc::host:99999/k", "http://x"}) {
    std::string why;
    EXPECT_FALSE(read_reference(text, reference, why)) << text;
    EXPECT_FALSE(why.empty()) << text;
  }
}

}  // namespace
}  // namespace tenon::explain
