// SPDX-License-Identifier: Apache-2.0
#include "tests/memory/counting.hpp"

#include <dlfcn.h>
#include <execinfo.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <mutex>

extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* old, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);
}

namespace counting {
namespace {

constexpr int most_frames = 26;
constexpr int own_frames = 2;  // count() and the function that it is called from
constexpr std::size_t places = 8192;

struct Place {
  std::uint64_t hash = 0;  // 0: free
  unsigned long count = 0;
  unsigned long octets = 0;
  int phase = 0;
  int depth = 0;
  void* frames[most_frames] = {};
};

constinit std::atomic<int> current_phase{-1};
constinit std::mutex mutex;  // of what follows
constinit Place table[places];
constinit unsigned long lost = 0;
constinit thread_local bool inside = false;
constinit std::atomic<long> until_failure{0};
constinit std::atomic<bool> failed{false};

/// Whether this allocation is the one that fails.
bool fails() noexcept {
  if (until_failure.load(std::memory_order_relaxed) <= 0 || until_failure.fetch_sub(1) != 1) return false;
  failed.store(true);
  errno = ENOMEM;
  return true;
}

std::uint64_t hash_of(int phase, void* const* frames, int depth) noexcept {
  std::uint64_t hash = 1469598103934665603U + static_cast<unsigned>(phase);
  for (int i = 0; i < depth; ++i) {
    hash = (hash ^ reinterpret_cast<std::uintptr_t>(frames[i])) * 1099511628211U;
    hash ^= hash >> 29;
  }
  return hash == 0 ? 1 : hash;
}

void note(int phase, std::size_t octets, void* const* frames, int depth) noexcept {
  const std::uint64_t hash = hash_of(phase, frames, depth);
  const std::lock_guard lock(mutex);
  for (std::size_t step = 0; step < 64; ++step) {
    Place& place = table[(hash + step) % places];
    if (place.hash == 0) {
      place.hash = hash;
      place.phase = phase;
      place.depth = depth;
      std::copy_n(frames, depth, place.frames);
    } else if (place.hash != hash) {
      continue;
    }
    ++place.count;
    place.octets += octets;
    return;
  }
  ++lost;
}

[[gnu::noinline]] void count(std::size_t octets) noexcept {
  const int phase = current_phase.load(std::memory_order_relaxed);
  if (phase < 0 || inside) return;
  inside = true;
  void* frames[most_frames + own_frames];
  const int depth = ::backtrace(frames, most_frames + own_frames);
  note(phase, octets, frames + std::min(depth, own_frames), std::max(depth - own_frames, 0));
  inside = false;
}

const char* file_of(const char* path) noexcept {
  const char* slash = std::strrchr(path, '/');
  return slash == nullptr ? path : slash + 1;
}

/// A frame is where a call returns to, which may be the first octet of the next function; so the octet before it is shown.
void print(const void* frame, std::uintptr_t program) {
  const auto address = reinterpret_cast<std::uintptr_t>(frame) - 1;
  Dl_info info{};
  if (::dladdr(reinterpret_cast<void*>(address), &info) == 0) {
    std::printf(" ?");
  } else if (reinterpret_cast<std::uintptr_t>(info.dli_fbase) == program) {
    std::printf(" %lx", static_cast<unsigned long>(address - program));
  } else {
    std::printf(" %s!%s", file_of(info.dli_fname), info.dli_sname == nullptr ? "?" : info.dli_sname);
  }
}

}  // namespace

void begin(int phase) noexcept {
  // The first call of backtrace() loads the unwinder, which is not the business of what is counted.
  void* frame = nullptr;
  static_cast<void>(::backtrace(&frame, 1));
  current_phase.store(phase);
}

void end() noexcept { current_phase.store(-1); }

void fail(long number) noexcept {
  failed.store(false);
  until_failure.store(number);
}

bool has_failed() noexcept { return failed.load(); }

void report() {
  end();
  Dl_info self{};
  ::dladdr(reinterpret_cast<void*>(&report), &self);
  for (const Place& place : table) {
    if (place.hash == 0) continue;
    std::printf("A %d %lu %lu", place.phase, place.count, place.octets);
    for (int i = 0; i < place.depth; ++i) {
      print(place.frames[i], reinterpret_cast<std::uintptr_t>(self.dli_fbase));
    }
    std::printf("\n");
  }
  if (lost != 0) std::printf("L %lu\n", lost);
  std::fflush(stdout);
}

}  // namespace counting

extern "C" {

void* malloc(std::size_t size) noexcept {
  counting::count(size);
  return counting::fails() ? nullptr : __libc_malloc(size);
}
void* calloc(std::size_t number, std::size_t size) noexcept {
  counting::count(number * size);
  return counting::fails() ? nullptr : __libc_calloc(number, size);
}
void* realloc(void* old, std::size_t size) noexcept {
  counting::count(size);
  return counting::fails() ? nullptr : __libc_realloc(old, size);
}
void* memalign(std::size_t alignment, std::size_t size) noexcept {
  counting::count(size);
  return counting::fails() ? nullptr : __libc_memalign(alignment, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) noexcept {
  counting::count(size);
  return counting::fails() ? nullptr : __libc_memalign(alignment, size);
}
int posix_memalign(void** to, std::size_t alignment, std::size_t size) noexcept {
  counting::count(size);
  *to = counting::fails() ? nullptr : __libc_memalign(alignment, size);
  return *to != nullptr ? 0 : ENOMEM;
}
void* mmap(void* at, std::size_t size, int protection, int flags, int descriptor, off_t offset) noexcept {
  counting::count(size);
  if (counting::fails()) return MAP_FAILED;
  return reinterpret_cast<void*>(::syscall(SYS_mmap, at, size, protection, flags, descriptor, offset));
}
}
