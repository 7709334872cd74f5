// SPDX-License-Identifier: Apache-2.0
#include "orb/collocated.hpp"

#include "base/minor_codes.hpp"
#include "cdr/exception_body.hpp"
#include "orb/orb.hpp"
#include "protocol/passed_deadline.hpp"

namespace tenon::orb {

namespace {

cdr::WireFormat format_of(const protocol::MessagingOptions& messaging) {
  return {.chars = messaging.native.chars, .wchars = messaging.native.wchars, .native = messaging.native};
}

}  // namespace

CollocatedCall::CollocatedCall(Orb& orb)
    : orb_(orb), request_(format_of(orb.options().messaging)), reply_(request_.format()) {
  request_.set_limit(orb.options().messaging.limits.largest_message);
}

Status CollocatedCall::run(ByteView key, const CallSpec& spec, HeldCall* follower) {
  request_.forget_values();
  until_ = earlier(spec.deadline, spec.reply_by);
  if (until_.expired()) return errors::send_timed_out;
  if (!request_.good()) return request_.error().with(Completion::no);
  follower_ = follower;
  operation = spec.operation;
  object_key = key;
  sync = spec.sync;
  response_expected = spec.response_expected;
  contexts_ = spec.contexts;
  for (const auto& context : contexts_) {
    if (protocol::is_deadline_to_pass(context)) deadline_ = protocol::encode_deadline(spec.reply_by);
  }
  arguments = cdr::Reader(request_.bytes(), request_.format());
  orb_.dispatch(*this);
  if (response_expected || !held_) return {};
  // A oneway that waited in vain. Another reason than its time is the object's affair.
  cdr::Reader refusal = reply();
  const Error error = cdr::read_system_exception(refusal).error;
  return error.id == SystemException::timeout ? Status(error) : Status();
}

ByteView CollocatedCall::context(std::uint32_t id) const noexcept {
  for (const auto& context : contexts_) {
    if (context.id == id) return protocol::is_deadline_to_pass(context) ? ByteView(deadline_) : context.data;
  }
  return {};
}

cdr::Writer& CollocatedCall::begin_reply(protocol::ReplyStatus status) {
  status_ = status;
  reply_.reset(reply_.format());
  reply_.set_limit(orb_.options().messaging.limits.largest_message);
  return reply_;
}

cdr::Writer& CollocatedCall::begin_reply_with(protocol::ReplyStatus status,
                                              std::span<const protocol::ServiceContext> contexts, bool) {
  reply_contexts_.clear();
  for (const auto& each : contexts)
    reply_contexts_.push_back({each.id, {each.data.begin(), each.data.end()}});
  return begin_reply(status);
}

Status CollocatedCall::finish_reply() {
  replied_ = true;
  return reply_.error();
}

Deadline CollocatedCall::begin_wait() {
  held_ = true;
  const std::uint32_t usual_ms = orb_.options().messaging.limits.receive_timeout_ms;
  if (until_.is_never() && usual_ms != 0) until_ = Deadline::after_ms(usual_ms);
  if (follower_ != nullptr) follower_->held();
  return until_;
}

bool CollocatedCall::end_wait() {
  held_ = follower_ != nullptr && !follower_->let_go();
  return !held_;
}

}  // namespace tenon::orb
