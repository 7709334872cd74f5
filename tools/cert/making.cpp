// SPDX-License-Identifier: Apache-2.0
#include "tools/cert/making.hpp"

#include <openssl/err.h>

#include <algorithm>

#include "tools/cert/words.hpp"

namespace tenon::cert {

std::string newest_error() {
  const unsigned long code = ::ERR_peek_last_error();
  const char* const text = ::ERR_reason_error_string(code);
  ::ERR_clear_error();
  return text != nullptr ? text : "OpenSSL does not say why";
}

void must(bool good, const char* what) {
  if (!good) throw Problem(std::string(what) + ": " + newest_error());
}

namespace {

Key make_key(KeyKind kind) {
  Key key(kind == KeyKind::ec ? EVP_EC_gen("P-256") : EVP_RSA_gen(3072U));
  must(key != nullptr, "no key can be made");
  return key;
}

/// 127 random bits: positive, and nobody guesses the next one.
void set_random_serial(X509& certificate) {
  const Bignum number(::BN_new());
  must(number && ::BN_rand(number.get(), 127, BN_RAND_TOP_ONE, BN_RAND_BOTTOM_ANY) == 1 &&
           ::BN_to_ASN1_INTEGER(number.get(), ::X509_get_serialNumber(&certificate)) != nullptr,
       "no serial number can be made");
}

void set_time(const ASN1_TIME* into, std::time_t when) {
  must(::ASN1_TIME_adj(const_cast<ASN1_TIME*>(into), when, 0, 0) != nullptr, "a date cannot be written");
}

Certificate begin_certificate(const std::string& name, Validity validity, EVP_PKEY& key) {
  check_common_name(name);
  Certificate made(::X509_new());
  must(made && ::X509_set_version(made.get(), 2) == 1, "no certificate can be made");
  set_random_serial(*made);
  set_time(::X509_getm_notBefore(made.get()), validity.begins);
  set_time(::X509_getm_notAfter(made.get()), validity.ends);
  must(::X509_NAME_add_entry_by_txt(::X509_get_subject_name(made.get()), "CN", MBSTRING_UTF8,
                                    reinterpret_cast<const unsigned char*>(name.data()),
                                    static_cast<int>(name.size()), -1, 0) == 1,
       "the name cannot be written");
  must(::X509_set_pubkey(made.get(), &key) == 1, "the key cannot be written");
  return made;
}

void add_extension(X509& into, X509& issuer, int which, const char* value) {
  X509V3_CTX context;
  ::X509V3_set_ctx(&context, &issuer, &into, nullptr, nullptr, 0);
  const Extension made(::X509V3_EXT_conf_nid(nullptr, &context, which, value));
  must(made && ::X509_add_ext(&into, made.get(), -1) == 1, value);
}

void add_host(GENERAL_NAMES& names, const Host& host) {
  GENERAL_NAME* const name = ::GENERAL_NAME_new();
  ASN1_STRING* const text =
      ::ASN1_STRING_type_new(host.is_address() ? V_ASN1_OCTET_STRING : V_ASN1_IA5STRING);
  must(name != nullptr && text != nullptr, "a host cannot be written");
  if (host.is_address()) {
    ::ASN1_STRING_set(text, host.octets.data(), static_cast<int>(host.octets.size()));
  } else {
    ::ASN1_STRING_set(text, host.text.data(), static_cast<int>(host.text.size()));
  }
  ::GENERAL_NAME_set0_value(name, host.is_address() ? GEN_IPADD : GEN_DNS, text);
  sk_GENERAL_NAME_push(&names, name);
}

void add_names(X509& into, const Wanted& wanted) {
  if (wanted.hosts.empty() && wanted.mail.empty()) return;
  const Names names(sk_GENERAL_NAME_new_null());
  must(names != nullptr, "the names cannot be written");
  for (const Host& host : wanted.hosts) add_host(*names, host);
  if (!wanted.mail.empty()) {
    GENERAL_NAME* const name = ::GENERAL_NAME_new();
    ASN1_STRING* const text = ::ASN1_STRING_type_new(V_ASN1_IA5STRING);
    must(name != nullptr && text != nullptr, "a mail address cannot be written");
    ::ASN1_STRING_set(text, wanted.mail.data(), static_cast<int>(wanted.mail.size()));
    ::GENERAL_NAME_set0_value(name, GEN_EMAIL, text);
    sk_GENERAL_NAME_push(names.get(), name);
  }
  must(::X509_add1_ext_i2d(&into, NID_subject_alt_name, names.get(), 0, X509V3_ADD_DEFAULT) == 1,
       "the names cannot be written");
}

void sign(X509& certificate, EVP_PKEY& key) {
  must(::X509_sign(&certificate, &key, ::EVP_sha256()) > 0, "the certificate cannot be signed");
}

}  // namespace

Validity valid_for(long days) {
  const std::time_t now = std::time(nullptr);
  return {now - 3600, now + days * 86400};
}

Issued make_authority(const std::string& name, Validity validity, KeyKind kind) {
  Issued made{nullptr, make_key(kind)};
  made.certificate = begin_certificate(name, validity, *made.key);
  X509& it = *made.certificate;
  must(::X509_set_issuer_name(&it, ::X509_get_subject_name(&it)) == 1, "the name cannot be written");
  add_extension(it, it, NID_basic_constraints, "critical,CA:TRUE,pathlen:0");
  add_extension(it, it, NID_key_usage, "critical,keyCertSign,cRLSign");
  add_extension(it, it, NID_subject_key_identifier, "hash");
  add_extension(it, it, NID_authority_key_identifier, "keyid:always");
  sign(it, *made.key);
  return made;
}

Issued make_certificate(const Issued& authority, const Wanted& wanted) {
  Issued made{nullptr, make_key(wanted.kind)};
  const Validity within{
      wanted.validity.begins,
      std::min(wanted.validity.ends, time_of(::X509_get0_notAfter(authority.certificate.get())))};
  made.certificate = begin_certificate(wanted.name, within, *made.key);
  X509& it = *made.certificate;
  X509& issuer = *authority.certificate;
  must(::X509_set_issuer_name(&it, ::X509_get_subject_name(&issuer)) == 1, "the name cannot be written");
  add_extension(it, issuer, NID_basic_constraints, "critical,CA:FALSE");
  // RSA keys of TLS 1.2 may also receive the session's key.
  add_extension(
      it, issuer, NID_key_usage,
      wanted.kind == KeyKind::ec ? "critical,digitalSignature" : "critical,digitalSignature,keyEncipherment");
  // Servers call back, so theirs are for both.
  add_extension(it, issuer, NID_ext_key_usage, wanted.hosts.empty() ? "clientAuth" : "serverAuth,clientAuth");
  add_extension(it, issuer, NID_subject_key_identifier, "hash");
  add_extension(it, issuer, NID_authority_key_identifier, "keyid:always");
  add_names(it, wanted);
  sign(it, *authority.key);
  return made;
}

std::string wrong_with_authority(const X509& certificate, std::time_t now) {
  auto& it = const_cast<X509&>(certificate);
  if (::X509_check_ca(&it) == 0) return "this is not the certificate of an authority";
  const std::time_t begins = time_of(::X509_get0_notBefore(&it));
  const std::time_t ends = time_of(::X509_get0_notAfter(&it));
  if (now > ends)
    return "the authority has expired, " + ago(now - ends) + " (" + time_text(ends) +
           "): make a new one and new certificates, and give clients its certificate";
  if (now < begins)
    return "the authority is not valid before " + time_text(begins) + ", and this machine's clock says " +
           time_text(now);
  return "";
}

bool has_issued(const X509& authority, X509& certificate) {
  auto& issuer = const_cast<X509&>(authority);
  const bool is_issuer = ::X509_check_issued(&issuer, &certificate) == X509_V_OK &&
                         ::X509_verify(&certificate, ::X509_get0_pubkey(&issuer)) == 1;
  ::ERR_clear_error();
  return is_issuer;
}

namespace {

void add_revoked(X509_CRL& list, const ASN1_INTEGER* serial, const ASN1_TIME* when) {
  X509_REVOKED* const entry = ::X509_REVOKED_new();
  must(entry != nullptr && ::X509_REVOKED_set_serialNumber(entry, const_cast<ASN1_INTEGER*>(serial)) == 1 &&
           ::X509_REVOKED_set_revocationDate(entry, const_cast<ASN1_TIME*>(when)) == 1 &&
           ::X509_CRL_add0_revoked(&list, entry) == 1,
       "the entry cannot be made");
}

/// The number of the list after that one.
Integer next_number(X509_CRL* old) {
  Integer number;
  if (old != nullptr)
    number.reset(static_cast<ASN1_INTEGER*>(::X509_CRL_get_ext_d2i(old, NID_crl_number, nullptr, nullptr)));
  const Bignum value(number ? ::ASN1_INTEGER_to_BN(number.get(), nullptr) : ::BN_new());
  must(value && ::BN_add_word(value.get(), 1) == 1, "the list cannot be numbered");
  return Integer(::BN_to_ASN1_INTEGER(value.get(), nullptr));
}

}  // namespace

RevocationList make_revocation_list(const Issued& authority, X509_CRL* old, X509* revoked,
                                    Validity validity) {
  RevocationList list(::X509_CRL_new());
  must(list && ::X509_CRL_set_version(list.get(), 1) == 1 &&
           ::X509_CRL_set_issuer_name(list.get(), ::X509_get_subject_name(authority.certificate.get())) == 1,
       "no list can be made");
  const Time begins(::ASN1_TIME_set(nullptr, validity.begins));
  const Time ends(::ASN1_TIME_set(nullptr, validity.ends));
  const Time now(::ASN1_TIME_set(nullptr, std::time(nullptr)));
  ::X509_CRL_set1_lastUpdate(list.get(), begins.get());
  ::X509_CRL_set1_nextUpdate(list.get(), ends.get());
  STACK_OF(X509_REVOKED)* const before = old != nullptr ? ::X509_CRL_get_REVOKED(old) : nullptr;
  for (int i = 0; i < sk_X509_REVOKED_num(before); ++i) {
    const X509_REVOKED* const entry = sk_X509_REVOKED_value(before, i);
    add_revoked(*list, ::X509_REVOKED_get0_serialNumber(entry), ::X509_REVOKED_get0_revocationDate(entry));
  }
  if (revoked != nullptr) add_revoked(*list, ::X509_get0_serialNumber(revoked), now.get());
  ::X509_CRL_sort(list.get());
  X509V3_CTX context;
  ::X509V3_set_ctx(&context, authority.certificate.get(), nullptr, nullptr, list.get(), 0);
  const Extension key(::X509V3_EXT_conf_nid(nullptr, &context, NID_authority_key_identifier, "keyid:always"));
  const Integer number = next_number(old);
  must(key && ::X509_CRL_add_ext(list.get(), key.get(), -1) == 1 &&
           ::X509_CRL_add1_ext_i2d(list.get(), NID_crl_number, number.get(), 0, 0) == 1 &&
           ::X509_CRL_sign(list.get(), authority.key.get(), ::EVP_sha256()) > 0,
       "the list cannot be signed");
  return list;
}

std::optional<std::time_t> revoked_since(X509_CRL& list, X509& certificate) {
  X509_REVOKED* entry = nullptr;
  if (::X509_CRL_get0_by_cert(&list, &entry, &certificate) != 1) return std::nullopt;
  return time_of(::X509_REVOKED_get0_revocationDate(entry));
}

}  // namespace tenon::cert
