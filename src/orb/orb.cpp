// SPDX-License-Identifier: Apache-2.0
#include "orb/orb.hpp"

#include "base/memory.hpp"
#include "base/minor_codes.hpp"
#include "cdr/exception_body.hpp"
#include "orb/bidirectional.hpp"
#include "orb/client/collocated.hpp"
#include "orb/client/endpoints.hpp"
#include "orb/client/outgoing_limit.hpp"
#include "orb/current_protocols.hpp"
#include "orb/interception.hpp"
#include "orb/server/server.hpp"
#include "orb/server/serving.hpp"
#include "orb/threads/attendant.hpp"
#include "orb/threads/reactor.hpp"
#include "orb/threads/sweeps.hpp"

namespace tenon::orb {

namespace {

constexpr std::uint32_t goodbye_ms = 1000;

Serving first_of(const Parts& parts) noexcept {
  if (parts.thread_per_connection == nullptr) {
    if (parts.pool != nullptr) return Serving::pool;
    if (parts.single_thread != nullptr) return Serving::single_thread;
  }
  return Serving::thread_per_connection;
}

}  // namespace

/// A part of an ORB that is being made; null: it has none.
template <typename T>
void make_part(std::unique_ptr<T>& part, std::unique_ptr<T> (*make)(Orb& orb), Orb& orb) {
  // In place, since there is nothing that an assignment would have to end.
  if (make != nullptr) std::construct_at(&part, make(orb));
}

Orb::Orb(Options&& options, Parts&& parts) : options_(std::move(options)), parts_(std::move(parts)) {
  memory::set_aside();
  if (!options_.messaging.memory && options_.memory_most != 0)
    std::make_shared<protocol::MemoryBudget>(options_.memory_most).swap(options_.messaging.memory);
  options_.messaging.clock = this;
  if (options_.serving == Serving::unsaid) options_.serving = first_of(parts_);
  const bool single_thread = options_.serving == Serving::single_thread;
  options_.messaging.sender_reads = single_thread;
  make_part(outgoing_, parts_.outgoing_limit, *this);
  make_part(sweeps_, parts_.sweeps, *this);
  if (options_.call_own_objects_directly) make_part(collocation_, parts_.collocation, *this);
  for (Protocol& each : parts_.protocols) {
    each.transport->configure(options_.transports);
    if (parts_.bidirectional != nullptr) parts_.bidirectional(*this, each).swap(each.bidirectional);
  }
#ifdef TENON_WITH_DYNAMIC_PROTOCOLS
  if (!options_.limits.any()) parts_.table = new ProtocolTable;
#endif
  static_cast<void>(become_bidirectional(options_.offer_bidirectional, options_.accept_bidirectional));
  if (!single_thread || parts_.reactor == nullptr) return;
  make_part(reactor_, parts_.reactor, *this);
  calls_are_plain_.store(false, std::memory_order_release);
}

Orb::~Orb() {
  (void)shutdown(false);
  if (sweeps_) sweeps_->stop();
  attendant_.reset();
  server_.reset();
  if (Adapter* adapter = this->adapter()) adapter->orb_gone();
}

void Orb::Release::operator()(Attendant* attendant) const noexcept { attendant->release(); }

protocol::TransportPlugin* Orb::transport_named(std::string_view name) const noexcept {
  for (const Protocol& each : current_protocols(parts_)) {
    if (each.transport->name() == name) return each.transport.get();
  }
  return nullptr;
}

protocol::TransportPlugin* Orb::transport_for(std::uint32_t profile_tag) const noexcept {
  for (const Protocol& each : current_protocols(parts_)) {
    if (each.transport->profile_tag() == profile_tag) return each.transport.get();
  }
  return nullptr;
}

/// Of a protocol that has been removed, too.
const Protocol& Orb::protocol_of(const protocol::TransportPlugin& transport) const noexcept {
#ifdef TENON_WITH_DYNAMIC_PROTOCOLS
  const Protocol* const added = parts_.table != nullptr ? parts_.table->find(transport) : nullptr;
  if (added != nullptr) return *added;
#endif
  const Protocol* found = parts_.protocols.data();
  while (found->transport.get() != &transport) ++found;
  return *found;
}

protocol::Messaging& Orb::messaging_of(const protocol::TransportPlugin& transport) const noexcept {
  return *protocol_of(transport).messaging;
}

// --- bidirectional connections ---

const std::shared_ptr<Bidirectional>& Orb::bidirectional_of(
    const protocol::TransportPlugin& transport) const noexcept {
  return protocol_of(transport).bidirectional;
}

bool Orb::is_bidirectional(const Reference& reference) noexcept {
  const Ways policy = ways_policy_.load(std::memory_order_acquire);
  bool wanted =
      policy == Ways::unsaid ? offers_bidirectional_.load(std::memory_order_acquire) : policy == Ways::both;
  if (reference.policies() != nullptr) wanted = reference.policies()->bidirectional.value_or(wanted);
  if (wanted) wants_bidirectional_.store(true);
  return wanted;
}

bool Orb::become_bidirectional(bool offer, bool accept) noexcept {
  if (parts_.bidirectional == nullptr) return false;
  if (accept) {
    for (const Protocol& each : current_protocols(parts_)) each.bidirectional->believe();
  }
  if (!offer || offers_bidirectional_.exchange(true)) return true;
  const LockGuard lock(mutex_);
  divert_calls();
  return true;
}

/// Makes calls choose again that have already chosen an endpoint.
void Orb::divert_calls() noexcept {
  if (endpoints_) endpoints_->divert();
}

// --- references ---

bool Orb::is_local(const UsableProfile& profile) const noexcept {
  const Server* server = listening_.load(std::memory_order_acquire);
  const Adapter* adapter = this->adapter();
  return server != nullptr && adapter != nullptr && adapter->owns(profile.view.object_key) &&
         server->publishes(*profile.transport, profile.view);
}

Ref<Reference> Orb::reference(ior::Ior&& ior) { return make_ref<Reference>(Ref<Orb>(this), std::move(ior)); }

Ref<Reference> Orb::expected_reference(ior::Ior&& ior) {
  Ref<Reference> made = reference(std::move(ior));
  for (const UsableProfile& profile : made->profiles()) {
    for (const protocol::Address& address : profile.view.addresses) profile.transport->expect(address);
  }
  return made;
}

CallPolicies Orb::call_policies() const {
  const LockGuard lock(mutex_);
  return call_policies_;
}

void Orb::set_call_policies(const CallPolicies& policies) {
  const LockGuard lock(mutex_);
  call_policies_ = policies;
  const Ways ways = !policies.bidirectional ? Ways::unsaid : *policies.bidirectional ? Ways::both : Ways::one;
  if (ways_policy_.exchange(ways) != ways) divert_calls();
}

Attendant* Orb::attendant() {
  Attendant* known = attending_.load(std::memory_order_acquire);
  if (known != nullptr) return known;
  const LockGuard lock(mutex_);
  if (attendant_ == nullptr && state_.load() < State::shut_down) {
    const Parts::MakeAttendant make = reactor_ ? parts_.single_thread_attendant : parts_.attendant;
    if (make == nullptr) return nullptr;
    auto made = make(*this);
    if (!made->start()) return nullptr;
    attendant_.reset(made.release());
    attending_.store(attendant_.get(), std::memory_order_release);
  }
  return attendant_.get();
}

// --- requests ---

namespace {

void answer_with(protocol::IncomingCall& call, const Error& error) {
  cdr::write_system_exception(call.begin_reply(protocol::ReplyStatus::system_exception), error);
  static_cast<void>(call.finish_reply());  // if the peer is gone, it needs no reply
}

}  // namespace

void Orb::dispatch(protocol::IncomingCall& call) {
  if (memory::aside_used.load(std::memory_order_relaxed)) [[unlikely]] {
    if (memory::is_exhausted()) return answer_with(call, memory::shortage());
  }
  UpcallScope scope(*this, call);
  if (RequestEntry* entry = entry_.load(std::memory_order_acquire)) [[likely]] {
    entry->upcall(call);
    return;
  }
  serve(call);
}

void Orb::serve(protocol::IncomingCall& call) {
  if (Adapter* adapter = this->adapter()) return adapter->upcall(call);
  answer_with(call, errors::no_adapter);
}

void Orb::set_adapter(Adapter* adapter) noexcept {
  adapter_.store(adapter, std::memory_order_release);
  if (!request_observer_) entry_.store(adapter, std::memory_order_release);
}

void Orb::set_request_observer(std::unique_ptr<RequestEntry> observer) noexcept {
  request_observer_ = std::move(observer);
  entry_.store(request_observer_.get(), std::memory_order_release);
}

void Orb::set_call_observer(std::unique_ptr<CallObserver> observer) noexcept {
  call_observer_ = std::move(observer);
  calls_are_plain_.store(false, std::memory_order_release);
}

protocol::LocateStatus Orb::locate(ByteView object_key, ior::Ior& forward) {
  const auto located = locate(object_key, forward, Deadline::never());
  return located ? *located : protocol::LocateStatus::unknown_object;
}

Result<protocol::LocateStatus> Orb::locate(ByteView object_key, ior::Ior& forward, Deadline deadline) {
  Adapter* adapter = this->adapter();
  if (adapter == nullptr) return protocol::LocateStatus::unknown_object;
  return adapter->locate(object_key, forward, deadline);
}

bool Orb::in_upcall() const noexcept {
  for (const UpcallScope* scope = UpcallScope::innermost(); scope != nullptr; scope = scope->outer()) {
    if (&scope->orb() == this) return true;
  }
  const Attendant* attendant = attending_.load(std::memory_order_acquire);
  return attendant != nullptr && attendant->on_own_thread();
}

// --- life ---

Status Orb::why_not_usable() const noexcept {
  return state_.load(std::memory_order_acquire) == State::shut_down ? errors::orb_has_shut_down
                                                                    : errors::orb_destroyed;
}

void Orb::run() {
  if (reactor_) {
    reactor_->run();
  } else {
    main_work_.serve();
  }
  wait_for_shutdown();
}

void Orb::perform_work() {
  main_work_.perform();
  if (reactor_) reactor_->perform_work();
}

void Orb::end_those_due() {
  if (Attendant* const attendant = attending_.load(std::memory_order_acquire)) attendant->end_those_due();
}

bool Orb::work_pending() noexcept { return main_work_.pending() || (reactor_ && reactor_->pending()); }

int Orb::work_descriptor() noexcept { return reactor_ ? reactor_->descriptor() : main_work_.descriptor(); }

/// The threads that serve end when the last request that they run is answered.
void Orb::wait_for_shutdown() {
  Server* server = nullptr;
  {
    const LockGuard lock(mutex_);
    while (state_.load() < State::shut_down) changed_.wait(mutex_);
    server = server_.get();
  }
  if (server != nullptr) server->join();
  stop_attending();
}

/// The calls have ended with their connections; waits for what follows their ends.
void Orb::stop_attending() noexcept {
  Attendant* const attendant = attending_.load(std::memory_order_acquire);
  if (attendant != nullptr && !attendant->on_own_thread()) attendant->stop();
}

Status Orb::shutdown(bool wait_for_completion) {
  if (wait_for_completion && in_upcall()) return errors::would_deadlock;
  Server* server = nullptr;
  {
    LockGuard lock(mutex_);
    if (state_.load() != State::running) {
      lock.unlock();
      if (wait_for_completion) wait_for_shutdown();
      return {};
    }
    state_.store(State::shutting_down, std::memory_order_release);
    server = server_.get();
  }
  if (server != nullptr) server->stop_accepting();
  // No thread may wait for the main thread any more: it may be this one.
  main_work_.stop();
  if (Adapter* adapter = this->adapter()) adapter->shut_down(wait_for_completion);
  std::unique_ptr<Endpoints> endpoints;
  {
    const LockGuard lock(mutex_);
    state_.store(State::shut_down, std::memory_order_release);
    calls_are_plain_.store(false, std::memory_order_release);
    endpoints.swap(endpoints_);
  }
  // This is the time for all peers that do not read together, not for each of them.
  const Deadline goodbye_by = Deadline::after_ms(goodbye_ms);
  if (server != nullptr) server->close_connections_by(goodbye_by);
  if (endpoints) endpoints->close_all_by(goodbye_by);
  for (const Protocol& each : current_protocols(parts_)) {
    if (each.bidirectional) each.bidirectional->close();
  }
  if (collocation_) collocation_->close();
  main_work_.finish();
  {
    const LockGuard lock(mutex_);
    changed_.notify_all();
  }
  if (server != nullptr && wait_for_completion) server->join();
  if (wait_for_completion) stop_attending();
  return {};
}

Status Orb::destroy() {
  const Status down = shutdown(true);
  if (!down) return down;
  std::unique_ptr<Attachment> attachments;  // end outside the lock
  {
    const LockGuard lock(mutex_);
    if (state_.exchange(State::destroyed) == State::destroyed) return {};
    attachments = std::move(attachments_);
  }
  if (reactor_) {
    reactor_->close();
  } else {
    close_descriptors();
    main_work_.close_descriptor();
  }
  return {};
}

void Orb::close_descriptors() noexcept {
  if (Server* const server = listening_.load(std::memory_order_acquire)) server->close_descriptors();
  if (Attendant* const attendant = attending_.load(std::memory_order_acquire)) attendant->close();
}

std::shared_ptr<void> Orb::attachment(const void* key, FunctionRef<std::shared_ptr<void>()> make) {
  const LockGuard lock(mutex_);
  if (state_.load() == State::destroyed) return nullptr;
  for (const Attachment* each = attachments_.get(); each != nullptr; each = each->next.get()) {
    if (each->key == key) return each->object;
  }
  std::shared_ptr<void> made = make();
  if (made) {
    auto attachment = std::make_unique<Attachment>();
    attachment->key = key;
    attachment->object = made;
    attachment->next = std::move(attachments_);
    attachments_ = std::move(attachment);
  }
  return made;
}

}  // namespace tenon::orb
