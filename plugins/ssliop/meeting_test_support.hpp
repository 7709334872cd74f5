// SPDX-License-Identifier: Apache-2.0
//
// Two plug-ins that meet: what each side says of it. Of tests; one thread at a time.
#pragma once

#include <thread>
#include <utility>
#include <vector>

#include "base/trail.hpp"
#include "net/address.hpp"
#include "plugins/ssliop/certificates_test_support.hpp"
#include "plugins/ssliop/profile.hpp"
#include "plugins/ssliop/ssliop.hpp"
#include "protocol/transport.hpp"

namespace tenon::ssliop {

using protocol::Handshake;
using protocol::Io;
using protocol::Transport;

inline constexpr std::int64_t patience_ms = 20000;

using Options = std::vector<std::pair<std::string, std::string>>;

inline std::unique_ptr<protocol::TransportPlugin> plugin_with(const Options& options) {
  auto plugin = make_plugin();
  for (const auto& [name, value] : options) {
    std::string why;
    EXPECT_TRUE(plugin->set_option(name, value, why)) << name << ": " << why;
  }
  plugin->configure({});
  return plugin;
}

inline World& world() {
  static World only;
  return only;
}

inline Options own(const std::string& name, const Options& more = {}) {
  Options all{{"certificate", world().folder.path(name + ".pem")},
              {"key", world().folder.path(name + ".key")},
              {"authorities", world().ca_file()}};
  all.insert(all.end(), more.begin(), more.end());
  return all;
}
inline Options trusting(const Options& more = {}) {
  Options all{{"authorities", world().ca_file()}};
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

/// What each side says, and the first call's worth of octets where both are content.
struct Meeting {
  Meeting(const Options& of_server, const Options& of_client, const std::string& host = "127.0.0.1") {
    const auto server_plugin = plugin_with(of_server);
    const auto client_plugin = plugin_with(of_client);
    std::string why;
    const auto acceptor = server_plugin->listen("ssliop://127.0.0.1", why);
    EXPECT_TRUE(acceptor) << why;
    if (!acceptor) return;
    const HostAndPort where = host_and_port(acceptor->published().front());
    std::thread accepting([&] {
      server = std::move(*acceptor->accept());
      come = server->handshake(Deadline::after_ms(patience_ms), server_says);
      if (come == Handshake::done) {
        std::uint8_t octet = 0;
        server_received = server->receive({&octet, 1}, Deadline::after_ms(patience_ms)).result;
        const cdr::Piece answer{&octet, 1};
        static_cast<void>(server->send({&answer, 1}, Deadline::after_ms(patience_ms)));
      }
      if (come == Handshake::failed) server->shut_down();
    });
    Trail::mine().restart();
    auto made =
        client_plugin->connect(net::HostPort{host, where.port}.text(), Deadline::after_ms(patience_ms));
    connected = static_cast<bool>(made);
    if (made) {
      client = std::move(*made);
      std::uint8_t octet = 42;
      const cdr::Piece piece{&octet, 1};
      static_cast<void>(client->send({&piece, 1}, Deadline::after_ms(patience_ms)));
      answered = client->receive({&octet, 1}, Deadline::after_ms(patience_ms)).result;
    }
    accepting.join();
    client_says = text(Trail::mine());
  }

  std::unique_ptr<Transport> client;
  std::unique_ptr<Transport> server;
  bool connected = false;
  Handshake come = Handshake::failed;
  Io server_received = Io::failed;
  Io answered = Io::failed;
  std::string client_says;
  std::string server_says;
};

inline void expect_in(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << "'" << part << "' is not in: " << text;
}

}  // namespace tenon::ssliop
