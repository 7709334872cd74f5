// SPDX-License-Identifier: Apache-2.0
//
// An asynchronous call: it keeps copies of the arguments that are not lent, and its results until a handler, a poll or a Reply takes them.
// All of it lies in one piece of memory.
//
// Threads: as PendingCall.
#pragma once

#include <cstddef>
#include <functional>

#include "mapping/cpp11/messaging/async_operation.hpp"
#include "mapping/cpp11/messaging/pending_call.hpp"
#include "tenon/messaging/reply_handler.hpp"

namespace tenon::gen {

class StartedCall;
/// Makes a call as StartedCall::make() does, and begins it.
Ref<StartedCall> start_call(CORBA::Object& self, const AsyncInterface& interface, unsigned which,
                            const void* const* arguments);

/// 0xFFFFFFFF milliseconds mean without limit (CORBA 3.4 part 1 §17.12.1).
inline Deadline poll_deadline(std::uint32_t milliseconds) noexcept {
  return milliseconds == 0xFFFFFFFF ? Deadline::never() : Deadline::after_ms(milliseconds);
}

class StartedCall final : public PendingCall {
 public:
  /// A call of operation `which`, not begun yet; `arguments`: the address of each in and inout parameter.
  static Ref<StartedCall> make(CORBA::Object& self, const AsyncInterface& interface, unsigned which,
                               const void* const* arguments);

  const AsyncInterface& interface() const noexcept { return interface_; }
  /// Gives the outcome to the handler that interface().narrow() returned. Call it once, when the call is over.
  void give(void* handler) noexcept;
  /// Lets the handler have the outcome when the call is over. Call it before the call is begun.
  void will_give(CORBA::object_reference<Messaging::ReplyHandler> handler, void* as);
  /// Moves each result to where the address says. Call it once, when the call is over and has raised nothing.
  void take_results(void* const* into);

 private:
  struct Room;

  StartedCall(CORBA::Object& self, const AsyncInterface& interface, unsigned which);
  ~StartedCall() override;
  static void* operator new(std::size_t size, const Room& room);
  static void operator delete(void* at, const Room& room) noexcept;
  static void operator delete(void* at) noexcept;

  std::span<const AsyncParameter> parameters() const noexcept { return about_.parameters; }
  void fill(const void* const* arguments);
  /// Whether a parameter's value lies in this object; else it is the caller's.
  bool is_own(const void* value) const noexcept {
    return std::less_equal<>()(static_cast<const void*>(this), value) &&
           std::less<>()(value, static_cast<const void*>(values_));
  }
  void write(cdr::Writer& out) override;
  void read(cdr::Reader& in) override;

  const AsyncInterface& interface_;
  const AsyncOperation& about_;
  const unsigned which_;
  unsigned made_ = 0;                                         // so many parameters are constructed
  void** values_ = nullptr;                                   // the address of each parameter, behind this
  void** results_ = nullptr;                                  // the addresses of those that the reply brings
  CORBA::object_reference<Messaging::ReplyHandler> handler_;  // of will_give()
};

}  // namespace tenon::gen
