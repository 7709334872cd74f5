// SPDX-License-Identifier: Apache-2.0
//
// Where an address over shared memory means something: a machine since it was started, a network namespace of it (abstract names belong to
// one), and a user. Any thread.
#pragma once

#include <string>

namespace tenon::shmiop {

/// "<boot id>/<device>:<inode of the namespace>/<user>". Equal for processes that reach each other; empty: the system does not tell.
const std::string& this_place();

/// The same from files and a user of the caller's choice, for tests.
std::string place_from(const char* boot_id_file, const char* namespace_file, unsigned user);

}  // namespace tenon::shmiop
