// SPDX-License-Identifier: Apache-2.0
#include "orb/client/link_selector.hpp"

#include <initializer_list>
#include <memory>
#include <utility>

#include "base/memory.hpp"
#include "base/minor_codes.hpp"
#include "orb/bidirectional.hpp"
#include "orb/client/tried.hpp"
#include "orb/current_protocols.hpp"
#include "orb/orb.hpp"
#include "orb/protection_built.hpp"

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
Status take(Endpoint& endpoint, const UsableProfile& profile, Deadline deadline, Connecting connecting,
            Link& into) {
  const std::size_t before = Trail::mine().size();
  const std::int64_t began = steady_now();
  auto taken = endpoint.take(deadline, connecting);
  if (!taken) {
    note_not_taken(endpoint, profile, before, taken.error(), steady_now() - began);
    return taken.error();
  }
  into.connection = std::move(taken->connection);
  into.fresh = taken->fresh;
  into.may_share = taken->may_share;
  return {};
}

Status take(const Reference::Binding& binding, Deadline deadline, Link& into,
            Connecting connecting = Connecting::allowed) {
  into = {.target = &binding.target, .searched = true};
  if (!binding.endpoint) return {};
  return take(*binding.endpoint, *binding.profile, deadline, connecting, into);
}

/// The reference as the ORB's protocols understand it now.
Reference& as_read_now(Reference& reference) {
  if constexpr (protocols_change) return reference.read_now();
  return reference;
}

/// The plug-in that the ORB has now for the profile's protocol; null: that has been removed.
protocol::TransportPlugin* transport_of(const Reference& reference, const UsableProfile& profile) noexcept {
  if constexpr (protocols_change) return reference.orb().transport_for(profile.transport->profile_tag());
  return profile.transport;
}

/// Whether connections for calls to this profile are bidirectional: if that is wanted, and if this process listens, so that it can be
/// called.
bool both_ways(Reference& reference, const UsableProfile& profile) {
  Orb& orb = reference.orb();
  if (profile.view.minor < 2 || !orb.is_bidirectional(reference)) return false;
  const protocol::TransportPlugin* const transport = transport_of(reference, profile);
  if constexpr (protocols_change) {
    if (transport == nullptr) return false;
  }
  const Bidirectional* const bidirectional = orb.bidirectional_of(*transport).get();
  return bidirectional != nullptr && bidirectional->listens();
}

/// Whether what a call used last is what it would choose now. A connection that the peer has opened is good as long as it is there.
bool up_to_date(Reference& reference, const Reference::Binding& known) {
  if (!known.endpoint || !known.endpoint->opens()) return true;
  return known.endpoint->key().bidirectional == both_ways(reference, *known.profile);
}

/// How long an address that does not answer keeps the next one of the same object waiting. If all fail, it gets a second try without limit.
constexpr std::uint32_t head_start_ms = 250;

/// One way to an object.
struct Way final : memory::Of<memory::Kind::requests> {
  enum class Turn : std::uint8_t { first, usual, last, again, over };
  Way(const UsableProfile& which, const Ref<Endpoint>& where, Turn when) noexcept
      : profile(&which), endpoint(where), turn(when) {}

  const UsableProfile* profile;
  Ref<Endpoint> endpoint;  ///< null: the object lives in this process
  Turn turn;
  std::unique_ptr<Way> next;
};
using Turn = Way::Turn;

/// The ways to an object in the order in which they are tried: as the reference has them, but behind what a call used last, and before
/// what has failed lately.
class Ways {
 public:
  Ways(Reference& reference, const Endpoint* last_used, const Endpoint* failed) noexcept
      : reference_(reference), last_used_(last_used), failed_(failed) {}
  ~Ways() {
    while (all_) all_ = std::move(all_->next);  // one by one: a reference may have very many
  }
  Ways(const Ways&) = delete;
  Ways& operator=(const Ways&) = delete;

  /// An error: the ORB has shut down, or there is no memory.
  Status find();
  bool empty() const noexcept { return all_ == nullptr; }
  /// Tries the ways in turn, each for a short time as long as there are others; then those that were only slow once more, with all the
  /// time that is left. `into` has no connection; it stays as it is if there is none.
  Status take_one(Deadline deadline, Link& into);

 private:
  bool add(const UsableProfile& profile, const Ref<Endpoint>& endpoint);
  bool add_the_peers(const protocol::TransportPlugin& transport, const UsableProfile& profile);

  Reference& reference_;
  const Endpoint* const last_used_;
  const Endpoint* const failed_;  // has been tried already
  std::unique_ptr<Way> all_;      // in the order of the reference
  std::unique_ptr<Way>* end_ = &all_;
};

/// False: there is no memory.
bool Ways::add(const UsableProfile& profile, const Ref<Endpoint>& endpoint) {
  if (endpoint && endpoint.get() == failed_) return true;
  Turn turn = Turn::usual;
  if (endpoint && endpoint->failed_lately()) {
    turn = Turn::last;
  } else if (endpoint && endpoint.get() == last_used_) {
    turn = Turn::first;
  }
  std::unique_ptr<Way>* at = end_;
  if (turn == Turn::last) {
    // What has just failed in this call comes behind what failed earlier.
    at = &all_;
    while (*at != nullptr && ((*at)->turn != Turn::last || !endpoint->failed_before(*(*at)->endpoint)))
      at = &(*at)->next;
  }
  auto way = std::make_unique<Way>(profile, endpoint, turn);
  if (way == nullptr) return false;
  way->next = std::move(*at);
  *at = std::move(way);
  if (at == end_) end_ = &(*at)->next;
  return true;
}

/// The way over a connection that the peer has opened, on which it has said that it listens at one of the profile's addresses (part 2
/// §9.8). False: there is no memory.
bool Ways::add_the_peers(const protocol::TransportPlugin& transport, const UsableProfile& profile) {
  Bidirectional* const bidirectional = reference_.orb().bidirectional_of(transport).get();
  if (bidirectional == nullptr || profile.view.minor < 2 || !bidirectional->believes()) return true;
  if (reference_.policies() != nullptr && !reference_.policies()->bidirectional.value_or(true)) return true;
  for (const protocol::Address& address : profile.view.addresses) {
    const Ref<Endpoint> endpoint = bidirectional->to(address.text);
    if (endpoint && !add(profile, endpoint)) return false;
  }
  return true;
}

Status Ways::find() {
  Orb& orb = reference_.orb();
  for (const UsableProfile& profile : as_read_now(reference_).profiles()) {
    if (orb.collocation() != nullptr && orb.is_local(profile)) {
      if (!add(profile, nullptr)) return memory::shortage();
      continue;
    }
    protocol::TransportPlugin* const transport = transport_of(reference_, profile);
    if constexpr (protocols_change) {
      if (transport == nullptr) continue;
    }
    if (!add_the_peers(*transport, profile)) return memory::shortage();
    const bool bidirectional = both_ways(reference_, profile);
    for (const protocol::Address& address : profile.view.addresses) {
      const Ref<Endpoint> endpoint =
          orb.endpoint(*transport, address.text, profile.properties, bidirectional);
      if (!endpoint && !orb.usable()) return errors::orb_has_shut_down;
      if constexpr (protocols_change) {
        if (!endpoint && transport_of(reference_, profile) != transport) break;
      }
      if (!endpoint || !add(profile, endpoint)) return memory::shortage();
    }
  }
  return {};
}

Status Ways::take_one(Deadline deadline, Link& into) {
  Error last = errors::no_usable_profile;
  const bool others = all_->next != nullptr;
  for (const Turn turn : {Turn::first, Turn::usual, Turn::last, Turn::again}) {
    const bool in_a_hurry = others && turn != Turn::again;
    for (Way* way = all_.get(); way != nullptr; way = way->next.get()) {
      if (way->turn != turn) continue;
      if (way->endpoint) {
        const Deadline by = in_a_hurry && !way->endpoint->connected()
                                ? earlier(deadline, Deadline::after_ms(head_start_ms))
                                : deadline;
        const Status taken = take(*way->endpoint, *way->profile, by, Connecting::allowed, into);
        if (!taken) {
          last = taken.error();
          const bool out_of_time = last.id == SystemException::timeout;
          if (out_of_time && deadline.expired()) return last;
          way->turn = out_of_time && in_a_hurry ? Turn::again : Turn::over;
          continue;
        }
      }
      const Reference::Binding* const bound =
          reference_.bind(binding_for(reference_, *way->profile, std::move(way->endpoint)));
      if (bound == nullptr) return memory::shortage();
      into.target = &bound->target;
      return {};
    }
  }
  return last;
}

/// False: trying again does not help, since all profiles are of protocols that the ORB lacks.
bool knows_a_protocol(Reference& reference) noexcept {
  const std::vector<ior::TaggedProfile>& profiles = reference.ior().profiles;
  for (const ior::TaggedProfile& each : profiles) {
    if (reference.orb().transport_for(each.tag) != nullptr) return true;
  }
  return profiles.empty();
}

/// The protocols of all profiles that there were have been removed.
Error why_no_way(Reference& reference) {
  note_no_profile(reference);
  if (!knows_a_protocol(reference)) return errors::no_usable_profile_implemented;
  const bool of_policy = reference.orb().parts().choose_profiles != nullptr && reference.own_policies();
  return of_policy ? errors::no_protocol_of_policy : errors::no_usable_profile;
}

}  // namespace

std::size_t ways_to(Reference& reference) {
  std::size_t count = 0;
  for (const UsableProfile& each : as_read_now(reference).profiles()) count += each.view.addresses.size();
  return count;
}

Error why_unreachable(Unreachable reason) noexcept {
  if constexpr (with_protection_policies) {
    if (reason == Unreachable::by_protection) return errors::no_protected_way;
    if (reason == Unreachable::by_certificate) return errors::no_certificate_to_show;
    if (reason == Unreachable::by_trust) return errors::nobody_is_asked;
  }
  return reason == Unreachable::by_policy ? errors::no_protocol_of_policy : errors::irreconcilable_policy;
}

Status select_link(Reference& reference, Deadline deadline, protocol::Rebind rebind, Link& into) {
  if (take_idle_connection(reference, into)) return {};
  into = {.searched = true};
  Trail::mine().restart();
  if (memory::is_exhausted()) return memory::shortage();
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
  if (Reference& read = as_read_now(reference); read.profiles().empty()) {
    note_no_profile(reference);
    if (read.unreachable() != Unreachable::no) return why_unreachable(read.unreachable());
    return knows_a_protocol(reference) ? errors::no_usable_profile : errors::no_usable_profile_implemented;
  }
  Orb& orb = reference.orb();
  if (orb.parts().bidirectional == nullptr && orb.is_bidirectional(reference))
    return errors::no_bidirectional_part;
  Ways ways(reference, known != nullptr ? known->endpoint.get() : nullptr, failed);
  if (const Status found = ways.find(); !found) return found;
  if constexpr (protocols_change) {
    if (ways.empty() && failed == nullptr) return why_no_way(reference);
  }
  return ways.empty() ? Status(last) : ways.take_one(deadline, into);
}

}  // namespace tenon::orb
