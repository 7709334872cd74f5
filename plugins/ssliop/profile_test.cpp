// SPDX-License-Identifier: Apache-2.0
//
// Profiles and URLs of ssliop.
#include "plugins/ssliop/profile.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "ior/iiop_profile.hpp"
#include "ior/security_mechanisms.hpp"
#include "plugins/ssliop/ssliop.hpp"
#include "protocol/transport.hpp"

namespace tenon::ssliop {
namespace {

const std::vector<std::uint8_t> key = {'k'};

ior::TaggedProfile own_profile(const std::vector<std::string>& addresses) {
  protocol::ProfileView view{2, key, {}, {}};
  for (const std::string& each : addresses) view.addresses.push_back({each});
  return make_profile(view);
}

std::vector<std::string> texts(const protocol::ProfileView& view) {
  std::vector<std::string> all;
  for (const auto& each : view.addresses) all.push_back(each.text);
  return all;
}

TEST(SsliopProfiles, TlsAloneHasPortZero) {
  ior::Ior made{"", {own_profile({"192.0.2.1:2810", "[2001:db8::1]:2810", "gw.test:4000"})}};
  place_profile(made, integrity, integrity);
  ASSERT_EQ(made.profiles.size(), 2U);
  const auto first = ior::parse_iiop_profile(made.profiles[0].data);
  ASSERT_TRUE(first);
  EXPECT_EQ(first->address, (ior::IiopAddress{"192.0.2.1", 0}));
  EXPECT_EQ(ior::alternate_addresses(first->components), (std::vector<ior::IiopAddress>{{"2001:db8::1", 0}}));
  EXPECT_EQ(read_sec_trans(first->components)->port, 2810);
  const auto second = ior::parse_iiop_profile(made.profiles[1].data);
  ASSERT_TRUE(second);
  EXPECT_EQ(second->address, (ior::IiopAddress{"gw.test", 0}));
  EXPECT_EQ(read_sec_trans(second->components)->port, 4000);
  EXPECT_EQ(read_sec_trans(second->components)->requires_, integrity);
}

TEST(SsliopProfiles, BothDoorsAreInOneProfile) {
  ior::Ior made{"",
                {ior::make_iiop_profile({2, {"192.0.2.1", 2809}, key, {}}), own_profile({"192.0.2.1:2810"})}};
  place_profile(made, integrity, integrity);
  ASSERT_EQ(made.profiles.size(), 1U);
  const auto both = ior::parse_iiop_profile(made.profiles[0].data);
  ASSERT_TRUE(both);
  EXPECT_EQ(both->address, (ior::IiopAddress{"192.0.2.1", 2809}));
  const auto what = read_sec_trans(both->components);
  ASSERT_TRUE(what);
  EXPECT_EQ(what->port, 2810);
  EXPECT_EQ(what->supports, integrity | no_protection);
  EXPECT_EQ(what->requires_, no_protection);
}

TEST(SsliopProfiles, OtherHostsAreAnotherProfile) {
  ior::Ior made{"",
                {ior::make_iiop_profile({2, {"192.0.2.1", 2809}, key, {}}), own_profile({"192.0.2.7:2810"})}};
  place_profile(made, integrity, integrity);
  ASSERT_EQ(made.profiles.size(), 2U);
  EXPECT_EQ(ior::parse_iiop_profile(made.profiles[0].data)->address.port, 2809);
  EXPECT_EQ(ior::parse_iiop_profile(made.profiles[1].data)->address, (ior::IiopAddress{"192.0.2.7", 0}));
}

// Octets by hand: big-endian, supports 0x0066, requires 0x0006, port 2821.
TEST(SsliopProfiles, TheComponentOfAnotherOrbIsRead) {
  const ior::TaggedComponent component{20, {0, 0, 0x00, 0x66, 0x00, 0x06, 0x0b, 0x05}};
  protocol::ProfileView view{2, key, {{"host.test:0"}, {"[::1]:0"}, {"host.test:683"}}, {component}};
  const auto found = addresses_in(view);
  ASSERT_TRUE(found);
  EXPECT_EQ(texts(*found), (std::vector<std::string>{"host.test:2821", "[::1]:2821"}));
  for (std::size_t size = 0; size < component.data.size(); ++size) {
    view.components[0].data.assign(component.data.begin(),
                                   component.data.begin() + static_cast<std::ptrdiff_t>(size));
    EXPECT_FALSE(addresses_in(view)) << size;
  }
  view.components.clear();
  EXPECT_FALSE(addresses_in(view));
}

TEST(SsliopProfiles, AUrlBecomesAnIiopProfile) {
  const auto plugin = make_plugin();
  protocol::ProfileView view;
  std::string why;
  ASSERT_TRUE(plugin->read_url_address("host.test:2821", view, why)) << why;
  EXPECT_EQ(view.minor, 2);
  view.object_key = key;
  const ior::TaggedProfile made = plugin->make_profile(view);
  EXPECT_EQ(made.tag, ior::tag_internet_iop);
  const auto profile = ior::parse_iiop_profile(made.data);
  ASSERT_TRUE(profile);
  EXPECT_EQ(profile->address, (ior::IiopAddress{"host.test", 0}));
  EXPECT_EQ(read_sec_trans(profile->components)->port, 2821);
  EXPECT_FALSE(plugin->read_url_address("host.test:nowhere", view, why));
}

// --- TAG_TLS_SEC_TRANS in TAG_CSI_SEC_MECH_LIST ---

constexpr std::uint16_t wants_user = trust_in_client;

ior::TaggedComponent users_wanted(std::uint16_t also) {
  ior::SecurityMechanism one;
  one.client_supports = one.client_requires = wants_user;
  one.requires_ = static_cast<std::uint16_t>(wants_user | also);
  return ior::security_mechanisms_component({false, {one}});
}

ior::TaggedProfile own_profile_with(const std::vector<std::string>& addresses,
                                    ior::TaggedComponent component) {
  protocol::ProfileView view{2, key, {}, {std::move(component)}};
  for (const std::string& each : addresses) view.addresses.push_back({each});
  return make_profile(view);
}

std::vector<ior::SecurityMechanism> mechanisms_in(const ior::TaggedProfile& profile) {
  const auto read = ior::parse_iiop_profile(profile.data);
  const auto all = read ? ior::find_security_mechanisms(read->components) : std::nullopt;
  return all ? all->list : std::vector<ior::SecurityMechanism>();
}

TEST(SsliopMechanisms, TlsAloneIsTheirTransport) {
  ior::Ior made{"", {own_profile_with({"192.0.2.1:2810", "[2001:db8::1]:2810"}, users_wanted(0))}};
  place_profile(made, integrity | trust_in_target, integrity);
  demand(made, confidentiality);
  ASSERT_EQ(made.profiles.size(), 1U);
  const auto found = mechanisms_in(made.profiles[0]);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].requires_, wants_user | integrity | confidentiality);
  EXPECT_EQ(found[0].client_requires, wants_user);
  EXPECT_EQ(found[0].transport.tag, ior::tag_tls_sec_trans);
  EXPECT_EQ(ior::read_tls_transport(found[0].transport.data),
            (ior::TlsTransport{integrity | trust_in_target,
                               integrity | confidentiality,
                               {{"192.0.2.1", 2810}, {"2001:db8::1", 2810}}}));
}

TEST(SsliopMechanisms, HostsOfSeveralEndpointsAtOnePortShareAProfile) {
  ior::Ior made{"", {}};
  for (const char* const address : {"192.0.2.1:2810", "192.0.2.2:2810", "192.0.2.3:2811"}) {
    made.profiles.push_back(own_profile_with({address}, users_wanted(0)));
    place_profile(made, integrity | trust_in_target, integrity);
  }
  ASSERT_EQ(made.profiles.size(), 2U);
  const auto two = ior::parse_iiop_profile(made.profiles[0].data);
  ASSERT_TRUE(two);
  EXPECT_EQ(two->address, (ior::IiopAddress{"192.0.2.1", 0}));
  EXPECT_EQ(ior::alternate_addresses(two->components), (std::vector<ior::IiopAddress>{{"192.0.2.2", 0}}));
  EXPECT_EQ(read_sec_trans(two->components)->port, 2810);
  const auto wanted = mechanisms_in(made.profiles[0]);
  ASSERT_EQ(wanted.size(), 1U);
  EXPECT_EQ(wanted[0].client_requires, wants_user);
  EXPECT_EQ(ior::read_tls_transport(wanted[0].transport.data)->addresses,
            (std::vector<ior::TlsTransport::At>{{"192.0.2.1", 2810}, {"192.0.2.2", 2810}}));
  const auto other = ior::parse_iiop_profile(made.profiles[1].data);
  ASSERT_TRUE(other);
  EXPECT_EQ(other->address, (ior::IiopAddress{"192.0.2.3", 0}));
  EXPECT_EQ(read_sec_trans(other->components)->port, 2811);
}

/// omniORB's clients look nowhere else for further hosts.
TEST(SsliopMechanisms, NameTheHostsWhereThereAreSeveral) {
  for (const bool several : {false, true}) {
    ior::Ior made{"", {own_profile_with({"192.0.2.1:2810"}, {7, {}})}};
    if (several) made.profiles[0] = own_profile_with({"192.0.2.1:2810", "192.0.2.2:2810"}, {7, {}});
    place_profile(made, integrity | trust_in_target, integrity);
    const auto found = mechanisms_in(made.profiles[0]);
    ASSERT_EQ(found.size(), several ? 1U : 0U);
    if (!several) continue;
    EXPECT_EQ(found[0].requires_, integrity);
    EXPECT_EQ(found[0].client_supports, 0);
    EXPECT_EQ(ior::read_tls_transport(found[0].transport.data),
              (ior::TlsTransport{
                  integrity | trust_in_target, integrity, {{"192.0.2.1", 2810}, {"192.0.2.2", 2810}}}));
    const auto read = ior::parse_iiop_profile(made.profiles[0].data);
    EXPECT_EQ(read_sec_trans(read->components)->port, 2810);
  }
}

TEST(SsliopMechanisms, BesideOthersOnlyWhereTheServerTakesPasswordsInTheClear) {
  for (const std::uint16_t also : {std::uint16_t{0}, std::uint16_t{integrity | confidentiality}}) {
    ior::Ior made{"",
                  {ior::make_iiop_profile({2, {"192.0.2.1", 2809}, key, {users_wanted(also)}}),
                   own_profile_with({"192.0.2.1:2810"}, users_wanted(also))}};
    place_profile(made, integrity, integrity);
    ASSERT_EQ(made.profiles.size(), 1U);
    const auto found = mechanisms_in(made.profiles[0]);
    ASSERT_EQ(found.size(), also == 0 ? 2U : 1U);
    EXPECT_EQ(found[0].transport.tag, ior::tag_tls_sec_trans);
    EXPECT_EQ(found[0].requires_, wants_user | integrity | also);
    if (also == 0) {
      EXPECT_EQ(found[1].transport.tag, ior::tag_null);
      EXPECT_EQ(found[1].requires_, wants_user);
    }
  }
}

/// As GlassFish writes references: port 0, and no TAG_SSL_SEC_TRANS.
TEST(SsliopMechanisms, NameAddresses) {
  ior::SecurityMechanism dead, one;
  dead.transport = ior::tls_transport_component({0, 0, {{"dead.test", 0}}});
  one.transport =
      ior::tls_transport_component({integrity | trust_in_client,
                                    integrity,
                                    {{"a.test", 2810}, {"", 1}, {"[2001:db8::1]", 2811}, {"a.test", 2810}}});
  protocol::ProfileView view{
      2, key, {{"192.0.2.1:0"}}, {ior::security_mechanisms_component({false, {dead, one}})}};
  const auto found = addresses_in(view);
  ASSERT_TRUE(found);
  EXPECT_EQ(texts(*found), (std::vector<std::string>{"a.test:2810", "[2001:db8::1]:2811"}));
  const auto offer = read_offer(view.components);
  ASSERT_TRUE(offer);
  EXPECT_EQ(offer->supports, integrity | trust_in_client);
  EXPECT_EQ(offer->requires_, integrity);
  // Those of TAG_SSL_SEC_TRANS go before: omniORB has the first of its addresses there, too.
  view.components.push_back(sec_trans_component({1, 0, 2999}));
  EXPECT_EQ(texts(*addresses_in(view)),
            (std::vector<std::string>{"192.0.2.1:2999", "a.test:2810", "[2001:db8::1]:2811"}));
  EXPECT_EQ(read_offer(view.components)->supports, 1);
  view.components = {ior::security_mechanisms_component({false, {dead}})};
  EXPECT_FALSE(addresses_in(view));
  EXPECT_FALSE(read_offer(view.components));
}

}  // namespace
}  // namespace tenon::ssliop
