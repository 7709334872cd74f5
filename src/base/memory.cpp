// SPDX-License-Identifier: Apache-2.0
#include "base/memory.hpp"

#include <cstdlib>
#include <new>

#include "base/minor_codes.hpp"

namespace tenon::memory {

constinit std::atomic<const Source*> source{nullptr};

Error shortage() noexcept { return is_known() ? errors::memory_limit_reached : errors::out_of_memory; }

void count_refusal(Kind kind) noexcept {
  const Source* const known = source.load(std::memory_order_acquire);
  if (known != nullptr) known->count_refusal(kind);
}

void* allocate(Kind kind, std::size_t octets) noexcept {
  const Source* const known = source.load(std::memory_order_acquire);
  return known == nullptr ? std::malloc(octets == 0 ? 1 : octets) : known->allocate(kind, octets);
}

void* allocate_aligned(Kind kind, std::size_t octets) noexcept {
  const Source* const known = source.load(std::memory_order_acquire);
  if (known != nullptr) return known->allocate(kind, octets < 64 ? 64 : octets);
  return std::aligned_alloc(64, (octets + 63) & ~std::size_t{63});
}

bool release_known(void* memory) noexcept {
  const Source* const known = source.load(std::memory_order_acquire);
  return known != nullptr && memory != nullptr && known->release(memory);
}

void release(void* memory) noexcept {
  // What was taken before there were limits goes back to the heap.
  if (!release_known(memory)) std::free(memory);
}

void* allocate_anyway(Kind kind, std::size_t octets) {
  void* memory = allocate(kind, octets);
  while (memory == nullptr) {
    memory = std::malloc(octets == 0 ? 1 : octets);
    if (memory != nullptr) break;
    const std::new_handler give_back = std::get_new_handler();
    if (give_back == nullptr) std::abort();
    give_back();
  }
  return memory;
}

bool has_room(Kind kind, std::size_t octets) noexcept {
  void* const memory = allocate(kind, octets);
  release(memory);
  return memory != nullptr;
}

}  // namespace tenon::memory
