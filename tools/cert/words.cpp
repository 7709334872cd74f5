// SPDX-License-Identifier: Apache-2.0
#include "tools/cert/words.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "base/hex.hpp"

namespace tenon::cert {

std::string name_text(const X509_NAME* name) {
  const Bio into(::BIO_new(::BIO_s_mem()));
  must(into != nullptr, "no memory");
  ::X509_NAME_print_ex(into.get(), name, 0, XN_FLAG_RFC2253);
  char* data = nullptr;
  const long size = ::BIO_get_mem_data(into.get(), &data);
  return {data, static_cast<std::size_t>(std::max(size, 0L))};
}

std::string subject_text(const X509& certificate) { return name_text(::X509_get_subject_name(&certificate)); }
std::string issuer_text(const X509& certificate) { return name_text(::X509_get_issuer_name(&certificate)); }

namespace {

std::string alternative_name(const GENERAL_NAME& name) {
  int kind = 0;
  const auto* const text = static_cast<const ASN1_STRING*>(::GENERAL_NAME_get0_value(&name, &kind));
  if (kind != GEN_IPADD && kind != GEN_DNS && kind != GEN_EMAIL && kind != GEN_URI) return "";
  const std::string_view octets(reinterpret_cast<const char*>(::ASN1_STRING_get0_data(text)),
                                static_cast<std::size_t>(::ASN1_STRING_length(text)));
  if (kind == GEN_IPADD) {
    std::array<char, INET6_ADDRSTRLEN> address{};
    if (octets.size() != 4 && octets.size() != 16) return "";
    ::inet_ntop(octets.size() == 4 ? AF_INET : AF_INET6, octets.data(), address.data(), address.size());
    return std::string("IP:") + address.data();
  }
  return (kind == GEN_DNS ? "DNS:" : kind == GEN_EMAIL ? "email:" : "URI:") + printable(octets);
}

}  // namespace

std::vector<std::string> alternative_names(const X509& certificate) {
  std::vector<std::string> texts;
  const Names names(
      static_cast<GENERAL_NAMES*>(::X509_get_ext_d2i(&certificate, NID_subject_alt_name, nullptr, nullptr)));
  for (int i = 0; i < sk_GENERAL_NAME_num(names.get()); ++i) {
    std::string text = alternative_name(*sk_GENERAL_NAME_value(names.get(), i));
    if (!text.empty()) texts.push_back(std::move(text));
  }
  return texts;
}

std::string fingerprint_text(const X509& certificate) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned int size = 0;
  must(::X509_digest(&certificate, ::EVP_sha256(), digest.data(), &size) == 1, "no fingerprint");
  return to_hex({digest.data(), size});
}

std::string serial_text(const ASN1_INTEGER* serial) {
  const Bignum number(::ASN1_INTEGER_to_BN(serial, nullptr));
  char* const text = number ? ::BN_bn2hex(number.get()) : nullptr;
  std::string copy = text != nullptr ? text : "?";
  OPENSSL_free(text);
  return copy;
}

std::string key_text(const EVP_PKEY* key) {
  if (key == nullptr) return "of a kind that OpenSSL does not know";
  std::array<char, 80> group{};
  std::size_t size = 0;
  if (::EVP_PKEY_get_group_name(key, group.data(), group.size(), &size) == 1)
    return std::string("EC ") + (std::string_view(group.data()) == "prime256v1" ? "P-256" : group.data());
  const char* const kind = ::EVP_PKEY_get0_type_name(key);
  return std::string(kind != nullptr ? kind : "?") + " of " + std::to_string(::EVP_PKEY_get_bits(key)) +
         " bits";
}

std::time_t time_of(const ASN1_TIME* time) {
  std::tm parts{};
  must(::ASN1_TIME_to_tm(time, &parts) == 1, "a date that is none");
  return ::timegm(&parts);
}

std::string time_text(std::time_t when) {
  std::tm parts{};
  ::gmtime_r(&when, &parts);
  std::array<char, 64> text{};
  std::strftime(text.data(), text.size(), "%Y-%m-%d %H:%M UTC", &parts);
  return text.data();
}

namespace {

std::string span_text(std::time_t seconds) {
  const auto some = [](std::time_t count, const char* unit) {
    return std::to_string(count) + " " + unit + (count == 1 ? "" : "s");
  };
  // To the nearest: what is made for 365 days is still valid for as many a moment later.
  const auto nearest = [&](std::time_t unit) { return (seconds + unit / 2) / unit; };
  if (seconds >= 2 * 86400) return some(nearest(86400), "day");
  if (seconds >= 2 * 3600) return some(nearest(3600), "hour");
  if (seconds >= 60) return some(seconds / 60, "minute");
  return some(seconds, "second");
}

}  // namespace

std::string ago(std::time_t seconds) { return span_text(seconds) + " ago"; }

std::string validity_text(const X509& certificate, std::time_t now) {
  const std::time_t begins = time_of(::X509_get0_notBefore(&certificate));
  const std::time_t ends = time_of(::X509_get0_notAfter(&certificate));
  if (now > ends) return "EXPIRED " + ago(now - ends) + ", on " + time_text(ends);
  if (now < begins)
    return "NOT VALID before " + time_text(begins) + ", and this machine's clock says " + time_text(now);
  return "valid until " + time_text(ends) + ", for " + span_text(ends - now) + " more";
}

std::string listed(const std::vector<std::string>& words, const char* none) {
  std::string text;
  for (const std::string& each : words) text += (text.empty() ? "" : ", ") + each;
  return text.empty() ? none : text;
}

std::string quoted(const std::string& word) {
  const bool plain = !word.empty() && std::all_of(word.begin(), word.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("/._-+=@:,%").find(c) != std::string_view::npos;
  });
  if (plain) return word;
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

}  // namespace tenon::cert
