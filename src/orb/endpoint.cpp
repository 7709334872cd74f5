// SPDX-License-Identifier: Apache-2.0
#include "orb/endpoint.hpp"

#include <algorithm>

#include "base/log.hpp"
#include "base/minor_codes.hpp"

namespace tenon::orb {

Endpoint::Endpoint(LinkKey key, protocol::TransportPlugin& transport, protocol::Messaging& messaging, const Options& options)
    : key_(std::move(key)), transport_(transport), messaging_(messaging), options_(options) {}

Result<Endpoint::Taken> Endpoint::take(Deadline deadline) {
  std::unique_lock lock(mutex_);
  while (true) {
    if (closed_) return errors::orb_has_shut_down;
    protocol::Connection* least = nullptr;
    std::size_t dead = 0;
    for (const auto& connection : connections_) {
      if (!connection->usable()) {
        ++dead;
        continue;
      }
      const unsigned busy = connection->in_flight();
      if (busy == 0) return Taken{connection, false};
      if (least == nullptr || busy < least->in_flight()) least = connection.get();
    }
    if (dead != 0) std::erase_if(connections_, [](const auto& connection) { return !connection->usable(); });
    if (connections_.size() + opening_ < options_.connections_per_endpoint) break;
    if (least != nullptr) return Taken{Ref(least), false};
    // Every connection that may exist is just being made.
    if (deadline.is_never()) {
      opened_.wait(lock);
    } else if (opened_.wait_for(lock, std::chrono::nanoseconds(deadline.remaining_ns())) == std::cv_status::timeout) {
      return errors::connect_timed_out;
    }
  }
  ++opening_;
  lock.unlock();
  Deadline connect_by = deadline;
  if (options_.connect_timeout_ms != 0) connect_by = earlier(deadline, Deadline::after_ms(options_.connect_timeout_ms));
  auto transport = transport_.connect({key_.address}, connect_by);
  if (!transport && log_enabled(LogLevel::info)) {
    log(LogLevel::info, "orb", "cannot connect to " + key_.transport + " " + key_.address + ": " + std::string(describe(transport.error())));
  }
  Ref<protocol::Connection> connection;
  if (transport) {
    connection = messaging_.connect(std::move(*transport), protocol::Role::originator, options_.messaging);
  }
  lock.lock();
  --opening_;
  opened_.notify_all();
  if (!connection) return transport.error();
  if (closed_) return errors::orb_has_shut_down;
  connections_.push_back(connection);
  return Taken{std::move(connection), true};
}

void Endpoint::close_all(bool orderly) noexcept {
  std::vector<Ref<protocol::Connection>> connections;
  {
    std::lock_guard lock(mutex_);
    closed_ = true;
    connections.swap(connections_);
    opened_.notify_all();
  }
  for (const auto& connection : connections) {
    if (orderly) {
      connection->close();
    } else {
      connection->abort();
    }
  }
}

}  // namespace tenon::orb
