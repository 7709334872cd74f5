// SPDX-License-Identifier: Apache-2.0
#include "iiop_plugin.hpp"

#include "plugin_of.hpp"
#include "plugins/iiop/plugin.hpp"

namespace tenon::parts {

iiop::Plugin& iiop_plugin(orb::Parts& parts) {
  static constexpr char mark = 0;
  return plugin_of(parts, &mark, iiop::make_bare_plugin);
}

}  // namespace tenon::parts
