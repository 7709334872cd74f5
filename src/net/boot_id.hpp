// SPDX-License-Identifier: Apache-2.0
//
// Which machine this is, since it was started: for references that mean something there alone. Any thread.
#pragma once

#include <string>

namespace tenon::net {

/// What Linux draws at each start of a machine, as text; the same for all its containers. Empty: the system does not tell. `file`
/// is for tests.
std::string boot_id(const char* file = "/proc/sys/kernel/random/boot_id");

}  // namespace tenon::net
