// SPDX-License-Identifier: Apache-2.0
//
// References with several addresses: which one is called, what is remembered, and that an address which swallows packets keeps nobody
// waiting.

#include "base/log.hpp"
#include "base/minor_codes.hpp"
#include "net/connect.hpp"
#include "suite_async.hpp"
#include "tests/orb/raw_peer.hpp"
#include "tests/orb/world.hpp"

namespace tenon::suite {
namespace {

/// A listener whose backlog is full: the kernel drops further handshakes.
class BlackHole {
 public:
  BlackHole() : listener_(nullptr, 1) {
    const auto address = net::numeric_address({"127.0.0.1", listener_.port()});
    int error = 0;
    while (waiting_.size() < 10) {
      net::Descriptor socket = net::connect_stream({&*address, 1}, Deadline::after_ms(100), error);
      if (!socket) break;
      waiting_.push_back(std::move(socket));
    }
    EXPECT_LT(waiting_.size(), 10u);
  }
  std::string address() const { return "127.0.0.1:" + std::to_string(listener_.port()); }

 private:
  RawServer listener_;
  std::vector<net::Descriptor> waiting_;
};

/// A server of an object that is called "t".
struct Place {
  explicit Place(const std::string& endpoint = "iiop://127.0.0.1")
      : orb({"-ORBListenEndpoints", endpoint}), servant(CORBA::make_reference<TestServant>(*orb)) {
    tenon::publish<Suite::Test_skeleton>(orb.ref(), servant, "t");
  }
  std::string address() const { return orb->_endpoints().front().substr(7); }
  ScopedOrb orb;
  CORBA::servant_reference<TestServant> servant;
};

TestRef object_at(CORBA::ORB& orb, const Words& addresses) {
  std::string url = "corbaloc:";
  for (const std::string& address : addresses)
    url += (url.back() == ':' ? "iiop:1.2@" : ",iiop:1.2@") + address;
  return IDL::traits<Suite::Test>::unchecked_narrow(orb.string_to_object(url + "/t"));
}

// The time to connect has no limit here but the system's, which is minutes.
TEST(Addresses, ASilentOneKeepsNobodyWaiting) {
  const BlackHole silent;
  const Place there;
  ScopedOrb client({"-ORBConnectTimeout", "0"});
  EXPECT_EQ(object_at(*client, {silent.address(), there.address()})->add(1, 2), 3);
}

TEST(Addresses, WhatHasFailedIsTriedLastForAWhile) {
  const BlackHole silent;
  const Place there;
  ScopedOrb client;
  const LogLines lines(LogLevel::info);
  EXPECT_EQ(object_at(*client, {silent.address(), there.address()})->add(1, 2), 3);
  EXPECT_EQ(lines.count("cannot connect"), 1);
  EXPECT_EQ(object_at(*client, {silent.address(), there.address()})->add(1, 2), 3);
  EXPECT_EQ(object_at(*client, {there.address(), silent.address()})->add(1, 2), 3);
  EXPECT_EQ(lines.count("cannot connect"), 1);
}

TEST(Addresses, WhatHasFailedIsTriedAgainWhenNothingElseWorks) {
  auto first = std::make_unique<Place>();
  const std::string address = first->address();
  first.reset();
  auto second = std::make_unique<Place>();
  ScopedOrb client;
  const TestRef object = object_at(*client, {address, second->address()});
  EXPECT_EQ(object->add(1, 2), 3);
  EXPECT_EQ(second->servant->adds, 1);
  second.reset();
  first = std::make_unique<Place>("iiop://" + address);
  EXPECT_TRUE(eventually([&] { return outcome_of([&] { object->add(1, 2); }).empty(); }));
  EXPECT_GE(first->servant->adds, 1);
}

TEST(Addresses, TheFirstThatWorksIsCalled) {
  const Place one, other;
  ScopedOrb client;
  EXPECT_EQ(object_at(*client, {one.address(), other.address()})->add(1, 2), 3);
  EXPECT_EQ(object_at(*client, {other.address(), one.address()})->add(1, 2), 3);
  EXPECT_EQ(one.servant->adds, 1);
  EXPECT_EQ(other.servant->adds, 1);
}

TEST(Addresses, AllAreSilent) {
  const BlackHole one, other;
  ScopedOrb client({"-ORBConnectTimeout", "600"});
  const TestRef object = object_at(*client, {one.address(), other.address()});
  EXPECT_EQ(outcome_of([&] { object->noop(); }), text_of(errors::connect_timed_out));
}

/// A server that hangs up on everybody, as one does that a rule forbids to serve the client.
struct Unkind {
  std::string address() const { return "127.0.0.1:" + std::to_string(server.port()); }
  RawServer server{[](RawSocket&) {}};
};

// A peer that has hung up cannot have got all of it, so it has executed nothing.
const Suite::Blob larger_than_any_buffer(30000000);

TEST(Addresses, WhereNewConnectionsBreakTheNextAddressIsCalled) {
  const Unkind first;
  const Unkind second;
  const Place there;
  const Words all{first.address(), second.address(), there.address()};
  ScopedOrb client;
  EXPECT_EQ(object_at(*client, all)->sum(larger_than_any_buffer), 0U);
  EXPECT_EQ(first.server.connections(), 1);
  EXPECT_EQ(second.server.connections(), 1);
  // What has failed comes last from now on.
  EXPECT_EQ(object_at(*client, all)->sum(larger_than_any_buffer), 0U);
  EXPECT_EQ(first.server.connections(), 1);
}

TEST(Addresses, WhereNewConnectionsBreakOnewaysAndAsynchronousCallsGoToTheNextAddressToo) {
  const Place there;
  {
    const Unkind first;
    ScopedOrb client;
    const TestRef object = object_at(*client, {first.address(), there.address()});
    object->note_size(larger_than_any_buffer);
    EXPECT_EQ(object->notes().size(), 1U);
  }
  const Unkind first;
  ScopedOrb client;
  const TestRef object = object_at(*client, {first.address(), there.address()});
  EXPECT_EQ(tenon::async(object).sum(larger_than_any_buffer).get(), 0U);
  EXPECT_EQ(first.server.connections(), 1);
}

TEST(Addresses, EachWhoseConnectionsBreakIsTriedOnceByACall) {
  const Unkind first;
  const Unkind second;
  ScopedOrb client;
  for (const int calls : {1, 2}) {
    const std::string said = outcome_of(
        [&] { object_at(*client, {first.address(), second.address()})->sum(larger_than_any_buffer); });
    EXPECT_EQ(said, text_of(errors::connection_lost));
    EXPECT_EQ(first.server.connections(), calls);
    EXPECT_EQ(second.server.connections(), calls);
  }
  EXPECT_EQ(outcome_of([&] { object_at(*client, {first.address()})->sum(larger_than_any_buffer); }),
            text_of(errors::connection_lost));
  EXPECT_EQ(first.server.connections(), 3);
}

// Nobody knows whether a request that is out has been executed.
TEST(Addresses, ARequestThatIsOutIsNotSentToTheNextAddress) {
  const RawServer first([](RawSocket& peer) { static_cast<void>(peer.receive_message()); });
  const Place there;
  ScopedOrb client;
  const TestRef object = object_at(*client, {"127.0.0.1:" + std::to_string(first.port()), there.address()});
  EXPECT_EQ(outcome_of([&] { object->add(1, 2); }), text_of(errors::connection_lost.with(Completion::maybe)));
}

}  // namespace
}  // namespace tenon::suite
