// SPDX-License-Identifier: Apache-2.0
#include "plugins/stream/unix_transport.hpp"

#include <utility>

#include "base/joined.hpp"
#include "base/log.hpp"
#include "base/memory.hpp"
#include "net/address.hpp"
#include "plugins/stream/bulk_transport.hpp"
#include "plugins/stream/spinning_transport.hpp"
#include "plugins/stream/stream_transport.hpp"
#include "protocol/identity.hpp"

namespace tenon::stream {
namespace {

/// `Stream`: StreamTransport, SpinningTransport or BulkTransport.
template <typename Stream>
class UnixTransport final : public Stream {
 public:
  using Stream::Stream;
  bool identify(protocol::Identity& into) const override {
    return protocol::identify_unix_peer(this->poll_descriptor().value_or(-1), into);
  }
};

/// A connected Unix-domain client has no address, so its process is named, for the reader of a log.
std::string process_at(int socket) {
  protocol::Identity peer;
  if (!protocol::identify_unix_peer(socket, peer)) return "unknown process";
  return joined({"process ", peer["pid"]});
}

/// Hangs up on a peer. `served`: the rules would let it, but memory is short.
void refuse(net::Descriptor socket, bool served) {
  const LogLevel level = served ? LogLevel::warning : LogLevel::debug;
  if (!log_enabled(level)) return;
  log(level, "stream",
      worded("% is not served: %", {process_at(socket.get()),
                                    served ? "memory is short" : "-ORBserverTransportRule does not let it"}));
}

bool is_served(const StreamAcceptor::Settings& settings) noexcept {
  if (settings.serves == nullptr) return true;
  constexpr sockaddr unnamed{.sa_family = AF_UNIX, .sa_data = {}};
  return settings.serves(*settings.rules, net::SocketAddress(&unnamed, sizeof unnamed.sa_family));
}

/// Null: the peer is not served, and has been hung up on.
std::unique_ptr<protocol::Transport> over_unix(net::Descriptor&& socket,
                                               const StreamAcceptor::Settings& settings) {
  const bool served = is_served(settings);
  if (!served || memory::is_exhausted()) {
    refuse(std::move(socket), served);
    return {};
  }
  net::set_buffers(socket.get(), settings.buffers);
  std::string name = memory::is_known() ? std::string() : process_at(socket.get());
  auto path = make_unix_transport(std::move(socket), std::move(name), settings.spin_us);
  if (path == nullptr && log_enabled(LogLevel::warning))
    log(LogLevel::warning, "stream", "a process is not served: memory is short");
  return path;
}

}  // namespace

std::unique_ptr<protocol::Transport> make_unix_transport(net::Descriptor&& socket, std::string peer,
                                                         std::optional<std::uint32_t> spin_us) {
  if (spin_us) {
    using Spinning = UnixTransport<SpinningTransport>;
    return std::make_unique<Spinning>(std::move(socket), std::move(peer), *spin_us);
  }
  if (bulk_spin && BulkTransport::pays())
    return std::make_unique<UnixTransport<BulkTransport>>(std::move(socket), std::move(peer));
  return std::make_unique<UnixTransport<StreamTransport>>(std::move(socket), std::move(peer));
}

void StreamAcceptor::Settings::add_unix_paths() noexcept { over_unix = stream::over_unix; }

}  // namespace tenon::stream
