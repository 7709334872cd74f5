// SPDX-License-Identifier: Apache-2.0
//
// What `operator new` asks when the heap has nothing left. The one source of this folder that throws: std::bad_alloc, to a program that
// asks for more than there is.
#include <array>
#include <atomic>
#include <cstdlib>
#include <new>

#include "base/memory.hpp"
#include "base/thread_annotations.hpp"

namespace tenon::memory {

constinit std::atomic<bool> aside_used{false};

namespace {

// In pieces: each failure takes one, so that two threads that find the heap empty at a time do not take all of it.
constexpr std::size_t pieces = 16;

constinit std::array<std::atomic<void*>, pieces> aside{};
constinit std::atomic<std::new_handler> handler_before{nullptr};

bool give_back_one() noexcept {
  aside_used.store(true, std::memory_order_release);
  for (std::atomic<void*>& piece : aside) {
    if (void* const memory = piece.exchange(nullptr)) {
      std::free(memory);
      return true;
    }
  }
  return false;
}

void on_empty_heap() {
  if (give_back_one()) return;
  const std::new_handler before = handler_before.load();
  if (before == nullptr) throw std::bad_alloc();
  before();
}

}  // namespace

void set_aside() noexcept {
  static const bool once = [] {
    handler_before.store(std::set_new_handler(on_empty_heap));
    aside_used.store(!set_aside_again());
    return true;
  }();
  static_cast<void>(once);
}

bool set_aside_again() noexcept {
  aside_used.store(false);
  bool all = true;
  for (std::atomic<void*>& piece : aside) {
    if (piece.load() != nullptr) continue;
    void* const memory = std::malloc(aside_octets / pieces);
    void* none = nullptr;
    if (memory == nullptr) {
      all = false;
    } else if (!piece.compare_exchange_strong(none, memory)) {
      std::free(memory);
    }
  }
  if (!all) aside_used.store(true);
  return all;
}

}  // namespace tenon::memory
