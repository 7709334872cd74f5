// SPDX-License-Identifier: Apache-2.0
#include "orb/composed_profiles.hpp"

#include <algorithm>
#include <utility>

#include "orb/current_protocols.hpp"
#include "orb/server/server.hpp"

namespace tenon::orb {
namespace {

std::size_t place_of(const Orb& orb, const UsableProfile& profile) {
  std::size_t place = 0;
  for (const Protocol& each : current_protocols(orb.parts())) {
    if (each.transport.get() == profile.transport) break;
    ++place;
  }
  return place;
}

/// Profiles of one protocol stay in the order of the reference.
void order(const Orb& orb, std::vector<UsableProfile>& profiles) {
  for (auto next = profiles.begin(); next != profiles.end(); ++next) {
    const std::size_t place = place_of(orb, *next);
    const auto at = std::find_if(profiles.begin(), next,
                                 [&](const UsableProfile& each) { return place_of(orb, each) > place; });
    std::rotate(at, next, next + 1);
  }
}

}  // namespace

bool compose_profiles(const Server& server, ior::Ior& made) {
  return std::ranges::all_of(server.points(), [&](const Server::Point& each) {
    return each.transport->compose(*each.acceptor, made);
  });
}

void take_profiles_apart(const Orb& orb, std::vector<UsableProfile>& profiles) {
  for (std::size_t i = 0; i < profiles.size(); ++i) {
    for (const Protocol& other : current_protocols(orb.parts())) {
      const protocol::TransportPlugin* const owner = profiles[i].transport;
      if (other.transport.get() == owner) continue;
      auto view = other.transport->addresses_in(owner->profile_tag(), profiles[i].view);
      if (!view) continue;
      UsableProfile found{
          .index = profiles[i].index, .transport = other.transport.get(), .view = std::move(*view)};
      found.read_components();
      profiles.insert(profiles.begin() + static_cast<std::ptrdiff_t>(i++), std::move(found));
    }
  }
  if (!orb.options().protocols.empty()) order(orb, profiles);
}

}  // namespace tenon::orb
