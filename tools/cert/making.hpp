// SPDX-License-Identifier: Apache-2.0
//
// Keys, certificates and revocation lists of a small authority. Nothing here touches a file. One thread; what fails is a Problem.
#pragma once

#include <ctime>
#include <optional>
#include <string>
#include <vector>

#include "tools/cert/names.hpp"
#include "tools/cert/openssl.hpp"

namespace tenon::cert {

enum class KeyKind : std::uint8_t { ec, rsa };  ///< P-256; 3,072 bits

/// A certificate, and its key if this process has that.
struct Issued {
  Certificate certificate;
  Key key;
};

struct Validity {
  std::time_t begins = 0;
  std::time_t ends = 0;
};
/// From an hour ago, so that clocks which are behind by less accept it, until `days` from now.
Validity valid_for(long days);

/// An authority that signs for itself and has no authorities below it.
Issued make_authority(const std::string& name, Validity validity, KeyKind kind);

struct Wanted {
  std::string name;         ///< its common name
  std::vector<Host> hosts;  ///< what a server is for; empty: it is a client's alone
  std::string mail;         ///< an address for the alternative names; empty: none
  Validity validity;        ///< ends with the authority's at the latest
  KeyKind kind = KeyKind::ec;
};
/// For a server, which may be a client too, or for a client.
Issued make_certificate(const Issued& authority, const Wanted& wanted);

/// Why the certificate cannot issue others now; empty: it can.
std::string wrong_with_authority(const X509& certificate, std::time_t now);
/// Whether that authority, by name and key, has signed it.
bool has_issued(const X509& authority, X509& certificate);

/// The authority's next list: what the old one has (null: there is none), and `revoked` beside (null: nothing new).
RevocationList make_revocation_list(const Issued& authority, X509_CRL* old, X509* revoked, Validity validity);
/// When that list revoked it.
std::optional<std::time_t> revoked_since(X509_CRL& list, X509& certificate);

}  // namespace tenon::cert
