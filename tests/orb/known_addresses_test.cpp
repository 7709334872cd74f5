// SPDX-License-Identifier: Apache-2.0
//
// A client that calls ever new addresses: those that lead nowhere now, and that no reference has used, are forgotten.
#include <algorithm>

#include "net/listener.hpp"
#include "tests/orb/world.hpp"

namespace tenon::suite {
namespace {

/// One of the addresses of the loopback interface, a different one each time.
class Addresses {
 public:
  std::string next() {
    const unsigned n = ++used_;
    return "127." + std::to_string(1 + n / 62500) + '.' + std::to_string(n / 250 % 250) + '.' +
           std::to_string(1 + n % 250);
  }

 private:
  unsigned used_ = 0;
};

/// A server that can be called at all of them.
class Server {
 public:
  Server() : orb_({"-ORBListenEndpoints", "iiop://0.0.0.0:0"}) {
    tenon::publish<Suite::Test_skeleton>(orb_.ref(), CORBA::make_reference<TestServant>(*orb_), "t");
    const std::string endpoint = orb_->_endpoints().front();
    port_ = endpoint.substr(endpoint.rfind(':'));
  }
  TestRef at(CORBA::ORB& client, const std::string& address) const {
    return IDL::traits<Suite::Test>::unchecked_narrow(
        client.string_to_object("corbaloc::" + address + port_ + "/t"));
  }
  void destroy() { orb_.destroy(); }

 private:
  ScopedOrb orb_;
  std::string port_;
};

std::size_t known_to(const ScopedOrb& client) { return client->_core().addresses_known(); }

TEST(KnownAddresses, ThatLeadNowhere) {
  std::string why;
  std::uint16_t port = 0;
  {
    net::Listener listener;
    ASSERT_TRUE(listener.open(*net::numeric_address({"0.0.0.0", 0}), {}, why)) << why;
    port = listener.address().port();
  }
  const ScopedOrb client;
  Addresses addresses;
  std::size_t most = 0;
  for (int i = 0; i < 5000; ++i) {
    const std::string url = "corbaloc::" + addresses.next() + ':' + std::to_string(port) + "/t";
    const auto test = IDL::traits<Suite::Test>::unchecked_narrow(client->string_to_object(url));
    ASSERT_TRUE(outcome_of([&] { test->noop(); }).starts_with("TRANSIENT"));
    most = std::max(most, known_to(client));
  }
  EXPECT_LE(most, 2100u);
}

TEST(KnownAddresses, OfServersThatAreGone) {
  const ScopedOrb client;
  Addresses addresses;
  Server first;
  std::vector<TestRef> kept;
  for (int i = 0; i < 200; ++i) {
    const TestRef test = first.at(*client, addresses.next());
    EXPECT_EQ(test->add(i, 1), i + 1);
    if (i % 10 == 0) kept.push_back(test);
  }
  EXPECT_EQ(known_to(client), 200u);  // there are connections to them
  first.destroy();
  // Its connections to the second server stay. Those to the first are forgotten once the client has seen that they ended; if that comes
  // late, at a later look at all addresses.
  const Server second;
  std::size_t called = 0;
  EXPECT_TRUE(eventually([&] {
    EXPECT_EQ(second.at(*client, addresses.next())->add(1, 1), 2);
    ++called;
    return known_to(client) <= kept.size() + called;
  })) << known_to(client);
  EXPECT_GE(known_to(client), kept.size());
}

// Their references have connections to them again, at once.
TEST(KnownAddresses, ReferencesKeepTheirs) {
  const ScopedOrb client({"-ORBClientIdle", "40"});
  Addresses addresses;
  const Server server;
  std::vector<TestRef> kept;
  for (int i = 0; i < 20; ++i) {
    kept.push_back(server.at(*client, addresses.next()));
    EXPECT_EQ(kept.back()->add(i, 1), i + 1);
    EXPECT_EQ(server.at(*client, addresses.next())->add(i, 1), i + 1);
  }
  EXPECT_TRUE(eventually([&] { return known_to(client) == kept.size(); })) << known_to(client);
  for (const TestRef& each : kept) EXPECT_EQ(each->add(1, 2), 3);
  EXPECT_EQ(known_to(client), kept.size());
  kept.clear();
  EXPECT_TRUE(eventually([&] { return known_to(client) == 0; })) << known_to(client);
}

}  // namespace
}  // namespace tenon::suite
