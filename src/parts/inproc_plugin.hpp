// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "orb/parts.hpp"
#include "plugins/inproc/inproc.hpp"

namespace tenon::parts {

/// The plug-in of inproc, which is made and added to `parts` if they have none.
inproc::Plugin& inproc_plugin(orb::Parts& parts);

}  // namespace tenon::parts
