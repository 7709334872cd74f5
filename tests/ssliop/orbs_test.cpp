// SPDX-License-Identifier: Apache-2.0
//
// ORBs that are told to use TLS by their options: what references say, who may call whom, and handshakes that hang.
#include <stdexcept>

#include <tenon/key_passwords.hpp>
#include <tenon/tried.hpp>

#include "ior/iiop_profile.hpp"
#include "ior/object_url.hpp"
#include "tests/orb/raw_peer.hpp"
#include "tests/ssliop/world.hpp"

namespace tenon::suite {
namespace {

class Tls : public ::testing::TestWithParam<std::string> {};

INSTANTIATE_TEST_SUITE_P(Serving, Tls, ::testing::Values("thread-per-connection", "pool", "single-thread"),
                         [](const auto& which) {
                           std::string name = which.param;
                           std::erase(name, '-');
                           return name;
                         });

TEST_P(Tls, ServantsKnowWhoCalls) {
  const TlsServer server(tls("server", {"-ORBListenEndpoints", "ssliop://127.0.0.1", "-ORBProtocolOption",
                                        "ssliop.verify=required"}),
                         GetParam());
  const TlsOrb client(tls("client"));
  const std::string who = at(client, server.text())->who();
  EXPECT_TRUE(who.starts_with("tls subject=CN=a client name=DNS:client.test fingerprint=")) << who;
}

class Throwing final : public TestServant {
 public:
  using TestServant::TestServant;
  std::int32_t add(std::int32_t, std::int32_t) override { throw std::runtime_error("out of paper"); }
};

TEST_P(Tls, TheLogSaysWhoseCallHasThrown) {
  const TlsServer server(tls("server", {"-ORBListenEndpoints", "ssliop://127.0.0.1", "-ORBProtocolOption",
                                        "ssliop.verify=required"}),
                         GetParam());
  const auto throwing = CORBA::make_reference<Throwing>(*server.orb);
  const TestRef test = tenon::publish<Suite::Test_skeleton>(server.orb, throwing);
  const TlsOrb client(tls("client"));
  const LogLines log(LogLevel::warning);
  EXPECT_EQ(message_of([&] { at(client, server.orb->object_to_string(test))->add(1, 2); }).substr(0, 7),
            "UNKNOWN");
  EXPECT_EQ(log.count("operation 'add' threw: out of paper, called by tls subject=CN=a client name="), 1);
}

TEST(TlsKeys, TheProgramGivesThePassword) {
  certificates().folder.write("sealed", ssliop::make_certificate({.name = "a server"}, &certificates().ca),
                              "open sesame");
  const Words options = tls("sealed", {"-ORBListenEndpoints", "ssliop://127.0.0.1"});
  tenon::give_key_passwords(
      [](std::string_view) -> std::string { throw std::runtime_error("the vault is closed"); });
  {
    const LogLines log(LogLevel::warning);
    EXPECT_NE(message_of([&] { const TlsServer none(options); }).find("the key has a password"),
              std::string::npos);
    EXPECT_EQ(log.count("sealed.key: the vault is closed"), 1);
  }
  tenon::give_key_passwords(
      [](std::string_view file) { return file.ends_with("/sealed.key") ? "open sesame" : ""; });
  {
    const TlsServer server(options);
    const TlsOrb client(tls(""));
    EXPECT_EQ(at(client, server.text())->title(), server.servant->title());
  }
  tenon::give_key_passwords(nullptr);
}

TEST_P(Tls, AClientThatHangsIsGivenUpAndOthersAreServed) {
  const TlsServer server(
      tls("server", {"-ORBListenEndpoints", "ssliop://127.0.0.1", "-ORBMessageTimeout", "300"}), GetParam());
  const std::string endpoint = server.orb->_core().endpoints().front();
  const auto port = static_cast<std::uint16_t>(std::stoi(endpoint.substr(endpoint.rfind(':') + 1)));
  const RawSocket silent = RawSocket::connect(port);
  const RawSocket half = RawSocket::connect(port);
  ASSERT_TRUE(half.send({0x16, 0x03, 0x01, 0x01}));  // how a ClientHello begins
  const TlsOrb client(tls(""));
  EXPECT_EQ(at(client, server.text())->title(), server.servant->title());
  for (const RawSocket* each : {&silent, &half}) {
    timeval wait{.tv_sec = 20, .tv_usec = 0};
    ::setsockopt(each->fd(), SOL_SOCKET, SO_RCVTIMEO, &wait, sizeof wait);
    std::uint8_t octet = 0;
    const ssize_t came = ::recv(each->fd(), &octet, 1, 0);
    EXPECT_TRUE(came == 0 || (came < 0 && errno == ECONNRESET)) << came << ' ' << errno;
  }
}

/// The thread sanitizer takes tens of milliseconds for each record.
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define TENON_SLOW_RECORDS
#endif
#endif
#ifdef TENON_SLOW_RECORDS
constexpr std::size_t large_message = std::size_t{2} << 20;
#else
constexpr std::size_t large_message = std::size_t{64} << 20;
#endif

TEST_P(Tls, MessagesOfSixtyFourMebioctets) {
  const TlsServer server(tls("server", {"-ORBListenEndpoints", "ssliop://127.0.0.1"}), GetParam());
  const TlsOrb client(tls(""));
  Suite::Blob blob(large_message);
  for (std::size_t i = 0; i < blob.size(); i += 4093) blob[i] = static_cast<std::uint8_t>(i);
  EXPECT_TRUE(at(client, server.text())->echo(blob) == blob);
}

TEST(TlsReferences, ServersOfTlsAloneArePublishedWithPortZero) {
  const TlsServer server(tls("server", {"-ORBListenEndpoints", "ssliop://127.0.0.1"}));
  const ior::Ior ior = server.ior();
  ASSERT_EQ(ior.profiles.size(), 1U);
  EXPECT_EQ(ior.profiles[0].tag, ior::tag_internet_iop);
  const auto profile = ior::parse_iiop_profile(ior.profiles[0].data);
  ASSERT_TRUE(profile);
  EXPECT_EQ(profile->address, (ior::IiopAddress{"127.0.0.1", 0}));
  // Clients with both protocols, and with TLS alone.
  EXPECT_EQ(at(TlsOrb(tls("")), server.text())->title(), server.servant->title());
  const TlsOrb strict(tls("", {"-ORBProtocol", "ssliop"}));
  EXPECT_EQ(at(strict, server.text())->title(), server.servant->title());
  // One that does not have TLS finds no way.
  const TlsOrb clear({"-ORBProtocol", "iiop"});
  EXPECT_NE(outcome_of([&] { at(clear, server.text())->title(); }), "");
}

TEST(TlsReferences, BothDoorsAreInOneProfile) {
  const TlsServer server(tls("server", {"-ORBListenEndpoints", "iiop://127.0.0.1;ssliop://127.0.0.1"}));
  ASSERT_EQ(server.ior().profiles.size(), 1U);
  const auto who_calls = [&](const Words& options) {
    const TlsOrb client(options);
    return at(client, server.text())->who();
  };
  // TLS is tried first; the client's certificate shows over which door it came.
  EXPECT_TRUE(who_calls(tls("client")).starts_with("tls ")) << who_calls(tls("client"));
  EXPECT_TRUE(who_calls(tls("client", {"-ORBProtocol", "ssliop"})).starts_with("tls "));
  EXPECT_EQ(who_calls(tls("client", {"-ORBProtocol", "iiop,ssliop"})), "unknown");
  EXPECT_EQ(who_calls({"-ORBProtocol", "iiop"}), "unknown");
}

TEST(TlsReferences, AClientOfTlsAloneDoesNotCallInTheClear) {
  const TlsServer server({"-ORBListenEndpoints", "iiop://127.0.0.1"});
  const TlsOrb strict(tls("", {"-ORBProtocol", "ssliop"}));
  EXPECT_TRUE(outcome_of([&] { at(strict, server.text())->title(); }).starts_with("NO_IMPLEMENT"))
      << outcome_of([&] { at(strict, server.text())->title(); });
}

TEST(TlsReferences, Urls) {
  const TlsServer server(tls("server", {"-ORBListenEndpoints", "ssliop://127.0.0.1"}));
  const std::string endpoint = server.orb->_core().endpoints().front();
  const auto profile = ior::parse_iiop_profile(server.ior().profiles[0].data);
  ASSERT_TRUE(profile);
  const std::string url = "corbaloc:ssliop:127.0.0.1" + endpoint.substr(endpoint.rfind(':')) + "/" +
                          ior::escape_key(profile->key);
  for (const Words& options : {tls(""), tls("", {"-ORBProtocol", "ssliop"})}) {
    const TlsOrb client(options);
    EXPECT_EQ(at(client, url)->title(), server.servant->title()) << url;
  }
}

TEST(TlsCalls, ExceptionsSayWhoHasRefusedWhat) {
  const TlsServer server(tls("server", {"-ORBListenEndpoints", "ssliop://127.0.0.1", "-ORBProtocolOption",
                                        "ssliop.verify=required"}));
  const auto said = [&](const Words& options) {
    const TlsOrb client(options);
    const TestRef test = at(client, server.text());
    return message_of([&] { test->title(); });
  };
  const std::string no_certificate = said(tls(""));
  EXPECT_TRUE(has(no_certificate, "the peer refused this side: certificate required")) << no_certificate;
  // Those of the system do not know the test's authority.
  const std::string unknown = said({});
  EXPECT_TRUE(has(unknown, "this side refused the peer's certificate (CN=")) << unknown;
  const std::string broken =
      said({"-ORBProtocolOption", "ssliop.key=" + certificates().folder.path("client.key")});
  EXPECT_TRUE(has(broken, "a key without ssliop.certificate has no use")) << broken;
}

TEST(TlsCalls, AServerWithoutACertificateDoesNotStart) {
  const TlsOrb server({"-ORBListenEndpoints", "ssliop://127.0.0.1"});
  const auto servant = CORBA::make_reference<TestServant>(*server.orb);
  const std::string why = message_of([&] { tenon::publish<Suite::Test_skeleton>(server.orb, servant); });
  EXPECT_TRUE(has(why, "give ssliop.certificate and ssliop.key")) << why;
}

TEST(TlsCalls, WrongOptionsAreRefusedAtTheStart) {
  const std::string why = message_of([] { TlsOrb({"-ORBProtocolOption", "ssliop.min_version=1.0"}); });
  EXPECT_TRUE(has(why, "option ssliop.min_version=1.0: wants 1.2 or 1.3")) << why;
}

}  // namespace
}  // namespace tenon::suite
