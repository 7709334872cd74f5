// SPDX-License-Identifier: Apache-2.0
//
// What stands between two sides: it looks at the octets, or cuts them; and clients that ask for more than they should. Nothing hangs, and
// no descriptor is left.
#include <openssl/ssl.h>
#include <poll.h>
#include <sys/socket.h>

#include <atomic>
#include <csignal>
#include <filesystem>
#include <functional>
#include <iterator>
#include <limits>
#include <string>

#include "plugins/ssliop/meeting_test_support.hpp"
#include "plugins/ssliop/tls_transport.hpp"
#include "plugins/stream/unix_transport.hpp"

namespace tenon::ssliop {
namespace {

using protocol::Handshake;
using protocol::Io;
using protocol::Transport;

constexpr std::size_t everything = std::numeric_limits<std::size_t>::max();
constexpr std::string_view secret = "what nobody but the two may read";

std::shared_ptr<const Context> context_of(const Options& options) {
  Settings settings;
  std::string why;
  for (const auto& [name, value] : options) EXPECT_TRUE(settings.set(name, value, why)) << name << why;
  auto made = make_context(settings, why);
  EXPECT_TRUE(made) << why;
  return made;
}

std::ptrdiff_t descriptors() {
  return std::distance(std::filesystem::directory_iterator("/proc/self/fd"), {});
}

/// Passes octets on between two sockets, so many of each direction; then it ends both.
class Between {
 public:
  Between(std::size_t of_client, std::size_t of_server) : left_{of_client, of_server} {
    EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, client_), 0);
    EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, server_), 0);
    thread_ = std::thread([this] { pass(); });
  }
  ~Between() { end(); }
  Between(const Between&) = delete;
  Between& operator=(const Between&) = delete;

  int client_side() const { return client_[0]; }
  int server_side() const { return server_[0]; }
  void end() {
    if (!thread_.joinable()) return;
    over_ = true;
    thread_.join();
    ::close(client_[1]);
    ::close(server_[1]);
  }
  std::string seen[2];  // of the client, of the server; once it has ended

 private:
  void pass() {
    while (!over_) {
      pollfd both[] = {{client_[1], POLLIN, 0}, {server_[1], POLLIN, 0}};
      ::poll(both, 2, 5);
      for (int i = 0; i < 2; ++i) {
        if (both[i].revents == 0) continue;
        char octets[4096];
        const ssize_t came = ::recv(both[i].fd, octets, sizeof octets, MSG_DONTWAIT);
        if (came < 0) continue;
        const std::size_t passed = std::min(static_cast<std::size_t>(came), left_[i]);
        left_[i] -= passed;
        seen[i].append(octets, passed);
        static_cast<void>(::send(both[1 - i].fd, octets, passed, MSG_NOSIGNAL));
        if (came == 0 || left_[i] == 0) return shut();
      }
    }
    shut();
  }
  void shut() const {
    ::shutdown(client_[1], SHUT_RDWR);
    ::shutdown(server_[1], SHUT_RDWR);
  }

  std::size_t left_[2];
  int client_[2] = {-1, -1};
  int server_[2] = {-1, -1};
  std::atomic<bool> over_{false};
  std::thread thread_;
};

struct Outcome {
  bool answered = false;  // the client has got what the server sent
  std::string client_says;
  std::string server_says;
};

std::unique_ptr<Transport> over_socket(int socket, std::shared_ptr<const Context> context, Side side,
                                       std::string_view with) {
  return TlsTransport::over(stream::make_unix_transport(net::Descriptor(socket), "a peer", std::nullopt),
                            std::move(context), side, "127.0.0.1", Trust::as_configured, with);
}

/// The client sends the secret, and the server sends it back.
Outcome talk(Between& between, const std::shared_ptr<const Context>& client,
             const std::shared_ptr<const Context>& server) {
  Outcome outcome;
  const cdr::Piece piece{reinterpret_cast<const std::uint8_t*>(secret.data()), secret.size()};
  std::thread accepting([&] {
    const auto one = over_socket(between.server_side(), server, Side::accepts, {});
    if (one->handshake(Deadline::after_ms(patience_ms), outcome.server_says) == Handshake::done) {
      std::uint8_t into[64];
      if (one->receive(into, Deadline::after_ms(patience_ms)).result == Io::ok)
        static_cast<void>(one->send({&piece, 1}, Deadline::after_ms(patience_ms)));
    }
    one->shut_down();
  });
  {
    const auto one = over_socket(between.client_side(), client, Side::connects, "it");
    if (one->handshake(Deadline::after_ms(patience_ms), outcome.client_says) == Handshake::done) {
      static_cast<void>(one->send({&piece, 1}, Deadline::after_ms(patience_ms)));
      std::uint8_t into[64];
      const protocol::Transfer came = one->receive(into, Deadline::after_ms(patience_ms));
      outcome.answered = came.result == Io::ok && came.bytes == secret.size();
    }
    one->shut_down();
  }
  accepting.join();
  between.end();
  return outcome;
}

class SsliopHostile : public ::testing::TestWithParam<bool> {
 protected:
  const std::shared_ptr<const Context> client =
      context_of(own("client", {{"resumption", GetParam() ? "1" : "0"}}));
  const std::shared_ptr<const Context> server = context_of(own("server", {{"verify", "required"}}));
};
INSTANTIATE_TEST_SUITE_P(Sessions, SsliopHostile, ::testing::Values(false, true),
                         [](const auto& which) { return which.param ? "resumed" : "whole"; });

TEST_P(SsliopHostile, WhoListensReadsNothing) {
  for (int i = 0; i < 3; ++i) {
    Between between(everything, everything);
    const Outcome good = talk(between, client, server);
    ASSERT_TRUE(good.answered) << good.client_says << good.server_says;
    for (const std::string& seen : between.seen) {
      EXPECT_GT(seen.size(), secret.size());
      EXPECT_EQ(seen.find(secret.substr(0, 8)), std::string::npos);
      EXPECT_EQ(seen.find("a client"), std::string::npos) << "nor who they are (TLS 1.3)";
      EXPECT_EQ(seen.find("a server"), std::string::npos);
    }
  }
}

// Signatures differ in size by an octet or two, so cuts at the very end may cut nothing.
TEST_P(SsliopHostile, CutAnywhere) {
  std::size_t sizes[2];
  {
    Between whole(everything, everything);
    ASSERT_TRUE(talk(whole, client, server).answered);
    sizes[0] = whole.seen[0].size();
    sizes[1] = whole.seen[1].size();
  }
  const std::ptrdiff_t before = descriptors();
  for (int side = 0; side < 2; ++side) {
    // Where a session is resumed the server's octets are fewer, and every cut is behind a handshake that has failed.
    for (std::size_t at = 1; at + 120 < sizes[side]; at += at < 20 ? 1 : 7) {
      Between between(side == 0 ? at : everything, side == 1 ? at : everything);
      const Outcome cut = talk(between, client, server);
      if (GetParam()) continue;
      EXPECT_FALSE(cut.answered) << side << ' ' << at;
      EXPECT_FALSE(side == 1 && cut.client_says.empty() && at < 100) << at;
    }
  }
  EXPECT_EQ(descriptors(), before);
  Between again(everything, everything);
  EXPECT_TRUE(talk(again, client, server).answered) << "nothing of it stays";
}

/// A client of OpenSSL alone, with a thread of its own; the server's side is the test's.
class OpenSslClient {
 public:
  /// Does `what` with a session that has been made.
  OpenSslClient(int version, std::function<void(SSL*)> what) {
    EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends_), 0);
    thread_ = std::thread([this, version, what = std::move(what)] {
      sigset_t broken_pipe;  // which OpenSSL's own sockets raise
      ::sigemptyset(&broken_pipe);
      ::sigaddset(&broken_pipe, SIGPIPE);
      ::pthread_sigmask(SIG_BLOCK, &broken_pipe, nullptr);
      SSL_CTX* const context = ::SSL_CTX_new(::TLS_client_method());
      ::SSL_CTX_set_max_proto_version(context, version);
      SSL* const session = ::SSL_new(context);
      ::SSL_set_fd(session, ends_[0]);
      EXPECT_EQ(::SSL_connect(session), 1);
      what(session);
      ::SSL_free(session);
      ::SSL_CTX_free(context);
      ::close(ends_[0]);
    });
  }
  ~OpenSslClient() { thread_.join(); }
  OpenSslClient(const OpenSslClient&) = delete;
  OpenSslClient& operator=(const OpenSslClient&) = delete;

  int server_side() const { return ends_[1]; }

 private:
  int ends_[2] = {-1, -1};
  std::thread thread_;
};

/// What a server's receive() says that waits for such a client's octets.
Io served(const OpenSslClient& client) {
  const auto one = over_socket(client.server_side(), context_of(own("server")), Side::accepts, {});
  std::string why;
  EXPECT_EQ(one->handshake(Deadline::after_ms(patience_ms), why), Handshake::done) << why;
  std::uint8_t octet = 0;
  const Io said = one->receive({&octet, 1}, Deadline::after_ms(patience_ms)).result;
  one->shut_down();
  return said;
}

// It reads nothing meanwhile.
TEST(SsliopHostileClient, AFloodOfNewKeysEndsTheConnection) {
  std::atomic<bool> over{false};
  const OpenSslClient client(TLS1_3_VERSION, [&over](SSL* session) {
    for (int i = 0; i < 10'000 && !over; ++i) {
      if (::SSL_key_update(session, SSL_KEY_UPDATE_REQUESTED) != 1 || ::SSL_do_handshake(session) != 1) break;
    }
  });
  EXPECT_NE(served(client), Io::timed_out);
  over = true;
}

TEST(SsliopHostileClient, HandshakesAreNotMadeAgain) {
  for (int i = 0; i < 100; ++i) {
    int again = 1;
    {
      const OpenSslClient client(TLS1_2_VERSION, [&again](SSL* session) {
        EXPECT_EQ(::SSL_renegotiate(session), 1);
        again = ::SSL_do_handshake(session);
      });
      const Io said = served(client);
      EXPECT_TRUE(said == Io::closed || said == Io::failed) << static_cast<int>(said);
    }
    EXPECT_NE(again, 1);
  }
}

}  // namespace
}  // namespace tenon::ssliop
