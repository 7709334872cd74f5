// SPDX-License-Identifier: Apache-2.0
#include "base/stable_array.hpp"

#include <cstdlib>
#include <utility>

namespace tenon {

ChunkPool::~ChunkPool() {
  while (made_ != nullptr) {
    Chunk* const chunk = std::exchange(made_, made_->next_made);
    memory::release(chunk->elements);
    memory::release(chunk);
  }
}

void* ChunkPool::take(Chunk*& given) noexcept {
  Chunk* const chunk = given;
  if (chunk == nullptr) return nullptr;
  given = std::exchange(chunk->next_given, spare_);
  spare_ = chunk;
  return chunk->given;
}

void* ChunkPool::make(memory::Kind kind, std::size_t octets, std::size_t count) noexcept {
  auto* const chunk = static_cast<Chunk*>(memory::allocate(kind, sizeof(Chunk)));
  if (chunk == nullptr) return nullptr;
  const bool huge = octets >= huge_page && !memory::is_known();
  void* const elements =
      huge ? std::aligned_alloc(huge_page, octets) : memory::allocate_aligned(kind, octets);
  if (elements == nullptr) {
    memory::release(chunk);
    return nullptr;
  }
  if (huge) prefer_huge_pages(elements, octets);
  *chunk = {elements, count, made_, nullptr, spare_};
  made_ = spare_ = chunk;
  return elements;
}

void ChunkPool::give(Chunk*& given, void* elements) noexcept {
  Chunk* const chunk = std::exchange(spare_, spare_->next_given);
  chunk->given = elements;
  chunk->next_given = std::exchange(given, chunk);
}

}  // namespace tenon
