// SPDX-License-Identifier: Apache-2.0
#include "tenon/corba/protocol_policies.hpp"

#include <algorithm>
#include <bit>
#include <iterator>

#include "base/hex.hpp"
#include "base/joined.hpp"
#include "base/minor_codes.hpp"
#include "cdr/reader.hpp"
#include "cdr/writer.hpp"
#include "ior/components.hpp"
#include "mapping/cpp11/corba/orb_parts.hpp"
#include "mapping/cpp11/corba/own_policies.hpp"
#include "mapping/cpp11/corba/protocol_policies.hpp"
#include "net/pacing.hpp"
#include "net/socket_buffers.hpp"
#include "orb/protocol_references.hpp"
#include "protocol/socket_properties.hpp"
#include "tenon/corba/call_policies.hpp"

namespace tenon::gen {
namespace {

using RTCORBA::ClientProtocolPolicy;
using RTCORBA::ProtocolList;
using RTCORBA::ServerProtocolPolicy;

static_assert(any_protocol == orb::any_profile_tag);
static_assert(server_protocol_policy_type == RTCORBA::SERVER_PROTOCOL_POLICY_TYPE &&
              client_protocol_policy_type == RTCORBA::CLIENT_PROTOCOL_POLICY_TYPE);

/// How many protocols of a policy in a reference are read; its maker says how many there are.
constexpr std::size_t most_protocols = 64;

[[noreturn]] void bad_value(std::string_view why) {
  raise_with_reason(errors::unknown_policy_value, std::string(why));
}

std::uint32_t size_of_buffer(std::string_view name, std::int32_t octets) {
  if (octets < 0)
    bad_value(worded("%: a buffer of % octets; 0 leaves it to the ORB", {name, decimal(octets)}));
  return static_cast<std::uint32_t>(octets);
}

std::vector<std::string> texts_of(const ProtocolList& protocols) {
  std::vector<std::string> texts;
  for (const RTCORBA::Protocol& each : protocols) {
    const auto& properties = each.transport_protocol_properties();
    texts.push_back(properties ? properties->_text() : std::string());
  }
  return texts;
}

std::vector<IOP::ProfileId> tags_of(const ProtocolList& protocols) {
  std::vector<IOP::ProfileId> tags;
  for (const RTCORBA::Protocol& each : protocols) tags.push_back(each.protocol_type());
  return tags;
}

void check_list(std::string_view policy, const ProtocolList& protocols) {
  if (protocols.empty()) bad_value(worded("%: an empty list of protocols", {policy}));
  for (const RTCORBA::Protocol& each : protocols) {
    if (each.protocol_type() == any_protocol && &each != &protocols.back())
      bad_value(worded("%: tenon::any_protocol stands before other protocols; it is the last one of a list",
                       {policy}));
  }
}

/// Null: there is none, or one of another class, which a program's own factory has made.
const ClientProtocolPolicy* client_policy(const orb::OwnPoliciesRef& from) noexcept {
  return from ? dynamic_cast<const ClientProtocolPolicy*>(own_policy(from, client_protocol_policy_type).get())
              : nullptr;
}
const ServerProtocolPolicy* server_policy(const orb::OwnPoliciesRef& from) noexcept {
  return from ? dynamic_cast<const ServerProtocolPolicy*>(own_policy(from, server_protocol_policy_type).get())
              : nullptr;
}

/// What a reference says of ClientProtocolPolicy; nil: it is not as ClientProtocolPolicy::_exposed_value() writes it.
CORBA::object_reference<ClientProtocolPolicy> read_client_policy(ByteView value) {
  cdr::Reader in = cdr::Reader::encapsulation(value);
  constexpr std::size_t smallest = 12;  // of an entry
  const std::size_t count = in.get_length(smallest);
  ProtocolList protocols;
  for (std::size_t i = 0; i < count && in.good(); ++i) {
    if (i == most_protocols) return nullptr;
    protocols.emplace_back(in.get<std::uint32_t>());
    static_cast<void>(in.get_octet_sequence());
    static_cast<void>(in.get_octet_sequence());
  }
  if (!in.good() || protocols.empty()) return nullptr;
  return CORBA::make_reference<ClientProtocolPolicy>(std::move(protocols));
}

class MakersWithProtocols final : public PolicyMakers {
 public:
  explicit MakersWithProtocols(std::shared_ptr<const PolicyMakers> of_program)
      : of_program_(std::move(of_program)) {}

  bool make(CORBA::PolicyType type) const override {
    return type == client_protocol_policy_type || type == server_protocol_policy_type ||
           (of_program_ != nullptr && of_program_->make(type));
  }
  PolicyRef read(CORBA::PolicyType type, ByteView value) const override {
    if (type == client_protocol_policy_type) return read_client_policy(value);
    return of_program_ != nullptr ? of_program_->read(type, value) : nullptr;
  }

 private:
  const std::shared_ptr<const PolicyMakers> of_program_;
};

std::shared_ptr<const PolicyMakers> makers_with_protocols(std::shared_ptr<const PolicyMakers> of_program) {
  return std::make_shared<const MakersWithProtocols>(std::move(of_program));
}

/// Keeps the profiles of the list's protocols, in its order; those of one protocol stay in the order of the reference. Objects of this
/// process are called over no protocol.
void keep_chosen(const orb::Orb& orb, const ClientProtocolPolicy& policy,
                 std::vector<orb::UsableProfile>& profiles) {
  auto next = profiles.begin();
  const auto take = [&](auto&& is_one, std::string_view properties) {
    for (auto each = next; each != profiles.end(); ++each) {
      if (!is_one(*each)) continue;
      each->properties = properties;
      std::rotate(next, each, each + 1);
      ++next;
    }
  };
  if (orb.collocation() != nullptr)
    take([&](const orb::UsableProfile& each) { return orb.is_local(each); }, {});
  const ProtocolList& protocols = policy._protocols();
  for (std::size_t i = 0; i < protocols.size(); ++i) {
    const IOP::ProfileId tag = protocols[i].protocol_type();
    take(
        [tag](const orb::UsableProfile& each) {
          return tag == any_protocol || each.transport->profile_tag() == tag;
        },
        policy._properties(i));
  }
  profiles.erase(next, profiles.end());
}

/// Policies of a thread or an ORB: the reference's own one is nearer.
orb::Reference& reference_with_protocols(orb::Reference& reference) {
  if (client_policy(reference.own_policies()) != nullptr) return reference;
  orb::OwnPoliciesRef from = own_policies_of_thread();
  const ClientProtocolPolicy* wanted = client_policy(from);
  if (wanted == nullptr) {
    from = own_policies_of_orb(reference.orb());
    wanted = client_policy(from);
  }
  if (wanted == nullptr) return reference;
  for (orb::Reference* each = reference.variant(); each != nullptr; each = each->variant()) {
    const ClientProtocolPolicy* const its_own = client_policy(each->own_policies());  // null: another reading
    if (its_own != nullptr && its_own->_same_as(*wanted)) return *each;
  }
  orb::PolicyOverrides overrides;
  if (reference.policies() != nullptr) overrides.calls = *reference.policies();
  Ref<orb::OwnPolicies> own;
  put_own_policy(own, own_policy(from, client_protocol_policy_type));
  overrides.own = laid_over(reference.own_policies(), own);
  auto made = make_ref<orb::Reference>(Ref(&reference.orb()), ior::Ior(reference.ior()),
                                       std::make_shared<const orb::PolicyOverrides>(std::move(overrides)));
  orb::Reference& result = *made;
  reference.add_variant(std::move(made));
  return result;
}

/// Gives endpoints the DSCP and the pacing that the policy says for their protocol.
void set_up_endpoints(const orb::Server& server, const ServerProtocolPolicy& policy) {
  for (std::size_t i = 0; i < policy._tags().size(); ++i) {
    const auto properties = protocol::read_socket_properties(policy._properties(i));
    if (policy._tags()[i] != ior::tag_internet_iop) continue;
    for (const orb::Server::Point& point : server.points()) {
      const auto socket = point.acceptor->poll_descriptor();
      if (!socket || point.transport->profile_tag() != ior::tag_internet_iop) continue;
      if (properties.dscp) net::mark(*socket, *properties.dscp);
      if (properties.pacing) net::pace(*socket, *properties.pacing);
    }
  }
}

bool concerns_endpoints(const ServerProtocolPolicy& policy) {
  for (std::size_t i = 0; i < policy._tags().size(); ++i) {
    const auto properties = protocol::read_socket_properties(policy._properties(i));
    if (properties.dscp || properties.pacing) return true;
  }
  return false;
}

const orb::Server& listening_server(orb::Orb& orb) {
  std::string why;
  const auto server = orb.listening(&why);
  if (!server) raise_with_reason(server.error(), std::move(why));
  return **server;
}

/// What another ORB of the process has put there does more, and stays.
template <typename Function>
void apply(std::atomic<Function>& where, Function what) noexcept {
  Function nothing = nullptr;
  where.compare_exchange_strong(nothing, what, std::memory_order_acq_rel);
}

std::optional<PolicyFault> check_endpoints(orb::Orb& orb, const CORBA::PolicyList& list, poa::PoaExtras&) {
  for (std::size_t i = 0; i < list.size(); ++i) {
    const auto* const policy = dynamic_cast<const ServerProtocolPolicy*>(list[i].get());
    if (policy == nullptr) continue;
    const orb::Server& server = listening_server(orb);
    apply(reference_over_protocols, protocol_policies.new_reference);
    for (const IOP::ProfileId tag : policy->_tags()) {
      if (!orb::listens_for(server, tag))
        return PolicyFault{static_cast<std::uint16_t>(i),
                           "it names a protocol that no endpoint of this ORB has (-ORBListenEndpoints)"};
    }
    set_up_endpoints(server, *policy);
  }
  return std::nullopt;
}

Result<Ref<orb::Reference>> new_reference_over(orb::Orb& orb, const orb::OwnPolicies* of_poa,
                                               std::string_view type_id, ByteView key,
                                               std::span<const orb::ExtraComponent> components,
                                               std::string& why) {
  orb::OwnPoliciesRef from(of_poa);
  const ServerProtocolPolicy* policy = server_policy(from);
  if (policy == nullptr) {
    from = own_policies_of_orb(orb);
    policy = server_policy(from);
  }
  if (policy == nullptr) return orb.create_reference(type_id, key, components, &why);
  auto made = orb::create_reference_over(orb, policy->_tags(), type_id, key, components, &why);
  if (!made && made.error() == errors::no_protocol_of_policy)
    why = "ServerProtocolPolicy names no protocol that an endpoint of this ORB has (-ORBListenEndpoints)";
  return made;
}

void check_overrides(orb::Orb& orb, const CORBA::PolicyList& list, bool of_orb) {
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (dynamic_cast<const ClientProtocolPolicy*>(list[i].get()) != nullptr) {
      apply(protocols_applied, protocol_policies.reference_for_call);
      continue;
    }
    const auto* const policy = dynamic_cast<const ServerProtocolPolicy*>(list[i].get());
    if (policy == nullptr) continue;
    if (!of_orb)
      raise_with_reason(
          errors::not_a_policy_of_calls,
          worded("policy % of the list, ServerProtocolPolicy: it is for ORBs and POAs", {decimal(i)}));
    for (const IOP::ProfileId tag : policy->_tags()) {
      if (tag == any_protocol || orb.transport_for(tag) != nullptr) continue;
      throw CORBA::InvalidPolicies(
          {static_cast<std::uint16_t>(i)},
          worded("policy % of the list, ServerProtocolPolicy: the ORB has no protocol with profile tag 0x%",
                 {decimal(i), hex_number(tag)}));
    }
    if (concerns_endpoints(*policy)) set_up_endpoints(listening_server(orb), *policy);
    apply(reference_over_protocols, protocol_policies.new_reference);
  }
}

}  // namespace

constinit const ProtocolPolicies protocol_policies{.makers = makers_with_protocols,
                                                   .reference_for_call = reference_with_protocols,
                                                   .check_endpoints = check_endpoints,
                                                   .new_reference = new_reference_over,
                                                   .check = check_overrides};

namespace {

orb::Unreachable choose(const orb::Reference& reference, std::vector<orb::UsableProfile>& profiles) {
  if (profiles.empty()) return orb::Unreachable::no;
  const ClientProtocolPolicy* const wanted = client_policy(reference.own_policies());
  CORBA::object_reference<ClientProtocolPolicy> of_server;
  if (const auto value = ior::find_policy(profiles.front().view.components, client_protocol_policy_type))
    of_server = read_client_policy(*value);
  if (wanted != nullptr && of_server && wanted->_exposed_value() != of_server->_exposed_value()) {
    profiles.clear();
    return orb::Unreachable::by_contradiction;
  }
  if (wanted == nullptr && !of_server) return orb::Unreachable::no;
  keep_chosen(reference.orb(), wanted != nullptr ? *wanted : *of_server, profiles);
  if (wanted == nullptr) {  // the server's goes now, and has no properties
    for (orb::UsableProfile& each : profiles) each.properties = {};
  }
  return profiles.empty() ? orb::Unreachable::by_policy : orb::Unreachable::no;
}

}  // namespace

/// The engine, which calls this, passes on no exceptions: without memory there is no usable profile.
orb::Unreachable choose_profiles(const orb::Reference& reference,
                                 std::vector<orb::UsableProfile>& profiles) noexcept {
  try {
    const orb::Unreachable why = choose(reference, profiles);
    const auto secured = chooses_secured.load(std::memory_order_acquire);
    return profiles.empty() || secured == nullptr ? why : secured(reference, profiles);
  } catch (...) {
    profiles.clear();
    return orb::Unreachable::no;
  }
}

const InitialReference rt_orb_reference{"RTORB", [](orb::Orb&) -> CORBA::object_reference<CORBA::Object> {
                                          return CORBA::make_reference<RTCORBA::RTORB>();
                                        }};

}  // namespace tenon::gen

namespace RTCORBA {
inline namespace cpp11 {

std::string TCPProtocolProperties::_text() const {
  const std::string_view name = "TCPProtocolProperties";
  return tenon::protocol::text_of({.buffers = {tenon::gen::size_of_buffer(name, send_buffer_size_),
                                               tenon::gen::size_of_buffer(name, recv_buffer_size_)},
                                   .keep_alive = keep_alive_,
                                   .dont_route = dont_route_,
                                   .no_delay = no_delay_});
}

ClientProtocolPolicy::ClientProtocolPolicy(ProtocolList protocols)
    : protocols_(std::move(protocols)), properties_(tenon::gen::texts_of(protocols_)) {
  tenon::gen::check_list("ClientProtocolPolicy", protocols_);
}

CORBA::object_reference<CORBA::Policy> ClientProtocolPolicy::copy() {
  return CORBA::object_reference<CORBA::Policy>(this);
}

// Properties are of the process that has set them: they are local objects, for which the standard has no form on the wire.
std::vector<std::uint8_t> ClientProtocolPolicy::_exposed_value() const {
  tenon::cdr::Encapsulation body;
  tenon::cdr::Writer& out = body.content();
  out.put_length(protocols_.size());
  for (const Protocol& each : protocols_) {
    out.put(each.protocol_type());
    out.put_length(0);
    out.put_length(0);
  }
  const tenon::ByteView bytes = body.bytes();
  return {bytes.begin(), bytes.end()};
}

bool ClientProtocolPolicy::_same_as(const ClientProtocolPolicy& other) const noexcept {
  return this == &other ||
         (properties_ == other.properties_ &&
          std::ranges::equal(
              protocols_, other.protocols_, {}, [](const Protocol& each) { return each.protocol_type(); },
              [](const Protocol& each) { return each.protocol_type(); }));
}

ServerProtocolPolicy::ServerProtocolPolicy(ProtocolList protocols)
    : protocols_(std::move(protocols)),
      tags_(tenon::gen::tags_of(protocols_)),
      properties_(tenon::gen::texts_of(protocols_)) {
  tenon::gen::check_list("ServerProtocolPolicy", protocols_);
}

CORBA::object_reference<CORBA::Policy> ServerProtocolPolicy::copy() {
  return CORBA::object_reference<CORBA::Policy>(this);
}

CORBA::object_reference<TCPProtocolProperties> RTORB::create_tcp_protocol_properties(
    std::int32_t send_buffer_size, std::int32_t recv_buffer_size, bool keep_alive, bool dont_route,
    bool no_delay) {
  return CORBA::make_reference<TCPProtocolProperties>(send_buffer_size, recv_buffer_size, keep_alive,
                                                      dont_route, no_delay);
}

CORBA::object_reference<ServerProtocolPolicy> RTORB::create_server_protocol_policy(
    const ProtocolList& protocols) {
  return CORBA::make_reference<ServerProtocolPolicy>(protocols);
}

CORBA::object_reference<ClientProtocolPolicy> RTORB::create_client_protocol_policy(
    const ProtocolList& protocols) {
  return CORBA::make_reference<ClientProtocolPolicy>(protocols);
}

}  // namespace cpp11
}  // namespace RTCORBA

namespace tenon {

std::string TCPProtocolProperties::_text() const {
  if (dscp_ > 63)
    gen::bad_value(worded("TCPProtocolProperties: a DSCP of %; it is 0 to 63", {decimal(dscp_)}));
  if (pacing_ && !net::is_pacing(*pacing_))
    gen::bad_value(
        worded("TCPProtocolProperties: a pacing of % octets per second; it is % to %, or 0 for no limit",
               {decimal(*pacing_), decimal(net::least_pacing), decimal(net::most_pacing)}));
  std::string text = worded("%,dscp=%", {RTCORBA::TCPProtocolProperties::_text(), decimal(dscp_)});
  if (pacing_) text.append(",pacing=").append(decimal(*pacing_));
  return text;
}

std::string SharedMemoryProtocolProperties::_text() const {
  if (ring_size_ == 0) return {};
  if (ring_size_ < 4096 || ring_size_ > (64U << 20) || !std::has_single_bit(ring_size_))
    gen::bad_value(
        worded("SharedMemoryProtocolProperties: a ring of % octets; it is a power of two from 4096 to "
               "67108864, or 0",
               {decimal(ring_size_)}));
  return worded("ring=%", {decimal(ring_size_)});
}

std::string UnixDomainProtocolProperties::_text() const {
  const std::string_view name = "UnixDomainProtocolProperties";
  return protocol::text_of({.buffers = {gen::size_of_buffer(name, send_buffer_size_),
                                        gen::size_of_buffer(name, recv_buffer_size_)}});
}

}  // namespace tenon
