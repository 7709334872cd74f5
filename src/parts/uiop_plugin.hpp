// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "orb/parts.hpp"
#include "plugins/uiop/uiop.hpp"

namespace tenon::parts {

/// The plug-in of uiop, which is made and added to `parts` if they have none.
uiop::Plugin& uiop_plugin(orb::Parts& parts);

}  // namespace tenon::parts
