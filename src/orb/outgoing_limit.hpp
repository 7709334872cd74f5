// SPDX-License-Identifier: Apache-2.0
//
// How many connections this process may have opened at a time, over all addresses. A place belongs to a connection for as long as that
// has its descriptor. Who finds none left may have an idle connection closed, to whatever address.
//
// Threads: everything from any thread; no locks of its own.
#pragma once

#include <atomic>
#include <limits>
#include <memory>

namespace tenon::orb {

class OutgoingLimit {
 public:
  /// `most`: 0 for any number.
  explicit OutgoingLimit(unsigned most)
      : most_(most != 0 ? most : std::numeric_limits<unsigned>::max()),
        taken_(std::make_shared<std::atomic<unsigned>>(0)) {}
  virtual ~OutgoingLimit() = default;
  OutgoingLimit(const OutgoingLimit&) = delete;
  OutgoingLimit& operator=(const OutgoingLimit&) = delete;

  /// A place, which is free again when nobody holds this any more; it may outlive the limit. Null: all are taken.
  std::shared_ptr<void> take();
  /// Closes the connection that has been idle for longest, and lets go of those that have ended. False: there was none. With no lock
  /// of an endpoint held.
  virtual bool make_room() noexcept = 0;
  /// Lets go of connections that their peers have ended, though nobody has seen that yet. False: there was none. As make_room().
  virtual bool reap() noexcept { return false; }

 private:
  const unsigned most_;
  const std::shared_ptr<std::atomic<unsigned>> taken_;
};

}  // namespace tenon::orb
