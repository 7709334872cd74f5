// SPDX-License-Identifier: Apache-2.0
//
// Forwards to places that lead nowhere: the original address is asked where the object is now, whatever was wrong with the place.
#include <string>
#include <vector>

#include <tenon/timeout.hpp>

#include "ior/iiop_profile.hpp"
#include "net/name_source_test_support.hpp"
#include "suite_async.hpp"
#include "tests/orb/world.hpp"

namespace tenon::suite {
namespace {

/// Hosts that are none, profiles that are none.
std::vector<ior::Ior> unusable_places() {
  std::vector<ior::Ior> places;
  const auto add = [&](std::vector<ior::TaggedProfile> profiles) {
    places.push_back({.type_id = "IDL:Suite/Base:1.0", .profiles = std::move(profiles)});
  };
  const auto add_host = [&](const std::string& host, std::uint16_t port) {
    add({ior::make_iiop_profile({.minor = 2, .address = {host, port}, .key = {1}, .components = {}})});
  };
  for (const char* host : {"a/b", "a b", "a\tb", "a,b", "a@b", "[a", "a]", "[a]", "a:b", "", " ", ".", "..",
                           "a..b", "1.2.3.4.5", "999.1.1.1", "::1::", "nowhere", "\xff\xfe"})
    add_host(host, 9);
  add_host(std::string(300, 'a'), 9);
  add_host("127.0.0.1", 0);
  add({{ior::tag_internet_iop, {}}});
  add({{ior::tag_internet_iop, {1, 2, 3}}});
  add({{0x12345678, {1, 2, 3}}});
  return places;
}

class BadForwards : public ::testing::Test {
 protected:
  void SetUp() override {
    use_names(std::make_shared<net::TestSource>());
    pair_ = std::make_unique<Pair>(Case{"iiop", "pool"});
  }
  void TearDown() override {
    first_->to = hop_->to = nullptr;
    pair_.reset();
    use_names(nullptr);
  }

  BaseRef publish(const CORBA::servant_reference<ForwardingServant>& servant) {
    return tenon::publish<Suite::Base_skeleton>(pair_->server_orb->ref(), servant);
  }

  std::unique_ptr<Pair> pair_;
  CORBA::servant_reference<ForwardingServant> first_ = CORBA::make_reference<ForwardingServant>();
  CORBA::servant_reference<ForwardingServant> hop_ = CORBA::make_reference<ForwardingServant>();
};

TEST_F(BadForwards, AreForgotten) {
  const auto second = CORBA::make_reference<PeerServant>("second");
  const ObjectRef good = tenon::publish<Suite::Peer_skeleton>(pair_->server_orb->ref(), second);
  const BaseRef to_first = publish(first_);
  const BaseRef to_hop = publish(hop_);
  const TimeoutScope enough(std::chrono::seconds(60));
  for (const ior::Ior& place : unusable_places()) {
    const std::string text = ior::to_ior_text(place);
    const ObjectRef bad = pair_->server().string_to_object(text);
    for (const bool at_once : {true, false}) {
      const BaseRef base = pair_->at_client(to_first);
      first_->to = at_once ? bad : ObjectRef(to_hop);
      hop_->to = bad;
      EXPECT_NE(outcome_of([&] { base->who(); }), "") << text;
      EXPECT_NE(outcome_of([&] { tenon::async(base).who().get(); }), "") << text;
      first_->to = good;
      EXPECT_EQ(outcome_of([&] { EXPECT_EQ(base->who(), "second"); }), "") << text;
    }
  }
}

}  // namespace
}  // namespace tenon::suite
