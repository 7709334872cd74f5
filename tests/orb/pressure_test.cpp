// SPDX-License-Identifier: Apache-2.0
//
// Back-pressure: what is queued behind a oneway that takes long is bounded, the peer is made to wait, no thread is, and everything
// arrives in the end.
#include <atomic>
#include <thread>

#include "base/clock.hpp"
#include "tests/orb/raw_peer.hpp"
#include "tests/orb/world.hpp"

namespace tenon::suite {
namespace {

/// Waits until the number has not changed for a while.
int settled(const std::atomic<int>& number) {
  int seen = -1;
  while (seen != number) {
    seen = number;
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
  }
  return seen;
}

std::uint16_t port_of(CORBA::ORB& orb) {
  const std::string endpoint = orb._endpoints().front();
  return static_cast<std::uint16_t>(std::stoi(endpoint.substr(endpoint.rfind(':') + 1)));
}

TEST(BackPressure, TheQueueBehindAOnewayIsBounded) {
  // More than the queue and what the kernel may keep of a connection.
  constexpr int messages = 8000;
  constexpr std::size_t octets = 8000;
  ScopedOrb server(
      {"-ORBServing", "pool", "-ORBPoolThreads", "2", "-ORBListenEndpoints", "iiop://127.0.0.1"});
  const auto servant = CORBA::make_reference<TestServant>(*server);
  const TestRef test = tenon::publish<Suite::Test_skeleton>(server.ref(), servant, "t");
  ScopedOrb client;
  const TestRef beside = seen_by(*client, test);

  const RawSocket peer = RawSocket::connect(port_of(*server));
  ASSERT_TRUE(peer.send(request(1, "t", "hold_note", Bytes(4), false)));
  ASSERT_TRUE(servant->gate.wait_for_waiters(1));
  std::atomic<int> sent{0};
  std::thread sender([&] {
    for (int i = 1; i <= messages; ++i) {
      Bytes body(octets);
      for (std::size_t byte = 0; byte < 4; ++byte)
        body[byte] = static_cast<std::uint8_t>(static_cast<unsigned>(i) >> (8 * byte));
      if (!peer.send(request(1, "t", "note", body, false))) return;
      sent = i;
    }
  });
  EXPECT_LT(settled(sent), messages);
  // One of the two threads is held by the servant; the other one is free for others.
  for (int i = 0; i < 10; ++i) EXPECT_EQ(beside->add(i, 1), i + 1);
  servant->gate.open();
  sender.join();
  EXPECT_EQ(sent, messages);
  EXPECT_TRUE(eventually([&] { return servant->notes().size() == messages + 1; }));
  const auto notes = servant->notes();
  for (std::size_t i = 0; i < notes.size(); ++i) ASSERT_EQ(notes[i], static_cast<std::int32_t>(i));
  server.destroy();
}

TEST(BackPressure, TheEndComesWhileItLasts) {
  for (const bool client_first : {true, false}) {
    ScopedOrb server(
        {"-ORBServing", "pool", "-ORBPoolThreads", "2", "-ORBListenEndpoints", "iiop://127.0.0.1"});
    const auto servant = CORBA::make_reference<TestServant>(*server);
    const TestRef test = tenon::publish<Suite::Test_skeleton>(server.ref(), servant, "t");
    RawSocket peer = RawSocket::connect(port_of(*server));
    ASSERT_TRUE(peer.send(request(1, "t", "hold_note", Bytes(4), false)));
    ASSERT_TRUE(servant->gate.wait_for_waiters(1));
    for (int i = 0; i < 1500; ++i) ASSERT_TRUE(peer.send(request(1, "t", "note", Bytes(4), false)));
    if (client_first) peer.close();
    std::thread opener([&] { servant->gate.open(); });
    server.destroy();
    opener.join();
  }
}

}  // namespace
}  // namespace tenon::suite
