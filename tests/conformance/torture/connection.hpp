// SPDX-License-Identifier: Apache-2.0
//
// The two ends of a torture connection, and the faults that strike its senders.
#pragma once

#include <memory>
#include <random>
#include <string>
#include <vector>

#include "tests/conformance/torture/pipe.hpp"
#include "tests/conformance/torture/torture.hpp"

namespace tenon::torture {

/// Shared by all connections of one side of a plug-in. Any thread.
class Faults {
 public:
  struct Grant {
    std::size_t bytes;
    Fault fault;  ///< when bytes is 0: what happens instead
  };
  void set(Fault fault, std::uint64_t bytes);
  /// Permission to send up to `most` bytes; what was not sent is given back.
  Grant take(std::size_t most);
  void give_back(std::size_t bytes);

 private:
  Mutex mutex_;
  Fault fault_ TENON_GUARDED_BY(mutex_) = Fault::none;
  std::uint64_t left_ TENON_GUARDED_BY(mutex_) = 0;
};

struct Link {
  Pipe to_acceptor;
  Pipe to_connector;
};

class Connection final : public protocol::Transport {
 public:
  Connection(std::shared_ptr<Link> link, Side side, Settings settings, std::shared_ptr<Faults> faults,
             std::string name);
  ~Connection() override { shut_down(); }

  protocol::Transfer send(std::span<const cdr::Piece> gather, Deadline deadline) override;
  protocol::Transfer receive(MutableBytes into, Deadline deadline) override;
  bool lends() const noexcept override { return settings_.lends; }
  protocol::Transfer lend(ByteView& view, Deadline deadline) override;
  std::size_t lendable() const noexcept override { return settings_.lends ? 64 * settings_.most_read : 0; }
  bool release(std::size_t used) noexcept override;
  Buffer keep(std::size_t used) noexcept override;
  bool wait(Deadline deadline) override { return held_ != 0 || in_.wait(effective(deadline, receive_ms_)); }
  void set_timeouts(std::uint32_t send_ms, std::uint32_t receive_ms) override;
  void shut_down() noexcept override;
  std::string peer() const override { return name_; }
  std::string local() const override { return name_; }

 private:
  using Chance = std::minstd_rand;
  static Deadline effective(Deadline deadline, std::uint32_t ms) noexcept {
    return deadline.is_never() && ms != 0 ? Deadline::after_ms(ms) : deadline;
  }
  static std::size_t some(Chance& chance, std::size_t most) { return 1 + chance() % most; }

  std::shared_ptr<Link> link_;
  Pipe& out_;
  Pipe& in_;
  Settings settings_;
  std::shared_ptr<Faults> faults_;
  std::string name_;
  std::uint32_t send_ms_ = 0;
  std::uint32_t receive_ms_ = 0;
  Chance send_chance_;     // the sender's alone
  Chance receive_chance_;  // the receiver's alone, as what follows is
  // What was taken out of the pipe and has not been released: the last held_ octets of lent_, so that a sanitizer sees who reads beyond.
  ByteView held() const noexcept { return {lent_.data() + lent_.capacity() - held_, held_}; }
  void hold(ByteView before, ByteView after);
  Buffer lent_;
  std::size_t held_ = 0;
};

}  // namespace tenon::torture
