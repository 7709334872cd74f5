// SPDX-License-Identifier: Apache-2.0
//
// What TCP does about a peer that has been silent for long: it sends probes, and ends the connection if no answer comes. Plain data.
#pragma once

#include <cstdint>

namespace tenon::net {

struct KeepAlive {
  bool on = true;
  std::uint32_t idle_ms =
      0;  ///< silence before the first probe, in whole seconds rounded up; 0: as the system has it
  std::uint32_t interval_ms = 0;  ///< between probes, likewise
  std::uint32_t probes = 0;       ///< without an answer before the connection ends; 0: as the system has it
};

}  // namespace tenon::net
