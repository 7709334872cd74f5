// SPDX-License-Identifier: Apache-2.0
//
// What an endpoint's text means, what references may say, and IIOP profiles. What every transport does is in conformance_test.cpp.
#include "plugins/iiop/endpoint.hpp"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <algorithm>

#include <gtest/gtest.h>

#include "base/minor_codes.hpp"
#include "ior/iiop_profile.hpp"
#include "plugins/iiop/iiop.hpp"

namespace tenon::iiop {
namespace {

Endpoint endpoint(std::string_view text) {
  std::string why;
  const auto read = read_endpoint(text, why);
  EXPECT_TRUE(read) << why;
  return read.value_or(Endpoint());
}

TEST(IiopEndpoint, ReadsEverySpelling) {
  EXPECT_EQ(endpoint("iiop://").listen, (net::HostPort{"", 0}));
  EXPECT_EQ(endpoint("iiop://:2809").listen, (net::HostPort{"", 2809}));
  EXPECT_EQ(endpoint("iiop://host:1").listen, (net::HostPort{"host", 1}));
  EXPECT_EQ(endpoint("iiop://[::1]:0").listen, (net::HostPort{"::1", 0}));
  EXPECT_EQ(endpoint("iiop://host").listen, (net::HostPort{"host", 0}));
  EXPECT_EQ(endpoint("giop:tcp:host:4").listen, (net::HostPort{"host", 4}));
  EXPECT_EQ(endpoint("giop:tcp::").listen, (net::HostPort{"", 0}));
  EXPECT_EQ(endpoint("giop:tcp:[::1]:5").listen, (net::HostPort{"::1", 5}));
}

TEST(IiopEndpoint, ReadsVersionsAndRangesOfPorts) {
  EXPECT_EQ(endpoint("iiop://host:1").minor, std::nullopt);
  EXPECT_EQ(endpoint("iiop://1.2@host:1").minor, 2);
  EXPECT_EQ(endpoint("iiop://1.0@").minor, 0);
  EXPECT_EQ(endpoint("iiop://1.1@:2809").listen, (net::HostPort{"", 2809}));
  EXPECT_EQ(endpoint("iiop://host:1").last_port, 0);
  for (const char* text : {"giop:tcp:my-host:5000-5010", "iiop://1.2@my-host:5000-5010",
                           "iiop://my-host:5000/portspan=11", "iiop://my-host:5000/reuse_addr&portspan=11"}) {
    EXPECT_EQ(endpoint(text).listen, (net::HostPort{"my-host", 5000})) << text;
    EXPECT_EQ(endpoint(text).last_port, 5010) << text;
  }
  EXPECT_EQ(endpoint("giop:tcp:[::1]:5000-5000").last_port, 5000);
  EXPECT_EQ(endpoint("iiop://my-host").listen, (net::HostPort{"my-host", 0}));
  EXPECT_EQ(endpoint("iiop://[fe80::1%my-link]").last_port, 0);
  EXPECT_EQ(endpoint("iiop://:65535/portspan=1").last_port, 65535);
}

TEST(IiopEndpoint, ReadsTheNameForReferences) {
  using Publish = std::vector<net::HostPort>;
  EXPECT_EQ(endpoint("iiop://:1/hostname_in_ior=gw.example.org").publish, (Publish{{"gw.example.org", 0}}));
  EXPECT_EQ(endpoint("iiop://:1/hostname_in_ior=2001:db8::1").publish, (Publish{{"2001:db8::1", 0}}));
  EXPECT_EQ(endpoint("iiop://:1/hostname_in_ior=[2001:db8::1]").publish, (Publish{{"2001:db8::1", 0}}));
}

TEST(IiopEndpoint, ReadsOptions) {
  const Endpoint read = endpoint(
      "iiop://[::1]:0/publish=gw.example.org:4000,publish=[2001:db8::1],reuseaddr=no,keepalive=no&backlog=7");
  ASSERT_EQ(read.publish.size(), 2U);
  EXPECT_EQ(read.publish[0], (net::HostPort{"gw.example.org", 4000}));
  EXPECT_EQ(read.publish[1], (net::HostPort{"2001:db8::1", 0}));
  EXPECT_FALSE(read.options.reuse_address);
  EXPECT_FALSE(read.keep_alive);
  EXPECT_EQ(read.options.backlog, 7);
  const Endpoint plain = endpoint("iiop://:1/reuseaddr");
  EXPECT_TRUE(plain.options.reuse_address);
  EXPECT_TRUE(plain.keep_alive);
}

TEST(IiopEndpoint, ErrorsNameOptionValueAndRemedy) {
  const struct {
    const char* text;
    std::vector<const char*> said;
  } cases[] = {
      {"iiop://:1/publish=0.0.0.0", {"'publish'", "'0.0.0.0'", "publish=gw.example.org:4000"}},
      {"iiop://:1/publish=[::]:5", {"'publish'", "'[::]:5'"}},
      {"iiop://:1/publish=[::ffff:0.0.0.0]", {"'publish'"}},
      {"iiop://:1/publish=:4000", {"'publish'", "':4000'"}},
      {"iiop://:1/publish=", {"'publish'"}},
      {"iiop://:1/publish=host:99999", {"'publish'", "65535"}},
      {"iiop://:1/reuseaddr=maybe", {"'reuseaddr'", "'maybe'", "yes or no"}},
      {"iiop://:1/backlog=0", {"'backlog'", "'0'", "from 1"}},
      {"iiop://:1/backlog=many", {"'backlog'", "'many'"}},
      {"iiop://:1/colour=red", {"'colour'", "'red'", "reuseaddr"}},
      {"iiop://:1/=red", {"no name"}},
      {"iiop://host:1,host:2", {"';' between several endpoints"}},
      {"iiop://1.3@host:1", {"1.0, 1.1 or 1.2"}},
      {"iiop://user@host:1", {"1.0, 1.1 or 1.2"}},
      {"iiop://host:5010-5000", {"first-last", "5000-5010"}},
      {"iiop://host:0-10", {"first-last"}},
      {"iiop://host:1-x", {"first-last"}},
      {"iiop://host:1-70000", {"first-last"}},
      {"iiop://:1/portspan=0", {"'portspan'", "how many ports"}},
      {"iiop://:65535/portspan=2", {"'portspan'", "65535"}},
      {"iiop://:1/portspan=many", {"'portspan'", "'many'"}},
      {"iiop:///portspan=5", {"'portspan'", "the first port"}},
      {"iiop://:1-2/portspan=5", {"'portspan'", "the range"}},
      {"iiop://:1/hostname_in_ior=gw:5", {"'hostname_in_ior'", "publish=HOST:PORT"}},
      {"iiop://:1/hostname_in_ior=0.0.0.0", {"'hostname_in_ior'"}},
      {"iiop://:1/hostname_in_ior=", {"'hostname_in_ior'"}},
      {"iiop://host:port", {"'host:port'", "65535"}},
      {"iiop://::1:2809", {"brackets"}},
      {"uiop://x", {"'uiop://x'", "iiop://127.0.0.1:2809"}},
  };
  for (const auto& [text, said] : cases) {
    std::string why;
    EXPECT_FALSE(read_endpoint(text, why)) << text;
    EXPECT_NE(why.find(text), std::string::npos) << why;
    for (const char* part : said) EXPECT_NE(why.find(part), std::string::npos) << why << " lacks " << part;
  }
}

net::SocketAddress at(const char* host, std::uint16_t port = 40123) {
  return *net::numeric_address({host, port});
}

using Texts = std::vector<std::string>;

TEST(IiopPublished, WildcardBecomesInterfaces) {
  const std::vector<net::SocketAddress> interfaces = {
      at("10.0.0.5", 0), at("172.17.0.1", 0), at("2001:db8::7", 0), at("169.254.1.1", 0), at("fe80::1", 0)};
  const Endpoint all = endpoint("iiop://");
  EXPECT_EQ(published_addresses(all, at("::"), interfaces), (Texts{"10.0.0.5:40123", "[2001:db8::7]:40123"}));
  EXPECT_EQ(published_addresses(all, at("0.0.0.0"), interfaces), (Texts{"10.0.0.5:40123"}));
  EXPECT_EQ(published_addresses(endpoint("iiop://0.0.0.0"), at("0.0.0.0"), interfaces),
            (Texts{"10.0.0.5:40123"}));
  EXPECT_EQ(published_addresses(endpoint("iiop://[::]"), at("::"), interfaces),
            (Texts{"[2001:db8::7]:40123"}));
}

TEST(IiopPublished, MachineWithoutNetworkIsLoopback) {
  EXPECT_EQ(published_addresses(endpoint("iiop://"), at("::"), {}), (Texts{"127.0.0.1:40123"}));
  EXPECT_EQ(published_addresses(endpoint("iiop://0.0.0.0"), at("0.0.0.0"), {}), (Texts{"127.0.0.1:40123"}));
  EXPECT_EQ(published_addresses(endpoint("iiop://[::]"), at("::"), {}), (Texts{"[::1]:40123"}));
  // A link-local IPv6 address cannot be used by others; an IPv4 one can, on the same wire.
  EXPECT_EQ(published_addresses(endpoint("iiop://"), at("::"), {at("169.254.1.1"), at("fe80::1")}),
            (Texts{"169.254.1.1:40123"}));
}

TEST(IiopPublished, WhatTheUserSaidWins) {
  EXPECT_EQ(
      published_addresses(endpoint("iiop://:0/publish=gw:4000,publish=[::2]"), at("::"), {at("10.0.0.5")}),
      (Texts{"gw:4000", "[::2]:40123"}));
  EXPECT_EQ(published_addresses(endpoint("iiop://myhost:0"), at("10.9.9.9"), {at("10.0.0.5")}),
            (Texts{"myhost:40123"}));
}

TEST(IiopPublished, NeverAWildcard) {
  const auto plugin = make_plugin();
  for (const char* text :
       {"iiop://", "iiop://0.0.0.0", "iiop://[::]", "iiop://0", "giop:tcp::", "iiop://[::ffff:0.0.0.0]"}) {
    std::string why;
    const auto acceptor = plugin->listen(text, why);
    if (!acceptor) {
      // A machine without IPv6 cannot listen there; it must be that and not the text.
      EXPECT_NE(why.find("errno"), std::string::npos) << why;
      continue;
    }
    ASSERT_FALSE(acceptor->published().empty()) << text;
    for (const std::string& address : acceptor->published()) {
      const auto where = net::parse_host_port(address, 0, why);
      ASSERT_TRUE(where) << why;
      EXPECT_TRUE(ior::publishable(where->host)) << text << " published " << address;
      EXPECT_NE(where->port, 0) << address;
    }
  }
}

TEST(IiopPlugin, Ipv6Loopback) {
  const auto plugin = make_plugin();
  std::string why;
  const auto acceptor = plugin->listen("iiop://[::1]:0", why);
  if (!acceptor) GTEST_SKIP() << "no IPv6 here: " << why;
  ASSERT_EQ(acceptor->published().size(), 1U);
  EXPECT_TRUE(acceptor->published()[0].starts_with("[::1]:"));
  EXPECT_EQ(acceptor->endpoint(), "iiop://" + acceptor->published()[0]);
  const auto client = plugin->connect({acceptor->published()[0]}, Deadline::after_ms(5000));
  ASSERT_TRUE(client);
  const auto server = acceptor->accept();
  ASSERT_TRUE(server);
  EXPECT_EQ((*client)->peer(), acceptor->published()[0]);
  EXPECT_EQ((*client)->local(), (*server)->peer());
}

TEST(IiopPlugin, OneSocketServesBothFamilies) {
  const auto plugin = make_plugin();
  std::string why;
  const auto acceptor = plugin->listen("iiop://", why);
  ASSERT_TRUE(acceptor) << why;
  const std::string port = acceptor->endpoint().substr(std::string("iiop://:").size());
  const auto client = plugin->connect({"127.0.0.1:" + port}, Deadline::after_ms(5000));
  ASSERT_TRUE(client) << acceptor->endpoint();
  const auto server = acceptor->accept();
  ASSERT_TRUE(server);
  EXPECT_TRUE((*server)->peer().starts_with("127.0.0.1:")) << (*server)->peer();
}

std::unique_ptr<protocol::Acceptor> listening(protocol::TransportPlugin& plugin, const std::string& text) {
  std::string why;
  auto acceptor = plugin.listen(text, why);
  EXPECT_TRUE(acceptor) << why;
  return acceptor;
}

TEST(IiopPlugin, TriesOnePortBehindTheOther) {
  const auto plugin = make_plugin();
  // A range in which the first port is taken; the others may be, by programs that run beside this one.
  const auto taken = listening(*plugin, "iiop://127.0.0.1:0");
  ASSERT_TRUE(taken);
  const std::string first = taken->endpoint().substr(std::string("iiop://127.0.0.1:").size());
  const int last = std::min(std::stoi(first) + 50, 65535);
  if (std::to_string(last) == first) GTEST_SKIP() << "the system gave the last port of all";
  const std::string count = std::to_string(last - std::stoi(first) + 1);
  for (const std::string& text : {"iiop://127.0.0.1:" + first + "/portspan=" + count,
                                  "giop:tcp:127.0.0.1:" + first + "-" + std::to_string(last)}) {
    const auto next = listening(*plugin, text);
    ASSERT_TRUE(next);
    const int port = std::stoi(next->endpoint().substr(std::string("iiop://127.0.0.1:").size()));
    EXPECT_GT(port, std::stoi(first));
    EXPECT_LE(port, last);
    EXPECT_FALSE(next->fixed()) << "another process would find another port free";
    EXPECT_EQ(next->published(), Texts{"127.0.0.1:" + std::to_string(port)});
  }
  std::string why;
  EXPECT_FALSE(plugin->listen("iiop://127.0.0.1:" + first + "/portspan=1", why));
  EXPECT_NE(why.find("a process, maybe this one, has it"), std::string::npos) << why;
}

int option_of(const protocol::Transport& transport, int level, int option) {
  int value = -1;
  socklen_t size = sizeof value;
  EXPECT_EQ(::getsockopt(*transport.poll_descriptor(), level, option, &value, &size), 0);
  return value;
}

/// Both ends of a connection of a plug-in.
struct Ends {
  explicit Ends(const protocol::TransportOptions& options) {
    const auto plugin = make_plugin();
    plugin->configure(options);
    acceptor = listening(*plugin, "iiop://127.0.0.1");
    auto made = plugin->connect({acceptor->published()[0]}, Deadline::after_ms(5000));
    auto accepted = acceptor->accept();
    EXPECT_TRUE(made && accepted);
    ends.push_back(*std::move(made));
    ends.push_back(*std::move(accepted));
  }
  std::unique_ptr<protocol::Acceptor> acceptor;
  std::vector<std::unique_ptr<protocol::Transport>> ends;
};

TEST(IiopPlugin, SocketsAreAsTheOptionsSay) {
  const Ends usual({});
  protocol::TransportOptions options;
  options.no_delay = false;
  options.socket_buffers = {.send = 20000, .receive = 30000};
  const Ends other(options);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_NE(option_of(*usual.ends[i], IPPROTO_TCP, TCP_NODELAY), 0);
    EXPECT_EQ(option_of(*other.ends[i], IPPROTO_TCP, TCP_NODELAY), 0);
    // Linux doubles what it is told.
    EXPECT_EQ(option_of(*other.ends[i], SOL_SOCKET, SO_SNDBUF), 40000);
    EXPECT_EQ(option_of(*other.ends[i], SOL_SOCKET, SO_RCVBUF), 60000);
    EXPECT_NE(option_of(*usual.ends[i], SOL_SOCKET, SO_SNDBUF), 40000);
    EXPECT_NE(option_of(*usual.ends[i], SOL_SOCKET, SO_RCVBUF), 60000);
  }
}

TEST(IiopPlugin, AddressesThatAreNone) {
  const auto plugin = make_plugin();
  for (const char* text : {"", ":2809", "a:b", "[::1"}) {
    EXPECT_EQ(plugin->connect({text}, Deadline::after_ms(5000)).error(), errors::bad_address) << text;
  }
  EXPECT_EQ(plugin->connect({"1.2.3.4.5:1"}, Deadline::after_ms(5000)).error(), errors::host_not_found);
}

TEST(IiopPlugin, AlternatesAreAddresses) {
  const auto plugin = make_plugin();
  protocol::ProfileView view;
  view.minor = 1;
  view.object_key = {1};
  view.addresses = {{"a:1"}, {"[::2]:2"}, {"10.0.0.3:3"}};
  view.components = {{ior::tag_orb_type, {0, 0, 0, 0}}};
  const ior::TaggedProfile profile = plugin->make_profile(view);
  const auto body = ior::parse_iiop_profile(profile.data);
  ASSERT_TRUE(body);
  EXPECT_EQ(body->address, (ior::IiopAddress{"a", 1}));
  const std::vector<ior::IiopAddress> others = {{"::2", 2}, {"10.0.0.3", 3}};
  EXPECT_EQ(ior::alternate_addresses(body->components), others);
  const auto again = plugin->read_profile(profile.data);
  ASSERT_TRUE(again);
  EXPECT_EQ(again->addresses, view.addresses);
  EXPECT_EQ(again->components, view.components);
}

TEST(IiopPlugin, AddressesThatOnlyTlsCanUseAreLeftOut) {
  const auto plugin = make_plugin();
  const ior::TaggedProfile profile = ior::make_iiop_profile({2, {"host", 0}, {1}, {}});
  const auto view = plugin->read_profile(profile.data);
  ASSERT_TRUE(view);
  EXPECT_TRUE(view->addresses.empty());
}

TEST(IiopPlugin, BracketsInAProfileAreTolerated) {
  const auto plugin = make_plugin();
  const ior::TaggedProfile profile = ior::make_iiop_profile({2, {"[::1]", 7}, {1}, {}});
  const auto view = plugin->read_profile(profile.data);
  ASSERT_TRUE(view);
  ASSERT_EQ(view->addresses.size(), 1U);
  EXPECT_EQ(view->addresses[0].text, "[::1]:7");
}

TEST(IiopPlugin, UrlAddresses) {
  const auto plugin = make_plugin();
  protocol::ProfileView view;
  std::string why;
  ASSERT_TRUE(plugin->read_url_address("1.2@host", view, why)) << why;
  EXPECT_EQ(view.minor, 2);
  ASSERT_TRUE(plugin->read_url_address("[::1]:5", view, why)) << why;
  EXPECT_EQ(view.minor, 0) << "without a version it is 1.0, and the profile is what all addresses can do";
  EXPECT_EQ(view.addresses, (std::vector<protocol::Address>{{"host:2809"}, {"[::1]:5"}}));
  EXPECT_EQ(plugin->url_address(view, 1), "[::1]:5");
  for (const char* text : {"2.0@host", "1.x@host", ":1", "host:99999", "::1"}) {
    why.clear();
    EXPECT_FALSE(plugin->read_url_address(text, view, why)) << text;
    EXPECT_NE(why.find(text), std::string::npos) << why;
  }
}

// A peer says how many addresses a reference has, and how long they are.
TEST(IiopProfile, AddressesThatAreUsedHaveALimit) {
  ior::IiopProfile body;
  body.minor = 2;
  body.key = {'k'};
  body.address = {"host", 1};
  for (std::uint16_t i = 0; i < 1000; ++i) {
    body.components.push_back(
        ior::alternate_address_component({"10.0.0.1", static_cast<std::uint16_t>(i + 1)}));
    body.components.push_back({ior::tag_orb_type, {0, 0, 0, 0, 0, 0, 0, 1}});
  }
  const auto view = make_plugin()->read_profile(ior::make_iiop_profile(body).data);
  ASSERT_TRUE(view);
  ASSERT_EQ(view->addresses.size(), 64U);
  EXPECT_EQ(view->addresses.front().text, "host:1");
  EXPECT_EQ(view->addresses.back().text, "10.0.0.1:63");
  EXPECT_EQ(view->components.size(), 1000U);
  body.address = {std::string(1 << 20, 'x'), 1};
  EXPECT_FALSE(make_plugin()->read_profile(ior::make_iiop_profile(body).data));
}

}  // namespace
}  // namespace tenon::iiop
