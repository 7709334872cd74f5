// SPDX-License-Identifier: Apache-2.0
#include "mapping/cpp11/messaging/started_call.hpp"

#include <cstring>
#include <new>
#include <string>

#include "base/log.hpp"
#include "base/minor_codes.hpp"
#include "mapping/cpp11/calls/parameter_frame.hpp"
#include "tenon/messaging/lent.hpp"

namespace tenon::gen {

namespace {

/// What the call has raised, for <op>_excep(); nil: the call has results.
Messaging::ExceptionHolderRef holder_of(PendingCall& call) {
  using Messaging::ExceptionHolder;
  try {
    call.rethrow();
    return nullptr;
  } catch (const CORBA::UserException& exception) {
    return CORBA::make_reference<ExceptionHolder>(exception, &call.orb());
  } catch (const CORBA::SystemException& exception) {
    return CORBA::make_reference<ExceptionHolder>(exception._error());
  } catch (...) {
    // thrown by code of the arguments
    return CORBA::make_reference<ExceptionHolder>(errors::foreign_exception);
  }
}

/// Called inside a catch block: notes in the log what a handler has thrown.
void note_handler_failure(const PendingCall& call) noexcept {
  if (!log_enabled(LogLevel::warning)) return;
  try {
    std::string text = "the reply handler of '" + std::string(call.operation_name()) + "' raised ";
    try {
      throw;
    } catch (const std::exception& exception) {
      text += exception.what();
    } catch (...) {
      text += "something that is no exception";
    }
    log(LogLevel::warning, "ami", text);
  } catch (...) {
    log(LogLevel::warning, "ami", "a reply handler raised what there is no memory to tell");
  }
}

}  // namespace

/// How much memory the addresses and the values take.
struct StartedCall::Room {
  explicit Room(const AsyncOperation& about) noexcept {
    for (const AsyncParameter& each : about.parameters) {
      values += frame_size(*each.type);
      addresses += each.in_reply ? 2 : 1;
    }
  }
  std::size_t bytes() const noexcept { return values + addresses * sizeof(void*); }

  std::size_t values = 0;     // bytes
  std::size_t addresses = 0;  // of parameters and, once more, of results
};

// These two are not inlined: GCC takes it for a mismatch where one of them is and the other is not.
[[gnu::noinline]] void* StartedCall::operator new(std::size_t size, const Room& room) {
  return ::operator new(frame_size(size) + room.bytes());
}
[[gnu::noinline]] void StartedCall::operator delete(void* at, const Room&) noexcept { ::operator delete(at); }
void StartedCall::operator delete(void* at) noexcept { ::operator delete(at); }

StartedCall::StartedCall(CORBA::Object& self, const AsyncInterface& interface, unsigned which)
    : PendingCall(self, interface.operations[which].operation),
      interface_(interface),
      about_(interface.operations[which]),
      which_(which) {}

StartedCall::~StartedCall() {
  while (made_ != 0) {
    --made_;
    if (is_own(values_[made_])) end_value(*parameters()[made_].type, values_[made_]);
  }
}

Ref<StartedCall> StartedCall::make(CORBA::Object& self, const AsyncInterface& interface, unsigned which,
                                   const void* const* arguments) {
  const Room room(interface.operations[which]);
  auto call = Ref<StartedCall>::adopt(new (room) StartedCall(self, interface, which));
  call->fill(arguments);
  return call;
}

Ref<StartedCall> start_call(CORBA::Object& self, const AsyncInterface& interface, unsigned which,
                            const void* const* arguments) {
  Ref<StartedCall> call = StartedCall::make(self, interface, which, arguments);
  begin_call(*call);
  return call;
}

void StartedCall::fill(const void* const* arguments) {
  std::byte* free = reinterpret_cast<std::byte*>(this) + frame_size(sizeof *this);
  const std::size_t count = parameters().size();
  for (const AsyncParameter& each : parameters()) free += frame_size(*each.type);
  values_ = reinterpret_cast<void**>(free);
  results_ = values_ + count;
  free = reinterpret_cast<std::byte*>(this) + frame_size(sizeof *this);
  void** result = results_;
  for (const AsyncParameter& each : parameters()) {
    void* value = free;
    if (!each.in_request) {
      begin_value(*each.type, free);
    } else if (!each.in_reply && Lent::take(*arguments, *this)) {
      value = const_cast<void*>(*arguments++);  // only read: it is in no reply
    } else {
      copy_value(*each.type, free, *arguments++);
    }
    values_[made_++] = value;
    if (each.in_reply) *result++ = free;
    free += frame_size(*each.type);
  }
}

void StartedCall::write(cdr::Writer& out) {
  void** value = values_;
  for (const AsyncParameter& each : parameters()) {
    if (each.in_request) each.type->put(out, *value);
    ++value;
  }
}

void StartedCall::read(cdr::Reader& in) {
  void** value = values_;
  for (const AsyncParameter& each : parameters()) {
    if (each.in_reply) each.type->get(in, *value);
    ++value;
  }
}

void StartedCall::give(void* handler) noexcept {
  try {
    if (Messaging::ExceptionHolderRef holder = holder_of(*this)) {
      holder->_listed(about_.operation.raises);
      void* const values[] = {&holder};
      return interface_.run(handler, 2 * which_ + 1, values);
    }
    interface_.run(handler, 2 * which_, results_);
  } catch (...) {
    note_handler_failure(*this);
  }
}

void StartedCall::will_give(CORBA::object_reference<Messaging::ReplyHandler> handler, void* as) {
  handler_ = std::move(handler);
  // It runs while the call ends, so `this` still lives.
  when_ready([this, as] {
    const CORBA::object_reference<Messaging::ReplyHandler> held = std::move(handler_);
    give(as);
  });
}

void StartedCall::take_results(void* const* into) {
  void** result = results_;
  for (const AsyncParameter& each : parameters()) {
    if (each.in_reply) move_value(*each.type, *into++, *result++);
  }
}

}  // namespace tenon::gen
