// SPDX-License-Identifier: Apache-2.0
//
// The service context of CSIv2 (SecurityAttributeService, CORBA 3.4 part 2 §10.2.2): an encapsulation of CSI::SASContextBody. Reads and
// makes the four messages; what tokens mean is gss.hpp's.
//
// What a peer sends is bounded: a body that is longer than `longest`, or that has more than a few elements, is malformed. Values; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

#include "base/bytes.hpp"

namespace tenon::csi {

using Octets = std::vector<std::uint8_t>;

inline constexpr std::uint32_t sas_context = 15;
/// Octets of a context that is read.
inline constexpr std::size_t longest_context = 64 * 1024;
inline constexpr std::size_t most_authorizations = 64;

/// CSI::IdentityTokenType
enum IdentityType : std::uint32_t {
  itt_absent = 0,
  itt_anonymous = 1,
  itt_principal_name = 2,
  itt_x509_certificates = 4,
  itt_distinguished_name = 8,
};

/// CSI::IdentityToken
struct IdentityToken {
  std::uint32_t type = itt_absent;
  Octets value = {};  ///< empty for absent and anonymous
  bool operator==(const IdentityToken&) const = default;
};

struct EstablishContext {
  struct Authorization {
    std::uint32_t type = 0;
    Octets value = {};
    bool operator==(const Authorization&) const = default;
  };
  std::uint64_t client_context_id = 0;  ///< 0: the context is for this request alone
  std::vector<Authorization> authorizations = {};
  IdentityToken identity = {};
  Octets client_token = {};
  bool operator==(const EstablishContext&) const = default;
};

struct CompleteEstablishContext {
  std::uint64_t client_context_id = 0;
  bool stateful = false;
  Octets final_token = {};
  bool operator==(const CompleteEstablishContext&) const = default;
};

struct ContextError {
  std::uint64_t client_context_id = 0;
  std::int32_t major_status = 0;
  std::int32_t minor_status = 0;
  Octets error_token = {};
  bool operator==(const ContextError&) const = default;
};

struct MessageInContext {
  std::uint64_t client_context_id = 0;
  bool discard = false;
  bool operator==(const MessageInContext&) const = default;
};

/// CSI::SASContextBody
using ContextBody = std::variant<EstablishContext, CompleteEstablishContext, ContextError, MessageInContext>;

Octets encode(const ContextBody& body);
/// nullopt: malformed, or longer than a body may be. What follows behind the body is not looked at.
std::optional<ContextBody> decode(ByteView data);

}  // namespace tenon::csi
