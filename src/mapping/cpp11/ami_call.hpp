// SPDX-License-Identifier: Apache-2.0
//
// What generated sendc_ and sendp_ operations end in (tenon-idl --ami): a call that keeps its results, and how they reach a reply
// handler or whoever polls.
//
// Handlers are called on threads of the ORB, by an ordinary call of theirs; what they raise goes nowhere but into the log.
#pragma once

#include <memory>
#include <tuple>

#include "mapping/cpp11/pending_call.hpp"
#include "mapping/cpp11/poller.hpp"
#include "mapping/cpp11/reply_handler.hpp"

namespace tenon::gen {

/// Milliseconds that are none (CORBA 3.4 part 1 §17.12.1).
inline Deadline poll_deadline(std::uint32_t milliseconds) noexcept {
  return milliseconds == 0xFFFFFFFF ? Deadline::never() : Deadline::after_ms(milliseconds);
}

/// Results: a tuple of the return value, inout and out parameters.
template <typename Results>
using MadeCall = Ref<Pending<Results>>;

/// Not begun yet. `operation` is constant data; `put` holds the arguments, `get` reads the results; nullptr for none.
template <typename Results, typename Put, typename Get>
MadeCall<Results> make_call(CORBA::Object& self, const Operation& operation, Put put, Get get) {
  return make_ref<TypedCall<Results, Put, Get>>(self, operation, std::move(put), std::move(get));
}

/// What the call has raised, for <op>_excep(); nil: nothing, there are results.
Messaging::ExceptionHolderRef holder_of(PendingCall& call);
/// Says what a handler has thrown, from inside a catch.
void note_handler_failure(const PendingCall& call) noexcept;

template <typename Handler, typename... Parameters>
struct HandlerOperations {
  void (Handler::*reply)(Parameters...);
  void (Handler::*excep)(Messaging::ExceptionHolderRef);

  template <typename Results>
  void give(Pending<Results>& call, Handler& handler) const noexcept {
    try {
      if (Messaging::ExceptionHolderRef holder = holder_of(call)) return (handler.*excep)(std::move(holder));
      std::apply([&](auto&... each) { (handler.*reply)(std::move(each)...); }, call.results);
    } catch (...) {
      note_handler_failure(call);
    }
  }
};

/// A poller's handlers, which it does not know the type of.
class Handlers {
 public:
  virtual ~Handlers() = default;
  /// As the type that is wanted; nil: it has another one.
  virtual CORBA::object_reference<Messaging::ReplyHandler> narrowed(
      const CORBA::object_reference<Messaging::ReplyHandler>& handler) const = 0;
  /// To one that was narrowed.
  virtual void give(PendingCall& call, Messaging::ReplyHandler& handler) const noexcept = 0;
};

template <typename Results, typename Handler, typename... Parameters>
class HandlersOf final : public Handlers {
 public:
  explicit HandlersOf(HandlerOperations<Handler, Parameters...> operations) : operations_(operations) {}
  CORBA::object_reference<Messaging::ReplyHandler> narrowed(
      const CORBA::object_reference<Messaging::ReplyHandler>& handler) const override {
    return narrow<Handler>(handler);
  }
  void give(PendingCall& call, Messaging::ReplyHandler& handler) const noexcept override {
    operations_.give(static_cast<Pending<Results>&>(call), dynamic_cast<Handler&>(handler));
  }

 private:
  const HandlerOperations<Handler, Parameters...> operations_;
};

/// Sends; the outcome goes to `handler`, nowhere if that is nil.
template <typename Results, typename Handler, typename... Parameters>
void send(MadeCall<Results> call, CORBA::object_reference<Handler> handler,
          void (Handler::*reply)(Parameters...), void (Handler::*excep)(Messaging::ExceptionHolderRef)) {
  if (handler) {
    // Runs while the call ends, so the call is there.
    call->when_ready([&ended = *call, handler = std::move(handler),
                      operations = HandlerOperations<Handler, Parameters...>{reply, excep}] {
      operations.give(ended, *handler);
    });
  }
  begin_call(*call);
}

/// Sends; the outcome is for whoever polls.
template <typename Poller, typename Results, typename Handler, typename... Parameters>
CORBA::valuetype_reference<Poller> send_polled(MadeCall<Results> call, CORBA::Object& target,
                                               void (Handler::*reply)(Parameters...),
                                               void (Handler::*excep)(Messaging::ExceptionHolderRef)) {
  auto poller = CORBA::make_reference<Poller>();
  poller->_begin(call, CORBA::object_reference<CORBA::Object>(&target),
                 std::make_unique<HandlersOf<Results, Handler, Parameters...>>(
                     HandlerOperations<Handler, Parameters...>{reply, excep}));
  begin_call(*call);
  return poller;
}

/// Takes the results, or raises.
template <typename... Results>
void poll(Messaging::Poller& poller, std::string_view operation, std::uint32_t timeout, Results&... results) {
  PendingCall& call = poller._take(operation, timeout);
  call.rethrow();
  std::tie(results...) = std::move(static_cast<Pending<std::tuple<Results...>>&>(call).results);
}

}  // namespace tenon::gen
