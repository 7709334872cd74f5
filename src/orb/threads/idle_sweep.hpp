// SPDX-License-Identifier: Apache-2.0
//
// Closes connections that have been idle for a while, where the options ask for it (-ORBClientIdle, -ORBServerIdle). The sweep asks the
// transport how long a connection has been idle, so calls pay nothing for it.
// Threads: the sweep runs on a worker of the attendant's, one at a time.
#pragma once

#include "orb/threads/attendant.hpp"

namespace tenon::orb {

class Orb;

class IdleSweep final : public Attendant::Timed {
 public:
  /// The ORB must live longer than the sweep and the attendant.
  IdleSweep(Orb& orb, Attendant& attendant) noexcept;
  /// Called once: it then sweeps until the attendant stops.
  void start();

 private:
  void expired() noexcept override;

  Orb& orb_;
  Attendant& attendant_;
  std::int64_t period_ms_;
};

}  // namespace tenon::orb
