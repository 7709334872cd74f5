// SPDX-License-Identifier: Apache-2.0
#ifdef TENON_WITH_DYNAMIC_PROTOCOLS
#include "orb/protocol_table.hpp"

#include <utility>

namespace tenon::orb {

/// One by one: there may have been very many changes.
ProtocolTable::~ProtocolTable() {
  const LockGuard lock(changing);
  while (closed_) closed_ = std::move(closed_->before);
  while (lists_) lists_ = std::move(lists_->before);
  while (added_) added_ = std::move(added_->before);
}

const Protocol* ProtocolTable::find(const protocol::TransportPlugin& transport) const noexcept {
  for (const Added* each = newest_.load(std::memory_order_acquire); each != nullptr;
       each = each->before.get()) {
    if (each->protocol.transport.get() == &transport) return &each->protocol;
  }
  return nullptr;
}

void ProtocolTable::replace(std::unique_ptr<List> list) noexcept {
  list->before = std::move(lists_);
  lists_ = std::move(list);
  now_.store(lists_.get(), std::memory_order_release);
}

const Protocol& ProtocolTable::keep(Protocol&& protocol) {
  auto added = std::make_unique<Added>();
  added->protocol = std::move(protocol);
  added->before = std::move(added_);
  added_ = std::move(added);
  newest_.store(added_.get(), std::memory_order_release);
  return added_->protocol;
}

void ProtocolTable::keep(std::unique_ptr<Server::Point> closed) {
  auto kept = std::make_unique<Closed>();
  kept->point = std::move(closed);
  kept->before = std::move(closed_);
  closed_ = std::move(kept);
}

void ProtocolTable::accepted(const protocol::Connection& connection, const protocol::TransportPlugin& over) {
  const LockGuard lock(mutex_);
  accepted_[&connection] = &over;
}

void ProtocolTable::ended(const protocol::Connection& connection) noexcept {
  const LockGuard lock(mutex_);
  accepted_.erase(&connection);
}

bool ProtocolTable::is_accepted_over(const protocol::Connection& connection,
                                     const protocol::TransportPlugin& transport) const {
  const LockGuard lock(mutex_);
  const auto found = accepted_.find(&connection);
  return found != accepted_.end() && found->second == &transport;
}

}  // namespace tenon::orb
#endif
