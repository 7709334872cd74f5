// SPDX-License-Identifier: Apache-2.0
//
// OpenSSL's objects with owners, and what went wrong as an exception: a program for people, which ends with one sentence.
#pragma once

#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#include <memory>
#include <stdexcept>
#include <string>

namespace tenon::cert {

/// What cannot be done: "FILE: cause", for one line of standard error.
struct Problem : std::runtime_error {
  using std::runtime_error::runtime_error;
};

template <auto free>
struct FreeBy {
  template <typename T>
  void operator()(T* it) const noexcept {
    free(it);
  }
};

using Bignum = std::unique_ptr<BIGNUM, FreeBy<::BN_free>>;
using Bio = std::unique_ptr<BIO, FreeBy<::BIO_free_all>>;
using Certificate = std::unique_ptr<X509, FreeBy<::X509_free>>;
using Extension = std::unique_ptr<X509_EXTENSION, FreeBy<::X509_EXTENSION_free>>;
using Integer = std::unique_ptr<ASN1_INTEGER, FreeBy<::ASN1_INTEGER_free>>;
using Key = std::unique_ptr<EVP_PKEY, FreeBy<::EVP_PKEY_free>>;
using Names = std::unique_ptr<GENERAL_NAMES, FreeBy<::GENERAL_NAMES_free>>;
using RevocationList = std::unique_ptr<X509_CRL, FreeBy<::X509_CRL_free>>;
using Session = std::unique_ptr<SSL, FreeBy<::SSL_free>>;
using SessionContext = std::unique_ptr<SSL_CTX, FreeBy<::SSL_CTX_free>>;
using Time = std::unique_ptr<ASN1_TIME, FreeBy<::ASN1_STRING_free>>;

/// The newest error of this thread's queue in OpenSSL's words; the queue is emptied.
std::string newest_error();

/// Throws a Problem with `what` and the newest error, unless `good`.
void must(bool good, const char* what);

}  // namespace tenon::cert
