// SPDX-License-Identifier: Apache-2.0
//
// What a server's ORB leaves open when it has been destroyed and the program still refers to it: no descriptor, however it served, whoever
// destroyed it, and whether its clients were still there or not.
#include <atomic>
#include <optional>
#include <thread>

#include <tenon/event_loop.hpp>

#include "base/minor_codes.hpp"
#include "tests/orb/world.hpp"

namespace tenon::suite {
namespace {

std::vector<Case> ways_to_serve() {
  std::vector<Case> all;
  for (const char* protocol : {"iiop", "uiop", "shmiop", "inproc"}) {
    for (const char* serving : {"thread-per-connection", "pool", "single-thread"})
      all.push_back({protocol, serving});
  }
  return all;
}

/// A server that a program goes on referring to, its object and its servant.
struct Referred {
  explicit Referred(const Case& which, const std::string& endpoint, const Words& more = {})
      : orb(make(which, endpoint, more)),
        servant(CORBA::make_reference<TestServant>(*orb)),
        test(tenon::publish<Suite::Test_skeleton>(orb, servant, "t")) {}
  static OrbRef make(const Case& which, const std::string& endpoint, const Words& more) {
    static std::atomic<int> made{0};
    Words options{"-ORBListenEndpoints", endpoint, "-ORBServing", which.serving};
    options.insert(options.end(), more.begin(), more.end());
    return init_orb(options, "referred-" + std::to_string(++made));
  }
  const OrbRef orb;
  const CORBA::servant_reference<TestServant> servant;
  const TestRef test;
};

/// A client that is called back.
struct Client {
  explicit Client(const Case& which, const Words& more = {}) : orb(options(which, more)) {}
  static Words options(const Case& which, const Words& more) {
    Words all{"-ORBListenEndpoints", endpoint_of(which.protocol)};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  void call(const Referred& server) const {
    const PeerRef callback =
        tenon::publish<Suite::Peer_skeleton>(orb.ref(), CORBA::make_reference<PeerServant>("client"));
    const TestRef test = seen_by(*orb, server.test);
    EXPECT_EQ(test->add(1, 2), 3);
    EXPECT_EQ(test->ask(callback), "client");
    test->note(1);
    EXPECT_EQ(test->notes().size(), 1u);
  }
  ScopedOrb orb;
};

class ServerDescriptors : public ::testing::TestWithParam<Case> {
 protected:
  void SetUp() override {
    { const ScopedOrb first({"-ORBListenEndpoints", "iiop://127.0.0.1"}); }  // what stays for the process
    before_ = open_descriptors();
  }
  void TearDown() override {
    if (runner_.joinable()) runner_.join();
  }
  std::string endpoint() const { return endpoint_of(GetParam().protocol); }
  void run(const Referred& server) {
    // It may come too late.
    runner_ = std::thread([orb = server.orb] { (void)outcome_of([&] { orb->run(); }); });
  }
  void expect_none_left(const char* when) const {
    EXPECT_TRUE(eventually([this] { return open_descriptors() <= before_; }))
        << when << ": " << descriptor_names() << "; there were " << before_;
  }

 private:
  std::ptrdiff_t before_ = 0;
  std::thread runner_;
};
INSTANTIATE_TEST_SUITE_P(All, ServerDescriptors, ::testing::ValuesIn(ways_to_serve()),
                         [](const auto& each) { return name_of(each.param); });

TEST_P(ServerDescriptors, NobodyHasCalled) {
  const Referred server(GetParam(), endpoint());
  server.orb->destroy();
  expect_none_left("without clients");
}

TEST_P(ServerDescriptors, ClientsHaveGone) {
  const Referred server(GetParam(), endpoint());
  run(server);
  {
    const Client client(GetParam());
    client.call(server);
  }
  server.orb->destroy();
  expect_none_left("behind a client");
}

TEST_P(ServerDescriptors, ClientsAreStillThere) {
  const Referred server(GetParam(), endpoint());
  run(server);
  {
    const Client client(GetParam());
    client.call(server);
    server.orb->destroy();
  }
  expect_none_left("before a client");
}

TEST_P(ServerDescriptors, CallsWentBothWays) {
  const Referred server(GetParam(), endpoint(), {"-ORBBidirectional", "accept"});
  run(server);
  {
    const Client client(GetParam(), {"-ORBBidirectional", "offer"});
    client.call(server);
    server.orb->destroy();
  }
  expect_none_left("with connections both ways");
}

// It has closed its connections already, and nobody comes by to see to them.
TEST_P(ServerDescriptors, ShutDownLongBefore) {
  const Referred server(GetParam(), endpoint());
  run(server);
  {
    const Client client(GetParam());
    client.call(server);
    server.orb->shutdown(false);
    server.orb->destroy();
  }
  expect_none_left("after shutdown()");
}

// By the thread that serves, in a loop of the program's own.
TEST_P(ServerDescriptors, InALoopOfTheProgram) {
  const Referred server(GetParam(), endpoint());
  EXPECT_GE(tenon::work_descriptor(*server.orb), 0);
  std::atomic<bool> called{false};
  std::thread calling([&] {
    const Client client(GetParam());
    client.call(server);
    called = true;
  });
  while (!called) {
    if (server.orb->work_pending()) server.orb->perform_work();
  }
  calling.join();
  server.orb->destroy();
  EXPECT_EQ(outcome_of([&] { (void)tenon::work_descriptor(*server.orb); }), text_of(errors::orb_destroyed));
  expect_none_left("after a loop");
}

// By another thread than the one that serves, which leaves the ORB alone from then on.
TEST_P(ServerDescriptors, ByAnotherThread) {
  const Referred server(GetParam(), endpoint());
  std::atomic<bool> called{false};
  std::thread calling([&] {
    Client(GetParam()).call(server);
    called = true;
  });
  while (!called) {
    if (server.orb->work_pending()) server.orb->perform_work();
  }
  calling.join();
  std::thread([&] { server.orb->destroy(); }).join();
  expect_none_left("by another thread");
}

TEST_P(ServerDescriptors, DestroyedTwiceAndCalledAfterwards) {
  const Referred server(GetParam(), endpoint());
  run(server);
  Client(GetParam()).call(server);
  const std::string where = server.orb->_endpoints().front();
  std::thread other([&] { server.orb->destroy(); });
  server.orb->destroy();
  other.join();
  server.orb->destroy();
  expect_none_left("after destroy() again and again");
  const std::string destroyed = text_of(errors::orb_destroyed);
  EXPECT_EQ(outcome_of([&] { server.test->noop(); }), destroyed);
  EXPECT_EQ(outcome_of([&] { server.orb->run(); }), destroyed);
  EXPECT_EQ(outcome_of([&] { server.orb->perform_work(); }), destroyed);
  EXPECT_EQ(outcome_of([&] { (void)server.orb->work_pending(); }), destroyed);
  EXPECT_EQ(outcome_of([&] { server.orb->shutdown(true); }), "");
  EXPECT_EQ(outcome_of([&] { server.orb->string_to_object("corbaloc::127.0.0.1:1/t"); }), destroyed);

  // The place is free.
  ScopedOrb next({"-ORBListenEndpoints", where});
  const auto servant = CORBA::make_reference<TestServant>(*next);
  const TestRef there = tenon::publish<Suite::Test_skeleton>(next.ref(), servant, "t");
  EXPECT_EQ(next->_endpoints().front(), where);
  const ScopedOrb client;
  EXPECT_EQ(seen_by(*client, there)->add(2, 3), 5);
}

}  // namespace
}  // namespace tenon::suite
