// SPDX-License-Identifier: Apache-2.0
//
// What we know of the memory of std::vector: three pointers, in libstdc++ and libc++ alike (src/marshal/layout_test.cpp proves it for
// the library in use). With it a vector is filled in one pass, where resize() would first write zeros, and one loop serves the
// vectors of all types. std::vector<bool> is not such a vector and is never touched this way.
#pragma once

#include <cstddef>
#include <cstring>
#include <new>
#include <type_traits>
#include <vector>

namespace tenon {

struct RawVector {
  std::byte* begin = nullptr;
  std::byte* end = nullptr;
  std::byte* capacity = nullptr;

  std::size_t bytes() const noexcept { return static_cast<std::size_t>(end - begin); }
  std::size_t room() const noexcept { return static_cast<std::size_t>(capacity - begin); }
};
static_assert(sizeof(RawVector) == sizeof(std::vector<int>));

// The pointers are typed in the vector, so they are read and written as bytes.
inline RawVector load_vector(const void* vector) noexcept {
  RawVector raw;
  std::memcpy(&raw, vector, sizeof raw);
  return raw;
}
inline void store_vector(void* vector, const RawVector& raw) noexcept {
  std::memcpy(vector, &raw, sizeof raw);
}

/// Only where its elements end.
inline void store_end(void* vector, const std::byte* end) noexcept {
  std::memcpy(static_cast<std::byte*>(vector) + offsetof(RawVector, end), static_cast<const void*>(&end),
              sizeof end);
}

/// Allocates as std::allocator does for types that need no extended alignment.
inline std::byte* allocate(std::size_t bytes) { return static_cast<std::byte*>(::operator new(bytes)); }
inline void release(const RawVector& raw) noexcept {
  if (raw.begin != nullptr) ::operator delete(raw.begin, raw.room());
}

/// Gives a vector of trivially copyable elements `bytes` uninitialised bytes, which the caller writes; what it held is lost. May
/// throw std::bad_alloc, and then the vector is as it was.
inline std::byte* make_room(void* vector, std::size_t bytes) {
  RawVector raw = load_vector(vector);
  if (raw.room() < bytes) {
    std::byte* fresh = allocate(bytes);
    release(raw);
    raw.begin = fresh;
    raw.capacity = fresh + bytes;
  }
  raw.end = raw.begin + bytes;
  store_vector(vector, raw);
  return raw.begin;
}
template <typename T>
  requires(std::is_trivially_copyable_v<T> && !std::is_same_v<T, bool>)
T* make_room(std::vector<T>& vector, std::size_t count) {
  static_assert(alignof(T) <= __STDCPP_DEFAULT_NEW_ALIGNMENT__);
  return reinterpret_cast<T*>(make_room(static_cast<void*>(&vector), count * sizeof(T)));
}

}  // namespace tenon
