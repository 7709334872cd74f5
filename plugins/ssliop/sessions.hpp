// SPDX-License-Identifier: Apache-2.0
//
// Sessions that are resumed. A client keeps those that servers have given it, by whom they are with; a server keeps next to nothing, since
// its tickets hold what it has to know. All of it belongs to one context: whoever resumes has the same certificates, authorities, lists and
// options as when the peer was verified, and what was found out then stays with the session.
//
// Threads: any.
#pragma once

#include <openssl/ssl.h>

#include <cstddef>
#include <list>
#include <memory>
#include <string>

#include "base/thread_annotations.hpp"

namespace tenon::ssliop {

struct FreeTlsSession {
  void operator()(SSL_SESSION* it) const noexcept { ::SSL_SESSION_free(it); }
};
using TlsSession = std::unique_ptr<SSL_SESSION, FreeTlsSession>;

/// So long after the peers have verified each other, their sessions may be resumed.
inline constexpr long resumable_s = 300;

/// Of a client.
class Sessions {
 public:
  /// So many are kept in all, and with one peer; the oldest ones go.
  static constexpr std::size_t most = 256;
  static constexpr std::size_t most_with_one = 8;

  struct Found {
    TlsSession session;  ///< null: there is none
    Deadline until;      ///< when the peers have to verify each other again
  };
  /// The newest one with that peer, whose certificate is valid still. One of TLS 1.3 is used once, so that who listens cannot tell that two
  /// connections are of one client (RFC 8446 §C.4).
  Found take(const std::string& peer) TENON_EXCLUDES(mutex_);
  void keep(const std::string& peer, TlsSession session, Deadline until) TENON_EXCLUDES(mutex_);
  std::size_t size() const TENON_EXCLUDES(mutex_);

 private:
  struct Entry {
    std::string peer;
    TlsSession session;
    Deadline until;
  };

  mutable Mutex mutex_;
  std::list<Entry> entries_ TENON_GUARDED_BY(mutex_);  // the newest first
};

/// Sets a context up, whose clients and servers resume sessions.
void allow_resumption(SSL_CTX& context);
/// Sets it up so that none is resumed.
void forbid_resumption(SSL_CTX& context);

}  // namespace tenon::ssliop
