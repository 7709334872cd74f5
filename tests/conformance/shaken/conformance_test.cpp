// SPDX-License-Identifier: Apache-2.0
//
// A transport with a handshake under the suite that every transport passes, and what the contract says of handshakes besides.
#include "tests/conformance/shaken/shaken.hpp"
#include "tests/conformance/transport_suite.hpp"

namespace tenon::conformance {
namespace {

struct Shaken {
  static std::unique_ptr<protocol::TransportPlugin> plugin() { return shaken::make_plugin({}); }
  static std::string endpoint() { return "shaken://"; }
  static std::string nowhere() {
    std::string why;
    const auto acceptor = plugin()->listen(endpoint(), why);
    return acceptor ? acceptor->published().front() : why;
  }
  static constexpr bool uses_descriptors = true;
};

INSTANTIATE_TYPED_TEST_SUITE_P(Shaken, TransportSuite, Shaken);

/// A peer that has connected and does nothing, and the transport that was accepted.
struct Half {
  Half() {
    std::string why;
    acceptor = plugin->listen("shaken://", why);
    connecting = std::thread([this] {
      refused = !plugin->connect(acceptor->published().front(), Deadline::after_ms(patience_ms));
    });
    server = std::move(*acceptor->accept());
  }
  ~Half() {
    if (server != nullptr) server->shut_down();
    connecting.join();
  }
  std::unique_ptr<shaken::Plugin> plugin = shaken::make_plugin({.rounds = 2});
  std::unique_ptr<protocol::Acceptor> acceptor;
  std::unique_ptr<Transport> server;
  std::atomic<bool> refused{false};
  std::thread connecting;
};

TEST(ShakenTransport, CannotBeUsedBefore) {
  Half half;
  std::uint8_t byte = 0;
  const cdr::Piece piece{&byte, 1};
  const Transfer sent = half.server->send({&piece, 1}, Deadline{});
  EXPECT_EQ(sent.result, Io::failed);
  EXPECT_EQ(sent.os_error, ENOTCONN);
  EXPECT_EQ(half.server->receive({&byte, 1}, Deadline{}).os_error, ENOTCONN);
  std::string why;
  EXPECT_EQ(half.server->handshake(Deadline::after_ms(patience_ms), why), protocol::Handshake::done);
}

TEST(ShakenTransport, GoesAsFarAsItCan) {
  Half half;
  std::string why;
  protocol::Handshake come = half.server->handshake(Deadline::immediately(), why);
  while (come == protocol::Handshake::wants_input) {
    ASSERT_TRUE(half.server->wait(Deadline::after_ms(patience_ms)));
    come = half.server->handshake(Deadline::immediately(), why);
  }
  EXPECT_EQ(come, protocol::Handshake::done) << why;
}

TEST(ShakenTransport, ShutDownEndsIt) {
  Half half;
  std::thread ending([&] { half.server->shut_down(); });
  std::string why;
  const protocol::Handshake come = half.server->handshake(Deadline::after_ms(patience_ms), why);
  EXPECT_TRUE(come == protocol::Handshake::failed || come == protocol::Handshake::done);
  ending.join();
}

}  // namespace
}  // namespace tenon::conformance
