// SPDX-License-Identifier: Apache-2.0
//
// What an endpoint's text means, SHMIOP's options, profiles and URLs, and in which place an address means something.
#include "plugins/shmiop/endpoint.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>

#include "base/minor_codes.hpp"
#include "plugins/shmiop/host.hpp"
#include "plugins/shmiop/plugin.hpp"
#include "plugins/shmiop/profile.hpp"
#include "plugins/shmiop/shmiop.hpp"

namespace tenon::shmiop {
namespace {

std::string refusal(std::string_view text) {
  std::string why;
  EXPECT_FALSE(read_endpoint(text, why)) << text;
  return why;
}

TEST(ShmiopEndpoint, ReadsNamesAndOptions) {
  std::string why;
  const auto named = read_endpoint("shmiop://@app.1_x-Y|backlog=3", why);
  ASSERT_TRUE(named) << why;
  EXPECT_EQ(named->address, "@app.1_x-Y");
  EXPECT_FALSE(named->fresh);
  EXPECT_EQ(named->options.backlog, 3);
  const auto fresh = read_endpoint("shmiop://", why);
  const auto other = read_endpoint("shmiop://", why);
  ASSERT_TRUE(fresh && other) << why;
  EXPECT_TRUE(fresh->fresh);
  EXPECT_TRUE(is_name(std::string_view(fresh->address).substr(1))) << fresh->address;
  EXPECT_NE(fresh->address, other->address);
}

TEST(ShmiopEndpoint, ErrorsSayWhatWouldBeRight) {
  for (const std::string text : {"shmiop:///run/app", "shmiop://name", "shmiop://@", "shmiop://@a b",
                                 "shmiop://@a/b", "shmiop://@a,b"}) {
    EXPECT_NE(refusal(text).find("'" + text + "'"), std::string::npos);
    EXPECT_NE(refusal(text).find("shmiop://@name"), std::string::npos);
  }
  EXPECT_NE(refusal("shmiop://@" + std::string(longest_name + 1, 'x')).find("at most 100"),
            std::string::npos);
  EXPECT_NE(refusal("shmiop://@a|mode=1").find("it has backlog"), std::string::npos);
  EXPECT_NE(refusal("shmiop://@a|backlog=0").find("from 1 up"), std::string::npos);
}

TEST(ShmiopEndpoint, OneNameIsOneListeners) {
  const auto plugin = make_plugin();
  const std::string text = "shmiop://@tenon-shmiop-once-" + std::to_string(::getpid());
  std::string why;
  const auto first = plugin->listen(text, why);
  ASSERT_TRUE(first) << why;
  EXPECT_TRUE(first->fixed());
  EXPECT_EQ(first->endpoint(), text);
  EXPECT_FALSE(plugin->listen(text, why));
  EXPECT_EQ(why,
            "endpoint '" + text + "': cannot listen on " + text.substr(9) +
                ": Address already in use (errno 98); a process, perhaps this one, has this name: choose "
                "another one, or stop it");
  EXPECT_FALSE(plugin->listen("shmiop://", why)->fixed());
}

TEST(ShmiopOptions, AreReadOrExplained) {
  EXPECT_EQ(read_ring_size("4096"), 4096u);
  EXPECT_EQ(read_ring_size("4K"), 4096u);
  EXPECT_EQ(read_ring_size("1M"), 1u << 20);
  EXPECT_EQ(read_ring_size("64M"), largest_ring);
  EXPECT_EQ(read_ring_size("64k"), 65536u);
  EXPECT_EQ(read_ring_size("1m"), 1u << 20);
  for (const char* wrong : {"", "0", "2K", "128M", "5000", "1G", "1k", "M", "-1", "99999999999999999999",
                            "4096 ", "67108864K", "4294967297"}) {
    EXPECT_FALSE(read_ring_size(wrong)) << wrong;
  }
  Plugin plugin;
  std::string why;
  EXPECT_TRUE(plugin.set_option("ring", "1M", why));
  EXPECT_EQ(plugin.ring_octets(), 1u << 20);
  EXPECT_FALSE(plugin.set_option("ring", "3", why));
  EXPECT_NE(why.find("power of two"), std::string::npos);
  EXPECT_TRUE(plugin.set_option("spin", "15", why));
  EXPECT_EQ(plugin.spin_us(), 15u);
  EXPECT_TRUE(plugin.set_option("spin", "0", why));
  EXPECT_EQ(plugin.spin_us(), std::nullopt);
  for (const char* wrong : {"", "x", "1x", "-1", "2000000"}) {
    EXPECT_FALSE(plugin.set_option("spin", wrong, why)) << wrong;
    EXPECT_NE(why.find("microseconds"), std::string::npos);
  }
  EXPECT_TRUE(plugin.path_settings().in_place);
  EXPECT_TRUE(plugin.set_option("in_place", "0", why));
  EXPECT_FALSE(plugin.path_settings().in_place);
  EXPECT_TRUE(plugin.set_option("in_place", "1", why));
  EXPECT_TRUE(plugin.path_settings().in_place);
  for (const char* wrong : {"", "2", "yes", "-1"}) {
    EXPECT_FALSE(plugin.set_option("in_place", wrong, why)) << wrong;
    EXPECT_NE(why.find("wants 1"), std::string::npos);
  }
  EXPECT_EQ(plugin.own_options().size(), 3u);
}

TEST(ShmiopOptions, WhatIsSaidForAllTransportsCounts) {
  Plugin plugin;
  protocol::TransportOptions options;
  options.spin_us = 33;
  plugin.configure(options);
  EXPECT_EQ(plugin.spin_us(), 33u);
  std::string why;
  EXPECT_TRUE(plugin.set_option("spin", "5", why));
  EXPECT_EQ(plugin.spin_us(), 5u);
}

Profile sample() { return {2, this_place(), "@name", {'k', 0, 'y'}, {{7, {1, 2}}}}; }

TEST(ShmiopProfile, IsKept) {
  for (std::uint8_t minor = 0; minor <= 2; ++minor) {
    Profile profile = sample();
    profile.minor = minor;
    if (minor == 0) profile.components.clear();
    const ior::TaggedProfile written = write_profile(profile);
    EXPECT_EQ(written.tag, 0x544E0002u);
    const auto again = parse_profile(written.data);
    ASSERT_TRUE(again);
    EXPECT_EQ(*again, profile);
  }
}

TEST(ShmiopProfile, WhatIsNoNameIsNoProfile) {
  for (const char* address : {"", "name", "@", "@a b", "/run/x"}) {
    Profile profile = sample();
    profile.address = address;
    EXPECT_FALSE(parse_profile(write_profile(profile).data)) << address;
  }
  Profile profile = sample();
  profile.place.assign(1000, 'x');
  EXPECT_FALSE(parse_profile(write_profile(profile).data));
}

TEST(ShmiopProfile, OfAnotherPlaceIsNotUsed) {
  const Plugin plugin;
  Profile profile = sample();
  ASSERT_FALSE(profile.place.empty());
  const auto here = plugin.read_profile(write_profile(profile).data);
  ASSERT_TRUE(here);
  EXPECT_EQ(here->object_key, profile.key);
  EXPECT_EQ(here->addresses.at(0).text, "@name");
  for (const std::string& place : {std::string(), this_place() + "0", "x" + this_place()}) {
    profile.place = place;
    EXPECT_FALSE(plugin.read_profile(write_profile(profile).data)) << place;
  }
}

TEST(Place, IsMachineStartNamespaceAndUser) {
  const std::string folder = testing::TempDir() + "shmiop-place-" + std::to_string(::getpid());
  const std::string one = folder + ".1";
  const std::string two = folder + ".2";
  std::ofstream(one) << "one\n";
  std::ofstream(two) << "two\n";
  const std::string here = place_from(one.c_str(), one.c_str(), 5);
  EXPECT_TRUE(here.starts_with("one/")) << here;
  EXPECT_TRUE(here.ends_with("/5")) << here;
  EXPECT_EQ(here, place_from(one.c_str(), one.c_str(), 5));
  EXPECT_NE(here, place_from(two.c_str(), one.c_str(), 5)) << "another start";
  EXPECT_NE(here, place_from(one.c_str(), two.c_str(), 5)) << "another namespace";
  EXPECT_NE(here, place_from(one.c_str(), one.c_str(), 6)) << "another user";
  std::ofstream(two, std::ios::trunc).flush();
  EXPECT_EQ(place_from(two.c_str(), one.c_str(), 5), "");
  EXPECT_EQ(place_from("/no/such/file", one.c_str(), 5), "");
  EXPECT_EQ(place_from(one.c_str(), "/no/such/file", 5), "");
  std::remove(one.c_str());
  std::remove(two.c_str());
  EXPECT_EQ(this_place(), place_from("/proc/sys/kernel/random/boot_id", "/proc/self/ns/net", ::geteuid()));
}

TEST(ShmiopUrl, IsReadAndWritten) {
  const Plugin plugin;
  std::string why;
  protocol::ProfileView view;
  ASSERT_TRUE(plugin.read_url_address("1.2@name", view, why)) << why;
  EXPECT_EQ(view.minor, 2);
  EXPECT_EQ(view.addresses.at(0).text, "@name");
  EXPECT_EQ(plugin.url_address(view, 0), "1.2@name");
  ASSERT_TRUE(plugin.read_url_address("other", view, why)) << why;
  EXPECT_EQ(view.minor, 0) << "the lowest";
  EXPECT_EQ(view.addresses.size(), 2u);
  for (const char* wrong : {"1.2@", "2.0@name", "1.2@@name", "@name", "1.x@name", "/name"}) {
    EXPECT_FALSE(plugin.read_url_address(wrong, view, why)) << wrong;
    EXPECT_NE(why.find("1.2@name"), std::string::npos) << why;
  }
}

TEST(ShmiopParts, AreMissedByName) {
  Plugin plugin;
  std::string why;
  EXPECT_FALSE(plugin.listen("shmiop://", why));
  EXPECT_NE(why.find("tenon::parts::shmiop_server"), std::string::npos);
  const auto made = plugin.connect("@name", Deadline::never());
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error(), errors::no_connecting_part);
  add_connecting(plugin);
  EXPECT_EQ(plugin.connect("name", Deadline::never()).error(), errors::bad_address);
}

}  // namespace
}  // namespace tenon::shmiop
