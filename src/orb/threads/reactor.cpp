// SPDX-License-Identifier: Apache-2.0
#include "orb/threads/reactor.hpp"

#include <cerrno>
#include <utility>

#include "base/minor_codes.hpp"
#include "orb/client/call_engine.hpp"
#include "orb/orb.hpp"
#include "orb/server/lane.hpp"
#include "orb/server/serving.hpp"
#include "orb/threads/attendant.hpp"

namespace tenon::orb {

namespace {

/// One step in so many looks at the descriptors, however much is queued.
constexpr unsigned steps_between_looks = 8;

/// Before the reactor's thread waits inside an upcall, so that it may read the connection of that request meanwhile.
void hand_over_to_self() {
  ServingThread& me = serving_thread;
  const UpcallScope* outermost = thread_state.innermost;
  if (me.reactor == nullptr || me.handed_over || outermost == me.floor) return;
  while (outermost->outer() != me.floor) outermost = outermost->outer();
  if (me.lane != nullptr && !me.lane->keep_order(outermost->call())) return;
  outermost->call().detach();
  me.handed_over = true;
  me.reactor->again(*me.source);  // the poller does not report input that has been received already
}

}  // namespace

Reactor::Reactor(Orb& orb)
    : orb_(orb), main_(orb.main_work()), maker_(std::this_thread::get_id()), main_source_(orb.main_work()) {
  if (const auto spin_us = orb.options().transports.spin_us) spin_.emplace(std::int64_t{*spin_us} * 1000);
  if (const int fd = main_.descriptor(); fd >= 0) (void)watch(fd, main_source_, net::Watch::level);
}

Reactor::~Reactor() = default;

std::unique_ptr<Reactor> make_reactor(Orb& orb) { return std::make_unique<Reactor>(orb); }

// --- what the ORB does by it ---

void Reactor::run() {
  const Use use(*this);
  if (use) main_.serve([this] { step(Deadline::never()); });
}

void Reactor::perform_work() {
  if (!is_here()) return;
  const Use use(*this);
  if (!use) return;
  orb_.end_those_due();
  step(Deadline::immediately());
  show_pending();
}

void Reactor::close() noexcept {
  if (users_.close()) close_now();
}

void Reactor::close_now() noexcept {
  orb_.close_descriptors();
  poller_.close();
  main_.close_descriptor();
}

void Reactor::wake() noexcept {
  if (const Use use(*this); use) poller_.wake();
}

int Reactor::descriptor() noexcept {
  const Use use(*this);
  return use ? poller_.descriptor() : -1;
}

int Reactor::watch(int fd, Source& source, net::Watch how) noexcept {
  const Use use(*this);
  return use ? poller_.add(fd, &source, how) : EBADF;
}

void Reactor::unwatch(int fd, Source& source) noexcept {
  if (const Use use(*this); use) (void)poller_.remove(fd);
  const LockGuard lock(mutex_);
  if (!source.queued_) return;
  source.queued_ = false;
  queued_.fetch_sub(1, std::memory_order_relaxed);
  Source* before = nullptr;
  for (Source* at = first_; at != &source; at = at->next_) before = at;
  (before != nullptr ? before->next_ : first_) = source.next_;
  if (last_ == &source) last_ = before;
}

void Reactor::again(Source& source) noexcept {
  {
    const LockGuard lock(mutex_);
    if (source.queued_) return;
    source.queued_ = true;
    source.next_ = nullptr;
    (last_ != nullptr ? last_->next_ : first_) = &source;
    last_ = &source;
    queued_.fetch_add(1, std::memory_order_release);
  }
  if (!is_here()) return wake();
  if (steps_ == 0 && waits_ == 0) show_pending();
}

bool Reactor::see_to_queued() {
  Source* source = nullptr;
  {
    const LockGuard lock(mutex_);
    source = first_;
    if (source == nullptr) return false;
    first_ = source->next_;
    if (first_ == nullptr) last_ = nullptr;
    source->queued_ = false;
    queued_.fetch_sub(1, std::memory_order_relaxed);
  }
  source->ready();
  return true;
}

void Reactor::step(Deadline deadline) {
  struct Inside {
    unsigned& steps;
    ~Inside() { --steps; }
  } const inside{steps_};
  ++steps_;
  const bool queued = queued_.load(std::memory_order_acquire) != 0;
  if (queued && ++count_ % steps_between_looks != 0 && see_to_queued()) return;
  if (spin_ && !queued && !deadline.is_immediate())
    spin_->until([this] { return poller_.has_events(); }, deadline);
  // One event at a time: what it leads to may make others meaningless.
  net::Event event{};
  if (poller_.wait({&event, 1}, queued ? Deadline::immediately() : deadline) != 0) {
    event.token.object<Source>()->ready();
    return;
  }
  shown_ = false;
  (void)see_to_queued();
}

bool Reactor::pending() noexcept {
  const Use use(*this);
  return use && (queued_.load(std::memory_order_acquire) != 0 || poller_.has_events());
}

void Reactor::show_pending() noexcept {
  if (shown_ || queued_.load(std::memory_order_acquire) == 0) return;
  shown_ = true;
  wake();
}

bool Reactor::serves_here() const noexcept {
  if (!main_.is_main() && (main_.has_main() || maker_ != std::this_thread::get_id())) return false;
  // While this thread handles something other than a request for a connection, that connection cannot be handed over.
  const ServingThread& me = ServingThread::current();
  return me.reactor == nullptr || me.handed_over || UpcallScope::innermost() != me.floor;
}

// --- waiting ---

NestedWait::~NestedWait() {
  if (begun_ && --reactor_.waits_ == 0 && reactor_.steps_ == 0) reactor_.show_pending();
  if (claimed_) reactor_.main_.give_up();
}

Status NestedWait::begin() {
  if (!use_) return errors::orb_destroyed;
  if (reactor_.waits_ > reactor_.orb_.options().pool_threads_most) return errors::calls_nested_too_deep;
  begun_ = true;
  ++reactor_.waits_;
  hand_over_to_self();
  return {};
}

bool NestedWait::until(FunctionRef<bool()> done, Deadline by) {
  while (!done()) {
    if (by.expired()) return false;
    reactor_.step(by);
  }
  return true;
}

ServingWait::~ServingWait() = default;

void ServingWait::send_and_serve(CallEngine& engine, const protocol::CallSpec& spec) {
  protocol::Connection& connection = *engine.link.connection;
  protocol::OutgoingCall& call = *engine.call;
  engine.outcome = begin();
  if (!engine.outcome) return engine.note(Step::call);
  engine.started();
  const std::uint32_t usual_ms = engine.orb().options().messaging.limits.receive_timeout_ms;
  const Deadline by =
      spec.reply_by.is_never() && usual_ms != 0 ? Deadline::after_ms(usual_ms) : spec.reply_by;
  engine.outcome = connection.start(call);
  if (engine.outcome) {
    if (!until([this] { return done_.load(std::memory_order_acquire); }, by) && connection.abandon(call)) {
      engine.outcome = errors::reply_timed_out;
      call.completed = Completion::maybe;
    } else if (call.failure) {
      engine.outcome = call.failure;
    }
  }
  engine.outcome ? engine.replied() : engine.failed();
}

void ServingWait::done(protocol::OutgoingCall&) noexcept {
  // The waiting thread may destroy this object as soon as it sees the flag.
  Reactor& reactor = reactor_;
  const bool here = reactor.is_here();
  done_.store(true, std::memory_order_release);
  if (!here) reactor.wake();
}

void ServingWait::attend(protocol::Connection& connection) noexcept { attendant_.attend(connection); }

}  // namespace tenon::orb
