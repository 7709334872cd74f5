// SPDX-License-Identifier: Apache-2.0
//
// What `operator new` asks when the heap has nothing left. The one source of this folder that throws: std::bad_alloc, to a program that
// asks for more than there is.
#include <atomic>
#include <cstdlib>
#include <new>
#include <thread>

#include "base/memory.hpp"
#include "base/thread_annotations.hpp"

namespace tenon::memory {

constinit std::atomic<bool> aside_used{false};

namespace {

// In one piece: the heap writes beside each piece, and a page of memory is used for that.
constinit std::atomic<void*> aside{nullptr};
// How often the heap had nothing since that piece was given back.
constinit std::atomic<int> failures{0};
// What is given back for one thread serves others that found the heap empty at that moment: so often it is asked again.
constexpr int chances = 16;
constinit std::atomic<std::new_handler> handler_before{nullptr};

bool give_back() noexcept {
  aside_used.store(true, std::memory_order_release);
  if (void* const memory = aside.exchange(nullptr)) {
    std::free(memory);
    failures.store(0);
    return true;
  }
  std::this_thread::yield();
  return failures.load() < chances && failures.fetch_add(1) < chances;
}

void on_empty_heap() {
  if (give_back()) return;
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
  if (aside.load() == nullptr) {
    void* const memory = std::malloc(aside_octets);
    void* none = nullptr;
    if (memory == nullptr) {
      aside_used.store(true);
      return false;
    }
    if (!aside.compare_exchange_strong(none, memory)) std::free(memory);
  }
  return true;
}

}  // namespace tenon::memory
