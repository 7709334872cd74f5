// SPDX-License-Identifier: Apache-2.0
//
// What both halves of a connection share: sending whole messages, admitting what comes in, and ending.
#include "connection.hpp"

#include <algorithm>
#include <utility>

#include "base/error_text.hpp"
#include "base/joined.hpp"
#include "base/log.hpp"
#include "base/minor_codes.hpp"
#include "giop/control.hpp"
#include "test_hooks.hpp"

namespace tenon::giop {

namespace {

/// How long a connection that closes tries to send what it has buffered.
constexpr std::uint32_t last_flush_ms = 1000;

}  // namespace

namespace {

Side side_of(protocol::Role role) noexcept {
  return role == protocol::Role::originator ? Side::originator : Side::acceptor;
}

SessionOptions session_options(protocol::Role role, const protocol::MessagingOptions& options) {
  return {.side = side_of(role),
          .bidirectional = options.offers_bidirectional,
          .minor = options.highest_minor,
          .native = options.native,
          .unstated_chars = options.unstated_chars,
          .unstated_wchars = options.unstated_wchars,
          .prefer_utf8 = options.prefer_utf8};
}

}  // namespace

constinit std::atomic<Complain*> complaints{nullptr};

void note(LogLevel level, std::initializer_list<std::string_view> texts) noexcept {
  if (log_enabled(level)) log(level, "giop", joined(texts));
}

void Connection::note_of_peer(LogLevel level, std::string_view before, std::string_view after,
                              std::string_view more) const noexcept {
  if (log_enabled(level)) note(level, {before, transport_->peer(), after, more});
}

namespace {

/// An acceptor waits for requests as long as none comes; it gets a time-out when one comes in parts (Receiver). Each sleep with a time-out makes
/// the kernel set a timer and take it back: about a hundredth of an empty call.
std::uint32_t receive_ms(protocol::Role role, const protocol::ConnectionLimits& limits) noexcept {
  return role == protocol::Role::acceptor ? 0 : limits.receive_timeout_ms;
}

}  // namespace

Connection::Connection(std::unique_ptr<protocol::Transport> transport, protocol::Role role,
                       const protocol::MessagingOptions& options, const Receiver::LargeRequests* large,
                       Outbox::Input* input)
    : transport_(std::move(transport)),
      options_(options),
      side_(side_of(role)),
      offers_(options.offers_bidirectional && role == protocol::Role::originator),
      receiver_(*transport_, options, receive_ms(role, options.limits), requests_come_in() ? large : nullptr),
      outbox_(*transport_, life_, options_.limits.fragment_above, options_.limits.send_timeout_ms, input),
      session_(session_options(role, options)),
      usual_type_(role == protocol::Role::acceptor ? MessageType::request : MessageType::reply) {
  transport_->set_timeouts(options.limits.send_timeout_ms, receive_ms(role, options.limits));
}

Connection::~Connection() { transport_->shut_down(); }

void Connection::send_control(ByteView message, Outbox::Courtesy how, Deadline by) noexcept {
  if (outbox_.send_control(message, how, by).sent == Outbox::Sent::part && end_use()) transport_->shut_down();
}

bool Connection::admit_other(const CheckedHeader& header) noexcept {
  Status received;
  bool open = true;
  bool ends_here = false;
  {
    const LockGuard lock(state_mutex_);
    received = session_.received(header);
    open = session_.open();
    if (received && open && header->type == usual_type_) admitted_minor_ = header->minor;
    if (received && header->type == MessageType::request)
      set_server_format(session_.server_format(header->minor));
    if (received && !open) ends_here = end_use();
  }
  if (!received) {
    malformed();
    return false;
  }
  if (open) return true;
  fail_calls();
  if (ends_here) transport_->shut_down();
  return false;
}

/// The peer has sent something that is not allowed: tells it so, and ends the connection.
void Connection::malformed() noexcept {
  const Error why =
      receiver_.fault() == HeaderFault::none ? errors::unexpected_message : error_of(receiver_.fault());
  Complain* const complain = complaints.load(std::memory_order_relaxed);
  std::string complaint = complain == nullptr ? std::string() : complain(why, receiver_);
  note_of_peer(LogLevel::warning, "malformed or forbidden message from ", complaint.empty() ? "" : ": ",
               complaint);
  {
    const LockGuard lock(state_mutex_);
    // A message above our own limit is no fault of the peer's: for calls the connection is lost.
    if (why.id == SystemException::comm_failure) session_.broken(why);
    if (complaint_.empty()) complaint_ = std::move(complaint);
  }
  send_control(message_error(std::min(options_.highest_minor, highest_minor)));
  lose(Ending::lost);
}

std::string Connection::complaint() const {
  const LockGuard lock(state_mutex_);
  return complaint_;
}

/// Requests of the peer that wait for their turn hold all the memory that they may. Called by the thread that reads.
void Connection::refuse_more() noexcept {
  admitted_minor_ = 0xFF;  // messages that have come already are not admitted either
  if (!usable()) return;
  note_of_peer(LogLevel::warning, "no memory left for requests from ",
               " (-ORBMemory, -ORBMemoryPerConnection)");
  send_control(message_error(std::min(options_.highest_minor, highest_minor)));
  lose(Ending::lost);
}

void Connection::close_by(Deadline by) noexcept {
  if (!by.is_never()) goodbye_by_.store(by.ns());
  if (life_.close()) finish_close();
}

/// No call may begin here and then fail because it came too late: calls of this side see that the table holds a call in flight, and then
/// that the connection is not usable. Requests of the peer that come now are not executed, and CloseConnection tells the peer so.
bool Connection::close_if_idle() noexcept {
  if (!hold_calls()) return false;
  bool says_so = false;
  bool closing = false;
  std::uint8_t minor = 0;
  {
    const LockGuard lock(state_mutex_);
    closing = session_.open() && !session_.options().bidirectional && life_.close_if_idle();
    if (closing) says_so = begin_closing(minor);
  }
  if (!closing) {
    let_calls_go();
    return false;
  }
  log_end(0);
  say_goodbye(says_so, minor, Deadline::never());
  return true;
}

/// Returns whether the peer is to be told. `minor`: in which version of GIOP.
bool Connection::begin_closing(std::uint8_t& minor) noexcept {
  const bool says_so = session_.closing();
  minor = session_.highest_used();
  settled_.store(nullptr, std::memory_order_release);
  return says_so;
}

/// Called, like say_goodbye(), by the thread to which LifeCycle has said that the connection is closing.
void Connection::finish_close() noexcept {
  bool says_so = false;
  std::uint8_t minor = 0;
  {
    const LockGuard lock(state_mutex_);
    says_so = begin_closing(minor);
  }
  fail_calls();
  say_goodbye(says_so, minor, Deadline::at(goodbye_by_.load()));
}

void Connection::say_goodbye(bool says_so, std::uint8_t minor, Deadline by) noexcept {
  (void)flush(earlier(by, Deadline::after_ms(last_flush_ms)));
  if (auto* const hook = test_hooks.before_goodbye.load(std::memory_order_relaxed)) [[unlikely]]
    hook(by);
  if (says_so) send_control(close_connection(minor), Outbox::Courtesy::last, by);
  transport_->shut_down();
  life_.closed();
  drop_buffered();
}

void Connection::log_end(int os_error) const noexcept {
  if (!log_enabled(LogLevel::debug)) return;
  const bool is_lost = os_error != 0;
  note_of_peer(LogLevel::debug, "connection with ", is_lost ? " is lost: " : " ends",
               is_lost ? os_error_text(os_error) : std::string());
}

// --- peers that stop in the middle of a message, while no thread reads ---

namespace {

/// How often the clock looks. It may keep a connection that has ended for as long as this.
constexpr std::int64_t look_every_ns = 1'000'000'000;

}  // namespace

/// A thread that has read calls this before it stops reading.
void Connection::watch_unfinished() noexcept {
  if (const Deadline by = receiver_.unfinished_by(); !by.is_never()) watch_by(by);
}

/// Has the clock look at that time, or before.
void Connection::watch_by(Deadline by) noexcept {
  if (!usable() || options_.clock == nullptr || watched_.exchange(true)) return;
  const Deadline soon = Deadline::after_ns(look_every_ns);
  if (!options_.clock->watch(*this, by.expired() ? soon : earlier(by, soon))) watched_.store(false);
}

/// False also when octets have come that no thread has read yet: that delay is not the peer's fault.
bool Connection::too_late_at(Deadline by) const noexcept {
  return by.expired() && !transport_->wait(Deadline::immediately());
}

void Connection::find_stall(Deadline late, bool waits_for_these) noexcept {
  watched_.store(false);
  if (!usable()) return;
  const Deadline unfinished = receiver_.unfinished_by();
  if (too_late_at(unfinished)) return lose(Ending::stalled);
  if (waits_for_these && too_late_at(late)) return lose(Ending::lost);
  if (const Deadline next = earlier(unfinished, late); !next.is_never()) watch_by(next);
}

void Connection::abort() noexcept { lose(Ending::lost); }

void Connection::lose(Ending ending, int os_error) noexcept {
  if (usable() && ending == Ending::stalled)
    note_of_peer(LogLevel::warning, {}, " has stopped in the middle of a message");
  const bool ends_here = end_use(os_error);
  {
    const LockGuard lock(state_mutex_);
    if (ending == Ending::lost || ending == Ending::stalled) session_.lost(ending);
  }
  fail_calls();
  if (ends_here) transport_->shut_down();
  drop_buffered();
  if (options_.bidirectional && !offers_) options_.bidirectional->ended(*this);
}

/// Nothing can be sent any more. What the peer sent before it closed can still be read, and may be CloseConnection: calls in flight learn
/// from the thread that reads what has become of them.
void Connection::send_failed(int os_error) noexcept {
  if (end_use(os_error)) transport_->shut_down();
  drop_buffered();
}

/// True: the caller is the one to shut the transport down.
bool Connection::end_use(int os_error) noexcept {
  int none = 0;  // the first failure is the one that explains the others
  os_error_.compare_exchange_strong(none, os_error, std::memory_order_relaxed);
  if (!life_.lose()) return false;
  settled_.store(nullptr, std::memory_order_release);
  log_end(os_error);
  return true;
}

void Connection::fail_calls() noexcept {
  Error why;
  {
    const LockGuard lock(state_mutex_);
    settled_.store(nullptr, std::memory_order_release);
    why = session_.outcome(true);
  }
  end_calls(why);
}

}  // namespace tenon::giop
