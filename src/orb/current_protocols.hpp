// SPDX-License-Identifier: Apache-2.0
//
// The protocols that an ORB has at the moment, for what reads their list: binding, listening, making references. A call that has a
// connection does not look at it.
//
// They may change while the ORB runs (protocol_changes.hpp) if Tenon is built with TENON_DYNAMIC_PROTOCOLS; else they are those that the
// ORB was made with, and reading them costs what a vector costs. For sources of this folder alone: others are compiled without knowing
// which it is.
#pragma once

#include "orb/parts.hpp"
#ifdef TENON_WITH_DYNAMIC_PROTOCOLS
#include "orb/protocol_table.hpp"
#endif

namespace tenon::orb {

#ifdef TENON_WITH_DYNAMIC_PROTOCOLS
inline constexpr bool protocols_change = true;
inline CurrentProtocols current_protocols(const Parts& parts) noexcept {
  return parts.table != nullptr ? parts.table->now(parts.protocols) : CurrentProtocols(parts.protocols);
}
#else
inline constexpr bool protocols_change = false;
inline const Protocols& current_protocols(const Parts& parts) noexcept { return parts.protocols; }
#endif

}  // namespace tenon::orb
