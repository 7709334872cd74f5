// SPDX-License-Identifier: Apache-2.0
//
// The deadline of a call as it travels with its request: a ReplyEndTimePolicy in the service context INVOCATION_POLICIES (CORBA 3.4
// part 1 §17.2). It is a point in time of the wall clock, so it means what it says only as far as the two clocks agree. No state.
#pragma once

#include <array>
#include <cstdint>

#include "base/bytes.hpp"
#include "base/clock.hpp"
#include "protocol/messaging.hpp"

namespace tenon::protocol {

inline constexpr std::uint32_t invocation_policies_context = 7;
inline constexpr std::uint32_t reply_end_time_policy = 30;

/// A placeholder in a CallSpec: the code that sends the request replaces it by the spec's reply_by, since only that code knows how long
/// the bytes must live.
inline constexpr ServiceContext deadline_to_propagate{invocation_policies_context, {}};
inline bool is_deadline_to_propagate(const ServiceContext& context) noexcept {
  return context.id == invocation_policies_context && context.data.empty();
}

/// Converts to and from a time of the wall clock in units of 100 ns since 15 October 1582 (TimeBase::TimeT). A time in the past becomes
/// a deadline that has expired.
std::uint64_t utc_of(Deadline deadline) noexcept;
Deadline deadline_at(std::uint64_t utc) noexcept;

/// The data of the context.
using DeadlineContext = std::array<std::uint8_t, 40>;
DeadlineContext encode_deadline(Deadline deadline) noexcept;
/// Deadline::never() if the context has no ReplyEndTimePolicy, or is malformed.
Deadline decode_deadline(ByteView data) noexcept;

}  // namespace tenon::protocol
