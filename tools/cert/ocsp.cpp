// SPDX-License-Identifier: Apache-2.0
#include "tools/cert/ocsp.hpp"

#include <openssl/err.h>
#include <openssl/ocsp.h>

namespace tenon::cert {
namespace {

using Response = std::unique_ptr<OCSP_RESPONSE, FreeBy<::OCSP_RESPONSE_free>>;
using BasicResponse = std::unique_ptr<OCSP_BASICRESP, FreeBy<::OCSP_BASICRESP_free>>;
using CertificateId = std::unique_ptr<OCSP_CERTID, FreeBy<::OCSP_CERTID_free>>;

/// RFC 6960 §4.1.1 leaves the hash of a certificate's id to who asks, so each usual one is tried.
std::string wrong_with_status(OCSP_BASICRESP& basic, X509& own, X509& issuer) {
  constexpr long clocks_differ_s = 300;  // as with a client
  for (const EVP_MD* const hash : {::EVP_sha1(), ::EVP_sha256(), ::EVP_sha384(), ::EVP_sha512()}) {
    const CertificateId id(::OCSP_cert_to_id(hash, &own, &issuer));
    int status = 0;
    ASN1_GENERALIZEDTIME* made = nullptr;
    ASN1_GENERALIZEDTIME* next = nullptr;
    if (!id || ::OCSP_resp_find_status(&basic, id.get(), &status, nullptr, nullptr, &made, &next) != 1)
      continue;
    if (::OCSP_check_validity(made, next, clocks_differ_s, -1) != 1)
      return "its OCSP response is too old, or not valid yet";
    if (status == V_OCSP_CERTSTATUS_REVOKED) return "its OCSP response says that it has been revoked";
    return status == V_OCSP_CERTSTATUS_GOOD ? ""
                                            : "its OCSP response says that the authority does not know it";
  }
  return "its OCSP response is of another certificate";
}

}  // namespace

std::optional<std::string> wrong_with_response(SSL& session) {
  const unsigned char* octets = nullptr;
  const long size = SSL_get_tlsext_status_ocsp_resp(&session, static_cast<void*>(&octets));
  if (octets == nullptr || size <= 0) return std::nullopt;
  const Response response(::d2i_OCSP_RESPONSE(nullptr, &octets, size));
  const int status = response ? ::OCSP_response_status(response.get()) : -1;
  const BasicResponse basic(
      status == OCSP_RESPONSE_STATUS_SUCCESSFUL ? ::OCSP_response_get1_basic(response.get()) : nullptr);
  STACK_OF(X509)* const chain = ::SSL_get0_verified_chain(&session);
  std::string wrong;
  if (!basic || chain == nullptr || sk_X509_num(chain) == 0) {
    wrong = "its OCSP response says nothing";
    if (status > 0) wrong += std::string(" but ") + ::OCSP_response_status_str(status);
  } else if (::OCSP_basic_verify(basic.get(), chain, ::SSL_CTX_get_cert_store(::SSL_get_SSL_CTX(&session)),
                                 0) != 1) {
    wrong = "its OCSP response is not signed by its authority";
  } else {
    wrong = wrong_with_status(*basic, *sk_X509_value(chain, 0),
                              *sk_X509_value(chain, sk_X509_num(chain) > 1 ? 1 : 0));
  }
  ::ERR_clear_error();
  return wrong;
}

}  // namespace tenon::cert
