// SPDX-License-Identifier: Apache-2.0
//
// Random values of random types in Anys, judged by the peer that echoes them. Main thread only.
#pragma once

#include "dynamic.hpp"

namespace checks {

/// `wide`: wide characters can be sent. `largest`: octets of a value, at most.
void random_any_checks(const IDL::traits<InteropDynamic::Dynamic>::ref_type& dynamic, bool wide,
                       std::size_t largest);

}  // namespace checks
