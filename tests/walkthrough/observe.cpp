// SPDX-License-Identifier: Apache-2.0
#include "observe.hpp"

#include <dlfcn.h>
#include <execinfo.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstddef>
#include <cstdlib>
#include <cstring>

extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* old, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);
}

namespace tenon::walk {
namespace {

constexpr int most_frames = 48;
constexpr std::size_t most_bytes = 1024;

struct Event {
  enum class Kind : std::uint8_t { lock, send, receive } kind;
  const void* mutex;
  pid_t thread;
  std::size_t size;
  std::uint8_t bytes[most_bytes];
  int depth;
  void* frames[most_frames];
};

constexpr std::size_t most_events = 4096;
Event events[most_events];
std::atomic<std::size_t> used{0};
std::atomic<bool> recording{false};
std::atomic<unsigned long> allocated{0};
thread_local bool inside = false;  // of the recorder itself

thread_local bool counts_here = false;

void count() noexcept {
  if (counts_here) allocated.fetch_add(1, std::memory_order_relaxed);
}

pid_t this_thread() noexcept {
  // Straight to the kernel's number, but not through our own syscall().
  return ::gettid();
}

void record(Event::Kind kind, const void* mutex, const void* bytes, std::size_t size) noexcept {
  if (!recording.load(std::memory_order_acquire) || inside) return;
  inside = true;
  const std::size_t at = used.fetch_add(1, std::memory_order_relaxed);
  if (at < most_events) {
    Event& event = events[at];
    event.kind = kind;
    event.mutex = mutex;
    event.thread = this_thread();
    event.size = std::min(size, most_bytes);
    if (event.size != 0) std::memcpy(event.bytes, bytes, event.size);
    event.depth = ::backtrace(event.frames, most_frames);
  }
  inside = false;
}

using Syscall = long (*)(long, ...);
using MutexLock = int (*)(pthread_mutex_t*);

template <typename Function>
Function next(const char* name) noexcept {
  return reinterpret_cast<Function>(::dlsym(RTLD_NEXT, name));
}

Frames frames_of(void* const* frames, int depth) { return Frames(frames, frames + depth); }

}  // namespace

unsigned long allocations() noexcept { return allocated.load(std::memory_order_relaxed); }

void count_allocations_here() noexcept { counts_here = true; }

Recording::Recording() noexcept {
  // The first backtrace of a process loads the unwinder.
  void* warm_up[2];
  static_cast<void>(::backtrace(warm_up, 2));
  used.store(0);
  recording.store(true, std::memory_order_release);
}

void Recording::stop() noexcept { recording.store(false, std::memory_order_release); }

bool Recording::overflowed() const noexcept { return used.load() > most_events; }

std::vector<LockUse> Recording::locks() const {
  std::vector<LockUse> found;
  for (std::size_t i = 0; i < std::min(used.load(), most_events); ++i) {
    const Event& event = events[i];
    if (event.kind != Event::Kind::lock) continue;
    found.push_back({event.mutex, event.thread, frames_of(event.frames, event.depth)});
  }
  return found;
}

std::vector<Transfer> Recording::transfers() const {
  std::vector<Transfer> found;
  for (std::size_t i = 0; i < std::min(used.load(), most_events); ++i) {
    const Event& event = events[i];
    if (event.kind == Event::Kind::lock) continue;
    found.push_back({event.kind == Event::Kind::send,
                     event.thread,
                     {event.bytes, event.bytes + event.size},
                     frames_of(event.frames, event.depth)});
  }
  return found;
}

Frames stack_here() {
  void* frames[most_frames];
  return frames_of(frames, ::backtrace(frames, most_frames));
}

bool optimised() noexcept {
#ifdef __OPTIMIZE__
  return true;
#else
  return false;
#endif
}

}  // namespace tenon::walk

extern "C" {

void* malloc(std::size_t size) noexcept {
  tenon::walk::count();
  return __libc_malloc(size);
}
void* calloc(std::size_t number, std::size_t size) noexcept {
  tenon::walk::count();
  return __libc_calloc(number, size);
}
void* realloc(void* old, std::size_t size) noexcept {
  tenon::walk::count();
  return __libc_realloc(old, size);
}
void* memalign(std::size_t alignment, std::size_t size) noexcept {
  tenon::walk::count();
  return __libc_memalign(alignment, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) noexcept {
  tenon::walk::count();
  return __libc_memalign(alignment, size);
}
int posix_memalign(void** to, std::size_t alignment, std::size_t size) noexcept {
  tenon::walk::count();
  *to = __libc_memalign(alignment, size);
  return *to != nullptr ? 0 : ENOMEM;
}

int pthread_mutex_lock(pthread_mutex_t* mutex) noexcept {
  static const auto real = tenon::walk::next<tenon::walk::MutexLock>("pthread_mutex_lock");
  tenon::walk::record(tenon::walk::Event::Kind::lock, mutex, nullptr, 0);
  return real(mutex);
}

long syscall(long number, ...) noexcept {
  static const auto real = tenon::walk::next<tenon::walk::Syscall>("syscall");
  va_list list;
  va_start(list, number);
  long argument[6];
  for (long& each : argument) each = va_arg(list, long);
  va_end(list);
  if (number == SYS_sendto) {
    tenon::walk::record(tenon::walk::Event::Kind::send, nullptr, reinterpret_cast<const void*>(argument[1]),
                        static_cast<std::size_t>(argument[2]));
  }
  const long result =
      real(number, argument[0], argument[1], argument[2], argument[3], argument[4], argument[5]);
  if (number == SYS_recvfrom && result > 0) {
    const int error = errno;
    tenon::walk::record(tenon::walk::Event::Kind::receive, nullptr,
                        reinterpret_cast<const void*>(argument[1]), static_cast<std::size_t>(result));
    errno = error;
  }
  return result;
}
}
