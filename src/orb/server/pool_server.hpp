// SPDX-License-Identifier: Apache-2.0
//
// Serves with a pool of threads over one edge-triggered poller: a thread takes a connection that has input, reads one request, lets other
// threads read the connection, and makes the upcall. While requests come over a connection one right after the other, a thread may stay
// with it (stays.hpp). A connection without a descriptor has a thread of its own.
//
// A thread that waits for a reply inside an upcall is replaced by another one, with the limits of ThreadServer.
#pragma once

#include <atomic>

#include "net/poller.hpp"
#include "net/spin.hpp"
#include "orb/server/polled_lanes.hpp"
#include "orb/server/stays.hpp"
#include "orb/server/thread_server.hpp"

namespace tenon::orb {

class PoolServer final : public ThreadServer {
 public:
  PoolServer(protocol::Dispatcher& orb, const Options& options);
  ~PoolServer() override;

  bool serve(Ref<protocol::Connection> connection, protocol::Role role) override TENON_EXCLUDES(mutex_);
  void close_connections_by(Deadline by) noexcept override TENON_EXCLUDES(mutex_);
  void join() noexcept override TENON_EXCLUDES(mutex_);
  void close_descriptors() noexcept override TENON_EXCLUDES(mutex_);
  void dispatch(protocol::IncomingCall& call) override;

  /// Watches the lane, which is polled, in another way; by the thread that has the right to read it. Inline, so that what calls it links no
  /// pool.
  void watch_otherwise(const Lane& lane, net::Watch how) noexcept {
    (void)poller_.change(descriptor_of(lane), lane.token, how);
  }

 private:
  static bool polled(const Lane& lane) noexcept { return lane.token != 0; }
  /// Only a lane whose transport has a descriptor is polled.
  static int descriptor_of(const Lane& lane) noexcept { return lane.descriptor().value_or(-1); }
  bool replace(ServingThread& thread, protocol::IncomingCall& outermost) override;
  void wind_down() noexcept override TENON_EXCLUDES(mutex_);
  void unwatch(Lane& lane) noexcept override TENON_EXCLUDES(mutex_);
  void queue_is_shorter(Lane& lane) override;

  void pool_thread();
  bool too_many_threads() noexcept;
  void spin(net::Spin& spin) noexcept;
  Ref<Lane> next_ready() TENON_EXCLUDES(mutex_);
  Ref<Lane> poll(bool& looks);
  void stop_looking(bool& looks) noexcept;
  void serve_lane(Lane& lane);
  bool queue_behind(ServingThread& me, protocol::IncomingCall& call);
  void let_others_read(Lane& lane);
  void offer(Lane& lane) TENON_EXCLUDES(mutex_);
  bool give_up(Lane& lane) TENON_EXCLUDES(mutex_);
  // threads that stay
  static unsigned most_stays(const Options& options) noexcept;
  void allow_stays(Lane& lane) const;
  bool keep_reading(ServingThread& me);
  bool begin_stay(ServingThread& me);
  void return_to_stay(ServingThread& me) noexcept;
  void end_stay(ServingThread& me) noexcept;
  void leave_stay(ServingThread& me);
  void resume_polling(const Lane& lane) noexcept;

  std::atomic<bool> ended_{false};     // no requests are read any more
  std::atomic<unsigned> alive_{0};     // threads of the pool
  std::atomic<unsigned> polling_{0};   // of them, those that wait for input
  std::atomic<unsigned> looking_{0};   // of them, those that wake in time for stays_.look()
  std::atomic<bool> spinning_{false};  // one of them looks for input again and again
  net::Poller poller_;                 // other threads than the pool's use it with mutex_, since it closes
  PolledLanes polled_;
  Stays stays_;
  Mutex mutex_;
  // Claimed connections that have more input, for any thread.
  Ref<Lane> ready_ TENON_GUARDED_BY(mutex_);  // the first; each holds the next
  Lane* last_ready_ TENON_GUARDED_BY(mutex_) = nullptr;
  std::atomic<std::size_t> ready_count_{0};
};

}  // namespace tenon::orb
