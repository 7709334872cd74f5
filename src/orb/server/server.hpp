// SPDX-License-Identifier: Apache-2.0
//
// The server side of an ORB: accepts connections and serves them. Each way of serving has a class: a thread for each connection
// (ThreadServer), a pool of threads (PoolServer), the reactor's thread (SingleThreadServer). What they share is here: endpoints, the
// connections and their limit, closing, and the order of requests behind oneways.
//
// A way of serving is a part of the ORB. What the ORB asks of its server is virtual, so that an ORB without one links none.
//
// Threads: everything from any thread unless said otherwise.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/function_ref.hpp"
#include "base/memory.hpp"
#include "base/thread_annotations.hpp"
#include "orb/options.hpp"
#include "orb/server/lane.hpp"

namespace tenon::orb {

class Orb;
struct ServingThread;

class Server : public protocol::Dispatcher {
 public:
  ~Server() override;
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  /// One place that this process listens on.
  struct Point {
    protocol::TransportPlugin* transport;
    protocol::Messaging* messaging;
    std::unique_ptr<protocol::Acceptor> acceptor;
    std::vector<std::string> published;
    std::shared_ptr<protocol::Bidirectional>
        bidirectional;         ///< of its connections; null: requests only come in
    std::atomic<Point*> next;  ///< of a point that was taken out: what it was
  };
  /// In the order in which they were opened. A point may be added or taken out while others read the list, which take no lock: one that is
  /// taken out has to stay as long as any of them may read.
  class Points {
   public:
    class Iterator {
     public:
      using value_type = Point;
      using difference_type = std::ptrdiff_t;
      Iterator() noexcept = default;
      [[gnu::always_inline]] explicit Iterator(Point* at) noexcept : at_(at) {}
      [[gnu::always_inline]] Point& operator*() const noexcept { return *at_; }
      [[gnu::always_inline]] Iterator& operator++() noexcept {
        at_ = at_->next.load(std::memory_order_acquire);
        return *this;
      }
      Iterator operator++(int) noexcept {
        const Iterator before = *this;
        ++*this;
        return before;
      }
      [[gnu::always_inline]] bool operator==(const Iterator& other) const noexcept {
        return at_ == other.at_;
      }

     private:
      Point* at_ = nullptr;
    };

    Points() noexcept = default;
    Points(const Points&) = delete;
    Points& operator=(const Points&) = delete;
    // All of them are inlined: as calls they are more code than what they do.
    [[gnu::always_inline]] ~Points() {
      for (Point* point = first_.load(std::memory_order_relaxed); point != nullptr;)
        delete std::exchange(point, point->next.load(std::memory_order_relaxed));
    }

    [[gnu::always_inline]] Iterator begin() const noexcept {
      return Iterator(first_.load(std::memory_order_acquire));
    }
    [[gnu::always_inline]] static Iterator end() noexcept { return Iterator(nullptr); }
    [[gnu::always_inline]] std::size_t size() const noexcept {
      std::size_t count = 0;
      for (Iterator at = begin(); at != end(); ++at) ++count;
      return count;
    }
    /// One thread at a time adds and takes out.
    [[gnu::always_inline]] Point& add(Point* point) noexcept {
      std::atomic<Point*>* last = &first_;
      while (Point* const each = last->load(std::memory_order_relaxed)) last = &each->next;
      last->store(point, std::memory_order_release);
      return *point;
    }
    /// One of them.
    std::unique_ptr<Point> take_out(Point& point) noexcept;

   private:
    std::atomic<Point*> first_{nullptr};
  };
  /// Opens an endpoint. False: `why` says what is wrong with it.
  bool open(protocol::TransportPlugin& transport, protocol::Messaging& messaging, std::string_view endpoint,
            std::string& why, std::shared_ptr<protocol::Bidirectional> bidirectional = nullptr);
  /// Starts to accept on all endpoints. Once, after the last open(). False: no thread could be made for it.
  virtual bool start() = 0;
  /// After start() only ProtocolChanges changes them.
  const Points& points() const noexcept { return points_; }

  /// Whether a profile leads to one of the points.
  virtual bool publishes(const protocol::TransportPlugin& transport,
                         const protocol::ProfileView& profile) const noexcept;

  /// Serves a connection that this process has accepted or, bidirectional, opened. False: no thread or memory is left for it, or the ORB
  /// ends.
  virtual bool serve(Ref<protocol::Connection> connection, protocol::Role role) = 0;

  /// Called by a thread of this server that is about to wait inside an upcall: another one does its work until resume(). TRANSIENT: none
  /// is left. `outermost`: the call whose connection the thread serves.
  virtual Status hand_over(ServingThread& thread, protocol::IncomingCall& outermost) = 0;
  virtual void resume() noexcept = 0;

  /// Closes connections without traffic for so long.
  virtual void close_idle(std::int64_t ms) noexcept TENON_EXCLUDES(mutex_);

  virtual void stop_accepting() noexcept;
  /// What is said to the peers waits until `by` at most, in all.
  virtual void close_connections_by(Deadline by) noexcept TENON_EXCLUDES(mutex_);
  void abort_connections() noexcept TENON_EXCLUDES(mutex_);
  /// Waits for the threads that serve, whose connections have been closed. Not on one of them.
  virtual void join() noexcept = 0;
  /// After join(); with a reactor, when that closes: gives all descriptors back.
  virtual void close_descriptors() noexcept TENON_EXCLUDES(mutex_);
  std::size_t connections() const TENON_EXCLUDES(mutex_);

  /// What enable_handshakes() sets (handshakes.hpp): puts another connection in front of one that was accepted, if it begins with a
  /// handshake.
  using PutInFront = void(protocol::TransportPlugin& transport, const Options& options,
                          Ref<protocol::Connection>& connection);
  static constinit std::atomic<PutInFront*> handshakes;

  // protocol::Dispatcher, between a connection and the ORB: keeps requests behind earlier oneways to the same object.
  void dispatch(protocol::IncomingCall& call) override;
  void one_was_cancelled() override;
  std::string_view explanation(const Error& why) const noexcept override { return orb_.explanation(why); }
  protocol::LocateStatus locate(ByteView object_key, ior::Ior& forward) override {
    return orb_.locate(object_key, forward);
  }

 protected:
  Server(protocol::Dispatcher& orb, const Options& options) : orb_(orb), options_(options) {}

  /// Of a connection that has been accepted; null: there was no memory for it.
  void welcome(Point& point, std::unique_ptr<protocol::Transport> transport);
  /// Takes note of a connection that is going to be served; null: there is no memory for one. False: it cannot be served, for that reason or
  /// since the ORB ends.
  bool add(const Ref<Lane>& lane) TENON_EXCLUDES(mutex_);
  /// Does something with each lane that there is now, the newest first, with no lock held and without memory for a list of them.
  void each_lane(FunctionRef<void(Lane&)> what) const TENON_EXCLUDES(mutex_);
  /// From now on no lanes can be added.
  void last_lanes() noexcept TENON_EXCLUDES(mutex_);
  /// Called by the thread that has the right to read it: ends the connection, which will not be served any more.
  void forget(Lane& lane) noexcept TENON_EXCLUDES(mutex_);
  /// A oneway has returned: runs the requests that have been queued behind it.
  void run_queued(Lane& lane, ByteView key);

  Points& listening_points() noexcept { return points_; }
  bool orders() const noexcept { return options_.messaging.order_after_oneway; }

  protocol::Dispatcher& orb_;
  const Options& options_;

 private:
  friend class ProtocolChanges;
  /// Whether this way of serving can accept there. False: `why` says why not.
  virtual bool can_accept(const protocol::Acceptor& acceptor, std::string& why) const;
  /// The lane is about to be forgotten.
  virtual void unwatch(Lane&) noexcept {}
  /// A request has been taken out of one of the lane's queues.
  virtual void queue_is_shorter(Lane&) {}
  /// No connections will be added any more, and those that are there are about to end.
  virtual void wind_down() noexcept {}

  void dispatch_in_order(protocol::IncomingCall& call);
  bool make_room() noexcept;
  static void no_memory_for_connection() noexcept;
  static void refuse(const Ref<protocol::Connection>& connection);
  /// Makes room for one lane more. False: there is no memory for it.
  bool grow() noexcept TENON_REQUIRES(mutex_);

  Points points_;
  mutable Mutex mutex_;
  bool stopping_ TENON_GUARDED_BY(mutex_) = false;  // no new connections
  // Each knows its place, and there is a reference to each.
  Lane** lanes_ TENON_GUARDED_BY(mutex_) = nullptr;
  std::size_t lanes_there_ TENON_GUARDED_BY(mutex_) = 0;
  std::size_t lanes_most_ TENON_GUARDED_BY(mutex_) = 0;  // for so many there is room
};

/// The ways of serving, as parts of an ORB.
std::unique_ptr<Server> make_thread_server(Orb& orb);
std::unique_ptr<Server> make_pool_server(Orb& orb);
std::unique_ptr<Server> make_single_thread_server(Orb& orb);

}  // namespace tenon::orb
