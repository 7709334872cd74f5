// SPDX-License-Identifier: Apache-2.0
#include "plugins/shmiop/shared_transport.hpp"

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "base/joined.hpp"
#include "base/log.hpp"
#include "base/memory.hpp"
#include "net/address.hpp"
#include "net/wait.hpp"
#include "plugins/shmiop/hello.hpp"
#include "plugins/shmiop/sanitized.hpp"

namespace tenon::shmiop {

using protocol::Io;
using protocol::Transfer;

namespace {

constexpr Transfer some_came{Io::ok, 0, 0};
constexpr Transfer too_late{Io::timed_out, 0, 0};
constexpr Transfer peer_closed{Io::closed, 0, 0};
constexpr const char* does_not_fit = "what it says to have sent does not fit into the ring";

Deadline end_of(Deadline deadline, std::uint32_t usual_ms) noexcept {
  if (!deadline.is_never() || usual_ms == 0) return deadline;
  return Deadline::after_ms(usual_ms);
}

/// How long to sleep before the next look; grows. Without a deadline the clock is not read before the first, since nearly all waits end
/// within it.
class Pause {
 public:
  Pause(Deadline deadline, std::uint32_t usual_ms) noexcept
      : end_(deadline), usual_ns_(deadline.is_never() ? std::int64_t{usual_ms} * 1'000'000 : 0) {}
  /// 0: the time is over.
  std::int64_t next() noexcept {
    if (std::exchange(first_, false) && end_.is_never())
      return usual_ns_ == 0 ? ns_ : std::min(ns_, usual_ns_);
    if (usual_ns_ != 0) end_ = Deadline::after_ns(std::exchange(usual_ns_, 0) - slept_ns_);
    const std::int64_t ns = std::min(ns_, end_.remaining_ns());
    ns_ = std::min(2 * ns_, SharedTransport::last_look_ns);
    return ns;
  }
  /// So much has passed.
  void slept(std::int64_t ns) noexcept { slept_ns_ = ns; }

 private:
  Deadline end_;
  std::int64_t usual_ns_;  // 0: end_ counts
  std::int64_t slept_ns_ = 0;
  std::int64_t ns_ = SharedTransport::first_look_ns;
  bool first_ = true;
};

}  // namespace

SharedTransport::SharedTransport(net::Descriptor&& socket, std::string&& peer, Settings settings) noexcept
    : socket_(std::move(socket)),
      peer_(std::move(peer)),
      spins_(settings.spin_us.has_value()),
      lends_(settings.in_place && !memory::is_known()),
      spin_(std::int64_t{settings.spin_us.value_or(0)} * 1000),
      spin_for_room_(std::int64_t{settings.spin_us.value_or(0)} * 1000) {}

SharedTransport::SharedTransport(net::Descriptor&& socket, Segment&& segment, std::string&& peer,
                                 Settings settings) noexcept
    : SharedTransport(std::move(socket), std::move(peer), settings) {
  open(std::move(segment), Side::client);
}

SharedTransport::~SharedTransport() { shut_down(); }

void SharedTransport::open(Segment&& segment, Side side) noexcept {
  segment_ = std::move(segment);
  const bool server = side == Side::server;
  const Ring in = server ? segment_.to_server() : segment_.to_client();
  const Ring out = server ? segment_.to_client() : segment_.to_server();
  in_.attach(in);
  out_.attach(out);
  in_place_ = lends_ && segment_.can_keep();
  incoming_ = in.control;
  outgoing_ = out.control;
  // A client says before the beginning of the connection that the server polls: it may not have looked yet.
  if (server) armed_.store(true, std::memory_order_relaxed);
  open_.store(true, std::memory_order_release);
}

/// Of a server's: waits for the beginning of the connection.
Transfer SharedTransport::greet(Deadline deadline, std::uint32_t usual_ms) noexcept {
  const Deadline end = end_of(deadline, usual_ms);
  for (;;) {
    const char* why = nullptr;
    switch (look_for_greeting(why)) {
      case Greeting::came: return some_came;
      case Greeting::end: return shut() ? Transfer{Io::failed, 0, ESHUTDOWN} : peer_closed;
      case Greeting::refused: return nonsense(why);
      case Greeting::not_yet: break;
    }
    if (end.is_immediate() || !net::wait_for(socket_.get(), POLLIN, end)) return too_late;
  }
}

/// A thread sends and another receives: either may be the first to come here.
Greeting SharedTransport::look_for_greeting(const char*& why) noexcept {
  const LockGuard lock(greeting_);
  if (is_open()) return Greeting::came;
  if (shut()) return Greeting::end;
  Segment segment;
  const Greeting greeting = receive_hello(socket_.get(), segment, why);
  if (greeting == Greeting::came) open(std::move(segment), Side::server);
  return greeting;
}

// --- sending ---

Transfer SharedTransport::send(std::span<const cdr::Piece> gather, Deadline deadline) {
  if (gather.size() != 1 || !is_open() || shut() || outgoing_->gone.load(std::memory_order_relaxed) != 0 ||
      !out_.write_one(gather[0])) [[unlikely]]
    return send_other(gather, deadline);
  if (outgoing_->reader.load() != awake) rouse_reader();
  return {Io::ok, gather[0].size, 0};
}

/// A send that takes several steps, or fails.
Transfer SharedTransport::send_other(std::span<const cdr::Piece> gather, Deadline deadline) noexcept {
  if (!is_open()) {
    const Transfer greeted = greet(deadline, send_ms_);
    if (greeted.result == Io::closed) return {Io::failed, 0, EPIPE};
    if (greeted.result != Io::ok) return greeted;
  }
  Gathered message(gather);
  std::size_t moved = 0;
  while (!message.at_end()) {
    if (shut() || outgoing_->gone.load(std::memory_order_relaxed) != 0) [[unlikely]]
      return {Io::failed, 0, EPIPE};
    const std::optional<std::uint32_t> room = out_.room();
    if (!room) [[unlikely]]
      return nonsense("what it says to have read was never sent");
    if (moved == 0 && out_.stalled() && peer_has_ended()) [[unlikely]]
      return {Io::failed, 0, EPIPE};
    if (*room == 0) {
      if (moved != 0) break;
      const Transfer waited = await_room(deadline);
      if (waited.result != Io::ok) return waited;
      continue;
    }
    moved += out_.write(message, std::min(*room, part));
    if (outgoing_->reader.load() != awake) rouse_reader();
  }
  return {Io::ok, moved, 0};
}

/// If the socket is full of such octets, the peer's poller has been woken.
void SharedTransport::ring_poller() noexcept {
  const char octet = 0;
  static_cast<void>(::send(socket_.get(), &octet, 1, MSG_DONTWAIT | MSG_NOSIGNAL));
  count(rings_);
}

Transfer SharedTransport::await_room(Deadline deadline) noexcept {
  const auto look = [this] { return out_.room() != 0U || shut() || outgoing_->gone.load() != 0; };
  if (deadline.is_immediate()) return sleep_for_room(Deadline::after_ns(no_room_pause_ns));
  if (spins_ && spin_for_room_.until(look, deadline)) return some_came;
  return sleep_for_room(deadline);
}

/// Until there is room, or send() finds out why there will be none.
Transfer SharedTransport::sleep_for_room(Deadline deadline) noexcept {
  Word& state = outgoing_->writer;
  Pause pause(deadline, send_ms_);
  for (;;) {
    state.store(asleep);
    if (out_.room() != 0U || shut() || outgoing_->gone.load() != 0) break;
    const std::int64_t ns = pause.next();
    if (ns == 0) {
      state.store(awake);
      return too_late;
    }
    count(sleeps_for_room_);
    if (wait_on(state, asleep, SleepTime(ns))) continue;
    pause.slept(ns);
    if (peer_has_ended()) {
      state.store(awake);
      return {Io::failed, 0, EPIPE};
    }
  }
  state.store(awake);
  return some_came;
}

// --- receiving ---

Transfer SharedTransport::receive(MutableBytes into, Deadline deadline) {
  if (!is_open()) [[unlikely]] {
    const Transfer greeted = greet(deadline, receive_ms_);
    if (greeted.result != Io::ok) return greeted;
  }
  if (!in_.has_input()) {
    if (const Sleep slept = sleep_once(deadline); slept != Sleep::ended_by_input) {
      const Transfer waited = await_input(deadline, slept);
      if (waited.result != Io::ok) return waited;
    }
  }
  const std::size_t came = in_.read_all(into);
  if (came == 0) [[unlikely]]
    return receive_part(into);
  if (incoming_->writer.load() == asleep) rouse_writer();
  return {Io::ok, polled_.load() ? take_along(into, came) : came, 0};
}

/// More has come than fits, or it lies in two pieces.
Transfer SharedTransport::receive_part(MutableBytes into) noexcept {
  if (in_place_ && in_.octets_there() > into.size()) return {Io::lent, 0, 0};
  const std::optional<std::size_t> came = in_.read(into);
  if (!came || *came == 0) [[unlikely]]
    return nonsense(does_not_fit);
  if (incoming_->writer.load() == asleep) rouse_writer();
  return {Io::ok, polled_.load() ? take_along(into, *came) : *came, 0};
}

Transfer SharedTransport::lend(ByteView& view, Deadline deadline) {
  if (!is_open()) {
    const Transfer greeted = greet(deadline, receive_ms_);
    if (greeted.result != Io::ok) return greeted;
  }
  do {
    if (view.size() == in_.largest_shown()) break;
    if (!in_.has_input()) {
      const Transfer waited = await_input(deadline);
      if (waited.result != Io::ok) return waited;
    }
    const std::optional<ByteView> shown = in_.show();
    if (!shown || shown->size() <= view.size()) [[unlikely]]
      return nonsense(does_not_fit);
    view = *shown;
    // As in take_along(): a poller is told of what comes from here on.
    if (polled_.load() && !in_.has_input()) arm();
  } while (polled_.load() && in_.has_input());
  return {Io::ok, view.size(), 0};
}

bool SharedTransport::release(std::size_t used) noexcept {
  in_.release(static_cast<std::uint32_t>(used));
  if (incoming_->writer.load() == asleep) rouse_writer();
  return in_.has_input();
}

/// Once only: it takes several system calls, and pages that are new to this process, so from here on everything is copied.
Buffer SharedTransport::keep(std::size_t used) noexcept {
  Ring ring = in_.ring();
  Buffer kept = segment_.keep(ring, ring.octets - in_.largest_shown(), used);
  if (!kept) return kept;
  in_place_ = false;
  in_.move_to(ring.data);
  static_cast<void>(release(used));
  return kept;
}

/// What a poller has not been told of yet is taken along: as with a socket, one that reads less than it has room for has read all. Returns
/// how much has come, with what had come before.
std::size_t SharedTransport::take_along(MutableBytes into, std::size_t moved) noexcept {
  while (!in_.has_input() || moved < into.size()) {
    if (!in_.has_input()) {
      arm();
      if (!in_.has_input()) break;
      continue;
    }
    const std::optional<std::size_t> came = in_.read(into.subspan(moved));
    if (!came || *came == 0) break;  // the next receive() says so
    moved += *came;
    if (incoming_->writer.load() == asleep) rouse_writer();
  }
  return moved;
}

/// Octets were read, and the peer waits for room: wakes it if there is enough of it.
void SharedTransport::rouse_writer() noexcept {
  if (in_.much_room() && rouse(incoming_->writer) == asleep) count(wakes_by_receiver_);
}

/// The ring is empty, and this thread must not wait. ok: look again.
Transfer SharedTransport::look_once() noexcept {
  const bool poller = polled_.load();
  const bool ended = poller ? drain() : peer_has_ended();
  if (poller) arm();
  if (in_.has_input()) return some_came;
  const Transfer end = look_at_end(ended);
  return end.result == Io::ok && !in_.has_input() ? too_late : end;
}

/// The usual wait of a small call: it has no deadline and no poller, does not spin, and is woken from its first sleep.
SharedTransport::Sleep SharedTransport::sleep_once(Deadline deadline) noexcept {
  if (!deadline.is_never() || !looks_first_ || armed_.load(std::memory_order_relaxed) ||
      (spins_ && !spin_.skips()))
    return Sleep::not_usual;
  static constexpr SleepTime first_look(first_look_ns);
  Word& state = incoming_->reader;
  bool woken = true;
  state.store(asleep);
  if (!input_or_end()) {
    count(sleeps_);
    woken = wait_on(state, asleep, first_look);
  }
  // Whoever has woken this thread has set it. If a peer still sees the old state, it wakes nobody.
  if (state.load(std::memory_order_relaxed) != awake) state.store(awake);
  if (in_.has_input()) return Sleep::ended_by_input;
  return woken ? Sleep::not_usual : Sleep::in_vain;
}

/// The ring is empty. ok: look again.
Transfer SharedTransport::await_input(Deadline deadline, Sleep so_far) noexcept {
  if (deadline.is_immediate()) return look_once();
  disarm();
  const auto look = [this] { return input_or_end(); };
  Transfer result = some_came;
  if (so_far == Sleep::in_vain || !spins_ || !spin_.until(look, deadline))
    result = sleep_for_input(deadline, so_far);
  if (result.result == Io::ok && !in_.has_input()) result = look_at_end(peer_has_ended());
  if (result.result != Io::ok && polled_.load()) {
    arm();
    if (in_.has_input()) return some_came;
  }
  return result;
}

/// Whether the path has ended, and how; ok: it has not, or there is still something to read.
Transfer SharedTransport::look_at_end(bool peer_ended) noexcept {
  if (shut()) return {Io::failed, 0, ESHUTDOWN};
  if (incoming_->closed.load() == 0 && !peer_ended) return some_came;
  after_the_peer_was_seen();
  // What was written before the end can be seen by now.
  return in_.has_input() ? some_came : peer_closed;
}

/// Until the ring has something, or look_at_end() says what there is instead.
Transfer SharedTransport::sleep_for_input(Deadline deadline, Sleep so_far) noexcept {
  Word& state = incoming_->reader;
  Pause pause(deadline, receive_ms_);
  if (so_far == Sleep::in_vain) {
    pause.slept(pause.next());
    if (peer_has_ended()) return some_came;
  }
  Transfer result = some_came;
  for (;;) {
    state.store(asleep);
    if (input_or_end()) break;
    const std::int64_t ns = pause.next();
    if (ns == 0) {
      result = too_late;
      break;
    }
    count(sleeps_);
    if (wait_on(state, asleep, SleepTime(ns))) continue;
    pause.slept(ns);
    if (peer_has_ended()) break;
  }
  if (state.load(std::memory_order_relaxed) != awake) state.store(awake);
  return result;
}

bool SharedTransport::wait(Deadline deadline) {
  if (!is_open()) {
    const Transfer greeted = greet(deadline, receive_ms_);
    if (greeted.result != Io::ok) return greeted.result != Io::timed_out;
  }
  if (in_.has_input()) return true;
  // Another thread may be receiving meanwhile.
  if (deadline.is_immediate() || deadline.expired())
    return shut() || incoming_->closed.load() != 0 || peer_has_ended() || in_.has_input();
  return await_input(deadline).result != Io::timed_out;
}

// --- pollers ---

/// Whoever asks for it is about to watch it, and asks has_input() afterwards. From now on the peer is told to send an octet for what it
/// writes while no thread receives.
std::optional<int> SharedTransport::poll_descriptor() const noexcept {
  polled_.store(true);
  if (is_open() && !armed_.load(std::memory_order_relaxed)) {
    std::uint32_t was = awake;
    if (incoming_->reader.compare_exchange_strong(was, polled)) armed_.store(true, std::memory_order_relaxed);
  }
  return socket_.get();
}

/// A thread receives by itself from here on.
void SharedTransport::disarm() noexcept {
  if (!armed_.load(std::memory_order_relaxed)) return;
  armed_.store(false, std::memory_order_relaxed);
  if (incoming_->reader.exchange(awake) != polled) octet_due_ = true;
}

/// No thread receives from here on: what is written now is to wake a poller. Look again afterwards.
void SharedTransport::arm() noexcept {
  if (armed_.load(std::memory_order_relaxed)) {
    if (incoming_->reader.load(std::memory_order_relaxed) == polled) return;
    octet_due_ = true;
  }
  if (octet_due_) static_cast<void>(drain());
  armed_.store(true, std::memory_order_relaxed);
  incoming_->reader.store(polled);
}

/// Takes the octets that have woken a poller. True: the peer has ended.
bool SharedTransport::drain() noexcept {
  octet_due_ = false;
  char octets[256];
  const ssize_t came = ::recv(socket_.get(), octets, sizeof octets, MSG_DONTWAIT);
  return came == 0 || (came < 0 && errno != EAGAIN && errno != EINTR);
}

// --- the end ---

bool SharedTransport::peer_has_ended() const noexcept {
  pollfd socket{socket_.get(), POLLRDHUP, 0};
  return ::poll(&socket, 1, 0) > 0;
}

/// The peer has broken the rules, so that nothing it says can be used.
Transfer SharedTransport::nonsense(const char* what) noexcept {
  if (log_enabled(LogLevel::warning)) log(LogLevel::warning, "shmiop", worded("%: %", {peer_, what}));
  shut_down();
  return {Io::failed, 0, EPROTO};
}

void SharedTransport::shut_down() noexcept {
  {
    const LockGuard lock(greeting_);
    if (shut_.exchange(true)) return;
  }
  before_the_peer_may_see();
  if (is_open()) {
    outgoing_->closed.store(1);
    incoming_->gone.store(1);
    for (Word* const state : {&outgoing_->reader, &incoming_->writer, &outgoing_->writer}) rouse(*state);
    // A poller is woken by the socket's end.
    if (incoming_->reader.load() == asleep) rouse(incoming_->reader);
  }
  ::shutdown(socket_.get(), SHUT_RDWR);
}

std::string SharedTransport::local() const { return net::local_address(socket_.get()).text(); }

SharedTransport::Counts SharedTransport::counts() const noexcept {
  const auto sum = [](const auto& one, const auto& other) {
    return one.load(std::memory_order_relaxed) + other.load(std::memory_order_relaxed);
  };
  return {sum(sleeps_, sleeps_for_room_), sum(wakes_by_sender_, wakes_by_receiver_),
          rings_.load(std::memory_order_relaxed)};
}

}  // namespace tenon::shmiop
