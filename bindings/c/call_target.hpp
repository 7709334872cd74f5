// SPDX-License-Identifier: Apache-2.0
//
// What calls that are waited for and asynchronous ones have in common: what they ask the engine for, and where they go.
#pragma once

#include <string_view>

#include "bindings/c/handles.hpp"

namespace tenon::c {

/// `name` lives as long as the result.
inline protocol::CallSpec spec_of(const tenon_operation& operation, std::string_view name,
                                  bool has_arguments) {
  const bool oneway = (operation.flags & TENON_ONEWAY) != 0;
  return {.operation = name,
          .response_expected = !oneway,
          .has_arguments = has_arguments,
          .sync = oneway ? protocol::Sync::with_transport : protocol::Sync::with_target};
}
/// Applies the policies of the ORB, of this thread and of the reference, then the time-out, 0 for none. Returns the reference to call,
/// which lives as long as `target`.
orb::Reference& aim(const tenon_reference& target, std::uint32_t timeout_ms, protocol::CallSpec& spec);
/// The format in which later calls are best written.
void remember(const tenon_reference& target, const tenon_format& format) noexcept;

}  // namespace tenon::c
