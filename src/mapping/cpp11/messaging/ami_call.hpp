// SPDX-License-Identifier: Apache-2.0
//
// The functions that generated sendc_ and sendp_ operations, polls and stubs of reply handlers call (tenon-idl --ami). Generated code has
// one constant per operation (async_operation.hpp) and passes addresses; the library makes the calls and keeps their values.
//
// Handlers are called on threads of the ORB, by ordinary calls to them; what they raise is only noted in the log.
#pragma once

#include <cstdint>
#include <string_view>

#include "mapping/cpp11/calls/parameter_type.hpp"
#include "mapping/cpp11/messaging/async_operation.hpp"
#include "tenon/corba/object.hpp"
#include "tenon/messaging/poller.hpp"
#include "tenon/messaging/reply_handler.hpp"

namespace tenon::gen {

// Parameters with codec C.
template <typename C, template <typename, Way> typename Type = TypeOf>
inline constexpr AsyncParameter sent{&Type<C, Way::sent>::type, true, false};
template <typename C, template <typename, Way> typename Type = TypeOf>
inline constexpr AsyncParameter sent_and_returned{&Type<C, Way::both>::type, true, true};
template <typename C, template <typename, Way> typename Type = TypeOf>
inline constexpr AsyncParameter returned{&Type<C, Way::returned>::type, false, true};

/// AsyncInterface::narrow.
template <typename Handler>
void* narrow_handler(CORBA::object_reference<Messaging::ReplyHandler>& handler) {
  CORBA::object_reference<Handler> fitting = narrow<Handler>(handler);
  void* const as = fitting.get();
  handler = std::move(fitting);
  return as;
}

/// Calls operation `which` of the interface; `arguments`: the address of each in and inout parameter. The outcome goes to `handler`,
/// whose handler class is at address `as`; it is dropped if `handler` is nil. Raises if the call cannot be begun.
void send(CORBA::Object& self, const AsyncInterface& interface, unsigned which,
          CORBA::object_reference<Messaging::ReplyHandler> handler, void* as, const void* const* arguments);
/// The same, but the outcome goes to the new poller.
void send_polled(CORBA::Object& self, const AsyncInterface& interface, unsigned which,
                 Messaging::Poller& poller, const void* const* arguments);

template <typename Handler>
[[gnu::noinline]] void send(CORBA::Object& self, unsigned which, CORBA::object_reference<Handler>& handler,
                            const void* const* arguments) {
  void* const as = handler.get();
  send(self, Handler::_calls, which, std::move(handler), as, arguments);
}

template <typename Handler, typename Poller>
[[gnu::noinline]] CORBA::valuetype_reference<Poller> send_polled(CORBA::Object& self, unsigned which,
                                                                 const void* const* arguments) {
  auto poller = CORBA::make_reference<Poller>();
  send_polled(self, Handler::_calls, which, *poller, arguments);
  return poller;
}

/// Moves the results of a call of that operation to the addresses in `results`, or raises.
void poll(Messaging::Poller& poller, std::string_view operation, std::uint32_t timeout, void* const* results);

/// The handler's own stub: tells it the results of operation `which`.
void tell(CORBA::Object& handler, const AsyncInterface& interface, unsigned which,
          const void* const* results);
/// The same, but tells it what the operation has raised.
void tell(CORBA::Object& handler, const AsyncInterface& interface, unsigned which,
          const Messaging::ExceptionHolderRef& holder);

}  // namespace tenon::gen
