// SPDX-License-Identifier: Apache-2.0
//
// Where log lines go. The sink and its context change together under a lock that only enabled lines take.
//
// What use_log() switches on.
#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "base/log.hpp"
#include "base/thread_annotations.hpp"
#include "base/wall_clock.hpp"

namespace tenon {
namespace {

constexpr std::string_view names[] = {"off", "error", "warning", "info", "debug", "trace"};

struct Destination {
  Mutex mutex;
  LogSink sink TENON_GUARDED_BY(mutex) = nullptr;
  void* context TENON_GUARDED_BY(mutex) = nullptr;
  int descriptor TENON_GUARDED_BY(mutex) = STDERR_FILENO;
  // Stays open, since threads may be about to write to it; another file takes its place.
  int file TENON_GUARDED_BY(mutex) = -1;
};

// Never destroyed: threads may log until the process is gone.
Destination& destination() {
  static Destination* const only = new Destination;
  return *only;
}

/// "08:15:02.123456 1234 ": time of day and thread, so that a reader can tell what happened before what.
std::string when_and_where() {
  const std::int64_t now = wall_clock_now();
  const std::tm local = time_of_day(now / 1'000'000'000);
  char text[64];
  const int size =
      std::snprintf(text, sizeof text, "%02d:%02d:%02d.%06d %d ", local.tm_hour, local.tm_min, local.tm_sec,
                    static_cast<int>(now % 1'000'000'000 / 1000), static_cast<int>(::gettid()));
  return {text, static_cast<std::size_t>(size)};
}

void write_line(int descriptor, LogLevel level, std::string_view component, std::string_view text) noexcept {
  std::string line("tenon ");
  if (level >= LogLevel::debug) line += when_and_where();
  line.append(log_level_name(level)).append(" [").append(component).append("] ").append(text).append("\n");
  // One write, so that lines of several threads do not mix; a line that cannot be written is lost.
  [[maybe_unused]] const auto written = ::write(descriptor, line.data(), line.size());
}

/// To standard error, whatever the sink: the variable speaks of that.
void complain_of_level(std::string_view wanted) noexcept {
  std::string text("TENON_LOG=");
  text.append(wanted.substr(0, 100)).append(": no such level, so it is warning; it may be");
  for (const std::string_view& name : names) {
    text.append(&name == &names[0] ? " " : &name == std::end(names) - 1 ? " or " : ", ").append(name);
  }
  write_line(STDERR_FILENO, LogLevel::warning, "log", text);
}

}  // namespace

namespace log_detail {

constinit std::atomic<bool> chosen{false};

}  // namespace log_detail

namespace {

/// With TENON_LOG, if no level has been chosen yet.
bool decide_level(LogLevel level) noexcept {
  const char* wanted = std::getenv("TENON_LOG");
  if (wanted != nullptr && *wanted == '\0') wanted = nullptr;
  const LogLevel found = wanted != nullptr ? log_level(wanted, LogLevel::warning) : LogLevel::off;
  if (wanted != nullptr) log_detail::chosen.store(true, std::memory_order_relaxed);
  std::uint8_t expected = log_detail::unset;
  const bool first = log_detail::threshold.compare_exchange_strong(expected, static_cast<std::uint8_t>(found),
                                                                   std::memory_order_relaxed);
  if (first && wanted != nullptr && log_level_name(found) != wanted) complain_of_level(wanted);
  return static_cast<std::uint8_t>(level) <= log_detail::threshold.load(std::memory_order_relaxed);
}

void write_to_sink(LogLevel level, std::string_view component, std::string_view text) noexcept {
  LogSink sink = nullptr;
  void* context = nullptr;
  int descriptor = STDERR_FILENO;
  {
    Destination& to = destination();
    const LockGuard guard(to.mutex);
    sink = to.sink;
    context = to.context;
    descriptor = to.descriptor;
  }
  if (sink != nullptr) {
    sink(context, level, component, text);
  } else {
    write_line(descriptor, level, component, text);
  }
}

void write_advice(std::string_view component, std::string_view text) noexcept {
  // This comes first, since it reads the environment, which sets `chosen`.
  const bool wanted = log_enabled(LogLevel::warning);
  if (wanted || !log_detail::chosen.load(std::memory_order_relaxed))
    write_to_sink(LogLevel::warning, component, text);
}

constexpr LogWriter log_writer{.decide = decide_level, .write = write_to_sink, .advise = write_advice};

/// The first to switch it on leaves the level to the environment.
void begin_to_log([[maybe_unused]] Destination& to) noexcept TENON_REQUIRES(to.mutex) {
  if (log_detail::writer.load(std::memory_order_relaxed) != nullptr) return;
  log_detail::writer.store(&log_writer, std::memory_order_release);
  log_detail::threshold.store(log_detail::unset, std::memory_order_release);
}

}  // namespace

void use_log() noexcept {
  Destination& to = destination();
  const LockGuard guard(to.mutex);
  begin_to_log(to);
}

void set_log_level(LogLevel level) noexcept {
  Destination& to = destination();
  const LockGuard guard(to.mutex);
  begin_to_log(to);
  log_detail::chosen.store(true, std::memory_order_relaxed);
  log_detail::threshold.store(static_cast<std::uint8_t>(level), std::memory_order_release);
}

void set_log_sink(LogSink sink, void* context) noexcept {
  Destination& to = destination();
  const LockGuard guard(to.mutex);
  begin_to_log(to);
  to.sink = sink;
  to.context = context;
  to.descriptor = STDERR_FILENO;
}

bool log_to_file(const char* path) noexcept {
  const int opened = ::open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (opened < 0) return false;
  Destination& to = destination();
  const LockGuard guard(to.mutex);
  begin_to_log(to);
  if (to.file < 0) {
    to.file = opened;
  } else {
    ::dup3(opened, to.file, O_CLOEXEC);
    ::close(opened);
  }
  to.descriptor = to.file;
  to.sink = nullptr;
  to.context = nullptr;
  return true;
}

LogLevel log_level(std::string_view name, LogLevel otherwise) noexcept {
  for (std::size_t i = 0; i < std::size(names); ++i) {
    if (names[i] == name) return static_cast<LogLevel>(i);
  }
  return otherwise;
}

std::string_view log_level_name(LogLevel level) noexcept {
  const auto index = static_cast<std::size_t>(level);
  return index < std::size(names) ? names[index] : std::string_view("?");
}

}  // namespace tenon
