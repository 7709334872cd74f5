// SPDX-License-Identifier: Apache-2.0
#include "tools/cert/options.hpp"

#include <fcntl.h>
#include <openssl/err.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>

#include "base/error_text.hpp"
#include "net/descriptor.hpp"

namespace tenon::cert {
namespace {

/// An option of ssliop (tenon-ssliop(7)).
struct Option {
  const char* name;
  const char* wants;
  std::string Trial::* text = nullptr;  ///< where its value goes as it is
};

constexpr Option options[] = {
    {"certificate", "wants a file", &Trial::certificate},
    {"key", "wants a file", &Trial::key},
    {"key_password_file", "wants a file", &Trial::key_password_file},
    {"key_password_env", "wants the name of a variable of the environment", &Trial::key_password_env},
    {"authorities", "wants a file or a folder", &Trial::authorities},
    {"verify", "wants none, peer or required"},
    {"verify_host", "wants 0 or 1"},
    {"min_version", "wants 1.2 or 1.3"},
    {"ciphers", "wants ciphers of TLS 1.2 that encrypt, as 'openssl ciphers' lists them", &Trial::ciphers},
    {"ciphersuites", "wants cipher suites of TLS 1.3, as TLS_AES_256_GCM_SHA384", &Trial::ciphersuites},
    {"groups", "wants groups that OpenSSL knows, as X25519:P-256", &Trial::groups},
    {"crl", "wants a file", &Trial::lists},
    {"ocsp_response", "wants a file", &Trial::ocsp_response},
    {"ocsp", "wants off, if_stapled or required"},
    {"resumption", "wants 0 or 1"},
};

/// Like a client, in whatever case it is written.
const Option& find(std::string_view name) {
  const auto same = [](char a, char b) { return a == (b >= 'A' && b <= 'Z' ? b - 'A' + 'a' : b); };
  std::string all;
  for (const Option& each : options) {
    if (std::ranges::equal(std::string_view(each.name), name, same)) return each;
    all += (all.empty() ? "" : ", ") + std::string(each.name);
  }
  throw Problem("option ssliop." + std::string(name) + ": ssliop has no such option; it has " + all);
}

/// The words in the order of the values. False: it is none of them.
template <typename Value>
bool read_word(std::string_view value, std::initializer_list<std::string_view> words, Value& into) {
  const auto* const found = std::ranges::find(words, value);
  if (found != words.end()) into = static_cast<Value>(found - words.begin());
  return found != words.end();
}

bool read_switch(std::string_view value, bool& into) {
  int place = 0;
  if (!read_word(value, {"0", "1", "no", "yes", "false", "true", "off", "on"}, place)) return false;
  into = place % 2 == 1;
  return true;
}

bool read_value(Trial& trial, const Option& option, const std::string& value) {
  if (option.text != nullptr) {
    trial.*option.text = value;
    return !value.empty();
  }
  const std::string_view name = option.name;
  bool ignored = false;
  if (name == "verify") return read_word(value, {"none", "peer", "required"}, trial.verify);
  if (name == "verify_host") return read_switch(value, trial.verify_host);
  if (name == "min_version") return read_word(value, {"1.2", "1.3"}, trial.tls_1_3_only);
  if (name == "ocsp") return read_word(value, {"off", "if_stapled", "required"}, trial.ocsp);
  return read_switch(value, ignored);  // resumption
}

void check_file(const char* option, const std::string& path, bool may_be_folder = false) {
  if (path.empty()) return;
  const net::Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!file) wrong_option(option, path, "cannot be read: " + os_error_text(errno));
  struct stat about{};
  if (!may_be_folder && ::fstat(file.get(), &about) == 0 && S_ISDIR(about.st_mode))
    wrong_option(option, path, "wants a file, and this is a folder");
}

bool all_encrypt(const SSL_CTX& context) {
  const STACK_OF(SSL_CIPHER)* const all = ::SSL_CTX_get_ciphers(&context);
  for (int i = 0; i < sk_SSL_CIPHER_num(all); ++i) {
    if (::SSL_CIPHER_get_bits(sk_SSL_CIPHER_value(all, i), nullptr) == 0) return false;
  }
  return true;
}

}  // namespace

void wrong_option(const std::string& name, const std::string& value, const std::string& cause) {
  throw Problem("option ssliop." + name + "=" + value + ": " + cause);
}

bool set_option(Trial& trial, std::string_view text) {
  const std::size_t sign = text.find('=');
  if (!text.starts_with("ssliop.") || sign == std::string_view::npos)
    throw Problem("'" + std::string(text) + "': write ssliop.OPTION=VALUE, as in tenon-ssliop(7)");
  const Option& option = find(text.substr(7, sign - 7));
  const std::string value(text.substr(sign + 1));
  if (!read_value(trial, option, value)) wrong_option(option.name, value, option.wants);
  const std::string_view name = option.name;
  return name != "ocsp_response" && name != "resumption";
}

void check_options(const Trial& trial) {
  check_file("certificate", trial.certificate);
  check_file("key", trial.key);
  check_file("key_password_file", trial.key_password_file);
  check_file("authorities", trial.authorities, true);
  check_file("crl", trial.lists);
  check_file("ocsp_response", trial.ocsp_response);
  const std::string& variable = trial.key_password_env;
  if (!variable.empty() && std::getenv(variable.c_str()) == nullptr)
    wrong_option("key_password_env", variable, "there is no such variable in the environment");
  if (trial.certificate.empty() && !trial.key.empty())
    wrong_option("key", trial.key, "a key without ssliop.certificate has no use");
  if (trial.verify == Verify::required && trial.authorities.empty())
    wrong_option("verify", "required", "wants ssliop.authorities, too");
  constexpr const char* unseen = "with ssliop.verify=none no certificate is looked at; give one of the two";
  if (trial.verify == Verify::none && !trial.lists.empty()) wrong_option("crl", trial.lists, unseen);
  if (trial.verify == Verify::none && trial.ocsp != Ocsp::off)
    wrong_option("ocsp", trial.ocsp == Ocsp::required ? "required" : "if_stapled", unseen);
}

void choose_algorithms(SSL_CTX& context, const Trial& trial) {
  ::SSL_CTX_set_min_proto_version(&context, trial.tls_1_3_only ? TLS1_3_VERSION : TLS1_2_VERSION);
  const auto refuse = [](const char* name, const std::string& value) {
    ::ERR_clear_error();
    wrong_option(name, value, find(name).wants);
  };
  const std::string& ciphers = trial.ciphers;
  if (!ciphers.empty() &&
      (::SSL_CTX_set_cipher_list(&context, ciphers.c_str()) != 1 || !all_encrypt(context)))
    refuse("ciphers", ciphers);
  const std::string& suites = trial.ciphersuites;
  if (!suites.empty() && ::SSL_CTX_set_ciphersuites(&context, suites.c_str()) != 1)
    refuse("ciphersuites", suites);
  if (!trial.groups.empty() && SSL_CTX_set1_groups_list(&context, trial.groups.c_str()) != 1)
    refuse("groups", trial.groups);
}

}  // namespace tenon::cert
