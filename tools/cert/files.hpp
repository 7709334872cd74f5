// SPDX-License-Identifier: Apache-2.0
//
// Files of PEM. What cannot be read or written is a Problem that names the file and the cause. A file is there with all that it should
// have, or as it was before. One thread.
#pragma once

#include <string>
#include <vector>

#include "tools/cert/openssl.hpp"

namespace tenon::cert {

/// The whole file. At most 1 MiB, since no certificate is longer.
std::string read_file(const std::string& path);
bool exists(const std::string& path);

/// The certificates in a text of PEM, in order; none if it has none. `path` is for messages.
std::vector<Certificate> certificates_in(const std::string& text, const std::string& path);
Certificate read_certificate(const std::string& path);

/// What opens a key.
struct Password {
  std::string text;    ///< empty: none is given
  std::string origin;  ///< for messages: "in FILE"
  std::string option;  ///< for messages: what gives one
};
/// A key that has a password, where none is given.
struct Locked : Problem {
  using Problem::Problem;
};
/// Throws Locked, too.
Key read_key(const std::string& path, const Password& password);
RevocationList read_revocation_list(const std::string& path);

/// The first line of a file of a password.
std::string read_password(const std::string& path);
/// The same for a key; an empty path: none. `option` is the one that names such a file.
Password password_in(const std::string& path, const std::string& option);

std::string pem_of(X509& certificate);
std::string pem_of(X509_CRL& list);
/// PKCS #8; with a password it is encrypted (AES-256).
std::string pem_of(EVP_PKEY& key, const std::string& password);

enum class Access : std::uint8_t { everybody, owner };  ///< who may read: mode 0644 and 0600
/// A file that is there stays, unless `replace`.
void write_file(const std::string& path, const std::string& text, Access access, bool replace);

}  // namespace tenon::cert
