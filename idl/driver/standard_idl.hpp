// SPDX-License-Identifier: Apache-2.0
//
// Where orb.idl and the other standard files are: beside the program in a build tree, in share/tenon/idl of
// an installation. They are found from the program's own path, so an installation may be moved.
#pragma once

#include <string>

namespace tenon::idl {

// Empty when there is none.
std::string standard_idl_directory();

}  // namespace tenon::idl
