// SPDX-License-Identifier: Apache-2.0
//
// Serves with a single thread: endpoints and connections are sources of the reactor, which serves one message at a time.
// Threads: serve() and the reactor's callbacks on the reactor's thread.
#pragma once

#include <forward_list>
#include <memory>

#include "orb/server/server.hpp"
#include "orb/threads/reactor.hpp"

namespace tenon::orb {

class SingleThreadServer final : public Server {
 public:
  SingleThreadServer(protocol::Dispatcher& orb, const Options& options, Reactor& reactor)
      : Server(orb, options), reactor_(reactor) {}
  ~SingleThreadServer() override;

  bool start() override;
  bool serve(Ref<protocol::Connection> connection, protocol::Role role) override;
  void close_connections_by(Deadline by) noexcept override;
  void join() noexcept override {}
  // No other thread could take over.
  Status hand_over(ServingThread&, protocol::IncomingCall&) override { return {}; }
  void resume() noexcept override {}

 private:
  friend class ProtocolChanges;
  struct WatchedPoint final : Reactor::Source {
    WatchedPoint(SingleThreadServer& whose, Point& where) : server(whose), point(where) {}
    void ready() override { server.accept(*this); }
    SingleThreadServer& server;
    Point& point;
  };
  struct WatchedLane final : Lane, Reactor::Source {
    WatchedLane(SingleThreadServer& whose, Ref<protocol::Connection> connection)
        : Lane(std::move(connection), whose.orders()), server(whose) {}
    void ready() override { server.serve_message(*this); }
    SingleThreadServer& server;
    bool paused = false;  ///< not watched, because a queue of it is full
  };

  struct Ended final : Reactor::Source {
    explicit Ended(SingleThreadServer& whose) : server(whose) {}
    void ready() override { server.forget_ended(); }
    SingleThreadServer& server;
  };

  bool can_accept(const protocol::Acceptor& acceptor, std::string& why) const override;
  void unwatch(Lane& lane) noexcept override;
  void queue_is_shorter(Lane& lane) override;
  void accept(WatchedPoint& where);
  // Inlined, since small programs use it once.
  [[gnu::always_inline]] void watch(Point& point) {
    WatchedPoint& where = watched_points_.emplace_front(*this, point);
    (void)reactor_.watch(point.acceptor->poll_descriptor().value_or(-1), where, net::Watch::level);
  }
  void serve_message(WatchedLane& lane);
  bool watch(WatchedLane& lane);
  void forget_ended() noexcept;

  Reactor& reactor_;
  Ended ended_{*this};
  std::forward_list<WatchedPoint> watched_points_;
};

}  // namespace tenon::orb
