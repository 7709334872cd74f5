// SPDX-License-Identifier: Apache-2.0
#include "mapping/cpp11/calls/kept.hpp"

#include <atomic>
#include <utility>

#include "base/memory.hpp"

namespace tenon::gen {

namespace {

std::atomic<std::size_t> bytes_most{64 * 1024};

constinit thread_local KeptBlock* newest = nullptr;
constinit thread_local bool thread_ends = false;

void destroy_all(KeptBlock* block) noexcept {
  while (block != nullptr) {
    KeptBlock* const next = block->next;
    block->destroy(block);
    block = next;
  }
}

struct AtThreadEnd {
  ~AtThreadEnd() {
    thread_ends = true;
    destroy_all(std::exchange(newest, nullptr));
  }
  void remember() const noexcept {}
};
thread_local const AtThreadEnd at_thread_end;

}  // namespace

std::size_t kept_bytes_most() noexcept { return bytes_most.load(std::memory_order_relaxed); }
void set_kept_bytes_most(std::size_t bytes) noexcept { bytes_most.store(bytes, std::memory_order_relaxed); }

std::size_t kept_bytes() noexcept {
  std::size_t sum = 0;
  for (const KeptBlock* block = newest; block != nullptr; block = block->next) sum += block->bytes;
  return sum;
}

KeptBlock* take_kept(const void* key) noexcept {
  for (KeptBlock** link = &newest; *link != nullptr; link = &(*link)->next) {
    KeptBlock* const block = *link;
    if (block->key != key) continue;
    *link = block->next;
    return block;
  }
  return nullptr;
}

void give_kept(KeptBlock* block) noexcept {
  const std::size_t most = kept_bytes_most();
  // Where memory is known, no thread holds any that is not in use.
  if (block->bytes > most || thread_ends || memory::is_known()) {
    block->destroy(block);
  } else {
    if (newest == nullptr) at_thread_end.remember();
    block->next = std::exchange(newest, block);
  }
  // values beyond the limit are those that were not used for longest
  std::size_t bytes = 0;
  unsigned values = 0;
  for (KeptBlock** link = &newest; *link != nullptr; link = &(*link)->next) {
    bytes += (*link)->bytes;
    if (bytes > most || ++values > kept_values_most) return destroy_all(std::exchange(*link, nullptr));
  }
}

}  // namespace tenon::gen
