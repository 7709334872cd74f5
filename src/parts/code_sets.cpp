// SPDX-License-Identifier: Apache-2.0
#include "cdr/char_sets.hpp"
#include "tenon/parts.hpp"

namespace tenon::parts {

void code_sets(orb::Parts&) { cdr::use_char_sets(); }

}  // namespace tenon::parts
