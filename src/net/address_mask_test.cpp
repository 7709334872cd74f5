// SPDX-License-Identifier: Apache-2.0
#include "net/address_mask.hpp"

#include <gtest/gtest.h>

namespace tenon::net {
namespace {

bool covers(std::string_view mask, const char* peer) {
  std::string why;
  const auto parsed = AddressMask::parse(mask, why);
  EXPECT_TRUE(parsed) << why;
  const auto address = *peer == '@' ? unix_address(peer, why) : numeric_address({peer, 1});
  EXPECT_TRUE(address) << peer;
  return parsed && address && parsed->covers(*address);
}

TEST(AddressMask, CoversAllOrThisMachine) {
  for (const char* peer : {"10.0.0.1", "127.0.0.1", "::1", "2001:db8::1", "@socket"})
    EXPECT_TRUE(covers("*", peer));
  for (const char* peer : {"127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1", "@socket"})
    EXPECT_TRUE(covers("localhost", peer)) << peer;
  for (const char* peer : {"10.0.0.1", "2001:db8::1", "::ffff:10.0.0.1"})
    EXPECT_FALSE(covers("localhost", peer)) << peer;
}

TEST(AddressMask, CoversNetworks) {
  const struct {
    const char* mask;
    const char* inside;
    const char* outside;
  } cases[] = {
      {"10.1.2.3", "10.1.2.3", "10.1.2.4"},
      {"10.1.2.3", "::ffff:10.1.2.3", "::10.1.2.3"},
      {"10.0.0.0/255.0.0.0", "10.255.0.1", "11.0.0.0"},
      {"10.0.0.0/8", "10.255.0.1", "9.255.255.255"},
      {"192.168.128.0/255.255.128.0", "192.168.255.1", "192.168.127.255"},
      {"192.168.5.129/25", "192.168.5.255", "192.168.5.127"},
      {"1.2.3.4/0", "9.9.9.9", "::1"},
      {"2001:db8::/32", "2001:db8:ffff::1", "2001:db9::1"},
      {"2001:db8::/33", "2001:db8:7fff::1", "2001:db8:8000::1"},
      {"::1", "::1", "127.0.0.1"},
      {"0.0.0.0/0", "127.0.0.1", "@socket"},
  };
  for (const auto& [mask, inside, outside] : cases) {
    EXPECT_TRUE(covers(mask, inside)) << mask << ' ' << inside;
    EXPECT_FALSE(covers(mask, outside)) << mask << ' ' << outside;
  }
}

TEST(AddressMask, RefusesWhatNamesNoPeers) {
  for (const char* text : {"", "host", "10.0.0.0/33", "10.0.0.0/", "10.0.0.0/255.0.255.0", "10.0.0.0/-1",
                           "/8", "2001:db8::/129", "2001:db8::/255.0.0.0", "10.0.0.0/8/8", "**"}) {
    std::string why;
    EXPECT_FALSE(AddressMask::parse(text, why)) << text;
    EXPECT_NE(why.find("'" + std::string(text) + "' names no peers; write *, localhost"), std::string::npos)
        << why;
  }
}

}  // namespace
}  // namespace tenon::net
