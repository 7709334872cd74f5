// SPDX-License-Identifier: Apache-2.0
//
// What a run of the program used: calls and octets per operation, counted if TENON_USAGE or -ORBUsage names a file, for
// tenon-idl --stubs=auto (docs/stubs.md has the file's format). If it is off, it costs a call one branch.
//
// Counts what callers and servants marshal, not messages. Rows are bounded; what finds no room is counted as dropped.
// Safe from any thread: one lock, held while a row is found.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>

namespace tenon::gen {

enum class Side : std::uint8_t { client, server };

/// Reasons why upcalls or calls take another path than usual, as bits, so that one branch looks at all of them.
inline constexpr std::uint8_t upcalls_counted = 1;
inline constexpr std::uint8_t upcalls_observed = 2;     ///< some ORB has server interceptors
inline constexpr std::uint8_t calls_have_policies = 4;  ///< some ORB has policies for its calls
inline constexpr std::uint8_t calls_described = 8;      ///< some ORB shows operations to its interceptors
inline constinit std::atomic<std::uint8_t> upcalls_watched{0};
/// Calls are counted or described, or have policies of their ORB.
inline bool calls_are_unusual() noexcept {
  return (upcalls_watched.load(std::memory_order_relaxed) &
          (upcalls_counted | calls_have_policies | calls_described)) != 0;
}
/// Calls are counted or described.
inline bool calls_are_watched() noexcept {
  return (upcalls_watched.load(std::memory_order_relaxed) & (upcalls_counted | calls_described)) != 0;
}
inline bool usage_counted() noexcept {
  return (upcalls_watched.load(std::memory_order_relaxed) & upcalls_counted) != 0;
}

/// What counts, in programs that have it (count_usage()).
struct UsageCounting {
  /// `interface`: the repository id as far as it is known, or "".
  void (*count)(Side side, std::string_view interface, std::string_view operation, std::uint64_t calls,
                std::uint64_t octets) noexcept;
  /// write_usage(); the log says what failed.
  void (*write)();
};
/// Null: nothing is counted. Set before usage_counted() is true.
inline constinit std::atomic<const UsageCounting*> usage_counting{nullptr};
inline void count_use(Side side, std::string_view interface, std::string_view operation, std::uint64_t calls,
                      std::uint64_t octets) noexcept {
  if (const auto* const counting = usage_counting.load(std::memory_order_acquire))
    counting->count(side, interface, operation, calls, octets);
}

/// From now on uses are counted for that file. False: `why` names the file and what is wrong with it. What was counted is added to the
/// file by write_usage() and when the process exits.
bool count_usage(const std::string& file, std::string& why);
/// Adds what was counted since the last time. False: `why` says what failed.
bool write_usage(std::string& why);
/// count_usage() for the file that TENON_USAGE names, if it names one and nothing is counted yet. False: `why` says what is wrong.
bool count_usage_of_environment(std::string& why);

}  // namespace tenon::gen
