// SPDX-License-Identifier: Apache-2.0
#include "orb/collocated.hpp"

#include "base/minor_codes.hpp"
#include "cdr/exception_body.hpp"
#include "orb/orb.hpp"
#include "protocol/passed_deadline.hpp"

namespace tenon::orb {

namespace {

class LocalCall final : public protocol::IncomingCall {
 public:
  LocalCall(const CallSpec& spec, ByteView key, const cdr::Writer& written,
            const protocol::ConnectionLimits& limits, HeldCall* follower)
      : contexts_(spec.contexts),
        largest_reply_(limits.largest_message),
        reply_(written.format()),
        until_(earlier(spec.deadline, spec.reply_by)),
        usual_ms_(limits.receive_timeout_ms),
        follower_(follower) {
    operation = spec.operation;
    object_key = key;
    sync = spec.sync;
    response_expected = spec.response_expected;
    for (const auto& context : contexts_) {
      if (protocol::is_deadline_to_pass(context)) deadline_ = protocol::encode_deadline(spec.reply_by);
    }
    arguments = cdr::Reader(written.bytes(), written.format());
  }

  ByteView context(std::uint32_t id) const noexcept override {
    for (const auto& context : contexts_) {
      if (context.id == id)
        return protocol::is_deadline_to_pass(context) ? ByteView(deadline_) : context.data;
    }
    return {};
  }
  cdr::Writer& begin_reply(protocol::ReplyStatus status) override {
    status_ = status;
    reply_.reset(reply_.format());
    reply_.set_limit(largest_reply_);
    return reply_;
  }
  cdr::Writer& begin_reply_with(protocol::ReplyStatus status,
                                std::span<const protocol::ServiceContext> contexts, bool) override {
    reply_contexts_.clear();
    for (const auto& each : contexts)
      reply_contexts_.push_back({each.id, {each.data.begin(), each.data.end()}});
    return begin_reply(status);
  }
  Status finish_reply() override {
    replied_ = true;
    return reply_.error();
  }
  bool replied() const noexcept override { return replied_; }
  void detach() override {}
  /// Runs on the caller's thread only.
  std::unique_ptr<protocol::IncomingCall> take() override { return nullptr; }

  Deadline begin_wait() override {
    held_ = true;
    if (until_.is_never() && usual_ms_ != 0) until_ = Deadline::after_ms(usual_ms_);
    if (follower_ != nullptr) follower_->held();
    return until_;
  }
  bool end_wait() override {
    held_ = follower_ != nullptr && !follower_->let_go();
    return !held_;
  }

  /// It was refused while it waited.
  bool held() const noexcept { return held_; }
  protocol::ReplyStatus status() const noexcept { return status_; }
  const cdr::Writer& reply() const noexcept { return reply_; }
  struct Context {
    std::uint32_t id;
    std::vector<std::uint8_t> data;
  };
  const std::vector<Context>& reply_contexts() const noexcept { return reply_contexts_; }

 private:
  std::span<const protocol::ServiceContext> contexts_;
  std::vector<std::uint8_t> deadline_;  // that the caller passes on
  std::size_t largest_reply_;
  cdr::Writer reply_;
  std::vector<Context> reply_contexts_;
  protocol::ReplyStatus status_ = protocol::ReplyStatus::no_exception;
  bool replied_ = false;
  bool held_ = false;
  Deadline until_;
  std::uint32_t usual_ms_;
  HeldCall* follower_;
};

/// What became of a oneway that waited in vain. Another reason than its time is the object's affair.
Status why_late(cdr::Reader& refusal) {
  const Error error = cdr::read_system_exception(refusal).error;
  return error.id == SystemException::timeout ? Status(error) : Status();
}

}  // namespace

Status call_collocated(Orb& orb, const protocol::Target& target, const CallSpec& spec, PutArguments put,
                       GetReply get, FunctionRef<void(const protocol::ServiceContext&)> contexts,
                       HeldCall* follower) {
  if (earlier(spec.deadline, spec.reply_by).expired()) return errors::send_timed_out;
  const protocol::MessagingOptions& messaging = orb.options().messaging;
  cdr::Writer arguments(
      {.chars = messaging.native.chars, .wchars = messaging.native.wchars, .native = messaging.native});
  arguments.set_limit(messaging.limits.largest_message);
  put(arguments);
  arguments.forget_values();
  if (!arguments.good()) return arguments.error().with(Completion::no);
  LocalCall call(spec, target.object_key, arguments, messaging.limits, follower);
  orb.dispatch(call);
  cdr::Reader body(call.reply().bytes(), call.reply().format());
  if (!spec.response_expected) return call.held() ? why_late(body) : Status();
  for (const auto& each : call.reply_contexts()) contexts({each.id, each.data});
  if (call.status() == protocol::ReplyStatus::system_exception) return cdr::read_system_exception(body).error;
  get(call.status(), body);
  return {};
}

}  // namespace tenon::orb
