// SPDX-License-Identifier: Apache-2.0
//
// The context of a plug-in, which follows its files: what has changed is read again when a connection begins, at most once a second.
// Connections keep the context that they began with. What cannot be used leaves the context as it is, with one warning for each such
// change; so a certificate whose key is still to come waits for it.
//
// Threads: any. One of them reads; those that begin meanwhile get the context that was there.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/thread_annotations.hpp"
#include "plugins/ssliop/context.hpp"

namespace tenon::ssliop {

class Contexts {
 public:
  static constexpr std::int64_t between_looks_ms = 1000;
  /// A context lives so long, as the keys of its tickets should not live for ever.
  static constexpr std::int64_t renewed_ms = std::int64_t{12} * 3600 * 1000;

  explicit Contexts(Settings settings) : settings_(std::move(settings)) {}

  const Settings& settings() const noexcept { return settings_; }

  /// For a connection that begins. The first call reads the files. Null: there has not been a context yet, and `why` says what is wrong.
  std::shared_ptr<const Context> current(std::string& why) TENON_EXCLUDES(reading_, mutex_);

  /// Looks at the files now, however short it is since the last time.
  void look() TENON_EXCLUDES(reading_, mutex_);

 private:
  /// By which a file is known again.
  struct Stamp {
    std::uint64_t device = 0;
    std::uint64_t inode = 0;
    std::int64_t size = -1;  // there is no such file
    std::int64_t modified_ns = 0;
    std::int64_t changed_ns = 0;
    bool operator==(const Stamp&) const = default;
  };

  static Stamp stamp_of(const std::string& path) noexcept;
  static std::vector<Stamp> stamps_of(const std::vector<std::string>& paths);
  void look_locked() TENON_REQUIRES(reading_) TENON_EXCLUDES(mutex_);

  const Settings settings_;
  Mutex reading_;  // of the thread that looks at files; taken before the other one
  std::vector<Stamp> seen_
      TENON_GUARDED_BY(reading_);  // when they were read last, whether they could be used or not
  Deadline renewed_by_ TENON_GUARDED_BY(reading_);
  Mutex mutex_;
  Deadline next_look_ TENON_GUARDED_BY(mutex_) = Deadline::immediately();
  std::shared_ptr<const Context> context_ TENON_GUARDED_BY(mutex_);
  std::string broken_ TENON_GUARDED_BY(mutex_);  // why there is no context
};

}  // namespace tenon::ssliop
