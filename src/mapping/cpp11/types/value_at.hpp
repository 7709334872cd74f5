// SPDX-License-Identifier: Apache-2.0
//
// Values behind untyped addresses, for generated code that is given an array of addresses.
#pragma once

#include <new>

namespace tenon::gen {

/// The value of type T at that address.
template <typename T>
T& value(void* at) noexcept {
  return *std::launder(static_cast<T*>(at));
}
template <typename T>
const T& value(const void* at) noexcept {
  return *std::launder(static_cast<const T*>(at));
}

}  // namespace tenon::gen
