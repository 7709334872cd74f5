// SPDX-License-Identifier: Apache-2.0
//
// A single thread and the beginning of a message: it is no work until more of it comes.
#include <poll.h>

#include <semaphore>

#include <tenon/event_loop.hpp>
#include <tenon/messaging.hpp>

#include "suite_async.hpp"
#include "tests/orb/raw_peer.hpp"
#include "tests/orb/world.hpp"

namespace tenon::suite {
namespace {

const Words alone{"-ORBServing", "single-thread", "-ORBListenEndpoints", "iiop://127.0.0.1"};

/// Works until there is nothing to do; false: there always is.
bool comes_to_rest(CORBA::ORB& orb) {
  for (int i = 0; i < 1000; ++i) {
    if (!orb.work_pending()) return true;
    orb.perform_work();
  }
  return false;
}

TEST(SingleThreadHalves, TheBeginningOfARequestIsNoWorkUntilMoreComes) {
  ScopedOrb here(alone);
  const auto servant = CORBA::make_reference<TestServant>(*here);
  const TestRef published = tenon::publish<Suite::Test_skeleton>(here.ref(), servant);
  const Bytes whole = request(1, key_of(published), "notes");
  const RawSocket peer = RawSocket::connect(tcp_port_of(*here));
  for (const std::size_t cut : {std::size_t{5}, std::size_t{12}, whole.size() - 1}) {
    ASSERT_TRUE(peer.send({whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(cut)}));
    pollfd watched{work_descriptor(*here), POLLIN, 0};
    ASSERT_EQ(::poll(&watched, 1, 60000), 1);
    here->perform_work();
    EXPECT_TRUE(comes_to_rest(*here)) << cut;
    ASSERT_TRUE(peer.send({whole.begin() + static_cast<std::ptrdiff_t>(cut), whole.end()}));
    ASSERT_EQ(::poll(&watched, 1, 60000), 1);
    EXPECT_TRUE(comes_to_rest(*here)) << cut;
    EXPECT_FALSE(peer.receive_message().empty()) << cut;
  }
}

TEST(SingleThreadHalves, TheBeginningOfAReplyIsNoWorkUntilMoreComes) {
  std::binary_semaphore half(0);
  std::binary_semaphore rest(0);
  const RawServer server([&](RawSocket& peer) {
    const Bytes call = peer.receive_message();
    if (call.empty()) return;
    const Bytes reply = long_reply(request_id_of(call), 42);
    peer.send({reply.begin(), reply.begin() + 20});
    half.release();
    rest.acquire();
    peer.send({reply.begin() + 20, reply.end()});
    static_cast<void>(peer.receive_message());
  });
  ScopedOrb here(alone);
  (void)here->work_pending();
  here->perform_work();  // from here on this thread is the one that reads
  const TestRef test = IDL::traits<Suite::Test>::unchecked_narrow(here->string_to_object(server.url()));
  int value = 0;
  auto reply = tenon::async(test).add(40, 2);
  std::move(reply).then([&](tenon::Reply<std::int32_t> result) { value = result.get(); });
  half.acquire();
  pollfd watched{work_descriptor(*here), POLLIN, 0};
  bool rests = comes_to_rest(*here);
  while (rests && ::poll(&watched, 1, 100) == 1) rests = comes_to_rest(*here);
  EXPECT_TRUE(rests);
  rest.release();
  while (value == 0) {
    ASSERT_EQ(::poll(&watched, 1, 60000), 1);
    here->perform_work();
  }
  EXPECT_EQ(value, 42);
}

}  // namespace
}  // namespace tenon::suite
