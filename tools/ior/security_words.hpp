// SPDX-License-Identifier: Apache-2.0
//
// What the components of a reference say about security, in words; and where its server takes TLS. Pure; any thread.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cdr/reader.hpp"
#include "ior/ior.hpp"
#include "ior/object_url.hpp"
#include "net/address.hpp"

namespace tenon::explain {

/// Where TLS can be tried.
struct TlsPlace {
  net::HostPort host;
  std::uint8_t minor = 0;
  std::vector<std::uint8_t> key;
};
/// Each once, in the order in which a client meets them: those of TAG_SSL_SEC_TRANS, and of TAG_TLS_SEC_TRANS within mechanisms of CSI.
std::vector<TlsPlace> tls_places(const ior::Ior& reference);

/// The content of TAG_SSL_SEC_TRANS (Security Service 1.8, SSLIOP::SSL), in VisiBroker's form, too.
std::string ssl_in_words(cdr::Reader& reader);
/// The content of TAG_CSI_SEC_MECH_LIST (CORBA 3.4 part 2 §10.5.1). The reader is not good if it is malformed.
std::string mechanisms_in_words(cdr::Reader& reader);

/// A profile for TLS alone, of an address as "corbaloc:ssliop:" has it.
ior::TaggedProfile tls_profile(const ior::ParsedIiopAddress& address, const std::vector<std::uint8_t>& key);

}  // namespace tenon::explain
