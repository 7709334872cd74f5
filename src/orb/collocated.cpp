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
  LocalCall(const CallSpec& spec, ByteView key, const cdr::Writer& written, std::size_t largest_reply)
      : contexts_(spec.contexts), largest_reply_(largest_reply), reply_(written.format()) {
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
};

}  // namespace

Status call_collocated(Orb& orb, const protocol::Target& target, const CallSpec& spec, PutArguments put,
                       GetReply get, FunctionRef<void(const protocol::ServiceContext&)> contexts) {
  const protocol::MessagingOptions& messaging = orb.options().messaging;
  cdr::Writer arguments(
      {.chars = messaging.native.chars, .wchars = messaging.native.wchars, .native = messaging.native});
  arguments.set_limit(messaging.limits.largest_message);
  put(arguments);
  arguments.forget_values();
  if (!arguments.good()) return arguments.error().with(Completion::no);
  LocalCall call(spec, target.object_key, arguments, messaging.limits.largest_message);
  orb.dispatch(call);
  if (!spec.response_expected) return {};
  for (const auto& each : call.reply_contexts()) contexts({each.id, each.data});
  cdr::Reader body(call.reply().bytes(), call.reply().format());
  if (call.status() == protocol::ReplyStatus::system_exception) return cdr::read_system_exception(body).error;
  get(call.status(), body);
  return {};
}

}  // namespace tenon::orb
