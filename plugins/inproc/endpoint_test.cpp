// SPDX-License-Identifier: Apache-2.0
//
// What an endpoint's text means, profiles and URLs, and which process an address belongs to.
#include "plugins/inproc/endpoint.hpp"

#include <gtest/gtest.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>
#include <thread>

#include "base/minor_codes.hpp"
#include "ior/named_address.hpp"
#include "plugins/inproc/inproc.hpp"
#include "plugins/inproc/plugin.hpp"
#include "plugins/inproc/process.hpp"
#include "plugins/inproc/profile.hpp"

namespace tenon::inproc {
namespace {

std::string refusal(std::string_view text) {
  std::string why;
  EXPECT_FALSE(read_endpoint(text, why)) << text;
  return why;
}

TEST(InprocEndpoint, ReadsNamesAndOptions) {
  std::string why;
  const auto named = read_endpoint("inproc://app.1_x-Y|backlog=3", why);
  ASSERT_TRUE(named) << why;
  EXPECT_EQ(named->name, "app.1_x-Y");
  EXPECT_EQ(named->backlog, 3);
  const auto fresh = read_endpoint("inproc://", why);
  ASSERT_TRUE(fresh) << why;
  EXPECT_EQ(fresh->name, "");
}

TEST(InprocEndpoint, ErrorsSayWhatWouldBeRight) {
  for (const std::string text :
       {"inproc:///run/app", "inproc://@name", "inproc://a b", "inproc://a/b", "inproc://a,b"}) {
    EXPECT_NE(refusal(text).find("'" + text + "'"), std::string::npos);
    EXPECT_NE(refusal(text).find("inproc://name"), std::string::npos);
  }
  EXPECT_NE(refusal("inproc://" + std::string(ior::longest_name + 1, 'x')).find("at most 100"),
            std::string::npos);
  EXPECT_NE(refusal("inproc://a|mode=1").find("it has backlog"), std::string::npos);
  EXPECT_NE(refusal("inproc://a|backlog=0").find("from 1 up"), std::string::npos);
}

TEST(InprocEndpoint, ANameIsOneListeners) {
  const auto plugin = make_plugin();
  std::string why;
  auto first = plugin->listen("inproc://once", why);
  ASSERT_TRUE(first) << why;
  EXPECT_EQ(first->endpoint(), "inproc://once");
  EXPECT_EQ(first->published(), std::vector<std::string>{"once"});
  EXPECT_FALSE(first->fixed()) << "its references end with the process";
  EXPECT_FALSE(make_plugin()->listen("inproc://once", why)) << "of another ORB, too";
  EXPECT_NE(why.find("choose another one"), std::string::npos) << why;
  first->shut_down();
  EXPECT_TRUE(plugin->listen("inproc://once", why)) << why;
}

TEST(InprocEndpoint, FreshNamesDiffer) {
  const auto plugin = make_plugin();
  std::string why;
  const auto one = plugin->listen("inproc://", why);
  ASSERT_TRUE(one) << why;
  const std::string name = one->published().front();
  EXPECT_TRUE(ior::is_name(name)) << name;
  // Names that the next ones would get, if nobody looked.
  std::vector<std::unique_ptr<protocol::Acceptor>> taken;
  const std::string stem = name.substr(0, name.rfind('-') + 1);
  const int number = std::stoi(name.substr(stem.size()));
  for (int i = 1; i <= 2; ++i) {
    taken.push_back(plugin->listen("inproc://" + stem + std::to_string(number + i), why));
    ASSERT_TRUE(taken.back()) << why;
  }
  const auto other = plugin->listen("inproc://", why);
  ASSERT_TRUE(other) << why;
  EXPECT_EQ(other->published().front(), stem + std::to_string(number + 3));
}

TEST(InprocEndpoint, ABacklogMakesClientsWait) {
  const auto plugin = make_plugin();
  std::string why;
  const auto acceptor = plugin->listen("inproc://|backlog=2", why);
  ASSERT_TRUE(acceptor) << why;
  const std::string name = acceptor->published().front();
  const auto one = plugin->connect(name, Deadline::immediately());
  const auto two = plugin->connect(name, Deadline::immediately());
  ASSERT_TRUE(one && two);
  EXPECT_EQ(plugin->connect(name, Deadline::after_ms(10)).error(), errors::connect_timed_out);
  std::thread accepting([&] { EXPECT_TRUE(acceptor->accept()); });
  EXPECT_TRUE(plugin->connect(name, Deadline::never()));
  accepting.join();
  // Who waits for its turn when the endpoint closes is told.
  std::thread closing([&] { acceptor->shut_down(); });
  EXPECT_EQ(plugin->connect(name, Deadline::never()).error(), errors::cannot_connect);
  closing.join();
  std::uint8_t octet = 0;
  EXPECT_EQ((*two)->receive({&octet, 1}, Deadline::never()).result, protocol::Io::closed)
      << "one that was never accepted";
}

TEST(InprocEndpoint, APollerSeesWhoWaits) {
  const auto plugin = make_plugin();
  std::string why;
  const auto acceptor = plugin->listen("inproc://", why);
  ASSERT_TRUE(acceptor) << why;
  const auto none = acceptor->accept_now();
  ASSERT_TRUE(none);
  EXPECT_FALSE(*none);
  const auto descriptor = acceptor->poll_descriptor();
  ASSERT_TRUE(descriptor);
  EXPECT_EQ(acceptor->poll_descriptor(), descriptor) << "the same each time";
  const auto readable = [&] {
    pollfd watched{*descriptor, POLLIN, 0};
    return ::poll(&watched, 1, 0) == 1;
  };
  EXPECT_FALSE(readable());
  const auto one = plugin->connect(acceptor->published().front(), Deadline::never());
  const auto two = plugin->connect(acceptor->published().front(), Deadline::never());
  EXPECT_TRUE(readable());
  EXPECT_TRUE(*acceptor->accept_now());
  EXPECT_TRUE(readable());
  EXPECT_TRUE(*acceptor->accept_now());
  EXPECT_FALSE(readable());
  acceptor->shut_down();
  EXPECT_TRUE(readable());
  EXPECT_EQ(acceptor->accept_now().error(), errors::listener_closed);
}

Profile sample() { return {2, Process::current()->text(), "name", {'k', 0, 'y'}, {{7, {1, 2}}}}; }

TEST(InprocProfile, IsKept) {
  for (std::uint8_t minor = 0; minor <= 2; ++minor) {
    Profile profile = sample();
    profile.minor = minor;
    if (minor == 0) profile.components.clear();
    const ior::TaggedProfile written = write_profile(profile);
    EXPECT_EQ(written.tag, 0x544E0003u);
    const auto again = parse_profile(written.data);
    ASSERT_TRUE(again);
    EXPECT_EQ(*again, profile);
  }
}

TEST(InprocProfile, WhatIsNoNameIsNoProfile) {
  for (const char* address : {"", "@name", "a b", "/run/x"}) {
    Profile profile = sample();
    profile.address = address;
    EXPECT_FALSE(parse_profile(write_profile(profile).data)) << address;
  }
  Profile profile = sample();
  profile.place.assign(1000, 'x');
  EXPECT_FALSE(parse_profile(write_profile(profile).data));
}

TEST(InprocProfile, OfAnotherProcessIsNotUsed) {
  const Plugin plugin;
  Profile profile = sample();
  const auto here = plugin.read_profile(write_profile(profile).data);
  ASSERT_TRUE(here);
  EXPECT_EQ(here->object_key, profile.key);
  EXPECT_EQ(here->addresses.at(0).text, "name");
  // One that has had this process's id on this machine is told by the random number at the end.
  std::string same_id = profile.place;
  same_id.back() = same_id.back() == '0' ? '1' : '0';
  for (const std::string& place : {std::string(), same_id, profile.place + "0"}) {
    profile.place = place;
    EXPECT_EQ(plugin.read_profile(write_profile(profile).data).error(), errors::bad_address) << place;
  }
}

/// Whether it holds in a child of this process, which was forked.
bool holds_in_a_child(const std::function<bool()>& claim) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(claim() ? 0 : 1);
  int status = -1;
  return ::waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

TEST(InprocProcess, AChildIsAnotherOne) {
  const auto plugin = make_plugin();
  std::string why;
  const auto acceptor = plugin->listen("inproc://parent", why);
  ASSERT_TRUE(acceptor) << why;
  const std::string text = Process::current()->text();
  EXPECT_NE(text.find("/" + std::to_string(::getpid()) + "/"), std::string::npos) << text;
  const ior::TaggedProfile profile = write_profile(sample());
  EXPECT_TRUE(holds_in_a_child([&] {
    const Process* const here = Process::current();
    return here != nullptr && here->text() != text && here == Process::current();
  }));
  EXPECT_TRUE(holds_in_a_child([&] { return !plugin->read_profile(profile.data); }));
  EXPECT_TRUE(holds_in_a_child([&] {
    return plugin->connect("parent", Deadline::after_ms(1000)).error() == errors::cannot_connect;
  })) << "there is no thread that would accept it";
  EXPECT_TRUE(holds_in_a_child([&] {
    const auto own = plugin->listen("inproc://parent", why);
    return own && plugin->connect("parent", Deadline::never());
  }));
  EXPECT_EQ(Process::current()->text(), text);
  EXPECT_TRUE(plugin->connect("parent", Deadline::never()));
}

TEST(InprocUrl, IsReadAndWritten) {
  const Plugin plugin;
  std::string why;
  protocol::ProfileView view;
  ASSERT_TRUE(plugin.read_url_address("1.2@name", view, why)) << why;
  EXPECT_EQ(view.minor, 2);
  EXPECT_EQ(view.addresses.at(0).text, "name");
  EXPECT_EQ(plugin.url_address(view, 0), "1.2@name");
  ASSERT_TRUE(plugin.read_url_address("other", view, why)) << why;
  EXPECT_EQ(view.minor, 0) << "the lowest";
  EXPECT_EQ(view.addresses.size(), 2u);
  for (const char* wrong : {"1.2@", "2.0@name", "1.2@@name", "@name", "1.x@name", "/name"}) {
    EXPECT_FALSE(plugin.read_url_address(wrong, view, why)) << wrong;
    EXPECT_NE(why.find("1.2@name"), std::string::npos) << why;
  }
}

TEST(InprocParts, AreMissedByName) {
  Plugin plugin;
  std::string why;
  EXPECT_FALSE(plugin.listen("inproc://", why));
  EXPECT_NE(why.find("tenon::parts::inproc_server"), std::string::npos);
  EXPECT_EQ(plugin.connect("name", Deadline::never()).error(), errors::no_connecting_part);
  add_connecting(plugin);
  EXPECT_EQ(plugin.connect("@name", Deadline::never()).error(), errors::bad_address);
  EXPECT_EQ(plugin.connect("name", Deadline::never()).error(), errors::cannot_connect);
}

}  // namespace
}  // namespace tenon::inproc
