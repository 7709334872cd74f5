// SPDX-License-Identifier: Apache-2.0
//
// tenon::peer(): what servants learn of who calls them, over each protocol and in each way that a call may come to a servant.
#include <unistd.h>

#include <thread>

#include <tenon/peer.hpp>

#include "base/minor_codes.hpp"
#include "suite_async.hpp"
#include "tests/orb/world.hpp"

namespace tenon::suite {
namespace {

std::string ids_of_this_process() {
  return " uid=" + std::to_string(::geteuid()) + " gid=" + std::to_string(::getegid()) +
         " pid=" + std::to_string(::getpid());
}

/// As Identity::text() has it.
std::string expected_over(const std::string& protocol) {
  if (protocol == "uiop" || protocol == "shmiop") return "unix" + ids_of_this_process();
  return protocol == "collocated" ? "self" + ids_of_this_process() : "unknown";
}

class AskingServant final : public TestServant {
 public:
  using TestServant::TestServant;
  std::string who() override { return tenon::peer().text(); }
  void note(std::int32_t) override { noted = tenon::peer().text(); }
  /// What the object that was passed sees of this process, and what this servant sees afterwards.
  std::string ask(BaseRef peer) override {
    const std::string there = peer->who();
    return there + ", " + tenon::peer().text();
  }
  std::string noted;
};

class Callers : public ::testing::TestWithParam<Case> {
 protected:
  void SetUp() override {
    pair = std::make_unique<Pair>(GetParam());
    asking = CORBA::make_reference<AskingServant>(pair->server());
    test = pair->at_client(tenon::publish<Suite::Test_skeleton>(pair->server_orb->ref(), asking, "asking"));
  }
  void TearDown() override {
    test = nullptr;
    pair.reset();
  }
  std::string expected() const { return expected_over(GetParam().protocol); }

  std::unique_ptr<Pair> pair;
  CORBA::servant_reference<AskingServant> asking;
  TestRef test;
};
INSTANTIATE_TEST_SUITE_P(All, Callers, ::testing::ValuesIn(all_cases()),
                         [](const auto& each) { return name_of(each.param); });

TEST_P(Callers, AreKnownToServants) {
  EXPECT_EQ(test->who(), expected());
  EXPECT_EQ(tenon::async(test).who().get(), expected());
  test->note(1);
  EXPECT_EQ(test->add(1, 2), 3);  // the oneway has returned by now
  EXPECT_EQ(asking->noted, expected());
}

// A servant that calls another one of its process is the caller of that one, and its own caller stays the same.
TEST_P(Callers, OfNestedUpcalls) {
  if (GetParam().protocol == "iiop-same-orb") return;
  const auto other = CORBA::make_reference<AskingServant>(pair->server());
  const BaseRef there = tenon::publish<Suite::Test_skeleton>(pair->server_orb->ref(), other, "other");
  EXPECT_EQ(test->ask(pair->at_client(there)), "self" + ids_of_this_process() + ", " + expected());
}

// Its request is read by one thread and run by another one.
TEST_P(Callers, AreKnownOnTheMainThread) {
  const auto root =
      IDL::traits<PortableServer::POA>::narrow(pair->server().resolve_initial_references("RootPOA"));
  const auto poa =
      root->create_POA("main", root->the_POAManager(),
                       {root->create_thread_policy(PortableServer::ThreadPolicyValue::MAIN_THREAD_MODEL)});
  const auto servant = CORBA::make_reference<AskingServant>(pair->server());
  const TestRef at_main = pair->at_client(
      IDL::traits<Suite::Test>::unchecked_narrow(poa->id_to_reference(poa->activate_object(servant))));
  std::thread main([&] { pair->server().run(); });
  EXPECT_EQ(at_main->who(), expected());
  pair->server().shutdown(false);
  main.join();
}

TEST(Identity, IsAskedForInUpcallsOnly) {
  EXPECT_EQ(outcome_of([] { static_cast<void>(tenon::peer()); }), text_of(errors::no_upcall_here));
}

TEST(Identity, OverUnixSocketsWhileWaitsSpin) {
  const Pair one({"uiop", "thread-per-connection"}, {"-ORBSpin", "20"}, {"-ORBSpin", "20"});
  const auto asking = CORBA::make_reference<AskingServant>(one.server());
  const TestRef test =
      one.at_client(tenon::publish<Suite::Test_skeleton>(one.server_orb->ref(), asking, "asking"));
  EXPECT_EQ(test->who(), "unix" + ids_of_this_process());
}

}  // namespace
}  // namespace tenon::suite
