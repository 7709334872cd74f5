// SPDX-License-Identifier: Apache-2.0
//
// Marks connections of this process that nobody has read for a while, so that whoever sends next looks first at what has come
// (protocol::Connection::rest()), and has them watched for that. It comes by eight times a second as long as there are connections in use,
// and not at all while all of them rest.
// Threads: used() and in_time() from any, the sweep on the thread that tells the time.
#pragma once

#include <atomic>
#include <mutex>

#include "orb/attendant.hpp"

namespace tenon::orb {

class Orb;

class RestSweep final : public Attendant::Timed {
 public:
  /// Does not outlive the ORB.
  explicit RestSweep(Orb& orb) noexcept : orb_(orb) {}
  /// A connection is in use: there will be a sweep.
  void used() noexcept;
  /// Where the thread that tells the time may be busy with something else, or away: a sweep here, if one is overdue.
  void in_time() noexcept;
  /// Before the ORB goes: no sweep is under way any more, nor will there be one.
  void stop() noexcept;

 private:
  void expired() noexcept override;
  void sweep(Attendant* attendant) noexcept;

  Orb& orb_;
  std::atomic<bool> due_{false};         // expired() will be called
  std::atomic<std::int64_t> due_at_{0};  // when that should be
  std::mutex mutex_;                     // held by the sweep; guards what follows
  bool stopped_ = false;
};

}  // namespace tenon::orb
