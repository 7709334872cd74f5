// SPDX-License-Identifier: Apache-2.0
#ifdef TENON_WITH_SHMIOP
#include "shmiop_plugin.hpp"

#include "orb/composed_profiles.hpp"
#include "orb/local_endpoints.hpp"
#include "plugin_of.hpp"
#include "plugins/shmiop/plugin.hpp"

namespace tenon::parts {

shmiop::Plugin& shmiop_plugin(orb::Parts& parts) {
  static constexpr char mark = 0;
  parts.compose_profiles = orb::compose_profiles;
  parts.take_profiles_apart = orb::take_profiles_apart;
  parts.listen_locally = orb::listen_locally;
  return plugin_of(parts, &mark, shmiop::make_bare_plugin, true);
}

}  // namespace tenon::parts
#endif
