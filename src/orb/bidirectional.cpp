// SPDX-License-Identifier: Apache-2.0
#include "orb/bidirectional.hpp"

#include <algorithm>
#include <atomic>
#include <map>

#include "base/joined.hpp"
#include "base/log.hpp"
#include "base/memory.hpp"
#include "base/thread_annotations.hpp"
#include "ior/iiop_profile.hpp"
#include "ior/listen_points.hpp"
#include "net/address.hpp"
#include "orb/orb.hpp"
#include "orb/server/server.hpp"

namespace tenon::orb {

namespace {

class OfferedPeers final : public Bidirectional {
 public:
  OfferedPeers(protocol::TransportPlugin& transport, protocol::Messaging& messaging, const Options& options)
      : transport_(transport), messaging_(messaging), options_(options) {}

  void listen(Server& server, const protocol::TransportPlugin& transport) override;
  bool listens() const noexcept override { return server_.load(std::memory_order_acquire) != nullptr; }
  ByteView offer() const noexcept override { return offer_; }
  bool serve(const Ref<protocol::Connection>& connection) override;
  void believe() noexcept override { believes_.store(true, std::memory_order_release); }
  bool believes() const noexcept override { return believes_.load(std::memory_order_acquire); }
  void offered(protocol::Connection& connection, ByteView offer) noexcept override TENON_EXCLUDES(mutex_);
  void ended(protocol::Connection& connection) noexcept override TENON_EXCLUDES(mutex_);
  Ref<Endpoint> to(const std::string& address) override TENON_EXCLUDES(mutex_);
  void close() noexcept override TENON_EXCLUDES(mutex_);

 private:
  struct Offered {
    Ref<Endpoint> endpoint;
    std::vector<std::string> points;
  };

  void note(protocol::Connection& connection, const std::vector<ior::IiopAddress>& points)
      TENON_EXCLUDES(mutex_);

  protocol::TransportPlugin& transport_;
  protocol::Messaging& messaging_;
  const Options& options_;  // the ORB's
  std::vector<std::uint8_t> offer_;
  std::atomic<Server*> server_{nullptr};
  std::atomic<bool> believes_{false};
  std::atomic<bool> any_{false};  // offered_ is not empty
  Mutex mutex_;
  std::map<protocol::Connection*, Offered> offered_ TENON_GUARDED_BY(mutex_);
  // Among equal addresses the newest connection comes last.
  std::multimap<std::string, protocol::Connection*> by_address_ TENON_GUARDED_BY(mutex_);
  bool closed_ TENON_GUARDED_BY(mutex_) = false;
};

/// Octets of an address that is believed; no host name or path is longer.
constexpr std::size_t longest_point = 1024;

/// An address that is not host and port, such as a path, is sent as a host with port 0, to ORBs that know such transports.
ior::IiopAddress listen_point(const std::string& address) {
  std::string ignored;
  const auto where = net::parse_host_port(address, 0, ignored);
  return where && where->port != 0 ? ior::IiopAddress{where->host, where->port}
                                   : ior::IiopAddress{address, 0};
}

std::string address_of(const ior::IiopAddress& point) {
  if (point.port == 0) return point.host;
  if (point.host.starts_with('[')) return point.host + ':' + decimal(point.port);
  return ior::to_text(point);
}

void OfferedPeers::listen(Server& server, const protocol::TransportPlugin& transport) {
  std::vector<ior::IiopAddress> points;
  for (const Server::Point& point : server.points()) {
    if (point.transport != &transport) continue;
    for (const std::string& address : point.published) points.push_back(listen_point(address));
  }
  if (points.empty()) return;
  offer_ = ior::make_listen_points(points);
  server_.store(&server, std::memory_order_release);
}

bool OfferedPeers::serve(const Ref<protocol::Connection>& connection) {
  Server* const server = server_.load(std::memory_order_acquire);
  return server != nullptr && server->serve(connection, protocol::Role::originator);
}

void OfferedPeers::offered(protocol::Connection& connection, ByteView offer) noexcept {
  if (memory::is_exhausted()) return;  // then calls go over connections of their own
  const auto points = ior::parse_listen_points(offer, most_points);
  if (!points) return;
  note(connection, *points);
  // If it has ended meanwhile, ended() came before it was known here.
  if (!connection.usable()) ended(connection);
}

void OfferedPeers::note(protocol::Connection& connection, const std::vector<ior::IiopAddress>& points) {
  const LockGuard lock(mutex_);
  if (closed_) return;
  Offered& known = offered_[&connection];
  if (!known.endpoint) {
    known.endpoint = make_ref<Endpoint>(
        LinkKey{.transport = transport_.name(), .address = memory::String(connection.transport().peer())},
        transport_, messaging_, options_, Ref(&connection));
    if (!known.endpoint) return void(offered_.erase(&connection));  // no memory
    any_.store(true, std::memory_order_release);
  }
  for (const ior::IiopAddress& point : points) {
    std::string address = address_of(point);
    if (known.points.size() == most_points) break;
    if (address.empty() || address.size() > longest_point ||
        std::ranges::find(known.points, address) != known.points.end())
      continue;
    if (log_enabled(LogLevel::debug)) {
      log(LogLevel::debug, "orb",
          "calls to " + address + " go over the connection from " +
              std::string(known.endpoint->key().address));
    }
    by_address_.emplace(address, &connection);
    known.points.push_back(std::move(address));
  }
}

void OfferedPeers::ended(protocol::Connection& connection) noexcept {
  if (!any_.load(std::memory_order_acquire)) return;
  Ref<Endpoint> endpoint;  // declared before the lock: destroyed after it
  {
    const LockGuard lock(mutex_);
    const auto found = offered_.find(&connection);
    if (found == offered_.end()) return;
    for (const std::string& address : found->second.points) {
      auto [at, end] = by_address_.equal_range(address);
      while (at != end && at->second != &connection) ++at;
      if (at != end) by_address_.erase(at);
    }
    endpoint = std::move(found->second.endpoint);
    offered_.erase(found);
    any_.store(!offered_.empty(), std::memory_order_release);
  }
  endpoint->let_go();
}

Ref<Endpoint> OfferedPeers::to(const std::string& address) {
  if (!any_.load(std::memory_order_acquire)) return nullptr;
  const LockGuard lock(mutex_);
  const auto [first, end] = by_address_.equal_range(address);
  for (auto at = end; at != first;) {
    --at;
    if (at->second->usable()) return offered_.find(at->second)->second.endpoint;
  }
  return nullptr;
}

void OfferedPeers::close() noexcept {
  std::map<protocol::Connection*, Offered> offered;  // declared before the lock: destroyed after it
  {
    const LockGuard lock(mutex_);
    closed_ = true;
    offered.swap(offered_);
    by_address_.clear();
    any_.store(false, std::memory_order_release);
  }
  for (const auto& [connection, each] : offered) each.endpoint->let_go();
}

}  // namespace

std::shared_ptr<Bidirectional> make_bidirectional(Orb& orb, const Protocol& protocol) {
  return std::make_shared<OfferedPeers>(*protocol.transport, *protocol.messaging, orb.options());
}

}  // namespace tenon::orb
