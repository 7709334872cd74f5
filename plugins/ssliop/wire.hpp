// SPDX-License-Identifier: Apache-2.0
//
// The socket below a TLS session, as a BIO of OpenSSL: it never waits (who waits gives it what came), raises no SIGPIPE, and keeps what the
// kernel does not take, so that OpenSSL is never in the middle of a record when it is called. Not the session itself.
//
// Threads: one at a time; the transport above has the lock.
#pragma once

#include <openssl/bio.h>

#include <cstddef>
#include <cstdint>
#include <memory>

#include "base/bytes.hpp"

namespace tenon::ssliop {

class Wire {
 public:
  /// So many octets are kept at most: a record, and what TLS itself has to say. What goes beyond that has to wait.
  static constexpr std::size_t most_kept = 64 * 1024;

  /// The socket stays its owner's.
  explicit Wire(int socket) noexcept : socket_(socket) {}
  Wire(const Wire&) = delete;
  Wire& operator=(const Wire&) = delete;

  /// Null: there is no memory. The caller's; it must not outlive this object.
  BIO* make_bio() noexcept;

  /// Sends what is kept, as far as the kernel takes it. True: nothing is kept any more.
  bool flush() noexcept;
  bool is_clear() const noexcept { return kept_to_ == kept_from_; }
  /// What has been received from the socket meanwhile: it is read before anything else, and stays where it is until then. `room`: how much
  /// could have come. None is left from the time before.
  void arrived(ByteView octets, std::size_t room) noexcept {
    arrived_ = octets;
    drained_ = octets.size() < room;
  }
  /// Whether some of that has not been read yet.
  bool has_arrived() const noexcept { return !arrived_.empty(); }
  /// Receiving has failed meanwhile; an errno.
  void failed(int error) noexcept { error_ = error; }
  /// The errno of the system call that failed; 0: none has.
  int error() const noexcept { return error_; }
  /// The kernel had nothing more when it was read last. Else there may be octets that an edge-triggered poller does not report again.
  bool is_drained() const noexcept { return drained_ && arrived_.empty(); }
  /// The peer's octets have come to an end.
  bool ended() const noexcept { return ended_; }

 private:
  static Wire& of(BIO* bio) noexcept;
  static int write(BIO* bio, const char* octets, std::size_t size, std::size_t* written) noexcept;
  static int read(BIO* bio, char* into, std::size_t size, std::size_t* came) noexcept;
  static long control(BIO* bio, int command, long number, void* pointer) noexcept;
  static BIO_METHOD* method() noexcept;

  std::size_t send(ByteView octets) noexcept;
  bool keep(ByteView octets) noexcept;

  const int socket_;
  int error_ = 0;
  bool ended_ = false;
  bool drained_ = true;
  ByteView arrived_;
  std::unique_ptr<std::uint8_t[]> kept_;  // of most_kept octets, while there are some
  std::size_t kept_from_ = 0;
  std::size_t kept_to_ = 0;
};

}  // namespace tenon::ssliop
