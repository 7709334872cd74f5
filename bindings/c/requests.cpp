// SPDX-License-Identifier: Apache-2.0
#include "bindings/c/requests.hpp"

#include "base/minor_codes.hpp"
#include "poa/current.hpp"
#include "poa/refuse.hpp"

namespace tenon::c {

tenon_format reply_format(const protocol::IncomingCall& call) noexcept {
  cdr::WireFormat format = call.arguments.format();
  format.order = native_order;
  return format_of(format, 0);
}

Status finish(protocol::IncomingCall& call, cdr::Writer& out) noexcept {
  if (out.good()) return call.finish_reply();
  const Error error = out.error().with(Completion::yes);
  poa::refuse(call, error);
  return error;
}

Status reply_with(protocol::IncomingCall& call, tenon_status status, const tenon_body* results,
                  const tenon_error* exception) noexcept {
  switch (status) {
    case TENON_OK:
    case TENON_USER_EXCEPTION: {
      cdr::Writer& out = call.begin_reply(status == TENON_OK ? protocol::ReplyStatus::no_exception
                                                             : protocol::ReplyStatus::user_exception);
      if (!is_empty(results)) put(*results, out);
      return finish(call, out);
    }
    case TENON_SYSTEM_EXCEPTION:
      if (exception == nullptr) break;
      poa::refuse(call, error_of(*exception), exception->exception != 0 ? exception->text : "");
      return {};
    default: break;
  }
  poa::refuse(call, errors::foreign_exception.with(Completion::maybe));
  return {};
}

}  // namespace tenon::c

using namespace tenon::c;

int32_t tenon_request_response_expected(const tenon_request* request) {
  return request != nullptr && request->call != nullptr && request->call->response_expected;
}

const uint8_t* tenon_request_object_id(const tenon_request* request, uint64_t* size) {
  const tenon::poa::Frame* const frame = tenon::poa::current_frame;
  const bool known = request != nullptr && !request->kept && frame != nullptr;
  if (size != nullptr) *size = known ? frame->id.size() : 0;
  return known ? frame->id.data() : nullptr;
}

tenon_status tenon_request_defer(tenon_request* request, tenon_request** deferred, tenon_error* error) {
  return guarded(error, [&]() -> tenon_status {
    given(deferred, "where the request is to be put") = nullptr;
    tenon_request& from = given(request, "the request");
    if (from.kept || from.call->replied())
      return fail(error, {tenon::SystemException::bad_inv_order, tenon::Completion::no, 0},
                  "the request has been deferred before");
    std::unique_ptr<tenon::protocol::IncomingCall> taken = from.call->take();
    if (!taken)
      return fail(error, {tenon::SystemException::no_resources, tenon::Completion::no, 0},
                  "this ORB keeps no request beyond its upcall");
    auto made = std::make_unique<tenon_request>(*taken);
    made->kept = std::move(taken);
    made->segments = std::move(from.segments);
    // A caller of this process may have lent them.
    if (const tenon::Error lack = made->call->arguments.error(); !made->call->arguments.good()) {
      tenon::poa::refuse(*made->call, lack);
      return fail(error, lack, "no memory for its arguments");
    }
    from.arguments->data = made->call->arguments.rest().data();
    *deferred = made.release();
    return TENON_OK;
  });
}

int32_t tenon_request_cancelled(const tenon_request* deferred) {
  return deferred != nullptr && deferred->kept && deferred->kept->cancelled();
}

void tenon_request_format(const tenon_request* deferred, tenon_format* format) {
  if (format != nullptr && deferred != nullptr) *format = reply_format(*deferred->call);
}

tenon_status tenon_request_reply(tenon_request* deferred, tenon_status status, const tenon_body* results,
                                 const tenon_error* exception, tenon_error* error) {
  return guarded(error, [&]() -> tenon_status {
    tenon_request& to = given(deferred, "the request");
    if (!to.kept || to.call->replied())
      return fail(error, {tenon::SystemException::bad_inv_order, tenon::Completion::no, 0},
                  to.kept ? "the request has been replied to" : "the request is not deferred");
    const tenon::Status sent = reply_with(*to.call, status, results, exception);
    return sent ? TENON_OK : fail(error, sent.error());
  });
}

void tenon_request_free(tenon_request* deferred) {
  if (deferred != nullptr && deferred->kept) delete deferred;
}
