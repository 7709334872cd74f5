// SPDX-License-Identifier: Apache-2.0
//
// What comes through a ring happened after it was sent. Where both ends are in one process, the thread sanitizer sees two mappings of the
// memory and no connection between them, so it is told. Nothing in other builds.
#pragma once

#if defined(__SANITIZE_THREAD__)
#define TENON_RINGS_ARE_TOLD 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define TENON_RINGS_ARE_TOLD 1
#endif
#endif

#ifdef TENON_RINGS_ARE_TOLD
extern "C" {
void __tsan_acquire(void* address);  // NOLINT(bugprone-reserved-identifier)
void __tsan_release(void* address);  // NOLINT(bugprone-reserved-identifier)
}
#endif

namespace tenon::shmiop {

#ifdef TENON_RINGS_ARE_TOLD
inline char all_rings;
inline void before_the_peer_may_see() noexcept { __tsan_release(&all_rings); }
inline void after_the_peer_was_seen() noexcept { __tsan_acquire(&all_rings); }
#else
inline void before_the_peer_may_see() noexcept {}
inline void after_the_peer_was_seen() noexcept {}
#endif

}  // namespace tenon::shmiop
