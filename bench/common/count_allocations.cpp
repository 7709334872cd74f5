// SPDX-License-Identifier: Apache-2.0
//
// Linked into a program, counts its heap allocations: malloc and its like are defined here and hand on to
// glibc's. operator new ends in malloc, so it is counted once. At exit the count goes to the file that the
// environment variable COUNT_ALLOCATIONS names. Not a profiler: a number, of which the difference between
// N and 2N calls is the news.
//
// Threads: any; the counter is atomic.

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstdlib>

extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* old, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);
}

namespace {

std::atomic<unsigned long> allocations{0};

void count() noexcept { allocations.fetch_add(1, std::memory_order_relaxed); }

struct Report {
  ~Report() {
    const unsigned long total = allocations.load();
    const char* path = std::getenv("COUNT_ALLOCATIONS");
    std::FILE* f = path != nullptr ? std::fopen(path, "w") : nullptr;
    if (f == nullptr) return;
    std::fprintf(f, "%lu\n", total);
    std::fclose(f);
  }
} report;

}  // namespace

extern "C" {

void* malloc(std::size_t size) noexcept {
  count();
  return __libc_malloc(size);
}
void* calloc(std::size_t number, std::size_t size) noexcept {
  count();
  return __libc_calloc(number, size);
}
void* realloc(void* old, std::size_t size) noexcept {
  count();
  return __libc_realloc(old, size);
}
void* memalign(std::size_t alignment, std::size_t size) noexcept {
  count();
  return __libc_memalign(alignment, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) noexcept {
  count();
  return __libc_memalign(alignment, size);
}
int posix_memalign(void** to, std::size_t alignment, std::size_t size) noexcept {
  count();
  *to = __libc_memalign(alignment, size);
  return *to != nullptr ? 0 : ENOMEM;
}
}
