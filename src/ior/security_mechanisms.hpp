// SPDX-License-Identifier: Apache-2.0
//
// What a reference says of security by TAG_CSI_SEC_MECH_LIST (CORBA 3.4 part 2 §10.5.1, module CSIIOP): a list of ways to secure a call,
// the one that the server likes best in front. Each has a transport (TAG_TLS_SEC_TRANS or none), an authentication of the client by a
// message (GSSUP: user and password), and what goes with it (an identity that the client asserts).
//
// What is made of them is src/csi's and plugins/ssliop's. Values without shared state; numbers of octets that a peer sends are bounded.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ior/ior.hpp"

namespace tenon::ior {

inline constexpr std::uint32_t tag_null = 34;           ///< TAG_NULL_TAG: no transport of its own
inline constexpr std::uint32_t tag_tls_sec_trans = 36;  ///< TAG_TLS_SEC_TRANS

/// Of CSIIOP::AssociationOptions, those that protocol::Association has not.
inline constexpr std::uint16_t identity_assertion = 1024;
inline constexpr std::uint16_t delegation_by_client = 2048;

/// CSIIOP::TLS_SEC_TRANS. The addresses lead to one server; a client may try any of them.
struct TlsTransport {
  static constexpr std::size_t most_addresses = 64;
  struct At {
    std::string host;
    std::uint16_t port = 0;
    bool operator==(const At&) const = default;
  };

  std::uint16_t supports = 0;
  std::uint16_t requires_ = 0;
  std::vector<At> addresses;
  bool operator==(const TlsTransport&) const = default;
};
TaggedComponent tls_transport_component(const TlsTransport& what);
/// The content of a component with tag_tls_sec_trans. nullopt: it is malformed.
std::optional<TlsTransport> read_tls_transport(ByteView data);

/// CSIIOP::CompoundSecMech.
struct SecurityMechanism {
  static constexpr std::size_t most_entries = 64;  ///< of each of its lists
  using Octets = std::vector<std::uint8_t>;
  /// CSIIOP::ServiceConfiguration: who gives out privileges.
  struct Authority {
    std::uint32_t syntax = 0;
    Octets name;
    bool operator==(const Authority&) const = default;
  };

  std::uint16_t requires_ = 0;  ///< what all layers require together
  TaggedComponent transport{tag_null, {}};

  // AS_ContextSec: authentication of the client
  std::uint16_t client_supports = 0;
  std::uint16_t client_requires = 0;
  Octets client_mechanism;  ///< an object identifier in DER; empty: there is none
  Octets target_name;       ///< GSS_NT_ExportedName

  // SAS_ContextSec: what goes with it
  std::uint16_t attributes_support = 0;
  std::uint16_t attributes_require = 0;
  std::vector<Authority> authorities;
  std::vector<Octets> naming_mechanisms;  ///< object identifiers in DER
  std::uint32_t identity_types = 0;       ///< of CSI::IdentityTokenType

  bool operator==(const SecurityMechanism&) const = default;
};

/// CSIIOP::CompoundSecMechList.
struct SecurityMechanisms {
  static constexpr std::size_t most = 16;
  bool stateful = false;
  std::vector<SecurityMechanism> list;
  bool operator==(const SecurityMechanisms&) const = default;
};
TaggedComponent security_mechanisms_component(const SecurityMechanisms& what);
/// The content of a component with tag_csi_sec_mech_list. nullopt: it is malformed, or longer than it may be.
std::optional<SecurityMechanisms> read_security_mechanisms(ByteView data);
/// Of the first such component. nullopt: there is none, or it is malformed.
std::optional<SecurityMechanisms> find_security_mechanisms(const std::vector<TaggedComponent>& components);
/// Puts it in the place of such components; at the end, if there is none.
void replace_security_mechanisms(std::vector<TaggedComponent>& components, const SecurityMechanisms& by);

}  // namespace tenon::ior
