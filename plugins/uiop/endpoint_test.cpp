// SPDX-License-Identifier: Apache-2.0
//
// What an endpoint's text means, and UIOP's addresses. What every transport does is in conformance_test.cpp.
#include "plugins/uiop/endpoint.hpp"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <climits>
#include <filesystem>

#include "base/log.hpp"
#include "base/minor_codes.hpp"
#include "plugins/uiop/abandoned.hpp"
#include "plugins/uiop/plugin.hpp"
#include "plugins/uiop/uiop.hpp"

namespace tenon::uiop {
namespace {

Endpoint endpoint(std::string_view text) {
  std::string why;
  const auto read = read_endpoint(text, why);
  EXPECT_TRUE(read) << why;
  return read.value_or(Endpoint());
}

TEST(UiopEndpoint, ReadsEverySpelling) {
  EXPECT_EQ(endpoint("uiop:///run/app.sock").path, "/run/app.sock");
  EXPECT_EQ(endpoint("giop:unix:/run/app.sock").path, "/run/app.sock");
  EXPECT_EQ(endpoint("uiop://@name").path, "@name");
  char folder[PATH_MAX];
  ASSERT_NE(::getcwd(folder, sizeof folder), nullptr);
  EXPECT_EQ(endpoint("uiop://sub/app.sock").path, std::string(folder) + "/sub/app.sock");
  const std::string made = endpoint("uiop://").path;
  EXPECT_TRUE(made.starts_with('/'));
  EXPECT_NE(made, endpoint("uiop://").path);
}

TEST(UiopEndpoint, APathThatAKilledServerChoseIsRemovedByTheNext) {
  const auto plugin = make_plugin();
  std::string why;
  const pid_t killed = ::fork();
  ASSERT_GE(killed, 0);
  if (killed == 0) {
    const auto acceptor = plugin->listen("uiop://", why);
    ::_exit(acceptor != nullptr ? 0 : 1);
  }
  int status = 1;
  ASSERT_EQ(::waitpid(killed, &status, 0), killed);
  ASSERT_EQ(status, 0);
  const auto left_by = [](pid_t process) {
    const std::string folder = std::filesystem::path(fresh_path()).parent_path();
    const std::string wanted = "tenon-uiop-" + std::to_string(process) + "-";
    for (const auto& entry : std::filesystem::directory_iterator(folder))
      if (entry.path().filename().string().starts_with(wanted)) return true;
    return false;
  };
  EXPECT_TRUE(left_by(killed));
  const auto next = plugin->listen("uiop://", why);
  ASSERT_TRUE(next) << why;
  EXPECT_FALSE(left_by(killed));
  EXPECT_TRUE(left_by(::getpid())) << "its own is there";
  const auto third = plugin->listen("uiop://", why);
  ASSERT_TRUE(third) << why;
  EXPECT_TRUE(left_by(::getpid()));
}

TEST(UiopEndpoint, ReadsOptions) {
  const Endpoint read = endpoint("uiop:///a|mode=0640,backlog=3");
  EXPECT_EQ(read.path, "/a");
  EXPECT_EQ(read.options.mode, 0640U);
  EXPECT_EQ(read.options.backlog, 3);
}

TEST(UiopEndpoint, ErrorsNameOptionValueAndRemedy) {
  const struct {
    const char* text;
    std::vector<const char*> said;
  } cases[] = {
      {"uiop:///a|mode=9", {"'mode'", "'9'", "mode=0660"}},
      {"uiop:///a|mode=7777", {"'mode'", "'7777'"}},
      {"uiop:///a|backlog=-1", {"'backlog'", "'-1'"}},
      {"uiop:///a|colour=red", {"'colour'", "'red'", "mode"}},
      {"iiop://x", {"uiop://"}},
  };
  for (const auto& [text, said] : cases) {
    std::string why;
    EXPECT_FALSE(read_endpoint(text, why)) << text;
    EXPECT_NE(why.find(text), std::string::npos) << why;
    for (const char* part : said) EXPECT_NE(why.find(part), std::string::npos) << why << " lacks " << part;
  }
}

TEST(UiopPlugin, TooLongAPathIsExplained) {
  std::string why;
  EXPECT_FALSE(make_plugin()->listen("uiop:///" + std::string(200, 'x'), why));
  EXPECT_NE(why.find("107"), std::string::npos) << why;
  EXPECT_EQ(make_plugin()->connect({'/' + std::string(200, 'x')}, Deadline::after_ms(1000)).error(),
            errors::bad_address);
}

TEST(UiopPlugin, APeerThatIsNotServedIsNamedByItsProcess) {
  const auto plugin = make_plugin();
  std::string why;
  protocol::TransportOptions options;
  protocol::PeerRule rule;
  rule.peers = *net::AddressMask::parse("*", why);
  rule.tcp = true;
  options.peer_rules = {rule};
  plugin->configure(options);
  const std::string name = "@tenon-test-refused-" + std::to_string(::getpid());
  const auto acceptor = plugin->listen("uiop://" + name, why);
  ASSERT_TRUE(acceptor) << why;
  std::string logged;
  set_log_sink([](void* context, LogLevel, std::string_view,
                  std::string_view text) { static_cast<std::string*>(context)->append(text).append("\n"); },
               &logged);
  set_log_level(LogLevel::debug);
  const auto path = make_plugin()->connect(name, Deadline::after_ms(10'000));
  EXPECT_TRUE(path);
  const auto accepted = acceptor->accept_now();
  set_log_level(LogLevel::off);
  set_log_sink(nullptr, nullptr);
  ASSERT_TRUE(accepted);
  EXPECT_EQ(*accepted, nullptr);
  EXPECT_EQ(logged, "process " + std::to_string(::getpid()) +
                        " is not served: -ORBserverTransportRule does not let it\n");
}

TEST(UiopPlugin, AbstractNames) {
  const auto plugin = make_plugin();
  const std::string name = "@tenon-test-" + std::to_string(::getpid());
  std::string why;
  const auto acceptor = plugin->listen("uiop://" + name, why);
  ASSERT_TRUE(acceptor) << why;
  EXPECT_EQ(acceptor->published(), std::vector<std::string>{name});
  EXPECT_TRUE(plugin->connect({name}, Deadline::after_ms(1000)));
  const auto server = acceptor->accept();
  ASSERT_TRUE(server);
  EXPECT_EQ((*server)->peer(), "process " + std::to_string(::getpid()));
}

TEST(UiopPlugin, UrlAddressesEscapeWhatWouldEndThem) {
  const auto plugin = make_plugin();
  protocol::ProfileView view;
  view.minor = 2;
  view.addresses = {{"/run/a,b|c d%.sock"}};
  const std::string text = plugin->url_address(view, 0);
  EXPECT_EQ(text.find_first_of(",| "), std::string::npos) << text;
  protocol::ProfileView again;
  std::string why;
  ASSERT_TRUE(plugin->read_url_address(text, again, why)) << why;
  EXPECT_EQ(again.addresses, view.addresses);
}

TEST(UiopPlugin, SocketsHaveTheBuffersOfTheOptions) {
  const auto plugin = make_plugin();
  protocol::TransportOptions options;
  options.socket_buffers = {.send = 20000, .receive = 30000};
  plugin->configure(options);
  std::string why;
  const auto acceptor = plugin->listen("uiop://", why);
  ASSERT_TRUE(acceptor) << why;
  auto client = plugin->connect({acceptor->published()[0]}, Deadline::after_ms(5000));
  auto server = acceptor->accept();
  ASSERT_TRUE(client && server);
  for (const auto* end : {&*client, &*server}) {
    int bytes = 0;
    socklen_t size = sizeof bytes;
    ASSERT_EQ(::getsockopt(*(*end)->poll_descriptor(), SOL_SOCKET, SO_SNDBUF, &bytes, &size), 0);
    EXPECT_EQ(bytes, 40000) << "Linux doubles what it is told";
  }
}

TEST(UiopParts, WhatIsMissingIsNamed) {
  const std::unique_ptr<Plugin> plugin = make_bare_plugin();
  std::string why;
  EXPECT_FALSE(plugin->listen("uiop:///tmp/nothing", why));
  EXPECT_EQ(
      why, "endpoint 'uiop:///tmp/nothing': this program's start-up does not name tenon::parts::uiop_server");
  const auto connected = plugin->connect({"/tmp/nothing"}, Deadline::never());
  ASSERT_FALSE(connected);
  EXPECT_EQ(connected.error(), errors::no_connecting_part);
  EXPECT_TRUE(describe(connected.error()).find("uiop_client") != std::string_view::npos);
}

}  // namespace
}  // namespace tenon::uiop
