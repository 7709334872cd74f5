// SPDX-License-Identifier: Apache-2.0
#include "mapping/cpp11/corba/new_reference.hpp"
#include "mapping/cpp11/portable_server/poa_texts.hpp"
#include "poa/whole_adapter.hpp"
#include "tenon/portable_server/poa.hpp"

namespace tenon::gen {

constinit std::atomic<WithComponents*> with_components{nullptr};

Ref<orb::Reference> new_reference_of(orb::Orb& orb, const poa::WholePoa& poa, std::string_view type_id,
                                     ByteView key, std::span<const orb::ExtraComponent> more) {
  const orb::OwnPoliciesRef own = poa.own_policies();
  return poa.components().empty() ? new_reference(orb, type_id, key, more, own.get())
                                  : with_components.load(std::memory_order_acquire)(
                                        orb, type_id, key, poa.components(), more, own.get());
}

Ref<orb::Reference> new_whole_reference(orb::Orb& orb, const poa::WholePoa& poa, std::string_view type_id,
                                        ByteView key, const orb::ExtraComponent* more) {
  if (const auto maker = poa.reference_maker())
    return maker->make(type_id, value_or_raise<poa::Exception::wrong_adapter>(poa.id_of(key), poa));
  // Rules of access know operations by their names.
  std::span<const orb::ExtraComponent> components(more, more != nullptr && !poa.is_guarded() ? 1 : 0);
  Ref<orb::Reference> made = new_reference_of(orb, poa, type_id, key, components);
  if (poa.policies().persistent() && !orb.has_fixed_endpoint()) {
    const auto* const texts = poa_texts.load(std::memory_order_acquire);
    if (texts != nullptr && poa.root().first_that_moves()) texts->advise_that_moves(poa);
  }
  return made;
}

}  // namespace tenon::gen
