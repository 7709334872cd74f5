// SPDX-License-Identifier: Apache-2.0
//
// Opens connections through shared memory.
#include "net/connect.hpp"

#include <unistd.h>

#include <cerrno>

#include "base/joined.hpp"
#include "base/log.hpp"
#include "base/memory.hpp"
#include "base/minor_codes.hpp"
#include "base/trail.hpp"
#include "plugins/shmiop/hello.hpp"
#include "plugins/shmiop/plugin.hpp"
#include "plugins/shmiop/shared_transport.hpp"
#include "plugins/shmiop/shmiop.hpp"
#include "plugins/stream/stream_transport.hpp"

namespace tenon::shmiop {
namespace {

Result<std::unique_ptr<protocol::Transport>> connect(const Plugin& plugin, std::uint32_t ring_octets,
                                                     std::string_view address, Deadline deadline) {
  std::string why;
  const auto where = net::unix_address(address, why);
  if (!where || !address.starts_with('@')) return errors::bad_address;
  int os_error = 0;
  net::Descriptor socket = net::connect_to_path(*where, deadline, os_error);
  if (!socket) return stream::connect_error(os_error);
  // Abstract names belong to whoever comes first.
  std::string who;
  if (!is_of_user(socket.get(), ::geteuid(), who)) {
    log(LogLevel::warning, "shmiop", worded("% belongs to %: not connected", {address, who}));
    Trail::mine().add(
        {.step = Step::connect,
         .error = errors::cannot_connect,
         .said = worded("% listens there, and shared memory is for processes of one user", {who})});
    return errors::cannot_connect;
  }
  net::Descriptor memory;
  Segment segment = Segment::make(ring_octets, memory);
  if (!segment) return stream::connect_error(errno);
  // What it writes before the server has looked is to wake the server's poller, if that has one.
  segment.to_server().control->reader.store(polled);
  Hello hello;
  hello.ring_octets = segment.ring_octets();
  if (const int error = send_hello(socket.get(), hello, memory.get()); error != 0)
    return stream::connect_error(error);
  std::string peer(memory::is_known() ? std::string_view() : address);
  std::unique_ptr<protocol::Transport> path = std::make_unique<SharedTransport>(
      std::move(socket), std::move(segment), std::move(peer), plugin.path_settings());
  if (path == nullptr) return memory::shortage();
  return path;
}

}  // namespace

void add_connecting(Plugin& plugin) noexcept { plugin.connects = connect; }

}  // namespace tenon::shmiop
