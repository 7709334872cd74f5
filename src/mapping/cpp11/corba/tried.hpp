// SPDX-License-Identifier: Apache-2.0
//
// What a call that raised a system exception had tried, for programs that want more than the sentence of what(): to choose another
// server, to count, to log in their own way.
#pragma once

#include <vector>

#include "base/trail.hpp"
#include "mapping/cpp11/corba/exception.hpp"

namespace tenon {

/// The tries in their order, at most Trail::most; empty for exceptions that no call of an object raised. Valid as long as the
/// exception.
inline const std::vector<Try>& tried(const CORBA::SystemException& exception) noexcept {
  static const std::vector<Try> nothing;
  const Trail* trail = exception._trail();
  return trail != nullptr ? trail->tries() : nothing;
}

}  // namespace tenon
