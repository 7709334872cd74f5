// SPDX-License-Identifier: Apache-2.0
#include "orb/interception.hpp"

#include "cdr/exception_body.hpp"
#include "orb/orb.hpp"

namespace tenon::orb {

WatchedRequest::WatchedRequest(Orb& orb, protocol::IncomingCall& call) : orb_(orb), call_(call) {
  operation = call.operation;
  object_key = call.object_key;
  sync = call.sync;
  response_expected = call.response_expected;
  arguments = std::move(call.arguments);
  // The reply is written in the format that the messaging uses for it.
  reply_.reset(call.begin_reply(protocol::ReplyStatus::no_exception).format());
  reply_.set_limit(orb.options().messaging.limits.largest_message);
}

WatchedRequest::WatchedRequest(WatchedRequest& spent, protocol::IncomingCall& taken)
    : orb_(spent.orb_), call_(taken), replied_(spent.replied_) {
  operation = call_.operation;
  object_key = call_.object_key;
  sync = spent.sync;
  response_expected = spent.response_expected;
  arguments = std::move(spent.arguments);
  reply_.reset(spent.reply_.format());
  reply_.set_limit(orb_.options().messaging.limits.largest_message);
}

std::unique_ptr<protocol::IncomingCall> WatchedRequest::take_watched() {
  auto taken = call_.take();
  if (taken == nullptr) return nullptr;
  auto same = go_on_with(std::move(taken));
  if (same == nullptr) return nullptr;
  replied_ = true;
  response_expected = false;
  return same;
}

void WatchedRequest::serve() {
  const Verdict verdict = arrived();
  if (verdict.goes_on()) {
    orb_.serve(*this);
  } else {
    reply_with(verdict);
    static_cast<void>(finish_reply());
  }
}

bool WatchedRequest::ask_about_servant() {
  const Verdict verdict = servant_found();
  if (verdict.goes_on()) return true;
  reply_with(verdict);
  static_cast<void>(finish_reply());
  return false;
}

cdr::Writer& WatchedRequest::begin(protocol::ReplyStatus status) {
  status_ = status;
  own_contexts_.clear();
  reply_.reset(reply_.format());
  return reply_;
}

cdr::Writer& WatchedRequest::begin_with(protocol::ReplyStatus status,
                                        std::span<const protocol::ServiceContext> contexts) {
  cdr::Writer& out = begin_reply(status);
  for (const protocol::ServiceContext& each : contexts)
    own_contexts_.push_back({each.id, {each.data.begin(), each.data.end()}});
  return out;
}

void WatchedRequest::reply_with(const Verdict& verdict) {
  if (verdict.error) {
    cdr::write_system_exception(begin_reply(protocol::ReplyStatus::system_exception), verdict.error);
  } else {
    ior::write_ior(begin_reply(protocol::ReplyStatus::location_forward), verdict.forward->ior());
  }
}

Status WatchedRequest::finish() {
  if (replied_) return {};
  if (!reply_.good()) return reply_.error();
  replied_ = true;
  const Verdict verdict = replying(status_, cdr::Reader(reply_.bytes(), reply_.format()));
  if (!verdict.goes_on()) reply_with(verdict);
  const std::span<const protocol::ServiceContext> added = reply_contexts();
  std::vector<protocol::ServiceContext> all(added.begin(), added.end());
  for (const Context& each : own_contexts_) all.push_back({each.id, each.data});
  cdr::Writer& out = call_.begin_reply_with(status_, all, reply_.size() != 0);
  out.put_octets(reply_.bytes());
  // The reply could not be written. As a skeleton would do it, the caller gets a system exception instead.
  if (!out.good()) {
    cdr::write_system_exception(call_.begin_reply(protocol::ReplyStatus::system_exception),
                                out.error().with(Completion::yes));
  }
  return call_.finish_reply();
}

}  // namespace tenon::orb
