// SPDX-License-Identifier: Apache-2.0
//
// Profiles and URLs of ssliop.
#include "plugins/ssliop/profile.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "ior/iiop_profile.hpp"
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

}  // namespace
}  // namespace tenon::ssliop
