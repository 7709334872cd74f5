// SPDX-License-Identifier: Apache-2.0
#include "mapping/cpp11/poller.hpp"

#include "base/minor_codes.hpp"
#include "mapping/cpp11/ami_call.hpp"
#include "mapping/cpp11/pollable_set.hpp"

namespace Messaging {
inline namespace cpp11 {

namespace errors = tenon::errors;
namespace gen = tenon::gen;

Poller::Poller() = default;
Poller::~Poller() = default;

void Poller::_begin(tenon::Ref<gen::PendingCall> call, CORBA::object_reference<CORBA::Object> target,
                    std::unique_ptr<gen::Handlers> handlers) {
  call_ = std::move(call);
  target_ = std::move(target);
  handlers_ = std::move(handlers);
}

bool Poller::wait(std::uint32_t timeout) const { return call_->wait_until(gen::poll_deadline(timeout)); }

bool Poller::is_ready(std::uint32_t timeout) {
  const auto check = [this] {
    const std::lock_guard lock(mutex_);
    if (taken_) gen::raise(errors::reply_taken);
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
  const std::lock_guard lock(mutex_);
  if (taken_) return _State::taken;
  return !handler_ && call_->ready() ? _State::ready : _State::pending;
}

CORBA::object_reference<CORBA::Object> Poller::operation_target() const { return target_; }

std::string Poller::operation_name() const { return std::string(call_->operation_name()); }

CORBA::object_reference<ReplyHandler> Poller::associated_handler() const {
  const std::lock_guard lock(mutex_);
  return handler_;
}

void Poller::associated_handler(const CORBA::object_reference<ReplyHandler>& handler) {
  CORBA::object_reference<ReplyHandler> fitting;
  if (handler) {
    fitting = handlers_->narrowed(handler);  // may ask the handler
    if (!fitting) gen::raise(errors::wrong_reply_handler);
  }
  {
    const std::lock_guard lock(mutex_);
    if (taken_) gen::raise(errors::reply_taken);
    handler_ = std::move(fitting);
    if (!handler_) return;
  }
  auto turn = [poller = CORBA::valuetype_reference<Poller>(this)] { poller->turn_over(); };
  if (!call_->when_ready(turn)) call_->run_there(std::move(turn));
}

/// Gives the reply to the handler, unless that has been taken away meanwhile.
void Poller::turn_over() {
  CORBA::object_reference<ReplyHandler> handler;
  {
    const std::lock_guard lock(mutex_);
    if (taken_ || !handler_) return;
    taken_ = true;
    handler = handler_;
  }
  call_->ring();
  handlers_->give(*call_, *handler);
}

bool Poller::is_from_poller() const {
  const std::lock_guard lock(mutex_);
  if (!from_poller_) gen::raise(errors::not_polled_yet);
  return *from_poller_;
}

void Poller::refuse(const tenon::Error& error) {
  {
    const std::lock_guard lock(mutex_);
    from_poller_ = true;
  }
  gen::raise(error);
}

gen::PendingCall& Poller::_take(std::string_view operation, std::uint32_t timeout) {
  if (operation != call_->operation_name()) refuse(errors::wrong_poller_operation);
  bool taken = false;
  {
    const std::lock_guard lock(mutex_);
    taken = taken_;
  }
  if (!taken && !wait(timeout)) refuse(timeout == 0 ? errors::no_reply_yet : errors::reply_not_in_time);
  if (!taken) {
    const std::lock_guard lock(mutex_);
    // With a handler the reply is its, even if it has not got it yet.
    taken = taken_ || handler_;
    if (!taken) {
      taken_ = true;
      from_poller_ = false;
    }
  }
  if (taken) refuse(errors::reply_taken);
  return *call_;
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
