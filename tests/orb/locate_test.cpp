// SPDX-License-Identifier: Apache-2.0
//
// LocateRequests and what their replies lead to: other places, and other ways to address the object.
#include <atomic>
#include <functional>

#include "base/minor_codes.hpp"
#include "ior/ior.hpp"
#include "orb/client/invocation.hpp"
#include "tests/orb/raw_peer.hpp"
#include "tests/orb/world.hpp"

namespace tenon::suite {
namespace {

constexpr std::uint8_t locate_reply = 4;
constexpr std::size_t disposition_at = 16;  // of a LocateRequest, in this machine's byte order

Bytes located(std::uint32_t request_id, std::uint32_t status, ByteView behind = {}) {
  cdr::Writer body;
  body.put(request_id);
  body.put(status);
  body.put_octets(behind);
  return message(locate_reply, {body.bytes().begin(), body.bytes().end()});
}
Bytes elsewhere(std::uint32_t request_id, const CORBA::Object& object) {
  cdr::Writer reference;
  ior::write_ior(reference, object._reference()->ior());
  return located(request_id, 2, reference.bytes());
}
Bytes address_by(std::uint32_t request_id, std::uint16_t addressing) {
  cdr::Writer disposition;
  disposition.put(addressing);
  return located(request_id, 5, disposition.bytes());
}

std::string validated(CORBA::Object& object) {
  return outcome_of([&] {
    CORBA::PolicyList inconsistent;
    EXPECT_TRUE(object._validate_connection(inconsistent));
  });
}

/// Answers each LocateRequest as the test says, and counts them. Who asks ends first.
class Asked {
 public:
  using Answer = std::function<Bytes(const Bytes& request)>;
  explicit Asked(const Answer& answer)
      : server_([this, answer](RawSocket& peer) {
          // Until the end, or CloseConnection.
          for (Bytes asked = peer.receive_message(); asked.size() > disposition_at;
               asked = peer.receive_message()) {
            ++times;
            peer.send(answer(asked));
          }
        }) {}
  /// Sends everybody to `to`.
  Asked() : Asked([this](const Bytes& asked) { return elsewhere(request_id_of(asked), *to); }) {}
  ObjectRef seen_by(CORBA::ORB& orb) const { return orb.string_to_object(server_.url()); }
  ObjectRef to;
  std::atomic<int> times{0};

 private:
  RawServer server_;
};

TEST(Locating, AsksWhereItIsSentTo) {
  Asked first;
  const Pair pair(Case{"iiop", "pool"});
  first.to = pair.test;
  const TestRef test = IDL::traits<Suite::Test>::unchecked_narrow(first.seen_by(pair.client()));
  EXPECT_EQ(validated(*test), "");
  EXPECT_EQ(test->add(1, 2), 3);
  EXPECT_EQ(validated(*test), "");
  EXPECT_EQ(first.times, 1);
  const auto poa =
      IDL::traits<PortableServer::POA>::narrow(pair.server().resolve_initial_references("RootPOA"));
  poa->deactivate_object(poa->servant_to_id(pair.servant));
  // The place that it was sent to knows nothing any more: the first one is asked again.
  EXPECT_EQ(validated(*test), text_of(errors::not_activated));
  EXPECT_EQ(first.times, 2);
}

TEST(Locating, APlaceThatIsNotThere) {
  Asked first;
  const ScopedOrb orb;
  {
    const RawServer closed([](RawSocket&) {});
    first.to = orb->string_to_object(closed.url());
  }
  EXPECT_EQ(validated(*first.seen_by(*orb)), text_of(errors::cannot_connect));
  EXPECT_EQ(first.times, 2);
}

TEST(Locating, InACircle) {
  Asked first;
  const ScopedOrb orb;
  first.to = first.seen_by(*orb);
  EXPECT_EQ(validated(*first.seen_by(*orb)), text_of(errors::too_many_forwards));
}

TEST(Locating, AddressesTheObjectAsItIsTold) {
  for (const std::uint16_t wanted : {std::uint16_t{1}, std::uint16_t{2}}) {
    Asked first([&](const Bytes& asked) {
      const std::uint32_t id = request_id_of(asked);
      return asked[disposition_at] == wanted ? located(id, 1) : address_by(id, wanted);
    });
    const ScopedOrb orb;
    EXPECT_EQ(validated(*first.seen_by(*orb)), "") << wanted;
    EXPECT_EQ(first.times, 2);
  }
}

TEST(Locating, WhoNeverHasEnough) {
  for (std::uint16_t wanted = 0; wanted < 4; ++wanted) {
    Asked first([&](const Bytes& asked) { return address_by(request_id_of(asked), wanted); });
    const ScopedOrb orb;
    EXPECT_EQ(validated(*first.seen_by(*orb)), text_of(errors::bad_reply)) << wanted;
    EXPECT_LE(first.times, 2);
  }
}

}  // namespace
}  // namespace tenon::suite
