// SPDX-License-Identifier: Apache-2.0
//
// A TLS session over a TCP transport. The TCP transport owns the socket and knows its names; octets go through the session alone.
//
// A record that the kernel has not taken entirely is owed: its octets count as moved once it has, so what was not counted never arrives.
// Who was told that nothing has moved and then sends something else ends the connection.
//
// Threads: as Transport asks. The session is used under a mutex, which is not held while a thread waits for the socket.
#pragma once

#include <openssl/ssl.h>

#include <array>
#include <atomic>
#include <memory>
#include <optional>
#include <string>

#include "base/thread_annotations.hpp"
#include "plugins/ssliop/context.hpp"
#include "plugins/ssliop/wire.hpp"
#include "protocol/transport.hpp"

namespace tenon::ssliop {

enum class Side : std::uint8_t { connects, accepts };

/// Whether a connecting side verifies its peer.
enum class Trust : std::uint8_t { as_configured, none, verified };

/// For SSL_CTX_set_verify(): has the transport remember which certificate was refused, and why.
int note_verified(int good, X509_STORE_CTX* chain);

/// For SSL_CTX_set_tlsext_status_cb(): a server shows its OCSP response, a client judges what it is shown.
int note_ocsp(SSL* session, void*);

/// For SSL_CTX_sess_set_new_cb(): a client keeps what its server has given it.
int keep_session(SSL* session, SSL_SESSION* given);

class TlsTransport final : public protocol::Transport {
 public:
  /// Null: there is no memory. `host`: of a connecting side, whom the reference or the URL names; the peer's certificate must be for it.
  /// `session_with`: of a connecting side, by which its sessions with that peer are found again; empty: none is resumed.
  static std::unique_ptr<protocol::Transport> over(std::unique_ptr<protocol::Transport> tcp,
                                                   std::shared_ptr<const Context> context, Side side,
                                                   std::string_view host, Trust trust = Trust::as_configured,
                                                   std::string_view session_with = {});

  protocol::Handshake handshake(Deadline deadline, std::string& why) override TENON_EXCLUDES(mutex_);
  protocol::Transfer send(std::span<const cdr::Piece> gather, Deadline deadline) override
      TENON_EXCLUDES(mutex_);
  protocol::Transfer receive(MutableBytes into, Deadline deadline) override TENON_EXCLUDES(mutex_);
  bool wait(Deadline deadline) override TENON_EXCLUDES(mutex_);
  std::optional<int> poll_descriptor() const noexcept override { return socket_; }
  bool may_hold_unseen_bytes() const noexcept override { return unseen_.load(std::memory_order_acquire); }
  void set_timeouts(std::uint32_t send_ms, std::uint32_t receive_ms) override;
  bool set_receive_timeout(std::uint32_t ms) override;
  void shut_down() noexcept override TENON_EXCLUDES(mutex_);
  std::string peer() const override { return tcp_->peer(); }
  std::string local() const override { return tcp_->local(); }
  std::int64_t ms_since_send() const noexcept override { return tcp_->ms_since_send(); }
  std::int64_t ms_idle() const noexcept override { return tcp_->ms_idle(); }
  bool identify(protocol::Identity& into) const override TENON_EXCLUDES(mutex_);

 private:
  class Rest;
  friend int note_verified(int good, X509_STORE_CTX* chain);
  friend int note_ocsp(SSL* session, void*);
  friend int keep_session(SSL* session, SSL_SESSION* given);

  struct FreeSession {
    void operator()(SSL* session) const noexcept { ::SSL_free(session); }
  };

  TlsTransport(std::unique_ptr<protocol::Transport> tcp, std::shared_ptr<const Context> context, Side side);
  bool begin(std::string_view host, Trust trust) TENON_EXCLUDES(mutex_);
  void resume() TENON_REQUIRES(mutex_);
  void hear_tickets() TENON_REQUIRES(mutex_);
  bool verify_as(std::string_view host, bool verifies) TENON_REQUIRES(mutex_);

  bool is_done() const noexcept { return done_.load(std::memory_order_acquire); }
  protocol::Handshake step(std::string& why) TENON_REQUIRES(mutex_);
  bool encrypt(ByteView octets) TENON_REQUIRES(mutex_);
  std::optional<protocol::Transfer> send_record(ByteView octets) TENON_EXCLUDES(mutex_);
  protocol::Transfer send_records(std::span<const cdr::Piece> gather, Deadline until) TENON_EXCLUDES(mutex_);
  protocol::Transfer failure() TENON_REQUIRES(mutex_);
  void note_unseen() TENON_REQUIRES(mutex_);
  bool is_empty() const TENON_REQUIRES(mutex_);
  void keep_buffers(bool keep) TENON_REQUIRES(mutex_);
  bool await_octets(std::size_t expected, Deadline deadline) TENON_EXCLUDES(mutex_);
  std::string refusal(unsigned long code) TENON_REQUIRES(mutex_);
  void hear_refusal() TENON_REQUIRES(mutex_);
  void note_refusal(unsigned long code) TENON_REQUIRES(mutex_);

  const std::unique_ptr<protocol::Transport> tcp_;
  const std::shared_ptr<const Context> context_;
  const Side side_;
  const int socket_;
  std::string host_;  // of a connecting side that verifies it
  std::uint32_t send_ms_ = 0;
  std::uint32_t receive_ms_ = 0;
  std::atomic<bool> done_{false};
  std::atomic<bool> shut_{false};
  std::atomic<bool> unseen_{false};
  std::atomic<bool> answered_{false};  // something came since the last send

  mutable Mutex mutex_;
  Wire wire_ TENON_GUARDED_BY(mutex_);
  std::unique_ptr<SSL, FreeSession> session_ TENON_PT_GUARDED_BY(mutex_);
  std::size_t owed_ TENON_GUARDED_BY(mutex_) =
      0;  // octets of a record that the kernel has not taken entirely
  std::uint64_t owed_sum_ TENON_GUARDED_BY(mutex_) = 0;  // by which they are known again
  std::string refused_ TENON_GUARDED_BY(mutex_);         // the certificate that this side did not take
  std::array<std::uint8_t, 1024> first_octets_;          // the receiver's, while it waits
  std::unique_ptr<std::uint8_t[]> many_octets_;          // and while much is expected, until it has been read
  bool waits_ TENON_GUARDED_BY(mutex_) = false;          // in await_octets()
  bool keeps_buffers_ TENON_GUARDED_BY(mutex_) = false;
  bool has_received_ TENON_GUARDED_BY(mutex_) = false;
  bool owes_ticket_ TENON_GUARDED_BY(mutex_) = false;  // to a client of TLS 1.3
  std::string session_with_;                           // constant from begin() on
  // When the peers have to verify each other again, by this handshake and by that of the session which is resumed.
  Deadline verified_until_ TENON_GUARDED_BY(mutex_);
  Deadline resumed_until_ TENON_GUARDED_BY(mutex_);
};

}  // namespace tenon::ssliop
