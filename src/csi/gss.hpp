// SPDX-License-Identifier: Apache-2.0
//
// Tokens of the mechanism GSSUP, user and password (CORBA 3.4 part 2 §10.2.4, module GSSUP), in the frame that GSS-API gives them (RFC 2743
// §3.1), and names as GSS-API exports them (RFC 2743 §3.2).
//
// What a peer sends is bounded and checked. Values; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/bytes.hpp"
#include "csi/sas_context.hpp"

namespace tenon::csi {

/// The object identifiers of GSSUP (2.23.130.1.1.1) and of X.509 certificates' subjects are told apart by their DER, tag included.
inline constexpr std::uint8_t gssup_oid[] = {0x06, 0x06, 0x67, 0x81, 0x02, 0x01, 0x01, 0x01};
bool is_gssup(ByteView oid) noexcept;

/// Octets of a user, a password and a name; what is longer is malformed.
inline constexpr std::size_t longest_user = 1024;
inline constexpr std::size_t longest_password = 4096;
inline constexpr std::size_t longest_name = 4096;

/// GSSUP::ErrorCode
enum GssupError : std::uint32_t {
  gssup_unspecified = 1,
  gssup_no_user = 2,
  gssup_bad_password = 3,
  gssup_bad_target = 4,
};

/// GSSUP::InitialContextToken
struct UserToken {
  std::string user = {};      ///< UTF-8; a domain may follow behind '@'
  std::string password = {};  ///< UTF-8
  Octets target_name = {};    ///< GSS_NT_ExportedName; may be empty
  bool operator==(const UserToken&) const = default;
};

Octets encode(const UserToken& token);
enum class TokenFault : std::uint8_t {
  none,
  mechanism,  ///< it is of another mechanism than GSSUP
  malformed,
};
/// The token in its frame. `into` is the token's only if there is no fault.
TokenFault decode(ByteView framed, UserToken& into);

/// GSSUP::ErrorToken, as error_token of ContextError.
Octets encode_error(std::uint32_t code);
/// 0: there is none, or it is malformed.
std::uint32_t decode_error(ByteView token) noexcept;

/// A name exported by GSSUP. Empty for an empty name.
Octets export_name(std::string_view name);
/// The name in GSS_NT_ExportedName, whatever its mechanism. nullopt: malformed, too long, or empty.
std::optional<std::string> imported_name(ByteView exported);

/// What is inside the principal name or the distinguished name of an identity token: the octets themselves, or, as the standard has it, an
/// encapsulation of them. `first`: the octet that they begin with. nullopt: neither.
std::optional<Octets> unwrapped(ByteView token, std::uint8_t first);
Octets wrapped(ByteView name);
/// What names and distinguished names begin with.
inline constexpr std::uint8_t exported_name_begins = 0x04;
inline constexpr std::uint8_t distinguished_name_begins = 0x30;

}  // namespace tenon::csi
