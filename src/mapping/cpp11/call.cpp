// SPDX-License-Identifier: Apache-2.0
#include "mapping/cpp11/call.hpp"

#include <utility>

#include "base/minor_codes.hpp"
#include "mapping/cpp11/orb.hpp"
#include "mapping/cpp11/timeout.hpp"
#include "mapping/cpp11/usage.hpp"
#include "orb/invocation.hpp"
#include "orb/orb.hpp"
#include "protocol/reply_error.hpp"

namespace tenon::gen {

namespace {

/// A user exception reply: throws the listed exception it names, else UNKNOWN (CORBA 3.4 part 1 §A.5).
[[noreturn]] void throw_user_exception(cdr::Reader& in, std::span<const Raises> listed) {
  const std::string_view id = in.get_raw_string();
  if (!in.good()) raise(protocol::in_reply(in.error()).with(Completion::yes));
  for (const Raises& each : listed) {
    if (each.id == id) each.raise(in);
  }
  raise(errors::unlisted_user_exception.with(Completion::yes));
}

/// The call that this thread is about to make is counted already.
thread_local bool counted_already = false;

/// call(), counted for docs/stubs.md, also where it raises.
[[gnu::noinline]] void call_counted(CORBA::Object& self, const Operation& operation, Put put, Get get) {
  struct Use {
    CORBA::Object& self;
    const Operation& operation;
    std::size_t sent = 0;
    std::size_t received = 0;
    ~Use() {
      const orb::Reference* reference = self._reference().get();
      const std::string_view id = reference != nullptr ? reference->type_id() : "";
      count_use(Side::client, id, operation.name, 1, sent + received);
    }
  } use{self, operation};
  counted_already = true;
  call(
      self, operation,
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

}  // namespace

void call(CORBA::Object& self, const Operation& operation, Put put, Get get) {
  if (usage_counted() && !std::exchange(counted_already, false)) [[unlikely]]
    return call_counted(self, operation, put, get);
  orb::Reference* reference = self._reference().get();
  if (reference == nullptr) raise(errors::local_operation);
  const orb::CallSpec spec{
      .operation = operation.name,
      .response_expected = operation.kind == Kind::two_way,
      .has_arguments = operation.has_arguments,
      .sync = operation.kind == Kind::two_way ? protocol::Sync::with_target : protocol::Sync::with_transport,
      .deadline = self._timeout_ms() == 0 && thread_timeout_ms == 0 ? Deadline::never() : deadline_for(self),
  };
  const Status done = orb::invoke(*reference, spec, put, [&](protocol::ReplyStatus status, cdr::Reader& in) {
    if (status == protocol::ReplyStatus::user_exception) [[unlikely]]
      throw_user_exception(in, operation.raises);
    get(in);
    if (!in.good()) [[unlikely]]
      raise(protocol::in_reply(in.error()).with(Completion::yes));
  });
  if (!done) [[unlikely]]
    raise_call_failed(done.error());
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

Ref<orb::Reference> get_reference(cdr::Reader& in) {
  ior::Ior ior;
  ior::read_ior(in, ior);
  if (!in.good() || ior.nil()) return nullptr;
  return current_orb().reference(std::move(ior));
}

}  // namespace tenon::gen
