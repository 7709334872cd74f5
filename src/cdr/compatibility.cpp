// SPDX-License-Identifier: Apache-2.0
#include "cdr/compatibility.hpp"

namespace tenon::cdr {

namespace {
Compatibility switches;
}

Compatibility& compatibility() noexcept { return switches; }

}  // namespace tenon::cdr
