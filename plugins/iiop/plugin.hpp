// SPDX-License-Identifier: Apache-2.0
//
// The IIOP plug-in's core: profiles, URLs, and the parts that it may have besides. What a program does not add to its plug-in it does
// not link: connect.cpp, listen.cpp and names.cpp are reached through the pointers here alone.
//
// Threads: parts are added before use; everything else from any thread.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "ior/iiop_profile.hpp"
#include "net/address.hpp"
#include "net/descriptor.hpp"
#include "protocol/transport.hpp"

namespace tenon::iiop {

/// Of the text of an address.
struct HostAndPort {
  std::string_view host;
  std::uint16_t port = 0;
};

/// Hosts that are written as names.
class Names {
 public:
  virtual ~Names() = default;
  virtual void configure(const protocol::TransportOptions& options) = 0;
  /// As TransportPlugin::expect().
  virtual void expect(std::string_view host) = 0;
  /// No descriptor: see `error`.
  virtual net::Descriptor connect(const HostAndPort& where, const net::SocketBuffers& buffers,
                                  Deadline deadline, Error& error) = 0;
  /// The addresses to listen on. Empty: `why` is the reason. May block for as long as the system's resolver takes.
  virtual std::vector<net::SocketAddress> own_addresses(const net::HostPort& where, std::string& why) = 0;
};

class Plugin;
struct EndpointOptions;

/// Endpoints.
class Listening {
 public:
  virtual ~Listening() = default;
  virtual void configure(const Plugin& plugin, const protocol::TransportOptions& options) = 0;
  /// As TransportPlugin::listen(), with the other parts of `plugin`.
  virtual std::unique_ptr<protocol::Acceptor> listen(const Plugin& plugin, std::string_view text,
                                                     std::string& why) = 0;
};

ior::TaggedProfile make_profile(const protocol::ProfileView& view);
/// How many addresses of a profile or a URL are used; its maker says how many there are, and how long they are.
inline constexpr std::size_t most_addresses = 64;
/// Adds one, if there can be a server and there is room.
void add_address(std::vector<protocol::Address>& into, std::string_view host, std::uint16_t port);

class Plugin : public protocol::TransportPlugin {
 public:
  using Connect = Result<std::unique_ptr<protocol::Transport>>(const Plugin&, std::string_view properties,
                                                               std::string_view address, Deadline);
  /// What addresses in corbaloc: URLs need; of the process, see enable_urls().
  struct Urls {
    bool (*read_address)(std::string_view text, protocol::ProfileView& into, std::string& why);
    ior::TaggedProfile (*make_profile)(const protocol::ProfileView& view);
  };
  using MakeProfile = ior::TaggedProfile(const protocol::ProfileView& view);
  /// What connections are set up with.
  struct Settings {
    std::optional<std::uint32_t> spin_us;
    net::KeepAlive keep_alive;
    net::SocketBuffers buffers;
    bool no_delay = true;
  };

  std::string_view name() const noexcept override { return "iiop"; }
  bool takes_endpoint(std::string_view endpoint) const noexcept override;
  std::uint32_t profile_tag() const noexcept override;

  void configure(const protocol::TransportOptions& options) override;
  std::unique_ptr<protocol::Acceptor> listen(std::string_view text, std::string& why) override;
  void expect(const protocol::Address& address) override;
  Result<std::unique_ptr<protocol::Transport>> connect(std::string_view address, Deadline deadline) override;
  Result<std::unique_ptr<protocol::Transport>> connect_with(std::string_view properties,
                                                            std::string_view address,
                                                            Deadline deadline) override;
  Result<protocol::ProfileView> read_profile(ByteView profile_data) const override;
  ior::TaggedProfile make_profile(const protocol::ProfileView& view) const override;
  bool read_url_address(std::string_view text, protocol::ProfileView& into, std::string& why) const override;
  std::string url_address(const protocol::ProfileView& view, std::size_t index) const override;

  /// What an address says that came from published(), a profile or a URL: "host:port", with brackets around an IPv6 address. No host: it is
  /// none of these.
  static HostAndPort host_and_port(std::string_view address) noexcept;

  const Settings& settings() const noexcept { return settings_; }

  // The parts; null: it has none.
  Connect* connects = nullptr;
  std::unique_ptr<Listening> listening;
  const EndpointOptions* endpoint_options = nullptr;  // null: an endpoint is a host and a port
  std::unique_ptr<Names> names;
  MakeProfile* makes_profile = nullptr;
  static constinit std::atomic<const Urls*> urls;

 private:
  Settings settings_;
};

}  // namespace tenon::iiop
