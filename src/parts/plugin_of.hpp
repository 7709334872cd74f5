// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <utility>

#include "orb/parts.hpp"
#include "plugins/giop/giop.hpp"

namespace tenon::parts {

/// The plug-in of a protocol of GIOP that `mark` stands for; `make` makes it if `parts` have none. `local`: as Protocol::local.
template <typename Plugin>
Plugin& plugin_of(orb::Parts& parts, const void* mark, std::unique_ptr<Plugin> (*make)(),
                  bool local = false) {
  for (orb::Protocol& each : parts.protocols) {
    if (each.made_by == mark) return static_cast<Plugin&>(*each.transport);
  }
  std::unique_ptr<Plugin> plugin = make();
  Plugin& made = *plugin;
  orb::Protocol& protocol = orb::one_more(parts.protocols);
  protocol.transport = std::move(plugin);
  protocol.messaging = giop::make_bare_messaging();
  protocol.made_by = mark;
  protocol.local = local;
  return made;
}

}  // namespace tenon::parts
