// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "orb/parts.hpp"
#include "plugins/iiop/iiop.hpp"

namespace tenon::parts {

/// The plug-in of iiop, which is made and added to `parts` if they have none.
iiop::Plugin& iiop_plugin(orb::Parts& parts);

}  // namespace tenon::parts
