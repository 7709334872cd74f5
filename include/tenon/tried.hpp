// SPDX-License-Identifier: Apache-2.0
//
// tenon::tried(exception): what a call that raised a system exception had tried: where it went, how far it came each time, the system's
// error number and how long it took. For programs that want more than the sentence of what(): to choose another server, to count, to
// log in their own way. See docs/troubleshooting.md.
#pragma once

#include <tenon/language.hpp>

#include <vector>

#include "base/trail.hpp"
#include "tenon/corba/exception.hpp"

namespace tenon {

/// The tries in their order, at most Trail::most; empty for exceptions that no call of an object raised. Valid as long as the
/// exception.
inline const std::vector<Try>& tried(const CORBA::SystemException& exception) noexcept {
  static const std::vector<Try> nothing;
  const Trail* trail = exception._trail();
  return trail != nullptr ? trail->tries() : nothing;
}

}  // namespace tenon
