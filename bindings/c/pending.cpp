// SPDX-License-Identifier: Apache-2.0
//
// Asynchronous calls. The arguments are copied, since further attempts may read them on other threads.
#include "base/minor_codes.hpp"
#include "base/trail.hpp"
#include "bindings/c/call_target.hpp"
#include "bindings/c/handles.hpp"
#include "orb/client/async_call.hpp"

namespace {

using namespace tenon::c;

/// What the engine's call refers to as long as it lives: a base, so that it is made before that and ends after it.
struct Kept {
  Kept(tenon_reference& of, const tenon_operation& operation, const tenon_body* given)
      : target(&of), name(operation.name, static_cast<std::size_t>(operation.length)) {
    if (is_empty(given)) return;
    octets.assign(given->data, given->data + given->size);
    arguments = *given;
    arguments.data = octets.data();
  }

  const tenon::Ref<tenon_reference> target;
  const std::string name;
  std::vector<std::uint8_t> octets;
  tenon_body arguments = {};
};

class Pending final : private Kept, public tenon::orb::AsyncCall {
 public:
  struct Call {
    tenon_reference& target;
    const tenon_operation& operation;
    const tenon_body* arguments;
    std::uint32_t timeout_ms;
    tenon_completion completion;
    void* context;
  };
  /// `spec`, of which the operation's name need not live, and `engine` are what aim() has made.
  Pending(const Call& call, const tenon::orb::CallSpec& spec, tenon::orb::Reference& engine)
      : Kept(call.target, call.operation, call.arguments),
        AsyncCall(tenon::Ref(&engine), named(spec, name)),
        text_((call.operation.flags & TENON_NO_TEXT) == 0),
        completion_(call.completion),
        context_(call.context) {}

 private:
  static tenon::orb::CallSpec named(tenon::orb::CallSpec spec, std::string_view name) noexcept {
    spec.operation = name;
    return spec;
  }

  void put(tenon::cdr::Writer& out) noexcept override {
    if (arguments.size == 0) return;
    if (fits(arguments, out, text_)) return tenon::c::put(arguments, out);
    wanted_.format = format_of(out.format(), out.phase());
    remember(*target, wanted_.format);
    does_not_fit_ = true;
    out.fail(tenon::errors::request_cancelled);
  }

  void finished(const tenon::Status& outcome, tenon::protocol::ReplyStatus status,
                tenon::cdr::Reader* reply) noexcept override {
    tenon_error error = {};
    tenon_body results = {};
    if (!outcome && does_not_fit_) return completion_(context_, TENON_WRITE_AGAIN, &wanted_, &error);
    std::vector<tenon_segment> segments;
    const tenon_status done = guarded(&error, [&]() -> tenon_status {
      if (!outcome) tenon::gen::raise_call_failed(outcome.error());
      if (reply != nullptr) results = body_of(*reply, segments);
      return status == tenon::protocol::ReplyStatus::user_exception ? TENON_USER_EXCEPTION : TENON_OK;
    });
    completion_(context_, done, &results, &error);
  }

  const bool text_;
  const tenon_completion completion_;
  void* const context_;
  // Of the attempt that is being written; the thread that ends the call comes after it.
  bool does_not_fit_ = false;
  tenon_body wanted_ = {};
};

}  // namespace

struct tenon_pending {
  tenon::Ref<tenon::orb::AsyncCall> call;
};

tenon_status tenon_invoke_async(tenon_reference* target, const tenon_operation* operation,
                                const tenon_body* arguments, uint32_t timeout_ms, tenon_completion completion,
                                void* context, tenon_pending** pending, tenon_error* error) {
  return guarded(error, [&]() -> tenon_status {
    if (pending != nullptr) *pending = nullptr;
    const tenon_operation& what = given(operation, "the operation");
    given(what.name, "the operation's name");
    if (completion == nullptr) raise_null("the completion");
    tenon::orb::CallSpec spec = spec_of(what, {}, !is_empty(arguments));
    tenon::orb::Reference& engine = aim(given(target, "the target"), timeout_ms, spec);
    auto handle = std::make_unique<tenon_pending>();
    handle->call = tenon::Ref<Pending>::adopt(
        new Pending({*target, what, arguments, timeout_ms, completion, context}, spec, engine));
    if (const tenon::Status started = handle->call->start(); !started) return fail(error, started.error());
    if (pending != nullptr) *pending = handle.release();
    return TENON_OK;
  });
}

void tenon_pending_cancel(tenon_pending* pending) {
  if (pending != nullptr) pending->call->cancel();
}

void tenon_pending_free(tenon_pending* pending) { delete pending; }
