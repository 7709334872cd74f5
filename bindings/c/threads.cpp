// SPDX-License-Identifier: Apache-2.0
//
// What a language binding wants to know of the thread that it is on.
#include <pthread.h>

#include <cstddef>
#include <cstdint>

#include "tenon/c.h"

namespace {

/// Where the calling thread's stack ends, guard pages left out; 0: the C library cannot tell.
std::uintptr_t end_of_stack() noexcept {
  pthread_attr_t attributes;
  if (::pthread_getattr_np(::pthread_self(), &attributes) != 0) return 0;
  void* lowest = nullptr;
  std::size_t size = 0;
  std::size_t guard = 0;
  ::pthread_attr_getstack(&attributes, &lowest, &size);
  ::pthread_attr_getguardsize(&attributes, &guard);
  ::pthread_attr_destroy(&attributes);
  return reinterpret_cast<std::uintptr_t>(lowest) + guard;
}

}  // namespace

uint64_t tenon_stack_left(void) {
  thread_local const std::uintptr_t end = end_of_stack();
  if (end == 0) return UINT64_MAX;
  const auto here = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
  return here > end ? here - end : 0;
}
