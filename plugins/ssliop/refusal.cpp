// SPDX-License-Identifier: Apache-2.0
//
// What the certificates say, and why a session was refused, as text.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <openssl/err.h>
#include <openssl/x509v3.h>

#include "base/joined.hpp"
#include "base/minor_codes.hpp"
#include "base/trail.hpp"
#include "net/address.hpp"
#include "plugins/ssliop/tls_transport.hpp"
#include "protocol/protection.hpp"

namespace tenon::ssliop {
namespace {

/// Alerts of TLS come as reasons of errors, with this added.
constexpr int first_alert = SSL_AD_REASON_OFFSET;

std::string text_of(const X509_NAME* name) {
  std::string text;
  BIO* const into = ::BIO_new(::BIO_s_mem());
  if (into == nullptr) return text;
  ::X509_NAME_print_ex(into, name, 0, XN_FLAG_RFC2253);
  char* data = nullptr;
  const long size = ::BIO_get_mem_data(into, &data);
  if (size > 0) text.assign(data, static_cast<std::size_t>(size));
  ::BIO_free(into);
  return text;
}

std::string subject_of(const X509* certificate) {
  return certificate == nullptr ? std::string() : text_of(::X509_get_subject_name(certificate));
}

std::string address_text(const ASN1_OCTET_STRING* address) {
  const unsigned char* const octets = ::ASN1_STRING_get0_data(address);
  char text[INET6_ADDRSTRLEN] = {};
  const int family = ::ASN1_STRING_length(address) == 4 ? AF_INET : AF_INET6;
  if (family == AF_INET6 && ::ASN1_STRING_length(address) != 16) return {};
  return ::inet_ntop(family, octets, text, sizeof text) != nullptr ? text : std::string();
}

/// OpenSSL 3.0 has no text for all of TLS 1.3.
std::string_view alert_text(int alert) {
  return alert == SSL_AD_CERTIFICATE_REQUIRED ? "certificate required" : ::SSL_alert_desc_string_long(alert);
}

/// Its alternative names as "DNS:host", "IP:192.0.2.1", "email:...", "URI:..."; others are left out.
template <typename Take>
void each_name(const X509* certificate, Take take) {
  auto* const names =
      static_cast<GENERAL_NAMES*>(::X509_get_ext_d2i(certificate, NID_subject_alt_name, nullptr, nullptr));
  if (names == nullptr) return;
  for (int i = 0; i < sk_GENERAL_NAME_num(names); ++i) {
    const GENERAL_NAME* const name = sk_GENERAL_NAME_value(names, i);
    if (name->type == GEN_IPADD) {
      take(joined({"IP:", address_text(name->d.iPAddress)}));
      continue;
    }
    const char* const kind = name->type == GEN_DNS     ? "DNS:"
                             : name->type == GEN_EMAIL ? "email:"
                             : name->type == GEN_URI   ? "URI:"
                                                       : nullptr;
    if (kind == nullptr) continue;
    const ASN1_IA5STRING* const text = name->d.ia5;
    take(joined({kind,
                 {reinterpret_cast<const char*>(::ASN1_STRING_get0_data(text)),
                  static_cast<std::size_t>(::ASN1_STRING_length(text))}}));
  }
  ::GENERAL_NAMES_free(names);
}

std::string fingerprint_of(const X509* certificate) {
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned int size = 0;
  std::string text;
  if (::X509_digest(certificate, ::EVP_sha256(), digest, &size) != 1) return text;
  constexpr std::string_view digits = "0123456789abcdef";
  for (unsigned int i = 0; i < size; ++i) {
    text += digits[digest[i] >> 4];
    text += digits[digest[i] & 15];
  }
  return text;
}

/// Of lists of revoked certificates (ssliop.crl); empty: it is another one.
std::string_view list_error(int error) {
  switch (error) {
    case X509_V_ERR_CERT_REVOKED: return "it is on its authority's list of revoked certificates (ssliop.crl)";
    case X509_V_ERR_CRL_HAS_EXPIRED:
      return "its authority's list of revoked certificates has expired (ssliop.crl)";
    case X509_V_ERR_CRL_NOT_YET_VALID:
      return "its authority's list of revoked certificates is not valid yet (ssliop.crl)";
    case X509_V_ERR_UNABLE_TO_GET_CRL:
      return "ssliop.crl has no list of revoked certificates of its authority";
    case X509_V_ERR_CRL_SIGNATURE_FAILURE:
      return "the list of revoked certificates is not signed by its authority (ssliop.crl)";
    default: return {};
  }
}

/// The authority that is missing among those of this side, whichever certificate of the chain shows it. Empty: it is another error.
std::string unknown_authority(int error, const X509* shows_it) {
  switch (error) {
    case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT:
    case X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN:
    case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT:
    case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    case X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE: break;
    default: return {};
  }
  return shows_it == nullptr ? std::string() : text_of(::X509_get_issuer_name(shows_it));
}

}  // namespace

/// In `refused_`: of whom, and whom it is for if that was the reason.
int note_verified(int good, X509_STORE_CTX* chain) {
  if (good == 1) return 1;
  const auto* const session =
      static_cast<SSL*>(::X509_STORE_CTX_get_ex_data(chain, ::SSL_get_ex_data_X509_STORE_CTX_idx()));
  auto* const transport = static_cast<TlsTransport*>(SSL_get_app_data(session));
  const X509* const certificate = ::X509_STORE_CTX_get_current_cert(chain);
  const int error = ::X509_STORE_CTX_get_error(chain);
  const std::string authority = unknown_authority(error, certificate);
  // Who is refused is the peer, where nobody between is at fault.
  std::string text =
      joined({"(", subject_of(authority.empty() ? certificate : ::X509_STORE_CTX_get0_cert(chain)), ")"});
  if (certificate != nullptr &&
      (error == X509_V_ERR_HOSTNAME_MISMATCH || error == X509_V_ERR_IP_ADDRESS_MISMATCH)) {
    std::string names;
    each_name(certificate,
              [&](const std::string& name) { names += joined({names.empty() ? "" : ", ", name}); });
    text += joined({": it is not for ", transport->host_, ", which the reference names, but for ",
                    names.empty() ? "no host" : names});
  } else if (const std::string_view lists = list_error(error); !lists.empty()) {
    text += joined({": ", lists});
  } else if (!authority.empty()) {
    text += error == X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT
                ? ": it has signed itself, and is not among ssliop.authorities"
                : joined({": its authority is not among ssliop.authorities: ", authority});
  } else {
    text += joined({": ", ::X509_verify_cert_error_string(error)});
  }
  // The handshake that runs this holds the mutex.
  [transport, &text]() TENON_NO_THREAD_SAFETY_ANALYSIS { transport->refused_.swap(text); }();
  return 0;
}

int note_ocsp(SSL* session, void*) {
  auto* const transport = static_cast<TlsTransport*>(SSL_get_app_data(session));
  const Context& context = *transport->context_;
  if (::SSL_is_server(session) == 1) {
    const std::vector<std::uint8_t>& shown = context.ocsp_response;
    if (shown.empty()) return SSL_TLSEXT_ERR_NOACK;
    void* const copy = ::OPENSSL_memdup(shown.data(), shown.size());  // which the session frees
    if (copy == nullptr) return SSL_TLSEXT_ERR_NOACK;
    SSL_set_tlsext_status_ocsp_resp(session, copy, static_cast<long>(shown.size()));
    return SSL_TLSEXT_ERR_OK;
  }
  const std::string wrong = judge_ocsp_response(session, context.settings.ocsp);
  if (wrong.empty()) return 1;
  std::string text = joined({"(", subject_of(::SSL_get0_peer_certificate(session)), "): ", wrong});
  // The handshake that runs this holds the mutex.
  [transport, &text]() TENON_NO_THREAD_SAFETY_ANALYSIS { transport->refused_.swap(text); }();
  return 0;
}

std::string TlsTransport::refusal(unsigned long code) {
  const int reason = ERR_GET_REASON(code);
  if (code != 0 && ERR_GET_LIB(code) == ERR_LIB_SSL && !ERR_SYSTEM_ERROR(code)) {
    if (reason > first_alert)
      return joined({"the peer refused this side: ", alert_text(reason - first_alert)});
    switch (reason) {
      case SSL_R_CERTIFICATE_VERIFY_FAILED:
      case SSL_R_INVALID_STATUS_RESPONSE:
        return joined({"this side refused the peer's certificate ", refused_});
      case SSL_R_PEER_DID_NOT_RETURN_A_CERTIFICATE:
        return "this side refused the peer: it has shown no certificate, which ssliop.verify=required wants";
      case SSL_R_WRONG_VERSION_NUMBER:
      case SSL_R_HTTP_REQUEST:
      case SSL_R_BAD_PACKET_LENGTH:
      case SSL_R_PACKET_LENGTH_TOO_LONG:
      case SSL_R_UNEXPECTED_MESSAGE: return "what the peer sends is not TLS";
      case SSL_R_UNSUPPORTED_PROTOCOL:
      case SSL_R_VERSION_TOO_LOW: return "this side refused the peer's version of TLS (ssliop.min_version)";
      case SSL_R_NO_SHARED_CIPHER:
        return "this side refused the peer: they have no cipher in common (ssliop.ciphers, "
               "ssliop.ciphersuites)";
      case SSL_R_NO_SUITABLE_GROUPS:
      case SSL_R_NO_SUITABLE_KEY_SHARE:
        return "this side refused the peer: they have no group in common (ssliop.groups)";
      default: break;
    }
  }
  if (wire_.error() != 0) return net::error_text(wire_.error());
  if (code == 0) return "the peer has ended the connection";
  const char* const text = ::ERR_reason_error_string(code);
  return text != nullptr ? text : "OpenSSL does not say why";
}

/// A server of TLS 1.3 refuses a client's certificate when the client's handshake is done already: then the first call hears of it.
void TlsTransport::note_refusal(unsigned long code) {
  if (code == 0 || has_received_ || side_ != Side::connects) return;
  has_received_ = true;  // once
  Trail::mine().add({.step = Step::connect,
                     .address = tcp_->peer(),
                     .error = errors::cannot_connect,
                     .said = joined({"handshake: ", refusal(code)})});
}

/// After a send that failed: the peer may have said why before it went.
void TlsTransport::hear_refusal() {
  if (has_received_) return;
  ::ERR_clear_error();
  const int error = wire_.error();
  wire_.failed(0);  // what had come before the connection broke is still there
  std::uint8_t octet = 0;
  std::size_t there = 0;
  if (::SSL_peek_ex(session_.get(), &octet, 1, &there) != 1) note_refusal(::ERR_peek_last_error());
  wire_.failed(error);
}

/// Of kind "tls": what the peer's certificate says, if this side has verified it. Otherwise of none, with the version alone.
bool TlsTransport::identify(protocol::Identity& into) const {
  if (!is_done()) return false;
  const LockGuard lock(mutex_);
  const X509* const certificate = ::SSL_get0_peer_certificate(session_.get());
  const bool verified = ::SSL_get_verify_mode(session_.get()) != SSL_VERIFY_NONE &&
                        ::SSL_get_verify_result(session_.get()) == X509_V_OK;
  if (certificate == nullptr || !verified) {
    into = {};
    into.attributes.push_back({protocol::protecting_version, ::SSL_get_version(session_.get())});
    return true;
  }
  into.kind = "tls";
  into.attributes = {{"subject", subject_of(certificate)}};
  each_name(certificate, [&](std::string name) { into.attributes.push_back({"name", std::move(name)}); });
  into.attributes.push_back({"fingerprint", fingerprint_of(certificate)});
  into.attributes.push_back({protocol::protecting_version, ::SSL_get_version(session_.get())});
  return true;
}

}  // namespace tenon::ssliop
