// SPDX-License-Identifier: Apache-2.0
//
// Tries TLS with a server as a client of ssliop would, and says who refuses what. Faults of the server's certificate do not end the
// handshake, so that all of them are found; but nothing is asked of a server that has any. Blocking; one thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tenon::cert {

/// As the options ssliop.verify and ssliop.ocsp; the values in the order of their words.
enum class Verify : std::uint8_t { none, peer, required };
enum class Ocsp : std::uint8_t { off, if_stapled, required };

struct Trial {
  std::string host;  ///< without brackets; the certificate must be for it
  std::uint16_t port = 0;
  std::int64_t timeout_ms = 3000;
  std::vector<std::uint8_t> object_key;  ///< empty: no object is meant
  std::uint8_t minor = 2;                ///< of GIOP

  // As the options of ssliop (tenon-ssliop(7)).
  std::string certificate;
  std::string key;
  std::string key_password_file;
  std::string key_password_env;  ///< a variable of the environment
  std::string authorities;
  std::string lists;  ///< of revocation
  std::string ciphers;
  std::string ciphersuites;
  std::string groups;
  std::string ocsp_response;  ///< a server's; only its file is looked at
  Verify verify = Verify::peer;
  bool verify_host = true;
  Ocsp ocsp = Ocsp::off;
  bool tls_1_3_only = false;
};

/// "ssliop.authorities=FILE". Throws a Problem for an option that there is not, and for a wrong value. False: the option has no effect on
/// a trial.
bool set_option(Trial& trial, std::string_view text);

/// Lines, each with its end. `reached`: the server has been reached, and the object, if one is meant. Throws a Problem for a file or an
/// option of this side.
std::string try_tls(const Trial& trial, bool& reached);

}  // namespace tenon::cert
