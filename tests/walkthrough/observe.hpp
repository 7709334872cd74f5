// SPDX-License-Identifier: Apache-2.0
//
// Watches its own process: heap allocations, mutexes that are locked, and the sends and receives of the ORB's sockets with the
// stack that led to each. For that it defines malloc and its like, pthread_mutex_lock and syscall, and hands on to the C
// library's. Nothing in the ORB is replaced or knows of it.
//
// Recording allocates nothing and takes no lock; what is recorded belongs to the test once recording has stopped. Threads: any.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <vector>

namespace tenon::walk {

/// By the threads that have called count_allocations_here(), since each did so.
unsigned long allocations() noexcept;
void count_allocations_here() noexcept;

using Frames = std::vector<const void*>;  ///< return addresses, innermost first

struct LockUse {
  const void* mutex;
  pid_t thread;
  Frames frames;
};

struct Transfer {
  bool sent;  ///< else received
  pid_t thread;
  std::vector<std::uint8_t> bytes;
  Frames frames;
};

/// Records locks and transfers from construction to stop(). One at a time.
class Recording {
 public:
  Recording() noexcept;
  ~Recording() { stop(); }
  Recording(const Recording&) = delete;
  Recording& operator=(const Recording&) = delete;
  void stop() noexcept;

  /// After stop(). What found no room fails the test by its absence: see overflowed().
  std::vector<LockUse> locks() const;
  std::vector<Transfer> transfers() const;
  bool overflowed() const noexcept;
};

/// The stack of the caller.
Frames stack_here();

/// Whether the libraries are compiled with optimisation: without, every inline function has a frame.
bool optimised() noexcept;

}  // namespace tenon::walk
