// SPDX-License-Identifier: Apache-2.0
//
// A listening stream socket that survives a shortage of descriptors. It holds one descriptor in reserve: when accept() finds none
// left, the reserve is given up for a moment to accept the peer and hang up on it, so that the peer sees a refusal instead of a
// connection that no thread serves; then accept() pauses for rest_ms, because the listening socket stays readable.
//
// Threads: any number may accept; any thread may shut down.
#pragma once

#include <atomic>
#include <cstdint>
#include <span>
#include <string>

#include "base/thread_annotations.hpp"
#include "net/address.hpp"
#include "net/descriptor.hpp"
#include "net/socket_buffers.hpp"

namespace tenon::net {

struct ListenOptions {
  bool reuse_address = true;
  int backlog = 0;      ///< 0: as much as the kernel allows
  bool only_v6 = true;  ///< an IPv6 wildcard leaves IPv4 alone
  unsigned mode = 0;    ///< permissions of a Unix path; 0: what the umask leaves
  SocketBuffers buffers = {};
};

class Listener {
 public:
  /// Pause after a shortage of descriptors or memory. Milliseconds.
  static constexpr int rest_ms = 20;

  Listener() = default;
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;
  ~Listener();

  /// Binds and listens, on any address but that of a Unix-domain socket. False: `why` is the reason.
  bool open(const SocketAddress& where, const ListenOptions& options, std::string& why);
  /// The same for a Unix-domain socket. A path on which no process listens any more is taken over.
  bool open_path(const SocketAddress& where, const ListenOptions& options, std::string& why);
  /// The first address that can be listened on.
  bool open_any(std::span<const SocketAddress> where, const ListenOptions& options, std::string& why);

  /// Blocks for the next connection, which comes back blocking. No descriptor: the listener was shut down.
  Descriptor accept(SocketAddress& peer) noexcept;
  /// The same without waiting. No descriptor: there is no connection, or is_shut_down().
  Descriptor accept_now(SocketAddress& peer) noexcept;
  bool is_shut_down() const noexcept { return shut_.load(std::memory_order_acquire); }

  /// Stops listening, wakes threads that accept, removes the Unix path. Peers are refused from now on, and those that have connected
  /// but were not accepted see the end of the connection. Idempotent.
  void shut_down() noexcept TENON_EXCLUDES(closing_);
  /// Gives its descriptors back; called once no thread accepts any more. Another one may be within shut_down() still, as when that woke
  /// the thread that closes. address() stays.
  void close() noexcept TENON_EXCLUDES(closing_);

  int descriptor() const noexcept { return socket_.get(); }
  /// The address that the socket is bound to; its port is the one that the system chose, if any could be chosen.
  const SocketAddress& address() const noexcept { return address_; }

 private:
  bool settled(bool open) noexcept;
  bool make_sockets(const SocketAddress& where, const ListenOptions& options, std::string& why);
  bool bind(const SocketAddress& where, std::string& why);
  bool bind_path(const SocketAddress& where, const ListenOptions& options, std::string& why);
  bool listen(const SocketAddress& where, const ListenOptions& options, std::string& why);
  bool clear_stale_path(const SocketAddress& where, std::string& why);
  void stop_listening() noexcept TENON_REQUIRES(closing_);
  static void leave_path(Listener& own) noexcept TENON_REQUIRES(own.closing_);
  Descriptor take_connection(SocketAddress& peer) noexcept;
  void refuse_one() noexcept;
  bool take_reserve() noexcept;

  Descriptor socket_;
  Descriptor wake_;  // an eventfd that becomes readable for good
  Mutex closing_;    // held while it is shut down or closed; those that accept take it only for the reserve
  Descriptor reserve_ TENON_GUARDED_BY(closing_);
  std::atomic<bool> reserve_lost_{false};
  SocketAddress address_;
  std::atomic<bool> shut_{false};
  // What shut_down() does with a Unix-domain socket besides; a pointer, so that a program which listens on TCP alone links none.
  void (*leave_)(Listener&) noexcept = nullptr;
  std::uint64_t path_device_ = 0;  // identity of the Unix path that we made
  std::uint64_t path_inode_ = 0;
};

}  // namespace tenon::net
