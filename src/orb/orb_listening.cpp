// SPDX-License-Identifier: Apache-2.0
//
// The server side of an ORB: which way of serving it has, where it listens, and the references that it makes to its objects.
#include <algorithm>
#include <utility>

#include "base/joined.hpp"
#include "base/log.hpp"
#include "base/memory.hpp"
#include "base/minor_codes.hpp"
#include "cdr/value_memory.hpp"
#include "orb/bidirectional.hpp"
#include "orb/client/endpoints.hpp"
#include "orb/current_protocols.hpp"
#include "orb/orb.hpp"
#include "orb/protocol_references.hpp"
#include "orb/server/server.hpp"
#include "orb/threads/attendant.hpp"
#include "orb/threads/sweeps.hpp"

namespace tenon::orb {

/// Null: `why` says which part the ORB lacks.
std::unique_ptr<Server> Orb::make_server(std::string& why) {
  Parts::MakeServer make = nullptr;
  switch (options_.serving) {
    case Serving::unsaid:
    case Serving::thread_per_connection: make = parts_.thread_per_connection; break;
    case Serving::pool: make = parts_.pool; break;
    case Serving::single_thread: make = parts_.single_thread; break;
  }
  if (make != nullptr) return make(*this);
  const bool serves =
      parts_.thread_per_connection != nullptr || parts_.pool != nullptr || parts_.single_thread != nullptr;
  why = serves ? missing(options_, parts_)
               : "this program's start-up names no way of serving: tenon::parts::thread_per_connection, "
                 "tenon::parts::pool or tenon::parts::single_thread";
  return nullptr;
}

bool Orb::open(Server& server, const std::string& endpoint, std::string& why) {
  const Protocol* understands = nullptr;
  for (const Protocol& each : current_protocols(parts_)) {
    if (each.transport->takes_endpoint(endpoint)) understands = &each;
  }
  if (understands != nullptr)
    return server.open(*understands->transport, *understands->messaging, endpoint, why,
                       understands->bidirectional);
  why = "endpoint '";
  why += endpoint;
  why += "': no protocol takes it; this ORB has";
  for (const Protocol& each : current_protocols(parts_)) {
    why += ' ';
    why += each.transport->name();
    why += "://";
  }
  return false;
}

bool Orb::listen(std::string& why) {
  if (options_.server_idle_ms != 0 && sweeps_) sweeps_->close_idle();
  // If no thread blocks in a connection's receive, the attendant has to notice that a peer has stopped. It starts now, so that a server
  // needs no more descriptors and threads later.
  if (options_.serving != Serving::thread_per_connection && options_.messaging.limits.message_timeout_ms != 0)
    (void)attendant();
  std::unique_ptr<Server> server;  // declared before the lock: one that cannot start ends after it
  const LockGuard lock(mutex_);
  if (server_) return true;
  if (state_.load() != State::running) {
    why = "the ORB has been shut down";
    return false;
  }
  if (memory::is_exhausted()) {
    why = "the heap has no memory left";
    return false;
  }
  if (current_protocols(parts_).empty()) {
    why = "this ORB has no protocol, so that it cannot listen";
    return false;
  }
  server = make_server(why);
  if (server == nullptr) return false;
  if (options_.endpoints.empty()) {
    if (parts_.listen_locally != nullptr) parts_.listen_locally(*this, *server);
    if (!open(*server, joined({current_protocols(parts_).front().transport->name(), "://"}), why))
      return false;
  }
  for (const std::string& endpoint : options_.endpoints) {
    if (!open(*server, endpoint, why)) return false;
  }
  if (!server->start()) {
    why = "no thread could be made that accepts connections";
    return false;
  }
  server_.swap(server);
  for (const Protocol& each : current_protocols(parts_)) {
    if (each.bidirectional) each.bidirectional->listen(*server_, *each.transport);
  }
  // Connections that are open already do not offer the new addresses.
  if (wants_bidirectional_.load()) divert_calls();
  listening_.store(server_.get(), std::memory_order_release);
  return true;
}

Result<const Server*> Orb::listening(std::string* why) {
  if (const Server* const server = listening_.load(std::memory_order_acquire)) return server;
  std::string reason;
  if (!listen(reason)) {
    log(LogLevel::error, "orb", reason);
    if (why != nullptr) *why = std::move(reason);
    return errors::cannot_listen;
  }
  return listening_.load(std::memory_order_acquire);
}

bool add_profile(const Options& options, const Server::Point& point, ByteView object_key,
                 std::span<const ExtraComponent> extra, ior::Ior& made) {
  std::vector<ior::TaggedComponent> own = point.messaging->components(options.messaging);
  protocol::ProfileView view;
  view.minor = std::min(options.messaging.highest_minor, point.acceptor->highest_minor().value_or(2));
  if (!cdr::assign(view.object_key, object_key) || !cdr::reserve(view.addresses, point.published.size()) ||
      !cdr::reserve(view.components, own.size() + extra.size()))
    return false;
  for (const std::string& address : point.published) cdr::emplace(view.addresses, address);
  if (view.minor != 0) {  // GIOP 1.0 has none
    for (ior::TaggedComponent& each : own) cdr::emplace(view.components, std::move(each));
    for (const ExtraComponent& each : extra) {
      if (!each.profile || *each.profile == point.transport->profile_tag())
        cdr::emplace(view.components, each.component);
    }
  }
  return !cdr::emplace(made.profiles, point.transport->make_profile(view)).data.empty();
}

Result<Ref<Reference>> Orb::create_reference(std::string_view type_id, ByteView object_key,
                                             std::span<const ExtraComponent> extra, std::string* why) {
  if (const Status alive = usable(); !alive) return alive.error();
  const Result<const Server*> found = listening(why);
  if (!found) return found.error();
  const Server& server = **found;
  ior::Ior made;
  made.type_id = type_id;
  const std::size_t points = server.points().size();
  if constexpr (protocols_change) {
    if (points == 0) {
      if (why != nullptr) *why = "the ORB listens nowhere any more: its endpoints have been closed";
      return errors::cannot_listen;
    }
  }
  if (!cdr::reserve(made.profiles, points)) return errors::out_of_memory;
  for (const Server::Point& point : server.points()) {
    if constexpr (protocols_change) {
      if (made.profiles.size() == points) break;  // one has been added since
    }
    if (!add_profile(options_, point, object_key, extra, made)) return errors::out_of_memory;
  }
  if (parts_.compose_profiles != nullptr && !parts_.compose_profiles(server, made))
    return errors::out_of_memory;
  return reference(std::move(made));
}

std::vector<std::string> Orb::endpoints() const {
  std::vector<std::string> texts;
  if (const Server* server = listening_.load(std::memory_order_acquire)) {
    for (const Server::Point& point : server->points()) texts.push_back(point.acceptor->endpoint());
  }
  return texts;
}

bool Orb::has_fixed_endpoint() const noexcept {
  const Server* server = listening_.load(std::memory_order_acquire);
  if (server == nullptr) return true;
  for (const Server::Point& point : server->points()) {
    if (point.acceptor->fixed()) return true;
  }
  return false;
}

}  // namespace tenon::orb
