// SPDX-License-Identifier: Apache-2.0
//
// Has the connections of this process rest when no thread has read them for a while: the next call over such a connection first looks at
// what has come (protocol::Connection::rest()), and the attendant watches it. The sweep runs eight times a second while there are
// connections in use, and not at all while all of them rest.
// Threads: used() and in_time() from any, the sweep on the thread that tells the time.
#pragma once

#include <atomic>

#include "base/thread_annotations.hpp"
#include "orb/threads/attendant.hpp"

namespace tenon::orb {

class Orb;

class RestSweep final : public Attendant::Timed {
 public:
  /// The ORB must live longer.
  explicit RestSweep(Orb& orb) noexcept : orb_(orb) {}
  /// Never null: it is a part of its ORB.
  static void* operator new(std::size_t octets) {
    return memory::allocate_anyway(memory::Kind::requests, octets);
  }
  /// A connection is in use: there will be a sweep.
  void used() noexcept;
  /// Sweeps on this thread if a sweep is overdue: the thread that keeps time may be busy, or there is none.
  void in_time() noexcept;
  /// Called before the ORB is destroyed: waits for a sweep that is under way; there will be no other one.
  void stop() noexcept TENON_EXCLUDES(mutex_);

 private:
  void expired() noexcept override TENON_EXCLUDES(mutex_);
  void sweep(Attendant* attendant) noexcept;

  Orb& orb_;
  std::atomic<bool> due_{false};         // expired() will be called
  std::atomic<std::int64_t> due_at_{0};  // when that should be
  Mutex mutex_;                          // held by the sweep
  bool stopped_ TENON_GUARDED_BY(mutex_) = false;
};

}  // namespace tenon::orb
