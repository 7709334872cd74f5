// SPDX-License-Identifier: Apache-2.0
//
// References of POAs that have components of their own: of policies of a program's factories, and of IOR interceptors.
#include <vector>

#include "mapping/cpp11/corba/new_reference.hpp"

namespace tenon::gen {
namespace {

Ref<orb::Reference> new_reference_with(orb::Orb& orb, std::string_view type_id, ByteView key,
                                       std::span<const orb::ExtraComponent> own,
                                       std::span<const orb::ExtraComponent> more,
                                       const orb::OwnPolicies* of_poa) {
  std::vector<orb::ExtraComponent> all(own.begin(), own.end());
  all.insert(all.end(), more.begin(), more.end());
  return new_reference(orb, type_id, key, all, of_poa);
}

}  // namespace

void use_components_of_poas() noexcept {
  with_components.store(&new_reference_with, std::memory_order_release);
}

}  // namespace tenon::gen
