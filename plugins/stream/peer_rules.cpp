// SPDX-License-Identifier: Apache-2.0
//
// Which peers a server serves. A file of its own, so that only a program links it whose endpoints can be told (parts::endpoint_options).
#include <algorithm>
#include <utility>

#include "plugins/stream/stream_transport.hpp"

namespace tenon::stream {
namespace {

bool serves(const protocol::TransportOptions& options, const net::SocketAddress& peer) noexcept {
  const std::vector<protocol::PeerRule>& rules = options.peer_rules;
  const auto rule = std::ranges::find_if(rules, [&](const auto& each) { return each.peers.covers(peer); });
  if (rule == rules.end()) return rules.empty();
  return peer.family() == AF_UNIX ? rule->unix_sockets : rule->tcp;
}

}  // namespace

void StreamAcceptor::Settings::serve_by_rules(
    std::shared_ptr<const protocol::TransportOptions> options) noexcept {
  serves = stream::serves;
  rules = std::move(options);
}

}  // namespace tenon::stream
