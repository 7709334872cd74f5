// SPDX-License-Identifier: Apache-2.0
//
// Which functions may be called at which point (CORBA 3.4 part 1 §16.4, tables of ClientRequestInfo and ServerRequestInfo), and what
// they return.
#include "tenon/interceptors/request_info.hpp"

#include <algorithm>

#include "dynamic/interceptors/ior_interception.hpp"
#include "dynamic/interceptors/spare_memory.hpp"
#include "mapping/cpp11/calls/skeleton.hpp"
#include "mapping/cpp11/corba/own_policies.hpp"
#include "orb/orb.hpp"
#include "poa/poa.hpp"
#include "tenon/corba/call_policies.hpp"

namespace tenon::dynamic {

namespace {

constexpr unsigned bit(Point point) noexcept { return 1u << static_cast<unsigned>(point); }

template <typename... Points>
constexpr unsigned at_points(Points... points) noexcept {
  return (bit(points) | ...);
}

using enum Point;

constexpr unsigned client_endings = at_points(receive_reply, receive_exception, receive_other);
constexpr unsigned client_all = client_endings | at_points(send_request, send_poll);
constexpr unsigned client_most = client_endings | bit(send_request);  // not where a reply is polled for
constexpr unsigned server_endings = at_points(send_reply, send_exception, send_other);
constexpr unsigned server_with_servant = server_endings | bit(receive_request);
constexpr unsigned server_all = server_with_servant | bit(receive_request_service_contexts);

IOP::ServiceContext context_or_raise(std::uint32_t id, ByteView data) {
  if (data.data() == nullptr) gen::raise(errors::no_such_service_context);
  return {id, {data.begin(), data.end()}};
}

CORBA::object_reference<CORBA::Object> object_for(orb::Reference& reference) {
  return gen::make_stub<CORBA::Object>(Ref<orb::Reference>(&reference));
}

const poa::Frame& frame_or_raise(const ServerState& state) {
  if (state.frame == nullptr) gen::raise(errors::not_in_this_binding);
  return *state.frame;
}

}  // namespace
}  // namespace tenon::dynamic

namespace PortableInterceptor {
inline namespace cpp11 {

using namespace tenon;
using namespace tenon::dynamic;

// --- RequestInfo ---

RequestInfo::~RequestInfo() = default;

RequestState& RequestInfo::at(unsigned points) const {
  if (state_ == nullptr || (bit(state_->point) & points) == 0) gen::raise(errors::wrong_interception_point);
  return *state_;
}

std::uint32_t RequestInfo::request_id() { return at(client_all | server_all).id; }
std::string RequestInfo::operation() { return std::string(at(client_all | server_all).operation); }
bool RequestInfo::response_expected() { return at(client_all | server_all).response_expected; }
std::int16_t RequestInfo::sync_scope() {
  return static_cast<std::int16_t>(at(client_most | server_all).sync);
}

Dynamic::ParameterList RequestInfo::arguments() {
  return at(at_points(send_request, receive_reply, receive_request, send_reply)).arguments();
}

Dynamic::ExceptionList RequestInfo::exceptions() {
  return at(client_most | server_with_servant).exceptions();
}

// Requests of this ORB have no contexts: tenon-idl makes no stubs for operations that ask for some.
Dynamic::ContextList RequestInfo::contexts() {
  static_cast<void>(at(client_most | server_with_servant));
  return {};
}

Dynamic::RequestContext RequestInfo::operation_context() {
  static_cast<void>(at(client_most | at_points(receive_request, send_reply)));
  return {};
}

CORBA::Any RequestInfo::result() { return at(at_points(receive_reply, send_reply)).result(); }

ReplyStatus RequestInfo::reply_status() { return at(client_endings | server_endings).status; }

CORBA::object_reference<CORBA::Object> RequestInfo::forward_reference() {
  const RequestState& state = at(at_points(receive_other, send_other));
  if (state.status != LOCATION_FORWARD) gen::raise(errors::wrong_interception_point);
  return state.forward ? object_for(*state.forward) : nullptr;
}

CORBA::Any RequestInfo::get_slot(SlotId id) {
  RequestState& state = at(client_all | server_all);
  state.chain.check(id);
  return slot(state.slots(), id);
}

IOP::ServiceContext RequestInfo::get_request_service_context(IOP::ServiceId id) {
  return context_or_raise(id, at(client_most | server_all).request_context(id));
}

IOP::ServiceContext RequestInfo::get_reply_service_context(IOP::ServiceId id) {
  const OwnedContext* found = at(client_endings | server_endings).reply_contexts.find(id);
  if (found == nullptr) gen::raise(errors::no_such_service_context);
  return {id, found->data};
}

// --- ClientRequestInfo ---

void* ClientRequestInfo::operator new(std::size_t size) {
  return tenon::dynamic::SpareMemory<ClientRequestInfo>::take(size);
}
void ClientRequestInfo::operator delete(void* memory) {
  tenon::dynamic::SpareMemory<ClientRequestInfo>::give(memory);
}

ClientRequestInfo::ClientRequestInfo(ClientState& state) noexcept : RequestInfo(state) {}

ClientState& ClientRequestInfo::client_at(unsigned points) const {
  return static_cast<ClientState&>(at(points));
}

CORBA::object_reference<CORBA::Object> ClientRequestInfo::target() {
  return object_for(client_at(client_all).original);
}

CORBA::object_reference<CORBA::Object> ClientRequestInfo::effective_target() {
  return object_for(client_at(client_all).target);
}

IOP::TaggedProfile ClientRequestInfo::effective_profile() {
  orb::Reference& target = client_at(client_all).target;
  const orb::UsableProfile* profile = dynamic::effective_profile(target);
  if (profile == nullptr) gen::raise(errors::not_in_this_binding);
  const ior::TaggedProfile& found = target.ior().profiles[profile->index];
  return {found.tag, found.data};
}

CORBA::Any ClientRequestInfo::received_exception() { return client_at(bit(receive_exception)).exception(); }

std::string ClientRequestInfo::received_exception_id() {
  return client_at(bit(receive_exception)).exception_id;
}

IOP::TaggedComponent ClientRequestInfo::get_effective_component(IOP::ComponentId id) {
  return get_effective_components(id).front();
}

IOP::TaggedComponentSeq ClientRequestInfo::get_effective_components(IOP::ComponentId id) {
  IOP::TaggedComponentSeq all;
  if (const orb::UsableProfile* profile = dynamic::effective_profile(client_at(client_most).target)) {
    for (const ior::TaggedComponent& each : profile->view.components) {
      if (each.tag == id) all.emplace_back(each.tag, each.data);
    }
  }
  if (all.empty()) gen::raise(errors::no_such_component);
  return all;
}

CORBA::object_reference<CORBA::Policy> ClientRequestInfo::get_request_policy(CORBA::PolicyType type) {
  const ClientState& state = client_at(client_most);
  if (gen::is_policy_of_calls(type)) {
    orb::CallPolicies wanted = state.original.orb().call_policies();
    if (state.thread_policies) wanted.override_by(*state.thread_policies);
    if (state.original.policies() != nullptr) wanted.override_by(*state.original.policies());
    return gen::effective_policy(&state.original, wanted, type);
  }
  check_has_factory(state.chain, type);
  return gen::effective_own_policy(
      &state.original, gen::own_policies_of_call(&state.original, state.own_policies_of_thread), type);
}

void ClientRequestInfo::add_request_service_context(const IOP::ServiceContext& service_context,
                                                    bool replace) {
  client_at(bit(send_request)).request_contexts.add(service_context, replace);
}

// --- ServerRequestInfo ---

void* ServerRequestInfo::operator new(std::size_t size) {
  return tenon::dynamic::SpareMemory<ServerRequestInfo>::take(size);
}
void ServerRequestInfo::operator delete(void* memory) {
  tenon::dynamic::SpareMemory<ServerRequestInfo>::give(memory);
}

ServerRequestInfo::ServerRequestInfo(ServerState& state) noexcept : RequestInfo(state) {}

ServerState& ServerRequestInfo::server_at(unsigned points) const {
  return static_cast<ServerState&>(at(points));
}

CORBA::Any ServerRequestInfo::sending_exception() { return server_at(bit(send_exception)).exception(); }

std::string ServerRequestInfo::server_id() { return server_at(server_with_servant).chain.server_id; }
std::string ServerRequestInfo::orb_id() { return server_at(server_with_servant).chain.orb_id; }

AdapterName ServerRequestInfo::adapter_name() {
  return dynamic::adapter_name(frame_or_raise(server_at(server_with_servant)).poa->path());
}

CORBA::OctetSeq ServerRequestInfo::object_id() {
  const ByteView id = frame_or_raise(server_at(server_with_servant)).id;
  return {id.begin(), id.end()};
}

CORBA::OctetSeq ServerRequestInfo::adapter_id() {
  return gen::value_or_raise(frame_or_raise(server_at(server_with_servant)).poa->id());
}

std::string ServerRequestInfo::target_most_derived_interface() {
  const poa::Frame& frame = frame_or_raise(server_at(bit(receive_request)));
  return std::string(frame.servant->_most_derived_id());
}

bool ServerRequestInfo::target_is_a(const std::string& id) {
  const poa::Frame& frame = frame_or_raise(server_at(bit(receive_request)));
  auto* servant = dynamic_cast<PortableServer::Servant*>(frame.servant);
  if (servant == nullptr) gen::raise(errors::not_in_this_binding);
  return servant->_is_a(id);
}

CORBA::object_reference<CORBA::Policy> ServerRequestInfo::get_server_policy(CORBA::PolicyType type) {
  const ServerState& state = server_at(server_all);
  if (state.frame != nullptr) return policy_of(*state.frame->poa, state.chain, type);
  check_has_factory(state.chain, type);
  return nullptr;
}

void ServerRequestInfo::set_slot(SlotId id, const CORBA::Any& data) {
  ServerState& state = server_at(server_all);
  state.chain.check(id);
  dynamic::set_slot(state.slots(), id, data);
}

void ServerRequestInfo::add_reply_service_context(const IOP::ServiceContext& service_context, bool replace) {
  server_at(server_all).reply_contexts.add(service_context, replace);
}

}  // namespace cpp11
}  // namespace PortableInterceptor
