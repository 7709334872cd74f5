// SPDX-License-Identifier: Apache-2.0
//
// Host names in references, end to end: no call waits for a name that it does not need, nor longer than it may; an ORB ends whatever
// the resolver does.
#include <thread>

#include <tenon/timeout.hpp>

#include "base/minor_codes.hpp"
#include "net/name_source_test_support.hpp"
#include "tests/orb/world.hpp"

namespace tenon::suite {
namespace {

using namespace std::chrono_literals;

class HostNames : public ::testing::Test {
 protected:
  void SetUp() override {
    use_names(source);
    server =
        std::make_unique<ScopedOrb>(Words{"-ORBListenEndpoints", "iiop://127.0.0.1/publish=server.test"});
    servant = CORBA::make_reference<TestServant>(**server);
    test = publish<Suite::Test_skeleton>(server->ref(), servant, "test");
    source->answer("server.test", "127.0.0.1");
  }
  void TearDown() override {
    source->let_go("server.test");
    test = nullptr;
    server.reset();
    use_names(nullptr);
  }
  /// The object behind a name of its host.
  TestRef at(ScopedOrb& client, const std::string& host = "server.test") {
    std::string url = "corbaloc::1.2@" + host;
    const std::string endpoint = (*server)->_core().endpoints().front();
    return IDL::traits<Suite::Test>::unchecked_narrow(
        client->string_to_object(url + endpoint.substr(endpoint.rfind(':')) + "/test"));
  }

  std::shared_ptr<net::TestSource> source = std::make_shared<net::TestSource>();
  std::unique_ptr<ScopedOrb> server;
  CORBA::servant_reference<TestServant> servant;
  TestRef test;
};

TEST_F(HostNames, AreLookedUpOnceAndNotByTheCaller) {
  ScopedOrb client;
  const TestRef one = seen_by(*client, test);
  ASSERT_TRUE(source->wait_until_asked("server.test", 1)) << "string_to_object is reason enough";
  EXPECT_EQ(one->add(1, 2), 3);
  EXPECT_EQ(at(client)->add(3, 4), 7);
  EXPECT_EQ(source->questions(), 1u);
  EXPECT_FALSE(source->asked_on(std::this_thread::get_id()));
}

TEST_F(HostNames, ThatAreStuckEndWithTheCallsTime) {
  source->hold("stuck.test");
  ScopedOrb client;
  const TestRef stuck = at(client, "stuck.test");
  const TestRef good = at(client);
  {
    const TimeoutScope brief(20ms);
    EXPECT_EQ(outcome_of([&] { stuck->noop(); }), text_of(errors::look_up_timed_out));
  }
  EXPECT_EQ(good->add(1, 2), 3);
  source->answer("stuck.test", "127.0.0.1");
  source->let_go("stuck.test");
  EXPECT_EQ(stuck->add(1, 2), 3);
}

TEST_F(HostNames, ThatAreStuckEndWithTheTimeOfConnections) {
  source->hold("stuck.test");
  ScopedOrb client(Words{"-ORBConnectTimeout", "20"});
  const TestRef stuck = at(client, "stuck.test");
  EXPECT_EQ(outcome_of([&] { stuck->noop(); }), text_of(errors::look_up_timed_out));
  source->let_go("stuck.test");
}

TEST_F(HostNames, ThatNobodyKnowsAreTransient) {
  ScopedOrb client;
  EXPECT_EQ(outcome_of([&] { at(client, "nobody.test")->noop(); }), text_of(errors::host_not_found));
}

TEST_F(HostNames, ThatFailLeadToTheNextAddress) {
  ScopedOrb client;
  const std::string endpoint = (*server)->_core().endpoints().front();
  const std::string port = endpoint.substr(endpoint.rfind(':'));
  const TestRef one = IDL::traits<Suite::Test>::unchecked_narrow(
      client->string_to_object("corbaloc::1.2@nobody.test" + port + ",:1.2@server.test" + port + "/test"));
  EXPECT_EQ(one->add(1, 2), 3);
}

TEST_F(HostNames, ThatAreStuckDoNotKeepAnOrb) {
  source->hold("stuck.test");
  std::thread caller;
  {
    ScopedOrb client;
    const TestRef stuck = at(client, "stuck.test");
    ASSERT_TRUE(source->wait_until_asked("stuck.test", 1));
    client.destroy();
    // And one that waits while its ORB is destroyed.
    ScopedOrb other(Words{"-ORBConnectTimeout", "200"});
    caller =
        std::thread([waits = at(other, "stuck.test")] { EXPECT_NE(outcome_of([&] { waits->noop(); }), ""); });
    ASSERT_TRUE(source->wait_until_asked("stuck.test", 2));
    other.destroy();
  }
  caller.join();
  source->let_go("stuck.test");
}

TEST_F(HostNames, StayOutOfOpenConnections) {
  ScopedOrb client(Words{"-ORBHostNamesFresh", "0"});
  const TestRef one = at(client);
  EXPECT_EQ(one->add(1, 2), 3);
  const std::size_t questions = source->questions();
  source->hold("server.test");
  for (int i = 0; i < 10; ++i) EXPECT_EQ(one->add(i, 1), i + 1);
  EXPECT_EQ(source->questions(), questions);
}

}  // namespace
}  // namespace tenon::suite
