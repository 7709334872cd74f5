// SPDX-License-Identifier: Apache-2.0
//
// The SHMIOP plug-in's core: profiles, URLs, options, and the parts that it may have besides, which a program links only if it adds them.
//
// Threads: parts are added before use; everything else, options too, from any thread.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

#include "plugins/shmiop/shared_transport.hpp"
#include "protocol/transport.hpp"

namespace tenon::shmiop {

class Plugin final : public protocol::TransportPlugin {
 public:
  using Connect = Result<std::unique_ptr<protocol::Transport>>(const Plugin&, std::uint32_t ring_octets,
                                                               std::string_view address, Deadline);
  using Listen = std::unique_ptr<protocol::Acceptor>(const Plugin&, std::string_view endpoint,
                                                     std::string& why);

  std::string_view name() const noexcept override { return "shmiop"; }
  std::uint32_t profile_tag() const noexcept override;
  std::span<const protocol::PluginOption> own_options() const noexcept override;
  bool set_option(std::string_view name, std::string_view value, std::string& why) override;

  void configure(const protocol::TransportOptions& options) override { options_ = options; }
  std::unique_ptr<protocol::Acceptor> listen(std::string_view text, std::string& why) override;
  Result<std::unique_ptr<protocol::Transport>> connect(std::string_view address, Deadline deadline) override;
  /// Knows "ring=65536", in octets; one that no ring may have is passed over.
  Result<std::unique_ptr<protocol::Transport>> connect_with(std::string_view properties,
                                                            std::string_view address,
                                                            Deadline deadline) override;
  Result<protocol::ProfileView> read_profile(ByteView profile_data) const override;
  ior::TaggedProfile make_profile(const protocol::ProfileView& view) const override;
  bool read_url_address(std::string_view text, protocol::ProfileView& into, std::string& why) const override;
  std::string url_address(const protocol::ProfileView& view, std::size_t index) const override;

  const protocol::TransportOptions& options() const noexcept { return options_; }
  std::uint32_t ring_octets() const noexcept { return ring_octets_.load(std::memory_order_relaxed); }
  /// As TransportOptions::spin_us: what was said here, else what was said for all transports, else the usual time where there are two
  /// processors or more.
  std::optional<std::uint32_t> spin_us() const noexcept;
  /// Of connections that are opened now.
  SharedTransport::Settings path_settings() const noexcept {
    return {spin_us(), in_place_.load(std::memory_order_relaxed)};
  }

  // The parts; null: it has none.
  Connect* connects = nullptr;
  Listen* listens = nullptr;

 private:
  static constexpr std::uint32_t unsaid = UINT32_MAX;

  protocol::TransportOptions options_;
  // Options that may change while connections are opened.
  std::atomic<std::uint32_t> ring_octets_{usual_ring};
  std::atomic<std::uint32_t> own_spin_us_{unsaid};
  std::atomic<bool> in_place_{true};
};

}  // namespace tenon::shmiop
