// SPDX-License-Identifier: Apache-2.0
//
// Profiles of references that this process makes.
#include "cdr/value_memory.hpp"
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
  ior::IiopProfile profile;
  profile.minor = view.minor;
  const std::size_t components = view.components.size() + view.addresses.size();
  if (!cdr::assign(profile.key, view.object_key) || !cdr::reserve(profile.components, components))
    return {ior::tag_internet_iop, {}};
  for (const ior::TaggedComponent& each : view.components) {
    ior::TaggedComponent& component = cdr::emplace(profile.components);
    component.tag = each.tag;
    if (!cdr::assign(component.data, each.data)) return {ior::tag_internet_iop, {}};
  }
  for (const protocol::Address& address : view.addresses) {
    if (&address == view.addresses.data()) {
      profile.address = to_iiop(address);
    } else {
      cdr::emplace(profile.components, ior::alternate_address_component(to_iiop(address)));
    }
  }
  return ior::make_iiop_profile(profile);
}

}  // namespace tenon::iiop
