// SPDX-License-Identifier: Apache-2.0
//
// Connections to hosts that have names: who asks for them, and what a server that moves, or a resolver that fails, does to a call.
// What is remembered for how long is in net/host_names_test.cpp.
#include <gtest/gtest.h>

#include "base/minor_codes.hpp"
#include "net/name_source_test_support.hpp"
#include "plugins/iiop/iiop.hpp"
#include "plugins/iiop/plugin.hpp"

namespace tenon::iiop {
namespace {

class IiopNames : public testing::Test {
 protected:
  void SetUp() override {
    std::string why;
    // One port on two addresses: so that only the name decides where a connection goes.
    acceptor = server->listen("iiop://127.0.0.1", why);
    ASSERT_TRUE(acceptor) << why;
    port = acceptor->published().front().substr(acceptor->published().front().rfind(':'));
  }
  Error connect_error(const std::string& host, Deadline deadline = Deadline::after_ms(60'000)) {
    auto made = client->connect({host + port}, deadline);
    if (!made) return made.error();
    EXPECT_EQ((*made)->peer(), acceptor->published().front());
    return {};
  }

  std::shared_ptr<net::TestSource> source = std::make_shared<net::TestSource>();
  const std::unique_ptr<protocol::TransportPlugin> server = make_plugin();
  const std::unique_ptr<protocol::TransportPlugin> client = make_plugin(source);
  std::unique_ptr<protocol::Acceptor> acceptor;
  std::string port;
};

TEST_F(IiopNames, AreAskedForOnceAndNotByTheCaller) {
  source->answer("here", "127.0.0.1");
  EXPECT_EQ(connect_error("here"), Error());
  EXPECT_EQ(connect_error("here"), Error());
  EXPECT_EQ(source->questions(), 1U);
  EXPECT_FALSE(source->asked_on(std::this_thread::get_id()));
}

TEST_F(IiopNames, AreAskedForWhenTheyAreExpected) {
  source->answer("here", "127.0.0.1");
  client->expect({"here" + port});
  EXPECT_TRUE(source->wait_until_asked("here", 1));
  EXPECT_EQ(connect_error("here"), Error());
  EXPECT_EQ(source->questions(), 1U);
}

TEST_F(IiopNames, NumbersAreNone) {
  client->expect({"127.0.0.1" + port});
  client->expect({"[::1]" + port});
  client->expect({"not an address"});
  EXPECT_EQ(connect_error("127.0.0.1"), Error());
  EXPECT_EQ(connect_error("1.2.3.4.5"), errors::host_not_found);
  EXPECT_EQ(source->questions(), 0U);
}

TEST_F(IiopNames, ErrorsSayWhatWentWrong) {
  EXPECT_EQ(connect_error("nobody"), errors::host_not_found);
  source->hold("stuck");
  EXPECT_EQ(connect_error("stuck", Deadline::after_ms(5)), errors::look_up_timed_out);
  source->let_go("stuck");
}

TEST_F(IiopNames, AServerThatHasMovedIsFoundByTheSameCall) {
  source->answer("here", "127.0.0.2");
  EXPECT_EQ(connect_error("here"), errors::cannot_connect);
  EXPECT_EQ(source->questions(), 1U) << "an answer of this moment is not asked for again";
  source->answer("here", "127.0.0.1");
  EXPECT_EQ(connect_error("here"), Error());
  EXPECT_EQ(connect_error("here"), Error());
  EXPECT_EQ(source->questions(), 2U);
}

TEST_F(IiopNames, AServerThatIsDownIsSaidToBeDown) {
  source->answer("here", "127.0.0.2");
  EXPECT_EQ(connect_error("here"), errors::cannot_connect);
  source->forget("here");
  EXPECT_EQ(connect_error("here"), errors::cannot_connect) << "not that its name is unknown now";
  source->hold("here");
  EXPECT_EQ(connect_error("here"), errors::cannot_connect) << "nor that the resolver is slow";
  source->let_go("here");
}

TEST_F(IiopNames, TheOptionSaysHowLongTheyAreRemembered) {
  source->answer("here", "127.0.0.1");
  client->configure({{.host_names_fresh_ms = 0}});
  EXPECT_EQ(connect_error("here"), Error());
  EXPECT_EQ(connect_error("here"), Error());
  EXPECT_EQ(source->questions(), 2U);
}

// --- plug-ins without a part ---

TEST(IiopParts, WithoutNamesAHostIsToBeInNumbers) {
  const std::unique_ptr<Plugin> plugin = make_bare_plugin();
  add_connecting(*plugin);
  add_listening(*plugin);
  std::string why;
  EXPECT_FALSE(plugin->listen("iiop://localhost:0", why));
  EXPECT_EQ(why,
            "endpoint 'iiop://localhost:0': write the host in numbers: this program's start-up does not name "
            "tenon::parts::host_names");
  EXPECT_FALSE(plugin->listen("iiop://1.2.3.4.5:0", why));
  EXPECT_EQ(why, "endpoint 'iiop://1.2.3.4.5:0': this is no address of a host");
  const auto acceptor = plugin->listen("iiop://127.0.0.1", why);
  ASSERT_TRUE(acceptor) << why;
  const std::string published = acceptor->published().front();

  plugin->expect({"localhost:1"});
  const auto by_name =
      plugin->connect({"localhost" + published.substr(published.rfind(':'))}, Deadline::never());
  ASSERT_FALSE(by_name);
  EXPECT_EQ(by_name.error(), errors::no_host_names_part);
  EXPECT_TRUE(describe(by_name.error()).find("tenon::parts::host_names") != std::string_view::npos);
  EXPECT_EQ(plugin->connect({"1.2.3.4.5:1"}, Deadline::never()).error(), errors::host_not_found);
  EXPECT_TRUE(plugin->connect({published}, Deadline::never()));
}

TEST(IiopParts, OptionsOfEndpointsAreOne) {
  const std::unique_ptr<Plugin> plugin = make_bare_plugin();
  add_listening(*plugin);
  std::string why;
  for (const char* more :
       {"iiop://127.0.0.1:0/keepalive=no", "iiop://1.1@127.0.0.1:0", "iiop://127.0.0.1:5000-5010"}) {
    why.clear();
    EXPECT_FALSE(plugin->listen(more, why)) << more;
    EXPECT_NE(why.find("must name tenon::parts::endpoint_options"), std::string::npos) << why;
  }
  EXPECT_FALSE(plugin->listen("iiop://::1:0", why));
  EXPECT_EQ(why,
            "endpoint 'iiop://::1:0': '::1:0': put brackets around an IPv6 address, for example [::1]:2809");
  for (const char* plain : {"iiop://127.0.0.1:0", "iiop://127.0.0.1", "giop:tcp:127.0.0.1:0", "iiop://"})
    EXPECT_TRUE(plugin->listen(plain, why)) << why;
  for (const protocol::TransportOptions& options :
       {protocol::TransportOptions{.publish = {"gw.example.org"}},
        protocol::TransportOptions{.publish_also = {"gw.example.org"}},
        protocol::TransportOptions{.peer_rules = {{}}},
        protocol::TransportOptions{.publish_numbers = true}}) {
    plugin->configure(options);
    why.clear();
    EXPECT_FALSE(plugin->listen("iiop://127.0.0.1:0", why));
    EXPECT_NE(why.find("must name tenon::parts::endpoint_options"), std::string::npos) << why;
  }
  add_endpoint_options(*plugin);
  EXPECT_TRUE(plugin->listen("iiop://127.0.0.1:0/keepalive=no", why)) << why;
}

TEST(IiopParts, AddressesOfUrlsAreOne) {
  const std::unique_ptr<Plugin> plugin = make_bare_plugin();
  protocol::ProfileView view;
  std::string why;
  Plugin::urls = nullptr;
  EXPECT_FALSE(plugin->read_url_address("1.1@192.0.2.7:2809", view, why));
  EXPECT_EQ(why, "this program's start-up does not name tenon::parts::corbaloc");
  enable_urls();
  ASSERT_TRUE(plugin->read_url_address("1.1@192.0.2.7:2809", view, why)) << why;
  EXPECT_EQ(plugin->url_address(view, 0), "1.1@192.0.2.7:2809");
  EXPECT_EQ(plugin->read_profile(plugin->make_profile(view).data)->addresses, view.addresses);
}

TEST(IiopParts, WhatIsMissingIsNamed) {
  const std::unique_ptr<Plugin> plugin = make_bare_plugin();
  std::string why;
  EXPECT_FALSE(plugin->listen("iiop://127.0.0.1", why));
  EXPECT_EQ(why,
            "endpoint 'iiop://127.0.0.1': this program's start-up does not name tenon::parts::iiop_server");
  const auto connected = plugin->connect({"127.0.0.1:1"}, Deadline::never());
  ASSERT_FALSE(connected);
  EXPECT_EQ(connected.error(), errors::no_connecting_part);
  EXPECT_TRUE(describe(connected.error()).find("tenon::parts::iiop_client") != std::string_view::npos);
}

}  // namespace
}  // namespace tenon::iiop
