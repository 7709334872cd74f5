// SPDX-License-Identifier: Apache-2.0
//
// Calls that are counted, or whose values an observer wants to see: call() comes here once the process has either. Any thread.
#pragma once

#include <atomic>
#include <cstdint>

#include "mapping/cpp11/calls/call.hpp"
#include "protocol/messaging.hpp"

namespace tenon::gen {

/// Makes the call if it is to be counted, or described to the observer of its ORB. False: neither, or that has been done. Null until
/// watch_calls().
using WatchedCall = bool(CORBA::Object& self, const Operation& operation, Put put, Get get);
inline constinit std::atomic<WatchedCall*> watched_call{nullptr};

/// Makes the call if it has a CopyBelowPolicy. False: it has none, or that has been done. Null until link_copying_calls().
inline constinit std::atomic<WatchedCall*> copying_call{nullptr};

/// Sets the bit upcalls_counted or calls_described of upcalls_watched (usage.hpp).
void watch_calls(std::uint8_t reason) noexcept;

/// Puts the policies of a call on the object into `spec`, or its time-out where nothing in the process has set policies.
void apply_settings(const CORBA::Object& object, protocol::CallSpec& spec);

}  // namespace tenon::gen
