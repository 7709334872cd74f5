// SPDX-License-Identifier: Apache-2.0
#include "plugins/ssliop/context.hpp"

#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/x509err.h>
#include <openssl/x509v3.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "base/joined.hpp"
#include "base/log.hpp"
#include "net/address.hpp"
#include "plugins/ssliop/tls_transport.hpp"
#include "protocol/endpoint_text.hpp"
#include "protocol/key_password.hpp"

namespace tenon::ssliop {
namespace {

bool is_readable(std::string_view value, bool may_be_folder, std::string& why) {
  const std::string path(value);
  struct stat about{};
  if (::stat(path.c_str(), &about) == 0) {
    if (S_ISDIR(about.st_mode) && !may_be_folder) {
      why = "wants a file, and this is a folder";
      return false;
    }
    if (std::FILE* const file = std::fopen(path.c_str(), "re")) {
      std::fclose(file);
      return true;
    }
  }
  why = joined({"cannot be read: ", net::error_text(errno)});
  return false;
}

/// The words in the order of the enum's values.
template <typename Enum>
bool read_word(std::string_view value, std::initializer_list<std::string_view> words, Enum& into) {
  const auto* const found = std::ranges::find(words, value);
  if (found == words.end()) return false;
  into = static_cast<Enum>(found - words.begin());
  return true;
}

bool read_version(std::string_view value, int& into) {
  if (value != "1.2" && value != "1.3") return false;
  into = value == "1.2" ? TLS1_2_VERSION : TLS1_3_VERSION;
  return true;
}

/// TLS stands for confidentiality in references and policies, so what only guards against changes is no cipher here.
bool encrypts(const SSL_CTX& context) {
  const STACK_OF(SSL_CIPHER)* const all = ::SSL_CTX_get_ciphers(&context);
  for (int i = 0; i < sk_SSL_CIPHER_num(all); ++i) {
    if (::SSL_CIPHER_get_cipher_nid(sk_SSL_CIPHER_value(all, i)) == NID_undef) return false;
  }
  return true;
}

/// SSL_CTX_set1_groups_list(), which is a macro.
int set_groups(SSL_CTX* context, const char* list) {
  return static_cast<int>(SSL_CTX_set1_groups_list(context, list));
}

/// Tries a list of ciphers on a context of its own, so that a wrong one is refused when the ORB starts.
bool are_ciphers(int (*set)(SSL_CTX*, const char*), const std::string& value) {
  const std::unique_ptr<SSL_CTX, FreeContext> trial(::SSL_CTX_new(::TLS_method()));
  ::ERR_clear_error();
  const bool good = trial && !value.empty() && set(trial.get(), value.c_str()) == 1;
  ::ERR_clear_error();
  return good && encrypts(*trial);
}

}  // namespace

bool Settings::set(std::string_view name, std::string_view value, std::string& why) {
  const auto file = [&](std::string& into, bool may_be_folder) {
    into = value;
    return is_readable(value, may_be_folder, why);
  };
  if (name == "certificate") return file(certificate, false);
  if (name == "key") return file(key, false);
  if (name == "key_password_file") return file(key_password_file, false);
  if (name == "authorities") return file(authorities, true);
  if (name == "crl") return file(crl, false);
  if (name == "ocsp_response") return file(ocsp_response, false);
  if (name == "key_password_env") {
    key_password_env = value;
    why = "there is no such variable in the environment";
    return std::getenv(key_password_env.c_str()) != nullptr;
  }
  if (name == "verify") {
    why = "wants none, peer or required";
    return read_word(value, {"none", "peer", "required"}, verify);
  }
  if (name == "verify_host" || name == "resumption") {
    why = "wants 0 or 1";
    const std::optional<bool> on = value.empty() ? std::nullopt : protocol::read_switch(value);
    if (on) (name == "resumption" ? resumption : verify_host) = *on;
    return on.has_value();
  }
  if (name == "min_version") {
    why = "wants 1.2 or 1.3";
    return read_version(value, min_version);
  }
  if (name == "ciphers") {
    why =
        "wants ciphers of TLS 1.2 as OpenSSL names them, for example ECDHE+AESGCM (openssl ciphers lists "
        "them)";
    ciphers = value;
    return are_ciphers(::SSL_CTX_set_cipher_list, ciphers);
  }
  if (name == "ocsp") {
    why = "wants off, if_stapled or required";
    return read_word(value, {"off", "if_stapled", "required"}, ocsp);
  }
  if (name == "groups") {
    why = "wants groups that OpenSSL knows with colons between them, for example X25519:P-256";
    groups = value;
    return are_ciphers(set_groups, groups);
  }
  why = "wants cipher suites of TLS 1.3 with colons between them, for example TLS_AES_256_GCM_SHA384";
  ciphersuites = value;
  return are_ciphers(::SSL_CTX_set_ciphersuites, ciphersuites);
}

std::vector<std::string> Settings::files() const {
  return {certificate, key, key_password_file, authorities, crl, ocsp_response};
}

std::string take_tls_error() {
  const unsigned long code = ::ERR_peek_last_error();
  ::ERR_clear_error();
  if (ERR_SYSTEM_ERROR(code)) return net::error_text(static_cast<int>(ERR_GET_REASON(code)));
  const char* const text = ::ERR_reason_error_string(code);
  return text != nullptr ? text : "unknown";
}

std::string wrong_file(std::string_view option, std::string_view file, std::string_view what) {
  return joined({"option ssliop.", option, "=", file, ": ", what});
}

namespace {

struct Password {
  const std::string& file;  // of the key
  std::string text;
  bool asked = false;   // the program, or there is nothing to ask it
  bool wanted = false;  // the key has one
};

/// For OpenSSL, which asks for the password of a key.
int give_password(char* into, int room, int, void* given) {
  auto& all = *static_cast<Password*>(given);
  all.wanted = true;
  // OpenSSL may try several ways to read one key.
  if (!std::exchange(all.asked, true)) static_cast<void>(protocol::ask_key_password(all.file, all.text));
  const std::string& password = all.text;
  if (password.empty() || password.size() > static_cast<std::size_t>(room)) return -1;
  std::ranges::copy(password, into);
  return static_cast<int>(password.size());
}

std::string password_of(const Settings& settings) {
  if (settings.key_password_file.empty()) {
    const char* const value =
        settings.key_password_env.empty() ? nullptr : std::getenv(settings.key_password_env.c_str());
    return value != nullptr ? value : "";
  }
  std::array<char, 1024> line{};
  if (std::FILE* const file = std::fopen(settings.key_password_file.c_str(), "re")) {
    if (std::fgets(line.data(), line.size(), file) == nullptr) line[0] = '\0';
    std::fclose(file);
  }
  std::string password(line.data(), std::strcspn(line.data(), "\r\n"));
  ::OPENSSL_cleanse(line.data(), line.size());
  return password;
}

bool load_key(SSL_CTX& context, const Settings& settings, std::string& why) {
  const bool apart = !settings.key.empty();
  const std::string& file = apart ? settings.key : settings.certificate;
  Password password{file, password_of(settings),
                    !settings.key_password_file.empty() || !settings.key_password_env.empty()};
  ::SSL_CTX_set_default_passwd_cb(&context, give_password);
  ::SSL_CTX_set_default_passwd_cb_userdata(&context, &password);
  const bool loaded = ::SSL_CTX_use_PrivateKey_file(&context, file.c_str(), SSL_FILETYPE_PEM) == 1;
  ::SSL_CTX_set_default_passwd_cb_userdata(&context, nullptr);
  ::OPENSSL_cleanse(password.text.data(), password.text.size());  // its size stays
  const std::string_view option = apart ? "key" : "certificate";
  if (!loaded) {
    const bool mismatch = ERR_GET_REASON(::ERR_peek_last_error()) == X509_R_KEY_VALUES_MISMATCH;
    const std::string said = take_tls_error();
    if (mismatch) {
      why = wrong_file(option, file, "this is not the key of the certificate");
    } else if (password.wanted) {
      why = wrong_file(
          option, file,
          password.text.empty()
              ? "the key has a password: give ssliop.key_password_file or ssliop.key_password_env, or let "
                "the program give it (tenon::give_key_passwords)"
              : "the password is not that of the key");
    } else {
      why = wrong_file(option, file, joined({"no key in PEM can be read from it (", said, ")"}));
    }
    return false;
  }
  if (::SSL_CTX_check_private_key(&context) == 1) return true;
  why = wrong_file(option, file, "this is not the key of the certificate");
  ::ERR_clear_error();
  return false;
}

/// Peers judge the dates, by their own clocks; who looks at this side's log need not wait for them.
void note_dates(const X509* certificate, const std::string& file) {
  const bool is_over = ::X509_cmp_current_time(::X509_get0_notAfter(certificate)) < 0;
  const bool has_begun = ::X509_cmp_current_time(::X509_get0_notBefore(certificate)) < 0;
  if ((is_over || !has_begun) && log_enabled(LogLevel::warning))
    log(LogLevel::warning, "ssliop",
        joined({"option ssliop.certificate=", file, ": the certificate ",
                is_over ? "has expired" : "is not valid yet", ": peers will refuse it"}));
}

bool load_own(SSL_CTX& context, const Settings& settings, std::string& why) {
  if (settings.certificate.empty()) {
    if (settings.key.empty()) return true;
    why = wrong_file("key", settings.key, "a key without ssliop.certificate has no use");
    return false;
  }
  if (::SSL_CTX_use_certificate_chain_file(&context, settings.certificate.c_str()) != 1) {
    why = wrong_file("certificate", settings.certificate,
                     joined({"no certificate in PEM can be read from it (", take_tls_error(), ")"}));
    return false;
  }
  note_dates(::SSL_CTX_get0_certificate(&context), settings.certificate);
  return load_key(context, settings, why);
}

bool load_authorities(SSL_CTX& context, const Settings& settings, std::string& why) {
  if (settings.authorities.empty()) {
    if (::SSL_CTX_set_default_verify_paths(&context) == 1) return true;
    why = joined({"the authorities of the system cannot be used: ", take_tls_error()});
    return false;
  }
  struct stat about{};
  const char* const path = settings.authorities.c_str();
  if (::stat(path, &about) == 0 && S_ISDIR(about.st_mode)) {
    if (::SSL_CTX_load_verify_dir(&context, path) == 1) return true;
  } else if (::SSL_CTX_load_verify_file(&context, path) == 1) {
    // Their names go to clients, so that these can choose a certificate.
    ::SSL_CTX_set_client_CA_list(&context, ::SSL_load_client_CA_file(path));
    return true;
  }
  why = wrong_file("authorities", settings.authorities,
                   joined({"no certificates in PEM can be read from it (", take_tls_error(), ")"}));
  return false;
}

/// What goes out behind the own certificate where its file has nothing more: found once, among the authorities, and not for each handshake,
/// since those of the system are a folder.
void find_chain(SSL_CTX& context) {
  STACK_OF(X509)* given = nullptr;
  ::SSL_CTX_get0_chain_certs(&context, static_cast<void*>(&given));
  if (::SSL_CTX_get0_certificate(&context) == nullptr || ::sk_X509_num(given) > 0) return;
  if (::SSL_CTX_build_cert_chain(&context, SSL_BUILD_CHAIN_FLAG_IGNORE_ERROR) > 0)
    ::SSL_CTX_set_mode(&context, SSL_MODE_NO_AUTO_CHAIN);
  ::ERR_clear_error();
}

bool choose_algorithms(SSL_CTX& context, const Settings& settings, std::string& why) {
  ::SSL_CTX_set_min_proto_version(&context, settings.min_version);
  const bool good =
      (settings.ciphers.empty() || ::SSL_CTX_set_cipher_list(&context, settings.ciphers.c_str()) == 1) &&
      (settings.ciphersuites.empty() ||
       ::SSL_CTX_set_ciphersuites(&context, settings.ciphersuites.c_str()) == 1);
  if (!good) why = wrong_file("ciphers", settings.ciphers, take_tls_error());
  if (settings.groups.empty() || !good) return good;
  if (set_groups(&context, settings.groups.c_str()) == 1) return true;
  why = wrong_file("groups", settings.groups, take_tls_error());
  return false;
}

}  // namespace

std::shared_ptr<const Context> make_context(const Settings& settings, std::string& why) {
  ::ERR_clear_error();
  auto made = std::make_shared<Context>();
  made->settings = settings;
  made->tls.reset(::SSL_CTX_new(::TLS_method()));
  if (!made->tls) {
    why = joined({"OpenSSL makes no context: ", take_tls_error()});
    return nullptr;
  }
  SSL_CTX& context = *made->tls;
  // Renegotiation would make sends wait for input. What ends a message is told by GIOP, so a connection may end without TLS saying so, as
  // those of other ORBs do.
  ::SSL_CTX_set_options(&context, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION |
                                      SSL_OP_IGNORE_UNEXPECTED_EOF | SSL_OP_CIPHER_SERVER_PREFERENCE);
  settings.resumption ? allow_resumption(context) : forbid_resumption(context);
  ::SSL_CTX_set_mode(&context, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER |
                                   SSL_MODE_RELEASE_BUFFERS);
  ::SSL_CTX_set_read_ahead(&context, 1);
  ::SSL_CTX_set_verify(&context, SSL_VERIFY_NONE, note_verified);
  if (settings.verify == Verify::required && settings.authorities.empty()) {
    why =
        "option ssliop.verify=required: wants ssliop.authorities, those that have signed the clients' "
        "certificates";
    return nullptr;
  }
  if (settings.ocsp != Ocsp::off && settings.verify == Verify::none) {
    why = "option ssliop.ocsp: with ssliop.verify=none no certificate is looked at";
    return nullptr;
  }
  SSL_CTX_set_tlsext_status_cb(&context, note_ocsp);
  if (!load_own(context, settings, why) || !load_authorities(context, settings, why)) return nullptr;
  find_chain(context);
  if (!load_revocation_lists(context, settings, why) ||
      !load_ocsp_response(context, settings, made->ocsp_response, why) ||
      !choose_algorithms(context, settings, why))
    return nullptr;
  return made;
}

}  // namespace tenon::ssliop
