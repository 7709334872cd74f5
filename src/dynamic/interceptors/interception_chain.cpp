// SPDX-License-Identifier: Apache-2.0
#include "dynamic/interceptors/interception_chain.hpp"

#include <algorithm>
#include <atomic>

#include "cdr/exception_body.hpp"
#include "orb/orb.hpp"
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

ClientState::ClientState(const Chain& of, orb::Reference& called, orb::Reference& effective,
                         const protocol::CallSpec& spec)
    : RequestState(of, spec.operation, spec.response_expected, spec.sync),
      original(called),
      target(effective) {
  for (const protocol::ServiceContext& each : spec.contexts)
    request_contexts.all.push_back({each.id, {each.data.begin(), each.data.end()}});
  if (of.slot_count != 0) request_slots = of.thread_slots();
  if (gen::thread_has_policies) thread_policies = gen::thread_policies;
}

ByteView ClientState::request_context(std::uint32_t of) const noexcept {
  static constexpr std::uint8_t nothing = 0;
  const OwnedContext* found = request_contexts.find(of);
  if (found == nullptr) return {};
  return found->data.empty() ? ByteView(&nothing, 0) : ByteView(found->data);
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
