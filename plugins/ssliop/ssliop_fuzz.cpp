// SPDX-License-Identifier: Apache-2.0
//
// Fuzzes references with TAG_SSL_SEC_TRANS and TAG_CSI_SEC_MECH_LIST: those that a peer sends, and the places of our own profiles among others. Invariants checked: an
// address for TLS has a host and a port; what was placed is read again with the hosts that it had; demands only add to what is required.
#include <algorithm>
#include <cstdlib>

#include "ior/iiop_profile.hpp"
#include "plugins/ssliop/profile.hpp"

namespace {

using namespace tenon;
using namespace tenon::ssliop;

void require(bool condition) {
  if (!condition) std::abort();
}

void look(const ior::TaggedProfile& profile) {
  const Result<protocol::ProfileView> view = read_profile(profile.data);
  if (!view) return;
  const std::optional<protocol::ProfileView> found = addresses_in(*view);
  if (!found) return;
  require(!found->addresses.empty() && read_offer(view->components).has_value());
  for (const protocol::Address& each : found->addresses) {
    const HostAndPort where = host_and_port(each.text);
    require(!where.host.empty() && where.port != 0);
  }
}

std::optional<SecTrans> sec_trans_of(const ior::TaggedProfile& profile) {
  const auto parsed = ior::parse_iiop_profile(profile.data);
  return parsed ? read_sec_trans(parsed->components) : std::nullopt;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Result<ior::Ior> given = ior::from_encapsulation({data, size});
  if (!given) return 0;
  for (const ior::TaggedProfile& each : given->profiles) look(each);

  ior::Ior placed = *given;
  const auto own = [](const ior::TaggedProfile& each) { return each.tag == profile_tag; };
  const auto before = std::ranges::count_if(placed.profiles, own);
  place_profile(placed, integrity | confidentiality | trust_in_target, integrity | confidentiality);
  const auto after = std::ranges::count_if(placed.profiles, own);
  require(after == before || after == before - 1);
  for (const ior::TaggedProfile& each : placed.profiles) look(each);

  ior::Ior demanded = placed;
  demand(demanded, trust_in_client);
  require(demanded.profiles.size() == placed.profiles.size());
  for (std::size_t i = 0; i < placed.profiles.size(); ++i) {
    if (placed.profiles[i].tag != ior::tag_internet_iop) continue;
    const auto was = sec_trans_of(placed.profiles[i]);
    if (!was) continue;
    const auto is = sec_trans_of(demanded.profiles[i]);
    require(is && is->port == was->port && is->supports == was->supports &&
            is->requires_ == (was->requires_ | trust_in_client));
  }
  return 0;
}
