// SPDX-License-Identifier: Apache-2.0
//
// For tests: a transport whose other end is the test itself, which decides what comes when, and whether sending succeeds. It blocks as a
// socket would. Threads: any.
#pragma once

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <functional>
#include <mutex>
#include <string>
#include <vector>

#include "giop/request.hpp"
#include "protocol/transport.hpp"

namespace tenon::giop {

using Octets = std::vector<std::uint8_t>;

class Script final : public protocol::Transport {
 public:
  // --- the ORB's side ---
  protocol::Transfer send(std::span<const cdr::Piece> gather, Deadline deadline) override {
    if (before_send) before_send();
    std::unique_lock lock(mutex_);
    last_send_by_ = deadline;
    ++senders_;
    changed_.notify_all();
    if (!wait_until(lock, deadline, send_ms_, [this] { return !stuck_ || shut_; })) {
      --senders_;
      return {protocol::Io::timed_out, 0, 0};
    }
    --senders_;
    if (shut_ || broken_) return {protocol::Io::failed, 0, EPIPE};
    std::size_t total = 0;
    ++sends_;
    for (const cdr::Piece& piece : gather) {
      sent_.insert(sent_.end(), piece.data, piece.data + piece.size);
      total += piece.size;
    }
    changed_.notify_all();
    return {protocol::Io::ok, total, 0};
  }
  protocol::Transfer receive(MutableBytes into, Deadline deadline) override {
    std::unique_lock lock(mutex_);
    const bool came = wait_until(lock, deadline, receive_ms_,
                                 [this] { return !held_ && (!coming_.empty() || ended_ || shut_); });
    if (!coming_.empty()) {
      const std::size_t count = std::min(into.size(), coming_.size());
      std::memcpy(into.data(), coming_.data(), count);
      coming_.erase(coming_.begin(), coming_.begin() + static_cast<std::ptrdiff_t>(count));
      changed_.notify_all();
      return {protocol::Io::ok, count, 0};
    }
    if (!came) return {protocol::Io::timed_out, 0, 0};
    return {shut_ ? protocol::Io::failed : protocol::Io::closed, 0, 0};
  }
  bool wait(Deadline deadline) override {
    std::unique_lock lock(mutex_);
    return wait_until(lock, deadline, receive_ms_, [this] { return !coming_.empty() || ended_ || shut_; });
  }
  void set_timeouts(std::uint32_t send_ms, std::uint32_t receive_ms) override {
    std::lock_guard lock(mutex_);
    send_ms_ = send_ms;
    receive_ms_ = receive_ms;
  }
  void shut_down() noexcept override {
    std::lock_guard lock(mutex_);
    shut_ = true;
    changed_.notify_all();
  }
  std::string peer() const override { return "a script"; }
  std::string local() const override { return "a test"; }

  // --- the test's side ---
  /// All that was given has been received.
  bool is_empty() {
    std::lock_guard lock(mutex_);
    return coming_.empty();
  }
  bool is_shut_down() {
    std::lock_guard lock(mutex_);
    return shut_;
  }
  void give(ByteView bytes) {
    std::lock_guard lock(mutex_);
    coming_.insert(coming_.end(), bytes.begin(), bytes.end());
    changed_.notify_all();
  }
  void end() {
    std::lock_guard lock(mutex_);
    ended_ = true;
    changed_.notify_all();
  }
  void stick(bool stuck) {
    std::lock_guard lock(mutex_);
    stuck_ = stuck;
    changed_.notify_all();
  }
  /// From now on nothing can be sent, as after a reset by the peer.
  void break_sends() {
    std::lock_guard lock(mutex_);
    broken_ = true;
  }
  /// While `held`, receive() waits even if something has come.
  void hold(bool held) {
    std::lock_guard lock(mutex_);
    held_ = held;
    changed_.notify_all();
  }
  /// What happens at the beginning of each send(), on its thread.
  std::function<void()> before_send;
  /// Waits for the next whole message that the ORB sent; empty after half a minute.
  Octets next_sent() {
    std::unique_lock lock(mutex_);
    const auto size = [this]() -> std::size_t {
      if (sent_.size() < header_size) return 0;
      const HeaderResult header = parse_header(sent_.data(), 1u << 30);
      return header && (*header).total() <= sent_.size() ? (*header).total() : 0;
    };
    if (!changed_.wait_for(lock, patience, [&] { return size() != 0; })) return {};
    const auto end = sent_.begin() + static_cast<std::ptrdiff_t>(size());
    std::vector<std::uint8_t> message(sent_.begin(), end);
    sent_.erase(sent_.begin(), end);
    return message;
  }
  /// Octets that were sent and next_sent() has not taken yet.
  std::size_t sent_octets() {
    std::lock_guard lock(mutex_);
    return sent_.size();
  }
  /// The number of calls of send() that sent something.
  unsigned sends() {
    std::lock_guard lock(mutex_);
    return sends_;
  }
  /// Until when the last send() was to wait.
  Deadline last_send_by() {
    std::lock_guard lock(mutex_);
    return last_send_by_;
  }
  bool wait_for_sender() {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, patience, [this] { return senders_ != 0; });
  }
  /// Waits until the ORB has taken everything that it was given.
  bool wait_until_read() {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, patience, [this] { return coming_.empty(); });
  }

 private:
  static constexpr std::chrono::seconds patience{30};

  template <typename Condition>
  bool wait_until(std::unique_lock<std::mutex>& lock, Deadline deadline, std::uint32_t default_ms,
                  const Condition& condition) {
    if (deadline.is_never() && default_ms != 0) deadline = Deadline::after_ms(default_ms);
    if (deadline.is_never()) {
      changed_.wait(lock, condition);
      return true;
    }
    return changed_.wait_until(
        lock, std::chrono::steady_clock::time_point(std::chrono::nanoseconds(deadline.ns())), condition);
  }

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::uint8_t> coming_;
  std::vector<std::uint8_t> sent_;
  int senders_ = 0;
  Deadline last_send_by_;
  unsigned sends_ = 0;
  bool stuck_ = false;
  bool broken_ = false;
  bool held_ = false;
  bool ended_ = false;
  bool shut_ = false;
  std::uint32_t send_ms_ = 0;
  std::uint32_t receive_ms_ = 0;
};

}  // namespace tenon::giop
