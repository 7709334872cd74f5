// SPDX-License-Identifier: Apache-2.0
//
// Values behind addresses without a type, for generated code that is handed an array of them.
#pragma once

#include <new>

namespace tenon::gen {

/// A value of that type there.
template <typename T>
T& value(void* at) noexcept {
  return *std::launder(static_cast<T*>(at));
}
template <typename T>
const T& value(const void* at) noexcept {
  return *std::launder(static_cast<const T*>(at));
}

}  // namespace tenon::gen
