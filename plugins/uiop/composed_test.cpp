// SPDX-License-Identifier: Apache-2.0
//
// Sockets that stand in IIOP profiles, as omniORB has them.
#include <gtest/gtest.h>
#include <unistd.h>

#include <bit>

#include "ior/iiop_profile.hpp"
#include "ior/omniorb_unix.hpp"
#include "ior/uiop_profile.hpp"
#include "plugins/uiop/plugin.hpp"
#include "plugins/uiop/uiop.hpp"

namespace tenon::uiop {
namespace {

/// Listens nowhere.
class NamedAcceptor final : public protocol::Acceptor {
 public:
  NamedAcceptor(std::string endpoint, std::string path)
      : endpoint_(std::move(endpoint)), path_(std::move(path)) {}
  Result<std::unique_ptr<protocol::Transport>> accept() override { return Error{}; }
  void shut_down() noexcept override {}
  std::string endpoint() const override { return endpoint_; }
  std::vector<std::string> published() const override { return {path_}; }

 private:
  const std::string endpoint_;
  const std::string path_;
};

const NamedAcceptor omniorb_style("giop:unix:/run/a.sock", "/run/a.sock");
const NamedAcceptor own_style("uiop:///run/a.sock", "/run/a.sock");

std::string host() {
  char name[256] = {};
  EXPECT_EQ(::gethostname(name, sizeof name - 1), 0);
  return name;
}

const std::vector<std::uint8_t> key = {'k', 'e', 'y'};

/// What a server has made that listens on the socket and, or not, on TCP.
ior::Ior made(bool tcp, std::uint8_t minor = 2) {
  ior::Ior all{"IDL:X:1.0", {}};
  if (tcp) all.profiles.push_back(ior::make_iiop_profile({minor, {"192.0.2.1", 2809}, key, {}}));
  all.profiles.push_back(ior::make_uiop_profile({minor, "/run/a.sock", key, {}}));
  return all;
}

TEST(UiopInIiopProfiles, WithoutTcpThereIsAProfileOfPortZero) {
  Plugin plugin;
  ior::Ior reference = made(false);
  ASSERT_TRUE(plugin.compose(omniorb_style, reference));
  ASSERT_EQ(reference.profiles.size(), 2U);
  const auto profile = ior::parse_iiop_profile(reference.profiles[1].data);
  ASSERT_TRUE(profile);
  EXPECT_EQ(profile->address, (ior::IiopAddress{host(), 0}));
  EXPECT_EQ(profile->key, key);
  ASSERT_EQ(profile->components.size(), 1U);
  EXPECT_EQ(ior::read_omniorb_unix(profile->components[0]), (ior::OmniorbUnixAddress{host(), "/run/a.sock"}));
}

TEST(UiopInIiopProfiles, WithTcpTheSocketIsAddedToItsProfile) {
  Plugin plugin;
  ior::Ior reference = made(true);
  ASSERT_TRUE(plugin.compose(omniorb_style, reference));
  ASSERT_EQ(reference.profiles.size(), 2U);
  const auto profile = ior::parse_iiop_profile(reference.profiles[0].data);
  ASSERT_TRUE(profile);
  EXPECT_EQ(profile->address, (ior::IiopAddress{"192.0.2.1", 2809}));
  ASSERT_EQ(profile->components.size(), 1U);
  EXPECT_EQ(ior::read_omniorb_unix(profile->components[0]), (ior::OmniorbUnixAddress{host(), "/run/a.sock"}));
}

TEST(UiopInIiopProfiles, OtherEndpointsAndGiop10StayAsTheyAre) {
  Plugin plugin;
  ior::Ior reference = made(true);
  ASSERT_TRUE(plugin.compose(own_style, reference));
  EXPECT_EQ(reference, made(true));
  for (const bool tcp : {false, true}) {
    reference = made(tcp, 0);
    ASSERT_TRUE(plugin.compose(omniorb_style, reference));
    EXPECT_EQ(reference, made(tcp, 0));
  }
}

protocol::ProfileView view_with(const ior::TaggedComponent& component) {
  protocol::ProfileView view;
  view.minor = 2;
  view.object_key = key;
  view.addresses.push_back({"192.0.2.1:2809"});
  view.components.push_back(component);
  return view;
}

TEST(UiopInIiopProfiles, AreReadOnTheHostThatTheyName) {
  Plugin plugin;
  const auto here = view_with(ior::omniorb_unix_component(host(), "/run/a.sock"));
  const auto found = plugin.addresses_in(ior::tag_internet_iop, here);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->object_key, key);
  ASSERT_EQ(found->addresses.size(), 1U);
  EXPECT_EQ(found->addresses[0].text, "/run/a.sock");
  EXPECT_EQ(found->components, here.components);

  EXPECT_FALSE(plugin.addresses_in(ior::tag_tao_uiop, here));
  EXPECT_FALSE(plugin.addresses_in(ior::tag_internet_iop,
                                   view_with(ior::omniorb_unix_component(host() + "x", "/run/a.sock"))));
  ior::TaggedComponent cut = here.components[0];
  for (std::size_t size = cut.data.size() - 1; size > 0; --size) {
    cut.data.resize(size);
    EXPECT_FALSE(plugin.addresses_in(ior::tag_internet_iop, view_with(cut))) << size;
  }
  EXPECT_FALSE(plugin.addresses_in(ior::tag_internet_iop,
                                   view_with(ior::omniorb_unix_component(host(), std::string(2000, 'x')))));
}

// The component of a reference that omniORB 4.2.5 made on a host called "vm" for giop:unix:/tmp/x.sock: byte order, host, path.
TEST(UiopInIiopProfiles, TheLayoutIsOmniorbs) {
  const std::string_view octets =
      "01000000"  // little-endian, padding
      "03000000"
      "766d00"  // "vm"
      "00"      // padding
      "0c000000"
      "2f746d702f782e736f636b00";  // "/tmp/x.sock"
  ior::TaggedComponent component{ior::tag_omniorb_unix_trans, {}};
  for (std::size_t i = 0; i < octets.size(); i += 2)
    component.data.push_back(
        static_cast<std::uint8_t>(std::stoi(std::string(octets.substr(i, 2)), nullptr, 16)));
  EXPECT_EQ(ior::read_omniorb_unix(component), (ior::OmniorbUnixAddress{"vm", "/tmp/x.sock"}));
  if (std::endian::native == std::endian::little) {
    EXPECT_EQ(ior::omniorb_unix_component("vm", "/tmp/x.sock"), component);
  }
}

}  // namespace
}  // namespace tenon::uiop
