// SPDX-License-Identifier: Apache-2.0
//
// Connections that a pool of threads shares over one edge-triggered poller. Each has a place that says whether a thread reads it. An event
// for a connection that is being read is noted there, and its reader finds it at the end: so no event is lost, and no system call is
// needed to arm the poller again.
//
//    token:  63        32 31         0        state of a place:  63        32 31   2 1 0
//            generation   index                                  generation         0 idle, 1 being read, 2 and more came,
//                                                                                3 being read, and the peer has hung up
//
// That the peer has hung up may be reported once only, together with bytes before the end: the connection is then never idle again.
// A token of a connection that is gone has another generation and claims nothing. claim() and release() take no lock.
#pragma once

#include "base/stable_array.hpp"
#include "base/thread_annotations.hpp"
#include "orb/server/lane.hpp"

namespace tenon::orb {

class PolledLanes {
 public:
  using Token = std::uint64_t;

  /// Makes so many places before they are wanted.
  void reserve(std::uint32_t count) TENON_EXCLUDES(mutex_);
  /// A place for the lane, idle. 0 when there are too many, or there is no memory for one more.
  Token add(Ref<Lane> lane) TENON_EXCLUDES(mutex_);
  /// Takes the right to read. Null: the connection is gone, or a thread reads it and will find the event.
  Lane* claim(Token token, bool hung_up) noexcept;
  /// Gives the right to read back. False: there may be more to read, and the caller still has it.
  bool release(Token token) noexcept;
  /// Called by the thread that has the right to read: the place is free for another connection.
  void remove(Token token) TENON_EXCLUDES(mutex_);

 private:
  static constexpr std::uint64_t idle = 0, reading = 1, signalled = 2, ending = 3;

  struct Place {
    std::atomic<std::uint64_t> state{0};
    Ref<Lane> lane;  // set while the place is taken
  };
  using Places = StableArray<Place, 6, 20, memory::Kind::connections>;

  static std::uint32_t index_of(Token token) noexcept { return static_cast<std::uint32_t>(token); }
  static std::uint64_t generation_of(std::uint64_t word) noexcept { return word >> 32; }

  Places places_;
  Mutex mutex_;
  Places::Pool memory_ TENON_GUARDED_BY(mutex_);
  std::vector<std::uint32_t> free_ TENON_GUARDED_BY(mutex_);
  std::uint32_t used_ TENON_GUARDED_BY(mutex_) = 0;
};

}  // namespace tenon::orb
