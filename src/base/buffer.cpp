// SPDX-License-Identifier: Apache-2.0
//
// The per-thread cache behind Buffer: a few buffers in each of seven sizes (8 KiB, 16 KiB ... 512 KiB).
//
// No lock: a thread only touches its own cache, and a buffer that is released on another thread goes into
// that one's. The cache itself is trivially destructible, so that it may still be used while other
// thread-locals are being destroyed; a separate thread-local empties it and closes it for the rest of the
// thread's life.
#include "base/buffer.hpp"

#include <bit>
#include <new>

#if defined(__SANITIZE_ADDRESS__)
#define TENON_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define TENON_ASAN 1
#endif
#if __has_feature(memory_sanitizer)
#define TENON_MSAN 1
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

constexpr std::align_val_t alignment{64};
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

void free_memory(std::uint8_t* data) noexcept { ::operator delete(data, alignment); }

struct Emptier {
  Emptier() noexcept = default;
  Emptier(const Emptier&) = delete;
  Emptier& operator=(const Emptier&) = delete;
  ~Emptier();
};

// What lies in the cache belongs to nobody: a sanitizer shall notice whoever still uses it.
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

Emptier::~Emptier() {
  for (std::size_t i = 0; i < classes; ++i) {
    Shelf& shelf = cache.shelves[i];
    while (shelf.count > 0) {
      std::uint8_t* data = shelf.kept[--shelf.count];
      show(data, std::size_t{1} << (smallest_class + i));
      free_memory(data);
    }
  }
  cache.bytes = 0;
  cache.open = false;
  cache.closed = true;
}

/// Once per thread: constructing the emptier registers the end of the cache.
void open_cache() noexcept {
  static thread_local Emptier emptier;
  static_cast<void>(emptier);
  cache.open = true;
}

/// log2 of the class that holds `bytes`, less the smallest; `classes` or more when it is too large to be
/// kept.
std::size_t class_of(std::size_t bytes) noexcept {
  if (bytes <= Buffer::small) return 0;
  return static_cast<std::size_t>(std::bit_width(bytes - 1)) - smallest_class;
}

/// Beyond the classes: a multiple of 64 KiB; 0 for what no message needs, whose sum could overflow.
std::size_t round_large(std::size_t bytes) noexcept {
  constexpr std::size_t step = 64 * 1024;
  constexpr std::size_t largest =
      sizeof(std::size_t) > 4 ? std::size_t{1} << (sizeof(std::size_t) * 4 + 2) : SIZE_MAX / 2;
  return bytes > largest ? 0 : (bytes + step - 1) / step * step;
}

}  // namespace

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
  }
  buffer.data_ = static_cast<std::uint8_t*>(::operator new(capacity, alignment, std::nothrow));
  if (buffer.data_ != nullptr) buffer.capacity_ = capacity;
  return buffer;
}

void Buffer::give_back() noexcept {
  std::uint8_t* data = std::exchange(data_, nullptr);
  const std::size_t capacity = std::exchange(capacity_, 0);
  if (capacity <= largest_kept) {
    if (!cache.open && !cache.closed) open_cache();
    Shelf& shelf = cache.shelves[class_of(capacity)];
    if (cache.open && shelf.count < most_kept && cache.bytes + capacity <= most_bytes) {
      hide(data, capacity);
      shelf.kept[shelf.count++] = data;
      cache.bytes += capacity;
      return;
    }
  }
  free_memory(data);
}

}  // namespace tenon
