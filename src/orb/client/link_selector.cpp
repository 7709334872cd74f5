// SPDX-License-Identifier: Apache-2.0
#include "orb/client/link_selector.hpp"

#include <utility>
#include <vector>

#include "base/hex.hpp"
#include "base/minor_codes.hpp"
#include "orb/bidirectional.hpp"
#include "orb/client/tried.hpp"
#include "orb/orb.hpp"

namespace tenon::orb {

namespace {

Reference::Binding binding_for(Reference& reference, const UsableProfile& profile, Ref<Endpoint> endpoint) {
  return {.endpoint = std::move(endpoint),
          .profile = &profile,
          .target = {.object_key = profile.view.object_key,
                     .minor = profile.view.minor,
                     .reference = &reference.ior(),
                     .profile_index = profile.index,
                     .code_sets = profile.has_code_sets ? &profile.code_sets : nullptr,
                     .numbers = profile.numbers.get()}};
}

/// A connection of the endpoint; if there is none, the trail says why.
Result<Endpoint::Taken> take(Endpoint& endpoint, const UsableProfile& profile, Deadline deadline,
                             Connecting connecting = Connecting::allowed) {
  Trail& trail = Trail::mine();
  const std::size_t before = trail.size();
  const std::int64_t began = steady_now();
  auto taken = endpoint.take(deadline, connecting);
  if (!taken) trail.place(before, profile.index + 1, place_of(endpoint), taken.error(), steady_now() - began);
  return taken;
}

Status take(const Reference::Binding& binding, Deadline deadline, Link& into,
            Connecting connecting = Connecting::allowed) {
  into = {.target = &binding.target, .searched = true};
  if (!binding.endpoint) return {};
  auto taken = take(*binding.endpoint, *binding.profile, deadline, connecting);
  if (!taken) return taken.error();
  into.connection = std::move(taken->connection);
  into.fresh = taken->fresh;
  into.may_share = taken->may_share;
  return {};
}

Error no_usable_profile(Reference& reference) {
  const ior::Ior& ior = reference.ior();
  for (std::size_t i = 0; i < ior.profiles.size(); ++i) {
    const bool known = reference.orb().transport_for(ior.profiles[i].tag) != nullptr;
    Trail::mine().add({.step = Step::choose,
                       .profile = i + 1,
                       .place = "tag 0x" + hex_number(ior.profiles[i].tag, 8),
                       .error = known ? errors::bad_profile : errors::no_usable_profile_implemented});
  }
  return errors::no_usable_profile;
}

/// The properties of connections for calls to this profile: they are bidirectional if that is wanted, and if this process listens, so
/// that it can be called.
std::string_view properties_for(Reference& reference, const UsableProfile& profile) {
  Orb& orb = reference.orb();
  if (profile.view.minor < 2 || !orb.is_bidirectional(reference)) return {};
  const Bidirectional* const bidirectional = orb.bidirectional_of(*profile.transport).get();
  return bidirectional != nullptr && bidirectional->listens() ? LinkKey::bidirectional : std::string_view();
}

/// Whether what a call used last is what it would choose now. A connection that the peer has opened is good as long as it is there.
bool up_to_date(Reference& reference, const Reference::Binding& known) {
  if (!known.endpoint || !known.endpoint->opens()) return true;
  return known.endpoint->key().properties == properties_for(reference, *known.profile);
}

/// How long an address that does not answer keeps the next one of the same object waiting. If all fail, it gets a second try without limit.
constexpr std::uint32_t head_start_ms = 250;

/// One way to an object.
struct Way {
  const UsableProfile* profile;
  Ref<Endpoint> endpoint;  ///< null: the object lives in this process
};

/// The way over a connection that the peer has opened, on which it has said that it listens at one of the profile's addresses (part 2
/// §9.8).
void add_the_peers(Reference& reference, const UsableProfile& profile, std::vector<Way>& ways) {
  Bidirectional* const bidirectional = reference.orb().bidirectional_of(*profile.transport).get();
  if (bidirectional == nullptr || profile.view.minor < 2 || !bidirectional->believes()) return;
  if (reference.policies() != nullptr && !reference.policies()->bidirectional.value_or(true)) return;
  for (const protocol::Address& address : profile.view.addresses) {
    if (Ref<Endpoint> endpoint = bidirectional->to(address.text))
      ways.push_back({&profile, std::move(endpoint)});
  }
}

/// All ways in the order of the reference, but behind what a call used last, and before what has failed lately. False: the ORB has shut
/// down.
bool find_ways(Reference& reference, const Reference::Binding* known, std::vector<Way>& ways) {
  Orb& orb = reference.orb();
  std::vector<Way> all;
  for (const UsableProfile& profile : reference.profiles()) {
    if (orb.collocation() != nullptr && orb.is_local(profile)) {
      all.push_back({&profile, nullptr});
      continue;
    }
    add_the_peers(reference, profile, all);
    const std::string_view properties = properties_for(reference, profile);
    for (const protocol::Address& address : profile.view.addresses) {
      Ref<Endpoint> endpoint = orb.endpoint({.transport = std::string(profile.transport->name()),
                                             .address = address.text,
                                             .properties = std::string(properties)},
                                            *profile.transport);
      if (!endpoint) return false;
      all.push_back({&profile, std::move(endpoint)});
    }
  }
  const auto rank = [known](const Way& way) {
    if (way.endpoint && way.endpoint->failed_lately()) return 2;
    return known != nullptr && way.endpoint == known->endpoint ? 0 : 1;
  };
  std::vector<int> ranks;
  for (const Way& way : all) ranks.push_back(rank(way));
  for (const int wanted : {0, 1, 2}) {
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (ranks[i] == wanted) ways.push_back(std::move(all[i]));
    }
  }
  return true;
}

/// Tries the ways in turn, each for a short time as long as there are others; then those that were only slow once more, with all the
/// time that is left.
Status take_one_of(Reference& reference, std::vector<Way> ways, Deadline deadline, Link& into) {
  Error last = errors::no_usable_profile;
  for (bool in_a_hurry = ways.size() > 1;; in_a_hurry = false) {
    std::vector<Way> slow;
    for (Way& way : ways) {
      if (!way.endpoint)
        return take(*reference.bind(binding_for(reference, *way.profile, nullptr)), deadline, into);
      const Deadline by = in_a_hurry && !way.endpoint->connected()
                              ? earlier(deadline, Deadline::after_ms(head_start_ms))
                              : deadline;
      auto taken = take(*way.endpoint, *way.profile, by);
      if (taken) {
        const auto* bound = reference.bind(binding_for(reference, *way.profile, std::move(way.endpoint)));
        into = {.connection = std::move(taken->connection),
                .target = &bound->target,
                .fresh = taken->fresh,
                .may_share = taken->may_share,
                .searched = true};
        return {};
      }
      last = taken.error();
      const bool out_of_time = last.id == SystemException::timeout;
      if (out_of_time && deadline.expired()) return last;
      if (out_of_time && in_a_hurry) slow.push_back(std::move(way));
    }
    if (slow.empty()) return last;
    ways = std::move(slow);
  }
}

}  // namespace

Status select_link(Reference& reference, Deadline deadline, protocol::Rebind rebind, Link& into) {
  if (take_idle_connection(reference, into)) return {};
  Trail::mine().restart();
  const Reference::Binding* known = reference.binding();
  // This is decided where the connection is taken, since it may be closed at any time before.
  if (rebind == protocol::Rebind::no_reconnect && known != nullptr)
    return take(*known, deadline, into, Connecting::refused);
  if (known != nullptr && !up_to_date(reference, *known)) known = nullptr;
  Error last = errors::no_usable_profile;
  const Endpoint* failed = nullptr;
  // While there is a connection, it is used, and nothing else is looked for.
  if (known != nullptr && (!known->endpoint || known->endpoint->connected())) {
    const Status taken = take(*known, deadline, into);
    if (taken) return taken;
    if (taken.error().id == SystemException::timeout && deadline.expired()) return taken.error();
    last = taken.error();
    failed = known->endpoint.get();
  }
  if (reference.profiles().empty()) return no_usable_profile(reference);
  Orb& orb = reference.orb();
  if (orb.parts().bidirectional == nullptr && orb.is_bidirectional(reference))
    return errors::no_bidirectional_part;
  std::vector<Way> ways;
  if (!find_ways(reference, known, ways)) return errors::orb_has_shut_down;
  if (failed != nullptr)
    std::erase_if(ways, [failed](const Way& way) { return way.endpoint.get() == failed; });
  return ways.empty() ? Status(last) : take_one_of(reference, std::move(ways), deadline, into);
}

}  // namespace tenon::orb
