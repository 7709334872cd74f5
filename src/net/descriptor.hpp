// SPDX-License-Identifier: Apache-2.0
//
// Owns one file descriptor. Not a socket: it closes, nothing else. Move only; no threads of its own.
#pragma once

#include <utility>

namespace tenon::net {

class Descriptor {
 public:
  Descriptor() noexcept = default;
  explicit Descriptor(int fd) noexcept : fd_(fd) {}
  Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    if (this != &other) reset(std::exchange(other.fd_, -1));
    return *this;
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() { reset(); }

  int get() const noexcept { return fd_; }
  explicit operator bool() const noexcept { return fd_ >= 0; }
  int release() noexcept { return std::exchange(fd_, -1); }
  /// Closes what it holds and takes `fd`. errno stays as it was, so that callers can clean up before they report an error.
  void reset(int fd = -1) noexcept;

 private:
  int fd_ = -1;
};

}  // namespace tenon::net
