// SPDX-License-Identifier: Apache-2.0
//
// What every program has of the log: whether there is one. What writes it is in log_writer.cpp.
#include "base/log.hpp"

namespace tenon {

namespace log_detail {

constinit std::atomic<std::uint8_t> threshold{0};
constinit std::atomic<const LogWriter*> writer{nullptr};

// A thread may see that there is a threshold before it sees what writes.
bool decide(LogLevel level) noexcept {
  const LogWriter* known = writer.load(std::memory_order_acquire);
  return known != nullptr && known->decide(level);
}

}  // namespace log_detail

void log(LogLevel level, std::string_view component, std::string_view text) noexcept {
  if (level == LogLevel::off || !log_enabled(level)) return;
  if (const LogWriter* known = log_detail::writer.load(std::memory_order_acquire))
    known->write(level, component, text);
}

void advise(std::string_view component, std::string_view text) noexcept {
  if (const LogWriter* known = log_detail::writer.load(std::memory_order_acquire))
    known->advise(component, text);
}

}  // namespace tenon
