// SPDX-License-Identifier: Apache-2.0
//
// The option iiop.pacing: how fast TCP connections of an ORB send, at most. A class of its own, so that a program without it has no part of
// it. What a policy says is set by connect.cpp and by the mapping.
#include <atomic>
#include <charconv>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "base/joined.hpp"
#include "net/pacing.hpp"
#include "plugins/iiop/iiop.hpp"
#include "plugins/iiop/plugin.hpp"
#include "protocol/socket_properties.hpp"

namespace tenon::iiop {
namespace {

constexpr protocol::PluginOption paced_options[] = {
    {"pacing", "octets",
     "How many octets per second this side sends at most over each connection, opened or accepted: 1000 or "
     "more; 0: no limit (default: 0).",
     true},
};

std::optional<std::uint64_t> read_pacing(std::string_view text) noexcept {
  std::uint64_t number = 0;
  const char* const end = std::to_address(text.end());
  const auto [stop, code] = std::from_chars(std::to_address(text.begin()), end, number);
  if (code != std::errc() || stop != end || !net::is_pacing(number)) return std::nullopt;
  return number;
}

/// Whether a call's policy says how fast its connection sends, be it without limit.
bool says_pacing(std::string_view properties) noexcept {
  const auto* const of_calls = protocol::socket_properties.load(std::memory_order_acquire);
  return of_calls != nullptr && of_calls->read(properties).pacing.has_value();
}

class PacedPlugin final : public Plugin {
 public:
  explicit PacedPlugin(Plugin&& plain) : Plugin(std::move(plain)) {}

  std::span<const protocol::PluginOption> own_options() const noexcept override { return paced_options; }

  bool set_option(std::string_view, std::string_view value, std::string& why) override {
    const auto pacing = read_pacing(value);
    if (pacing) pacing_.store(*pacing, std::memory_order_relaxed);
    if (!pacing)
      why = worded("wants a number of octets per second, % to %, or 0 for no limit",
                   {decimal(net::least_pacing), decimal(net::most_pacing)});
    return pacing.has_value();
  }

  std::unique_ptr<protocol::Acceptor> listen(std::string_view text, std::string& why) override {
    auto acceptor = Plugin::listen(text, why);
    if (acceptor) pace(acceptor->poll_descriptor());
    return acceptor;
  }

  Result<std::unique_ptr<protocol::Transport>> connect(std::string_view address, Deadline deadline) override {
    return PacedPlugin::connect_with({}, address, deadline);
  }

  Result<std::unique_ptr<protocol::Transport>> connect_with(std::string_view properties,
                                                            std::string_view address,
                                                            Deadline deadline) override {
    auto path = Plugin::connect_with(properties, address, deadline);
    if (path && *path != nullptr && !says_pacing(properties)) pace((*path)->poll_descriptor());
    return path;
  }

 private:
  void pace(std::optional<int> socket) const noexcept {
    const std::uint64_t pacing = pacing_.load(std::memory_order_relaxed);
    if (socket && pacing != 0) net::pace(*socket, pacing);
  }

  std::atomic<std::uint64_t> pacing_{0};  // may change while connections are opened
};

}  // namespace

std::unique_ptr<Plugin> make_paced(Plugin&& plain) { return std::make_unique<PacedPlugin>(std::move(plain)); }

}  // namespace tenon::iiop
