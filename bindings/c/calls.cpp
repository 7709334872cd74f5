// SPDX-License-Identifier: Apache-2.0
//
// Calls whose caller waits. The reply is read where the engine has received it, so the call lives as long as its reply.
#include <array>
#include <memory>
#include <optional>

#include "base/minor_codes.hpp"
#include "bindings/c/call_target.hpp"
#include "bindings/c/handles.hpp"
#include "orb/client/invocation.hpp"

struct tenon_reply {
  tenon::Ref<tenon::orb::Reference> target;
  std::string operation;
  tenon::orb::CallSpec spec;
  std::vector<tenon_segment> segments;
  std::optional<tenon::orb::OctetInvocation> call;  // ends before what it refers to
};

namespace {

using namespace tenon::c;

/// Replies that a thread keeps for its next calls: one is large, and calls nest by few.
class Spares {
 public:
  std::unique_ptr<tenon_reply> take() {
    if (count_ == 0) return std::make_unique<tenon_reply>();
    return std::move(spare_[--count_]);
  }
  void give(std::unique_ptr<tenon_reply> reply) noexcept {
    reply->call.reset();
    reply->target = nullptr;
    if (count_ < spare_.size()) spare_[count_++] = std::move(reply);
  }

 private:
  std::array<std::unique_ptr<tenon_reply>, 4> spare_;
  std::size_t count_ = 0;
};

Spares& spares() {
  thread_local Spares mine;
  return mine;
}

struct GiveBack {
  void operator()(tenon_reply* reply) const noexcept { tenon_reply_free(reply); }
};
using HeldReply = std::unique_ptr<tenon_reply, GiveBack>;

tenon_status wait_for(HeldReply& held, const tenon_operation& operation, const tenon_body* arguments,
                      const tenon_reference& target, tenon_body& results) {
  tenon::orb::OctetInvocation& call = held->call.emplace(*held->target, held->spec);
  for (tenon::cdr::Writer* out = call.begin(); out != nullptr; out = call.send()) {
    if (is_empty(arguments)) continue;
    if (!fits(*arguments, *out, (operation.flags & TENON_NO_TEXT) == 0)) {
      results.format = format_of(out->format(), out->phase());
      remember(target, results.format);
      return TENON_WRITE_AGAIN;
    }
    // As large as what is sent from where it is.
    if (arguments->size < tenon::cdr::Writer::borrow_from ||
        !call.lend({arguments->data, static_cast<std::size_t>(arguments->size)}))
      put(*arguments, *out);
  }
  if (!call.outcome()) tenon::gen::raise_call_failed(call.outcome().error());
  if (!held->spec.response_expected) return TENON_OK;
  results = body_of(call.reply(), held->segments);
  return call.reply_status() == tenon::protocol::ReplyStatus::user_exception ? TENON_USER_EXCEPTION
                                                                             : TENON_OK;
}

}  // namespace

tenon_status tenon_invoke(tenon_reference* target, const tenon_operation* operation,
                          const tenon_body* arguments, uint32_t timeout_ms, tenon_reply** reply,
                          tenon_body* results, tenon_error* error) {
  return guarded(error, [&]() -> tenon_status {
    given(reply, "where the reply is to be put") = nullptr;
    tenon_body& into = given(results, "where the results are to be put");
    into = {};
    const tenon_operation& what = given(operation, "the operation");
    HeldReply held(spares().take().release());
    held->operation.assign(&given(what.name, "the operation's name"), static_cast<std::size_t>(what.length));
    held->spec = spec_of(what, held->operation, !is_empty(arguments));
    held->target = tenon::Ref(&aim(given(target, "the target"), timeout_ms, held->spec));
    const tenon_status status = wait_for(held, what, arguments, *target, into);
    if (status <= TENON_USER_EXCEPTION && held->spec.response_expected) *reply = held.release();
    return status;
  });
}

void tenon_reply_free(tenon_reply* reply) {
  if (reply != nullptr) spares().give(std::unique_ptr<tenon_reply>(reply));
}
