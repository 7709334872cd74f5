// SPDX-License-Identifier: Apache-2.0
//
// Octets of a size that a program or a peer has chosen, as a vector. NO_MEMORY when there is no memory for them. Any thread.
#pragma once

#include "base/memory.hpp"
#include "cdr/value_memory.hpp"
#include "poa/fault.hpp"
#include "poa/object_key.hpp"

namespace tenon::poa {

/// For so many octets, which the caller writes. False: there is no memory for them, and the vector is as before.
inline bool make_room(Octets& octets, std::size_t size) noexcept {
  if (size != 0) return cdr::make_room(octets, size) != nullptr;
  octets.clear();
  return true;
}

Outcome<Octets> copied(ByteView octets) noexcept;

/// Of what make_transient_key() and make_persistent_key() return.
Outcome<Octets> key_or_shortage(Octets key) noexcept;

}  // namespace tenon::poa
