// SPDX-License-Identifier: Apache-2.0
#include "dynamic/interceptors/interception_chain.hpp"

#include <algorithm>
#include <atomic>

#include "cdr/exception_body.hpp"
#include "dynamic/dii/dynamic_call.hpp"
#include "dynamic/dii/served_values.hpp"
#include "mapping/cpp11/corba/protocol_policies.hpp"
#include "orb/orb.hpp"
#include "tenon/corba/call_policies.hpp"
#include "tenon/dynamic/named_value.hpp"
#include "tenon/timeout.hpp"
#include "types/create.hpp"

namespace tenon::dynamic {

namespace {

std::uint64_t next_serial() noexcept {
  static std::atomic<std::uint64_t> last{0};
  return last.fetch_add(1, std::memory_order_relaxed) + 1;
}

std::uint32_t next_request_id() noexcept {
  static std::atomic<std::uint32_t> last{0};
  return last.fetch_add(1, std::memory_order_relaxed) + 1;
}

/// A thread's slots of one chain. The slots of chains that were destroyed stay until the thread ends.
struct OfThread {
  std::uint64_t chain;
  Slots slots;
};
thread_local std::vector<std::unique_ptr<OfThread>> of_thread;

}  // namespace

Chain::Chain() : serial(next_serial()) {}

Slots& Chain::thread_slots() const {
  for (const auto& each : of_thread) {
    if (each->chain == serial) return each->slots;
  }
  of_thread.push_back(std::make_unique<OfThread>(OfThread{serial, {}}));
  return of_thread.back()->slots;
}

CORBA::Any slot(const Slots& slots, PortableInterceptor::SlotId id) {
  return id < slots.size() ? slots[id] : CORBA::Any();
}

void set_slot(Slots& slots, PortableInterceptor::SlotId id, const CORBA::Any& data) {
  if (id >= slots.size()) slots.resize(id + 1);
  slots[id] = data;
}

const OwnedContext* OwnedContexts::find(std::uint32_t id) const noexcept {
  const auto found = std::ranges::find(all, id, &OwnedContext::id);
  return found == all.end() ? nullptr : &*found;
}

void OwnedContexts::add(const IOP::ServiceContext& context, bool replace) {
  const auto found = std::ranges::find(all, context.context_id(), &OwnedContext::id);
  if (found == all.end()) {
    all.push_back({context.context_id(), context.context_data()});
  } else if (replace) {
    found->data = context.context_data();
  } else {
    gen::raise(errors::duplicate_service_context);
  }
}

std::span<const protocol::ServiceContext> OwnedContexts::view() {
  views.clear();
  for (const OwnedContext& each : all) views.push_back({each.id, each.data});
  return views;
}

namespace {

/// Null: policies of this thread forbid calls over it.
Ref<orb::Reference> reference_to_follow(const CORBA::Object& to) noexcept {
  try {
    return Ref(&gen::reference_for_call(*to._reference()));
  } catch (...) {
    return nullptr;
  }
}

}  // namespace

orb::Verdict verdict_of_current_exception(bool may_forward) noexcept {
  try {
    throw;
  } catch (const CORBA::SystemException& exception) {
    return {exception._error(), nullptr, std::string(exception._reason())};
  } catch (const std::bad_alloc&) {
    return {errors::out_of_memory, nullptr};
  } catch (const PortableInterceptor::ForwardRequest& exception) {
    const auto& to = exception.forward();
    if (may_forward && to && to->_reference()) {
      if (auto next = reference_to_follow(*to)) return {{}, std::move(next)};
      return {errors::no_protected_way, nullptr};
    }
  } catch (...) {
    // exceptions of other types become interceptor_raised
  }
  return {errors::interceptor_raised, nullptr};
}

RequestState::RequestState(const Chain& of, std::string_view called, bool responds, protocol::Sync scope)
    : chain(of), id(next_request_id()), operation(called), response_expected(responds), sync(scope) {}

void RequestState::apply(const orb::Verdict& verdict) {
  if (verdict.error) {
    status = PortableInterceptor::SYSTEM_EXCEPTION;
    error = verdict.error;
    exception_id = repository_id(error.id);
    forward = nullptr;
  } else {
    status = PortableInterceptor::LOCATION_FORWARD;
    forward = verdict.forward;
  }
}

const orb::UsableProfile* effective_profile(orb::Reference& target) {
  if (const auto* binding = target.binding()) return binding->profile;
  const auto& profiles = target.profiles();
  return profiles.empty() ? nullptr : &profiles.front();
}

ClientState::ClientState(const Chain& of, orb::Reference& called, orb::Reference& effective,
                         const protocol::CallSpec& spec, const protocol::CallDescription* description)
    : RequestState(of, spec.operation, spec.response_expected, spec.sync),
      dynamic(dynamic_cast<const DynamicCall*>(description)),
      stub(dynamic_cast<const gen::StubCall*>(description)),
      original(called),
      target(effective) {
  for (const protocol::ServiceContext& each : spec.contexts)
    request_contexts.all.push_back({each.id, {each.data.begin(), each.data.end()}});
  if (of.slot_count != 0) request_slots = of.thread_slots();
  if (gen::thread_has_policies) thread_policies = gen::thread_policies;
  if (!of.policy_factories.empty()) own_policies_of_thread = gen::own_policies_of_thread();
}

ByteView ClientState::request_context(std::uint32_t of) const noexcept {
  static constexpr std::uint8_t nothing = 0;
  const OwnedContext* found = request_contexts.find(of);
  if (found == nullptr) return {};
  return found->data.empty() ? ByteView(&nothing, 0) : ByteView(found->data);
}

// --- values ---

namespace {

Dynamic::ExceptionList listed(const std::vector<types::TypeRef>& types) {
  Dynamic::ExceptionList all;
  for (const types::TypeRef& each : types) all.push_back(CORBA::TypeCodeRef(each));
  return all;
}

CORBA::Any any_of(types::Any value) {
  CORBA::Any any;
  any._value(std::move(value));
  return any;
}

}  // namespace

Dynamic::ParameterList RequestState::arguments() const { not_known(); }
CORBA::Any RequestState::result() const { not_known(); }
Dynamic::ExceptionList RequestState::exceptions() const { not_known(); }

void RequestState::not_known() const {
  gen::raise_with_reason(
      errors::not_in_this_binding,
      "operation '" + std::string(operation) + "': " +
          (chain.known.has_operations()
               ? "not among those that tenon::show_operations_to_interceptors() was given for the interface"
               : "tenon::show_operations_to_interceptors() would make its values known"));
}

CORBA::Any RequestState::exception() const { return exception_value(error); }

Dynamic::ParameterList ClientState::arguments() const {
  if (const auto known = signature()) {
    cdr::Writer arguments(types::Any::memory_format());
    stub->put(arguments);
    arguments.forget_values();
    if (!arguments.good()) gen::raise(arguments.error());
    return known->shown(cdr::Reader(arguments.bytes(), arguments.format()), body);
  }
  if (dynamic == nullptr) return RequestState::arguments();
  DynamicCall::Results results;
  if (body != nullptr) {
    cdr::Reader in(*body);
    if (const Error bad = dynamic->read_results(in, results)) gen::raise(bad);
  }
  Dynamic::ParameterList all;
  auto returned = results.values.begin();
  for (const Argument& each : dynamic->arguments) {
    Dynamic::Parameter& parameter = all.emplace_back();
    // Before the reply an out argument has a type and no value.
    types::Any value = each.value;
    if (body != nullptr && travels_out(each.direction)) value = std::move(*returned++);
    parameter.argument(any_of(std::move(value)));
    switch (each.direction) {
      case Direction::in: parameter.mode(Dynamic::ParameterMode::PARAM_IN); break;
      case Direction::out: parameter.mode(Dynamic::ParameterMode::PARAM_OUT); break;
      case Direction::inout: parameter.mode(Dynamic::ParameterMode::PARAM_INOUT); break;
    }
  }
  return all;
}

CORBA::Any ClientState::result() const {
  const auto known = signature();
  if (known == nullptr && dynamic == nullptr) return RequestState::result();
  if (body == nullptr) gen::raise(errors::not_in_this_binding);
  if (known != nullptr) return known->returned(*body);
  DynamicCall::Results results;
  cdr::Reader in(*body);
  if (const Error bad = dynamic->read_results(in, results)) gen::raise(bad);
  return dynamic->result_type ? any_of(std::move(results.returned)) : only_type(CORBA::_tc_void);
}

KnownTypes::Found ClientState::signature() const {
  if (stub == nullptr) return nullptr;
  const auto& self = stub->self();
  return chain.known.operation(typeid(self), operation);
}

Dynamic::ExceptionList ClientState::exceptions() const {
  if (const auto known = signature()) return listed(known->exceptions);
  return dynamic != nullptr ? listed(dynamic->exceptions) : RequestState::exceptions();
}

CORBA::Any ClientState::exception() const {
  if (status == PortableInterceptor::USER_EXCEPTION && body != nullptr) {
    const std::span<const types::TypeRef> raised =
        dynamic != nullptr ? std::span(dynamic->exceptions) : std::span<const types::TypeRef>();
    if (CORBA::Any found = user_exception(*body, raised);
        found._value().type()->kind == types::Kind::tk_except)
      return found;
  }
  return RequestState::exception();
}

Dynamic::ParameterList ServerState::arguments() const {
  const ServedValues* const values = ServedValues::of(frame);
  if (values == nullptr || !values->parameters) {
    if (signature == nullptr) return RequestState::arguments();
    if (!request) gen::raise(errors::not_in_this_binding);
    return signature->shown(*request, point == Point::send_reply ? body : nullptr);
  }
  Dynamic::ParameterList all;
  for (std::uint32_t i = 0; i < values->parameters->count(); ++i) {
    const auto item = values->parameters->item(i);
    Dynamic::Parameter& parameter = all.emplace_back();
    parameter.argument(item->value());
    parameter.mode(item->flags() == CORBA::ARG_IN    ? Dynamic::ParameterMode::PARAM_IN
                   : item->flags() == CORBA::ARG_OUT ? Dynamic::ParameterMode::PARAM_OUT
                                                     : Dynamic::ParameterMode::PARAM_INOUT);
  }
  return all;
}

CORBA::Any ServerState::result() const {
  if (const ServedValues* const values = ServedValues::of(frame))
    return values->result != nullptr ? *values->result : only_type(CORBA::_tc_void);
  if (signature == nullptr) return RequestState::result();
  if (body == nullptr) gen::raise(errors::not_in_this_binding);
  return signature->returned(*body);
}

Dynamic::ExceptionList ServerState::exceptions() const {
  return signature != nullptr ? listed(signature->exceptions) : RequestState::exceptions();
}

CORBA::Any ServerState::exception() const {
  if (status != PortableInterceptor::USER_EXCEPTION || body == nullptr) return RequestState::exception();
  const ServedValues* const values = ServedValues::of(frame);
  if (values != nullptr && values->exception != nullptr) return *values->exception;
  CORBA::Any found = user_exception(*body, {});
  return found._value().type()->kind == types::Kind::tk_except ? found : RequestState::exception();
}

CORBA::Any RequestState::user_exception(cdr::Reader body, std::span<const types::TypeRef> listed) const {
  const std::string_view raised = cdr::Reader(body).get_raw_string();
  types::TypeRef type;
  for (const types::TypeRef& each : listed) {
    if (each->id == raised) type = each;
  }
  if (!type) type = chain.known.exception(raised);
  if (!type) return {};
  // The repository id, then the members: the same form as in an Any (part 2 §9.3.5).
  types::Any value = types::read_value(body, type, gen::passing_on);
  return body.good() ? any_of(std::move(value)) : CORBA::Any();
}

CORBA::Any exception_value(const Error& error) {
  static constexpr std::string_view statuses[] = {"COMPLETED_YES", "COMPLETED_NO", "COMPLETED_MAYBE"};
  const auto status =
      types::create_enum("IDL:omg.org/CORBA/completion_status:1.0", "completion_status", statuses);
  if (!status) gen::raise(status.error());
  const types::NewMember members[] = {{.name = "minor", .type = types::basic(types::Kind::tk_ulong)},
                                      {.name = "completed", .type = *status}};
  const auto type = types::create_exception(repository_id(error.id), name(error.id), members);
  if (!type) gen::raise(type.error());
  CORBA::Any value;
  gen::insert(value, *type, [&](cdr::Writer& out) { cdr::write_system_exception(out, error); });
  return value;
}

}  // namespace tenon::dynamic
