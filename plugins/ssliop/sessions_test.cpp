// SPDX-License-Identifier: Apache-2.0
//
// Sessions that are resumed, and those that are not.
#include "plugins/ssliop/sessions.hpp"

#include <atomic>

#include "plugins/iiop/iiop.hpp"
#include "plugins/ssliop/meeting_test_support.hpp"
#include "plugins/ssliop/reload.hpp"
#include "plugins/ssliop/tls_transport.hpp"
#include "protocol/identity.hpp"

namespace tenon::ssliop {
namespace {

using protocol::Handshake;
using protocol::Io;
using protocol::Transport;

/// Answers each octet, and keeps what it has learnt of its clients.
class Answering {
 public:
  explicit Answering(const Options& options) : plugin_(plugin_with(options)) {
    std::string why;
    acceptor_ = plugin_->listen("ssliop://127.0.0.1", why);
    EXPECT_TRUE(acceptor_) << why;
    thread_ = std::thread([this] { serve(); });
  }
  ~Answering() {
    over_ = true;
    acceptor_->shut_down();
    thread_.join();
  }
  Answering(const Answering&) = delete;
  Answering& operator=(const Answering&) = delete;

  std::string address() const { return acceptor_->published().front(); }
  std::string last_client() const {
    const LockGuard lock(mutex_);
    return client_;
  }

 private:
  void serve() {
    while (!over_) {
      auto accepted = acceptor_->accept();
      if (!accepted || *accepted == nullptr) continue;
      Transport& one = **accepted;
      std::string why;
      if (one.handshake(Deadline::after_ms(patience_ms), why) != Handshake::done) continue;
      protocol::Identity who;
      std::uint8_t octet = 0;
      while (one.receive({&octet, 1}, Deadline::after_ms(patience_ms)).result == Io::ok) {
        static_cast<void>(one.identify(who));
        {
          const LockGuard lock(mutex_);
          client_ = who["subject"];
        }
        const cdr::Piece answer{&octet, 1};
        static_cast<void>(one.send({&answer, 1}, Deadline::after_ms(patience_ms)));
      }
    }
  }

  const std::unique_ptr<protocol::TransportPlugin> plugin_;
  std::unique_ptr<protocol::Acceptor> acceptor_;
  std::atomic<bool> over_{false};
  mutable Mutex mutex_;
  std::string client_;
  std::thread thread_;
};

/// A client of a context that the test can look into.
struct Caller {
  explicit Caller(const Options& options) {
    std::string why;
    for (const auto& [name, value] : options) EXPECT_TRUE(settings.set(name, value, why)) << name << why;
    context = make_context(settings, why);
    EXPECT_TRUE(context) << why;
    tcp->configure({});
  }
  /// One call: "new" or "resumed", then whom the server is; or why there was none.
  std::string call(const Answering& server, std::string_view with = "it") {
    auto path = tcp->connect(server.address(), Deadline::after_ms(patience_ms));
    if (!path) return "no connection";
    const auto tls = TlsTransport::over(std::move(*path), context, Side::connects, "127.0.0.1",
                                        Trust::as_configured, with);
    std::string why;
    const long before = SSL_CTX_sess_hits(context->tls.get());
    if (tls->handshake(Deadline::after_ms(patience_ms), why) != Handshake::done) return why;
    std::uint8_t octet = 42;
    const cdr::Piece piece{&octet, 1};
    static_cast<void>(tls->send({&piece, 1}, Deadline::after_ms(patience_ms)));
    if (tls->receive({&octet, 1}, Deadline::after_ms(patience_ms)).result != Io::ok) return "no answer";
    protocol::Identity who;
    static_cast<void>(tls->identify(who));
    const bool resumed = SSL_CTX_sess_hits(context->tls.get()) > before;
    const std::string text = (resumed ? "resumed " : "new ") + std::string(who["subject"]);
    tls->shut_down();
    return text;
  }

  const std::unique_ptr<protocol::TransportPlugin> tcp = iiop::make_plugin();
  Settings settings;
  std::shared_ptr<const Context> context;
};

class SsliopSessions : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Versions, SsliopSessions, ::testing::Values("1.2", "1.3"),
                         [](const auto& which) { return which.param[2] == '2' ? "two" : "three"; });

/// TLS 1.2 has no option of its own that ends there.
Options only(const std::string& version) {
  if (version == "1.3") return {{"min_version", "1.3"}};
  return {};
}

void at_most(const Caller& caller, const std::string& version) {
  if (version == "1.2") SSL_CTX_set_max_proto_version(caller.context->tls.get(), TLS1_2_VERSION);
}

TEST_P(SsliopSessions, AreResumedAndKeepWhoThePeersAre) {
  const Answering server(own("server", {{"verify", "required"}}));
  Caller caller(own("client", only(GetParam())));
  at_most(caller, GetParam());
  EXPECT_EQ(caller.call(server), "new CN=a server");
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(caller.call(server), "resumed CN=a server");
    EXPECT_EQ(server.last_client(), "CN=a client");
  }
  EXPECT_EQ(caller.call(server, "another"), "new CN=a server") << "each peer has its own";
}

TEST_P(SsliopSessions, AreNotResumedWhereOneSideDoesNotWantIt) {
  const Answering server(own("server", {{"resumption", "0"}}));
  Caller caller(trusting());
  at_most(caller, GetParam());
  const Answering willing(own("server"));
  Caller strict(trusting({{"resumption", "0"}}));
  at_most(strict, GetParam());
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(caller.call(server), "new CN=a server");
    EXPECT_EQ(strict.call(willing), "new CN=a server");
  }
}

// A new context of either side: other files, other keys of tickets.
TEST_P(SsliopSessions, EndWithTheContext) {
  const Options options = own("server");
  const Answering server(options);
  Caller caller(trusting());
  at_most(caller, GetParam());
  EXPECT_EQ(caller.call(server), "new CN=a server");
  EXPECT_EQ(caller.call(server), "resumed CN=a server");
  std::string why;
  caller.context = make_context(caller.settings, why);
  at_most(caller, GetParam());
  EXPECT_EQ(caller.call(server), "new CN=a server");
  // The server forgets: its tickets are of another key then.
  const Answering after(options);
  const TlsSession kept = caller.context->sessions->take("it").session;
  ASSERT_TRUE(kept);
  ::SSL_SESSION_up_ref(kept.get());
  caller.context->sessions->keep("after", TlsSession(kept.get()), Deadline::never());
  EXPECT_EQ(caller.call(after, "after"), "new CN=a server");
}

TEST_P(SsliopSessions, EndWithTheirCertificate) {
  world().folder.write("brief", make_certificate({.name = "brief", .ends_s = 3}, &world().ca));
  const Answering server(own("brief"));
  Caller caller(trusting());
  at_most(caller, GetParam());
  EXPECT_EQ(caller.call(server), "new CN=brief");
  const Deadline until = Deadline::after_ms(patience_ms);
  std::string last;
  while (!until.expired() && (last = caller.call(server)) == "resumed CN=brief") {}
  expect_in(last, "this side refused the peer's certificate (CN=brief): certificate has expired");
}

TEST_P(SsliopSessions, OfAClientEndWithItsCertificate) {
  world().folder.write("soon", make_certificate({.name = "soon", .ends_s = 3}, &world().ca));
  const Answering server(own("server", {{"verify", "required"}}));
  Caller caller(own("soon"));
  at_most(caller, GetParam());
  EXPECT_EQ(caller.call(server), "new CN=a server");
  const Deadline until = Deadline::after_ms(patience_ms);
  std::string last;
  while (!until.expired() && (last = caller.call(server)) == "resumed CN=a server") {}
  EXPECT_NE(last, "new CN=a server");
}

TEST(SsliopSessionsKept, AreFewAndEnd) {
  Sessions sessions;
  const auto made = [&] {
    SSL_SESSION* const one = ::SSL_SESSION_new();
    ::SSL_SESSION_set_protocol_version(one, TLS1_3_VERSION);
    const unsigned char id[] = {1};
    ::SSL_SESSION_set1_id(one, id, sizeof id);
    return TlsSession(one);
  };
  for (int i = 0; i < 100; ++i) sessions.keep("one", made(), Deadline::never());
  EXPECT_EQ(sessions.size(), Sessions::most_with_one);
  for (int i = 0; i < 1000; ++i) sessions.keep(std::to_string(i), made(), Deadline::never());
  EXPECT_EQ(sessions.size(), Sessions::most);
  EXPECT_TRUE(sessions.take("999").session);
  EXPECT_FALSE(sessions.take("999").session) << "once";
  EXPECT_FALSE(sessions.take("one").session) << "the oldest are gone";
  sessions.keep("late", made(), Deadline::immediately());
  EXPECT_FALSE(sessions.take("late").session);
}

// A flood: the server keeps nothing of it.
TEST_P(SsliopSessions, AFloodIsServedAndLeavesNothing) {
  const Answering server(own("server"));
  Caller caller(trusting());
  at_most(caller, GetParam());
  EXPECT_EQ(caller.call(server), "new CN=a server");
  for (int i = 0; i < 200; ++i) ASSERT_EQ(caller.call(server), "resumed CN=a server") << i;
  EXPECT_LE(caller.context->sessions->size(), Sessions::most_with_one);
}

/// What a client that never reads has sent arrives: nothing that comes uncalled-for resets its connection.
TEST(SsliopSessionsKept, WhatWasSentBeforeAnEndArrives) {
  const auto plugin = plugin_with(own("server"));
  std::string why;
  const auto acceptor = plugin->listen("ssliop://127.0.0.1", why);
  ASSERT_TRUE(acceptor) << why;
  constexpr std::size_t size = 50'000;
  for (int round = 0; round < 20; ++round) {
    std::thread calling([&] {
      const auto client = plugin_with(trusting());
      auto made = client->connect(acceptor->published().front(), Deadline::after_ms(patience_ms));
      ASSERT_TRUE(made);
      const std::vector<std::uint8_t> octets(size, 7);
      for (std::size_t sent = 0; sent < size;) {
        const cdr::Piece piece{octets.data() + sent, size - sent};
        const protocol::Transfer moved = (*made)->send({&piece, 1}, Deadline::after_ms(patience_ms));
        ASSERT_EQ(moved.result, Io::ok);
        sent += moved.bytes;
      }
      (*made)->shut_down();
    });
    const auto server = std::move(*acceptor->accept());
    EXPECT_EQ(server->handshake(Deadline::after_ms(patience_ms), why), Handshake::done) << why;
    calling.join();  // it is gone before anything is read
    std::vector<std::uint8_t> into(size);
    std::size_t came = 0;
    for (;;) {
      const protocol::Transfer moved = server->receive(into, Deadline::after_ms(patience_ms));
      if (moved.result != Io::ok) break;
      came += moved.bytes;
    }
    EXPECT_EQ(came, size);
  }
}

}  // namespace
}  // namespace tenon::ssliop
