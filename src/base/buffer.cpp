// SPDX-License-Identifier: Apache-2.0
//
// The per-thread cache behind Buffer: a few buffers in each of seven sizes (8 KiB, 16 KiB ... 512 KiB).
//
// No lock: a thread only touches its own cache, and a buffer goes into the cache of the thread that
// releases it. The cache itself is trivially destructible, so that it may still be used while other
// thread-locals are being destroyed; after these, the thread's end empties it and closes it for the rest of the
// thread's life.
//
// Larger buffers are mapped and never from the heap, whose arenas would keep released memory, and where growing copies.
//
// Where memory is known (memory.hpp) all buffers are of that memory, and none is kept: what one thread keeps, another would lack.
#include "base/buffer.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <mutex>
#include <span>
#include <type_traits>

#include "base/memory.hpp"
#include "base/thread_end.hpp"

#if defined(__SANITIZE_ADDRESS__)
#define TENON_ASAN 1
#elif defined(__SANITIZE_THREAD__)
#define TENON_TSAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define TENON_ASAN 1
#endif
#if __has_feature(memory_sanitizer)
#define TENON_MSAN 1
#endif
#if __has_feature(thread_sanitizer)
#define TENON_TSAN 1
#endif
#endif
#ifdef TENON_ASAN
#include <sanitizer/asan_interface.h>
#endif
#ifdef TENON_MSAN
#include <sanitizer/msan_interface.h>
#endif

namespace tenon {
namespace {

constexpr std::size_t smallest_class = 13;  // log2 of Buffer::small
constexpr std::size_t classes = 7;
constexpr std::size_t most_kept = 4;
/// Bytes that one thread may keep in all; the large classes share them.
constexpr std::size_t most_bytes = 2 * 1024 * 1024;

static_assert(Buffer::small == std::size_t{1} << smallest_class);
static_assert(Buffer::largest_kept == std::size_t{1} << (smallest_class + classes - 1));

struct Shelf {
  std::uint8_t* kept[most_kept];
  unsigned count;
};

struct Cache {
  Shelf shelves[classes];
  std::size_t bytes;
  bool open;
  bool closed;
};

constinit thread_local Cache cache{};

std::uint8_t* take_memory(std::size_t capacity) noexcept {
  return static_cast<std::uint8_t*>(memory::allocate_aligned(memory::Kind::buffers, capacity));
}

// No object owns the buffers in the cache, so a sanitizer shall report code that still uses one.
void hide([[maybe_unused]] std::uint8_t* data, [[maybe_unused]] std::size_t size) noexcept {
#ifdef TENON_ASAN
  __asan_poison_memory_region(data, size);
#endif
}
void show([[maybe_unused]] std::uint8_t* data, [[maybe_unused]] std::size_t size) noexcept {
#ifdef TENON_ASAN
  __asan_unpoison_memory_region(data, size);
#endif
#ifdef TENON_MSAN
  __msan_allocated_memory(data, size);
#endif
}

/// At a thread's end: its cache is of no use any more.
void empty_cache(void*) noexcept {
  for (std::size_t i = 0; i < classes; ++i) {
    Shelf& shelf = cache.shelves[i];
    while (shelf.count > 0) {
      std::uint8_t* data = shelf.kept[--shelf.count];
      show(data, std::size_t{1} << (smallest_class + i));
      memory::release(data);
    }
  }
  cache.bytes = 0;
  cache.open = false;
  cache.closed = true;
}

/// Whether this thread's cache may be used, which is not open. Once per thread: has empty_cache() called at its end.
[[gnu::cold, gnu::noinline]] bool open_cache() noexcept {
  if (cache.closed) return false;
  cache.open = !memory::is_known() && run_at_thread_end<empty_cache>();
  cache.closed = !cache.open;
  return cache.open;
}

/// The index of the size class that holds `bytes`; `classes` or more when such a buffer is too large to be
/// kept by a thread.
std::size_t class_of(std::size_t bytes) noexcept {
  if (bytes <= Buffer::small) return 0;
  return static_cast<std::size_t>(std::bit_width(bytes - 1)) - smallest_class;
}

/// The sizes of mapped buffers are multiples of this; no system has larger pages.
constexpr std::size_t page_step = 64 * 1024;

/// Rounds up the size of a mapped buffer; 0 for more than any message needs, since sums with such a size could overflow. With 32-bit
/// addresses that is what the difference of two pointers can be.
std::size_t round_large(std::size_t bytes) noexcept {
  constexpr std::size_t largest = sizeof(std::size_t) > 4 ? std::size_t{1} << (sizeof(std::size_t) * 4 + 2)
                                                          : std::size_t{PTRDIFF_MAX} / page_step * page_step;
  return bytes > largest ? 0 : (bytes + page_step - 1) / page_step * page_step;
}

std::uint8_t* mapped(void* memory) noexcept {
  return memory == MAP_FAILED ? nullptr : static_cast<std::uint8_t*>(memory);
}

std::uint8_t* map(std::size_t capacity) noexcept {
  return mapped(::mmap(nullptr, capacity, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
}

/// Mapped buffers that the process keeps. One lock for all threads: it costs little beside the work on so many bytes.
class MappedShelf {
 public:
  /// The smallest that has room; nullptr: none has.
  std::uint8_t* take(std::size_t wanted, std::size_t& capacity) noexcept {
    const std::lock_guard lock(mutex_);
    Kept* found = nullptr;
    for (Kept& each : std::span(kept_, count_)) {
      if (each.capacity >= wanted && (found == nullptr || each.capacity < found->capacity)) found = &each;
    }
    if (found == nullptr) return nullptr;
    std::uint8_t* const data = found->data;
    capacity = found->capacity;
    bytes_ -= capacity;
    *found = kept_[--count_];
    show(data, capacity);
    return data;
  }
  /// False: there is no room for it.
  bool put(std::uint8_t* data, std::size_t capacity) noexcept {
    if (capacity > Buffer::kept_by_process) return false;
    const std::lock_guard lock(mutex_);
    if (count_ == most || bytes_ + capacity > Buffer::kept_by_process) return false;
    hide(data, capacity);
    kept_[count_++] = {data, capacity};
    bytes_ += capacity;
    return true;
  }

 private:
  struct Kept {
    std::uint8_t* data;
    std::size_t capacity;
  };
  static constexpr std::size_t most = 8;

  std::mutex mutex_;
  Kept kept_[most] = {};
  std::size_t count_ = 0;
  std::size_t bytes_ = 0;
};

// Trivially destructible, so that threads may use it until the process ends.
constinit MappedShelf mapped_shelf;
static_assert(std::is_trivially_destructible_v<MappedShelf>);

bool is_mapped(std::size_t capacity) noexcept { return capacity > Buffer::largest_kept; }

[[gnu::noinline]] void release_large(std::uint8_t* data, std::size_t capacity) noexcept {
  if (!memory::release_known(data) && !mapped_shelf.put(data, capacity)) ::munmap(data, capacity);
}

}  // namespace

std::size_t Buffer::capacity_for(std::size_t bytes) noexcept {
  const std::size_t index = class_of(bytes);
  return index < classes ? std::size_t{1} << (smallest_class + index) : round_large(bytes);
}

bool Buffer::grow(std::size_t bytes, std::size_t from, std::size_t size) noexcept {
  // The thread sanitizer does not know that pages have moved, and would report races with what was at the address before.
#if defined(MREMAP_MAYMOVE) && !defined(TENON_TSAN)
  if (is_mapped(capacity_) && is_mapped(bytes) && bytes > capacity_ && !memory::is_known()) {
    const std::size_t wanted = capacity_for(bytes);
    if (wanted == 0) return false;
    std::uint8_t* const moved = mapped(::mremap(data_, capacity_, wanted, MREMAP_MAYMOVE));
    if (moved == nullptr) return false;
    data_ = moved;
    capacity_ = wanted;
    if (from != 0 && size != 0) std::memmove(data_, data_ + from, size);
    return true;
  }
#endif
  Buffer larger = acquire(bytes);
  if (!larger) return false;
  if (size != 0) std::memcpy(larger.data_, data_ + from, size);
  *this = std::move(larger);
  return true;
}

void Buffer::trim(std::size_t bytes) noexcept {
  const std::size_t wanted = std::max(capacity_for(bytes), largest_kept + page_step);
  if (!is_mapped(capacity_) || wanted >= capacity_ || memory::is_known()) return;
  ::munmap(data_ + wanted, capacity_ - wanted);
  capacity_ = wanted;
}

Buffer Buffer::acquire(std::size_t bytes) noexcept {
  Buffer buffer;
  const std::size_t index = class_of(bytes);
  std::size_t capacity = 0;
  if (index < classes) {
    capacity = std::size_t{1} << (smallest_class + index);
    Shelf& shelf = cache.shelves[index];
    if (shelf.count > 0) {
      buffer.data_ = shelf.kept[--shelf.count];
      buffer.capacity_ = capacity;
      cache.bytes -= capacity;
      show(buffer.data_, capacity);
      return buffer;
    }
  } else {
    capacity = round_large(bytes);
    if (capacity == 0) return buffer;
    if (memory::is_known()) {
      buffer.data_ = take_memory(capacity);
      if (buffer.data_ != nullptr) buffer.capacity_ = capacity;
      return buffer;
    }
    buffer.data_ = mapped_shelf.take(capacity, capacity);
    if (buffer.data_ == nullptr) buffer.data_ = map(capacity);
    if (buffer.data_ != nullptr) buffer.capacity_ = capacity;
    return buffer;
  }
  buffer.data_ = take_memory(capacity);
  if (buffer.data_ != nullptr) buffer.capacity_ = capacity;
  return buffer;
}

void Buffer::give_back() noexcept {
  std::uint8_t* data = std::exchange(data_, nullptr);
  const std::size_t capacity = std::exchange(capacity_, 0);
  if (is_mapped(capacity)) return release_large(data, capacity);
  if (!cache.open && !open_cache()) return memory::release(data);
  Shelf& shelf = cache.shelves[class_of(capacity)];
  if (shelf.count == most_kept || cache.bytes + capacity > most_bytes) return memory::release(data);
  hide(data, capacity);
  shelf.kept[shelf.count++] = data;
  cache.bytes += capacity;
}

}  // namespace tenon
