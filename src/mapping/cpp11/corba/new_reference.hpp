// SPDX-License-Identifier: Apache-2.0
//
// Makes references to objects of this process; every part of the mapping uses it. Any thread.
#pragma once

#include <atomic>
#include <span>
#include <string_view>

#include "base/bytes.hpp"
#include "orb/orb.hpp"

namespace tenon::poa {
class Poa;
class WholePoa;
}  // namespace tenon::poa

namespace tenon::gen {

/// Opens the endpoints if they are not open yet. Raises INITIALIZE if that fails; what() says which one cannot be opened, and why. `of_poa`:
/// the POA's own policies; may be null.
Ref<orb::Reference> new_reference(orb::Orb& orb, std::string_view type_id, ByteView key,
                                  std::span<const orb::ExtraComponent> components = {},
                                  const orb::OwnPolicies* of_poa = nullptr);

/// A reference to an object of `poa`. `more`: a component for its profiles; may be null.
Ref<orb::Reference> new_reference(orb::Orb& orb, const poa::Poa& poa, std::string_view type_id, ByteView key,
                                  const orb::ExtraComponent* more = nullptr);

/// The same for a POA that is whole, which a program's own factory may make references of, and whose references may have components of
/// interceptors. Warns once if the reference is to outlive the process but no endpoint will.
Ref<orb::Reference> new_whole_reference(orb::Orb& orb, const poa::WholePoa& poa, std::string_view type_id,
                                        ByteView key, const orb::ExtraComponent* more);
/// The same without such a factory: what the POA's policies and interceptors make of it.
Ref<orb::Reference> new_reference_of(orb::Orb& orb, const poa::WholePoa& poa, std::string_view type_id,
                                     ByteView key, std::span<const orb::ExtraComponent> more = {});
/// What new_reference() calls for such a POA; whoever lets an ORB have such POAs sets it before.
extern std::atomic<decltype(&new_whole_reference)> whole_reference;

/// What new_whole_reference() calls for a POA whose references have components of their own.
using WithComponents = Ref<orb::Reference>(orb::Orb& orb, std::string_view type_id, ByteView key,
                                           std::span<const orb::ExtraComponent> own,
                                           std::span<const orb::ExtraComponent> more,
                                           const orb::OwnPolicies* of_poa);
extern std::atomic<WithComponents*> with_components;
/// Sets it. Whoever gives a POA components calls this before: other programs link nothing of it.
void use_components_of_poas() noexcept;

}  // namespace tenon::gen
