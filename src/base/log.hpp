// SPDX-License-Identifier: Apache-2.0
//
// The one hook for all that Tenon logs. Off by default: a line that is not wanted costs one relaxed
// load, if its text is made only after log_enabled(). TENON_LOG=error|warning|info|debug|trace in the
// environment sends lines to standard error (another word counts as warning, and is complained of there once); a program may set its own
// level and sink instead. Any thread; a sink may be called by several threads at once.
//
// A program has what writes lines if its start-up names tenon::parts::log, or if it sets a level, a sink or a file. In others no level is
// enabled, whatever the environment says.
#pragma once

#include <atomic>
#include <cstdint>
#include <string_view>

namespace tenon {

enum class LogLevel : std::uint8_t {
  off = 0,
  error = 1,    ///< something that was asked for cannot be done
  warning = 2,  ///< a peer or a servant did what it should not
  info = 3,     ///< something failed, and Tenon went on in another way
  debug = 4,    ///< connections that come and go, forwards
  trace = 5,    ///< every message, decoded and as octets; only for connections that are made at this level
};

/// `component` is a short static name ("iiop", "poa"); `text` has no end of line at its end (a message has several lines). Must not
/// throw and must not log.
using LogSink = void (*)(void* context, LogLevel level, std::string_view component, std::string_view text);

/// Lines are written from now on. For good, in the whole process; any thread.
void use_log() noexcept;

/// What use_log() sets.
struct LogWriter {
  bool (*decide)(LogLevel level) noexcept;  ///< reads the environment, unless that was done
  void (*write)(LogLevel level, std::string_view component, std::string_view text) noexcept;
  void (*advise)(std::string_view component, std::string_view text) noexcept;
};

namespace log_detail {
/// The environment has not been read yet. Above every level, so that the first line takes the slow path,
/// which reads it.
inline constexpr std::uint8_t unset = 0xFF;
extern std::atomic<std::uint8_t> threshold;
extern std::atomic<const LogWriter*> writer;  // null as long as no level is enabled
extern std::atomic<bool> chosen;              // by the environment or the program
bool decide(LogLevel level) noexcept;
}  // namespace log_detail

inline bool log_enabled(LogLevel level) noexcept {
  const std::uint8_t threshold = log_detail::threshold.load(std::memory_order_relaxed);
  if (static_cast<std::uint8_t>(level) > threshold) [[likely]]
    return false;
  return threshold != log_detail::unset || log_detail::decide(level);
}

/// Sends a line to the sink if its level is enabled.
void log(LogLevel level, std::string_view component, std::string_view text) noexcept;

/// Warns of a configuration that will fail later, also when no log was asked for: the line is written unless a level below warning has
/// been chosen (TENON_LOG, set_log_level()). Callers call it once for each such problem.
void advise(std::string_view component, std::string_view text) noexcept;

/// Overrides the environment.
void set_log_level(LogLevel level) noexcept;
/// Lines go to the end of this file from now on, and to no sink. False: it cannot be opened, errno says why, and nothing has changed.
bool log_to_file(const char* path) noexcept;
/// Null: standard error. The sink and its context must live until another sink is set and no thread logs any
/// more.
void set_log_sink(LogSink sink, void* context) noexcept;
/// The level of that name ("off", "error", "warning", "info", "debug", "trace"); `otherwise` if there is none.
LogLevel log_level(std::string_view name, LogLevel otherwise) noexcept;
std::string_view log_level_name(LogLevel level) noexcept;

}  // namespace tenon
