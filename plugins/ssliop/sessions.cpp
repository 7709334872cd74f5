// SPDX-License-Identifier: Apache-2.0
#include "plugins/ssliop/sessions.hpp"

#include <openssl/x509.h>

#include <cstring>
#include <ctime>
#include <utility>

#include "plugins/ssliop/tls_transport.hpp"

namespace tenon::ssliop {
namespace {

constexpr unsigned char sessions_are_of[] = "tenon";

/// The certificate has not run out since it was verified.
bool is_peer_valid(SSL_SESSION* session) {
  const X509* const peer = ::SSL_SESSION_get0_peer(session);
  return peer == nullptr || ::X509_cmp_current_time(::X509_get0_notAfter(peer)) > 0;
}

/// The ticket says when the peers have verified each other. One that is made from another keeps its time.
int stamp_ticket(SSL* session, void*) {
  if (::SSL_session_reused(session) == 1) return 1;
  const std::time_t now = std::time(nullptr);
  return ::SSL_SESSION_set1_ticket_appdata(::SSL_get_session(session), &now, sizeof now);
}

/// Who may not resume does a whole handshake.
SSL_TICKET_RETURN judge_ticket(SSL*, SSL_SESSION* from, const unsigned char*, std::size_t,
                               SSL_TICKET_STATUS status, void*) {
  if (status != SSL_TICKET_SUCCESS && status != SSL_TICKET_SUCCESS_RENEW)
    return SSL_TICKET_RETURN_IGNORE_RENEW;
  void* data = nullptr;
  std::size_t size = 0;
  std::time_t verified = 0;
  ::SSL_SESSION_get0_ticket_appdata(from, &data, &size);
  if (size != sizeof verified) return SSL_TICKET_RETURN_IGNORE_RENEW;
  std::memcpy(&verified, data, sizeof verified);
  const std::time_t age_s = std::time(nullptr) - verified;
  if (age_s < 0 || age_s >= resumable_s || !is_peer_valid(from)) return SSL_TICKET_RETURN_IGNORE_RENEW;
  return status == SSL_TICKET_SUCCESS ? SSL_TICKET_RETURN_USE : SSL_TICKET_RETURN_USE_RENEW;
}

}  // namespace

Sessions::Found Sessions::take(const std::string& peer) {
  const LockGuard lock(mutex_);
  for (auto each = entries_.begin(); each != entries_.end();) {
    if (each->peer != peer) {
      ++each;
      continue;
    }
    SSL_SESSION* const session = each->session.get();
    const bool good =
        !each->until.expired() && ::SSL_SESSION_is_resumable(session) == 1 && is_peer_valid(session);
    if (good && ::SSL_SESSION_get_protocol_version(session) < TLS1_3_VERSION) {
      ::SSL_SESSION_up_ref(session);
      return {TlsSession(session), each->until};
    }
    Entry gone = std::move(*each);
    each = entries_.erase(each);
    if (good) return {std::move(gone.session), gone.until};
  }
  return {};
}

void Sessions::keep(const std::string& peer, TlsSession session, Deadline until) {
  const LockGuard lock(mutex_);
  entries_.push_front({peer, std::move(session), until});
  std::size_t with_one = 0;
  for (auto each = entries_.begin(); each != entries_.end();) {
    const bool old = each->until.expired() || (each->peer == peer && ++with_one > most_with_one);
    each = old ? entries_.erase(each) : std::next(each);
  }
  if (entries_.size() > most) entries_.pop_back();
}

std::size_t Sessions::size() const {
  const LockGuard lock(mutex_);
  return entries_.size();
}

/// Tickets of TLS 1.3 go out with the first octets of the program (TlsTransport::encrypt()), not behind the handshake.
void allow_resumption(SSL_CTX& context) {
  ::SSL_CTX_set_num_tickets(&context, 0);
  SSL_CTX_set_session_cache_mode(&context, SSL_SESS_CACHE_BOTH);
  SSL_CTX_sess_set_cache_size(&context, static_cast<long>(Sessions::most));
  ::SSL_CTX_set_timeout(&context, resumable_s);
  ::SSL_CTX_set_session_id_context(&context, sessions_are_of, sizeof sessions_are_of);
  ::SSL_CTX_sess_set_new_cb(&context, keep_session);
  ::SSL_CTX_set_session_ticket_cb(&context, stamp_ticket, judge_ticket, nullptr);
}

void forbid_resumption(SSL_CTX& context) {
  ::SSL_CTX_set_options(&context, SSL_OP_NO_TICKET);
  ::SSL_CTX_set_num_tickets(&context, 0);
  SSL_CTX_set_session_cache_mode(&context, SSL_SESS_CACHE_OFF);
}

}  // namespace tenon::ssliop
