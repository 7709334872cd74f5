// SPDX-License-Identifier: Apache-2.0
//
// Of pair_suite.hpp: octets that are no messages, and messages in which something is wrong, from either side. They cost
// their sender the connection at most. Seeded: a failure comes again. tests/hostile does this at length over TCP.
#pragma once

#include <random>

#include "tests/conformance/pair_suite.hpp"

namespace tenon::conformance {

class Mutations {
 public:
  explicit Mutations(std::uint32_t seed) : chance_(seed) {}

  std::uint32_t below(std::size_t most) { return static_cast<std::uint32_t>(chance_() % most); }
  Octets random() {
    Octets octets(1 + below(3000));
    for (std::uint8_t& each : octets) each = static_cast<std::uint8_t>(chance_() >> 7);
    return octets;
  }
  /// Some octets changed, most likely near the front; or cut; or longer than it says.
  Octets mutated(Octets message) {
    for (std::uint32_t changes = 1 + below(4); changes != 0; --changes) {
      const std::size_t at =
          below(below(2) == 0 ? std::min<std::size_t>(message.size(), 40) : message.size());
      switch (below(4)) {
        case 0: message[at] = static_cast<std::uint8_t>(chance_() >> 5); break;
        case 1: message[at] = static_cast<std::uint8_t>(message[at] ^ (1u << below(8))); break;
        case 2: message[at] = 0xFF; break;
        default: message[at] = 0; break;
      }
    }
    if (below(8) == 0) message.resize(1 + below(message.size()));
    if (below(8) == 0) message.insert(message.end(), 1 + below(50), 0xAA);
    return message;
  }

 private:
  std::minstd_rand chance_;
};

/// One of each kind, right as they are.
inline std::vector<Octets> messages_for(const Octets& key) {
  Octets blob;
  put_ulong(blob, 3000);
  blob.resize(3004, 0xAB);
  Octets id;
  put_ulong(id, 6);
  Octets locate;
  put_ulong(locate, 8);
  put_ulong(locate, 0);
  put_ulong(locate, static_cast<std::uint32_t>(key.size()));
  locate.insert(locate.end(), key.begin(), key.end());
  return {giop_request(2, key, "add", two_longs(1, 2)),
          giop_request(4, key, "echo", blob),
          giop_request(6, key, "note", two_longs(1, 2), false),
          giop_request(10, key, "add", two_longs(1, 2), true, true),
          giop_message(fragment, two_longs(10, 3)),
          giop_message(cancel_request, id),
          giop_message(locate_request, locate),
          giop_reply(2, 0, 3),
          giop_message(close_connection, {}),
          giop_message(message_error, {})};
}

TEST_P(PairSuite, HostileOctetsAtTheServer) {
  const Pair& one = again({"-ORBMaxMessageSize", "1M", "-ORBMessageTimeout", "2000"});
  const RawClient raw(GetParam().protocol, one.test);
  const std::vector<Octets> messages = messages_for(raw.key());
  Mutations chance(20260726);
  std::unique_ptr<RawLink> links[4];
  EXPECT_EQ(one.test->add(1, 2), 3);
  // Of some transports each end opens a descriptor when it is first watched, which may come later.
  const std::ptrdiff_t most = suite::open_descriptors() + 2;
  for (int i = 0; i < 400; ++i) {
    std::unique_ptr<RawLink>& link = links[chance.below(4)];
    if (!link) link = raw.connect();
    ASSERT_TRUE(link) << i;
    const std::uint32_t kind = chance.below(10);
    Octets octets = kind == 0 ? chance.random() : messages[chance.below(messages.size())];
    if (kind > 1) octets = chance.mutated(octets);
    if (!link->send(octets) || chance.below(8) == 0) link.reset();
    if (i % 20 == 0) {
      EXPECT_EQ(one.test->add(i, 1), i + 1) << "nobody else notices";
    }
  }
  for (std::unique_ptr<RawLink>& link : links) link.reset();
  EXPECT_EQ(one.test->add(1, 2), 3);
  EXPECT_TRUE(eventually([&] { return suite::open_descriptors() <= most; })) << suite::descriptor_names();
}

TEST_P(PairClientSuite, HostileOctetsAtTheClient) {
  Mutations chance(20260727);
  std::mutex mutex;  // guards chance
  const RawServer hostile(protocol(), [&](RawLink& link) {
    const Octets asked = link.receive_message();
    if (kind_of(asked) != request) return;
    const std::uint32_t id = ulong_at(asked, 12);
    std::vector<Octets> messages = messages_for({'k', 'e', 'y'});
    for (const std::uint32_t status : {0u, 0u, 1u, 2u, 3u, 4u, 5u})
      messages.push_back(giop_reply(id, status, 3));
    messages.push_back(giop_message(locate_reply, two_longs(id, 2)));
    Octets octets;
    {
      const std::lock_guard lock(mutex);
      octets = chance.below(10) == 0 ? chance.random() : messages[chance.below(messages.size())];
      if (chance.below(10) != 0) octets = chance.mutated(octets);
    }
    link.send(octets);
  });
  ScopedOrb client({"-ORBMaxMessageSize", "1M", "-ORBCallTimeout", "20000"});
  const TestRef test = hostile.at(*client);
  int replies = 0;
  for (int i = 0; i < 300; ++i) {
    const std::string outcome = outcome_of([&] { test->add(1, 2); });
    replies += outcome.empty() ? 1 : 0;
    EXPECT_FALSE(outcome.starts_with("TIMEOUT")) << i << ": " << outcome;
  }
  EXPECT_GT(replies, 0) << "some are right";
  EXPECT_LT(replies, 200) << "most are not";
  // The client calls others as before.
  const Pair good({protocol(), "thread-per-connection"});
  EXPECT_EQ(suite::seen_by(*client, good.test)->add(1, 2), 3);
  client.destroy();
}

}  // namespace tenon::conformance
