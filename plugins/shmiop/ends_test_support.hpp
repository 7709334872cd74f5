// SPDX-License-Identifier: Apache-2.0
//
// The two ends of a connection through shared memory, both in this process.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "plugins/shmiop/plugin.hpp"
#include "plugins/shmiop/shmiop.hpp"
#include "tests/conformance/transport_suite.hpp"

namespace tenon::shmiop {

inline protocol::Transfer receive_one(protocol::Transport& transport,
                                      Deadline deadline = Deadline::after_ms(conformance::patience_ms)) {
  std::uint8_t octet = 0;
  return transport.receive({&octet, 1}, deadline);
}

struct Ends {
  explicit Ends(const char* ring = "4K", const char* spin = "0") {
    std::string why;
    add_connecting(plugin);
    add_listening(plugin);
    EXPECT_TRUE(plugin.set_option("ring", ring, why)) << why;
    EXPECT_TRUE(plugin.set_option("spin", spin, why)) << why;
    acceptor = plugin.listen("shmiop://", why);
    EXPECT_TRUE(acceptor) << why;
    auto connected =
        plugin.connect(acceptor->published().front(), Deadline::after_ms(conformance::patience_ms));
    auto accepted = acceptor->accept();
    EXPECT_TRUE(connected && accepted);
    client.reset(static_cast<SharedTransport*>(connected->release()));
    server.reset(static_cast<SharedTransport*>(accepted->release()));
    client->set_timeouts(conformance::patience_ms, conformance::patience_ms);
    server->set_timeouts(conformance::patience_ms, conformance::patience_ms);
  }
  Plugin plugin;
  std::unique_ptr<protocol::Acceptor> acceptor;
  std::unique_ptr<SharedTransport> client, server;
};

}  // namespace tenon::shmiop
