// SPDX-License-Identifier: Apache-2.0
//
// What the limits of an ORB whose memory is known (MemoryLimits) mean in octets, and for its other options.
#pragma once

#include <string>

#include "base/error.hpp"
#include "orb/options.hpp"

namespace tenon::orb {

/// Takes the memory, and has the options that set limits of their own fit these. Nothing if there are no limits. BAD_PARAM: some of them
/// are 0; NO_MEMORY: the system has not so much, or the process's memory was known before and is less. Then `why` says what is wrong.
Status take_memory(Options& options, std::string& why);

}  // namespace tenon::orb
