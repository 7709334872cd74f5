// SPDX-License-Identifier: Apache-2.0
//
// Octets of a size that a program or a peer has chosen, as a vector. NO_MEMORY when there is no memory for them. Any thread.
#pragma once

#include "base/memory.hpp"
#include "poa/fault.hpp"
#include "poa/object_key.hpp"

namespace tenon::poa {

/// False: there is no memory for so many, and the vector is as before.
bool make_room(Octets& octets, std::size_t size) noexcept;

Outcome<Octets> copied(ByteView octets) noexcept;

/// Of what make_transient_key() and make_persistent_key() return.
Outcome<Octets> key_or_shortage(Octets key) noexcept;

}  // namespace tenon::poa
