// SPDX-License-Identifier: Apache-2.0
//
// Forwards to places that lead nowhere: the original address is asked where the object is now, whatever was wrong with the place.
#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include <tenon/timeout.hpp>

#include "ior/iiop_profile.hpp"
#include "net/name_source_test_support.hpp"
#include "suite_async.hpp"
#include "tests/orb/raw_peer.hpp"
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

/// LOCATION_FORWARD, or OBJECT_FORWARD to who asks where the object is, with `reference` where an IOR should be.
Bytes forward_reply(const Bytes& asked, const Bytes& reference) {
  constexpr std::uint8_t locate_request = 3;
  const bool locating = asked.at(7) == locate_request;
  Bytes body;
  const auto put = [&body](std::uint32_t value) {
    for (int i = 0; i < 4; ++i) body.push_back(static_cast<std::uint8_t>(value >> (8 * i)));
  };
  put(request_id_of(asked));
  put(locating ? 2 : 3);
  if (!locating) put(0);  // no contexts
  body.insert(body.end(), reference.begin(), reference.end());
  return message(locating ? 4 : 1, body);
}

/// References that are none, as they come in a reply.
std::vector<Bytes> unreadable() {
  return {
      {},
      {1, 0},
      {0xFF, 0xFF, 0xFF, 0x7F},                         // longer than the message
      {2, 0, 0, 0, 'x', 0, 0, 0, 0xFF, 0xFF, 0xFF, 0},  // as many profiles as nobody has
      {2, 0, 0, 0, 'x', 0, 0, 0, 1, 0, 0, 0, 0, 0},     // ends in the first profile
      {1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0},             // nil
  };
}

/// Forwards everybody there.
class UnreadablePlace {
 public:
  explicit UnreadablePlace(Bytes reference) : reference_(std::move(reference)) {}
  std::string url() const { return server_.url(); }
  std::atomic<int> asked{0};

 private:
  const Bytes reference_;
  const RawServer server_{[this](RawSocket& peer) {
    for (Bytes each = peer.receive_message(); each.size() > 12; each = peer.receive_message()) {
      ++asked;
      peer.send(forward_reply(each, reference_));
    }
  }};
};

// From a place that the call was forwarded to: nothing is known of where it leads, so the place is asked no more.
TEST_F(BadForwards, ThatCannotBeReadAreForgotten) {
  const auto second = CORBA::make_reference<PeerServant>("second");
  const ObjectRef good = tenon::publish<Suite::Peer_skeleton>(pair_->server_orb->ref(), second);
  const BaseRef to_first = publish(first_);
  const TimeoutScope enough(std::chrono::seconds(60));
  for (const Bytes& reference : unreadable()) {
    UnreadablePlace place(reference);
    const ObjectRef bad = pair_->server().string_to_object(place.url());
    const std::vector<std::function<void(const BaseRef&)>> ways{
        [](const BaseRef& base) { base->who(); },
        [](const BaseRef& base) { tenon::async(base).who().get(); }};
    for (const auto& call : ways) {
      const BaseRef base = pair_->at_client(to_first);
      first_->to = bad;
      EXPECT_NE(outcome_of([&] { call(base); }), "");
      const int before = place.asked;
      EXPECT_GT(before, 0);
      first_->to = good;
      EXPECT_EQ(outcome_of([&] { EXPECT_EQ(base->who(), "second"); }), "");
      EXPECT_EQ(place.asked, before);
      place.asked = 0;
    }
    pair_->client_orb = std::make_unique<ScopedOrb>();  // the peer's connections end
  }
}

// The same of who asks where the object is; the original address, asked again at once, knows better.
TEST(UnreadableForwards, OfLocateRequests) {
  for (const Bytes& reference : unreadable()) {
    UnreadablePlace place(reference);
    ScopedOrb client;
    cdr::Writer there({.giop_minor = 2});
    ior::write_ior(there, client->string_to_object(place.url())->_reference()->ior());
    const Bytes to_place{there.bytes().begin(), there.bytes().end()};
    int asked = 0;
    {
      const RawServer original([&](RawSocket& peer) {
        for (Bytes each = peer.receive_message(); each.size() > 12; each = peer.receive_message()) {
          constexpr std::uint8_t here = 1;
          if (++asked == 1) {
            peer.send(forward_reply(each, to_place));
          } else {
            peer.send(message(4, {each.at(12), each.at(13), each.at(14), each.at(15), here, 0, 0, 0}));
          }
        }
      });
      const ObjectRef object = client->string_to_object(original.url());
      CORBA::PolicyList inconsistent;
      for (int i = 0; i < 2; ++i)
        EXPECT_EQ(outcome_of([&] { EXPECT_TRUE(object->_validate_connection(inconsistent)); }), "");
      client.destroy();
    }
    EXPECT_EQ(place.asked, 1);
    EXPECT_EQ(asked, 3);
  }
}

}  // namespace
}  // namespace tenon::suite
