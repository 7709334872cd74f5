// SPDX-License-Identifier: Apache-2.0
#include "mapping/cpp11/messaging/ami_call.hpp"

#include <algorithm>

#include "mapping/cpp11/messaging/started_call.hpp"

namespace tenon::gen {

void send(CORBA::Object& self, const AsyncInterface& interface, unsigned which,
          CORBA::object_reference<Messaging::ReplyHandler> handler, void* as, const void* const* arguments) {
  const Ref<StartedCall> call = StartedCall::make(self, interface, which, arguments);
  if (handler) call->will_give(std::move(handler), as);
  begin_call(*call);
}

void send_polled(CORBA::Object& self, const AsyncInterface& interface, unsigned which,
                 Messaging::Poller& poller, const void* const* arguments) {
  const Ref<StartedCall> call = StartedCall::make(self, interface, which, arguments);
  poller._begin(call, CORBA::object_reference<CORBA::Object>(&self));
  begin_call(*call);
}

void poll(Messaging::Poller& poller, std::string_view operation, std::uint32_t timeout,
          void* const* results) {
  StartedCall& call = poller._take(operation, timeout);
  call.rethrow();
  call.take_results(results);
}

void tell(CORBA::Object& handler, const AsyncInterface& interface, unsigned which,
          const void* const* results) {
  const AsyncOperation& about = interface.operations[which];
  const auto in_reply = [](const AsyncParameter& each) { return each.in_reply; };
  const Operation operation{.name = about.reply,
                            .has_arguments = std::ranges::any_of(about.parameters, in_reply)};
  call(handler, operation, [&](cdr::Writer& out) {
    const void* const* value = results;
    for (const AsyncParameter& each : about.parameters) {
      if (each.in_reply) each.type->put(out, *value++);
    }
  });
}

void tell(CORBA::Object& handler, const AsyncInterface& interface, unsigned which,
          const Messaging::ExceptionHolderRef& holder) {
  const Operation operation{.name = interface.operations[which].excep};
  call(handler, operation, [&](cdr::Writer& out) { Value<Messaging::ExceptionHolder>::put(out, holder); });
}

}  // namespace tenon::gen
