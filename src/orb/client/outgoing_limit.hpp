// SPDX-License-Identifier: Apache-2.0
//
// How many connections this process may have opened at a time, over all addresses. A place belongs to a connection for as long as that
// has its descriptor. A call that finds none left may have an idle connection closed, whatever its address; this is a part of the ORB, and
// without it the call waits for a while and fails.
//
// Threads: everything from any thread.
#pragma once

#include <atomic>
#include <limits>
#include <memory>

#include "base/thread_annotations.hpp"

namespace tenon::orb {

class Orb;

class OutgoingLimit {
 public:
  /// `most`: 0 for any number.
  explicit OutgoingLimit(unsigned most)
      : most_(most != 0 ? most : std::numeric_limits<unsigned>::max()),
        taken_(std::make_shared<std::atomic<unsigned>>(0)) {}
  virtual ~OutgoingLimit() = default;
  OutgoingLimit(const OutgoingLimit&) = delete;
  OutgoingLimit& operator=(const OutgoingLimit&) = delete;

  /// A place, which is free again when the last copy of this pointer goes; it may outlive the limit. Null: all are taken.
  std::shared_ptr<void> take();
  /// Closes the connection that has been idle for longest, and lets go of those that have ended. False: there was none. Called with no
  /// lock of an endpoint held.
  virtual bool make_room() noexcept { return false; }
  /// Lets go of connections that their peers have ended, also where no thread has seen the end yet. False: there was none. Called as
  /// make_room() is.
  virtual bool reap() noexcept { return false; }

  /// How often give_back() has given back something.
  unsigned times_given_back() const noexcept { return times_given_back_.load(std::memory_order_acquire); }
  /// No descriptor was left for a connection: gives back those of connections that have ended, else closes an idle one. `tried_at`:
  /// times_given_back() before the attempt. True: another attempt is worth while, also because another thread has given back some
  /// meanwhile. Called with no lock of an endpoint held.
  bool give_back(unsigned tried_at) noexcept;

 private:
  /// Held while descriptors are given back, so that a call that then finds none left has waited for the thread that did it.
  Mutex giving_back_;
  std::atomic<unsigned> times_given_back_{0};
  const unsigned most_;
  const std::shared_ptr<std::atomic<unsigned>> taken_;
};

/// One that makes room, as a part of an ORB.
std::unique_ptr<OutgoingLimit> make_outgoing_limit(Orb& orb);

}  // namespace tenon::orb
