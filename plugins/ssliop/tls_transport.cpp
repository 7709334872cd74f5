// SPDX-License-Identifier: Apache-2.0
#include "plugins/ssliop/tls_transport.hpp"

#include <openssl/err.h>
#include <openssl/x509v3.h>
#include <poll.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>
#include <utility>

#include "net/address.hpp"
#include "net/wait.hpp"

namespace tenon::ssliop {

using protocol::Handshake;
using protocol::Io;
using protocol::Transfer;

namespace {

/// A record of TLS holds so much.
constexpr std::size_t largest_record = SSL3_RT_MAX_PLAIN_LENGTH;
/// A first piece of this size goes by itself, without being copied to those behind it.
constexpr std::size_t goes_alone = 8192;
/// Who expects much receives up to four records by one system call.
constexpr std::size_t most_received = std::size_t{4} * SSL3_RT_MAX_PACKET_SIZE;
/// After so much a sender lets a receiver have the session.
constexpr std::size_t most_in_turn = 8 * largest_record;

Deadline by_default(Deadline deadline, std::uint32_t ms) noexcept {
  return deadline.is_never() && ms != 0 ? Deadline::after_ms(ms) : deadline;
}

/// What OpenSSL's calls want before them, in this thread: to look is a tenth of what it costs to clear what is clear.
void forget_errors() noexcept {
  if (::ERR_peek_error() != 0) ::ERR_clear_error();
}

/// By which octets are known again (FNV-1a).
std::uint64_t sum_of(ByteView octets) noexcept {
  std::uint64_t sum = 14695981039346656037U;
  for (const std::uint8_t each : octets) sum = (sum ^ each) * 1099511628211U;
  return sum;
}

}  // namespace

TlsTransport::TlsTransport(std::unique_ptr<protocol::Transport> tcp, std::shared_ptr<const Context> context,
                           Side side)
    : tcp_(std::move(tcp)),
      context_(std::move(context)),
      side_(side),
      socket_(tcp_->poll_descriptor().value_or(-1)),
      wire_(socket_),
      session_(::SSL_new(context_->tls.get())) {}

std::unique_ptr<protocol::Transport> TlsTransport::over(std::unique_ptr<protocol::Transport> tcp,
                                                        std::shared_ptr<const Context> context, Side side,
                                                        std::string_view host, Trust trust,
                                                        std::string_view session_with) {
  std::unique_ptr<TlsTransport> made(new TlsTransport(std::move(tcp), std::move(context), side));
  if (made != nullptr) made->session_with_ = session_with;
  if (made != nullptr && !made->begin(host, trust)) made.reset();
  return made;
}

bool TlsTransport::begin(std::string_view host, Trust trust) {
  const LockGuard lock(mutex_);
  BIO* const bio = session_ ? wire_.make_bio() : nullptr;
  if (bio == nullptr) return false;
  SSL* const session = session_.get();
  ::SSL_set_bio(session, bio, bio);  // which the session frees
  SSL_set_app_data(session, this);
  const Settings& settings = context_->settings;
  if (side_ == Side::connects) {
    const bool verifies =
        trust == Trust::as_configured ? settings.verify != Verify::none : trust == Trust::verified;
    ::SSL_set_connect_state(session);
    ::SSL_set_verify(session, verifies ? SSL_VERIFY_PEER : SSL_VERIFY_NONE, note_verified);
    if (verifies && settings.ocsp != Ocsp::off) SSL_set_tlsext_status_type(session, TLSEXT_STATUSTYPE_ocsp);
    if (!verify_as(host, verifies)) return false;
    resume();
    return true;
  }
  ::SSL_set_accept_state(session);
  const int mode = settings.verify == Verify::required ? SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT
                   : settings.asks_clients()           ? SSL_VERIFY_PEER
                                                       : SSL_VERIFY_NONE;
  ::SSL_set_verify(session, mode, note_verified);
  return true;
}

/// Without one that may be resumed, the handshake is a whole one.
void TlsTransport::resume() {
  if (session_with_.empty() || !context_->settings.resumption) return;
  const Sessions::Found found = context_->sessions->take(session_with_);
  if (found.session) ::SSL_set_session(session_.get(), found.session.get());
  resumed_until_ = found.until;
  verified_until_ = Deadline::after_ms(std::int64_t{resumable_s} * 1000);
}

/// A ticket that comes from a session which was resumed does not live longer than that.
int keep_session(SSL* session, SSL_SESSION* given) {
  auto* const transport = static_cast<TlsTransport*>(SSL_get_app_data(session));
  if (transport == nullptr || transport->side_ == Side::accepts || transport->session_with_.empty()) return 0;
  const bool again = ::SSL_session_reused(session) == 1;
  // What runs this holds the mutex.
  [transport, given, again]() TENON_NO_THREAD_SAFETY_ANALYSIS {
    transport->context_->sessions->keep(transport->session_with_, TlsSession(given),
                                        again ? transport->resumed_until_ : transport->verified_until_);
  }();
  return 1;
}

/// The server may have certificates for several names, so it is told which one is meant; it is never told numbers (RFC 6066 §3).
bool TlsTransport::verify_as(std::string_view host, bool verifies) {
  host_ = host;
  const Settings& settings = context_->settings;
  const bool numbers = net::in_numbers(host);
  if (!numbers && ::SSL_set_tlsext_host_name(session_.get(), host_.c_str()) != 1) return false;
  if (!settings.verify_host || !verifies) return true;
  X509_VERIFY_PARAM* const wanted = ::SSL_get0_param(session_.get());
  ::X509_VERIFY_PARAM_set_hostflags(wanted, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
  return (numbers ? ::X509_VERIFY_PARAM_set1_ip_asc(wanted, host_.c_str())
                  : ::X509_VERIFY_PARAM_set1_host(wanted, host_.data(), host_.size())) == 1;
}

void TlsTransport::set_timeouts(std::uint32_t send_ms, std::uint32_t receive_ms) {
  send_ms_ = send_ms;
  receive_ms_ = receive_ms;
  tcp_->set_timeouts(send_ms, receive_ms);
}

bool TlsTransport::set_receive_timeout(std::uint32_t ms) {
  if (!tcp_->set_receive_timeout(ms)) return false;
  receive_ms_ = ms;
  return true;
}

Handshake TlsTransport::handshake(Deadline deadline, std::string& why) {
  for (;;) {
    Handshake come = Handshake::done;
    if (!is_done()) {
      const LockGuard lock(mutex_);
      come = step(why);
    }
    if (come == Handshake::done || come == Handshake::failed || deadline.is_immediate()) return come;
    if (!net::wait_for(socket_, come == Handshake::wants_input ? POLLIN : POLLOUT, deadline)) return come;
  }
}

Handshake TlsTransport::step(std::string& why) {
  if (!wire_.flush() && wire_.error() == 0) return Handshake::wants_output;
  ::ERR_clear_error();
  const int done = ::SSL_do_handshake(session_.get());
  const int result = ::SSL_get_error(session_.get(), done);
  const unsigned long code = ::ERR_peek_last_error();
  if (done == 1 || result == SSL_ERROR_WANT_READ || result == SSL_ERROR_WANT_WRITE) {
    const bool clear = wire_.flush();
    if (wire_.error() == 0) {
      if (!clear || result == SSL_ERROR_WANT_WRITE) return Handshake::wants_output;
      if (done != 1) return Handshake::wants_input;
      note_unseen();
      owes_ticket_ = side_ == Side::accepts && context_->settings.resumption &&
                     ::SSL_version(session_.get()) >= TLS1_3_VERSION;
      done_.store(true, std::memory_order_release);
      return Handshake::done;
    }
  }
  why = refusal(code);
  ::ERR_clear_error();
  static_cast<void>(wire_.flush());  // what this side says of it
  return Handshake::failed;
}

/// What is left of pieces that are being sent.
class TlsTransport::Rest {
 public:
  explicit Rest(std::span<const cdr::Piece> gather) noexcept : pieces_(gather) { skip(0); }
  bool empty() const noexcept { return pieces_.empty(); }
  void skip(std::size_t count) noexcept {
    begun_ += count;
    while (!pieces_.empty() && begun_ >= pieces_.front().size) {
      begun_ -= pieces_.front().size;
      pieces_ = pieces_.subspan(1);
    }
  }
  /// Those in front, copied behind each other; `most` at most.
  ByteView gathered(std::span<std::uint8_t, largest_record> into, std::size_t most) const noexcept {
    std::size_t count = 0;
    for (Rest rest = *this; !rest.empty() && count != most;) {
      const ByteView next = rest.front();
      const std::size_t here = std::min(next.size(), most - count);
      std::memcpy(into.data() + count, next.data(), here);
      count += here;
      rest.skip(here);
    }
    return into.first(count);
  }
  /// The octets of the next record, which are gathered in `room` where they come from several pieces.
  ByteView record(std::span<std::uint8_t, largest_record> room) const noexcept {
    const ByteView all = front();
    if (pieces_.size() != 1 && all.size() < goes_alone) return gathered(room, largest_record);
    return all.first(std::min(all.size(), largest_record));
  }

 private:
  ByteView front() const noexcept {
    return ByteView(pieces_.front().data, pieces_.front().size).subspan(begun_);
  }

  std::span<const cdr::Piece> pieces_;
  std::size_t begun_ = 0;  // of the first piece
};

/// Makes one record, whose octets are owed until the kernel has all of it.
bool TlsTransport::encrypt(ByteView octets) {
  forget_errors();
  // It goes out with the first answer: a client that closes before it has read a ticket would reset the connection, and the last octets that
  // it has sent might be lost.
  if (owes_ticket_ && has_received_) {
    owes_ticket_ = false;
    ::SSL_new_session_ticket(session_.get());
  }
  return ::SSL_write_ex(session_.get(), octets.data(), octets.size(), &owed_) == 1;
}

Transfer TlsTransport::send(std::span<const cdr::Piece> gather, Deadline deadline) {
  if (!is_done()) return {Io::failed, 0, ENOTCONN};
  const Deadline until = by_default(deadline, send_ms_);
  // A message begins when there is room, so that a record is seldom owed when time is up. Behind what has been answered there is.
  if (!answered_.exchange(false, std::memory_order_relaxed) && !net::wait_for(socket_, POLLOUT, until))
    return {Io::timed_out, 0, 0};
  if (gather.size() == 1 && gather.front().size <= goes_alone) {
    if (const auto sent = send_record(ByteView(gather.front().data, gather.front().size))) return *sent;
  }
  return send_records(gather, until);
}

/// A small message that is in one place, where nothing is in its way. nullopt: send_records() goes on.
std::optional<Transfer> TlsTransport::send_record(ByteView octets) {
  const LockGuard lock(mutex_);
  if (octets.empty() || owed_ != 0 || !wire_.is_clear() || wire_.error() != 0) return std::nullopt;
  if (!encrypt(octets)) return failure();
  if (wire_.is_clear() && wire_.error() == 0) return Transfer{Io::ok, std::exchange(owed_, 0), 0};
  owed_sum_ = sum_of(octets.first(owed_));
  return std::nullopt;
}

/// Apart from send(), since a large frame on the stack costs a small message some 0.2 us.

Transfer TlsTransport::send_records(std::span<const cdr::Piece> gather, Deadline until) {
  std::uint8_t room[largest_record];
  Rest rest(gather);
  std::size_t sent = 0;
  LockGuard lock(mutex_);
  if (owed_ != 0 && sum_of(rest.gathered(room, owed_)) != owed_sum_) return {Io::failed, 0, EPROTO};
  for (;;) {
    const bool clear = wire_.flush();
    if (wire_.error() != 0) return failure();
    if (clear) {
      const std::size_t gone = std::exchange(owed_, 0);
      sent += gone;
      rest.skip(gone);
      if (rest.empty() || sent >= most_in_turn) return {Io::ok, sent, 0};
      if (!encrypt(rest.record(room))) return failure();
      continue;
    }
    lock.unlock();
    const bool goes_on = net::wait_for(socket_, POLLOUT, until);
    lock.lock();
    if (goes_on) continue;
    if (owed_ != 0) owed_sum_ = sum_of(rest.gathered(room, owed_));
    return sent != 0 ? Transfer{Io::ok, sent, 0} : Transfer{Io::timed_out, 0, 0};
  }
}

/// In the session, or in the kernel behind a read that took all that it had asked for: a receive that brings less than its room says
/// nothing about either, as it ends with a record.
void TlsTransport::note_unseen() {
  const bool more = ::SSL_has_pending(session_.get()) == 1 || !wire_.is_drained();
  unseen_.store(more, std::memory_order_release);
}

/// Whether a read would find nothing as long as the socket has nothing: the last one emptied it, and so did the session.
bool TlsTransport::is_empty() const {
  return wire_.is_drained() && ::SSL_has_pending(session_.get()) == 0 &&
         ::SSL_get_shutdown(session_.get()) == 0;
}

/// OpenSSL's buffers come and go with each message where a poller waits for many connections that rest. Where a thread waits for this one
/// alone they stay.
void TlsTransport::keep_buffers(bool keep) {
  if (keep == keeps_buffers_) return;
  keeps_buffers_ = keep;
  if (keep) {
    ::SSL_clear_mode(session_.get(), SSL_MODE_RELEASE_BUFFERS);
  } else {
    ::SSL_set_mode(session_.get(), SSL_MODE_RELEASE_BUFFERS);
  }
}

/// Waits for a record and receives the front of it by one system call: all of it where it is small, and what is there of several where much
/// is `expected`. Sending goes on meanwhile. False: the deadline has passed.
bool TlsTransport::await_octets(std::size_t expected, Deadline deadline) {
  if (expected >= largest_record && !many_octets_)
    many_octets_.reset(new (std::nothrow) std::uint8_t[most_received]);
  const MutableBytes room =
      many_octets_ ? MutableBytes(many_octets_.get(), most_received) : MutableBytes(first_octets_);
  const Transfer came = tcp_->receive(room, deadline);
  const LockGuard lock(mutex_);
  waits_ = false;
  if (came.result == Io::timed_out) return false;
  if (came.result == Io::failed && came.os_error != ESHUTDOWN) wire_.failed(came.os_error);
  if (came.result == Io::ok) wire_.arrived(room.first(came.bytes), room.size());
  return true;
}

Transfer TlsTransport::receive(MutableBytes into, Deadline deadline) {
  if (!is_done()) return {Io::failed, 0, ENOTCONN};
  const Deadline until = by_default(deadline, receive_ms_);
  for (bool first = !deadline.is_immediate();; first = false) {
    short events = POLLIN;
    {
      LockGuard lock(mutex_);
      keep_buffers(!deadline.is_immediate());
      // What TLS itself has to say goes out without waiting; a record of the program's is the sender's.
      if (owed_ == 0 && !wire_.flush() && wire_.error() == 0) events |= POLLOUT;
      if (first && is_empty()) {
        unseen_.store(false, std::memory_order_release);
        waits_ = events == POLLIN;
        lock.unlock();
        if (!(events == POLLIN ? await_octets(into.size(), deadline) : net::wait_for(socket_, events, until)))
          return {Io::timed_out, 0, 0};
        continue;
      }
      forget_errors();
      std::size_t came = 0;
      if (::SSL_read_ex(session_.get(), into.data(), into.size(), &came) == 1) {
        has_received_ = true;
        answered_.store(true, std::memory_order_relaxed);
        note_unseen();
        if (!wire_.has_arrived()) many_octets_.reset();
        return {Io::ok, came, 0};
      }
      unseen_.store(false, std::memory_order_release);
      if (::SSL_get_error(session_.get(), 0) != SSL_ERROR_WANT_READ) return failure();
    }
    if (deadline.is_immediate() || !net::wait_for(socket_, events, until)) return {Io::timed_out, 0, 0};
  }
}

bool TlsTransport::wait(Deadline deadline) {
  const Deadline until = by_default(deadline, receive_ms_);
  for (;;) {
    if (is_done()) {
      const LockGuard lock(mutex_);
      ::ERR_clear_error();
      std::uint8_t octet = 0;
      std::size_t there = 0;
      if (::SSL_peek_ex(session_.get(), &octet, 1, &there) == 1) {
        unseen_.store(true, std::memory_order_release);
        return true;
      }
      if (::SSL_get_error(session_.get(), 0) != SSL_ERROR_WANT_READ) return true;
    }
    if (!net::wait_for(socket_, POLLIN, until)) return false;
    if (!is_done()) return true;
  }
}

/// Of the call of OpenSSL that was made last. To be called with its errors in the thread's queue.
Transfer TlsTransport::failure() {
  const unsigned long code = ::ERR_peek_last_error();
  const bool in_order = code == 0 && wire_.error() == 0;
  if (wire_.error() == EPIPE || wire_.error() == ECONNRESET) {
    hear_refusal();
  } else if (!in_order) {
    note_refusal(code);
  }
  ::ERR_clear_error();
  if (shut_.load(std::memory_order_relaxed)) return {Io::failed, 0, ESHUTDOWN};
  if (in_order) return {Io::closed, 0, 0};
  return {Io::failed, 0, wire_.error() != 0 ? wire_.error() : EPROTO};
}

/// Those of other servers come behind the handshake: unread ones would reset the connection. A receiver that waits reads them itself.
void TlsTransport::hear_tickets() {
  if (has_received_ || waits_ || side_ == Side::accepts) return;
  std::uint8_t octet = 0;
  std::size_t there = 0;
  ::SSL_peek_ex(session_.get(), &octet, 1, &there);
}

/// Says that the connection ends, if that can be said now: what is owed would be cut.
void TlsTransport::shut_down() noexcept {
  if (!shut_.exchange(true, std::memory_order_relaxed)) {
    const LockGuard lock(mutex_);
    if (is_done() && owed_ == 0 && wire_.is_clear()) {
      ::ERR_clear_error();
      ::SSL_shutdown(session_.get());
      hear_tickets();
      ::ERR_clear_error();
    }
  }
  tcp_->shut_down();
}

}  // namespace tenon::ssliop
