// SPDX-License-Identifier: Apache-2.0
//
// Code that runs when a thread ends, for thread-local objects without destructors. A destructor would have to be noted down for each
// thread, which may find no memory for that and ends the process then, and each use of such an object would ask whether it was.
#pragma once

#include <pthread.h>

namespace tenon {

/// Has `run` called when this thread ends, after the destructors of its thread-local objects; its argument has no meaning. Once per thread
/// is enough. False: it will not be called.
template <void (*run)(void*) noexcept>
[[nodiscard]] bool run_at_thread_end() noexcept {
  struct Key {
    Key() noexcept : made(::pthread_key_create(&key, run) == 0) {}
    pthread_key_t key{};
    bool made;
  };
  static const Key key;
  return key.made && ::pthread_setspecific(key.key, &key) == 0;
}

}  // namespace tenon
