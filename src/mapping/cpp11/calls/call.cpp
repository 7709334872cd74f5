// SPDX-License-Identifier: Apache-2.0
#include "mapping/cpp11/calls/call.hpp"

#include <mutex>
#include <type_traits>

#include "base/minor_codes.hpp"
#include "mapping/cpp11/calls/watched_call.hpp"
#include "mapping/cpp11/corba/protocol_policies.hpp"
#include "mapping/cpp11/corba/usage.hpp"
#include "mapping/cpp11/messaging/pending_call.hpp"
#include "orb/client/invocation.hpp"
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

/// Whether the compiler is to make small code rather than fast code (-Os).
#ifdef __OPTIMIZE_SIZE__
constexpr bool small_code = true;
#else
constexpr bool small_code = false;
#endif

/// call(), for objects of any process. There is one for each Op, since a question would cost each call instructions; where code is to be
/// small, that for Operation is all.
template <typename Op>
void make_call(CORBA::Object& self, const Op& operation, Put put, Get get) {
  orb::Reference* reference = self._reference().get();
  if (reference == nullptr) raise(errors::local_operation);
  orb::CallSpec spec{
      .operation = operation.name,
      .response_expected = operation.kind == Kind::two_way,
      .has_arguments = operation.has_arguments,
      .sync = operation.kind == Kind::two_way ? protocol::Sync::with_target : protocol::Sync::with_transport,
  };
  if (calls_are_unusual() || self._has_policies() || thread_has_policies) [[unlikely]] {
    WatchedCall* const watched = calls_are_watched() ? watched_call.load(std::memory_order_acquire) : nullptr;
    if (watched != nullptr && watched(self, operation, put, get)) return;
    WatchedCall* const copying = copying_call.load(std::memory_order_acquire);
    if (copying != nullptr && copying(self, operation, put, get)) return;
    apply_settings(self, spec);
    reference = &reference_for_call(*reference);
  }
  const orb::NumberedName* number = nullptr;
  if constexpr (std::is_same_v<Op, NumberedOperation>) {
    number = &operation.by_number;
  } else if constexpr (small_code) {
    if (operation.numbered) number = &static_cast<const NumberedOperation&>(operation).by_number;
  }
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

namespace {

template <typename Op>
void make_numbered_call(CORBA::Object& self, const NumberedOperation& operation, Put put, Get get) {
  make_call<Op>(self, operation, put, get);
}

}  // namespace

void link_calls() {
  static constinit std::mutex mutex;
  const std::lock_guard lock(mutex);
  if (call_ways.call == &make_call<Operation>) return;
  call_ways.call = &make_call<Operation>;
  if constexpr (small_code) {
    call_ways.numbered_call = &make_numbered_call<Operation>;
  } else {
    call_ways.numbered_call = &make_call<NumberedOperation>;
  }
}

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
