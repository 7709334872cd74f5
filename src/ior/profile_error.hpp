// SPDX-License-Identifier: Apache-2.0
//
// Why a profile could not be read. No state.
#pragma once

#include "base/minor_codes.hpp"
#include "cdr/reader.hpp"

namespace tenon::ior {

inline Error profile_error(const cdr::Reader& reader) noexcept {
  return reader.error() == errors::out_of_memory ? errors::out_of_memory : errors::bad_profile;
}

}  // namespace tenon::ior
