// SPDX-License-Identifier: Apache-2.0
#include "mapping/cpp11/corba/new_reference.hpp"

#include <string>

#include "mapping/cpp11/corba/protocol_policies.hpp"

#include "poa/whole_poa.hpp"
#include "tenon/corba/exception.hpp"

namespace tenon::gen {

Ref<orb::Reference> new_reference(orb::Orb& orb, std::string_view type_id, ByteView key,
                                  std::span<const orb::ExtraComponent> components,
                                  const orb::OwnPolicies* of_poa) {
  std::string why;
  const auto over = reference_over_protocols.load(std::memory_order_acquire);
  auto reference = over == nullptr ? orb.create_reference(type_id, key, components, &why)
                                   : over(orb, of_poa, type_id, key, components, why);
  if (reference) return *std::move(reference);
  if (why.empty()) raise(reference.error());
  raise_with_reason(reference.error(), std::move(why));
}

constinit std::atomic<decltype(&new_whole_reference)> whole_reference{nullptr};

Ref<orb::Reference> new_reference(orb::Orb& orb, const poa::Poa& poa, std::string_view type_id, ByteView key,
                                  const orb::ExtraComponent* more) {
  if (const poa::WholePoa* whole = poa.whole())
    return whole_reference.load(std::memory_order_acquire)(orb, *whole, type_id, key, more);
  return new_reference(orb, type_id, key, std::span(more, more != nullptr ? 1 : 0));
}

}  // namespace tenon::gen
