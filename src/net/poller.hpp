// SPDX-License-Identifier: Apache-2.0
//
// Watches many descriptors for input (epoll), for a pool of threads that share it. It does not own the descriptors: remove one
// before it is closed.
// Threads: everything from any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/clock.hpp"
#include "net/descriptor.hpp"

namespace tenon::net {

/// How long a descriptor goes on being reported.
enum class Watch : std::uint8_t {
  level,     ///< as long as there is input
  one_shot,  ///< once, to one thread; then not until it is added anew
  edge,      ///< whenever input arrives, to one thread each time
  room,  ///< once, to one thread, when there is room to send, now or later; input is not reported. For change()
};

/// What the events of a descriptor are known by: the address of an object, or a number of 64 bits whatever the size of an address is.
class Token {
 public:
  constexpr Token() noexcept = default;
  constexpr Token(std::uint64_t number) noexcept : number_(number) {}
  Token(void* object) noexcept : number_(reinterpret_cast<std::uintptr_t>(object)) {}

  constexpr std::uint64_t number() const noexcept { return number_; }
  template <typename T>
  T* object() const noexcept {
    return reinterpret_cast<T*>(static_cast<std::uintptr_t>(number_));
  }

 private:
  std::uint64_t number_ = 0;
};

struct Event {
  Token token;   ///< what add() was given
  bool hung_up;  ///< the peer is gone or the descriptor failed; there may still be input
};

class Poller {
 public:
  /// At most this many events per wait().
  static constexpr std::size_t most_events = 32;

  Poller() noexcept;

  /// 0, or the errno of what could not be made.
  int error() const noexcept { return error_; }
  /// Gives its descriptors back; called once no thread uses it any more.
  void close() noexcept {
    epoll_.reset();
    wake_.reset();
  }

  /// All return 0 or an errno. A token is never null or 0.
  int add(int fd, Token token, Watch watch) noexcept;
  int remove(int fd) noexcept;
  /// Watches a descriptor that was added in another way; what there is for it already is reported.
  int change(int fd, Token token, Watch watch) noexcept;
  /// For a descriptor with Watch::edge: until resume() only its end may be reported; resume() then reports input that came meanwhile.
  int pause(int fd, Token token) noexcept;
  int resume(int fd, Token token) noexcept;

  /// Blocks for input; returns how many of `events` were filled. 0: the deadline has passed, or wake() has ended this wait.
  std::size_t wait(std::span<Event> events, Deadline deadline) noexcept;

  /// Whether wait() would return at once. Takes no event.
  bool has_events() const noexcept;
  /// Readable when has_events(): for another poller, or for poll().
  int descriptor() const noexcept { return epoll_.get(); }

  /// Makes `waits` calls of wait() return early, those that are under way or the next ones.
  void wake(std::uint32_t waits = 1) noexcept;

 private:
  bool take_wake() noexcept;

  Descriptor epoll_;
  Descriptor wake_;  // an eventfd that counts down by one per read
  int error_ = 0;
};

}  // namespace tenon::net
