// SPDX-License-Identifier: Apache-2.0
#include "net/host_names.hpp"
#include "plugins/iiop/iiop.hpp"
#include "plugins/iiop/plugin.hpp"

namespace tenon::iiop {

std::unique_ptr<protocol::TransportPlugin> make_plugin() { return make_plugin(net::system_names()); }

std::unique_ptr<protocol::TransportPlugin> make_plugin(std::shared_ptr<net::NameSource> names) {
  std::unique_ptr<Plugin> plugin = make_bare_plugin();
  add_connecting(*plugin);
  add_listening(*plugin);
  add_endpoint_options(*plugin);
  enable_urls();
  add_host_names(*plugin, std::move(names));
  return make_paced(std::move(*plugin));
}

}  // namespace tenon::iiop
