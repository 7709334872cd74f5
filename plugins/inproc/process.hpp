// SPDX-License-Identifier: Apache-2.0
//
// This process, as references name it, and the names on which its ORBs listen. A child that was forked is another process, which
// has neither its parent's name nor its parent's endpoints: their threads are not there.
//
// Threads: any.
#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>
#include <vector>

#include "base/ref.hpp"
#include "base/thread_annotations.hpp"
#include "plugins/inproc/port.hpp"

namespace tenon::inproc {

class Process {
 public:
  /// Null: there is no memory, or the system gives no random number. What it points to stays until the process ends.
  static Process* current() noexcept;

  /// "<boot id>/<process id>/<128 random bits>". The random ones alone tell it from all other processes, and from one that has had
  /// its id.
  const std::string& text() const noexcept { return text_; }

  /// False: another one listens under that name.
  bool add(const Ref<Port>& port) noexcept TENON_EXCLUDES(mutex_);
  void remove(const Port& port) noexcept TENON_EXCLUDES(mutex_);
  /// Null: nobody listens under that name.
  Ref<Port> find(std::string_view name) noexcept TENON_EXCLUDES(mutex_);
  /// A name that no endpoint of this process has been given by this function before.
  std::string fresh_name() noexcept TENON_EXCLUDES(mutex_);

 private:
  explicit Process(Process* former) noexcept;

  const pid_t id_;
  // The parent's, whose lock may be held for good; kept, so that no tool takes it for lost.
  [[maybe_unused]] const Process* const former_;
  std::string text_;
  Mutex mutex_;
  std::vector<Ref<Port>> ports_ TENON_GUARDED_BY(mutex_);
  std::uint64_t named_ TENON_GUARDED_BY(mutex_) = 0;
};

}  // namespace tenon::inproc
