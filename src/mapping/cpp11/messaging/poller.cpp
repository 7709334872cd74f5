// SPDX-License-Identifier: Apache-2.0
#include "tenon/messaging/poller.hpp"

#include <mutex>
#include <optional>

#include "base/minor_codes.hpp"
#include "mapping/cpp11/messaging/started_call.hpp"
#include "tenon/messaging/pollable_set.hpp"

namespace Messaging {
inline namespace cpp11 {

namespace errors = tenon::errors;
namespace gen = tenon::gen;

struct Poller::Polled {
  // Set before any other thread sees the poller.
  tenon::Ref<gen::StartedCall> call;
  CORBA::object_reference<CORBA::Object> target;

  mutable std::mutex mutex;  // guards what follows
  CORBA::object_reference<ReplyHandler> handler;
  void* as = nullptr;  // the handler's address as the class that the call wants
  bool taken = false;
  std::optional<bool> from_poller;
};

Poller::Poller() : polled_(new Polled) {}
Poller::~Poller() { delete polled_; }

void Poller::_begin(tenon::Ref<gen::StartedCall> call, CORBA::object_reference<CORBA::Object> target) {
  polled_->call = std::move(call);
  polled_->target = std::move(target);
}

gen::PendingCall& Poller::_call() const noexcept { return *polled_->call; }

bool Poller::wait(std::uint32_t timeout) const {
  return polled_->call->wait_until(gen::poll_deadline(timeout));
}

bool Poller::is_ready(std::uint32_t timeout) {
  const auto check = [this] {
    const std::lock_guard lock(polled_->mutex);
    if (polled_->taken) gen::raise(errors::reply_taken);
  };
  check();
  const bool ready = wait(timeout);
  check();
  return ready;
}

CORBA::object_reference<CORBA::PollableSet> Poller::create_pollable_set() {
  auto set = CORBA::make_reference<CORBA::PollableSet>();
  set->add_pollable(CORBA::valuetype_reference<Poller>(this));
  return set;
}

Poller::_State Poller::_state() const {
  const std::lock_guard lock(polled_->mutex);
  if (polled_->taken) return _State::taken;
  return !polled_->handler && polled_->call->ready() ? _State::ready : _State::pending;
}

CORBA::object_reference<CORBA::Object> Poller::operation_target() const { return polled_->target; }

std::string Poller::operation_name() const { return std::string(polled_->call->operation_name()); }

CORBA::object_reference<ReplyHandler> Poller::associated_handler() const {
  const std::lock_guard lock(polled_->mutex);
  return polled_->handler;
}

void Poller::associated_handler(const CORBA::object_reference<ReplyHandler>& handler) {
  CORBA::object_reference<ReplyHandler> fitting = handler;
  void* as = nullptr;
  if (fitting) {
    as = polled_->call->interface().narrow(fitting);  // may ask the handler
    if (as == nullptr) gen::raise(errors::wrong_reply_handler);
  }
  {
    const std::lock_guard lock(polled_->mutex);
    if (polled_->taken) gen::raise(errors::reply_taken);
    polled_->handler = std::move(fitting);
    polled_->as = as;
    if (!polled_->handler) return;
  }
  auto turn = [poller = CORBA::valuetype_reference<Poller>(this)] { poller->turn_over(); };
  if (!polled_->call->when_ready(turn)) polled_->call->run_there(std::move(turn));
}

/// Gives the reply to the handler, unless the handler has been removed meanwhile.
void Poller::turn_over() {
  CORBA::object_reference<ReplyHandler> handler;  // kept while it is told
  void* as = nullptr;
  {
    const std::lock_guard lock(polled_->mutex);
    if (polled_->taken || !polled_->handler) return;
    polled_->taken = true;
    handler = polled_->handler;
    as = polled_->as;
  }
  polled_->call->ring();
  polled_->call->give(as);
}

bool Poller::is_from_poller() const {
  const std::lock_guard lock(polled_->mutex);
  if (!polled_->from_poller) gen::raise(errors::not_polled_yet);
  return *polled_->from_poller;
}

void Poller::refuse(const tenon::Error& error) {
  {
    const std::lock_guard lock(polled_->mutex);
    polled_->from_poller = true;
  }
  gen::raise(error);
}

gen::StartedCall& Poller::_take(std::string_view operation, std::uint32_t timeout) {
  if (operation != polled_->call->operation_name()) refuse(errors::wrong_poller_operation);
  bool taken = false;
  {
    const std::lock_guard lock(polled_->mutex);
    taken = polled_->taken;
  }
  if (!taken && !wait(timeout)) refuse(timeout == 0 ? errors::no_reply_yet : errors::reply_not_in_time);
  if (!taken) {
    const std::lock_guard lock(polled_->mutex);
    // If there is a handler, the reply belongs to it, even before the handler gets it.
    taken = polled_->taken || polled_->handler;
    if (!taken) {
      polled_->taken = true;
      polled_->from_poller = false;
    }
  }
  if (taken) refuse(errors::reply_taken);
  return *polled_->call;
}

const gen::ValueInfo& Poller::_value_info() const noexcept {
  static constexpr std::string_view ids[] = {_static_id};
  static constexpr gen::ValueInfo info{ids};
  return info;
}

void Poller::_put_state(tenon::cdr::Writer& out) const { out.fail(errors::local_object); }

void Poller::_get_state(tenon::cdr::Reader& in) { in.fail(errors::local_object); }

}  // namespace cpp11
}  // namespace Messaging
