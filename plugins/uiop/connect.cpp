// SPDX-License-Identifier: Apache-2.0
//
// Opens Unix-domain connections.
#include "net/connect.hpp"

#include "base/memory.hpp"
#include "base/minor_codes.hpp"
#include "plugins/stream/stream_transport.hpp"
#include "plugins/stream/unix_transport.hpp"
#include "plugins/uiop/plugin.hpp"
#include "plugins/uiop/uiop.hpp"

namespace tenon::uiop {
namespace {

Result<std::unique_ptr<protocol::Transport>> connect(const Plugin& plugin, const net::SocketBuffers& buffers,
                                                     std::string_view address, Deadline deadline) {
  std::string why;
  const auto where = net::unix_address(address, why);
  if (!where) return errors::bad_address;
  int os_error = 0;
  net::Descriptor socket = net::connect_to_path(*where, deadline, os_error, buffers);
  if (!socket) return stream::connect_error(os_error);
  std::string peer(memory::is_known() ? std::string_view() : address);
  auto path = stream::make_unix_transport(std::move(socket), std::move(peer), plugin.options().spin_us);
  if (path == nullptr) return memory::shortage();
  return path;
}

}  // namespace

void add_connecting(Plugin& plugin) noexcept { plugin.connects = connect; }

}  // namespace tenon::uiop
