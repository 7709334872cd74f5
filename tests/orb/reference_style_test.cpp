// SPDX-License-Identifier: Apache-2.0
//
// What references of a server say, as its options and its endpoints have it: addresses, versions, and the style of their text.
#include <algorithm>

#include "base/minor_codes.hpp"
#include "ior/iiop_profile.hpp"
#include "orb/reference.hpp"
#include "tests/orb/world.hpp"

namespace tenon::suite {
namespace {

/// A server with an object.
struct PublishingServer {
  explicit PublishingServer(const Words& options)
      : orb(options),
        servant(CORBA::make_reference<TestServant>(*orb)),
        test(tenon::publish<Suite::Test_skeleton>(orb.ref(), servant, "t")) {}
  /// "1.2 host:port other:port" per profile.
  Words profiles() const {
    Words all;
    for (const orb::UsableProfile& profile : test->_reference()->profiles()) {
      all.push_back("1." + std::to_string(profile.view.minor));
      for (const protocol::Address& address : profile.view.addresses) all.back() += " " + address.text;
    }
    return all;
  }
  std::string port() const {
    const std::string endpoint = orb->_endpoints().front();
    return endpoint.substr(endpoint.rfind(':'));
  }
  ScopedOrb orb;
  CORBA::servant_reference<TestServant> servant;
  TestRef test;
};

std::int32_t called_over(const ScopedOrb& client, const std::string& text) {
  return IDL::traits<Suite::Test>::unchecked_narrow(client->string_to_object(text))->add(20, 3);
}

TEST(References, SayTheVersionOfTheirEndpoint) {
  const PublishingServer server(
      {"-ORBListenEndpoints", "iiop://1.1@127.0.0.1;iiop://127.0.0.1;iiop://1.0@127.0.0.1"});
  const Words endpoints = server.orb->_endpoints();
  const auto address = [&](std::size_t i) { return endpoints[i].substr(std::string("iiop://").size()); };
  EXPECT_EQ(server.profiles(), (Words{"1.1 " + address(0), "1.2 " + address(1), "1.0 " + address(2)}));
  const PublishingServer old({"-ORBListenEndpoints", "iiop://1.2@127.0.0.1", "-ORBGIOPVersion", "1.1"});
  EXPECT_TRUE(old.profiles().front().starts_with("1.1 ")) << "never above the ORB's own";
  const ScopedOrb client;
  EXPECT_EQ(seen_by(*client, server.test)->add(1, 2), 3);
}

TEST(References, SayWhatTheirEndpointPublishes) {
  const PublishingServer named({"-ORBListenEndpoints", "iiop://127.0.0.1/hostname_in_ior=gw.example.org"});
  EXPECT_EQ(named.profiles(), Words{"1.2 gw.example.org" + named.port()});
  const PublishingServer name({"-ORBListenEndpoints", "iiop://localhost"});
  EXPECT_EQ(name.profiles(), Words{"1.2 localhost" + name.port()});
  const PublishingServer numbers(
      {"-ORBListenEndpoints", "iiop://localhost", "-ORBDottedDecimalAddresses", "1"});
  EXPECT_FALSE(has(numbers.profiles().front(), "localhost")) << numbers.profiles().front();
  EXPECT_TRUE(numbers.profiles().front().ends_with(numbers.port())) << numbers.profiles().front();
  const ScopedOrb client;
  EXPECT_EQ(seen_by(*client, numbers.test)->add(1, 2), 3);
}

TEST(References, SayWhatTheOptionsOfOmniOrbPublish) {
  const Words listen{"-ORBendPoint", "giop:tcp:127.0.0.1:"};
  const auto listening_with = [&](Words more) {
    more.insert(more.end(), listen.begin(), listen.end());
    return more;
  };
  const PublishingServer other(listening_with({"-ORBendPointPublish", "giop:tcp:gw.example.org:4000"}));
  EXPECT_EQ(other.profiles(), Words{"1.2 gw.example.org:4000"});
  const PublishingServer both(listening_with({"-ORBendPointPublish", "addr,giop:tcp:gw.example.org:"}));
  EXPECT_EQ(both.profiles(), Words{"1.2 127.0.0.1" + both.port() + " gw.example.org" + both.port()});
  const PublishingServer more(listening_with({"-ORBendPointNoListen", "giop:tcp:[2001:db8::1]:5",
                                              "-ORBendPointNoListen", "giop:tcp:gw.example.org:4000"}));
  EXPECT_EQ(more.profiles(), Words{"1.2 127.0.0.1" + more.port() + " [2001:db8::1]:5 gw.example.org:4000"});
  const ScopedOrb client;
  EXPECT_EQ(seen_by(*client, both.test)->add(1, 2), 3);
  // Calls of the server itself know that these are its own.
  EXPECT_EQ(seen_by(*other.orb, other.test)->add(1, 2), 3);
  // The endpoint's own words count more.
  const PublishingServer itself({"-ORBListenEndpoints", "iiop://127.0.0.1/publish=a.example.org",
                                 "-ORBendPointPublish", "giop:tcp:b.example.org:1"});
  EXPECT_EQ(itself.profiles(), Words{"1.2 a.example.org" + itself.port()});
}

TEST(References, BecomeUrlsIfWanted) {
  const PublishingServer server({"-ORBListenEndpoints", "iiop://127.0.0.1", "-ORBObjRefStyle", "url"});
  const ScopedOrb client;
  const std::string url = server.orb->object_to_string(server.test);
  EXPECT_TRUE(url.starts_with("corbaloc:iiop:1.2@127.0.0.1" + server.port() + "/")) << url;
  EXPECT_EQ(called_over(client, url), 23);
  EXPECT_TRUE(client->object_to_string(server.test).starts_with("IOR:"));
  EXPECT_TRUE(server.orb->object_to_string(nullptr).starts_with("IOR:"));
  EXPECT_EQ(
      outcome_of([&] { server.orb->object_to_string(server.orb->resolve_initial_references("RootPOA")); }),
      text_of(errors::local_object));

  const PublishingServer path(
      {"-ORBListenEndpoints", "iiop://127.0.0.1;" + endpoint_of("uiop"), "-ORBObjRefStyle", "url"});
  const std::string two = path.orb->object_to_string(path.test);
  EXPECT_TRUE(has(two, ",uiop:1.2@") && has(two, "|")) << two;
  EXPECT_EQ(called_over(client, two), 23);
}

TEST(References, ThatHoldMoreThanAUrlCanSayStayIors) {
  const PublishingServer server({"-ORBListenEndpoints", "iiop://127.0.0.1", "-ORBObjRefStyle", "url"});
  const auto text_with = [&](const std::function<void(ior::Ior&)>& change) {
    ior::Ior changed = server.test->_reference()->ior();
    change(changed);
    return server.orb->object_to_string(server.orb->string_to_object(ior::to_ior_text(changed)));
  };
  EXPECT_TRUE(text_with([](ior::Ior&) {}).starts_with("corbaloc:"));
  EXPECT_TRUE(
      text_with([](ior::Ior& ior) { ior.profiles.push_back({.tag = 77, .data = {0}}); }).starts_with("IOR:"));
  EXPECT_TRUE(text_with([](ior::Ior& ior) {
                auto view = ior::parse_iiop_profile(ior.profiles[0].data);
                view->components.push_back({.tag = ior::tag_policies, .data = {0, 0, 0, 0}});
                ior.profiles[0] = ior::make_iiop_profile(*view);
              }).starts_with("IOR:"))
      << "policies";
  EXPECT_TRUE(text_with([](ior::Ior& ior) {
                auto view = ior::parse_iiop_profile(ior.profiles[0].data);
                view->key.push_back('x');
                ior.profiles.push_back(ior::make_iiop_profile(*view));
              }).starts_with("IOR:"))
      << "two keys";
}

}  // namespace
}  // namespace tenon::suite
