// SPDX-License-Identifier: Apache-2.0
//
// Peers that are slow, silent or wrong: every call ends, and says what is known of it. No test here asserts how long something took;
// a call that waits where it should not runs into the time limit of the whole program.
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>

#include <atomic>
#include <future>
#include <thread>

#include <tenon/messaging.hpp>
#include <tenon/timeout.hpp>

#include "base/minor_codes.hpp"
#include "suite_async.hpp"
#include "tests/orb/raw_peer.hpp"
#include "tests/orb/world.hpp"

namespace tenon::suite {
namespace {

using namespace std::chrono_literals;

using Timeouts = World;
INSTANTIATE_TEST_SUITE_P(All, Timeouts, ::testing::ValuesIn(remote_cases()),
                         [](const auto& each) { return name_of(each.param); });

std::string with_reply_timed_out() { return text_of(errors::reply_timed_out.with(Completion::maybe)); }

const Words one_opened{"-ORBConnectionsPerEndpoint", "1"};

TEST_P(Timeouts, OfAScope) {
  const Pair one(GetParam(), {}, one_opened);
  {
    const TimeoutScope outer(50ms);
    EXPECT_EQ(outcome_of([&] { one.test->hold(1); }), with_reply_timed_out());
    {
      const TimeoutScope inner(10000ms);
      one.servant->gate.open();  // its reply is for nobody
      EXPECT_EQ(one.test->add(1, 2), 3);
    }
  }
  EXPECT_EQ(one.test->add(1, 2), 3);
}

TEST_P(Timeouts, OfAnObject) {
  const Pair one(GetParam(), {}, one_opened);
  set_timeout(*one.test, 50ms);
  const TimeoutScope longer(10000ms);
  EXPECT_EQ(outcome_of([&] { one.test->hold(1); }), with_reply_timed_out());
  one.servant->gate.open();
  set_timeout(*one.test, 0ms);
  EXPECT_EQ(one.test->add(1, 2), 3);
}

TEST_P(Timeouts, OfTheOrb) {
  const Pair one(GetParam(), {}, {"-ORBConnectionsPerEndpoint", "1", "-ORBCallTimeout", "50"});
  EXPECT_EQ(outcome_of([&] { one.test->hold(1); }), with_reply_timed_out());
  one.servant->gate.open();
  const TimeoutScope longer(10000ms);
  EXPECT_EQ(one.test->add(1, 2), 3);
}

TEST_P(Timeouts, OneCallTimesOutWhileOthersWaitOnTheConnection) {
  const Pair one(GetParam(), {"-ORBPoolThreads", "20"}, one_opened);
  // The patient ones read the connection or wait for whoever reads; the impatient ones leave both ways.
  std::atomic<int> right{0};
  std::vector<std::thread> callers;
  for (int i = 0; i < 8; ++i) {
    callers.emplace_back([&, i] {
      if (i % 2 == 0) {
        const TimeoutScope brief(30ms + std::chrono::milliseconds(i * 10));
        right += outcome_of([&] { one.test->hold(i); }) == with_reply_timed_out() ? 1 : 0;
      } else {
        const TimeoutScope patient(60000ms);
        right += one.test->hold(i) == i ? 1 : 0;
      }
    });
  }
  EXPECT_TRUE(eventually([&] { return right == 4; }));
  one.servant->gate.open(8);
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(right, 8);
  EXPECT_EQ(one.test->add(1, 2), 3);
}

// --- raw peers ---

class Peers : public ::testing::Test {
 protected:
  TestRef at(const RawServer& server, const Words& options = {}) {
    client = std::make_unique<ScopedOrb>(options);
    return IDL::traits<Suite::Test>::unchecked_narrow((*client)->string_to_object(server.url()));
  }
  std::unique_ptr<ScopedOrb> client;
};

TEST_F(Peers, ThatNeverAnswer) {
  const RawServer silent([](RawSocket& peer) {
    while (!peer.receive_message().empty()) {}
  });
  const TestRef test = at(silent, {"-ORBCallTimeout", "50"});
  for (int i = 0; i < 3; ++i) EXPECT_EQ(outcome_of([&] { test->noop(); }), with_reply_timed_out());
  const TimeoutScope brief(20ms);
  EXPECT_EQ(outcome_of([&] { test->noop(); }), with_reply_timed_out());
  client.reset();
}

TEST_F(Peers, ThatDoNotAccept) {
  const RawServer full(nullptr, 0);
  std::vector<RawSocket> waiting;
  // Until one more does not get through: the backlog is full.
  while (true) {
    waiting.emplace_back(::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    to.sin_port = htons(full.port());
    ASSERT_NE(::connect(waiting.back().fd(), reinterpret_cast<const sockaddr*>(&to), sizeof to), 0);
    pollfd watched{waiting.back().fd(), POLLOUT, 0};
    if (::poll(&watched, 1, 100) == 0) break;
    ASSERT_LT(waiting.size(), 100u);
  }
  const TestRef test = at(full, {"-ORBConnectTimeout", "50"});
  EXPECT_EQ(outcome_of([&] { test->noop(); }), text_of(errors::connect_timed_out));
  const TimeoutScope brief(20ms);
  EXPECT_EQ(outcome_of([&] { test->noop(); }), text_of(errors::connect_timed_out));
}

TEST_F(Peers, ThatDoNotRead) {
  std::atomic<bool> done{false};
  const RawServer deaf([&](RawSocket&) {
    while (!done) std::this_thread::sleep_for(1ms);
  });
  {
    const TestRef test = at(deaf, {"-ORBSendTimeout", "50"});
    const Suite::Blob large(30000000);
    EXPECT_EQ(outcome_of([&] { test->sum(large); }), text_of(errors::send_timed_out));
    const TimeoutScope brief(20ms);
    EXPECT_EQ(outcome_of([&] { test->sum(large); }), text_of(errors::send_timed_out));
  }
  done = true;
}

TEST_F(Peers, ThatDoNotReadKeepNoCallLongerThanItsOrbSays) {
  std::atomic<bool> done{false};
  const RawServer deaf([&](RawSocket&) {
    while (!done) std::this_thread::sleep_for(1ms);
  });
  const std::string out_of_time = text_of(errors::send_timed_out);
  {
    // Sending alone may take any time.
    const TestRef test = at(deaf, {"-ORBCallTimeout", "50", "-ORBSendTimeout", "0"});
    const Suite::Blob large(30000000);
    EXPECT_EQ(outcome_of([&] { test->sum(large); }), out_of_time);
    std::promise<std::string> ended;
    tenon::async(test).sum(large).then([&ended](tenon::Reply<std::uint64_t> reply) {
      ended.set_value(outcome_of([&reply] { reply.get(); }));
    });
    EXPECT_NE(ended.get_future().get().find("TIMEOUT"), std::string::npos);
  }
  done = true;
}

TEST_F(Peers, ThatAnswerLate) {
  // The first request is answered when nobody waits for it any more; this server sees to one connection after the other.
  std::atomic<bool> answers{false};
  const RawServer late([&](RawSocket& peer) {
    const Bytes first = peer.receive_message();
    while (!answers) std::this_thread::sleep_for(1ms);
    peer.send(long_reply(request_id_of(first), 111));
    const Bytes second = peer.receive_message();
    if (second.empty()) return;
    peer.send(long_reply(request_id_of(second), 222));
    peer.receive_message();
  });
  const TestRef test = at(late, {"-ORBConnectionsPerEndpoint", "1"});
  {
    const TimeoutScope brief(50ms);
    EXPECT_EQ(outcome_of([&] { test->add(1, 1); }), with_reply_timed_out());
  }
  answers = true;
  std::this_thread::sleep_for(1s);  // what is sent over another connection would wait for this one to end
  const TimeoutScope enough(20s);
  EXPECT_EQ(test->add(1, 1), 222);
  EXPECT_EQ(late.connections(), 1);
  client.reset();
}

TEST_F(Peers, ThatCloseInOrder) {
  // A request that came too late for a connection which is closed in order has not been handled: the client asks over a new one.
  std::atomic<int> served{0};
  const RawServer closing([&](RawSocket& peer) {
    const Bytes first = peer.receive_message();
    if (first.size() <= 16) return;
    ++served;
    peer.send(long_reply(request_id_of(first), 5));
    if (served % 2 == 1) {
      if (peer.receive_message().empty()) return;
      peer.send(message(5, {}));
    } else {
      peer.receive_message();
    }
  });
  const TestRef test = at(closing);
  EXPECT_EQ(test->add(1, 1), 5);
  EXPECT_EQ(test->add(1, 1), 5);
  EXPECT_EQ(closing.connections(), 2);
  client.reset();
}

TEST_F(Peers, ThatCloseWithoutAWord) {
  const RawServer rude([](RawSocket& peer) { peer.receive_message(); });
  const TestRef test = at(rude);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(outcome_of([&] { test->add(1, 1); }), text_of(errors::connection_lost.with(Completion::maybe)));
  }
}

TEST_F(Peers, ThatAnswerNonsense) {
  std::atomic<int> turn{0};
  const RawServer wrong([&](RawSocket& peer) {
    const Bytes asked = peer.receive_message();
    if (asked.size() <= 16) return;
    Bytes answer = long_reply(request_id_of(asked), 9);
    switch (turn++) {
      case 0: answer = Bytes(40, 'x'); break;                                 // no GIOP
      case 1: answer = message(6, {}); break;                                 // MessageError
      case 2: answer[7] = 9; break;                                           // no such type
      case 3: answer[16] = 17; break;                                         // no such status
      case 4: answer = message(1, {0, 0, 0}); break;                          // too short for a reply
      case 5: answer[8] = answer[9] = answer[10] = answer[11] = 0xFF; break;  // 4 GiB to come
      case 6: answer = message(0, Bytes(20)); break;                          // a request, from a server
      case 7: answer = message(7, Bytes(8), 3); break;                        // a fragment of nothing
      default: break;
    }
    peer.send(answer);
    peer.receive_message();
  });
  const TestRef test = at(wrong, {"-ORBCallTimeout", "20000"});
  for (int i = 0; i < 8; ++i) {
    const std::string outcome = outcome_of([&] { test->add(1, 1); });
    EXPECT_TRUE(outcome.starts_with("COMM_FAILURE") || outcome.starts_with("MARSHAL") ||
                outcome.starts_with("IMP_LIMIT"))
        << i << ": " << outcome;
  }
  EXPECT_EQ(turn, 8);
  EXPECT_EQ(test->add(1, 1), 9);
  client.reset();
}

TEST_F(Peers, ThatSendTooShortResults) {
  const RawServer brief([](RawSocket& peer) {
    for (Bytes asked = peer.receive_message(); asked.size() > 16; asked = peer.receive_message()) {
      Bytes answer = long_reply(request_id_of(asked), 9);
      answer.resize(answer.size() - 2);
      answer[8] = static_cast<std::uint8_t>(answer[8] - 2);
      peer.send(answer);
    }
  });
  const TestRef test = at(brief);
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(outcome_of([&] { test->add(1, 1); }), text_of(errors::out_of_data.with(Completion::yes)));
  }
  EXPECT_EQ(brief.connections(), 1);
  client.reset();
}

// A client that asks for much and reads nothing keeps a thread no longer than the send time-out, and the connection goes.
TEST_F(Peers, ThatAskButDoNotReadTheReply) {
  for (const char* serving : {"thread-per-connection", "pool"}) {
    ScopedOrb server({"-ORBListenEndpoints", "iiop://127.0.0.1", "-ORBServing", serving, "-ORBPoolThreads",
                      "2", "-ORBSendTimeout", "50", "-ORBMaxServerConnections", "5"});
    const auto servant = CORBA::make_reference<TestServant>(*server);
    const TestRef test = tenon::publish<Suite::Test_skeleton>(server.ref(), servant, "t");
    const std::string endpoint = server->_endpoints().front();
    const auto port = static_cast<std::uint16_t>(std::stoi(endpoint.substr(endpoint.rfind(':') + 1)));
    std::vector<RawSocket> deaf;
    const Bytes size{0, 0x2D, 0x31, 1};  // 20 million
    for (int i = 0; i < 4; ++i) {
      deaf.push_back(RawSocket::connect(port));
      ASSERT_TRUE(deaf.back().send(request(0, "t", "make", size)));
    }
    ScopedOrb good;
    EXPECT_EQ(seen_by(*good, test)->add(1, 2), 3);
    // There is room for others once the deaf ones have been given up.
    ScopedOrb later;
    const TestRef again = seen_by(*later, test);
    EXPECT_TRUE(eventually([&] { return outcome_of([&] { again->noop(); }).empty(); }));
  }
}

}  // namespace
}  // namespace tenon::suite
