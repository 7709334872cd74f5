// SPDX-License-Identifier: Apache-2.0
//
// The two system calls that move the bytes of every message. No state; safe from any thread.
#pragma once

#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

#include <cstddef>

// The C library makes send and recv cancellation points, at 25 instructions each way; our threads are never cancelled. Sanitizers
// watch the library's functions, so they get those.
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
#define TENON_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer) || __has_feature(address_sanitizer)
#define TENON_SANITIZED 1
#endif
#endif

namespace tenon::net {

#if defined(SYS_sendto) && defined(SYS_recvfrom) && !defined(TENON_SANITIZED)
inline ssize_t send_bytes(int fd, const void* data, std::size_t size, int flags) noexcept {
  return ::syscall(SYS_sendto, fd, data, size, flags, nullptr, 0);
}
inline ssize_t receive_bytes(int fd, void* data, std::size_t size, int flags) noexcept {
  return ::syscall(SYS_recvfrom, fd, data, size, flags, nullptr, nullptr);
}
#else
inline ssize_t send_bytes(int fd, const void* data, std::size_t size, int flags) noexcept {
  return ::send(fd, data, size, flags);
}
inline ssize_t receive_bytes(int fd, void* data, std::size_t size, int flags) noexcept {
  return ::recv(fd, data, size, flags);
}
#endif

}  // namespace tenon::net
