// SPDX-License-Identifier: Apache-2.0
// TAG_CSI_SEC_MECH_LIST: octets by hand (tests/wire/csi.hex), round trips, and malformed ones, which count as missing.
#include "ior/security_mechanisms.hpp"

#include <gtest/gtest.h>

#include "tests/wire/hex_sections.hpp"

namespace tenon::ior {
namespace {

using Bytes = std::vector<std::uint8_t>;

const Bytes gssup_der = {0x06, 0x06, 0x67, 0x81, 0x02, 0x01, 0x01, 0x01};
const Bytes bank_name = {0x04, 0x01, 0x00, 0x08, 0x06, 0x06, 0x67, 0x81, 0x02, 0x01,
                         0x01, 0x01, 0x00, 0x00, 0x00, 0x04, 'b',  'a',  'n',  'k'};
const TlsTransport two_places{0x66, 0x06, {{"a.org", 2810}, {"b.org", 2811}}};

SecurityMechanisms by_hand() {
  SecurityMechanism one;
  one.requires_ = 0x46;
  one.transport = tls_transport_component(two_places);
  one.client_supports = one.client_requires = 0x40;
  one.client_mechanism = gssup_der;
  one.target_name = bank_name;
  one.attributes_support = identity_assertion;
  one.naming_mechanisms = {gssup_der};
  one.identity_types = 1 | 2 | 8;
  return {false, {one}};
}

const wire::HexSections& octets_by_hand() {
  static const wire::HexSections all = wire::read_hex_sections("../../tests/wire/csi.hex");
  return all;
}

TEST(SecurityMechanisms, AreTheseOctets) {
  for (const char* const section : {"mechanisms", "mechanisms_little"}) {
    const auto read = read_security_mechanisms(octets_by_hand().at(section));
    ASSERT_TRUE(read) << section;
    ASSERT_EQ(read->list.size(), 1u);
    EXPECT_EQ(read->list[0].transport.tag, tag_tls_sec_trans);
    EXPECT_EQ(read_tls_transport(read->list[0].transport.data), two_places) << section;
    SecurityMechanisms rest = *read;
    rest.list[0].transport = by_hand().list[0].transport;  // it has an order of octets of its own
    EXPECT_EQ(rest, by_hand()) << section;
  }
  const TaggedComponent made = security_mechanisms_component(by_hand());
  EXPECT_EQ(made.tag, 33u);
  EXPECT_EQ(made.data,
            octets_by_hand().at(native_order == ByteOrder::little ? "mechanisms_little" : "mechanisms"));
}

TEST(SecurityMechanisms, AllMembersComeBack) {
  SecurityMechanisms all = by_hand();
  all.stateful = true;
  all.list[0].authorities = {{0x4f4d0000, {1, 2}}, {7, {}}};
  all.list[0].attributes_require = delegation_by_client;
  all.list[0].naming_mechanisms.push_back({6, 1, 9});
  all.list.emplace_back();
  EXPECT_EQ(read_security_mechanisms(security_mechanisms_component(all).data), all);
}

TEST(SecurityMechanisms, MalformedIsNone) {
  EXPECT_FALSE(find_security_mechanisms({}));
  const Bytes csi_octets = octets_by_hand().at("mechanisms");
  for (std::size_t size = 0; size < csi_octets.size(); ++size)
    EXPECT_FALSE(read_security_mechanisms({csi_octets.data(), size})) << size;
  SecurityMechanisms many;
  many.list.resize(SecurityMechanisms::most);
  EXPECT_TRUE(read_security_mechanisms(security_mechanisms_component(many).data));
  many.list.resize(SecurityMechanisms::most + 1);
  EXPECT_FALSE(read_security_mechanisms(security_mechanisms_component(many).data));
  many.list.resize(1);
  many.list[0].naming_mechanisms.resize(SecurityMechanism::most_entries + 1);
  EXPECT_FALSE(read_security_mechanisms(security_mechanisms_component(many).data));
  TlsTransport far = two_places;
  far.addresses[0].host.assign(256, 'h');
  EXPECT_FALSE(read_tls_transport(tls_transport_component(far).data));
  far.addresses.assign(TlsTransport::most_addresses + 1, {"h", 1});
  EXPECT_FALSE(read_tls_transport(tls_transport_component(far).data));
}

TEST(SecurityMechanisms, TakeTheirPlace) {
  std::vector<TaggedComponent> components{{1, {}}, {33, {1}}, {20, {2}}, {33, {3}}};
  replace_security_mechanisms(components, by_hand());
  ASSERT_EQ(components.size(), 3u);
  EXPECT_EQ(find_security_mechanisms(components), by_hand());
  EXPECT_EQ(components[2].tag, 20u);
  std::vector<TaggedComponent> none;
  replace_security_mechanisms(none, by_hand());
  EXPECT_EQ(find_security_mechanisms(none), by_hand());
}

}  // namespace
}  // namespace tenon::ior
