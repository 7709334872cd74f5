// SPDX-License-Identifier: Apache-2.0
#include "net/address.hpp"

#include <gtest/gtest.h>
#include <netinet/in.h>

namespace tenon::net {
namespace {

HostPort parsed(std::string_view text) {
  std::string why;
  const auto where = parse_host_port(text, 2809, why);
  EXPECT_TRUE(where) << why;
  return where.value_or(HostPort{"?", 0});
}

TEST(HostPort, ReadsEveryForm) {
  EXPECT_EQ(parsed("host"), (HostPort{"host", 2809}));
  EXPECT_EQ(parsed("host:1"), (HostPort{"host", 1}));
  EXPECT_EQ(parsed("host:"), (HostPort{"host", 2809}));
  EXPECT_EQ(parsed(":65535"), (HostPort{"", 65535}));
  EXPECT_EQ(parsed(""), (HostPort{"", 2809}));
  EXPECT_EQ(parsed("127.0.0.1:0"), (HostPort{"127.0.0.1", 0}));
  EXPECT_EQ(parsed("[::1]"), (HostPort{"::1", 2809}));
  EXPECT_EQ(parsed("[fe80::1%eth0]:7"), (HostPort{"fe80::1%eth0", 7}));
}

TEST(HostPort, RefusesAndSaysWhy) {
  for (const char* text : {"host:65536", "host:-1", "host:x", "host:1x", "::1", "1:2:3", "[::1", "[]:1",
                           "[host]:1", "[::1]x", "[::1]]", "a b:1", "a/b", "a,b:1", "u@h:1"}) {
    std::string why;
    EXPECT_FALSE(parse_host_port(text, 1, why)) << text;
    EXPECT_NE(why.find(text), std::string::npos) << why;
  }
}

TEST(HostPort, BracketsAreForWhatLooksLikeAnIpv6Address) {
  std::string why;
  for (const char* text : {"::1:2809", "fe80::1%eth0"}) {
    EXPECT_FALSE(parse_host_port(text, 1, why)) << text;
    EXPECT_NE(why.find("put brackets around"), std::string::npos) << why;
  }
  for (const char* text : {"127.0.0.1:28095/publish=h:1", "iiop://127.0.0.1:0"}) {
    EXPECT_FALSE(parse_host_port(text, 1, why)) << text;
    EXPECT_NE(why.find("only a host and a port can stand here"), std::string::npos) << why;
  }
}

TEST(HostPort, TextIsReadBack) {
  for (const HostPort& where : {HostPort{"host", 1}, HostPort{"::1", 2}, HostPort{"10.0.0.1", 3}}) {
    EXPECT_EQ(parsed(where.text()), where);
  }
  EXPECT_EQ((HostPort{"::1", 2809}.text()), "[::1]:2809");
}

SocketAddress numeric(const char* host, std::uint16_t port = 80) {
  const auto address = numeric_address({host, port});
  EXPECT_TRUE(address) << host;
  return address.value_or(SocketAddress());
}

TEST(SocketAddress, KnowsItsKind) {
  EXPECT_TRUE(numeric("0.0.0.0").is_wildcard());
  EXPECT_TRUE(numeric("::").is_wildcard());
  EXPECT_TRUE(numeric("::ffff:0.0.0.0").is_wildcard());
  EXPECT_FALSE(numeric("::1").is_wildcard());
  EXPECT_TRUE(numeric("::1").is_loopback());
  EXPECT_TRUE(numeric("127.8.9.1").is_loopback());
  EXPECT_TRUE(numeric("::ffff:127.0.0.1").is_loopback());
  EXPECT_FALSE(numeric("128.0.0.1").is_loopback());
  EXPECT_TRUE(numeric("169.254.3.4").is_link_local());
  EXPECT_TRUE(numeric("fe80::1").is_link_local());
  EXPECT_FALSE(numeric("2001:db8::1").is_link_local());
}

TEST(SocketAddress, IsTextInNumbers) {
  EXPECT_EQ(numeric("127.0.0.1", 2809).text(), "127.0.0.1:2809");
  EXPECT_EQ(numeric("::1", 2809).text(), "[::1]:2809");
  EXPECT_EQ(numeric("::ffff:10.1.2.3", 4).text(), "10.1.2.3:4") << "an IPv4 peer of an IPv6 socket";
  SocketAddress address = numeric("2001:DB8::1", 1);
  address.set_port(513);
  EXPECT_EQ(address.text(), "[2001:db8::1]:513");
  EXPECT_EQ(address.port(), 513);
  address = numeric("10.0.0.1", 1);
  address.set_port(513);
  EXPECT_EQ(address.text(), "10.0.0.1:513");
}

TEST(SocketAddress, NamesAreNotNumbers) {
  EXPECT_FALSE(numeric_address({"localhost", 1}));
  EXPECT_FALSE(numeric_address({"10.0.0.1.example.org", 1}));
  EXPECT_FALSE(numeric_address({"", 1}));
  EXPECT_FALSE(numeric_address({"1.2.3.4.5", 1}));
  EXPECT_FALSE(numeric_address({"256.0.0.1", 1}));
  EXPECT_FALSE(numeric_address({"12345::1", 1}));
  EXPECT_FALSE(numeric_address({"fe80::1%", 1}));
  EXPECT_FALSE(numeric_address({"fe80::1%no-such-link", 1}));
  EXPECT_FALSE(numeric_address({"2001:db8::1%lo", 1})) << "the address of no link";
  EXPECT_EQ(numeric_address({"fe80::1%7", 1})->text(), "[fe80::1%7]:1");
  EXPECT_EQ(numeric_address({"fe80::1%lo", 1})->text(), "[fe80::1%1]:1");
}

TEST(SocketAddress, NumbersMayBePartOfText) {
  const std::string_view text = "127.123.123.123:40123";
  EXPECT_EQ(numeric_address(text.substr(0, 15), 7)->text(), "127.123.123.123:7");
  EXPECT_FALSE(numeric_address(text, 7)) << "no host";
  const std::string_view longest = "[1111:2222:3333:4444:5555:6666:7777:8888]:1";
  EXPECT_EQ(numeric_address(longest.substr(1, 39), 1)->text(), longest);
  EXPECT_FALSE(numeric_address("fe80::1%" + std::string(100, '1'), 1)) << "longer than any address";
}

TEST(UnixAddress, LengthIsChecked) {
  std::string why;
  const std::string longest = '/' + std::string(106, 'x');
  const auto fits = unix_address(longest, why);
  ASSERT_TRUE(fits) << why;
  EXPECT_EQ(fits->text(), longest);
  EXPECT_FALSE(unix_address(longest + 'x', why));
  EXPECT_NE(why.find("107"), std::string::npos) << why;
  EXPECT_NE(why.find("108"), std::string::npos) << why;
  // Not all of a path that a peer has made as long as it likes is repeated.
  EXPECT_FALSE(unix_address(std::string(1 << 20, 'x'), why));
  EXPECT_LT(why.size(), 400U);
  EXPECT_FALSE(unix_address("", why));
  EXPECT_FALSE(unix_address("@", why));
  EXPECT_FALSE(unix_address(std::string_view("/a\0b", 4), why));
}

TEST(UnixAddress, AbstractNamesStartWithAt) {
  std::string why;
  const auto address = unix_address("@name", why);
  ASSERT_TRUE(address);
  EXPECT_EQ(address->text(), "@name");
  const auto* raw = reinterpret_cast<const sockaddr_un*>(address->get());
  EXPECT_EQ(raw->sun_path[0], '\0');
  EXPECT_EQ(address->size(), offsetof(sockaddr_un, sun_path) + 5);
}

TEST(Resolve, NumbersAskNobody) {
  std::string why;
  const auto v4 = resolve({"127.0.0.1", 5}, Purpose::connect, why);
  ASSERT_EQ(v4.size(), 1U) << why;
  EXPECT_EQ(v4[0].text(), "127.0.0.1:5");
  EXPECT_TRUE(resolve({"1.2.3.4.5", 5}, Purpose::connect, why).empty());
  EXPECT_NE(why.find("1.2.3.4.5"), std::string::npos) << why;
}

TEST(Resolve, EmptyHost) {
  std::string why;
  for (const SocketAddress& address : resolve({"", 5}, Purpose::listen, why))
    EXPECT_TRUE(address.is_wildcard());
  const auto loopback = resolve({"", 5}, Purpose::connect, why);
  EXPECT_FALSE(loopback.empty());
  for (const SocketAddress& address : loopback) EXPECT_TRUE(address.is_loopback());
}

TEST(Interfaces, NoLoopbackNoWildcardIpv4First) {
  bool v6_seen = false;
  bool link_local_seen = false;
  for (const SocketAddress& address : interface_addresses()) {
    EXPECT_FALSE(address.is_loopback()) << address.text();
    EXPECT_FALSE(address.is_wildcard()) << address.text();
    if (address.is_link_local() && !link_local_seen) {
      link_local_seen = true;
      v6_seen = false;
    }
    EXPECT_EQ(address.is_link_local(), link_local_seen) << address.text();
    EXPECT_FALSE(v6_seen && address.family() == AF_INET) << address.text();
    v6_seen = v6_seen || address.family() == AF_INET6;
  }
}

}  // namespace
}  // namespace tenon::net
