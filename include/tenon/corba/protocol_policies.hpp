// SPDX-License-Identifier: Apache-2.0
//
// Protocols by policy (Real-time CORBA 1.2, protocol configuration): ClientProtocolPolicy says over which protocols calls go, and with what
// properties; ServerProtocolPolicy says which ones references have. An ORB knows them if its start-up names
// tenon::parts::protocol_policies; CORBA::ORB_init does. docs/protocols.md has the rules and examples.
//
// Policies never change. Properties do until a policy is made of them, which copies what they say. Any thread, but one object of properties
// is set by one thread at a time.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tenon/corba/iop_types.hpp"
#include "tenon/corba/policy.hpp"

namespace RTCORBA {
inline namespace cpp11 {

inline constexpr CORBA::PolicyType SERVER_PROTOCOL_POLICY_TYPE = 42;
inline constexpr CORBA::PolicyType CLIENT_PROTOCOL_POLICY_TYPE = 43;

/// What a protocol is configured with; each protocol reads those that it knows.
class ProtocolProperties : public virtual CORBA::LocalObject {
 public:
  static constexpr std::string_view _static_id = "IDL:omg.org/RTCORBA/ProtocolProperties:1.0";

  /// The ORB's own: as TransportPlugin::connect_with() takes it. Raises INV_POLICY for a value that is none.
  virtual std::string _text() const = 0;

 private:
  tenon::gen::OwnId<ProtocolProperties> own_id_{*this};
};

/// Of connections over TCP. Sizes in octets; 0: as the ORB has it.
class TCPProtocolProperties : public ProtocolProperties {
 public:
  static constexpr std::string_view _static_id = "IDL:omg.org/RTCORBA/TCPProtocolProperties:1.0";
  TCPProtocolProperties(std::int32_t send_buffer_size, std::int32_t recv_buffer_size, bool keep_alive,
                        bool dont_route, bool no_delay) noexcept
      : send_buffer_size_(send_buffer_size),
        recv_buffer_size_(recv_buffer_size),
        keep_alive_(keep_alive),
        dont_route_(dont_route),
        no_delay_(no_delay) {}

  std::int32_t send_buffer_size() const noexcept { return send_buffer_size_; }
  void send_buffer_size(std::int32_t octets) noexcept { send_buffer_size_ = octets; }
  std::int32_t recv_buffer_size() const noexcept { return recv_buffer_size_; }
  void recv_buffer_size(std::int32_t octets) noexcept { recv_buffer_size_ = octets; }
  bool keep_alive() const noexcept { return keep_alive_; }
  void keep_alive(bool on) noexcept { keep_alive_ = on; }
  bool dont_route() const noexcept { return dont_route_; }
  void dont_route(bool on) noexcept { dont_route_ = on; }
  bool no_delay() const noexcept { return no_delay_; }
  void no_delay(bool on) noexcept { no_delay_ = on; }

  std::string _text() const override;

 private:
  std::int32_t send_buffer_size_;
  std::int32_t recv_buffer_size_;
  bool keep_alive_;
  bool dont_route_;
  bool no_delay_;
  tenon::gen::OwnId<TCPProtocolProperties> own_id_{*this};
};

/// One entry of a policy.
class Protocol {
 public:
  using Properties = CORBA::object_reference<ProtocolProperties>;
  Protocol() = default;
  /// `protocol_type`: a profile tag, such as IOP::TAG_INTERNET_IOP, or tenon::any_protocol. Nil properties: as the ORB has it.
  explicit Protocol(IOP::ProfileId protocol_type, Properties orb_protocol_properties = nullptr,
                    Properties transport_protocol_properties = nullptr)
      : protocol_type_(protocol_type),
        orb_protocol_properties_(std::move(orb_protocol_properties)),
        transport_protocol_properties_(std::move(transport_protocol_properties)) {}

  void protocol_type(IOP::ProfileId value) { protocol_type_ = value; }
  IOP::ProfileId protocol_type() const { return protocol_type_; }
  IOP::ProfileId& protocol_type() { return protocol_type_; }
  /// Of the messaging. GIOP has none.
  void orb_protocol_properties(Properties value) { orb_protocol_properties_ = std::move(value); }
  const Properties& orb_protocol_properties() const { return orb_protocol_properties_; }
  Properties& orb_protocol_properties() { return orb_protocol_properties_; }
  void transport_protocol_properties(Properties value) { transport_protocol_properties_ = std::move(value); }
  const Properties& transport_protocol_properties() const { return transport_protocol_properties_; }
  Properties& transport_protocol_properties() { return transport_protocol_properties_; }

  void swap(Protocol& other) noexcept { std::swap(*this, other); }

 private:
  IOP::ProfileId protocol_type_ = 0;
  Properties orb_protocol_properties_;
  Properties transport_protocol_properties_;
};

/// In order of preference.
using ProtocolList = std::vector<Protocol>;

/// Over which protocols calls go: the first in the list that leads to the object. For ORBs (ORBPolicyManager), threads (PolicyCurrent),
/// references (_set_policy_overrides()), and for create_POA(), whose references then have it for their clients. A call over an object that
/// none of them leads to raises INV_POLICY; a list that ends with tenon::any_protocol leads over all others then.
class ClientProtocolPolicy final : public virtual CORBA::Policy {
 public:
  static constexpr std::string_view _static_id = "IDL:omg.org/RTCORBA/ClientProtocolPolicy:1.0";
  explicit ClientProtocolPolicy(ProtocolList protocols);
  ProtocolList protocols() const { return protocols_; }
  CORBA::PolicyType policy_type() const override { return CLIENT_PROTOCOL_POLICY_TYPE; }
  CORBA::object_reference<CORBA::Policy> copy() override;

  // --- the ORB's own ---
  std::vector<std::uint8_t> _exposed_value() const override;
  /// What connections of the protocol at that place of the list are opened with.
  const std::string& _properties(std::size_t place) const noexcept { return properties_[place]; }
  const ProtocolList& _protocols() const noexcept { return protocols_; }
  /// Whether calls with either policy go over the same connections.
  bool _same_as(const ClientProtocolPolicy& other) const noexcept;

 private:
  const ProtocolList protocols_;
  const std::vector<std::string> properties_;
  tenon::gen::OwnId<ClientProtocolPolicy> own_id_{*this};
};

/// Over which protocols references lead, in this order: for create_POA(), and for the ORB (ORBPolicyManager), where it counts for POAs that
/// have none. Which endpoints there are is a matter of the ORB's options, and so are the properties of connections that it accepts, but for
/// the DSCP and the pacing of those over TCP (tenon::TCPProtocolProperties).
class ServerProtocolPolicy final : public virtual CORBA::Policy {
 public:
  static constexpr std::string_view _static_id = "IDL:omg.org/RTCORBA/ServerProtocolPolicy:1.0";
  explicit ServerProtocolPolicy(ProtocolList protocols);
  ProtocolList protocols() const { return protocols_; }
  CORBA::PolicyType policy_type() const override { return SERVER_PROTOCOL_POLICY_TYPE; }
  CORBA::object_reference<CORBA::Policy> copy() override;

  // --- the ORB's own ---
  const std::vector<IOP::ProfileId>& _tags() const noexcept { return tags_; }
  /// As ClientProtocolPolicy::_properties().
  const std::string& _properties(std::size_t place) const noexcept { return properties_[place]; }

 private:
  const ProtocolList protocols_;
  const std::vector<IOP::ProfileId> tags_;
  const std::vector<std::string> properties_;
  tenon::gen::OwnId<ServerProtocolPolicy> own_id_{*this};
};

/// Makes policies: resolve_initial_references("RTORB"). It has the operations of protocol configuration.
class RTORB final : public virtual CORBA::LocalObject {
 public:
  static constexpr std::string_view _static_id = "IDL:omg.org/RTCORBA/RTORB:1.0";
  CORBA::object_reference<TCPProtocolProperties> create_tcp_protocol_properties(std::int32_t send_buffer_size,
                                                                                std::int32_t recv_buffer_size,
                                                                                bool keep_alive,
                                                                                bool dont_route,
                                                                                bool no_delay);
  /// INV_POLICY for an empty list, for properties with a value that is none, and for tenon::any_protocol before the end of the list; what()
  /// says which.
  CORBA::object_reference<ServerProtocolPolicy> create_server_protocol_policy(const ProtocolList& protocols);
  CORBA::object_reference<ClientProtocolPolicy> create_client_protocol_policy(const ProtocolList& protocols);

 private:
  tenon::gen::OwnId<RTORB> own_id_{*this};
};

}  // namespace cpp11
}  // namespace RTCORBA

namespace tenon {

/// In a list of protocols, as its last entry: all protocols that are not in the list, in the order that counts without it. Calls then go
/// over the next best way where none of the list leads to the object. Not of the standard, and the tag of no profile.
inline constexpr IOP::ProfileId any_protocol = 0xFFFFFFFF;

/// Of connections over TCP, with two properties more. Not of the standard.
///
/// `dscp` (RFC 2474, 0 to 63) is what routers see in what this side sends: 46 is expedited forwarding.
///
/// `pacing` is how many octets per second this side of a connection sends at most: 1,000 to 2^63-1, each connection
/// for itself; 0: no limit, also where the ORB has one; none: as the ORB has it (-ORBProtocolOption iiop.pacing). On Linux it is
/// SO_MAX_PACING_RATE: the kernel spreads what it sends over time, on loopback too, so that a sender waits once the send buffer is full,
/// within its time-outs. It lets the first ten segments of a connection go at once, and limits nothing that the peer sends. Systems that cannot do it, and other protocols, pass over it.
///
/// In a ClientProtocolPolicy both are those of connections that its calls open. In a ServerProtocolPolicy they are those of connections which
/// the ORB's endpoints of that protocol accept from then on, whichever POA is called over them; the last policy that says one counts, and
/// the rest of the properties has no effect there.
class TCPProtocolProperties final : public RTCORBA::TCPProtocolProperties {
 public:
  static constexpr std::string_view _static_id = "IDL:tenon/TCPProtocolProperties:1.0";
  TCPProtocolProperties(std::int32_t send_buffer_size, std::int32_t recv_buffer_size, bool keep_alive,
                        bool dont_route, bool no_delay, std::uint8_t dscp,
                        std::optional<std::uint64_t> pacing = std::nullopt) noexcept
      : RTCORBA::TCPProtocolProperties(send_buffer_size, recv_buffer_size, keep_alive, dont_route, no_delay),
        dscp_(dscp),
        pacing_(pacing) {}
  std::uint8_t dscp() const noexcept { return dscp_; }
  void dscp(std::uint8_t value) noexcept { dscp_ = value; }
  std::optional<std::uint64_t> pacing() const noexcept { return pacing_; }
  void pacing(std::optional<std::uint64_t> octets_per_second) noexcept { pacing_ = octets_per_second; }

  std::string _text() const override;

 private:
  std::uint8_t dscp_;
  std::optional<std::uint64_t> pacing_;
  gen::OwnId<TCPProtocolProperties> own_id_{*this};
};

/// Of connections through shared memory: how much is on its way in one direction, in octets, a power of two from 4,096 to 67,108,864; 0: as
/// the ORB has it (-ORBProtocolOption shmiop.ring). Not of the standard.
class SharedMemoryProtocolProperties final : public RTCORBA::ProtocolProperties {
 public:
  static constexpr std::string_view _static_id = "IDL:tenon/SharedMemoryProtocolProperties:1.0";
  explicit SharedMemoryProtocolProperties(std::uint32_t ring_size) noexcept : ring_size_(ring_size) {}
  std::uint32_t ring_size() const noexcept { return ring_size_; }
  void ring_size(std::uint32_t octets) noexcept { ring_size_ = octets; }

  std::string _text() const override;

 private:
  std::uint32_t ring_size_;
  gen::OwnId<SharedMemoryProtocolProperties> own_id_{*this};
};

/// Of connections over Unix-domain sockets. Sizes in octets; 0: as the ORB has it. Not of the standard.
class UnixDomainProtocolProperties final : public RTCORBA::ProtocolProperties {
 public:
  static constexpr std::string_view _static_id = "IDL:tenon/UnixDomainProtocolProperties:1.0";
  UnixDomainProtocolProperties(std::int32_t send_buffer_size, std::int32_t recv_buffer_size) noexcept
      : send_buffer_size_(send_buffer_size), recv_buffer_size_(recv_buffer_size) {}
  std::int32_t send_buffer_size() const noexcept { return send_buffer_size_; }
  void send_buffer_size(std::int32_t octets) noexcept { send_buffer_size_ = octets; }
  std::int32_t recv_buffer_size() const noexcept { return recv_buffer_size_; }
  void recv_buffer_size(std::int32_t octets) noexcept { recv_buffer_size_ = octets; }

  std::string _text() const override;

 private:
  std::int32_t send_buffer_size_;
  std::int32_t recv_buffer_size_;
  gen::OwnId<UnixDomainProtocolProperties> own_id_{*this};
};

}  // namespace tenon

template <>
struct IDL::traits<RTCORBA::ProtocolProperties>
    : tenon::gen::LocalInterfaceTraits<RTCORBA::ProtocolProperties> {};
template <>
struct IDL::traits<RTCORBA::TCPProtocolProperties>
    : tenon::gen::LocalInterfaceTraits<RTCORBA::TCPProtocolProperties> {};
template <>
struct IDL::traits<RTCORBA::ClientProtocolPolicy>
    : tenon::gen::LocalInterfaceTraits<RTCORBA::ClientProtocolPolicy> {};
template <>
struct IDL::traits<RTCORBA::ServerProtocolPolicy>
    : tenon::gen::LocalInterfaceTraits<RTCORBA::ServerProtocolPolicy> {};
template <>
struct IDL::traits<RTCORBA::RTORB> : tenon::gen::LocalInterfaceTraits<RTCORBA::RTORB> {};
template <>
struct IDL::traits<tenon::UnixDomainProtocolProperties>
    : tenon::gen::LocalInterfaceTraits<tenon::UnixDomainProtocolProperties> {};
template <>
struct IDL::traits<tenon::TCPProtocolProperties>
    : tenon::gen::LocalInterfaceTraits<tenon::TCPProtocolProperties> {};
template <>
struct IDL::traits<tenon::SharedMemoryProtocolProperties>
    : tenon::gen::LocalInterfaceTraits<tenon::SharedMemoryProtocolProperties> {};
