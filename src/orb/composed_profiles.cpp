// SPDX-License-Identifier: Apache-2.0
#include "orb/composed_profiles.hpp"

#include <algorithm>
#include <atomic>
#include <utility>

#include "ior/iiop_profile.hpp"
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

namespace {

using Choose = Unreachable(const Reference& reference, std::vector<UsableProfile>& profiles);

/// What Parts::choose_profiles was before; null: nothing. A process has one such function, if any.
constinit std::atomic<Choose*> chooses_next{nullptr};

/// An IIOP profile with its hosts, also where their port is 0. nullopt: it is broken.
std::optional<protocol::ProfileView> with_all_hosts(ByteView profile_data) {
  auto profile = ior::parse_iiop_profile(profile_data);
  if (!profile) return std::nullopt;
  protocol::ProfileView view;
  view.minor = profile->minor;
  view.object_key = std::move(profile->key);
  view.addresses.push_back({ior::to_text(profile->address)});
  for (const ior::IiopAddress& each : ior::alternate_addresses(profile->components))
    view.addresses.push_back({ior::to_text(each)});
  view.components = std::move(profile->components);
  std::erase_if(view.components,
                [](const auto& each) { return each.tag == ior::tag_alternate_iiop_address; });
  return view;
}

/// What the IIOP profile of that index says to plug-ins that have not understood it so far, behind what precedes it in the reference.
void add_addresses(const Reference& reference, std::size_t index, std::vector<UsableProfile>& profiles) {
  const auto is_of = [&](const protocol::TransportPlugin& transport) {
    return
        [&, index](const UsableProfile& each) { return each.index == index && each.transport == &transport; };
  };
  std::optional<protocol::ProfileView> all;
  for (const Protocol& other : current_protocols(reference.orb().parts())) {
    protocol::TransportPlugin& transport = *other.transport;
    if (transport.profile_tag() == ior::tag_internet_iop || std::ranges::any_of(profiles, is_of(transport)))
      continue;
    if (!all) all = with_all_hosts(reference.ior().profiles[index].data);
    if (!all) return;
    auto view = transport.addresses_in(ior::tag_internet_iop, *all);
    if (!view) continue;
    UsableProfile found{.index = index, .transport = &transport, .view = std::move(*view)};
    found.read_components();
    const auto behind =
        std::ranges::find_if(profiles, [index](const UsableProfile& each) { return each.index >= index; });
    profiles.insert(behind, std::move(found));
  }
}

Unreachable choose_among_all(const Reference& reference, std::vector<UsableProfile>& profiles) {
  const Orb& orb = reference.orb();
  const std::vector<ior::TaggedProfile>& all = reference.ior().profiles;
  const std::size_t before = profiles.size();
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].tag != ior::tag_internet_iop) continue;
    const bool has_way = std::ranges::any_of(profiles, [&](const UsableProfile& each) {
      return each.index == i && each.transport->profile_tag() == ior::tag_internet_iop &&
             !each.view.addresses.empty();
    });
    if (!has_way) add_addresses(reference, i, profiles);
  }
  if (profiles.size() != before && !orb.options().protocols.empty()) order(orb, profiles);
  Choose* const next = chooses_next.load(std::memory_order_acquire);
  return next != nullptr ? next(reference, profiles) : Unreachable::no;
}

}  // namespace

void read_all_hosts(Parts& parts) noexcept {
  if (parts.choose_profiles == choose_among_all) return;
  if (parts.choose_profiles != nullptr) chooses_next.store(parts.choose_profiles, std::memory_order_release);
  parts.choose_profiles = choose_among_all;
}

}  // namespace tenon::orb
