// SPDX-License-Identifier: Apache-2.0
//
// ORBs that consist of a few parts: a client alone, each way of serving alone, each combination's end, and that what is missing is
// refused by the name of the part. What an ORB with all parts does is the matter of the other tests here.
#include <tenon/messaging.hpp>
#include <tenon/parts.hpp>
#include <tenon/timeout.hpp>

#include <atomic>
#include <chrono>
#include <optional>
#include <string>
#include <thread>

#include "base/minor_codes.hpp"
#include "orb/client/tried.hpp"
#include "orb/orb.hpp"
#include "suite_async.hpp"
#include "tests/orb/raw_peer.hpp"
#include "tests/orb/world.hpp"

namespace tenon::suite {
namespace {

Configuration serving_at_loopback() {
  Configuration configuration;
  configuration.endpoints = {"iiop://127.0.0.1:0"};
  return configuration;
}

/// An ORB of these parts and the root POA, with an id of its own; destroyed at the end.
class SmallOrb {
 public:
  SmallOrb(Configuration configuration, std::initializer_list<Part> parts) {
    static std::atomic<int> number{0};
    configuration.id = "small-" + std::to_string(number.fetch_add(1));
    orb::Parts made;
    for (const Part part : parts) part(made);
    parts::root_poa(made);
    orb_ = tenon::init_orb(std::move(configuration), std::move(made));
  }
  ~SmallOrb() { orb_->destroy(); }
  SmallOrb(const SmallOrb&) = delete;
  SmallOrb& operator=(const SmallOrb&) = delete;
  CORBA::ORB& operator*() const { return *orb_; }
  CORBA::ORB* operator->() const { return orb_.get(); }
  const OrbRef& ref() const { return orb_; }
  TestRef at(const std::string& url) const {
    return IDL::traits<Suite::Test>::unchecked_narrow(orb_->string_to_object(url));
  }

 private:
  OrbRef orb_;
};

/// Knows the thread of its last add().
class ThreadServant final : public TestServant {
 public:
  using TestServant::TestServant;
  std::int32_t add(std::int32_t a, std::int32_t b) override {
    thread = std::this_thread::get_id();
    return TestServant::add(a, b);
  }
  std::atomic<std::thread::id> thread{};
};

/// A server of these parts with a thread in run().
class SmallServer {
 public:
  SmallServer(std::initializer_list<Part> parts, Configuration configuration = serving_at_loopback())
      : orb(std::move(configuration), parts), servant(CORBA::make_reference<ThreadServant>(*orb)) {
    url = orb->object_to_string(tenon::publish<Suite::Test_skeleton>(orb.ref(), servant));
    // It may begin when the ORB has been shut down already, and then says so.
    runner_ = std::thread([this] { outcome_of([this] { orb->run(); }); });
  }
  ~SmallServer() {
    servant->gate.open(1000);
    if (runner_.joinable()) end();
  }
  /// As a program ends that is told to by another thread.
  void end() {
    orb->shutdown(false);
    join();
  }
  void join() { runner_.join(); }
  std::uint16_t port() const {
    const std::string endpoint = orb->_core().endpoints().front();
    return static_cast<std::uint16_t>(std::stoi(endpoint.substr(endpoint.rfind(':') + 1)));
  }

  SmallOrb orb;
  CORBA::servant_reference<ThreadServant> servant;
  std::string url;

 private:
  std::thread runner_;
};

struct Way {
  const char* name;
  Part part;
  orb::Serving serving;
};

class EachWay : public ::testing::TestWithParam<Way> {};
INSTANTIATE_TEST_SUITE_P(
    All, EachWay,
    ::testing::Values(Way{"thread_per_connection", parts::thread_per_connection,
                          orb::Serving::thread_per_connection},
                      Way{"pool", parts::pool, orb::Serving::pool},
                      Way{"single_thread", parts::single_thread, orb::Serving::single_thread},
                      Way{"single_thread_calls", parts::single_thread_calls, orb::Serving::single_thread}),
    [](const auto& each) { return std::string(each.param.name); });

TEST_P(EachWay, ServesAlone) {
  SmallServer server({parts::iiop, GetParam().part});
  EXPECT_EQ(server.orb->_core().options().serving, GetParam().serving);
  const SmallOrb client({}, {tenon::client});
  const TestRef test = client.at(server.url);
  for (int i = 0; i < 100; ++i) ASSERT_EQ(test->add(i, 1), i + 1);
  EXPECT_EQ(outcome_of([&] { test->fail(Suite::Failure::listed_one); }), "Refused");
  test->note(7);
  EXPECT_EQ(test->notes(), std::vector<std::int32_t>{7});
  EXPECT_EQ(test->echo(Suite::Blob(1'000'000, 5)).size(), 1'000'000u);
}

TEST_P(EachWay, EndsByAnotherThread) {
  SmallServer server({parts::iiop, GetParam().part});
  const SmallOrb client({}, {tenon::client});
  const TestRef test = client.at(server.url);
  EXPECT_EQ(test->add(1, 2), 3);
  server.end();
  const std::string late = outcome_of([&] { test->noop(); });
  EXPECT_TRUE(late.starts_with("TRANSIENT") || late.starts_with("COMM_FAILURE")) << late;
}

TEST_P(EachWay, EndsInsideAnUpcall) {
  SmallServer server({parts::iiop, GetParam().part});
  const SmallOrb client({}, {tenon::client});
  const TestRef test = client.at(server.url);
  EXPECT_EQ(outcome_of([&] { test->shut_down(true); }), text_of(errors::would_deadlock));
  test->shut_down(false);  // is answered
  server.join();
}

TEST_P(EachWay, EndsWithoutHavingRun) {
  const std::ptrdiff_t before = open_descriptors();
  {
    const SmallOrb orb(serving_at_loopback(), {parts::iiop, GetParam().part});
    const auto servant = CORBA::make_reference<ThreadServant>(*orb);
    EXPECT_FALSE(orb->object_to_string(tenon::publish<Suite::Test_skeleton>(orb.ref(), servant)).empty());
    orb->shutdown(true);
  }
  EXPECT_EQ(open_descriptors(), before);
}

// A pool and a single thread do not block in a receive, so something must keep time for them.
TEST_P(EachWay, GivesUpAPeerThatStopsInsideAMessage) {
  Configuration configuration = serving_at_loopback();
  configuration.messaging.limits.message_timeout_ms = 100;
  SmallServer server({parts::iiop, GetParam().part}, configuration);
  const RawSocket peer = RawSocket::connect(server.port());
  ASSERT_TRUE(peer.send({'G', 'I', 'O', 'P', 1, 2}));
  Bytes said;
  while (peer.receive(said, 1)) continue;  // at most a MessageError; then it is closed
  EXPECT_LE(said.size(), 12u);
}

// The objects of an ORB without collocated calls are called over a connection.
TEST_P(EachWay, OwnObjectsOverAConnection) {
  SmallServer server({parts::iiop, GetParam().part});
  const TestRef test = server.orb.at(server.url);
  ASSERT_EQ(test->add(1, 2), 3);
  EXPECT_EQ(server.orb->_core().addresses_known(), 1u);
}

TEST_P(EachWay, OwnObjectsDirectly) {
  SmallServer server({parts::iiop, GetParam().part, parts::collocated_calls});
  const TestRef test = server.orb.at(server.url);
  ASSERT_EQ(test->add(1, 2), 3);
  EXPECT_EQ(server.servant->thread.load(), std::this_thread::get_id());
  EXPECT_EQ(server.orb->_core().addresses_known(), 0u);
}

/// What a client is told that asks a server of this part to call another server.
std::string told_of_nested_call(Part way) {
  SmallServer server({parts::iiop, way});
  SmallServer other({tenon::server});
  const SmallOrb client({}, {tenon::client});
  const TestRef test = client.at(server.url);
  return outcome_of([&] { EXPECT_EQ(test->ask(client.at(other.url)), "test"); });
}

TEST(FewParts, CallsInsideUpcalls) {
  EXPECT_EQ(told_of_nested_call(parts::thread_per_connection), "");
  EXPECT_EQ(told_of_nested_call(parts::pool), "");
  EXPECT_EQ(told_of_nested_call(parts::single_thread), text_of(errors::only_thread_would_wait));
  EXPECT_EQ(told_of_nested_call(parts::single_thread_calls), "");
}

// --- what is missing ---

std::string told(Configuration configuration, std::initializer_list<Part> parts) {
  try {
    const SmallOrb orb(std::move(configuration), parts);
    return "";
  } catch (const CORBA::BAD_PARAM& exception) {
    return exception.what();
  }
}

Configuration configured_by(void (*set)(Configuration&)) {
  Configuration configuration;
  set(configuration);
  return configuration;
}

TEST(FewParts, OptionsOfPartsThatAreMissing) {
  using C = Configuration;
  const std::initializer_list<Part> few{tenon::client, parts::thread_per_connection};
  EXPECT_EQ(told({}, few), "");
  const auto pool = configured_by([](C& c) { c.serving = orb::Serving::pool; });
  EXPECT_TRUE(has(told(pool, few), "does not name tenon::parts::pool"));
  EXPECT_EQ(told(pool, {parts::iiop, parts::pool}), "");
  const auto single = configured_by([](C& c) { c.serving = orb::Serving::single_thread; });
  EXPECT_TRUE(has(told(single, few), "does not name tenon::parts::single_thread"));
  EXPECT_EQ(told(single, {tenon::micro}), "");
  const auto threads = configured_by([](C& c) { c.serving = orb::Serving::thread_per_connection; });
  EXPECT_TRUE(has(told(threads, {tenon::micro}), "does not name tenon::parts::thread_per_connection"));
  const auto offer = configured_by([](C& c) { c.offer_bidirectional = true; });
  EXPECT_TRUE(has(told(offer, few), "does not name tenon::parts::bidirectional"));
  EXPECT_EQ(told(offer, {tenon::client, parts::bidirectional}), "");
  const auto accept = configured_by([](C& c) { c.accept_bidirectional = true; });
  EXPECT_TRUE(has(told(accept, few), "does not name tenon::parts::bidirectional"));
  const auto idle = configured_by([](C& c) { c.client_idle_ms = 1000; });
  EXPECT_TRUE(has(told(idle, few), "does not name tenon::parts::idle_connections"));
  EXPECT_EQ(told(idle, {tenon::client, parts::idle_connections}), "");
  const auto server_idle = configured_by([](C& c) { c.server_idle_ms = 1000; });
  EXPECT_TRUE(has(told(server_idle, few), "does not name tenon::parts::idle_connections"));
}

TEST(FewParts, AClientDoesNotListen) {
  const SmallOrb client({}, {tenon::client});
  try {
    client->_endpoints();
    FAIL() << "it listens";
  } catch (const CORBA::INITIALIZE& exception) {
    EXPECT_TRUE(has(exception.what(), "names no way of serving: tenon::parts::thread_per_connection"))
        << exception.what();
  }
}

TEST(FewParts, ASingleWayIsTheOne) {
  EXPECT_EQ(SmallOrb({}, {tenon::server})->_core().options().serving, orb::Serving::thread_per_connection);
  EXPECT_EQ(SmallOrb({}, {tenon::micro})->_core().options().serving, orb::Serving::single_thread);
  EXPECT_EQ(SmallOrb({}, {parts::iiop, parts::single_thread, parts::pool})->_core().options().serving,
            orb::Serving::pool);
  EXPECT_EQ(SmallOrb({}, {parts::iiop, parts::single_thread, parts::pool, parts::thread_per_connection})
                ->_core()
                .options()
                .serving,
            orb::Serving::thread_per_connection);
}

TEST(FewParts, AsynchronousCalls) {
  SmallServer server({tenon::server});
  const std::string missing = text_of(errors::no_asynchronous_part);
  EXPECT_TRUE(missing.starts_with("NO_IMPLEMENT"));
  const auto call = [&](const SmallOrb& client) {
    return outcome_of([&] { EXPECT_EQ(tenon::async(client.at(server.url)).add(1, 2).get(), 3); });
  };
  EXPECT_EQ(call(SmallOrb({}, {tenon::client})), missing);
  EXPECT_EQ(call(SmallOrb({}, {tenon::client, tenon::micro})), missing);
  EXPECT_EQ(call(SmallOrb({}, {tenon::client, parts::asynchronous_calls})), "");
  EXPECT_EQ(call(SmallOrb({}, {tenon::client, parts::single_thread_calls})), "");
}

// The other tests of this process have that part, so it is taken away for a moment.
TEST(FewParts, WhatACallHasTried) {
  const SmallOrb client({}, {tenon::client, parts::corbaloc});
  const auto tries = [&] {
    try {
      client.at("corbaloc:iiop:127.0.0.1:1/nobody")->noop();
    } catch (const CORBA::TRANSIENT& exception) {
      return has(exception.what(), "profile 1, iiop 127.0.0.1:1");
    }
    return false;
  };
  const orb::CallNotes* const had = orb::call_notes.exchange(nullptr);
  EXPECT_FALSE(tries());
  orb::Parts none;
  parts::tried(none);
  EXPECT_TRUE(tries());
  EXPECT_TRUE(had == nullptr || orb::call_notes.load() == had);
}

TEST(FewParts, BidirectionalPolicies) {
  SmallServer server({tenon::server});
  const SmallOrb client({}, {tenon::client});
  const auto both = tenon::create_bidirectional_policy(BiDirPolicy::BOTH);
  EXPECT_EQ(outcome_of([&] { suite::with(client.at(server.url), {both})->noop(); }),
            text_of(errors::no_bidirectional_part));
  const auto root =
      IDL::traits<PortableServer::POA>::narrow(server.orb->resolve_initial_references("RootPOA"));
  EXPECT_EQ(outcome_of([&] { root->create_POA("both", root->the_POAManager(), {both}); }),
            text_of(errors::no_bidirectional_part));
  const SmallOrb with_part({}, {tenon::client, parts::bidirectional});
  EXPECT_EQ(outcome_of([&] { suite::with(with_part.at(server.url), {both})->noop(); }), "");
}

TEST(FewParts, ConnectionLimit) {
  SmallServer one({tenon::server});
  SmallServer two({tenon::server});
  Configuration configuration;
  configuration.client_connections_most = 1;
  configuration.connect_timeout_ms = 100;
  const auto second = [&](const SmallOrb& client) {
    EXPECT_EQ(client.at(one.url)->add(1, 2), 3);
    std::this_thread::sleep_for(std::chrono::milliseconds(30));  // a connection that was used just now stays
    return outcome_of([&] { client.at(two.url)->noop(); });
  };
  EXPECT_EQ(second(SmallOrb(configuration, {tenon::client})), text_of(errors::too_many_connections));
  EXPECT_EQ(second(SmallOrb(configuration, {tenon::client, parts::connection_limit})), "");
}

// A server that is late holds the only connection there may be; the next call does not wait for it.
TEST(FewParts, AtTheLimitALateReplyGivesItsConnectionUp) {
  SmallServer server({tenon::server});
  Configuration configuration;
  configuration.client_connections_most = 1;
  const SmallOrb client(configuration, {tenon::client});
  const TestRef test = client.at(server.url);
  for (int i = 0; i < 3; ++i) {
    {
      const TimeoutScope scope(std::chrono::milliseconds(50));
      EXPECT_THROW(test->hold(1), CORBA::TIMEOUT);
    }
    const TimeoutScope scope(std::chrono::seconds(5));
    EXPECT_EQ(test->add(i, 1), i + 1);
  }
}

TEST(FewParts, IdleConnections) {
  SmallServer server({tenon::server});
  Configuration configuration;
  configuration.client_idle_ms = 40;
  const SmallOrb client(configuration, {tenon::client, parts::idle_connections});
  EXPECT_EQ(client.at(server.url)->add(1, 2), 3);
  EXPECT_TRUE(eventually([&] { return client->_core().addresses_known() == 0; }));
}

// Without that part nothing looks at a connection that is not in use: the next call finds it closed, and takes another one.
TEST(FewParts, AConnectionThatItsServerHasClosed) {
  const SmallOrb client({}, {tenon::client, parts::corbaloc});
  std::optional<SmallServer> server;
  server.emplace(std::initializer_list<Part>{tenon::server});
  Configuration same = serving_at_loopback();
  same.endpoints = {server->orb->_core().endpoints().front()};
  const TestRef test = client.at("corbaloc:iiop:127.0.0.1:" + std::to_string(server->port()) + "/Test");
  const auto publish = [&] {
    tenon::publish(server->orb.ref(), CORBA::servant_reference<ThreadServant>(server->servant), "Test");
  };
  publish();
  EXPECT_EQ(test->add(1, 2), 3);
  server.reset();
  server.emplace(std::initializer_list<Part>{tenon::server}, same);
  publish();
  EXPECT_EQ(test->add(3, 4), 7);
}

}  // namespace
}  // namespace tenon::suite
