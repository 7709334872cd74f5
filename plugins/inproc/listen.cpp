// SPDX-License-Identifier: Apache-2.0
//
// Listens for connections of this process.
#include "base/joined.hpp"
#include "base/minor_codes.hpp"
#include "plugins/inproc/endpoint.hpp"
#include "plugins/inproc/inproc.hpp"
#include "plugins/inproc/memory_transport.hpp"
#include "plugins/inproc/plugin.hpp"
#include "plugins/inproc/process.hpp"
#include "protocol/endpoint_text.hpp"

namespace tenon::inproc {
namespace {

using protocol::Transport;

class PortAcceptor final : public protocol::Acceptor {
 public:
  PortAcceptor(Process& process, Ref<Port> port) noexcept : process_(process), port_(std::move(port)) {}
  ~PortAcceptor() override { PortAcceptor::shut_down(); }

  Result<std::unique_ptr<Transport>> accept() override { return next(true); }
  Result<std::unique_ptr<Transport>> accept_now() override { return next(false); }
  std::optional<int> poll_descriptor() const noexcept override {
    const int descriptor = port_->descriptor();
    return descriptor < 0 ? std::nullopt : std::optional(descriptor);
  }
  void shut_down() noexcept override {
    process_.remove(*port_);
    port_->close();
  }
  void close() noexcept override { port_->close_descriptor(); }
  std::string endpoint() const override { return "inproc://" + port_->name(); }
  std::vector<std::string> published() const override { return {port_->name()}; }
  // Whatever its name is, references to it end with the process.
  bool fixed() const noexcept override { return false; }

 private:
  Result<std::unique_ptr<Transport>> next(bool waits) const {
    std::unique_ptr<Transport> path = port_->take(waits);
    if (path == nullptr && port_->is_closed()) return errors::listener_closed;
    return path;
  }

  Process& process_;
  const Ref<Port> port_;
};

std::unique_ptr<protocol::Acceptor> listen(const Plugin& plugin, std::string_view text, std::string& why) {
  const std::optional<Endpoint> endpoint = read_endpoint(text, why);
  if (!endpoint) return nullptr;
  const char* wrong = "the system gives no random number, or there is no memory";
  Process* const process = Process::current();
  while (process != nullptr) {
    const bool fresh = endpoint->name.empty();
    const auto port = make_ref<Port>(fresh ? process->fresh_name() : endpoint->name,
                                     static_cast<unsigned>(endpoint->backlog), plugin.spin_us());
    if (port && process->add(port)) return std::make_unique<PortAcceptor>(*process, port);
    // A program may have taken the name that was made.
    if (port && fresh) continue;
    if (port) wrong = "another endpoint of this process has that name; choose another one";
    break;
  }
  why = protocol::endpoint_error(text, wrong);
  return nullptr;
}

}  // namespace

void add_listening(Plugin& plugin) noexcept { plugin.listens = listen; }

}  // namespace tenon::inproc
