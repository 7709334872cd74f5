// SPDX-License-Identifier: Apache-2.0
#include "orb/link_selector.hpp"

#include "base/hex.hpp"
#include "base/minor_codes.hpp"
#include "orb/both_ways.hpp"
#include "orb/orb.hpp"
#include "orb/tried.hpp"

namespace tenon::orb {

namespace {

Reference::Binding binding_for(Reference& reference, const UsableProfile& profile, Ref<Endpoint> endpoint) {
  return {.endpoint = std::move(endpoint),
          .profile = &profile,
          .target = {.object_key = profile.view.object_key,
                     .minor = profile.view.minor,
                     .reference = &reference.ior(),
                     .profile_index = profile.index,
                     .code_sets = profile.has_code_sets ? &profile.code_sets : nullptr}};
}

/// A connection of the endpoint; if there is none, the trail says why.
Result<Endpoint::Taken> take(Endpoint& endpoint, const UsableProfile& profile, Deadline deadline) {
  Trail& trail = Trail::mine();
  const std::size_t before = trail.size();
  const std::int64_t began = steady_now();
  auto taken = endpoint.take(deadline);
  if (!taken) trail.place(before, profile.index + 1, place_of(endpoint), taken.error(), steady_now() - began);
  return taken;
}

Status take(const Reference::Binding& binding, Deadline deadline, Link& into) {
  into = {.target = &binding.target, .searched = true};
  if (!binding.endpoint) return {};
  auto taken = take(*binding.endpoint, *binding.profile, deadline);
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

/// The properties of connections for calls to that profile: they carry requests in both directions where that is wanted and there is
/// something to call here.
std::string_view properties_for(Reference& reference, const UsableProfile& profile) {
  Orb& orb = reference.orb();
  const bool both_ways = profile.view.minor >= 2 && orb.goes_both_ways(reference) &&
                         orb.both_ways_of(*profile.transport)->listens();
  return both_ways ? LinkKey::both_ways : std::string_view();
}

/// Whether what a call used last is what it would choose now. A connection that the peer has opened is good as long as it is there.
bool up_to_date(Reference& reference, const Reference::Binding& known) {
  if (!known.endpoint || !known.endpoint->opens()) return true;
  return known.endpoint->key().properties == properties_for(reference, *known.profile);
}

/// What a choice of one endpoint says.
enum class Chosen : std::uint8_t { yes, no, out_of_time };

struct Choice {
  Reference& reference;
  Deadline deadline;
  Link& into;
  Error last = errors::no_usable_profile;

  Chosen try_one(const UsableProfile& profile, Ref<Endpoint> endpoint) {
    auto taken = take(*endpoint, profile, deadline);
    if (!taken) {
      last = taken.error();
      return last.id == SystemException::timeout && deadline.expired() ? Chosen::out_of_time : Chosen::no;
    }
    const auto* bound = reference.bind(binding_for(reference, profile, std::move(endpoint)));
    into = {.connection = std::move(taken->connection),
            .target = &bound->target,
            .fresh = taken->fresh,
            .may_share = taken->may_share,
            .searched = true};
    return Chosen::yes;
  }

  /// Over a connection that the peer has opened and on which it has said that it listens at one of these addresses (part 2 §9.8).
  Chosen try_the_peers(const UsableProfile& profile) {
    BothWays& both_ways = *reference.orb().both_ways_of(*profile.transport);
    if (profile.view.minor < 2 || !both_ways.believes()) return Chosen::no;
    if (reference.policies() != nullptr && !reference.policies()->both_ways.value_or(true)) return Chosen::no;
    for (const protocol::Address& address : profile.view.addresses) {
      Ref<Endpoint> endpoint = both_ways.to(address.text);
      if (!endpoint) continue;
      if (const Chosen chosen = try_one(profile, std::move(endpoint)); chosen != Chosen::no) return chosen;
    }
    return Chosen::no;
  }
};

}  // namespace

Status select_link_slowly(Reference& reference, Deadline deadline, Link& into) {
  Trail::mine().restart();
  const Reference::Binding* known = reference.binding();
  Choice choice{reference, deadline, into};
  if (known != nullptr && !up_to_date(reference, *known)) known = nullptr;
  if (known != nullptr) {
    const Status taken = take(*known, deadline, into);
    if (taken) return taken;
    choice.last = taken.error();
  }
  Orb& orb = reference.orb();
  const auto& profiles = reference.profiles();
  if (profiles.empty()) return no_usable_profile(reference);
  for (const UsableProfile& profile : profiles) {
    if (orb.options().call_own_objects_directly && orb.is_local(profile)) {
      return take(*reference.bind(binding_for(reference, profile, nullptr)), deadline, into);
    }
    Chosen chosen = choice.try_the_peers(profile);
    const std::string_view properties = properties_for(reference, profile);
    for (const protocol::Address& address : profile.view.addresses) {
      if (chosen != Chosen::no) break;
      Ref<Endpoint> endpoint = orb.endpoint({.transport = std::string(profile.transport->name()),
                                             .address = address.text,
                                             .properties = std::string(properties)},
                                            *profile.transport);
      if (!endpoint) return errors::orb_has_shut_down;
      if (known != nullptr && endpoint == known->endpoint) continue;  // it has just failed
      chosen = choice.try_one(profile, std::move(endpoint));
    }
    if (chosen == Chosen::yes) return {};
    if (chosen == Chosen::out_of_time) break;
  }
  return choice.last;
}

}  // namespace tenon::orb
