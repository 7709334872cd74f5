// SPDX-License-Identifier: Apache-2.0
//
// Options that are wrong, certificates that are refused.
#include <openssl/ssl.h>
#include <sys/socket.h>

#include <fstream>
#include <thread>

#include "base/log.hpp"
#include "base/minor_codes.hpp"
#include "base/trail.hpp"
#include "net/address.hpp"
#include "net/connect.hpp"
#include "plugins/iiop/iiop.hpp"
#include "plugins/ssliop/meeting_test_support.hpp"
#include "plugins/ssliop/tls_transport.hpp"
#include "plugins/stream/unix_transport.hpp"
#include "protocol/identity.hpp"
#include "protocol/key_password.hpp"

namespace tenon::ssliop {
namespace {

TEST(SsliopPeers, KnowEachOther) {
  const Meeting both(own("server", {{"verify", "required"}}), own("client"));
  EXPECT_EQ(both.answered, Io::ok) << both.client_says << both.server_says;
  protocol::Identity client;
  ASSERT_TRUE(both.server->identify(client));
  EXPECT_EQ(client.kind, "tls");
  EXPECT_EQ(client["subject"], "CN=a client");
  EXPECT_EQ(client["name"], "DNS:client.test");
  EXPECT_EQ(client["fingerprint"].size(), 64U);
  EXPECT_EQ(client["version"], "TLSv1.3");
  protocol::Identity server;
  ASSERT_TRUE(both.client->identify(server));
  EXPECT_EQ(server["subject"], "CN=a server");
}

TEST(SsliopPeers, AClientWithoutACertificateIsNobody) {
  const Meeting both(own("server"), trusting());
  EXPECT_EQ(both.answered, Io::ok) << both.client_says;
  protocol::Identity client;
  ASSERT_TRUE(both.server->identify(client));
  EXPECT_FALSE(client);
  EXPECT_EQ(client["version"], "TLSv1.3");  // what protects, though nobody is known
}

TEST(SsliopPeers, AServerThatIsNotVerifiedIsNobody) {
  const Meeting both(own("server"), {{"verify", "none"}});
  EXPECT_EQ(both.answered, Io::ok) << both.client_says;
  protocol::Identity server;
  ASSERT_TRUE(both.client->identify(server));
  EXPECT_FALSE(server);
  EXPECT_EQ(server["subject"], "");
}

TEST(SsliopPeers, AClientRefusesWhatTheAuthorityHasNotSigned) {
  world().folder.write("stranger", make_certificate({.name = "a stranger"}, nullptr));
  const Meeting both(own("stranger"), trusting());
  EXPECT_FALSE(both.connected);
  expect_in(
      both.client_says,
      "this side refused the peer's certificate (CN=a stranger): it has signed itself, and is not among "
      "ssliop.authorities");
  expect_in(both.server_says, "the peer refused this side: unknown CA");
}

TEST(SsliopPeers, WhoseAuthorityIsUnknownIsNamedWithIt) {
  const Signed elsewhere = make_certificate({.name = "another authority", .hosts = nullptr}, nullptr);
  world().folder.write("elsewhere", make_certificate({.name = "from elsewhere"}, &elsewhere));
  const char* const sentence =
      "(CN=from elsewhere): its authority is not among ssliop.authorities: CN=another authority";
  const Meeting leaf(own("elsewhere"), trusting());
  EXPECT_FALSE(leaf.connected);
  expect_in(leaf.client_says, sentence);
  // The same where the authority's own certificate comes behind.
  std::ofstream(world().folder.path("elsewhere.pem"), std::ios::app)
      << std::ifstream(world().folder.write("another", elsewhere) + ".pem").rdbuf();
  const Meeting both(own("server"), own("elsewhere"));
  EXPECT_NE(both.answered, Io::ok);
  expect_in(both.server_says, sentence);
}

TEST(SsliopPeers, AClientRefusesWhatHasExpired) {
  world().folder.write("old", make_certificate({.name = "an old one", .ends_s = -60}, &world().ca));
  const Meeting both(own("old"), trusting());
  EXPECT_FALSE(both.connected);
  expect_in(both.client_says,
            "this side refused the peer's certificate (CN=an old one): certificate has expired");
  expect_in(both.server_says, "the peer refused this side: certificate expired");
}

TEST(SsliopPeers, AClientRefusesTheCertificateOfAnotherHost) {
  world().folder.write(
      "other", make_certificate({.name = "other", .hosts = "DNS:other.test,IP:192.0.2.1"}, &world().ca));
  const Meeting numbers(own("other"), trusting());
  EXPECT_FALSE(numbers.connected);
  expect_in(numbers.client_says,
            "it is not for 127.0.0.1, which the reference names, but for DNS:other.test, IP:192.0.2.1");
  const Meeting name(own("other"), trusting(), "localhost");
  EXPECT_FALSE(name.connected);
  expect_in(name.client_says, "it is not for localhost, which the reference names");
  const Meeting any(own("other"), trusting({{"verify_host", "0"}}));
  EXPECT_EQ(any.answered, Io::ok) << any.client_says;
}

TEST(SsliopPeers, AServerRefusesAClientWithoutACertificate) {
  const Meeting both(own("server", {{"verify", "required"}}), trusting());
  EXPECT_NE(both.answered, Io::ok);
  EXPECT_EQ(both.come, Handshake::failed);
  expect_in(both.server_says, "it has shown no certificate");
  expect_in(both.client_says, "the peer refused this side: certificate required");
}

TEST(SsliopPeers, AServerRefusesAClientOfAnotherAuthority) {
  world().folder.write("stranger", make_certificate({.name = "a stranger"}, nullptr));
  const Meeting both(own("server"), own("stranger"));
  EXPECT_NE(both.answered, Io::ok);
  expect_in(both.server_says,
            "this side refused the peer's certificate (CN=a stranger): it has signed itself");
  expect_in(both.client_says, "the peer refused this side: unknown CA");
}

/// As where a server closes a connection from which it has not read all: the client's next octets find it reset.
TEST(SsliopPeers, ARefusalIsHeardOverAConnectionThatIsReset) {
  world().folder.write("stranger", make_certificate({.name = "a stranger"}, nullptr));
  const auto server_plugin = plugin_with(own("server"));
  const auto client_plugin = plugin_with(own("stranger"));
  std::string why;
  const auto acceptor = server_plugin->listen("ssliop://127.0.0.1", why);
  ASSERT_TRUE(acceptor) << why;
  std::thread refusing([&] {
    const auto server = std::move(*acceptor->accept());
    EXPECT_EQ(server->handshake(Deadline::after_ms(patience_ms), why), Handshake::failed);
    const linger at_once{1, 0};
    EXPECT_EQ(::setsockopt(*server->poll_descriptor(), SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once), 0);
  });
  Trail::mine().restart();
  const auto client = client_plugin->connect(acceptor->published().front(), Deadline::after_ms(patience_ms));
  refusing.join();
  ASSERT_TRUE(client);  // in TLS 1.3 the client is done before the server has seen its certificate
  const std::uint8_t octet = 42;
  const cdr::Piece piece{&octet, 1};
  EXPECT_EQ((*client)->send({&piece, 1}, Deadline::after_ms(patience_ms)).result, Io::failed);
  expect_in(text(Trail::mine()), "the peer refused this side: unknown CA");
}

TEST(SsliopPeers, NoCipherInCommon) {
  const Meeting both(own("server", {{"ciphersuites", "TLS_AES_128_GCM_SHA256"}, {"min_version", "1.3"}}),
                     trusting({{"ciphersuites", "TLS_AES_256_GCM_SHA384"}, {"min_version", "1.3"}}));
  EXPECT_FALSE(both.connected);
  expect_in(both.server_says, "no cipher in common");
  expect_in(both.client_says, "the peer refused this side: handshake failure");
}

TEST(SsliopPeers, AClientInTheClearIsNotTls) {
  const auto plugin = plugin_with(own("server"));
  std::string why;
  const auto acceptor = plugin->listen("ssliop://127.0.0.1", why);
  ASSERT_TRUE(acceptor) << why;
  const auto clear = iiop::make_plugin();
  auto client = clear->connect(acceptor->published().front(), Deadline::after_ms(patience_ms));
  ASSERT_TRUE(client);
  const auto server = std::move(*acceptor->accept());
  const std::uint8_t message[] = {'G', 'I', 'O', 'P', 1, 2, 1, 0, 0, 0, 0, 0};
  const cdr::Piece piece{message, sizeof message};
  ASSERT_EQ((*client)->send({&piece, 1}, Deadline{}).result, Io::ok);
  EXPECT_EQ(server->handshake(Deadline::after_ms(patience_ms), why), Handshake::failed);
  EXPECT_EQ(why, "what the peer sends is not TLS");
}

TEST(SsliopPeers, AServerInTheClearIsNotTls) {
  const auto clear = iiop::make_plugin();
  std::string why;
  const auto acceptor = clear->listen("iiop://127.0.0.1", why);
  std::thread serving([&] {
    const auto server = std::move(*acceptor->accept());
    std::uint8_t octet = 0;
    static_cast<void>(server->receive({&octet, 1}, Deadline{}));
    const std::uint8_t message[] = {'G', 'I', 'O', 'P', 1, 2, 1, 6, 0, 0, 0, 0};
    const cdr::Piece piece{message, sizeof message};
    static_cast<void>(server->send({&piece, 1}, Deadline{}));
  });
  Trail::mine().restart();
  const auto plugin = plugin_with(trusting());
  EXPECT_FALSE(plugin->connect(acceptor->published().front(), Deadline::after_ms(patience_ms)));
  serving.join();
  expect_in(text(Trail::mine()), "what the peer sends is not TLS");
}

TEST(SsliopPeers, ASilentServerCostsTheCallersTime) {
  const auto clear = iiop::make_plugin();
  std::string why;
  const auto acceptor = clear->listen("iiop://127.0.0.1", why);
  const auto plugin = plugin_with(trusting());
  const auto made = plugin->connect(acceptor->published().front(), Deadline::after_ms(50));
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error(), errors::connect_timed_out);
}

TEST(SsliopPeers, AHandshakeGoesAsFarAsItCan) {
  const auto plugin = plugin_with(own("server"));
  std::string why;
  const auto acceptor = plugin->listen("ssliop://127.0.0.1", why);
  std::thread connecting(
      [&] { EXPECT_TRUE(plugin->connect(acceptor->published().front(), Deadline::after_ms(patience_ms))); });
  const auto server = std::move(*acceptor->accept());
  std::uint8_t octet = 0;
  EXPECT_EQ(server->receive({&octet, 1}, Deadline{}).os_error, ENOTCONN);
  Handshake come = server->handshake(Deadline::immediately(), why);
  for (; come == Handshake::wants_input; come = server->handshake(Deadline::immediately(), why)) {
    ASSERT_TRUE(server->wait(Deadline::after_ms(patience_ms)));
  }
  EXPECT_EQ(come, Handshake::done) << why;
  connecting.join();
}

/// A client of TLS 1.2 by hand, over a blocking socket.
struct OldClient {
  explicit OldClient(const protocol::Acceptor& acceptor) {
    int os_error = 0;
    const HostAndPort where = host_and_port(acceptor.published().front());
    socket = net::connect_to(*net::numeric_address(where.host, where.port), Deadline{}, os_error);
    ::SSL_CTX_set_max_proto_version(context.get(), TLS1_2_VERSION);
    session = ::SSL_new(context.get());
    ::SSL_set_fd(session, socket.get());
  }
  ~OldClient() { ::SSL_free(session); }
  OldClient(const OldClient&) = delete;
  OldClient& operator=(const OldClient&) = delete;
  struct Free {
    void operator()(SSL_CTX* it) const noexcept { ::SSL_CTX_free(it); }
  };
  net::Descriptor socket;
  std::unique_ptr<SSL_CTX, Free> context{::SSL_CTX_new(::TLS_client_method())};
  SSL* session = nullptr;
};

TEST(SsliopVersions, OnePointTwoIsServedAndIsNotRenegotiated) {
  const auto plugin = plugin_with(own("server"));
  std::string why;
  const auto acceptor = plugin->listen("ssliop://127.0.0.1", why);
  OldClient client(*acceptor);
  std::thread connecting([&] { EXPECT_EQ(::SSL_connect(client.session), 1); });
  const auto server = std::move(*acceptor->accept());
  EXPECT_EQ(server->handshake(Deadline::after_ms(patience_ms), why), Handshake::done) << why;
  connecting.join();
  EXPECT_STREQ(::SSL_get_version(client.session), "TLSv1.2");
  ASSERT_EQ(::SSL_write(client.session, "x", 1), 1);
  std::uint8_t octet = 0;
  EXPECT_EQ(server->receive({&octet, 1}, Deadline::after_ms(patience_ms)).result, Io::ok);
  // The server answers "no" without a handshake, and goes on.
  ASSERT_EQ(::SSL_renegotiate(client.session), 1);
  std::thread asking([&] { EXPECT_NE(::SSL_do_handshake(client.session), 1); });
  static_cast<void>(server->receive({&octet, 1}, Deadline::after_ms(100)));
  server->shut_down();
  asking.join();
}

TEST(SsliopVersions, OnePointTwoIsRefusedWhereMoreIsWanted) {
  const auto plugin = plugin_with(own("server", {{"min_version", "1.3"}}));
  std::string why;
  const auto acceptor = plugin->listen("ssliop://127.0.0.1", why);
  OldClient client(*acceptor);
  std::thread connecting([&] { EXPECT_NE(::SSL_connect(client.session), 1); });
  const auto server = std::move(*acceptor->accept());
  EXPECT_EQ(server->handshake(Deadline::after_ms(patience_ms), why), Handshake::failed);
  EXPECT_EQ(why, "this side refused the peer's version of TLS (ssliop.min_version)");
  server->shut_down();
  connecting.join();
}

/// Two sides over a Unix-domain socket of which the kernel takes little at a time: unless told otherwise so little that a record does not
/// fit.
struct Narrow {
  explicit Narrow(int octets = 4608) {
    int ends[2] = {-1, -1};
    EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
    ::setsockopt(ends[0], SOL_SOCKET, SO_SNDBUF, &octets, sizeof octets);
    client = make(ends[0], trusting(), Side::connects);
    server = make(ends[1], own("server"), Side::accepts);
    std::thread accepting([&] {
      std::string why;
      EXPECT_EQ(server->handshake(Deadline::after_ms(patience_ms), why), Handshake::done) << why;
    });
    std::string why;
    EXPECT_EQ(client->handshake(Deadline::after_ms(patience_ms), why), Handshake::done) << why;
    accepting.join();
  }
  static std::unique_ptr<Transport> make(int socket, const Options& options, Side side) {
    Settings settings;
    std::string why;
    for (const auto& [name, value] : options) EXPECT_TRUE(settings.set(name, value, why)) << why;
    auto below = stream::make_unix_transport(net::Descriptor(socket), "a peer", std::nullopt);
    return TlsTransport::over(std::move(below), make_context(settings, why), side, "localhost");
  }
  /// What the server gets until nothing comes for a while.
  std::size_t take(std::int64_t ms) const {
    std::vector<std::uint8_t> room(1 << 16);
    std::size_t came = 0;
    for (;;) {
      const protocol::Transfer moved = server->receive(room, Deadline::after_ms(ms));
      if (moved.result != Io::ok) return came;
      came += moved.bytes;
    }
  }
  std::unique_ptr<Transport> client;
  std::unique_ptr<Transport> server;
};

protocol::Transfer send_filled(Transport& transport, std::uint8_t with, std::int64_t ms) {
  const std::vector<std::uint8_t> octets(16384, with);
  const cdr::Piece piece{octets.data(), octets.size()};
  return transport.send({&piece, 1}, Deadline::after_ms(ms));
}

TEST(SsliopRecords, WhatIsOwedArrivesOnceItIsSentAgain) {
  const Narrow both;
  const protocol::Transfer first = send_filled(*both.client, 'a', 20);
  EXPECT_EQ(first.result, Io::timed_out);
  EXPECT_EQ(first.bytes, 0U);
  EXPECT_EQ(both.take(20), 0U);  // what has not been counted
  std::size_t came = 0;
  std::thread reading([&] { came = both.take(500); });
  const protocol::Transfer again = send_filled(*both.client, 'a', patience_ms);
  EXPECT_EQ(again.result, Io::ok);
  EXPECT_EQ(again.bytes, 16384U);
  reading.join();
  EXPECT_EQ(came, 16384U);
}

TEST(SsliopRecords, SomethingElseEndsTheConnection) {
  const Narrow both;
  EXPECT_EQ(send_filled(*both.client, 'a', 20).result, Io::timed_out);
  EXPECT_EQ(both.take(20), 0U);
  const protocol::Transfer other = send_filled(*both.client, 'b', patience_ms);
  EXPECT_EQ(other.result, Io::failed);
  EXPECT_EQ(other.os_error, EPROTO);
  both.client->shut_down();
  EXPECT_EQ(both.take(20), 0U);
}

TEST(SsliopRecords, ManyGoByOneCallAndNoneIsCutOrComesTwice) {
  const Narrow both(100'000);
  std::vector<std::uint8_t> octets(400'000);
  for (std::size_t i = 0; i != octets.size(); ++i) octets[i] = static_cast<std::uint8_t>(i % 251);
  std::vector<std::uint8_t> came;
  std::vector<std::uint8_t> room(octets.size());
  std::size_t sent = 0;
  std::size_t by_one_call = 0;
  int calls = 0;
  while (sent != octets.size()) {
    const ByteView left = ByteView(octets).subspan(sent);
    const ByteView small = left.first(std::min<std::size_t>(left.size(), 100));
    const ByteView large = left.subspan(small.size());
    const cdr::Piece pieces[] = {
        {small.data(), small.size()}, {large.data(), 0}, {large.data(), large.size()}};
    const protocol::Transfer moved = both.client->send(pieces, Deadline::after_ms(20));
    ASSERT_EQ(moved.result, moved.bytes != 0 ? Io::ok : Io::timed_out);
    sent += moved.bytes;
    by_one_call = std::max(by_one_call, moved.bytes);
    ++calls;
    for (;;) {
      const protocol::Transfer got = both.server->receive(room, Deadline::immediately());
      if (got.result != Io::ok) break;
      came.insert(came.end(), room.begin(), room.begin() + static_cast<std::ptrdiff_t>(got.bytes));
    }
    ASSERT_EQ(came.size(), sent) << "what has not been counted does not come";
  }
  EXPECT_GT(by_one_call, 16384U);
  EXPECT_GT(calls, 2);
  EXPECT_EQ(came, octets);
}

std::string refused(std::string_view name, std::string_view value) {
  std::string why;
  EXPECT_FALSE(make_plugin()->set_option(name, value, why)) << name;
  return why;
}

TEST(SsliopOptions, WrongOnesAreExplained) {
  expect_in(refused("certificate", "/no/such/file"), "cannot be read: No such file or directory");
  expect_in(refused("key", world().folder.path("")), "wants a file");
  expect_in(refused("verify", "maybe"), "wants none, peer or required");
  expect_in(refused("min_version", "1.1"), "wants 1.2 or 1.3");
  expect_in(refused("ciphers", "NOTHING"), "openssl ciphers");
  expect_in(refused("ciphersuites", "NOTHING"), "TLS_AES_256_GCM_SHA384");
  expect_in(refused("verify_host", "perhaps"), "wants 0 or 1");
  expect_in(refused("key_password_env", "TENON_NO_SUCH_VARIABLE"), "no such variable");
}

TEST(SsliopOptions, ACertificateThatIsOutOfDateIsInTheLogWhenItIsRead) {
  std::string lines;
  set_log_level(LogLevel::warning);
  set_log_sink([](void* into, LogLevel, std::string_view,
                  std::string_view text) { static_cast<std::string*>(into)->append(text).append("\n"); },
               &lines);
  const auto read = [](std::string_view name, const Wanted& wanted) {
    world().folder.write(name, make_certificate(wanted, &world().ca));
    std::string why;
    EXPECT_NE(plugin_with(own(std::string(name)))->listen("ssliop://127.0.0.1", why), nullptr) << why;
  };
  read("dated", {.name = "dated"});
  EXPECT_EQ(lines, "");
  read("over", {.name = "over", .ends_s = -60});
  expect_in(lines, "over.pem: the certificate has expired: peers will refuse it");
  read("early", {.name = "early", .begins_s = 60});
  expect_in(lines, "early.pem: the certificate is not valid yet: peers will refuse it");
  set_log_sink(nullptr, nullptr);
  set_log_level(LogLevel::off);
}

// The client knows the first authority alone. What the server sends is found when its files are read.
TEST(SsliopOptions, WhatIsBehindACertificateIsFoundAmongTheAuthorities) {
  const Folder& folder = world().folder;
  const Signed between = make_certificate({.name = "the second authority", .hosts = nullptr}, &world().ca);
  folder.write("second", between);
  folder.write("distant", make_certificate({.name = "distant"}, &between));
  const Meeting without(own("distant"), trusting());
  EXPECT_FALSE(without.connected);
  std::ofstream(folder.path("both.pem"))
      << std::ifstream(world().ca_file()).rdbuf() << std::ifstream(folder.path("second.pem")).rdbuf();
  const Meeting with(own("distant", {{"authorities", folder.path("both.pem")}}), trusting());
  EXPECT_EQ(with.answered, Io::ok) << with.client_says;
}

/// What listening says.
std::string broken(const Options& options) {
  std::string why;
  EXPECT_EQ(plugin_with(options)->listen("ssliop://127.0.0.1", why), nullptr);
  return why;
}

TEST(SsliopOptions, WhatIsWrongWithAFileIsSaid) {
  const Folder& folder = world().folder;
  const std::string nonsense = folder.write_text("nonsense", "this is no certificate\n");
  expect_in(broken({}), "give ssliop.certificate and ssliop.key");
  expect_in(broken({{"certificate", nonsense}}),
            "option ssliop.certificate=" + nonsense + ": no certificate in PEM can be read from it");
  expect_in(broken({{"certificate", folder.path("server.pem")}}), "no key in PEM can be read from it");
  expect_in(broken({{"certificate", folder.path("server.pem")}, {"key", folder.path("client.key")}}),
            "client.key: this is not the key of the certificate");
  expect_in(broken({{"certificate", folder.path("server.pem")},
                    {"key", folder.path("server.key")},
                    {"authorities", nonsense}}),
            "option ssliop.authorities=" + nonsense + ": no certificates in PEM");
  expect_in(broken({{"verify", "required"}}), "wants ssliop.authorities");
}

TEST(SsliopOptions, AKeyWithAPassword) {
  const Folder& folder = world().folder;
  folder.write("locked", make_certificate({.name = "locked"}, &world().ca), "open sesame");
  const Options locked{{"certificate", folder.path("locked.pem")}, {"key", folder.path("locked.key")}};
  expect_in(broken(locked), "locked.key: the key has a password: give ssliop.key_password_file");
  Options wrong = locked;
  wrong.push_back({"key_password_file", folder.write_text("wrong", "open rye\n")});
  expect_in(broken(wrong), "the password is not that of the key");
  std::string why;
  Options right = locked;
  right.push_back({"key_password_file", folder.write_text("right", "open sesame\n")});
  EXPECT_TRUE(plugin_with(right)->listen("ssliop://127.0.0.1", why)) << why;
  ::setenv("TENON_TEST_KEY_PASSWORD", "open sesame", 1);
  Options by_variable = locked;
  by_variable.push_back({"key_password_env", "TENON_TEST_KEY_PASSWORD"});
  EXPECT_TRUE(plugin_with(by_variable)->listen("ssliop://127.0.0.1", why)) << why;

  std::string asked_for;
  protocol::set_key_passwords(
      [](void* into, std::string_view file, std::string& password) noexcept {
        *static_cast<std::string*>(into) = file;
        password = "open sesame";
        return true;
      },
      &asked_for);
  expect_in(broken(wrong), "the password is not that of the key");
  EXPECT_EQ(asked_for, "") << "the option gives one";
  EXPECT_TRUE(plugin_with(locked)->listen("ssliop://127.0.0.1", why)) << why;
  EXPECT_EQ(asked_for, folder.path("locked.key"));
  protocol::set_key_passwords(nullptr, nullptr);
  expect_in(broken(locked), "let the program give it (tenon::give_key_passwords)");
}

}  // namespace
}  // namespace tenon::ssliop
