// SPDX-License-Identifier: Apache-2.0
//
// The time of day. Not for waiting, which clock.hpp is for: this clock may be set. On systems whose time_t has 32 bits it goes on
// after January 2038, where the C library's functions fail. No state; safe from any thread.
#pragma once

#include <cstdint>
#include <ctime>

namespace tenon {

/// Nanoseconds since 1 January 1970, UTC.
std::int64_t wall_clock_now() noexcept;

/// The local time of day at so many seconds since 1970: hour, minute and second are set. For times up to the year 2100.
std::tm time_of_day(std::int64_t seconds) noexcept;

}  // namespace tenon
