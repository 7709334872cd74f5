// SPDX-License-Identifier: Apache-2.0
#include "orb/server/handshakes.hpp"

#include <poll.h>

#include <atomic>
#include <string>
#include <utility>

#include "base/joined.hpp"
#include "base/log.hpp"
#include "base/minor_codes.hpp"
#include "base/thread_annotations.hpp"
#include "net/wait.hpp"
#include "orb/orb.hpp"
#include "orb/server/pool_server.hpp"
#include "orb/server/server.hpp"
#include "orb/server/serving.hpp"
#include "orb/threads/attendant.hpp"
#include "orb/threads/reactor.hpp"
#include "orb/threads/reminders.hpp"
#include "protocol/identity.hpp"

namespace tenon::orb {

namespace {

class HandshakingConnection;

/// A peer that is silent for so long in its handshake is idle. One that goes on is not, however short -ORBServerIdle is: a client of TLS
/// 1.3 may have sent its first request before the server is done, and that call would fail.
constexpr std::int64_t hangs_ms = 1000;

/// Ends a handshake that takes too long, where no thread blocks in it. It holds nothing, so that a connection that ends early is gone then.
class TimeLimit final : public Timed {
 public:
  explicit TimeLimit(HandshakingConnection& of) noexcept : of_(&of) {}
  void expired() noexcept override TENON_EXCLUDES(mutex_);
  void let_go() noexcept TENON_EXCLUDES(mutex_) {
    const LockGuard lock(mutex_);
    of_ = nullptr;
  }

 private:
  Mutex mutex_;
  HandshakingConnection* of_ TENON_GUARDED_BY(mutex_);
};

/// Stands in front of an accepted connection: a server serves it in its place. Until the handshake is done, nothing of the connection
/// behind it is used but its transport and its end, so that it neither reads nor sends a message, whatever messaging it is of.
///
///   shaking -> open    the thread that serves: the handshake is done, and everything goes to the connection behind
///   shaking -> ended   whoever ends it: that thread shuts the transport down, and nobody sends anything
///
/// Threads: as protocol::Connection.
class HandshakingConnection final : public protocol::Connection {
 public:
  HandshakingConnection(Ref<protocol::Connection> behind, const Options& options) noexcept
      : behind_(std::move(behind)),
        limit_ms_(options.messaging.limits.message_timeout_ms),
        by_(limit_ms_ == 0 ? Deadline::never() : Deadline::after_ms(limit_ms_)) {}
  ~HandshakingConnection() override {
    if (time_limit_) time_limit_->let_go();
  }

  /// Before it is served, by a server with a poller. False: there is no memory for that.
  bool limit_time(Attendant& attendant) noexcept {
    time_limit_ = make_ref<TimeLimit>(*this);
    if (!time_limit_) return false;
    attendant_ = &attendant;
    attendant.remind(time_limit_, by_);
    return true;
  }
  bool is_limited() const noexcept { return !by_.is_never(); }
  void late() noexcept {
    fail(worded("it was not done within % ms (-ORBMessageTimeout)", {decimal(std::uint64_t{limit_ms_})}));
  }

  // Nobody calls over this one: callers get the connection behind it, when that has taken an offer (bidirectional).
  Status begin(protocol::OutgoingCall&, const protocol::Target&) override {
    return errors::no_connecting_part;
  }
  Status post(protocol::OutgoingCall&) override { return errors::no_connecting_part; }
  void end(protocol::OutgoingCall&) noexcept override {}
  unsigned in_flight() const noexcept override { return behind_->in_flight(); }

  bool usable() const noexcept override { return behind_->usable(); }
  int os_error() const noexcept override { return behind_->os_error(); }
  std::string complaint() const override { return behind_->complaint(); }
  bool has_input() const noexcept override { return is_open() && behind_->has_input(); }
  protocol::Transport& transport() noexcept override { return behind_->transport(); }

  protocol::Served serve(protocol::Dispatcher& dispatcher, Deadline deadline) override {
    if (!is_open()) [[unlikely]] {
      if (const protocol::Served so_far = shake(deadline); so_far != protocol::Served::message) return so_far;
    }
    return behind_->serve(dispatcher, deadline);
  }

  void close() noexcept override { close_by(Deadline::never()); }
  void close_by(Deadline by) noexcept override {
    leave_shaking(Phase::ended) ? behind_->abort() : behind_->close_by(by);
  }
  bool close_if_idle() noexcept override {
    if (is_shaking() && !hangs()) return false;
    if (!leave_shaking(Phase::ended)) return behind_->close_if_idle();
    behind_->abort();
    return true;
  }
  void abort() noexcept override {
    leave_shaking(Phase::ended);
    behind_->abort();
  }

 private:
  enum class Phase : std::uint8_t { shaking, open, ended };

  bool is_shaking() const noexcept { return phase_.load(std::memory_order_acquire) == Phase::shaking; }
  /// What has come and waits for this side is no silence.
  bool hangs() noexcept {
    return transport().ms_idle() >= hangs_ms &&
           !net::wait_for(transport().poll_descriptor().value_or(-1), POLLIN, Deadline::immediately());
  }
  bool is_open() const noexcept { return phase_.load(std::memory_order_acquire) == Phase::open; }
  /// True: this thread has done it.
  bool leave_shaking(Phase to) noexcept {
    Phase from = Phase::shaking;
    if (!phase_.compare_exchange_strong(from, to, std::memory_order_acq_rel)) return false;
    if (time_limit_) attendant_->forget(*time_limit_);
    return true;
  }
  void fail(std::string_view why) noexcept {
    if (!leave_shaking(Phase::ended)) return;
    if (log_enabled(LogLevel::warning))
      log(LogLevel::warning, "orb", worded("no handshake with %: %", {transport().peer(), why}));
    behind_->abort();
  }
  protocol::Served shake(Deadline deadline);
  protocol::Served open();
  void watch_for_room(bool wanted) noexcept;

  const Ref<protocol::Connection> behind_;
  const std::uint32_t limit_ms_;  // 0: none
  const Deadline by_;
  Ref<TimeLimit> time_limit_;       // null: a thread blocks in the handshake, or there is no limit
  Attendant* attendant_ = nullptr;  // stays until the ORB goes, before which every handshake has been ended
  std::atomic<Phase> phase_{Phase::shaking};
  bool wants_room_ = false;  // the poller watches for that; of the thread that serves
};

void TimeLimit::expired() noexcept {
  const LockGuard lock(mutex_);
  if (of_ != nullptr) of_->late();
}

/// Served::message: it is done.
protocol::Served HandshakingConnection::shake(Deadline deadline) {
  if (phase_.load(std::memory_order_acquire) == Phase::ended) return protocol::Served::closed;
  std::string why;
  switch (transport().handshake(earlier(deadline, by_), why)) {
    case protocol::Handshake::done: return open();
    case protocol::Handshake::failed: fail(why); return protocol::Served::closed;
    case protocol::Handshake::wants_input:
      if (by_.expired()) break;
      watch_for_room(false);
      return protocol::Served::idle;
    case protocol::Handshake::wants_output:
      if (by_.expired()) break;
      // A poller that has seen its end would report that peer again and again, and it cannot answer what it has not got yet.
      if (deadline.is_immediate() &&
          net::wait_for(transport().poll_descriptor().value_or(-1), POLLRDHUP, Deadline::immediately())) {
        fail("it has hung up");
        return protocol::Served::closed;
      }
      watch_for_room(deadline.is_immediate());
      return protocol::Served::idle;
  }
  late();
  return protocol::Served::closed;
}

protocol::Served HandshakingConnection::open() {
  if (!leave_shaking(Phase::open)) return protocol::Served::closed;
  watch_for_room(false);
  if (log_enabled(LogLevel::debug)) {
    protocol::Identity who;
    static_cast<void>(transport().identify(who));
    log(LogLevel::debug, "orb", worded("the handshake with % is done: %", {transport().peer(), who.text()}));
  }
  return protocol::Served::message;
}

/// Once more each time that it is wanted, since the poller reports it once.
void HandshakingConnection::watch_for_room(bool wanted) noexcept {
  if (!wanted && !wants_room_) return;
  wants_room_ = wanted;
  const ServingThread& me = ServingThread::current();
  const Lane& lane = *me.lane;
  if (me.reactor != nullptr) {
    me.reactor->watch_otherwise(lane.descriptor().value_or(-1), *me.source,
                                wanted ? net::Watch::room : net::Watch::level);
  } else if (lane.token != 0) {  // only a pool's lanes have one
    static_cast<PoolServer*>(me.server)->watch_otherwise(lane, wanted ? net::Watch::room : net::Watch::edge);
  }
}

void put_in_front(protocol::TransportPlugin& transport, const Options& options,
                  Ref<protocol::Connection>& connection) {
  if (!transport.properties().handshake) return;
  const auto front = make_ref<HandshakingConnection>(connection, options);
  bool ready = front != nullptr;
  if (ready && front->is_limited() && options.serving != Serving::thread_per_connection &&
      connection->transport().poll_descriptor()) {
    // The clock of an ORB's connections is the ORB.
    Attendant* const attendant = static_cast<Orb*>(options.messaging.clock)->attendant();
    ready = attendant == nullptr || front->limit_time(*attendant);
  }
  if (!ready) return connection->abort();  // there is no memory; what serves it finds that it has ended
  connection = front;
}

}  // namespace

void enable_handshakes() noexcept { Server::handshakes.store(put_in_front, std::memory_order_relaxed); }

}  // namespace tenon::orb
