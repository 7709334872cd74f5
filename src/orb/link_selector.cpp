// SPDX-License-Identifier: Apache-2.0
#include "orb/link_selector.hpp"

#include "base/minor_codes.hpp"
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
                     .code_sets = profile.has_code_sets ? &profile.code_sets : nullptr}};
}

Status take(const Reference::Binding& binding, Deadline deadline, Link& into) {
  into = {.target = &binding.target};
  if (!binding.endpoint) return {};
  auto taken = binding.endpoint->take(deadline);
  if (!taken) return taken.error();
  into.connection = std::move(taken->connection);
  into.fresh = taken->fresh;
  return {};
}

}  // namespace

Status select_link_slowly(Reference& reference, Deadline deadline, Link& into) {
  const Reference::Binding* known = reference.binding();
  Error last = errors::no_usable_profile;
  if (known != nullptr) {
    const Status taken = take(*known, deadline, into);
    if (taken) return taken;
    last = taken.error();
  }
  Orb& orb = reference.orb();
  const auto& profiles = reference.profiles();
  if (profiles.empty()) return errors::no_usable_profile;
  for (const UsableProfile& profile : profiles) {
    if (orb.options().call_own_objects_directly && orb.is_local(profile)) {
      return take(*reference.bind(binding_for(reference, profile, nullptr)), deadline, into);
    }
    for (const protocol::Address& address : profile.view.addresses) {
      Ref<Endpoint> endpoint = orb.endpoint(
          {.transport = std::string(profile.transport->name()), .address = address.text}, *profile.transport);
      if (!endpoint) return errors::orb_has_shut_down;
      if (known != nullptr && endpoint == known->endpoint) continue;  // it has just failed
      auto taken = endpoint->take(deadline);
      if (!taken) {
        last = taken.error();
        if (last.id == SystemException::timeout && deadline.expired()) return last;
        continue;
      }
      const auto* bound = reference.bind(binding_for(reference, profile, std::move(endpoint)));
      into = {.connection = std::move(taken->connection), .target = &bound->target, .fresh = taken->fresh};
      return {};
    }
  }
  return last;
}

}  // namespace tenon::orb
