// SPDX-License-Identifier: Apache-2.0
#include "tools/cert/faults.hpp"

#include <algorithm>
#include <ctime>

#include "tools/cert/words.hpp"

namespace tenon::cert {
namespace {

/// "the server's certificate (CN=app)", "the certificate of an authority above it (CN=lab)"
std::string whose(const Fault& fault) {
  const std::string name = fault.certificate ? " (" + subject_text(*fault.certificate) + ")" : "";
  return (fault.depth == 0 ? "the server's certificate"
                           : "the certificate of an authority above the server's") +
         name;
}

std::string clock() { return "this machine's clock says " + time_text(std::time(nullptr)); }

std::string known_authorities(const Known& known) {
  if (known.authorities.empty()) return "those of the system, since ssliop.authorities is not given";
  return known.authorities + " (" + listed(known.authority_names, "a folder") + ")";
}

Sentence expired(const Fault& fault) {
  const std::time_t ends = time_of(::X509_get0_notAfter(fault.certificate.get()));
  return {
      whose(fault) + " has expired, " + ago(std::time(nullptr) - ends) + ", on " + time_text(ends),
      (fault.depth == 0 ? "give the server a new certificate (in a lab: tenon-cert server HOST... --force)"
                        : "make a new authority and new certificates") +
          ("; if that date is not past, see to the clock: " + clock())};
}

Sentence not_valid_yet(const Fault& fault) {
  return {whose(fault) + " is not valid before " +
              time_text(time_of(::X509_get0_notBefore(fault.certificate.get()))),
          "see to the clocks of both machines: " + clock()};
}

Sentence issuer_unknown(const Fault& fault, const Known& known) {
  const bool alone = fault.error == X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT;
  const std::string issuer = fault.certificate ? issuer_text(*fault.certificate) : "?";
  const bool namesake = std::ranges::find(known.authority_names, issuer) != known.authority_names.end();
  if (alone)
    return {whose(fault) + " has signed itself, and this side does not know it; it knows " +
                known_authorities(known),
            "give the server a certificate of an authority (tenon-cert), or clients this very certificate by "
            "ssliop.authorities"};
  std::string what = "the issuer of " + whose(fault) + " is unknown here: " + issuer + "; this side knows " +
                     known_authorities(known);
  if (fault.depth > 0 && fault.error == X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN)
    what = "the authority of the server's certificate is unknown here: " + issuer + "; this side knows " +
           known_authorities(known);
  if (namesake)
    return {what + ". That has an authority of the same name, but with another key",
            "the authority has been made anew since: give clients its present certificate (authority.pem), "
            "or the "
            "server a certificate of the one that they know"};
  return {
      what,
      "give clients the certificate of " + issuer +
          " by ssliop.authorities; if there are certificates between it and the server's, the server must "
          "send them, behind its own in ssliop.certificate"};
}

Sentence other_host(const Fault& fault, const Known& known) {
  const std::string names =
      fault.certificate ? listed(alternative_names(*fault.certificate), "no host at all") : "?";
  return {whose(fault) + " is not for " + known.host + ", but for " + names,
          "give the server a certificate that is for " + known.host + " too (in a lab: tenon-cert server " +
              known.host +
              " ... --force), or have its references name a host that it is for "
              "(ssliop://:PORT/publish=HOST:PORT)"};
}

}  // namespace

Sentence fault_in_words(const Fault& fault, const Known& known) {
  switch (fault.error) {
    case X509_V_ERR_CERT_HAS_EXPIRED: return expired(fault);
    case X509_V_ERR_CERT_NOT_YET_VALID: return not_valid_yet(fault);
    case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT:
    case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    case X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    case X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN:
    case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT:
    case X509_V_ERR_CERT_SIGNATURE_FAILURE: return issuer_unknown(fault, known);
    case X509_V_ERR_HOSTNAME_MISMATCH:
    case X509_V_ERR_IP_ADDRESS_MISMATCH: return other_host(fault, known);
    case X509_V_ERR_CERT_REVOKED:
      return {whose(fault) + " has been revoked by " +
                  (fault.certificate ? issuer_text(*fault.certificate) : "its authority"),
              "give the server a new certificate; do not trust whoever uses the old one"};
    case X509_V_ERR_CRL_HAS_EXPIRED:
      return {
          "the revocation list is too old",
          "get the authority's present list (in a lab: tenon-cert revoke, without a file, makes it anew)"};
    case X509_V_ERR_UNABLE_TO_GET_CRL:
      return {"there is no revocation list of the issuer of " + whose(fault),
              "give its list beside the others"};
    case X509_V_ERR_INVALID_PURPOSE:
      return {whose(fault) + " is not one for servers (extendedKeyUsage)",
              "give the server a certificate for servers (in a lab: tenon-cert server)"};
    default: return {whose(fault) + ": " + ::X509_verify_cert_error_string(fault.error), ""};
  }
}

Sentence alert_in_words(int alert, const Shown& shown) {
  const std::string own =
      shown.subject.empty() ? "" : " (" + shown.subject + ", issued by " + shown.issuer + ")";
  const std::string refused = "the server refuses this side";
  constexpr const char* give =
      "give this side one by ssliop.certificate and ssliop.key (in a lab: tenon-cert client NAME)";
  constexpr int certificate_required = 116;
  switch (alert) {
    case certificate_required: return {refused + ": it wants a client's certificate, and has got none", give};
    case SSL3_AD_HANDSHAKE_FAILURE:
      if (shown.asked && shown.subject.empty())
        return {refused + ": it asks for a client's certificate, and has got none", give};
      return {refused + ": they have no cipher or curve in common, or no certificate fits",
              "compare ssliop.ciphers and ssliop.ciphersuites of both sides"};
    case TLS1_AD_UNKNOWN_CA:
      return {refused + ": it does not know the issuer of this side's certificate" + own,
              "give the server the authority's certificate by ssliop.authorities, or this side a certificate "
              "of an "
              "authority that the server knows"};
    case SSL3_AD_CERTIFICATE_EXPIRED:
      return {refused + ": it says that this side's certificate" + own + " has expired",
              "tenon-cert show says until when it is valid; if it is, see to the server's clock"};
    case SSL3_AD_CERTIFICATE_REVOKED:
      return {refused + ": it says that this side's certificate" + own + " has been revoked",
              "get a new certificate"};
    case SSL3_AD_BAD_CERTIFICATE:
    case SSL3_AD_UNSUPPORTED_CERTIFICATE:
    case SSL3_AD_CERTIFICATE_UNKNOWN:
      return {refused + ": it does not accept this side's certificate" + own,
              "tenon-cert show says what the certificate is; the server's log says what is wrong with it"};
    case TLS1_AD_PROTOCOL_VERSION:
      return {refused + ": they have no version of TLS in common",
              "compare ssliop.min_version of both sides"};
    default: return {refused + ": " + ::SSL_alert_desc_string_long(alert), "the server's log may say more"};
  }
}

}  // namespace tenon::cert
