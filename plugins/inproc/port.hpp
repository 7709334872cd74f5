// SPDX-License-Identifier: Apache-2.0
//
// A name on which an ORB listens, with the connections that wait to be accepted. Its acceptor and the names of the process hold it,
// and so do its connections, which tell its name to logs. Threads: any.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/memory.hpp"
#include "base/ref.hpp"
#include "base/thread_annotations.hpp"
#include "plugins/inproc/event.hpp"
#include "protocol/transport.hpp"

namespace tenon::inproc {

class MemoryTransport;

class Port final : public RefCounted, public memory::Of<memory::Kind::connections> {
 public:
  /// `most`: how many connections wait at most. `spin_us`: of their accepting ends, as in TransportOptions.
  Port(std::string_view name, unsigned most, std::optional<std::uint32_t> spin_us);
  ~Port() override;

  const std::string& name() const noexcept { return name_; }
  std::optional<std::uint32_t> spin_us() const noexcept { return spin_us_; }

  /// Leaves the accepting end of a connection here; waits while there are too many. Errors: cannot_connect (it is closed),
  /// connect_timed_out.
  Status put(std::unique_ptr<MemoryTransport> end, Deadline deadline) noexcept TENON_EXCLUDES(mutex_);
  /// The next one; waits for it if told so. Null: it is closed, or there is none.
  std::unique_ptr<MemoryTransport> take(bool waits) noexcept TENON_EXCLUDES(mutex_);
  bool is_closed() const noexcept { return closed_.load(std::memory_order_acquire); }
  /// Those that still wait see the end of their connection.
  void close() noexcept TENON_EXCLUDES(mutex_);

  /// Readable while one waits, and once it is closed. As Event's.
  int descriptor() noexcept TENON_EXCLUDES(mutex_);
  void close_descriptor() noexcept TENON_EXCLUDES(mutex_);

 private:
  std::unique_ptr<MemoryTransport> take_first() noexcept TENON_REQUIRES(mutex_);
  void settle() noexcept TENON_REQUIRES(mutex_) { event_.set(first_ != nullptr || is_closed()); }

  const std::string name_;
  const unsigned most_;
  const std::optional<std::uint32_t> spin_us_;
  std::atomic<bool> closed_{false};  // set with the lock
  Mutex mutex_;
  CondVar came_;
  CondVar taken_;
  std::unique_ptr<MemoryTransport> first_ TENON_GUARDED_BY(mutex_);  // each holds the one behind it
  MemoryTransport* last_ TENON_GUARDED_BY(mutex_) = nullptr;
  unsigned count_ TENON_GUARDED_BY(mutex_) = 0;
  Event event_ TENON_GUARDED_BY(mutex_);
};

}  // namespace tenon::inproc
