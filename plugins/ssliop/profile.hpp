// SPDX-License-Identifier: Apache-2.0
//
// How addresses of ssliop stand in references: an IIOP profile whose component TAG_SSL_SEC_TRANS has the port of TLS (Security Service 1.8,
// SSLIOP). The profile's hosts, alternate ones included, all listen on that port; those of a server that takes TLS alone stand there with
// port 0. Where the reference has TAG_CSI_SEC_MECH_LIST (CSIv2), its mechanisms name the same addresses by TAG_TLS_SEC_TRANS. References of
// other ORBs may name all of them there alone, or further ones; both are used.
//
// A profile that this process makes first has a tag of its own, with the addresses as they are, until compose() has found its place.
// Values; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ior/ior.hpp"
#include "protocol/protection.hpp"
#include "protocol/transport.hpp"

namespace tenon::ssliop {

/// Of profiles on their way, and of the protocol in policies (Tenon's vendor range).
inline constexpr std::uint32_t profile_tag = 0x544e0004;

using enum protocol::Association;

/// SSLIOP::SSL
struct SecTrans {
  std::uint16_t supports = 0;
  std::uint16_t requires_ = 0;
  std::uint16_t port = 0;
  bool operator==(const SecTrans&) const = default;
};
ior::TaggedComponent sec_trans_component(const SecTrans& what);
/// nullopt: there is none that could be used.
std::optional<SecTrans> read_sec_trans(const std::vector<ior::TaggedComponent>& components);

/// What the server supports and requires, by TAG_SSL_SEC_TRANS, or else by TAG_TLS_SEC_TRANS in TAG_CSI_SEC_MECH_LIST. nullopt: neither.
std::optional<SecTrans> read_offer(const std::vector<ior::TaggedComponent>& components);

struct HostAndPort {
  std::string host;  ///< without brackets
  std::uint16_t port = 0;
};
/// "host:port"; no host: it is none.
HostAndPort host_and_port(std::string_view address);

/// With profile_tag, or, if the view has the component (that of a URL), an IIOP profile for TLS alone.
ior::TaggedProfile make_profile(const protocol::ProfileView& view);
Result<protocol::ProfileView> read_profile(ByteView data);

/// Gives the first profile with profile_tag its place: in the IIOP profile that has the same hosts, whose server then takes both; in one for
/// TLS alone at the same port, which then has further hosts; or as one of its own.
void place_profile(ior::Ior& made, std::uint16_t supports, std::uint16_t requires_);

/// Adds to what the components of that reference require of clients.
void demand(ior::Ior& made, std::uint16_t requires_);

/// What an IIOP profile says to ssliop.
std::optional<protocol::ProfileView> addresses_in(const protocol::ProfileView& profile);

}  // namespace tenon::ssliop
