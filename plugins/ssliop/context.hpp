// SPDX-License-Identifier: Apache-2.0
//
// What a plug-in's connections have in common: certificate, key, authorities, versions and ciphers, as the options say; and OpenSSL's
// context, which is made of them once.
//
// Threads: options are set before use; a Context is constant.
#pragma once

#include <openssl/ssl.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "plugins/ssliop/revocation.hpp"
#include "plugins/ssliop/sessions.hpp"

namespace tenon::ssliop {

enum class Verify : std::uint8_t {
  none,      ///< the peer's certificate is not looked at
  peer,      ///< a server's certificate must be good; a client's too, if it shows one
  required,  ///< the same, and a client must show one
};

/// The options of the plug-in as they were given.
struct Settings {
  std::string
      certificate;  ///< a file of PEM: this side's certificate, then those between it and its authority
  std::string key;  ///< a file of PEM; empty: the key is in the file of the certificate
  std::string key_password_file;  ///< its first line is the password; empty: see the next one
  std::string key_password_env;   ///< the environment variable that holds it; empty: the key has none
  std::string authorities;  ///< a file of PEM, or a folder with hashed names; empty: those of the system
  Verify verify = Verify::peer;
  bool verify_host = true;
  int min_version = TLS1_2_VERSION;
  std::string ciphers;        ///< of TLS 1.2; empty: OpenSSL's choice
  std::string ciphersuites;   ///< of TLS 1.3; empty: OpenSSL's choice
  std::string groups;         ///< curves, and groups of finite fields; empty: OpenSSL's choice
  std::string crl;            ///< a file of PEM: lists of revoked certificates; empty: none is looked at
  std::string ocsp_response;  ///< a file of DER: what a server shows of its certificate; empty: nothing
  Ocsp ocsp = Ocsp::off;      ///< what a client wants to see
  bool resumption = true;     ///< of sessions

  /// One option. False: `why` says what would be right.
  bool set(std::string_view name, std::string_view value, std::string& why);

  /// Those that a context is made of; options that name none are empty.
  std::vector<std::string> files() const;
  /// Whether a server asks its clients for certificates.
  bool asks_clients() const noexcept { return verify != Verify::none && !authorities.empty(); }
};

struct FreeContext {
  void operator()(SSL_CTX* context) const noexcept { ::SSL_CTX_free(context); }
};

struct Context {
  Settings settings;
  std::unique_ptr<SSL_CTX, FreeContext> tls;
  std::vector<std::uint8_t> ocsp_response;
  const std::unique_ptr<Sessions> sessions = std::make_unique<Sessions>();
};

/// Null: `why` names the option, the file and what is wrong with it.
std::shared_ptr<const Context> make_context(const Settings& settings, std::string& why);

/// "option ssliop.key=FILE: ..."
std::string wrong_file(std::string_view option, std::string_view file, std::string_view what);

/// The newest error of this thread's queue in OpenSSL's words, which is emptied; "unknown" if there is none.
std::string take_tls_error();

}  // namespace tenon::ssliop
