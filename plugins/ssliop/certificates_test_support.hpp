// SPDX-License-Identifier: Apache-2.0
//
// Authorities and certificates for tests, made when they are needed, so that none expires in the repository. One thread at a time.
#pragma once

#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>
#include <unistd.h>

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace tenon::ssliop {

struct FreeKey {
  void operator()(EVP_PKEY* key) const noexcept { ::EVP_PKEY_free(key); }
};
struct FreeCertificate {
  void operator()(X509* certificate) const noexcept { ::X509_free(certificate); }
};

struct Signed {
  std::unique_ptr<EVP_PKEY, FreeKey> key;
  std::unique_ptr<X509, FreeCertificate> certificate;
};

struct Wanted {
  std::string_view name;                                    ///< its common name
  const char* hosts = "DNS:localhost,IP:127.0.0.1,IP:::1";  ///< as subjectAltName has it; null: an authority
  long begins_s = -3600;                                    ///< seconds from now
  long ends_s = 3600;
};

inline void add_extension(X509& certificate, int which, const char* value) {
  X509_EXTENSION* const made = ::X509V3_EXT_conf_nid(nullptr, nullptr, which, value);
  ASSERT_NE(made, nullptr) << value;
  ::X509_add_ext(&certificate, made, -1);
  ::X509_EXTENSION_free(made);
}

/// Null `by`: it signs itself.
inline Signed make_certificate(const Wanted& wanted, const Signed* by) {
  static long number = ::getpid();
  Signed made{std::unique_ptr<EVP_PKEY, FreeKey>(EVP_EC_gen("P-256")),
              std::unique_ptr<X509, FreeCertificate>(::X509_new())};
  X509* const it = made.certificate.get();
  ::X509_set_version(it, 2);
  ::ASN1_INTEGER_set(::X509_get_serialNumber(it), ++number);
  ::X509_gmtime_adj(::X509_getm_notBefore(it), wanted.begins_s);
  ::X509_gmtime_adj(::X509_getm_notAfter(it), wanted.ends_s);
  const std::string name(wanted.name);
  ::X509_NAME_add_entry_by_txt(::X509_get_subject_name(it), "CN", MBSTRING_UTF8,
                               reinterpret_cast<const unsigned char*>(name.c_str()), -1, -1, 0);
  ::X509_set_issuer_name(it, ::X509_get_subject_name(by != nullptr ? by->certificate.get() : it));
  ::X509_set_pubkey(it, made.key.get());
  if (wanted.hosts == nullptr) {
    add_extension(*it, NID_basic_constraints, "critical,CA:TRUE");
  } else {
    add_extension(*it, NID_subject_alt_name, wanted.hosts);
  }
  EXPECT_GT(::X509_sign(it, by != nullptr ? by->key.get() : made.key.get(), ::EVP_sha256()), 0);
  return made;
}

/// Files of PEM in a folder that goes with this object. A child process finds its parent's in the environment (share()).
class Folder {
 public:
  Folder() {
    std::string name = ::testing::TempDir() + "tenon-tls-XXXXXX";
    path_ = ::mkdtemp(name.data()) != nullptr ? name : "";
    EXPECT_FALSE(path_.empty());
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  std::string path(std::string_view name) const { return path_ + "/" + std::string(name); }

  /// NAME.pem and NAME.key, which has a password if there is one; returns the path without its ending.
  std::string write(std::string_view name, const Signed& what, const char* password = nullptr) const {
    const std::string both = path(name);
    if (std::FILE* const file = std::fopen((both + ".pem").c_str(), "we")) {
      ::PEM_write_X509(file, what.certificate.get());
      std::fclose(file);
    }
    if (std::FILE* const file = std::fopen((both + ".key").c_str(), "we")) {
      const auto* const text = reinterpret_cast<const unsigned char*>(password);
      ::PEM_write_PrivateKey(file, what.key.get(), password != nullptr ? ::EVP_aes_128_cbc() : nullptr, text,
                             password != nullptr ? static_cast<int>(std::string_view(password).size()) : 0,
                             nullptr, nullptr);
      std::fclose(file);
    }
    return both;
  }
  std::string write_text(std::string_view name, std::string_view text) const {
    if (std::FILE* const file = std::fopen(path(name).c_str(), "we")) {
      std::fwrite(text.data(), 1, text.size(), file);
      std::fclose(file);
    }
    return path(name);
  }

 private:
  std::string path_;
};

/// What most tests need: an authority, and a server and a client that it has signed.
struct World {
  World() {
    folder.write("ca", ca);
    folder.write("server", make_certificate({.name = "a server"}, &ca));
    folder.write("client", make_certificate({.name = "a client", .hosts = "DNS:client.test"}, &ca));
  }
  std::string ca_file() const { return folder.path("ca.pem"); }

  Folder folder;
  Signed ca = make_certificate({.name = "the authority", .hosts = nullptr}, nullptr);
};

}  // namespace tenon::ssliop
