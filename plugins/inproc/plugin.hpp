// SPDX-License-Identifier: Apache-2.0
//
// The plug-in's core: profiles, URLs, and the parts that it may have besides, which a program links only if it adds them.
//
// Threads: parts are added before use; everything else from any thread.
#pragma once

#include <memory>
#include <string>

#include "plugins/inproc/channel.hpp"
#include "protocol/transport.hpp"

namespace tenon::inproc {

class Plugin final : public protocol::TransportPlugin {
 public:
  using Connect = Result<std::unique_ptr<protocol::Transport>>(const Plugin&, std::string_view address,
                                                               Deadline);
  using Listen = std::unique_ptr<protocol::Acceptor>(const Plugin&, std::string_view endpoint,
                                                     std::string& why);

  std::string_view name() const noexcept override { return "inproc"; }
  std::uint32_t profile_tag() const noexcept override;

  void configure(const protocol::TransportOptions& options) override;
  std::unique_ptr<protocol::Acceptor> listen(std::string_view text, std::string& why) override;
  Result<std::unique_ptr<protocol::Transport>> connect(std::string_view address, Deadline deadline) override;
  Result<protocol::ProfileView> read_profile(ByteView profile_data) const override;
  ior::TaggedProfile make_profile(const protocol::ProfileView& view) const override;
  bool read_url_address(std::string_view text, protocol::ProfileView& into, std::string& why) const override;
  std::string url_address(const protocol::ProfileView& view, std::size_t index) const override;

  /// As TransportOptions::spin_us: what was said for all transports, else the usual time where there are two processors or more.
  std::optional<std::uint32_t> spin_us() const noexcept { return spin_us_; }
  /// Octets that a direction of a connection keeps at most, of those that this side opens. For tests.
  std::size_t kept_most() const noexcept { return kept_most_; }
  void keep_at_most(std::size_t octets) noexcept { kept_most_ = octets; }

  // The parts; null: it has none.
  Connect* connects = nullptr;
  Listen* listens = nullptr;

 private:
  std::optional<std::uint32_t> spin_us_;
  std::size_t kept_most_ = Channel::usual_most;
};

}  // namespace tenon::inproc
