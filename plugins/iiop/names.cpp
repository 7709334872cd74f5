// SPDX-License-Identifier: Apache-2.0
//
// Hosts that are written as names: connecting to them over several addresses, and listening on them.
#include "base/memory.hpp"
#include "base/minor_codes.hpp"
#include "base/trail.hpp"
#include "net/connect.hpp"
#include "net/host_names.hpp"
#include "plugins/iiop/iiop.hpp"
#include "plugins/iiop/plugin.hpp"
#include "plugins/stream/stream_transport.hpp"

namespace tenon::iiop {
namespace {

/// How much longer a call that fails may take, to find out whether its host has moved.
constexpr std::int64_t ask_again_ms = 500;

class LookedUpNames final : public Names {
 public:
  explicit LookedUpNames(std::shared_ptr<net::NameSource> source) : names_(std::move(source)) {}

  void configure(const protocol::TransportOptions& options) override {
    net::HostNames::Settings settings;
    settings.fresh_ms = options.host_names_fresh_ms;
    settings.usable_ms = 10 * settings.fresh_ms;
    names_.set_settings(settings);
  }

  void expect(std::string_view host) override {
    if (!memory::is_known()) names_.expect(std::string(host));
  }

  net::Descriptor connect(const HostAndPort& place, const net::SocketBuffers& buffers, Deadline deadline,
                          Error& error) override {
    using Outcome = net::HostNames::Outcome;
    if (memory::is_known()) {  // the system's resolver takes memory of the heap
      error = errors::not_where_memory_is_known;
      return {};
    }
    const net::HostPort where{std::string(place.host), place.port};
    const std::int64_t began = steady_now();
    const net::HostNames::Answer known = names_.addresses(where, deadline);
    if (known.outcome != Outcome::found) {
      error = known.outcome == Outcome::timed_out ? errors::look_up_timed_out : errors::host_not_found;
      Trail::mine().add(
          {.step = Step::look_up, .error = error, .took_ns = steady_now() - began, .said = known.why});
      return {};
    }
    int os_error = 0;
    net::Descriptor socket = net::connect_stream(known.addresses, deadline, os_error, buffers);
    if (!socket && known.asked_at < began) {
      const net::HostNames::Answer again =
          names_.addresses(where, earlier(deadline, Deadline::after_ms(ask_again_ms)), began);
      if (again.outcome == Outcome::found && again.addresses != known.addresses)
        socket = net::connect_stream(again.addresses, deadline, os_error, buffers);
    }
    if (!socket) error = stream::connect_error(os_error);
    return socket;
  }

  std::vector<net::SocketAddress> own_addresses(const net::HostPort& where, std::string& why) override {
    return net::resolve(where, net::Purpose::listen, why);
  }

 private:
  net::HostNames names_;
};

}  // namespace

void add_host_names(Plugin& plugin, std::shared_ptr<net::NameSource> source) {
  plugin.names = std::make_unique<LookedUpNames>(std::move(source));
}

void add_host_names(Plugin& plugin) { add_host_names(plugin, net::system_names()); }

}  // namespace tenon::iiop
