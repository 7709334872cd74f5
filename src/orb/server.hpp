// SPDX-License-Identifier: Apache-2.0
//
// The server side of an ORB: accepts connections and serves them, by a thread for each, by a pool over one poller (server_pool.cpp), or by
// the reactor of a single thread (server_reactive.cpp).
//
// A thread that waits for a reply inside an upcall is replaced: in the pool by another pool thread, with a thread per connection by
// one that reads the connection on. Both up to Options::pool_threads_most; beyond it the waiting call gets TRANSIENT.
#pragma once

#include <atomic>
#include <deque>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "net/poller.hpp"
#include "orb/lane.hpp"
#include "orb/options.hpp"
#include "orb/polled_lanes.hpp"
#include "orb/serving.hpp"
#include "orb/stays.hpp"
#include "orb/workers.hpp"

namespace tenon::orb {

struct LaneOrder {
  bool operator()(const Ref<Lane>& a, const Ref<Lane>& b) const noexcept { return a.get() < b.get(); }
};

class Server final : public protocol::Dispatcher {
 public:
  /// `reactor`: who serves; null: threads of the server's own.
  Server(protocol::Dispatcher& orb, const Options& options, Reactor* reactor);
  ~Server() override;

  /// One place that this process listens on.
  struct Point {
    protocol::TransportPlugin* transport;
    protocol::Messaging* messaging;
    std::unique_ptr<protocol::Acceptor> acceptor;
    std::vector<std::string> published;
    std::shared_ptr<protocol::BothWays> both_ways;  ///< of its connections; null: requests only come in
  };
  /// Opens an endpoint. False: `why` says what is wrong with it.
  bool open(protocol::TransportPlugin& transport, protocol::Messaging& messaging, std::string_view endpoint,
            std::string& why, std::shared_ptr<protocol::BothWays> both_ways = nullptr);
  /// Starts to accept on all endpoints. Once, after the last open().
  void start();
  const std::vector<Point>& points() const noexcept {
    return points_;
  }  ///< does not change after the last open()

  /// Whether a profile leads to one of the points.
  bool publishes(const protocol::TransportPlugin& transport,
                 const protocol::ProfileView& profile) const noexcept;

  /// Serves a connection that this process has opened. False: no thread is left for it, or the ORB ends.
  bool adopt(Ref<protocol::Connection> connection) {
    return admit(make_ref<Lane>(*this, std::move(connection)));
  }

  /// Closes connections without traffic for so long.
  void close_idle(std::int64_t ms) noexcept;

  void stop_accepting() noexcept;
  void close_connections_by(
      Deadline by) noexcept;  ///< all that is said to the peers waits until then at most
  void abort_connections() noexcept;
  /// Waits for the threads that serve, whose connections have been closed. Not on one of them.
  void join() noexcept;
  /// After join(); with a reactor, when that closes: gives all descriptors back, of endpoints, connections and what waits for them.
  void close_descriptors() noexcept;
  std::size_t connections() const;

  // protocol::Dispatcher, between a connection and the ORB: keeps oneways in order and lets others read.
  void dispatch(protocol::IncomingCall& call) override;
  protocol::LocateStatus locate(ByteView object_key, ior::Ior& forward) override {
    return orb_.locate(object_key, forward);
  }

  // for WaitingInUpcall
  Status hand_over(ServingThread& thread, protocol::IncomingCall& outermost);
  void resume() noexcept { waiting_.fetch_sub(1, std::memory_order_relaxed); }

  // for the reactor
  void react(Lane& lane);
  /// Before others may read the lane of a request that is running.
  void keep_order(Lane& lane, const protocol::IncomingCall& running);

 private:
  void accept(Point& point);
  void welcome(Point& point, std::unique_ptr<protocol::Transport> transport);
  bool admit(Ref<Lane> lane);
  bool admit_polled(Ref<Lane> lane, int descriptor);
  bool watch(Lane& lane);
  void go_on_reading(Lane& lane);
  bool make_room() noexcept;
  void refuse(Ref<protocol::Connection> connection);
  std::vector<Ref<Lane>> lanes() const;
  std::vector<Ref<Lane>> last_lanes() noexcept;
  void serve_lane(Ref<Lane> lane);
  // the pool (server_pool.cpp)
  void pool_thread();
  void spin(net::Spin& spin) noexcept;
  Ref<Lane> next_ready();
  Ref<Lane> poll(bool& looks);
  void stop_looking(bool& looks) noexcept;
  void pool_serve(Lane& lane);
  bool queue_in_pool(ServingThread& me, protocol::IncomingCall& call);
  void let_others_read(Lane& lane);
  void offer(Lane& lane);
  static unsigned most_stays(const Options& options) noexcept;
  void allow_stays(Lane& lane) const;
  bool keep_reading(ServingThread& me);
  bool begin_stay(ServingThread& me);
  void return_to_stay(ServingThread& me) noexcept;
  void end_stay(ServingThread& me) noexcept;
  void leave_stay(ServingThread& me);
  void resume_polling(const Lane& lane) noexcept;
  void dispatch_in_order(protocol::IncomingCall& call);
  bool too_many_pool_threads() noexcept;
  void run_queued(Lane& lane, ByteView key);
  void forget(Lane& lane) noexcept;
  static bool polled(const Lane& lane) noexcept { return lane.token != 0; }

  /// An endpoint that the reactor watches.
  struct Door final : Reactor::Source {
    Door(Server& whose, Point& where) : server(whose), point(where) {}
    void ready() override;
    Server& server;
    Point& point;
  };

  protocol::Dispatcher& orb_;
  const Options& options_;
  Reactor* const reactor_;
  std::vector<Point> points_;
  std::vector<std::unique_ptr<Door>> doors_;
  std::vector<std::thread> acceptors_;
  std::atomic<bool> stopping_{false};  // no new connections
  std::atomic<bool> ended_{false};     // no new requests either
  mutable std::mutex mutex_;           // guards lanes_ and ready_
  std::set<Ref<Lane>, LaneOrder> lanes_;
  std::deque<Ref<Lane>> ready_;  // pool: claimed connections that have more input, for any thread
  std::atomic<std::size_t> ready_count_{0};
  std::unique_ptr<net::Poller> poller_;
  PolledLanes polled_;
  std::atomic<unsigned> pool_alive_{0};  // pool threads
  std::atomic<unsigned> polling_{0};     // of them, those that wait for input
  std::atomic<unsigned> looking_{0};     // of them, those that wake in time for stays_.look()
  std::atomic<bool> spinning_{false};    // one of them looks for it again and again
  Stays stays_;
  std::atomic<unsigned> waiting_{0};  // threads that wait for a reply inside an upcall
  Workers workers_;
};

}  // namespace tenon::orb
