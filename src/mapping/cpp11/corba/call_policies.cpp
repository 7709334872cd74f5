// SPDX-License-Identifier: Apache-2.0
#include "tenon/corba/call_policies.hpp"

#include <algorithm>

#include "base/joined.hpp"
#include "base/minor_codes.hpp"
#include "mapping/cpp11/calls/copying_call.hpp"
#include "mapping/cpp11/corba/orb_parts.hpp"
#include "mapping/cpp11/corba/own_policies.hpp"
#include "mapping/cpp11/corba/protocol_policies.hpp"
#include "mapping/cpp11/corba/usage.hpp"
#include "orb/client/attempts.hpp"
#include "orb/client/invocation.hpp"
#include "orb/client/link_selector.hpp"
#include "orb/orb.hpp"
#include "orb/server/serving.hpp"
#include "protocol/propagated_deadline.hpp"
#include "tenon/corba/orb.hpp"
#include "tenon/timeout.hpp"

namespace tenon::gen {

namespace {

using CORBA::PolicyType;
using orb::CallPolicies;

constexpr std::int64_t ns_per_unit = 100;  // TimeT

/// The policies of the current thread that are of a program's own types.
thread_local orb::OwnPoliciesRef own_of_thread;

/// The time in nanoseconds, at most INT64_MAX: a time that is no limit in practice.
std::int64_t ns_of(TimeBase::TimeT time) noexcept {
  constexpr TimeBase::TimeT longest = INT64_MAX / ns_per_unit;
  return static_cast<std::int64_t>(std::min(time, longest)) * ns_per_unit;
}

TimeBase::TimeT time_of(std::int64_t ns) noexcept { return static_cast<TimeBase::TimeT>(ns / ns_per_unit); }

[[noreturn]] void no_such_value(CORBA::Policy& policy, std::int64_t value) {
  raise_with_reason(errors::unknown_policy_value,
                    worded("%: there is no value %", {policy_name(policy.policy_type()), decimal(value)}));
}

/// Puts the policy into `into`. False: it is not a policy of calls.
bool take(CORBA::Policy& policy, CallPolicies& into) {
  if (const auto* sync = dynamic_cast<const Messaging::SyncScopePolicy*>(&policy)) {
    const Messaging::SyncScope scope = sync->synchronization();
    if (scope < Messaging::SYNC_NONE || scope > Messaging::SYNC_WITH_TARGET) no_such_value(policy, scope);
    into.sync = static_cast<protocol::Sync>(scope);
  } else if (const auto* request = dynamic_cast<const Messaging::RelativeRequestTimeoutPolicy*>(&policy)) {
    into.request_ns = ns_of(request->relative_expiry());
  } else if (const auto* trip = dynamic_cast<const Messaging::RelativeRoundtripTimeoutPolicy*>(&policy)) {
    into.roundtrip_ns = ns_of(trip->relative_expiry());
  } else if (const auto* buffering = dynamic_cast<const BufferingPolicy*>(&policy)) {
    const OnewayBuffering limits = buffering->value();
    into.buffering = {.time_ns = ns_of(limits.time), .messages = limits.messages, .octets = limits.octets};
  } else if (const auto* mode = dynamic_cast<const Messaging::RebindPolicy*>(&policy)) {
    const Messaging::RebindMode rebind = mode->rebind_mode();
    if (rebind < Messaging::TRANSPARENT || rebind > Messaging::NO_RECONNECT) no_such_value(policy, rebind);
    into.rebind = static_cast<protocol::Rebind>(rebind);
  } else if (const auto* sent = dynamic_cast<const Messaging::RequestEndTimePolicy*>(&policy)) {
    into.request_end = sent->end_time().time();
  } else if (const auto* replied = dynamic_cast<const Messaging::ReplyEndTimePolicy*>(&policy)) {
    into.reply_end = replied->end_time().time();
  } else if (const auto* passing = dynamic_cast<const DeadlinePassingPolicy*>(&policy)) {
    into.passes_deadlines = passing->value();
  } else if (const auto* copying = dynamic_cast<const CopyBelowPolicy*>(&policy)) {
    into.copy_below = copying->value();
    link_copying_calls();
  } else if (const auto* ways = dynamic_cast<const BiDirPolicy::BidirectionalPolicy*>(&policy)) {
    if (ways->value() > BiDirPolicy::BOTH) no_such_value(policy, ways->value());
    into.bidirectional = ways->value() == BiDirPolicy::BOTH;
  } else {
    return false;
  }
  return true;
}

CORBA::object_reference<CORBA::Policy> policy_of(const CallPolicies& policies, PolicyType type) {
  if (type == Messaging::SYNC_SCOPE_POLICY_TYPE && policies.sync)
    return create_sync_scope_policy(static_cast<Messaging::SyncScope>(*policies.sync));
  if (type == Messaging::RELATIVE_REQ_TIMEOUT_POLICY_TYPE && policies.request_ns)
    return create_relative_request_timeout_policy(time_of(*policies.request_ns));
  if (type == Messaging::RELATIVE_RT_TIMEOUT_POLICY_TYPE && policies.roundtrip_ns)
    return create_relative_roundtrip_timeout_policy(time_of(*policies.roundtrip_ns));
  if (type == BUFFERING_POLICY_TYPE && policies.buffering) {
    const protocol::Buffering& limits = *policies.buffering;
    return create_buffering_policy(
        {.messages = limits.messages, .octets = limits.octets, .time = time_of(limits.time_ns)});
  }
  if (type == Messaging::REBIND_POLICY_TYPE && policies.rebind)
    return create_rebind_policy(static_cast<Messaging::RebindMode>(*policies.rebind));
  if (type == Messaging::REQUEST_END_TIME_POLICY_TYPE && policies.request_end)
    return create_request_end_time_policy(TimeBase::UtcT(*policies.request_end, 0, 0, 0));
  if (type == Messaging::REPLY_END_TIME_POLICY_TYPE && policies.reply_end)
    return create_reply_end_time_policy(TimeBase::UtcT(*policies.reply_end, 0, 0, 0));
  if (type == DEADLINE_PASSING_POLICY_TYPE && policies.passes_deadlines)
    return create_deadline_passing_policy(*policies.passes_deadlines);
  if (type == COPY_BELOW_POLICY_TYPE && policies.copy_below)
    return create_copy_below_policy(*policies.copy_below);
  if (type == BiDirPolicy::BIDIRECTIONAL_POLICY_TYPE && policies.bidirectional)
    return create_bidirectional_policy(*policies.bidirectional ? BiDirPolicy::BOTH : BiDirPolicy::NORMAL);
  return nullptr;
}

constexpr PolicyType all_types[] = {Messaging::REBIND_POLICY_TYPE,
                                    Messaging::REQUEST_END_TIME_POLICY_TYPE,
                                    Messaging::REPLY_END_TIME_POLICY_TYPE,
                                    DEADLINE_PASSING_POLICY_TYPE,
                                    Messaging::SYNC_SCOPE_POLICY_TYPE,
                                    Messaging::RELATIVE_REQ_TIMEOUT_POLICY_TYPE,
                                    Messaging::RELATIVE_RT_TIMEOUT_POLICY_TYPE,
                                    BUFFERING_POLICY_TYPE,
                                    COPY_BELOW_POLICY_TYPE,
                                    BiDirPolicy::BIDIRECTIONAL_POLICY_TYPE};

CORBA::PolicyList policies_of(const PolicyOverrides& policies, std::span<const PolicyType> types) {
  CORBA::PolicyList list;
  for (const PolicyType type : types.empty() ? std::span<const PolicyType>(all_types) : types) {
    if (auto policy = policy_of(policies.calls, type)) list.push_back(std::move(policy));
  }
  if (!policies.own) return list;
  for (const orb::OwnPolicies::Each& each : policies.own->all) {
    if (types.empty() || std::ranges::find(types, each.type) != types.end())
      list.push_back(own_policy(policies.own, each.type));
  }
  return list;
}

[[noreturn]] void not_for_calls(std::size_t index, PolicyType type) {
  const char* const part = part_of_policy(type);
  const std::string_view rule = part != nullptr
                                    ? part
                                    : "only policies of calls can be set here, and those whose type an ORB "
                                      "initializer has registered a policy factory for";
  raise_with_reason(errors::not_a_policy_of_calls,
                    worded("policy % of the list, %: %", {decimal(index), policy_name(type), rule}));
}

/// The rules of set_policy_overrides (CORBA 3.4 part 1 §8.9.2).
PolicyOverrides overridden(orb::Orb& core, const PolicyOverrides& before, const CORBA::PolicyList& policies,
                           CORBA::SetOverrideType set_add, bool of_orb) {
  const bool adds = set_add == CORBA::SetOverrideType::ADD_OVERRIDE;
  PolicyOverrides result{adds ? before.calls : CallPolicies{}, nullptr};
  Ref<orb::OwnPolicies> own;
  std::vector<PolicyType> seen;
  std::vector<std::uint16_t> wrong;
  for (std::size_t i = 0; i < policies.size(); ++i) {
    if (!policies[i]) continue;
    const PolicyType type = policies[i]->policy_type();
    if (std::ranges::find(seen, type) != seen.end()) wrong.push_back(static_cast<std::uint16_t>(i));
    seen.push_back(type);
    if (is_own_policy(core, type)) {
      put_own_policy(own, policies[i]);
    } else if (!take(*policies[i], result.calls)) {
      not_for_calls(i, type);
    }
  }
  if (!wrong.empty()) {
    const std::string why =
        worded("policy % of the list, %: given twice",
               {decimal(wrong.front()), policy_name(policies[wrong.front()]->policy_type())});
    throw CORBA::InvalidPolicies(std::move(wrong), why);
  }
  if (own && core.parts().protocol_policies != nullptr)
    core.parts().protocol_policies->check(core, policies, of_orb);
  result.own = laid_over(adds ? before.own : nullptr, own);
  return result;
}

/// To be called before policies are set: from here on, calls look at them.
void link_policies() noexcept { policies_applied.store(&apply_policies, std::memory_order_release); }

/// The policies by which a reference chooses among its profiles.
constexpr PolicyType choosing_types[] = {client_protocol_policy_type, qop_policy_type,
                                         establish_trust_policy_type};

/// Whether each call has to ask over which connections it goes.
bool has_protocols(const orb::OwnPoliciesRef& policies) noexcept {
  return policies && std::ranges::any_of(choosing_types,
                                         [&](PolicyType type) { return policies->find(type) != nullptr; });
}

class OrbPolicies final : public CORBA::PolicyManager {
 public:
  explicit OrbPolicies(orb::Orb& core) : core_(&core) {}

 private:
  bool of_orb() const override { return true; }
  orb::Orb& core() const override { return *core_; }
  PolicyOverrides get() const override { return {core_->call_policies(), own_policies_of_orb(*core_)}; }
  void set(const PolicyOverrides& policies) override {
    link_policies();
    core_->set_call_policies(policies.calls);
    set_own_policies_of_orb(*core_, policies.own);
    // Calls look at the ORB's policies once any ORB has some.
    CallPolicies of_each = policies.calls;
    of_each.bidirectional.reset();  // decided when connections are opened, not for each call
    if (!of_each.empty() || has_protocols(policies.own))
      upcalls_watched.fetch_or(calls_have_policies, std::memory_order_relaxed);
  }
  const Ref<orb::Orb> core_;
};

PolicyOverrides overrides_of(const orb::Reference& reference) {
  return {reference.policies() != nullptr ? *reference.policies() : CallPolicies{}, reference.own_policies()};
}

/// CORBA 3.4 part 1 §8.9.3: the object's, else the thread's, else the ORB's.
Deadline after(const std::optional<std::int64_t>& ns) noexcept {
  return ns && *ns != 0 ? Deadline::after_ns(*ns) : Deadline::never();
}

Deadline reply_end(const CallPolicies& policies) noexcept {
  const Deadline relative = after(policies.roundtrip_ns);
  return policies.reply_end ? earlier(relative, protocol::deadline_at(*policies.reply_end)) : relative;
}

/// The deadline of the call that this thread serves, if its caller has propagated one.
Deadline deadline_of_upcall() noexcept {
  for (const orb::UpcallScope* scope = orb::UpcallScope::innermost(); scope != nullptr;
       scope = scope->outer()) {
    const ByteView said = scope->call().context(protocol::invocation_policies_context);
    if (said.data() != nullptr) return protocol::decode_deadline(said);
  }
  return Deadline::never();
}

void pass_deadline(const orb::Orb& core, protocol::CallSpec& spec) {
  const std::uint32_t usual_ms = core.options().messaging.limits.receive_timeout_ms;
  if (spec.reply_by.is_never() && usual_ms != 0) spec.reply_by = Deadline::after_ms(usual_ms);
  spec.reply_by = earlier(spec.reply_by, deadline_of_upcall());
  if (!spec.reply_by.is_never()) spec.contexts = {&protocol::deadline_to_propagate, 1};
}

}  // namespace

const InitialReference policy_manager_reference{"ORBPolicyManager",
                                                [](orb::Orb& core) -> CORBA::object_reference<CORBA::Object> {
                                                  return CORBA::make_reference<OrbPolicies>(core);
                                                }};

const InitialReference policy_current_reference{"PolicyCurrent",
                                                [](orb::Orb& core) -> CORBA::object_reference<CORBA::Object> {
                                                  return CORBA::make_reference<CORBA::PolicyCurrent>(core);
                                                }};

CallPolicies policies_of_call(const CORBA::Object& object) {
  const orb::Reference* reference = object._reference().get();
  CallPolicies all = reference != nullptr ? reference->orb().call_policies() : CallPolicies{};
  all.override_by(thread_policies);
  if (reference != nullptr && reference->policies() != nullptr) all.override_by(*reference->policies());
  if (object._timeout_ms() != 0) all.roundtrip_ns = object._timeout_ms() * 1'000'000;
  return all;
}

const orb::OwnPoliciesRef& own_policies_of_thread() noexcept { return own_of_thread; }

orb::OwnPoliciesRef own_policies_of_call(orb::Reference* reference, const orb::OwnPoliciesRef& of_thread) {
  if (reference == nullptr) return of_thread;
  return laid_over(laid_over(own_policies_of_orb(reference->orb()), of_thread), reference->own_policies());
}

bool is_policy_of_calls(CORBA::PolicyType type) noexcept {
  return std::ranges::find(all_types, type) != std::end(all_types);
}

CORBA::object_reference<CORBA::Policy> effective_policy(orb::Reference* reference, const CallPolicies& wanted,
                                                        CORBA::PolicyType type) {
  CallPolicies all;
  all.sync = protocol::Sync::with_transport;
  all.rebind = protocol::Rebind::transparent;
  if (reference != nullptr) {
    orb::Orb& core = reference->orb();
    all.roundtrip_ns = std::int64_t{core.options().messaging.limits.receive_timeout_ms} * 1'000'000;
    all.buffering = core.options().messaging.buffering;
    all.copy_below = core.options().messaging.limits.copy_below;
    all.bidirectional = core.is_bidirectional(*reference);
  }
  all.override_by(wanted);
  return policy_of(all, type);
}

void apply_policies(const CORBA::Object& object, protocol::CallSpec& spec) {
  const CallPolicies policies = policies_of_call(object);
  if (!spec.response_expected && policies.sync) {
    spec.sync = *policies.sync;
    spec.response_expected = spec.sync >= protocol::Sync::with_server;
    if (spec.sync == protocol::Sync::none) {
      spec.buffering = policies.buffering.value_or(object._reference()->orb().options().messaging.buffering);
    }
  }
  spec.reply_by = reply_end(policies);
  if (policies.passes_deadlines.value_or(false)) pass_deadline(object._reference()->orb(), spec);
  spec.deadline = earlier(spec.reply_by, after(policies.request_ns));
  if (policies.request_end)
    spec.deadline = earlier(spec.deadline, protocol::deadline_at(*policies.request_end));
  if (spec.deadline.expired()) raise(errors::send_timed_out);
  if (policies.rebind.value_or(protocol::Rebind::transparent) != protocol::Rebind::transparent)
    spec.rebind = orb::rebind_now(reference_for_call(*object._reference()), *policies.rebind);
}

void set_thread_policies(const CallPolicies& policies) noexcept {
  link_policies();
  thread_policies = policies;
  thread_has_policies = !policies.empty() || has_protocols(own_of_thread);
}

Deadline deadline_for(const CORBA::Object& object) { return reply_end(policies_of_call(object)); }

}  // namespace tenon::gen

namespace tenon {

void set_timeout(CORBA::Object& object, std::chrono::milliseconds timeout) noexcept {
  object._timeout_ms(timeout.count());
}

bool flush_oneways(CORBA::ORB& orb) {
  const std::uint32_t most_ms = orb._core().options().messaging.limits.send_timeout_ms;
  const Deadline deadline = most_ms == 0 ? Deadline::never() : Deadline::after_ms(most_ms);
  return static_cast<bool>(orb._core().flush_oneways(deadline));
}

TimeBase::UtcT utc_after(std::chrono::nanoseconds time) {
  return TimeBase::UtcT(protocol::utc_of(Deadline::after_ns(time.count())), 0, 0, 0);
}

std::uint64_t oneways_lost(const CORBA::ORB& orb) { return orb._core().oneways_lost(); }

TimeoutScope::TimeoutScope(std::chrono::milliseconds timeout) noexcept
    : outer_ns_(gen::thread_policies.roundtrip_ns) {
  orb::CallPolicies policies = gen::thread_policies;
  policies.roundtrip_ns.reset();
  if (timeout.count() != 0) policies.roundtrip_ns = timeout.count() * 1'000'000;
  gen::set_thread_policies(policies);
}

TimeoutScope::~TimeoutScope() {
  orb::CallPolicies policies = gen::thread_policies;
  policies.roundtrip_ns = outer_ns_;
  gen::set_thread_policies(policies);
}

}  // namespace tenon

namespace CORBA {
inline namespace cpp11 {

using tenon::gen::raise;
namespace errors = tenon::errors;

PolicyList PolicyManager::get_policy_overrides(const PolicyTypeSeq& ts) const {
  return tenon::gen::policies_of(get(), ts);
}

void PolicyManager::set_policy_overrides(const PolicyList& policies, SetOverrideType set_add) {
  set(tenon::gen::overridden(core(), get(), policies, set_add, of_orb()));
}

PolicyCurrent::PolicyCurrent(tenon::orb::Orb& core) : core_(&core) {}
PolicyCurrent::~PolicyCurrent() = default;

tenon::gen::PolicyOverrides PolicyCurrent::get() const {
  return {tenon::gen::thread_policies, tenon::gen::own_of_thread};
}

void PolicyCurrent::set(const tenon::gen::PolicyOverrides& policies) {
  // Threads share connections, so none can have this policy of its own.
  if (policies.calls.bidirectional)
    tenon::gen::raise_with_reason(errors::not_a_policy_of_calls,
                                  "BidirectionalPolicy: a thread has no connections of its own");
  tenon::gen::own_of_thread = policies.own;
  tenon::gen::set_thread_policies(policies.calls);
}

object_reference<Policy> Object::_get_policy(PolicyType type) {
  tenon::orb::Reference* const reference = reference_.get();
  if (tenon::gen::is_policy_of_calls(type))
    return tenon::gen::effective_policy(reference, tenon::gen::policies_of_call(*this), type);
  if (reference == nullptr || !tenon::gen::is_own_policy(reference->orb(), type))
    tenon::gen::raise_with_reason(errors::bad_policy_type,
                                  tenon::gen::policy_name(type) +
                                      ": no policy of calls, and the ORB has no policy factory for its type");
  return tenon::gen::effective_own_policy(
      reference, tenon::gen::own_policies_of_call(reference, tenon::gen::own_of_thread), type);
}

object_reference<Policy> Object::_get_client_policy(PolicyType type) {
  if (auto known = tenon::gen::policy_of(tenon::gen::policies_of_call(*this), type)) return known;
  return tenon::gen::own_policy(tenon::gen::own_policies_of_call(reference_.get(), tenon::gen::own_of_thread),
                                type);
}

std::vector<object_reference<Policy>> Object::_get_policy_overrides(const std::vector<PolicyType>& types) {
  if (!reference_) return {};
  return tenon::gen::policies_of(tenon::gen::overrides_of(*reference_), types);
}

object_reference<Object> Object::_set_policy_overrides(const std::vector<object_reference<Policy>>& policies,
                                                       SetOverrideType set_add) {
  if (!reference_) raise(errors::local_operation);
  tenon::gen::link_policies();
  auto all = std::make_shared<const tenon::orb::PolicyOverrides>(tenon::gen::overridden(
      reference_->orb(), tenon::gen::overrides_of(*reference_), policies, set_add, false));
  return tenon::gen::make_stub<Object>(tenon::make_ref<tenon::orb::Reference>(
      tenon::Ref(&reference_->orb()), tenon::ior::Ior(reference_->ior()), std::move(all)));
}

namespace {

/// The effective policies of protocols, or those of protection, which leave no way to the object.
std::vector<object_reference<Policy>> policies_in_the_way(Object& object, bool of_protocols) {
  std::vector<object_reference<Policy>> all;
  for (const PolicyType type : tenon::gen::choosing_types) {
    if (of_protocols != (type == tenon::gen::client_protocol_policy_type)) continue;
    if (auto set = object._get_client_policy(type)) all.push_back(std::move(set));
  }
  return all;
}

}  // namespace

bool Object::_validate_connection(std::vector<object_reference<Policy>>& inconsistent_policies) {
  inconsistent_policies.clear();
  if (!reference_) raise(errors::local_operation);
  inconsistent_policies = tenon::gen::inconsistent_policies(
      *reference_, tenon::gen::own_policies_of_call(reference_.get(), tenon::gen::own_of_thread));
  if (!inconsistent_policies.empty()) return false;
  tenon::orb::Reference& reference = tenon::gen::reference_for_call(*reference_);
  if (reference.profiles().empty() && reference.unreachable() != tenon::orb::Unreachable::no) {
    inconsistent_policies =
        policies_in_the_way(*this, reference.unreachable() == tenon::orb::Unreachable::by_policy);
    if (inconsistent_policies.empty())  // what the server wants cannot be met here
      raise(tenon::orb::why_unreachable(reference.unreachable()));
    return false;
  }
  const auto located = tenon::orb::locate(reference, tenon::gen::deadline_for(*this));
  if (!located && located.error() == errors::no_protocol_of_policy) {
    // A profile of a protocol in the list may have no address for it.
    inconsistent_policies = policies_in_the_way(*this, true);
    if (!inconsistent_policies.empty()) return false;
  }
  if (!located) tenon::gen::raise_call_failed(located.error());
  if (*located == tenon::protocol::LocateStatus::unknown_object) raise(errors::not_activated);
  return true;
}

}  // namespace cpp11
}  // namespace CORBA
