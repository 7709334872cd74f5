// SPDX-License-Identifier: Apache-2.0
#include "cdr/compatibility.hpp"

#include "cdr/reader.hpp"

namespace tenon::cdr {

namespace {
Compatibility switches;
}

Compatibility& compatibility() noexcept { return switches; }

}  // namespace tenon::cdr
