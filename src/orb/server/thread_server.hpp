// SPDX-License-Identifier: Apache-2.0
//
// Serves with a thread for each connection, and one for each endpoint that accepts.
//
// A thread that waits for a reply inside an upcall is replaced by one that reads the connection meanwhile, up to
// Options::pool_threads_most of them; beyond it the waiting call gets TRANSIENT.
#pragma once

#include <atomic>
#include <forward_list>
#include <vector>

#include "orb/server/server.hpp"
#include "orb/server/serving.hpp"
#include "orb/threads/thread.hpp"
#include "orb/threads/workers.hpp"

namespace tenon::orb {

class ThreadServer : public Server {
 public:
  ThreadServer(protocol::Dispatcher& orb, const Options& options);
  ~ThreadServer() override;

  bool start() override;
  bool serve(Ref<protocol::Connection> connection, protocol::Role role) override;
  void stop_accepting() noexcept override;
  void join() noexcept override;

  Status hand_over(ServingThread& thread, protocol::IncomingCall& outermost) override;
  void resume() noexcept override { waiting_.fetch_sub(1, std::memory_order_relaxed); }

 protected:
  /// A worker for the pool, or for a connection. False: none is left.
  bool run(std::function<void()> task) { return workers_.run(std::move(task)); }
  void wind_down() noexcept override { workers_.wind_down(); }
  /// How many threads wait for a reply inside an upcall.
  unsigned waiting() const noexcept { return waiting_.load(std::memory_order_relaxed); }
  /// Before a thread waits inside an upcall: has another one do its work. False: none is left.
  virtual bool replace(ServingThread& thread, protocol::IncomingCall& outermost);

 private:
  friend class ProtocolChanges;
  void accept(Point& point);
  /// False: no thread could be made for it.
  bool start_accepting(Point& point);
  void serve_lane(Ref<Lane> lane);

  struct Accepting {
    ThreadServer* server;
    Point* point;
    Thread thread;
  };
  static void end(Accepting& accepting) noexcept;
  std::forward_list<Accepting> acceptors_;  // one for each point; empty: none accepts
  std::atomic<unsigned> waiting_{0};
  Workers workers_;
};

}  // namespace tenon::orb
