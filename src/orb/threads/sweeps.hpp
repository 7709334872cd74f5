// SPDX-License-Identifier: Apache-2.0
//
// What an ORB does from time to time about connections that are not in use: those that no thread reads rest (rest_sweep.hpp), so that it
// is noticed when their peers end them, and idle ones are closed if the options say so (idle_sweep.hpp). A part of the ORB: where there
// is none, connections stay as they are until they are used again.
//
// Threads: everything from any thread.
#pragma once

#include <memory>

namespace tenon::orb {

class Orb;

class Sweeps {
 public:
  Sweeps() = default;
  Sweeps(const Sweeps&) = delete;
  Sweeps& operator=(const Sweeps&) = delete;
  virtual ~Sweeps() = default;

  /// A connection is in use: there will be a sweep.
  virtual void used() noexcept = 0;
  /// Sweeps on this thread if a sweep is overdue: the thread that keeps time may be busy, or there is none.
  virtual void in_time() noexcept = 0;
  /// From the first call on, idle connections are closed. Not with a lock of the ORB held.
  virtual void close_idle() = 0;
  /// Called before the ORB is destroyed: waits for a sweep that is under way; there will be no other one.
  virtual void stop() noexcept = 0;
};

std::unique_ptr<Sweeps> make_sweeps(Orb& orb);

}  // namespace tenon::orb
