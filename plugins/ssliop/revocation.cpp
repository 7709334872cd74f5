// SPDX-License-Identifier: Apache-2.0
#include "plugins/ssliop/revocation.hpp"

#include <openssl/err.h>
#include <openssl/pem.h>

#include <cstdio>
#include <memory>

#include "base/joined.hpp"
#include "plugins/ssliop/context.hpp"

namespace tenon::ssliop {
namespace {

/// Clocks may differ by so much.
constexpr long clocks_differ_s = 300;

struct FreeResponse {
  void operator()(OCSP_RESPONSE* it) const noexcept { ::OCSP_RESPONSE_free(it); }
};
struct FreeBasic {
  void operator()(OCSP_BASICRESP* it) const noexcept { ::OCSP_BASICRESP_free(it); }
};
struct FreeId {
  void operator()(OCSP_CERTID* it) const noexcept { ::OCSP_CERTID_free(it); }
};
using Response = std::unique_ptr<OCSP_RESPONSE, FreeResponse>;
using Basic = std::unique_ptr<OCSP_BASICRESP, FreeBasic>;

/// By the certificate's number alone, as a server may not have its authority's certificate.
bool is_of_number(OCSP_BASICRESP* basic, const X509* certificate) {
  for (int i = 0; i < ::OCSP_resp_count(basic); ++i) {
    ASN1_INTEGER* number = nullptr;
    const OCSP_CERTID* const id = ::OCSP_SINGLERESP_get0_id(::OCSP_resp_get0(basic, i));
    ::OCSP_id_get0_info(nullptr, nullptr, nullptr, &number, const_cast<OCSP_CERTID*>(id));
    if (::ASN1_INTEGER_cmp(number, ::X509_get0_serialNumber(certificate)) == 0) return true;
  }
  return false;
}

/// Null: it says nothing of that certificate.
OCSP_SINGLERESP* find_for(OCSP_BASICRESP* basic, const X509* certificate, const X509* issuer) {
  for (int i = 0; i < ::OCSP_resp_count(basic); ++i) {
    OCSP_SINGLERESP* const each = ::OCSP_resp_get0(basic, i);
    auto* const id = const_cast<OCSP_CERTID*>(::OCSP_SINGLERESP_get0_id(each));
    ASN1_OBJECT* algorithm = nullptr;
    ::OCSP_id_get0_info(nullptr, &algorithm, nullptr, nullptr, id);
    const EVP_MD* const digest = ::EVP_get_digestbyobj(algorithm);
    if (digest == nullptr) continue;
    const std::unique_ptr<OCSP_CERTID, FreeId> wanted(::OCSP_cert_to_id(digest, certificate, issuer));
    if (wanted && ::OCSP_id_cmp(wanted.get(), id) == 0) return each;
  }
  return nullptr;
}

std::string judge_status(OCSP_SINGLERESP* single) {
  if (single == nullptr) return "the OCSP response that it shows is of another certificate";
  ASN1_GENERALIZEDTIME* from = nullptr;
  ASN1_GENERALIZEDTIME* until = nullptr;
  const int status = ::OCSP_single_get0_status(single, nullptr, nullptr, &from, &until);
  if (::OCSP_check_validity(from, until, clocks_differ_s, -1) != 1)
    return "the OCSP response that it shows has expired, or is not valid yet";
  if (status == V_OCSP_CERTSTATUS_GOOD) return {};
  if (status == V_OCSP_CERTSTATUS_REVOKED) return "its authority says by OCSP that it is revoked";
  return "its authority says by OCSP that it does not know it";
}

}  // namespace

bool load_revocation_lists(SSL_CTX& context, const Settings& settings, std::string& why) {
  if (settings.crl.empty()) return true;
  if (settings.verify == Verify::none) {
    why = wrong_file("crl", settings.crl, "with ssliop.verify=none no certificate is looked at");
    return false;
  }
  X509_STORE* const store = ::SSL_CTX_get_cert_store(&context);
  X509_LOOKUP* const lookup = ::X509_STORE_add_lookup(store, ::X509_LOOKUP_file());
  if (lookup == nullptr || ::X509_load_crl_file(lookup, settings.crl.c_str(), X509_FILETYPE_PEM) < 1) {
    why = wrong_file("crl", settings.crl,
                     joined({"no revocation lists in PEM can be read from it (", take_tls_error(), ")"}));
    return false;
  }
  ::X509_STORE_set_flags(store, X509_V_FLAG_CRL_CHECK | X509_V_FLAG_CRL_CHECK_ALL);
  ::ERR_clear_error();
  return true;
}

bool load_ocsp_response(SSL_CTX& context, const Settings& settings, std::vector<std::uint8_t>& into,
                        std::string& why) {
  if (settings.ocsp_response.empty()) return true;
  const auto refused = [&](std::string_view what) {
    ::ERR_clear_error();
    why = wrong_file("ocsp_response", settings.ocsp_response, what);
    return false;
  };
  const X509* const own = ::SSL_CTX_get0_certificate(&context);
  if (own == nullptr) return refused("without ssliop.certificate it is of none");
  BIO* const file = ::BIO_new_file(settings.ocsp_response.c_str(), "rb");
  const Response response(file != nullptr ? d2i_OCSP_RESPONSE_bio(file, nullptr) : nullptr);
  ::BIO_free(file);
  if (!response) return refused("no OCSP response in DER can be read from it");
  const int status = ::OCSP_response_status(response.get());
  if (status != OCSP_RESPONSE_STATUS_SUCCESSFUL)
    return refused(joined({"the authority answers: ", ::OCSP_response_status_str(status)}));
  const Basic basic(::OCSP_response_get1_basic(response.get()));
  if (!basic || !is_of_number(basic.get(), own)) return refused("it is not of the certificate");
  unsigned char* octets = nullptr;
  const int size = ::i2d_OCSP_RESPONSE(response.get(), &octets);
  if (size > 0) into.assign(octets, octets + size);
  ::OPENSSL_free(octets);
  return size > 0;
}

std::string judge_ocsp_response(SSL* session, Ocsp wanted) {
  const unsigned char* octets = nullptr;
  const long size = SSL_get_tlsext_status_ocsp_resp(session, static_cast<void*>(&octets));
  if (octets == nullptr || size <= 0)
    return wanted == Ocsp::required ? "it shows no OCSP response, which ssliop.ocsp=required wants" : "";
  const Response response(::d2i_OCSP_RESPONSE(nullptr, &octets, size));
  if (!response || ::OCSP_response_status(response.get()) != OCSP_RESPONSE_STATUS_SUCCESSFUL)
    return "the OCSP response that it shows says nothing";
  const Basic basic(::OCSP_response_get1_basic(response.get()));
  STACK_OF(X509)* const chain = ::SSL_get0_verified_chain(session);
  if (!basic || chain == nullptr || sk_X509_num(chain) < 1)
    return "the OCSP response that it shows says nothing";
  const X509* const own = sk_X509_value(chain, 0);
  const X509* const issuer = sk_X509_num(chain) > 1 ? sk_X509_value(chain, 1) : own;
  X509_STORE* const store = ::SSL_CTX_get_cert_store(::SSL_get_SSL_CTX(session));
  if (::OCSP_basic_verify(basic.get(), chain, store, 0) != 1)
    return "the OCSP response that it shows is not signed by its authority";
  return judge_status(find_for(basic.get(), own, issuer));
}

}  // namespace tenon::ssliop
