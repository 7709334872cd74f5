// SPDX-License-Identifier: Apache-2.0
#include "mapping/cpp11/calls/call.hpp"

#include <type_traits>

#include "base/minor_codes.hpp"
#include "mapping/cpp11/calls/stub_call.hpp"
#include "mapping/cpp11/corba/usage.hpp"
#include "mapping/cpp11/messaging/pending_call.hpp"
#include "orb/client/invocation.hpp"
#include "orb/interception.hpp"
#include "orb/orb.hpp"
#include "protocol/reply_error.hpp"
#include "tenon/corba/call_policies.hpp"
#include "tenon/corba/orb.hpp"
#include "tenon/timeout.hpp"

namespace tenon::gen {

[[noreturn]] void throw_user_exception(cdr::Reader& in, std::span<const Raises> listed) {
  const std::string_view id = in.get_raw_string();
  if (!in.good()) raise(protocol::in_reply(in.error()).with(Completion::yes));
  for (const Raises& each : listed) {
    if (each.id == id) each.raise(in);
  }
  raise(errors::unlisted_user_exception.with(Completion::yes));
}

namespace {

/// A call that is counted (usage.hpp), also where it raises.
[[gnu::noinline]] void call_counted(CORBA::Object& self, const Operation& operation, Put put, Get get) {
  struct Use {
    CORBA::Object& self;
    const Operation& operation;
    std::size_t sent = 0;
    std::size_t received = 0;
    ~Use() { count_use(Side::client, self._reference()->type_id(), operation.name, 1, sent + received); }
  } use{self, operation};
  Operation counted = operation;
  counted.counted = true;
  call(
      self, counted,
      [&](cdr::Writer& out) {
        const std::size_t before = out.size();
        put(out);
        use.sent = out.size() - before;
      },
      [&](cdr::Reader& in) {
        const std::size_t before = in.remaining();
        get(in);
        use.received = before - in.remaining();
      });
}

/// Makes the call if it is to be counted, or described to the observer of its ORB. False: neither, or that has been done.
[[gnu::noinline, gnu::cold]] bool call_watched(CORBA::Object& self, const Operation& operation, Put put,
                                               Get get) {
  if (usage_counted() && !operation.counted) {
    call_counted(self, operation, put, get);
    return true;
  }
  if (operation.described || self._reference()->orb().call_observer() == nullptr) return false;
  Operation described = operation;
  described.described = true;
  const StubCall description(self, put);
  const orb::DescribedCall scope(operation.name, description);
  call(self, described, put, get);
  return true;
}

}  // namespace

template <typename Op>
void call(CORBA::Object& self, const Op& operation, Put put, Get get) {
  orb::Reference* reference = self._reference().get();
  if (reference == nullptr) raise(errors::local_operation);
  orb::CallSpec spec{
      .operation = operation.name,
      .response_expected = operation.kind == Kind::two_way,
      .has_arguments = operation.has_arguments,
      .sync = operation.kind == Kind::two_way ? protocol::Sync::with_target : protocol::Sync::with_transport,
  };
  if (calls_are_unusual() || self._has_policies() || thread_has_policies) [[unlikely]] {
    if (calls_are_watched() && call_watched(self, operation, put, get)) return;
    apply_policies(self, spec);
  }
  const orb::NumberedName* number = nullptr;
  if constexpr (std::is_same_v<Op, NumberedOperation>) number = &operation.numbered;
  orb::Invocation invocation(*reference, spec, number);
  for (cdr::Writer* out = invocation.begin(); out != nullptr; out = invocation.send()) put(*out);
  if (!invocation.outcome()) [[unlikely]]
    raise_call_failed(invocation.outcome().error());
  if (operation.kind != Kind::two_way) return;
  cdr::Reader& reply = invocation.reply();
  if (invocation.reply_status() == protocol::ReplyStatus::user_exception) [[unlikely]]
    throw_user_exception(reply, operation.raises);
  get(reply);
  if (!reply.good()) [[unlikely]]
    raise(protocol::in_reply(reply.error()).with(Completion::yes));
}

template void call(CORBA::Object& self, const Operation& operation, Put put, Get get);
template void call(CORBA::Object& self, const NumberedOperation& operation, Put put, Get get);

void put_reference(cdr::Writer& out, const CORBA::Object* object) {
  if (object == nullptr) {
    ior::write_ior(out, {});
  } else if (!object->_reference()) {
    out.fail(errors::local_object);
  } else {
    ior::write_ior(out, object->_reference()->ior());
  }
}

HeldReference get_reference(cdr::Reader& in) {
  ior::Ior ior;
  ior::read_ior(in, ior);
  if (!in.good() || ior.nil()) return {};
  return current_orb().reference(std::move(ior));
}

}  // namespace tenon::gen
