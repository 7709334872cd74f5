// SPDX-License-Identifier: Apache-2.0
//
// What the engine knows of the memory of std::vector: three pointers, in libstdc++ and libc++ alike (layout_test.cpp proves it for
// the library in use). So one loop serves the vectors of all types, where a template would be instantiated for each.
// std::vector<bool> is not such a vector and is never touched this way.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <vector>

namespace tenon::marshal {

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

/// A union whose memory is the engine's own (of types met at run time): its member lies behind this head.
struct alignas(16) ChoiceHead {
  std::uint64_t label = 0;  ///< the discriminator's bits, of its width
  std::int32_t which = -1;  ///< the case number as in the unit's cases; -1: no member
  void* member() noexcept { return this + 1; }
  const void* member() const noexcept { return this + 1; }
};

/// As std::allocator does it for types without more than the usual alignment.
inline std::byte* allocate(std::size_t bytes) { return static_cast<std::byte*>(::operator new(bytes)); }
inline void release(const RawVector& raw) noexcept {
  if (raw.begin != nullptr) ::operator delete(raw.begin, raw.room());
}

}  // namespace tenon::marshal
