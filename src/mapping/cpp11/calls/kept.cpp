// SPDX-License-Identifier: Apache-2.0
#include "mapping/cpp11/calls/kept.hpp"

#include <atomic>
#include <cstdint>
#include <new>
#include <utility>

#include "base/memory.hpp"
#include "base/thread_end.hpp"

namespace tenon::gen {

namespace {

std::atomic<std::size_t> bytes_most{64 * 1024};

constinit thread_local KeptBlock* newest = nullptr;
enum class State : std::uint8_t { unused, keeps, never };
constinit thread_local State state = State::unused;

void destroy_all(KeptBlock* block) noexcept {
  while (block != nullptr) {
    KeptBlock* const next = block->next;
    block->destroy(block);
    block = next;
  }
}

void end_of_thread(void*) noexcept {
  state = State::never;
  destroy_all(std::exchange(newest, nullptr));
}

/// Whether this thread, which has kept nothing yet, may.
[[gnu::cold, gnu::noinline]] bool keeps_from_now_on() noexcept {
  if (state == State::unused) {
    state = run_at_thread_end<end_of_thread>() ? State::keeps : State::never;
  }
  return state == State::keeps;
}

}  // namespace

std::size_t kept_bytes_most() noexcept { return bytes_most.load(std::memory_order_relaxed); }
void set_kept_bytes_most(std::size_t bytes) noexcept { bytes_most.store(bytes, std::memory_order_relaxed); }

std::size_t kept_bytes() noexcept {
  std::size_t sum = 0;
  for (const KeptBlock* block = newest; block != nullptr; block = block->next) sum += block->bytes;
  return sum;
}

void* memory_for_kept(std::size_t bytes) {
  void* const memory = memory::allocate(memory::Kind::requests, bytes);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
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
  if (block->bytes > most || memory::is_known() || (state != State::keeps && !keeps_from_now_on())) {
    block->destroy(block);
  } else {
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
