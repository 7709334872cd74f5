// SPDX-License-Identifier: Apache-2.0
//
// What references say of users and passwords, and those of other ORBs that name TLS there alone.
#include "csi/gss.hpp"
#include "ior/iiop_profile.hpp"
#include "ior/security_mechanisms.hpp"
#include "tests/security/world.hpp"

namespace tenon::suite {
namespace {

std::vector<ior::SecurityMechanism> mechanisms_of(const std::string& text) {
  const auto ior = ior::parse_ior(text);
  const auto profile = ior::parse_iiop_profile(ior->profiles.at(0).data);
  const auto all = ior::find_security_mechanisms(profile->components);
  return all ? all->list : std::vector<ior::SecurityMechanism>();
}

TEST(CsiReferences, SayWhatTheServerWants) {
  csi::Target target = bank_in_clear();
  target.trusts = csi::trusted({"gateway"});
  CsiServer server(target, on_tcp);
  const auto found = mechanisms_of(server.text);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].transport, (ior::TaggedComponent{ior::tag_null, {}}));
  EXPECT_EQ(found[0].requires_, 64);
  EXPECT_EQ(found[0].client_supports, 64);
  EXPECT_EQ(found[0].client_requires, 64);
  EXPECT_TRUE(csi::is_gssup(found[0].client_mechanism));
  EXPECT_EQ(csi::imported_name(found[0].target_name), "bank");
  EXPECT_EQ(found[0].attributes_support, ior::identity_assertion);
  EXPECT_EQ(found[0].attributes_require, 0);
  EXPECT_EQ(found[0].identity_types, 1U | 2U | 8U);
}

TEST(CsiReferences, NameTlsWhereThereIsSome) {
  CsiServer server(bank(), on_tls);
  const auto found = mechanisms_of(server.text);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].requires_ & (64 | 2 | 4), 64 | 2 | 4);
  const auto tls = ior::read_tls_transport(found[0].transport.data);
  ASSERT_TRUE(found[0].transport.tag == ior::tag_tls_sec_trans && tls);
  ASSERT_EQ(tls->addresses.size(), 1U);
  EXPECT_EQ(tls->addresses[0].host, "127.0.0.1");
  EXPECT_NE(tls->addresses[0].port, 0);
}

TEST(CsiReferences, LeadOverTlsWithoutTheOtherComponent) {
  CsiServer server(bank(), on_tls);
  ior::Ior foreign = *ior::parse_ior(server.text);
  for (ior::TaggedProfile& each : foreign.profiles) {
    auto profile = *ior::parse_iiop_profile(each.data);
    std::erase_if(profile.components, [](const auto& one) { return one.tag == ior::tag_ssl_sec_trans; });
    EXPECT_EQ(profile.address.port, 0);
    each = ior::make_iiop_profile(profile);
  }
  const CsiClient client(alice());
  EXPECT_EQ(who(at(client, ior::to_ior_text(foreign))), "user alice, tls");
}

/// The first address leads nowhere; the second one is as good.
TEST(CsiReferences, SeveralAddressesAreTriedInTurn) {
  CsiServer server(bank(), on_tls);
  ior::Ior foreign = *ior::parse_ior(server.text);
  auto profile = *ior::parse_iiop_profile(foreign.profiles.at(0).data);
  auto all = *ior::find_security_mechanisms(profile.components);
  auto tls = *ior::read_tls_transport(all.list.at(0).transport.data);
  const auto real = tls.addresses.at(0);
  tls.addresses = {{"127.0.0.1", 1}, real};
  all.list[0].transport = ior::tls_transport_component(tls);
  ior::replace_security_mechanisms(profile.components, all);
  std::erase_if(profile.components, [](const auto& one) { return one.tag == ior::tag_ssl_sec_trans; });
  foreign.profiles = {ior::make_iiop_profile(profile)};
  const CsiClient client(alice());
  EXPECT_EQ(who(at(client, ior::to_ior_text(foreign))), "user alice, tls");
}

}  // namespace
}  // namespace tenon::suite
