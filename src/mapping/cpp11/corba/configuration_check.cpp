// SPDX-License-Identifier: Apache-2.0
#include "mapping/cpp11/corba/configuration_check.hpp"

#include <cinttypes>
#include <cstdio>
#include <iterator>

namespace tenon::gen {

namespace {

/// The members, and beside them what they are in an ORB's settings: two lists in one order, since this is linked by every program.
constexpr Bounds checked[] = {
    bounds::pool_threads,
    bounds::pool_threads_most,
    bounds::completion_threads,
    bounds::connections_most,
    bounds::connections_per_endpoint,
    bounds::client_connections_most,
    bounds::forwards_most,
    bounds::spin_us,
    bounds::probes,
    bounds::send_buffer,
    bounds::receive_buffer,
    bounds::largest_message,
    // Those that text cannot get wrong.
    {"serving", 0, static_cast<std::uint32_t>(orb::Serving::single_thread)},
    {"exception_detail", 0, static_cast<std::uint32_t>(orb::ExceptionDetail::full)},
    {"messaging.highest_minor", 0, 2},
    {"messaging.native.chars", 1, UINT32_MAX},
    {"messaging.unstated_chars", 1, UINT32_MAX},
};

/// Wide text has one of two code sets; `none` where it may be refused.
bool is_wide(cdr::CodeSet set, bool or_none) noexcept {
  return set == cdr::CodeSet::utf16 || set == cdr::CodeSet::ucs2 || (or_none && set == cdr::CodeSet::none);
}

}  // namespace

std::string wrong_setting(const orb::Options& o) {
  const auto& transports = o.transports;
  const auto& messaging = o.messaging;
  const std::int64_t values[] = {
      o.pool_threads,
      o.pool_threads_most,
      o.completion_threads,
      o.connections_most,
      o.connections_per_endpoint,
      o.client_connections_most,
      o.forwards_most,
      transports.spin_us.value_or(0),
      transports.keep_alive.probes,
      transports.socket_buffers.send,
      transports.socket_buffers.receive,
      messaging.limits.largest_message,
      static_cast<std::int64_t>(o.serving),
      static_cast<std::int64_t>(o.exception_detail),
      messaging.highest_minor,
      static_cast<std::int64_t>(messaging.native.chars),
      static_cast<std::int64_t>(messaging.unstated_chars),
  };
  static_assert(std::size(values) == std::size(checked));
  char text[160];
  for (std::size_t i = 0; i < std::size(values); ++i) {
    const Bounds& bounds = checked[i];
    if (values[i] >= bounds.least && values[i] <= bounds.most) continue;
    std::snprintf(text, sizeof text, "Configuration::%s is %" PRId64 "; it may be %" PRIu32 " to %" PRIu32,
                  bounds.member, values[i], bounds.least, bounds.most);
    return text;
  }
  if (messaging.buffering.time_ns < 0) return "Configuration::messaging.buffering.time_ns is below 0";
  if (!is_wide(messaging.native.wchars, false))
    return "Configuration::messaging.native.wchars may be utf16 or ucs2";
  if (!is_wide(messaging.unstated_wchars, true))
    return "Configuration::messaging.unstated_wchars may be utf16, ucs2 or none";
  return {};
}

}  // namespace tenon::gen
