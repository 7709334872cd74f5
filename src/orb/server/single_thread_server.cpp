// SPDX-License-Identifier: Apache-2.0
#include "orb/server/single_thread_server.hpp"

#include <utility>

#include "orb/current_protocols.hpp"
#include "orb/orb.hpp"
#include "orb/server/serving.hpp"

namespace tenon::orb {

SingleThreadServer::~SingleThreadServer() {
  stop_accepting();
  abort_connections();
}

bool SingleThreadServer::can_accept(const protocol::Acceptor& acceptor, std::string& why) const {
  if (acceptor.poll_descriptor()) return true;
  why = "a single thread cannot wait for this transport among others";
  return false;
}

bool SingleThreadServer::start() {
  for (Point& point : listening_points()) watch(point);
  return true;
}

void SingleThreadServer::accept(WatchedPoint& where) {
  auto transport = where.point.acceptor->accept_now();
  if (!transport) {
    reactor_.unwatch(where.point.acceptor->poll_descriptor().value_or(-1), where);
    if constexpr (protocols_change) where.point.acceptor->close();
    return;
  }
  if (*transport) welcome(where.point, std::move(*transport));
}

bool SingleThreadServer::serve(Ref<protocol::Connection> connection, protocol::Role /*role*/) {
  const auto lane = make_ref<WatchedLane>(*this, std::move(connection));
  if (!add(lane)) return false;
  const bool watched = watch(*lane);
  if (!watched) forget(*lane);
  return watched;
}

/// Level-triggered, so that each message is read when the reactor comes to this connection again.
bool SingleThreadServer::watch(WatchedLane& lane) {
  const std::optional<int> descriptor = lane.descriptor();
  return descriptor && reactor_.watch(*descriptor, lane, net::Watch::level) == 0;
}

void SingleThreadServer::unwatch(Lane& lane) noexcept {
  const std::optional<int> descriptor = lane.descriptor();
  if (descriptor) reactor_.unwatch(*descriptor, static_cast<WatchedLane&>(lane));
}

void SingleThreadServer::serve_message(WatchedLane& lane) {
  const Ref<Lane> held(&lane);
  if (lane.full()) {
    // The peer waits until some of what is queued has run.
    reactor_.unwatch(lane.descriptor().value_or(-1), lane);
    lane.paused = true;
    return;
  }
  ServingThread& me = ServingThread::current();
  const ServingThread outer = me;
  me = {.lane = &lane, .reactor = &reactor_, .source = &lane, .floor = UpcallScope::innermost()};
  const protocol::Served served = lane.connection().serve(*this, Deadline::immediately());
  const bool handed_over = me.handed_over;
  me = outer;
  // A lane that was handed over has been read, or is gone, by now.
  if (handed_over) return;
  if (served == protocol::Served::closed) return forget(lane);
  // The beginning of a message is input, too; the rest of it wakes the reactor when it comes.
  if (served != protocol::Served::idle && lane.connection().has_input()) reactor_.again(lane);
}

/// The poller does not watch the connections meanwhile: otherwise it would wake the reactor's thread for the end of each.
void SingleThreadServer::close_connections_by(Deadline by) noexcept {
  last_lanes();
  each_lane([this, by](Lane& lane) {
    unwatch(lane);
    lane.connection().close_by(by);
    // One of its requests is still running.
    if (lane.connection().usable()) (void)watch(static_cast<WatchedLane&>(lane));
  });
  reactor_.again(ended_);
}

void SingleThreadServer::forget_ended() noexcept {
  each_lane([this](Lane& lane) {
    if (!lane.connection().usable()) forget(lane);
  });
}

void SingleThreadServer::queue_is_shorter(Lane& lane) {
  auto& watched = static_cast<WatchedLane&>(lane);
  if (!watched.paused) return;
  watched.paused = false;
  if (watch(watched)) reactor_.again(watched);
}

std::unique_ptr<Server> make_single_thread_server(Orb& orb) {
  return std::make_unique<SingleThreadServer>(orb, orb.options(), *orb.reactor());
}

}  // namespace tenon::orb
