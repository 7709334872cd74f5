// SPDX-License-Identifier: Apache-2.0
#include "cdr/compatibility.hpp"

#include "cdr/reader.hpp"

namespace tenon::cdr {

namespace {
Compatibility switches;
}

Compatibility& compatibility() noexcept { return switches; }

bool any_octet_is_boolean() noexcept { return is_on(switches.any_octet_is_boolean); }

}  // namespace tenon::cdr
