// SPDX-License-Identifier: Apache-2.0
//
// Who called, for lines of the log about what servants let out. Any thread.
#pragma once

#include <string>

#include "protocol/incoming_call.hpp"

namespace tenon::gen {

/// ", called by " and what is known for certain of the caller; empty: nothing is known. Weak: null in a program whose ORB has no part that
/// writes the log.
[[gnu::weak]] std::string caller_words(const protocol::IncomingCall& call);

/// Called by that part, so that a static program has the function above.
void use_caller_words() noexcept;

}  // namespace tenon::gen
