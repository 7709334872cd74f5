// SPDX-License-Identifier: Apache-2.0
//
// Servant managers (CORBA 3.4 part 1 §15.3.4 to §15.3.6) and the turns of POAs: which thread may run which code of the
// application, and what becomes of the servants that it supplies.
#include <memory>
#include <new>
#include <optional>

#include "base/minor_codes.hpp"
#include "cdr/exception_body.hpp"
#include "orb/orb.hpp"
#include "poa/refuse.hpp"
#include "poa/whole_running.hpp"

namespace tenon::poa {

orb::MainWork& WholeAdapter::main_work() noexcept {
  return orb_ != nullptr ? orb_->main_work() : own_main_work_;
}

// --- turns ---

Error WholeAdapter::take_turn(WholePoa& poa, Patience& patience) {
  if (poa.turn_.try_take()) return {};
  if (const Error why = patience.begin()) return why;
  if (!poa.turn_.take(patience.until())) return errors::not_begun_in_time;
  const Error unwanted = patience.end();
  if (unwanted) give_turn(poa);
  return unwanted;
}

void WholeAdapter::give_turn(WholePoa& poa) noexcept {
  poa.turn_.give([this](Slot& slot) { (this->*slot.poa->whole()->managed_->etherealize_in_turn)(slot); });
}

namespace {

Error why_not_run(orb::MainWork::Ran ran) noexcept {
  switch (ran) {
    case orb::MainWork::Ran::done: break;
    case orb::MainWork::Ran::refused: return errors::poa_destroyed;
    case orb::MainWork::Ran::late: return errors::not_begun_in_time;
  }
  return {};
}

}  // namespace

/// False: the gate was shut before the main thread came to it.
bool WholeAdapter::upcall_on_main(protocol::IncomingCall& call, const ObjectKey& key) {
  Patience patience(call);
  if (const Error why = patience.begin()) {
    refuse(call, why);
    return true;
  }
  bool served = false;
  const auto upcall = [&] {
    // Whether the POA is still being made, how the request has come and who may call has been checked before.
    Slot* slot = pin_open(key, Poa::activating | Poa::guarded | Poa::secured);
    if (slot == nullptr) return;
    served = true;
    std::optional<orb::UpcallScope> scope;
    if (orb_ != nullptr) scope.emplace(*orb_, call);
    if (call.end_wait()) return serve(call, *slot, key);
    unpin(*slot);
    refuse(call, errors::not_begun_in_time);
  };
  const Error why = why_not_run(main_work().run(upcall, patience.until()));
  if (why) refuse(call, why);
  return served || why;
}

void WholeAdapter::upcall_in_turn(protocol::IncomingCall& call, Running& running) {
  std::optional<HeldTurn> turn;
  {
    Patience patience(call);
    turn.emplace(*this, *running.frame.poa->whole(), patience);
    if (turn->error) return refuse(call, turn->error);
  }
  upcall_in(call, running);
}

constinit const WholeAdapter::Threads WholeAdapter::all_threads{&WholeAdapter::upcall_on_main,
                                                                &WholeAdapter::upcall_in_turn};

void enable_thread_policies() noexcept {
  WholeAdapter::threads.store(&WholeAdapter::all_threads, std::memory_order_release);
}

Error WholeAdapter::run_by_policy(WholePoa& poa, Patience& patience, FunctionRef<void()> code) {
  switch (poa.policies_.thread) {
    case Thread::orb_control: break;
    case Thread::single_thread: {
      const HeldTurn turn(*this, poa, patience);
      if (!turn.error) code();
      return turn.error;
    }
    case Thread::main_thread: {
      if (main_work().is_main()) break;
      if (const Error why = patience.begin()) return why;
      return why_not_run(main_work().run(code, patience.until()));
    }
  }
  code();
  return {};
}

// --- the end of an object that a servant activator must hear of ---

/// Runs on the main thread, or, if no main thread serves any more, on the thread that posts it.
struct WholeAdapter::Ending final : orb::MainWork::Posted {
  explicit Ending(Slot& closed) noexcept : root(&closed.poa->whole()->root()), slot(closed) {}
  void run() noexcept override { root->leave_to_turn(slot); }
  const Ref<WholeAdapter> root;
  Slot& slot;
};

void WholeAdapter::etherealize(Slot& slot) noexcept {
  const Ref<WholePoa> poa(slot.poa->whole());
  if (poa->policies_.thread == Thread::main_thread && !main_work().is_main()) {
    if (auto* ending = new (std::nothrow) Ending(slot)) return main_work().post(ending);
  }
  leave_to_turn(slot);
}

void WholeAdapter::leave_to_turn(Slot& slot) noexcept {
  const Ref<WholePoa> poa(slot.poa->whole());
  if (poa->turn_.leave(slot, poa->entry_->slots)) give_turn(*poa);
}

/// Runs on the thread that has the POA's turn.
void WholeAdapter::etherealize_in_turn(Slot& slot) noexcept {
  WholePoa& poa = *slot.poa->whole();
  std::uint8_t number[8];
  ByteView id;
  if (slot.id != nullptr) {
    id = slot.id->bytes();
  } else {
    write_slot_id(number, slot.index, slot.generation());
    id = number;
  }
  bool others = false;
  {
    LockGuard lock(mutex_);
    others = poa.by_servant_.remove(slot, poa.entry_->slots);
    ++poa.in_manager_;
  }
  {
    const Asking asking(poa);
    const bool cleanup = (slot.word.load(std::memory_order_relaxed) & Slot::cleanup) != 0;
    poa.servant_activator_->etherealize(id, poa, *slot.servant, cleanup, others);
  }
  {
    LockGuard lock(mutex_);
    --poa.in_manager_;
  }
  release(slot);
}

Error WholeAdapter::await_end(WholePoa& poa, const Slot& closing, ByteView id, Patience& patience) {
  for (const Frame* frame = current_frame; frame != nullptr; frame = frame->outer) {
    if (frame->slot == &closing) return errors::would_deadlock;
  }
  if (!poa.turn_.is_mine()) return patience.wait(*this);
  // The slot may be left with the turn that this thread has; then this thread must end it.
  if (poa.in_manager_ == 0) {
    mutex_.unlock();
    poa.turn_.see_to_due([this](Slot& slot) { etherealize_in_turn(slot); });
    mutex_.lock();
    if (poa.find_closing(id) != &closing) return {};
  }
  return errors::would_deadlock;
}

Error WholeAdapter::await_end_of(WholePoa& poa, ByteView id) {
  Patience patience;
  Error why;
  while (const Slot* closing = poa.find_closing(id)) {
    why = await_end(poa, *closing, id, patience);
    if (why) break;
  }
  mutex_.unlock();
  static_cast<void>(patience.end());
  mutex_.lock();
  return why;
}

// --- servant activators ---

Slot* WholeAdapter::incarnate(protocol::IncomingCall& call, WholePoa& poa, ByteView id, Supplied& refusal) {
  for (;;) {
    Patience patience(call);
    {
      LockGuard lock(mutex_);
      while (const Slot* closing = poa.find_closing(id)) {
        refusal.error = await_end(poa, *closing, id, patience);
        if (refusal.error) return nullptr;
      }
    }
    refusal.error = patience.end();
    if (refusal.error) return nullptr;
    const HeldTurn turn(*this, poa, patience);
    refusal.error = turn.error;
    if (refusal.error) return nullptr;
    LockGuard lock(mutex_);
    if (Slot* active = poa.find_active(id)) {
      active->pin_any();
      return active;
    }
    if (poa.destroyed_ || poa.manager_->state_ == ManagerState::inactive) {
      refusal.error = poa.destroyed_ ? errors::no_such_adapter : errors::manager_inactive;
      return nullptr;
    }
    if (poa.find_closing(id) != nullptr) continue;
    ++poa.in_manager_;
    lock.unlock();
    {
      const Asking asking(poa);
      refusal = poa.servant_activator_->incarnate(id, poa);
    }
    lock.lock();
    --poa.in_manager_;
    if (refusal.error || refusal.forward) return nullptr;
    Slot* const slot = retain(poa, id, refusal);
    const bool unused = refusal.servant && (slot == nullptr || slot->servant != refusal.servant.get());
    if (unused) give_back(poa, id, *refusal.servant);
    return slot;
  }
}

/// Hands a servant that is not needed back to the activator that supplied it. Runs on the thread that has the POA's turn.
void WholeAdapter::give_back(WholePoa& poa, ByteView id, Servant& servant) {
  const bool others = poa.by_servant_.find(servant, poa.entry_->slots) != nullptr;
  ++poa.in_manager_;
  mutex_.unlock();
  {
    const Asking asking(poa);
    poa.servant_activator_->etherealize(id, poa, servant, false, others);
  }
  mutex_.lock();
  --poa.in_manager_;
}

Slot* WholeAdapter::retain(WholePoa& poa, ByteView id, Supplied& supplied) {
  if (!supplied.servant) {
    supplied.error = errors::null_servant;
    return nullptr;
  }
  // incarnate(), or another thread meanwhile, may have activated the object. Then it has a servant already.
  Slot* slot = poa.find_active(id);
  if (slot == nullptr && poa.policies_.unique() && poa.is_active(*supplied.servant)) {
    supplied.error = errors::incarnate_violated_policy;
    return nullptr;
  }
  if (slot == nullptr) {
    const Outcome<Slot*> made = poa.occupy_named(supplied.servant.get(), id);
    if (!made) {
      supplied.error = made.fault().error;
      return nullptr;
    }
    slot = *made;
  }
  slot->pin_any();
  // If the POA has ended meanwhile, this activation ends after its upcall.
  if (poa.ended_) poa.close(*slot, poa.ending_);
  return slot;
}

// --- servant locators ---

namespace {

/// A servant that a locator has supplied, until it is given back.
struct Located {
  Ref<WholePoa> poa;
  Ref<ServantLocator> locator;
  Ref<Servant> servant;
  void* cookie = nullptr;
};

/// A request whose servant must be given back before its reply is sent, because what postinvoke() raises replaces the reply.
class LocatedCall final : public protocol::IncomingCall {
 public:
  /// `id` and `frame` last as long as this.
  LocatedCall(protocol::IncomingCall& call, Located located, ByteView id, Frame& frame)
      : call_(&call), located_(std::move(located)), id_(id), frame_(&frame) {
    sync = call.sync;
    response_expected = call.response_expected;
    arguments = std::move(call.arguments);
    name_request();
  }
  /// One that has been taken and is dropped without a reply gives the servant back.
  ~LocatedCall() override {
    if (!ended_) static_cast<void>(give_back());
  }

  ByteView context(std::uint32_t id) const noexcept override { return call_->context(id); }
  cdr::Writer& begin_reply(protocol::ReplyStatus status) override { return call_->begin_reply(status); }
  cdr::Writer& begin_reply_with(protocol::ReplyStatus status,
                                std::span<const protocol::ServiceContext> contexts, bool has_body) override {
    return call_->begin_reply_with(status, contexts, has_body);
  }
  bool admit_servant() override { return call_->admit_servant(); }
  Status finish_reply() override {
    end();
    return call_->replied() ? Status() : call_->finish_reply();
  }
  bool replied() const noexcept override { return call_->replied(); }
  bool identify_caller(protocol::Identity& into) const override { return call_->identify_caller(into); }
  void detach() override { call_->detach(); }
  std::unique_ptr<protocol::IncomingCall> take() override;

  /// Gives the servant back, once.
  void end() {
    if (ended_) return;
    if (const Error error = give_back()) refuse(*call_, error);
  }

 private:
  /// What take() fills; `id` is a copy of the other's.
  // NOLINTNEXTLINE(clang-analyzer-optin.cplusplus.UninitializedObject): next_queued is set where it is queued
  explicit LocatedCall(OwnText id) : own_id_(std::move(id)), id_(own_id_->bytes()), ended_(true) {}

  void name_request() {
    operation = call_->operation;
    object_key = call_->object_key;
  }
  Error give_back() {
    ended_ = true;
    if (frame_ != nullptr) frame_->servant = nullptr;
    return located_.locator->postinvoke(id_, *located_.poa, call_->operation, located_.cookie,
                                        *located_.servant);
  }

  protocol::IncomingCall* call_ = nullptr;
  std::unique_ptr<protocol::IncomingCall> taken_;  // out of the upcall: what call_ is
  Located located_;
  OwnText own_id_;
  ByteView id_;
  Frame* frame_ = nullptr;  // of the upcall
  bool ended_ = false;      // nothing is to be given back, any more or yet
};

std::unique_ptr<protocol::IncomingCall> LocatedCall::take() {
  if (ended_) return nullptr;
  OwnText id(IdText::make(id_));
  if (id == nullptr) return nullptr;
  std::unique_ptr<LocatedCall> same(new (std::nothrow) LocatedCall(std::move(id)));
  if (same == nullptr) return nullptr;
  same->taken_ = call_->take();
  if (same->taken_ == nullptr) return nullptr;
  same->call_ = same->taken_.get();
  same->sync = sync;
  same->response_expected = std::exchange(response_expected, false);
  same->arguments = std::move(arguments);
  same->name_request();
  same->located_ = std::move(located_);
  ended_ = true;
  same->ended_ = false;
  return same;
}

}  // namespace

void WholeAdapter::upcall_by_locator(protocol::IncomingCall& call, Running& running) {
  WholePoa& poa = *running.frame.poa->whole();
  const ByteView id = running.frame.id;
  const Ref<ServantLocator> locator = poa.servant_locator_;
  void* cookie = nullptr;
  const Supplied supplied = locator->preinvoke(id, poa, call.operation, cookie);
  if (supplied.forward) return forward(call, *supplied.forward);
  if (supplied.error) return refuse(call, supplied.error);
  if (!supplied.servant) return refuse(call, errors::null_servant);
  running.frame.servant = supplied.servant.get();
  LocatedCall located(call, {Ref<WholePoa>(&poa), locator, supplied.servant, cookie}, id, running.frame);
  supplied.servant->upcall(located);
  located.end();
}

constexpr WholePoa::Managed WholePoa::by_activator{
    &WholeAdapter::incarnate, nullptr, &WholeAdapter::etherealize, &WholeAdapter::etherealize_in_turn,
    &WholeAdapter::await_end_of};
constexpr WholePoa::Managed WholePoa::by_locator{nullptr, &WholeAdapter::upcall_by_locator, nullptr, nullptr,
                                                 nullptr};

}  // namespace tenon::poa
