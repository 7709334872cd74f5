// SPDX-License-Identifier: Apache-2.0
#ifdef TENON_WITH_INPROC
#include "inproc_plugin.hpp"

#include "plugin_of.hpp"
#include "plugins/inproc/plugin.hpp"

namespace tenon::parts {

inproc::Plugin& inproc_plugin(orb::Parts& parts) {
  static constexpr char mark = 0;
  return plugin_of(parts, &mark, inproc::make_bare_plugin);
}

}  // namespace tenon::parts
#endif
