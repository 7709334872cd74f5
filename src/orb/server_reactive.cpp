// SPDX-License-Identifier: Apache-2.0
//
// How a server serves by a single thread: its endpoints and connections are sources of the reactor, one message is one step. All of it
// runs on the reactor's thread.
#include "base/log.hpp"
#include "orb/server.hpp"

namespace tenon::orb {

void Lane::ready() { server_.react(*this); }

void Server::Door::ready() {
  auto transport = point.acceptor->accept_now();
  if (!transport) return server.reactor_->unwatch(*point.acceptor->poll_descriptor(), *this);
  if (*transport) server.welcome(point, std::move(*transport));
}

/// As long as there is input, so that a message is read only when its turn comes.
bool Server::watch(Lane& lane) {
  return lane.descriptor() && reactor_->watch(*lane.descriptor(), lane, net::Watch::level) == 0;
}

void Server::react(Lane& lane) {
  const Ref<Lane> held(&lane);
  if (lane.full()) {
    // Its peer waits until some of what is queued has run.
    reactor_->unwatch(*lane.descriptor(), lane);
    lane.stalled = true;
    return;
  }
  ServingThread& me = ServingThread::current();
  const ServingThread outer = me;
  me = {
      .server = this, .lane = &lane, .reactor = reactor_, .source = &lane, .floor = UpcallScope::innermost()};
  const protocol::Served served = lane.connection().serve(*this, Deadline::immediately());
  const bool handed_over = me.handed_over;
  me = outer;
  // A lane that was left to others is read, or gone, by now.
  if (handed_over) return;
  if (served == protocol::Served::closed) return forget(lane);
  if (lane.connection().has_input()) reactor_->again(lane);
}

void Server::go_on_reading(Lane& lane) {
  lane.stalled = false;
  if (watch(lane)) reactor_->again(lane);
}

void Server::keep_order(Lane& lane, const protocol::IncomingCall& running) {
  if (options_.messaging.order_after_oneway && !running.response_expected) lane.enter(running.object_key);
}

}  // namespace tenon::orb
