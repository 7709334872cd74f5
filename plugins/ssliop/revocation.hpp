// SPDX-License-Identifier: Apache-2.0
//
// Certificates that their authorities have taken back: by lists in a file (RFC 5280 §5), and by what a server shows of its own (OCSP
// stapling: RFC 6960, RFC 6066 §8). Nobody is asked over the network.
//
// Threads: any; what is loaded is constant.
#pragma once

#include <openssl/ocsp.h>
#include <openssl/ssl.h>

#include <cstdint>
#include <string>
#include <vector>

namespace tenon::ssliop {

struct Settings;

/// Whether a client wants to see what the authority says of a server's certificate.
enum class Ocsp : std::uint8_t {
  off,         ///< it does not ask
  if_stapled,  ///< it asks, and what is shown must be good
  required,    ///< the same, and it must be shown
};

/// The lists of `crl`: then each certificate of a chain must be on none, and each authority of it must have one. False: `why`.
bool load_revocation_lists(SSL_CTX& context, const Settings& settings, std::string& why);

/// What a server shows: a response in DER, which must be of the certificate that the context has. False: `why`.
bool load_ocsp_response(SSL_CTX& context, const Settings& settings, std::vector<std::uint8_t>& into,
                        std::string& why);

/// What is wrong with what the peer of this session has shown of its certificate; empty: nothing is.
std::string judge_ocsp_response(SSL* session, Ocsp wanted);

}  // namespace tenon::ssliop
