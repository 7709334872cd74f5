// SPDX-License-Identifier: Apache-2.0
//
// Opens connections to endpoints of this process.
#include "base/memory.hpp"
#include "base/minor_codes.hpp"
#include "ior/named_address.hpp"
#include "plugins/inproc/inproc.hpp"
#include "plugins/inproc/memory_transport.hpp"
#include "plugins/inproc/plugin.hpp"
#include "plugins/inproc/process.hpp"

namespace tenon::inproc {
namespace {

Result<std::unique_ptr<protocol::Transport>> connect(const Plugin& plugin, std::string_view address,
                                                     Deadline deadline) {
  if (!ior::is_name(address)) return errors::bad_address;
  if (memory::is_exhausted()) return memory::shortage();
  Process* const process = Process::current();
  const Ref<Port> port = process == nullptr ? nullptr : process->find(address);
  if (!port) return errors::cannot_connect;
  const auto link = make_ref<Link>(plugin.kept_most(), port->spin_us(), plugin.spin_us());
  if (!link) return memory::shortage();
  auto theirs = std::make_unique<MemoryTransport>(link, port, Side::acceptor);
  std::unique_ptr<protocol::Transport> ours = std::make_unique<MemoryTransport>(link, port, Side::connector);
  if (theirs == nullptr || ours == nullptr) return memory::shortage();
  if (const Status left = port->put(std::move(theirs), deadline); !left) return left.error();
  return ours;
}

}  // namespace

void add_connecting(Plugin& plugin) noexcept { plugin.connects = connect; }

}  // namespace tenon::inproc
