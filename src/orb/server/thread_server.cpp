// SPDX-License-Identifier: Apache-2.0
#include "orb/server/thread_server.hpp"

#include <utility>

#include "base/memory.hpp"
#include "base/minor_codes.hpp"
#include "orb/orb.hpp"

namespace tenon::orb {

namespace {

/// One thread for each connection (in a pool: for each one without a descriptor), and replacements for threads that wait.
unsigned most_threads(const Options& options) {
  if (memory::is_known()) return options.connections_most + options.pool_threads;
  return options.connections_most + options.pool_threads + options.pool_threads_most;
}

}  // namespace

ThreadServer::ThreadServer(protocol::Dispatcher& orb, const Options& options)
    : Server(orb, options), workers_(most_threads(options)) {}

ThreadServer::~ThreadServer() {
  ThreadServer::stop_accepting();
  abort_connections();
  ThreadServer::join();
}

bool ThreadServer::start() {
  // Where memory is known, a thread is not made when it is wanted: that would take memory of the system's.
  if (memory::is_known()) workers_.start(most_threads(options_));
  for (Point& point : listening_points()) {
    if (!start_accepting(point)) return false;
  }
  return true;
}

bool ThreadServer::start_accepting(Point& point) {
  Accepting& one = acceptors_.emplace_front();
  one.server = this;
  one.point = &point;
  const auto run = [](void* accepting) -> void* {
    const auto& task = *static_cast<const Accepting*>(accepting);
    task.server->accept(*task.point);
    return nullptr;
  };
  return one.thread.start(run, &one);
}

void ThreadServer::accept(Point& point) {
  while (auto transport = point.acceptor->accept()) welcome(point, std::move(*transport));
}

bool ThreadServer::serve(Ref<protocol::Connection> connection, protocol::Role /*role*/) {
  const auto lane = make_ref<Lane>(std::move(connection), orders());
  if (!add(lane)) return false;
  // As a plain pointer, which a std::function keeps without memory of its own; the task takes the reference over.
  Lane* const held = Ref<Lane>(lane).detach();
  if (run([this, held] { serve_lane(Ref<Lane>::adopt(held)); })) return true;
  held->remove_ref();
  forget(*lane);
  return false;
}

/// Serves this connection on a thread of its own, until it closes or another thread reads it.
void ThreadServer::serve_lane(Ref<Lane> lane) {
  ServingThread& me = ServingThread::current();
  me = {.server = this, .lane = lane.get(), .handed_over = false};
  while (true) {
    const protocol::Served served = lane->connection().serve(*this);
    if (served == protocol::Served::closed) {
      if (!me.handed_over) forget(*lane);
      break;
    }
    if (served == protocol::Served::detached && me.handed_over) break;
  }
  me = {};
}

Status ThreadServer::hand_over(ServingThread& thread, protocol::IncomingCall& outermost) {
  if (waiting_.fetch_add(1, std::memory_order_relaxed) < options_.pool_threads_most &&
      replace(thread, outermost))
    return {};
  waiting_.fetch_sub(1, std::memory_order_relaxed);
  return errors::no_thread_left;
}

bool ThreadServer::replace(ServingThread& thread, protocol::IncomingCall& outermost) {
  if (thread.handed_over) return true;
  Lane& lane = *thread.lane;
  if (!lane.keep_order(outermost)) return false;
  outermost.detach();
  thread.handed_over = true;
  if (run([this, held = Ref<Lane>(&lane)] { serve_lane(held); })) return true;
  thread.handed_over = false;
  if (lane.orders_after(outermost)) run_queued(lane, outermost.object_key);
  return false;
}

void ThreadServer::stop_accepting() noexcept {
  Server::stop_accepting();
  for (Accepting& each : acceptors_) end(each);
}

/// The acceptor has been shut down.
void ThreadServer::end(Accepting& accepting) noexcept {
  accepting.thread.join();
  // The program may keep the ORB for long, and need not keep these descriptors.
  accepting.point->acceptor->close();
}

void ThreadServer::join() noexcept { workers_.stop(); }

std::unique_ptr<Server> make_thread_server(Orb& orb) {
  return std::make_unique<ThreadServer>(orb, orb.options());
}

}  // namespace tenon::orb
