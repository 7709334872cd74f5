// SPDX-License-Identifier: Apache-2.0
//
// What can be wrong between a client and a server of TLS, in sentences for whoever has to mend it. Any thread.
#pragma once

#include <string>
#include <vector>

#include "tools/cert/openssl.hpp"

namespace tenon::cert {

/// One fault that this side has found in the server's certificates.
struct Fault {
  int error = 0;  ///< X509_V_ERR_...
  int depth = 0;  ///< 0: the server's own; then those above it
  Certificate certificate;
};

/// What a client knows, for the sentences.
struct Known {
  std::string host;
  std::string authorities;                   ///< the file or folder; empty: those of the system
  std::vector<std::string> authority_names;  ///< the subjects in a file
};

struct Sentence {
  std::string what;
  std::string help;  ///< what to do; empty: nothing is known to help
};

Sentence fault_in_words(const Fault& fault, const Known& known);

/// What the client has shown of itself when the server refused it.
struct Shown {
  bool asked = false;   ///< the server has asked for a certificate
  std::string subject;  ///< of the certificate that this side has; empty: none
  std::string issuer;
};
/// The alert of the server as a sentence.
Sentence alert_in_words(int alert, const Shown& shown);

}  // namespace tenon::cert
