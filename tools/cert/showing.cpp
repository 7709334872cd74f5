// SPDX-License-Identifier: Apache-2.0
#include <filesystem>

#include "tools/cert/commands.hpp"
#include "tools/cert/files.hpp"
#include "tools/cert/words.hpp"

namespace tenon::cert {
namespace {

std::string line(const char* what, const std::string& text) {
  std::string head = std::string("  ") + what + ":";
  head.resize(std::max<std::size_t>(head.size() + 1, 15), ' ');
  return head + text + "\n";
}

std::string use_text(X509& certificate) {
  if (::X509_check_ca(&certificate) != 0) return "an authority";
  const bool serves = ::X509_check_purpose(&certificate, X509_PURPOSE_SSL_SERVER, 0) == 1;
  const bool calls = ::X509_check_purpose(&certificate, X509_PURPOSE_SSL_CLIENT, 0) == 1;
  return serves && calls ? "a server, and a client"
         : serves        ? "a server"
         : calls         ? "a client"
                         : "neither a server nor a client";
}

std::string certificate_text(X509& it, std::time_t now, bool& good) {
  const std::string validity = validity_text(it, now);
  good = good && validity.starts_with("valid");
  std::string issuer = issuer_text(it);
  if (has_issued(it, it)) issuer += " (itself)";
  return line("subject", subject_text(it)) + line("names", listed(alternative_names(it), "none")) +
         line("for", use_text(it)) + line("issuer", issuer) + line("validity", validity) +
         line("serial", serial_text(::X509_get0_serialNumber(&it))) +
         line("fingerprint", fingerprint_text(it)) + line("public key", key_text(::X509_get0_pubkey(&it)));
}

std::string list_text(X509_CRL& it, std::time_t now, bool& good) {
  const ASN1_TIME* const next = ::X509_CRL_get0_nextUpdate(&it);
  const std::time_t ends = next != nullptr ? time_of(next) : now;
  good = good && ends >= now;
  std::string text = "a revocation list\n" + line("issuer", name_text(::X509_CRL_get_issuer(&it))) +
                     line("made", time_text(time_of(::X509_CRL_get0_lastUpdate(&it)))) +
                     line("validity", (ends < now ? "EXPIRED, on " : "until ") + time_text(ends));
  STACK_OF(X509_REVOKED)* const all = ::X509_CRL_get_REVOKED(&it);
  for (int i = 0; i < sk_X509_REVOKED_num(all); ++i) {
    const X509_REVOKED* const each = sk_X509_REVOKED_value(all, i);
    text += line("revoked", serial_text(::X509_REVOKED_get0_serialNumber(each)) + " on " +
                                time_text(time_of(::X509_REVOKED_get0_revocationDate(each))));
  }
  return text;
}

/// The key that belongs to a certificate: that of an option, in the same file, or in the file with the other ending.
std::string key_beside(const std::string& path, const std::string& text) {
  if (text.find("PRIVATE KEY-----") != std::string::npos) return path;
  const std::string beside = std::filesystem::path(path).replace_extension(".key").string();
  return beside != path && exists(beside) ? beside : "";
}

/// Null: the key has a password, and none is given.
Key unless_locked(const std::string& path, const Password& password) {
  try {
    return read_key(path, password);
  } catch (const Locked&) {
    return nullptr;
  }
}

/// `found`: nobody has named the key, so one that cannot be opened is no reason to show nothing.
std::string fit_text(const X509& certificate, const std::string& key_path, const Password& password,
                     bool found, bool& good) {
  const Key key = found ? unless_locked(key_path, password) : read_key(key_path, password);
  if (!key)
    return line("key", key_path + " has a password, so it was not compared (" + password.option + ")");
  const bool fits = ::X509_check_private_key(&certificate, key.get()) == 1;
  (void)newest_error();
  good = good && fits;
  std::string text = key_path + (fits ? " is its key" : " is NOT ITS KEY");
  const auto mode = std::filesystem::status(key_path).permissions();
  using std::filesystem::perms;
  if ((mode & (perms::group_read | perms::others_read)) != perms::none)
    text += "; others than its owner may read it (chmod 600)";
  return line("key", text);
}

}  // namespace

std::string show(const std::string& path, const std::string& key_path, const std::string& password_file,
                 bool& good) {
  const std::string text = read_file(path);
  const std::time_t now = std::time(nullptr);
  const Password password = password_in(password_file, "--password-file");
  if (text.find("-----BEGIN X509 CRL-----") != std::string::npos)
    return path + ": " + list_text(*read_revocation_list(path), now, good);
  const std::vector<Certificate> all = certificates_in(text, path);
  const std::string beside = key_path.empty() ? key_beside(path, text) : key_path;
  if (all.empty()) {
    if (beside.empty()) throw Problem(path + ": has no certificate, key or revocation list in PEM");
    const Key key = unless_locked(beside, password);
    if (!key) return path + ": a key that has a password (" + password.option + ")\n";
    return path + ": a key, " + key_text(key.get()) + "\n";
  }
  std::string out;
  for (const Certificate& each : all) {
    const bool first = &each == &all.front();
    out += path + ": " + (first ? "a certificate" : "a further certificate, between it and its authority") +
           "\n" + certificate_text(*each, now, good);
    if (first && !beside.empty()) out += fit_text(*each, beside, password, key_path.empty(), good);
  }
  return out;
}

}  // namespace tenon::cert
