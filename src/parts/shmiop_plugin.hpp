// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "orb/parts.hpp"
#include "plugins/shmiop/shmiop.hpp"

namespace tenon::parts {

/// The plug-in of shmiop, which is made and added to `parts` if they have none.
shmiop::Plugin& shmiop_plugin(orb::Parts& parts);

}  // namespace tenon::parts
