// SPDX-License-Identifier: Apache-2.0
//
// The UIOP plug-in's core: profiles, URLs, and the parts that it may have besides, which a program links only if it adds them.
//
// Threads: parts are added before use; everything else from any thread.
#pragma once

#include <memory>
#include <string>

#include "protocol/transport.hpp"

namespace tenon::uiop {

class Plugin final : public protocol::TransportPlugin {
 public:
  using Connect = Result<std::unique_ptr<protocol::Transport>>(const Plugin&,
                                                               const net::SocketBuffers& buffers,
                                                               std::string_view address, Deadline);
  using Listen = std::unique_ptr<protocol::Acceptor>(const Plugin&, std::string_view endpoint,
                                                     std::string& why);

  std::string_view name() const noexcept override { return "uiop"; }
  bool takes_endpoint(std::string_view endpoint) const noexcept override;
  std::uint32_t profile_tag() const noexcept override;

  void configure(const protocol::TransportOptions& options) override { options_ = options; }
  std::unique_ptr<protocol::Acceptor> listen(std::string_view text, std::string& why) override;
  Result<std::unique_ptr<protocol::Transport>> connect(std::string_view address, Deadline deadline) override;
  Result<std::unique_ptr<protocol::Transport>> connect_with(std::string_view properties,
                                                            std::string_view address,
                                                            Deadline deadline) override;
  Result<protocol::ProfileView> read_profile(ByteView profile_data) const override;
  ior::TaggedProfile make_profile(const protocol::ProfileView& view) const override;
  bool read_url_address(std::string_view text, protocol::ProfileView& into, std::string& why) const override;
  std::string url_address(const protocol::ProfileView& view, std::size_t index) const override;
  bool compose(const protocol::Acceptor& acceptor, ior::Ior& made) const override;
  std::optional<protocol::ProfileView> addresses_in(std::uint32_t profile_tag,
                                                    const protocol::ProfileView& profile) const override;

  const protocol::TransportOptions& options() const noexcept { return options_; }

  // The parts; null: it has none.
  Connect* connects = nullptr;
  Listen* listens = nullptr;

 private:
  protocol::TransportOptions options_;
};

}  // namespace tenon::uiop
