// SPDX-License-Identifier: Apache-2.0
#include "protocol/propagated_deadline.hpp"

#include <algorithm>
#include <cstring>

#include "base/wall_clock.hpp"
#include "cdr/reader.hpp"

namespace tenon::protocol {

namespace {

constexpr std::int64_t ns_per_unit = 100;
/// From 15 October 1582 to 1 January 1970.
constexpr std::uint64_t unix_epoch = 122'192'928'000'000'000;
constexpr std::uint32_t most_policies = 64;

std::uint64_t utc_now() noexcept {
  return unix_epoch + static_cast<std::uint64_t>(wall_clock_now() / ns_per_unit);
}

}  // namespace

std::uint64_t utc_of(Deadline deadline) noexcept {
  return utc_now() + static_cast<std::uint64_t>(deadline.remaining_ns() / ns_per_unit);
}

Deadline deadline_at(std::uint64_t utc) noexcept {
  const std::uint64_t now = utc_now();
  if (utc <= now) return Deadline::at(1);
  constexpr std::uint64_t longest = INT64_MAX / ns_per_unit;
  return Deadline::after_ns(static_cast<std::int64_t>(std::min(utc - now, longest)) * ns_per_unit);
}

DeadlineContext encode_deadline(Deadline deadline) noexcept {
  // An encapsulation with one policy, whose value is an encapsulation with a TimeBase::UtcT.
  struct {
    std::uint32_t order, policies = 1, type = reply_end_time_policy, size = 24;
    std::uint64_t inner_order, time;
    std::uint32_t inaccuracy_low = 0;
    std::uint16_t inaccuracy_high = 0;
    std::int16_t difference_to_local_time = 0;
  } context{};
  const std::uint8_t order = native_order == ByteOrder::little ? 1 : 0;
  std::memcpy(&context.order, &order, 1);
  std::memcpy(&context.inner_order, &order, 1);
  context.time = utc_of(deadline);
  DeadlineContext octets;
  static_assert(sizeof context == sizeof octets);
  std::memcpy(octets.data(), &context, sizeof octets);
  return octets;
}

Deadline decode_deadline(ByteView data) noexcept {
  if (data.empty()) return Deadline::never();
  const auto open = [](ByteView bytes) {
    cdr::WireFormat format;
    format.order = bytes[0] == 0 ? ByteOrder::big : ByteOrder::little;
    cdr::Reader reader(bytes, format);
    (void)reader.get<std::uint8_t>();
    return reader;
  };
  cdr::Reader in = open(data);
  const std::uint32_t count = in.get<std::uint32_t>();
  for (std::uint32_t i = 0; i < std::min(count, most_policies) && in.good(); ++i) {
    const std::uint32_t type = in.get<std::uint32_t>();
    const ByteView value = in.get_octet_sequence();
    if (!in.good() || type != reply_end_time_policy || value.empty()) continue;
    cdr::Reader time = open(value);
    const std::uint64_t utc = time.get<std::uint64_t>();
    return time.good() ? deadline_at(utc) : Deadline::never();
  }
  return Deadline::never();
}

}  // namespace tenon::protocol
