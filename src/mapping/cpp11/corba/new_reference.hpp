// SPDX-License-Identifier: Apache-2.0
//
// Makes references to objects of this process; every part of the mapping uses it. Any thread.
#pragma once

#include <span>
#include <string_view>

#include "base/bytes.hpp"
#include "orb/orb.hpp"

namespace tenon::poa {
class Poa;
}

namespace tenon::gen {

/// Opens the endpoints if they are not open yet. Raises INITIALIZE if that fails; what() says which one cannot be opened, and why.
Ref<orb::Reference> new_reference(orb::Orb& orb, std::string_view type_id, ByteView key,
                                  std::span<const orb::ExtraComponent> components = {});

/// A reference to an object of `poa`. Warns once if the reference is to outlive the process but no endpoint will.
Ref<orb::Reference> new_reference(orb::Orb& orb, const poa::Poa& poa, std::string_view type_id, ByteView key,
                                  std::span<const orb::ExtraComponent> components);

}  // namespace tenon::gen
