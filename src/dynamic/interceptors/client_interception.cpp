// SPDX-License-Identifier: Apache-2.0
//
// The client's interception points (CORBA 3.4 part 1 §16.3.5): send_request in the order of registration; the ending points in the
// opposite order, for those whose starting point returned.
#include <new>

#include "dynamic/interceptors/interception_chain.hpp"
#include "dynamic/interceptors/spare_memory.hpp"
#include "orb/orb.hpp"

namespace tenon::dynamic {

namespace {

using PortableInterceptor::ClientRequestInfo;
using End = orb::AttemptEnd::Kind;

/// Whether a call goes to an object of this process: over the profile that is in use, or would be tried first.
bool stays_here(orb::Reference& target) {
  const orb::UsableProfile* const profile = effective_profile(target);
  return profile != nullptr && target.orb().options().call_own_objects_directly &&
         target.orb().is_local(*profile);
}

class ClientCall final : public orb::WatchedAttempt {
 public:
  ClientCall(const Chain& chain, orb::Reference& original, orb::Reference& target,
             const protocol::CallSpec& spec, const protocol::CallDescription* description)
      : state_(chain, original, target, spec, description),
        info_(CORBA::make_reference<ClientRequestInfo>(state_)),
        local_(chain.client_modes.any() && stays_here(target)) {}
  ~ClientCall() override { info_->_over(); }
  static void* operator new(std::size_t size) { return SpareMemory<ClientCall>::take(size); }
  static void operator delete(void* memory) { SpareMemory<ClientCall>::give(memory); }

  orb::Verdict starting() noexcept override {
    return guarded([this] { return start(); });
  }

  std::span<const protocol::ServiceContext> contexts() noexcept override {
    return state_.request_contexts.seen();
  }

  void replied_with(const protocol::ServiceContext& context) noexcept override {
    const orb::Verdict kept = run_point(false, [&] {
      state_.reply_contexts.all.push_back({context.id, {context.data.begin(), context.data.end()}});
    });
    if (!kept.goes_on()) lost_ = kept.error.with(Completion::yes);
  }

  orb::Verdict ended(orb::AttemptEnd end) noexcept override {
    return guarded([&]() -> orb::Verdict {
      if (!lost_ || end.kind == End::retry) return end_with(end);
      // The interceptors hear what the caller will: there was no memory for what the reply said.
      end = {.kind = End::system_exception, .error = lost_};
      orb::Verdict verdict = end_with(end);
      return verdict.goes_on() ? orb::Verdict{lost_, nullptr} : verdict;
    });
  }

 private:
  orb::Verdict start() {
    for (const auto& each : state_.chain.client) {
      if (!state_.chain.client_modes.concern(depth_, local_)) {
        ++depth_;
        continue;
      }
      state_.point = Point::send_request;
      const OwnSlots own(state_.chain);
      orb::Verdict verdict = run_point(true, [&] { each->send_request(info_); });
      if (!verdict.goes_on()) {
        state_.apply(verdict);
        const orb::Verdict later = unwind();
        return later.goes_on() ? verdict : later;
      }
      ++depth_;
    }
    state_.point = Point::none;
    state_.request_contexts.view();
    return {};
  }

  orb::Verdict end_with(orb::AttemptEnd& end) {
    oneway_ = end.kind == End::sent;
    switch (end.kind) {
      case End::reply: state_.body = end.body; [[fallthrough]];
      case End::sent: state_.status = PortableInterceptor::SUCCESSFUL; break;
      case End::user_exception:
        state_.status = PortableInterceptor::USER_EXCEPTION;
        state_.error = errors::unlisted_user_exception.with(Completion::yes);
        state_.exception_id = cdr::Reader(*end.body).get_raw_string();
        state_.body = end.body;
        break;
      case End::system_exception: state_.apply({end.error, nullptr}); break;
      case End::forward: state_.apply({{}, std::move(end.forward)}); break;
      case End::retry: state_.status = PortableInterceptor::TRANSPORT_RETRY; break;
    }
    return unwind();
  }

  Point ending_point() const noexcept {
    switch (state_.status) {
      case PortableInterceptor::SUCCESSFUL: return oneway_ ? Point::receive_other : Point::receive_reply;
      case PortableInterceptor::SYSTEM_EXCEPTION:
      case PortableInterceptor::USER_EXCEPTION: return Point::receive_exception;
      default: return Point::receive_other;
    }
  }

  /// Runs the ending points. Of several interceptors that change the outcome, the last one decides.
  orb::Verdict unwind() {
    orb::Verdict last;
    while (depth_ != 0) {
      PortableInterceptor::ClientRequestInterceptor& each = *state_.chain.client[--depth_];
      if (!state_.chain.client_modes.concern(depth_, local_)) continue;
      state_.point = ending_point();
      const OwnSlots own(state_.chain);
      // Twice because the points of clients and servers are functions of unrelated classes.
      orb::Verdict verdict = run_point(state_.point != Point::receive_reply, [&] {
        switch (state_.point) {
          case Point::receive_reply: return each.receive_reply(info_);
          case Point::receive_exception: return each.receive_exception(info_);
          default: return each.receive_other(info_);
        }
      });
      if (verdict.goes_on()) continue;
      state_.apply(verdict);
      last = std::move(verdict);
    }
    state_.point = Point::none;
    state_.body = nullptr;
    return last;
  }

  ClientState state_;
  const CORBA::object_reference<ClientRequestInfo> info_;
  const bool local_;       // the call stays in this process; false where no interceptor asks for that
  std::size_t depth_ = 0;  // interceptors whose starting point returned
  bool oneway_ = false;
  Error lost_;  // set: there was no memory for a service context of the reply
};

/// In place of an attempt that there is no memory to watch.
class Refused final : public orb::WatchedAttempt {
 public:
  explicit Refused(const Error& why) noexcept : why_(why) {}
  orb::Verdict starting() noexcept override { return {why_, nullptr}; }
  std::span<const protocol::ServiceContext> contexts() noexcept override { return {}; }
  void replied_with(const protocol::ServiceContext&) noexcept override {}
  orb::Verdict ended(orb::AttemptEnd) noexcept override { return {}; }

 private:
  const Error why_;
};

class Observer final : public orb::CallObserver {
 public:
  explicit Observer(std::shared_ptr<const Chain> chain) : chain_(std::move(chain)) {}
  std::unique_ptr<orb::WatchedAttempt> watch(orb::Reference& original, orb::Reference& target,
                                             const protocol::CallSpec& spec,
                                             const protocol::CallDescription* description) noexcept override {
    std::unique_ptr<orb::WatchedAttempt> made;
    const orb::Verdict verdict = run_point(
        false, [&] { made = std::make_unique<ClientCall>(*chain_, original, target, spec, description); });
    if (made == nullptr) made.reset(new (std::nothrow) Refused(verdict.error));
    return made;
  }

 private:
  const std::shared_ptr<const Chain> chain_;
};

}  // namespace

std::unique_ptr<orb::CallObserver> make_call_observer(std::shared_ptr<const Chain> chain) {
  return std::make_unique<Observer>(std::move(chain));
}

}  // namespace tenon::dynamic
