// SPDX-License-Identifier: Apache-2.0
//
// What certificates, keys and lists say, as text. Any thread.
#pragma once

#include <ctime>
#include <string>
#include <vector>

#include "tools/cert/openssl.hpp"

namespace tenon::cert {

/// "CN=app,O=Example", as tenon::peer() has it. What is not printable is escaped.
std::string name_text(const X509_NAME* name);
std::string subject_text(const X509& certificate);
std::string issuer_text(const X509& certificate);
/// "DNS:app.example.org", "IP:192.0.2.1", "email:...", "URI:...", as tenon::peer() has them.
std::vector<std::string> alternative_names(const X509& certificate);
/// SHA-256 of the certificate in hexadecimal, as tenon::peer() has it.
std::string fingerprint_text(const X509& certificate);
std::string serial_text(const ASN1_INTEGER* serial);
std::string key_text(const EVP_PKEY* key);

std::time_t time_of(const ASN1_TIME* time);
/// "2027-11-27 06:41 UTC"
std::string time_text(std::time_t when);
/// "3 days ago", of so many seconds
std::string ago(std::time_t seconds);
/// "valid until 2027-11-27 06:41 UTC, for 365 more days", "EXPIRED 3 days ago, ...", or "NOT VALID before ...".
std::string validity_text(const X509& certificate, std::time_t now);

/// With commas between them; `none` if there are none.
std::string listed(const std::vector<std::string>& words, const char* none);
/// As a shell takes it as one word.
std::string quoted(const std::string& word);

}  // namespace tenon::cert
