// SPDX-License-Identifier: Apache-2.0
#include "plugins/ssliop/reload.hpp"

#include <sys/stat.h>

#include "base/joined.hpp"
#include "base/log.hpp"

namespace tenon::ssliop {

Contexts::Stamp Contexts::stamp_of(const std::string& path) noexcept {
  struct stat about{};
  if (path.empty() || ::stat(path.c_str(), &about) != 0) return {};
  const auto ns = [](const timespec& time) {
    return std::int64_t{time.tv_sec} * 1'000'000'000 + std::int64_t{time.tv_nsec};
  };
  return {about.st_dev, about.st_ino, about.st_size, ns(about.st_mtim), ns(about.st_ctim)};
}

std::vector<Contexts::Stamp> Contexts::stamps_of(const std::vector<std::string>& paths) {
  std::vector<Stamp> all;
  all.reserve(paths.size());
  for (const std::string& each : paths) all.push_back(stamp_of(each));
  return all;
}

std::shared_ptr<const Context> Contexts::current(std::string& why) {
  bool first = false;
  {
    const LockGuard lock(mutex_);
    if (!next_look_.expired()) {
      why = broken_;
      return context_;
    }
    first = context_ == nullptr;
  }
  if (first) {
    const LockGuard lock(reading_);
    look_locked();
  } else if (reading_.try_lock()) {
    look_locked();
    reading_.unlock();
  }
  const LockGuard lock(mutex_);
  why = broken_;
  return context_;
}

void Contexts::look() {
  const LockGuard lock(reading_);
  look_locked();
}

/// The stamps are older than what is read, so that a change meanwhile is seen next time.
void Contexts::look_locked() {
  std::vector<Stamp> now = stamps_of(settings_.files());
  const bool changed = now != seen_;
  const bool old = settings_.resumption && renewed_by_.expired();
  std::string why;
  std::shared_ptr<const Context> made = changed || old ? make_context(settings_, why) : nullptr;
  seen_ = std::move(now);
  if (made) renewed_by_ = Deadline::after_ms(renewed_ms);
  LockGuard lock(mutex_);
  next_look_ = Deadline::after_ms(between_looks_ms);
  if (!changed && !made) return;
  const bool again = context_ != nullptr;
  if (made || !again) {
    context_ = std::move(made);
    broken_ = std::move(why);
    lock.unlock();
    if (again && changed && log_enabled(LogLevel::info))
      log(LogLevel::info, "ssliop", "its files have changed; new connections use what they say now");
    return;
  }
  lock.unlock();
  if (log_enabled(LogLevel::warning))
    log(LogLevel::warning, "ssliop",
        joined({"a file has changed and cannot be used; what was read before stays in use: ", why}));
}

}  // namespace tenon::ssliop
