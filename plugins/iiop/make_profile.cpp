// SPDX-License-Identifier: Apache-2.0
//
// Profiles of references that this process makes.
#include "plugins/iiop/plugin.hpp"

namespace tenon::iiop {
namespace {

ior::IiopAddress to_iiop(const protocol::Address& address) {
  const HostAndPort where = Plugin::host_and_port(address.text);
  if (where.host.empty()) return {address.text, 0};
  return {std::string(where.host), where.port};
}

}  // namespace

ior::TaggedProfile make_profile(const protocol::ProfileView& view) {
  ior::IiopProfile profile{view.minor, {}, view.object_key, {}};
  // Not by assignment, which is much code.
  for (const ior::TaggedComponent& each : view.components)
    profile.components.push_back(ior::TaggedComponent(each));
  for (const protocol::Address& address : view.addresses) {
    if (&address == view.addresses.data()) {
      profile.address = to_iiop(address);
    } else {
      profile.components.push_back(ior::alternate_address_component(to_iiop(address)));
    }
  }
  return ior::make_iiop_profile(profile);
}

}  // namespace tenon::iiop
