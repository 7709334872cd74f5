// SPDX-License-Identifier: Apache-2.0
//
// References of servers that listen on shared memory and on TCP: which way a client takes, and that it takes the other one without a failed
// call where shared memory cannot be used.
#include <unistd.h>
#include <tenon/parts.hpp>

#include <atomic>

#include "base/minor_codes.hpp"
#include "ior/iiop_profile.hpp"
#include "ior/object_url.hpp"
#include "plugins/shmiop/profile.hpp"
#include "tests/orb/world.hpp"

namespace tenon::suite {
namespace {

/// A server that listens on both, in this order.
struct Both {
  explicit Both(const std::string& endpoints = "shmiop://;iiop://127.0.0.1")
      : orb({"-ORBListenEndpoints", endpoints}), servant(CORBA::make_reference<TestServant>(*orb)) {
    test = tenon::publish<Suite::Test_skeleton>(orb.ref(), servant);
    made = test->_reference()->ior();
  }
  /// The published reference after a change of its profile of shared memory.
  std::string with(const std::function<void(shmiop::Profile&)>& change) const {
    ior::Ior changed = made;
    for (ior::TaggedProfile& each : changed.profiles) {
      if (each.tag != shmiop::profile_tag) continue;
      shmiop::Profile profile = *shmiop::parse_profile(each.data);
      change(profile);
      each = shmiop::write_profile(profile);
    }
    return ior::to_ior_text(changed);
  }
  /// The published reference with a TCP address at which nobody listens.
  std::string without_tcp() const {
    ior::Ior changed = made;
    for (ior::TaggedProfile& each : changed.profiles) {
      if (each.tag != ior::tag_internet_iop) continue;
      ior::IiopProfile profile = *ior::parse_iiop_profile(each.data);
      profile.address = {"127.0.0.1", 1};
      each = ior::make_iiop_profile(profile);
    }
    return ior::to_ior_text(changed);
  }

  ScopedOrb orb;
  CORBA::servant_reference<TestServant> servant;
  TestRef test;
  ior::Ior made;
};

TestRef test_of(const ScopedOrb& client, const std::string& text) {
  return IDL::traits<Suite::Test>::unchecked_narrow(client->string_to_object(text));
}

std::vector<std::string> ways_of(const TestRef& test) {
  std::vector<std::string> names;
  for (const auto& each : test->_reference()->profiles()) names.emplace_back(each.transport->name());
  return names;
}

TEST(SharedMemory, IsOneProfileOfSeveral) {
  const Both server;
  ASSERT_EQ(server.made.profiles.size(), 2u);
  EXPECT_EQ(server.made.profiles[0].tag, shmiop::profile_tag);
  EXPECT_EQ(server.made.profiles[1].tag, ior::tag_internet_iop);
  const ScopedOrb client;
  const TestRef test = test_of(client, server.without_tcp());
  EXPECT_EQ(ways_of(test), (std::vector<std::string>{"shmiop", "iiop"}));
  EXPECT_EQ(test->add(1, 2), 3) << "by shared memory, since nobody listens on TCP";
}

/// An ORB as CORBA::ORB_init makes it, with one object.
class FullOrb {
 public:
  using Words = std::vector<std::string>;
  explicit FullOrb(const Words& endpoints = {}, const Words& protocols = {}) {
    static std::atomic<int> number{0};
    tenon::Configuration configuration;
    configuration.id = "full-" + std::to_string(number.fetch_add(1));
    configuration.endpoints = endpoints;
    configuration.protocols = protocols;
    orb::Parts parts;
    tenon::full(parts);
    orb_ = tenon::init_orb(std::move(configuration), std::move(parts));
    test = tenon::publish<Suite::Test_skeleton>(orb_, CORBA::make_reference<TestServant>(*orb_));
  }
  ~FullOrb() { orb_->destroy(); }
  FullOrb(const FullOrb&) = delete;
  FullOrb& operator=(const FullOrb&) = delete;

  /// What the object's reference has.
  std::vector<std::uint32_t> tags() const {
    std::vector<std::uint32_t> tags;
    for (const ior::TaggedProfile& each : test->_reference()->ior().profiles) tags.push_back(each.tag);
    return tags;
  }
  TestRef test;

 private:
  OrbRef orb_;
};

TEST(SharedMemory, IsListenedOnByItselfUnlessToldOtherwise) {
  using Tags = std::vector<std::uint32_t>;
  EXPECT_EQ(FullOrb().tags(), (Tags{shmiop::profile_tag, ior::tag_internet_iop}));
  EXPECT_EQ(FullOrb({"iiop://"}).tags(), Tags{ior::tag_internet_iop});
  EXPECT_EQ(FullOrb({}, {"iiop"}).tags(), Tags{ior::tag_internet_iop});
  EXPECT_EQ(FullOrb({}, {"iiop", "shmiop"}).tags(), Tags{ior::tag_internet_iop}) << "the first one listens";
  EXPECT_EQ(FullOrb({}, {"shmiop"}).tags(), Tags{shmiop::profile_tag});
}

TEST(SharedMemory, IsChosenByProcessesOfOneMachineThatAreToldNothing) {
  const FullOrb server;
  const ScopedOrb client;
  const TestRef test = seen_by(*client, server.test);
  EXPECT_EQ(ways_of(test), (std::vector<std::string>{"shmiop", "iiop"}));
  EXPECT_EQ(test->add(1, 2), 3);
  EXPECT_EQ(test->_reference()->binding()->endpoint->key().transport, "shmiop");
  const ScopedOrb other({"-ORBProtocol", "iiop"});
  EXPECT_EQ(seen_by(*other, server.test)->add(1, 2), 3);
}

TEST(SharedMemory, OfAnotherPlaceIsNotEvenTried) {
  const Both server;
  const ScopedOrb client;
  const TestRef test = test_of(client, server.with([](shmiop::Profile& profile) { profile.place += '1'; }));
  EXPECT_EQ(ways_of(test), (std::vector<std::string>{"iiop"}));
  for (int i = 0; i < 3; ++i) EXPECT_EQ(test->add(i, 2), i + 2);
  // The profile is not lost on the way to somebody who can use it.
  EXPECT_EQ(ior::parse_ior(client->object_to_string(test))->profiles.size(), 2u);
}

TEST(SharedMemory, WhereNobodyListensAnyMoreTheNextWayIsTaken) {
  const Both server;
  const ScopedOrb client;
  const TestRef test =
      test_of(client, server.with([](shmiop::Profile& profile) { profile.address = "@tenon-nobody"; }));
  EXPECT_EQ(ways_of(test), (std::vector<std::string>{"shmiop", "iiop"}));
  for (int i = 0; i < 3; ++i) EXPECT_EQ(outcome_of([&] { test->add(i, 2); }), "");
  EXPECT_EQ(test->add(1, 2), 3);
}

TEST(SharedMemory, IsNotUsedByAClientThatDoesNotWantIt) {
  const Both server;
  const ScopedOrb client({"-ORBProtocol", "iiop"});
  EXPECT_EQ(ways_of(test_of(client, server.with([](shmiop::Profile&) {}))),
            (std::vector<std::string>{"iiop"}));
  EXPECT_NE(outcome_of([&] { test_of(client, server.without_tcp())->noop(); }), "");
}

TEST(SharedMemory, IsTakenFirstByAClientThatPrefersIt) {
  const Both server("iiop://127.0.0.1;shmiop://");
  const ScopedOrb client({"-ORBProtocol", "shmiop,iiop"});
  const TestRef test = test_of(client, server.without_tcp());
  EXPECT_EQ(ways_of(test), (std::vector<std::string>{"shmiop", "iiop"}));
  EXPECT_EQ(test->add(1, 2), 3);
}

TEST(SharedMemory, HasOptionsOfItsOwn) {
  const ScopedOrb server({"-ORBListenEndpoints", "shmiop://", "-ORBProtocolOption", "shmiop.ring=4K",
                          "-ORBProtocolOption", "shmiop.spin=0"});
  const auto servant = CORBA::make_reference<TestServant>(*server);
  const ScopedOrb client({"-ORBProtocolOption", "shmiop.ring=4K"});
  const TestRef test = seen_by(*client, tenon::publish<Suite::Test_skeleton>(server.ref(), servant));
  const Suite::Blob blob = servant->make(1 << 20);
  EXPECT_TRUE(test->echo(blob) == blob) << "through rings of 4,096 octets";
  EXPECT_THROW(ScopedOrb({"-ORBProtocolOption", "shmiop.ring=3"}), CORBA::BAD_PARAM);
  EXPECT_THROW(ScopedOrb({"-ORBProtocolOption", "shmiop.rong=4K"}), CORBA::BAD_PARAM);
  EXPECT_NO_THROW(ScopedOrb({"-ORBProtocol", "SHMIOP,Iiop", "-ORBProtocolOption", "shmiop.Ring=64k"}));
  EXPECT_THROW(ScopedOrb({"-ORBProtocol", "iiop,,uiop"}), CORBA::BAD_PARAM);
  EXPECT_THROW(ScopedOrb({"-ORBProtocol", "iiop,"}), CORBA::BAD_PARAM);
}

TEST(SharedMemory, UrlsNameIt) {
  const std::string name = "tenon-suite-url-" + std::to_string(::getpid());
  const ScopedOrb server({"-ORBListenEndpoints", "shmiop://@" + name});
  const auto servant = CORBA::make_reference<TestServant>(*server);
  tenon::publish<Suite::Test_skeleton>(server.ref(), servant, "here");
  const ScopedOrb client;
  EXPECT_EQ(test_of(client, "corbaloc:shmiop:1.2@" + name + "/here")->add(1, 2), 3);
}

}  // namespace
}  // namespace tenon::suite
