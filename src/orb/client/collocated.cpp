// SPDX-License-Identifier: Apache-2.0
#include "orb/client/collocated.hpp"

#include <memory>
#include <string>
#include <utility>

#include "base/minor_codes.hpp"
#include "cdr/exception_body.hpp"
#include "orb/client/call_engine.hpp"
#include "orb/orb.hpp"
#include "protocol/exception_detail.hpp"
#include "protocol/propagated_deadline.hpp"

namespace tenon::orb {

namespace {

cdr::WireFormat format_of(const protocol::MessagingOptions& messaging) {
  return {.chars = messaging.native.chars, .wchars = messaging.native.wchars, .native = messaging.native};
}

}  // namespace

/// A call that has left its upcall, and with it the memory of its caller.
class CollocatedCall::Taken final : public CollocatedCall {
 public:
  using Contexts = std::vector<CollocatedReply::Context>;
  Taken(CollocatedCall& spent, Contexts contexts, Ref<AwaitedReply> awaited);

  ByteView context(std::uint32_t id) const noexcept override;
  Status finish_reply() override;
  std::unique_ptr<protocol::IncomingCall> take() override;

 private:
  const Ref<Orb> held_;
  const std::string operation_;
  const std::vector<std::uint8_t> object_key_;
  Contexts contexts_;
  Ref<AwaitedReply> awaits_;  // null: no caller waits for the reply
};

CollocatedCall::Taken::Taken(CollocatedCall& spent, Contexts contexts, Ref<AwaitedReply> awaited)
    : CollocatedCall(spent.orb_),
      held_(&spent.orb_),
      operation_(spent.operation),
      object_key_(spent.object_key.begin(), spent.object_key.end()),
      contexts_(std::move(contexts)),
      awaits_(std::move(awaited)) {
  operation = operation_;
  object_key = object_key_;
  sync = spent.sync;
  response_expected = spent.response_expected;
  replied_ = spent.replied_;
  until_ = spent.until_;
  request_ = std::move(spent.request_);
  arguments = std::move(spent.arguments);
  if (spent.lent_.empty()) return;
  const std::size_t read = arguments.position();
  request_.put_block(spent.lent_.data(), spent.lent_.size(), 1);
  arguments = cdr::Reader(request_.bytes(), request_.format());
  if (request_.good()) {
    arguments.skip(read);
  } else {
    arguments.fail(request_.error());
  }
}

ByteView CollocatedCall::Taken::context(std::uint32_t id) const noexcept {
  static constexpr std::uint8_t nothing = 0;  // a context without data is there all the same
  for (const auto& each : contexts_) {
    if (each.id == id) return each.data.empty() ? ByteView(&nothing, 0) : ByteView(each.data);
  }
  return {};
}

Status CollocatedCall::Taken::finish_reply() {
  if (replied_) return {};
  if (!reply_.body.good()) return reply_.body.error();
  replied_ = true;
  if (awaits_) std::exchange(awaits_, nullptr)->answer(std::move(reply_));
  return {};
}

std::unique_ptr<protocol::IncomingCall> CollocatedCall::Taken::take() {
  auto taken = std::make_unique<Taken>(*this, std::move(contexts_), std::move(awaits_));
  spend();
  return taken;
}

CollocatedCall::~CollocatedCall() = default;

Status CollocatedCall::collect(AwaitedReply& awaited) noexcept { return awaited.collect(reply_); }

CollocatedCall::CollocatedCall(Orb& orb)
    : orb_(orb), request_(format_of(orb.options().messaging)), reply_(request_.format()) {
  const std::size_t most = orb.options().messaging.limits.largest_message;
  request_.set_limit(most);
  reply_.body.set_limit(most);
}

bool CollocatedCall::lend(ByteView octets) noexcept {
  if (octets.size() > orb_.options().messaging.limits.largest_message) return false;
  lent_ = octets;
  return true;
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
  spec_ = &spec;
  for (const auto& context : spec.contexts) {
    if (protocol::is_deadline_to_propagate(context)) {
      const protocol::DeadlineContext encoded = protocol::encode_deadline(spec.reply_by);
      deadline_.assign(encoded.begin(), encoded.end());
    }
  }
  std::destroy_at(&arguments);
  std::construct_at(&arguments, lent_.empty() ? request_.bytes() : lent_, request_.format());
  orb_.dispatch(*this);
  if (response_expected || state_ == State::direct) [[likely]]
    return {};
  return run_unusually();
}

bool CollocatedCall::run_for(CallEngine& engine, HeldCall* follower) {
  engine.outcome = run(engine.link.target->object_key, engine.spec_, follower);
  if (!engine.outcome) engine.note(was_taken() ? Step::call : Step::answer);
  if (!engine.outcome || !engine.spec_.response_expected) return false;
  engine.replied_here(*this);
  return true;
}

std::string CollocatedCall::said() const {
  for (const auto& each : reply_.contexts) {
    if (each.id == protocol::exception_detail_context) return protocol::decode_exception_detail(each.data);
  }
  return {};
}

/// The rest of run(), for a call that was taken, and for a oneway that its POA has kept waiting.
Status CollocatedCall::run_unusually() {
  if (state_ == State::taken) return awaited_ ? await_answer() : Status();
  // The oneway has waited and was refused. The caller is told if its time ran out; all other outcomes of oneways are dropped.
  cdr::Reader refusal = reply();
  const Error error = cdr::read_system_exception(refusal).error;
  return error.id == SystemException::timeout ? Status(error) : Status();
}

Status CollocatedCall::await_answer() {
  if (follower_ != nullptr) {
    follower_->left(std::move(awaited_));
    return {};
  }
  const Status come = awaited_->wait(spec_->reply_by.is_never() ? usual_end() : spec_->reply_by);
  return come ? collect(*awaited_) : come;
}

std::unique_ptr<protocol::IncomingCall> CollocatedCall::take() {
  if (response_expected && !replied_) awaited_ = make_ref<AwaitedReply>(orb_);
  std::vector<CollocatedReply::Context> contexts;
  for (const auto& each : spec_->contexts) {
    const ByteView data = context(each.id);
    contexts.push_back({each.id, {data.begin(), data.end()}});
  }
  auto taken = std::make_unique<Taken>(*this, std::move(contexts), awaited_);
  spend();
  return taken;
}

/// Another object has taken the call over. From here on nothing that the upcall's thread does with this one has an effect.
void CollocatedCall::spend() noexcept {
  state_ = State::taken;
  replied_ = true;
  response_expected = false;
}

Deadline CollocatedCall::usual_end() const noexcept {
  const std::uint32_t usual_ms = orb_.options().messaging.limits.receive_timeout_ms;
  return usual_ms != 0 ? Deadline::after_ms(usual_ms) : Deadline::never();
}

ByteView CollocatedCall::context(std::uint32_t id) const noexcept {
  for (const auto& context : spec_->contexts) {
    if (context.id == id)
      return protocol::is_deadline_to_propagate(context) ? ByteView(deadline_) : context.data;
  }
  return {};
}

cdr::Writer& CollocatedCall::begin_reply(protocol::ReplyStatus status) {
  reply_.status = status;
  reply_.body.reset(reply_.body.format());
  return reply_.body;
}

cdr::Writer& CollocatedCall::begin_reply_with(protocol::ReplyStatus status,
                                              std::span<const protocol::ServiceContext> contexts, bool) {
  reply_.contexts.clear();
  for (const auto& each : contexts)
    reply_.contexts.push_back({each.id, {each.data.begin(), each.data.end()}});
  return begin_reply(status);
}

Status CollocatedCall::finish_reply() {
  replied_ = true;
  return reply_.body.error();
}

Deadline CollocatedCall::begin_wait() {
  state_ = State::held;
  if (until_.is_never()) until_ = usual_end();
  if (follower_ != nullptr) follower_->held();
  return until_;
}

bool CollocatedCall::end_wait() {
  const bool goes_on = follower_ == nullptr || follower_->let_go();
  state_ = goes_on ? State::direct : State::held;
  return goes_on;
}

// --- all of an ORB ---

Collocation::~Collocation() = default;

std::unique_ptr<Collocation> make_collocation(Orb& orb) { return std::make_unique<Collocation>(orb); }

CollocatedCall& Collocation::begin(RoomFor<CollocatedCall>& room) { return room.fill(orb_); }

bool Collocation::await(AwaitedReply& reply) {
  const LockGuard lock(mutex_);
  if (closed_) return false;
  reply.later_ = awaited_;
  if (awaited_ != nullptr) awaited_->place_ = &reply.later_;
  reply.place_ = &awaited_;
  awaited_ = &reply;
  return true;
}

void Collocation::forget(AwaitedReply& reply) noexcept {
  const LockGuard lock(mutex_);
  if (reply.place_ == nullptr) return;
  *reply.place_ = reply.later_;
  if (reply.later_ != nullptr) reply.later_->place_ = reply.place_;
}

void Collocation::close() noexcept {
  std::vector<Ref<AwaitedReply>> all;
  {
    const LockGuard lock(mutex_);
    closed_ = true;
    for (AwaitedReply* each = awaited_; each != nullptr; each = each->later_) {
      if (each->try_add_ref()) all.push_back(Ref<AwaitedReply>::adopt(each));
    }
  }
  for (const auto& each : all) each->fail(errors::connection_lost);
}

}  // namespace tenon::orb
