// SPDX-License-Identifier: Apache-2.0
//
// Pollers (CORBA 3.4 part 1 §17.11, §17.12), which sendp_ operations return. The generated AMI_<name>Poller derives from Messaging::Poller.
//
// A value type by the standard, but one that stays in its process: sending it raises MARSHAL (minor OMG 4). Safe from any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "tenon/messaging/reply_handler.hpp"

namespace tenon::gen {
class PendingCall;
class StartedCall;
}  // namespace tenon::gen

namespace CORBA {
inline namespace cpp11 {

class PollableSet;

/// An object that can be asked whether it is ready (CORBA 3.4 part 1 §11.4).
class Pollable : public virtual ValueBase {
 public:
  static constexpr std::string_view _static_id = "IDL:omg.org/CORBA/Pollable:1.0";
  /// Waits for `timeout` milliseconds; 0xFFFFFFFF: without limit.
  virtual bool is_ready(std::uint32_t timeout) = 0;
  /// Makes a set with this one in it. BAD_PARAM (minor OMG 43) if it is in a set already.
  virtual object_reference<PollableSet> create_pollable_set() = 0;

 protected:
  Pollable() = default;
};

}  // namespace cpp11
}  // namespace CORBA

namespace Messaging {
inline namespace cpp11 {

class Poller : public virtual CORBA::Pollable {
 public:
  static constexpr std::string_view _static_id = "IDL:omg.org/Messaging/Poller:1.0";

  /// OBJECT_NOT_EXIST (minor OMG 5) when the reply has been taken, or a handler gets it.
  bool is_ready(std::uint32_t timeout) override;
  CORBA::object_reference<CORBA::PollableSet> create_pollable_set() override;
  CORBA::object_reference<CORBA::Object> operation_target() const;
  /// The name as on the wire: "add", "_get_title".
  std::string operation_name() const;
  /// A handler gets the reply as if it had been given to sendc_; nil: it is polled for. BAD_PARAM for a handler of another interface,
  /// OBJECT_NOT_EXIST (minor OMG 5) when the reply has been taken.
  CORBA::object_reference<ReplyHandler> associated_handler() const;
  void associated_handler(const CORBA::object_reference<ReplyHandler>& handler);
  /// Whether what the last poll raised came from the poller, not from the object. BAD_INV_ORDER (minor OMG 22) before the first.
  bool is_from_poller() const;

  // --- the ORB's own ---
  void _begin(tenon::Ref<tenon::gen::StartedCall> call, CORBA::object_reference<CORBA::Object> target);
  /// Waits, and takes the reply to a call of that operation. See docs/messaging.md for what it raises.
  tenon::gen::StartedCall& _take(std::string_view operation, std::uint32_t timeout);
  enum class _State : std::uint8_t { pending, ready, taken };
  /// Ready: a poll would return the reply now. Pending also while a handler waits for it.
  _State _state() const;
  tenon::gen::PendingCall& _call() const noexcept;
  const tenon::gen::ValueInfo& _value_info() const noexcept override;
  void _put_state(tenon::cdr::Writer& out) const override;
  void _get_state(tenon::cdr::Reader& in) override;

 protected:
  Poller();
  ~Poller() override;

 private:
  struct Polled;

  bool wait(std::uint32_t timeout) const;
  [[noreturn]] void refuse(const tenon::Error& error);
  void turn_over();

  Polled* const polled_;  // owned
};

}  // namespace cpp11
}  // namespace Messaging

template <>
struct IDL::traits<CORBA::Pollable> : tenon::gen::ValueTypeTraits<CORBA::Pollable, void, void> {};
template <>
struct IDL::traits<Messaging::Poller> : tenon::gen::ValueTypeTraits<Messaging::Poller, void, void> {};
