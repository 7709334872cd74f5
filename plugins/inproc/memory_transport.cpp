// SPDX-License-Identifier: Apache-2.0
#include "plugins/inproc/memory_transport.hpp"

#include <utility>

#include "base/joined.hpp"

namespace tenon::inproc {

MemoryTransport::MemoryTransport(Ref<Link> link, Ref<Port> port, Side side) noexcept
    : link_(std::move(link)),
      out_(side == Side::connector ? link_->to_acceptor : link_->to_connector),
      in_(side == Side::connector ? link_->to_connector : link_->to_acceptor),
      port_(std::move(port)),
      side_(side) {}

MemoryTransport::~MemoryTransport() {
  MemoryTransport::shut_down();
  in_.let_go();
}

std::optional<int> MemoryTransport::poll_descriptor() const noexcept {
  const int descriptor = in_.descriptor();
  return descriptor < 0 ? std::nullopt : std::optional(descriptor);
}

void MemoryTransport::shut_down() noexcept {
  out_.end_sending();
  in_.end_receiving();
}

// The connecting side has no name of its own.
std::string MemoryTransport::peer() const {
  return side_ == Side::connector ? port_->name()
                                  : joined({"a client of ", port_->name(), " in this process"});
}

std::string MemoryTransport::local() const {
  return side_ == Side::acceptor ? port_->name() : "this process";
}

}  // namespace tenon::inproc
