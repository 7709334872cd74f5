// SPDX-License-Identifier: Apache-2.0
#include "tools/cert/files.hpp"

#include <fcntl.h>
#include <openssl/err.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <filesystem>

#include "base/error_text.hpp"
#include "net/descriptor.hpp"

namespace tenon::cert {
namespace {

[[noreturn]] void fail(const std::string& path, const std::string& cause) {
  throw Problem(path + ": " + cause);
}
[[noreturn]] void fail_with_errno(const std::string& path, const char* what) {
  fail(path, what + (": " + os_error_text(errno)));
}

Bio reader_of(const std::string& text) {
  Bio from(::BIO_new_mem_buf(text.data(), static_cast<int>(text.size())));
  must(from != nullptr, "no memory");
  return from;
}

std::string text_of(const Bio& made) {
  char* data = nullptr;
  const long size = ::BIO_get_mem_data(made.get(), &data);
  return {data, static_cast<std::size_t>(std::max(size, 0L))};
}

struct Asked {
  std::string password;
  bool asked = false;
};

/// For OpenSSL, which must not ask at the terminal.
int give(char* into, int room, int, void* given) {
  auto& all = *static_cast<Asked*>(given);
  all.asked = true;
  const std::size_t size = all.password.size();
  if (size == 0 || size > static_cast<std::size_t>(room)) return -1;
  std::ranges::copy(all.password, into);
  return static_cast<int>(size);
}

}  // namespace

bool exists(const std::string& path) {
  struct stat about{};
  return ::lstat(path.c_str(), &about) == 0;
}

std::string read_file(const std::string& path) {
  constexpr std::size_t most = 1 << 20;
  const net::Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file) fail_with_errno(path, "cannot be read");
  std::string text;
  std::array<char, 16384> piece{};
  for (;;) {
    const ssize_t count = ::read(file.get(), piece.data(), piece.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail_with_errno(path, "cannot be read");
    if (count == 0) return text;
    text.append(piece.data(), static_cast<std::size_t>(count));
    if (text.size() > most) fail(path, "is longer than 1 MiB, so it is no file of certificates");
  }
}

std::vector<Certificate> certificates_in(const std::string& text, const std::string& path) {
  std::vector<Certificate> found;
  const Bio from = reader_of(text);
  ::ERR_clear_error();
  while (X509* const each = ::PEM_read_bio_X509(from.get(), nullptr, nullptr, nullptr))
    found.emplace_back(each);
  const unsigned long error = ::ERR_peek_last_error();
  const bool at_end = ERR_GET_LIB(error) == ERR_LIB_PEM && ERR_GET_REASON(error) == PEM_R_NO_START_LINE;
  const std::string cause = newest_error();
  if (!at_end)
    fail(path, "certificate " + std::to_string(found.size() + 1) + " in it is damaged (" + cause + ")");
  return found;
}

Certificate read_certificate(const std::string& path) {
  std::vector<Certificate> found = certificates_in(read_file(path), path);
  if (found.empty()) fail(path, "has no certificate in PEM");
  return std::move(found.front());
}

std::string read_password(const std::string& path) {
  const std::string text = read_file(path);
  std::string password = text.substr(0, std::min(text.find_first_of("\r\n"), text.size()));
  if (password.empty()) fail(path, "its first line is empty; it should be a password");
  return password;
}

Password password_in(const std::string& path, const std::string& option) {
  return {path.empty() ? "" : read_password(path), "in " + path, option + " FILE"};
}

Key read_key(const std::string& path, const Password& password) {
  Asked all{password.text};
  const std::string text = read_file(path);
  const Bio from = reader_of(text);
  Key key(::PEM_read_bio_PrivateKey(from.get(), nullptr, give, &all));
  const std::string cause = newest_error();
  if (key) return key;
  if (!all.asked) fail(path, "no key in PEM can be read from it (" + cause + ")");
  if (password.text.empty()) throw Locked(path + ": the key has a password; give " + password.option);
  fail(path, "the password " + password.origin + " is not that of the key");
}

RevocationList read_revocation_list(const std::string& path) {
  const std::string text = read_file(path);
  const Bio from = reader_of(text);
  RevocationList list(::PEM_read_bio_X509_CRL(from.get(), nullptr, nullptr, nullptr));
  if (!list) fail(path, "no revocation list in PEM can be read from it (" + newest_error() + ")");
  return list;
}

std::string pem_of(X509& certificate) {
  const Bio into(::BIO_new(::BIO_s_mem()));
  must(into && ::PEM_write_bio_X509(into.get(), &certificate) == 1, "the certificate cannot be written");
  return text_of(into);
}

std::string pem_of(X509_CRL& list) {
  const Bio into(::BIO_new(::BIO_s_mem()));
  must(into && ::PEM_write_bio_X509_CRL(into.get(), &list) == 1, "the list cannot be written");
  return text_of(into);
}

std::string pem_of(EVP_PKEY& key, const std::string& password) {
  const Bio into(::BIO_new(::BIO_s_mem()));
  must(into &&
           ::PEM_write_bio_PKCS8PrivateKey(into.get(), &key, password.empty() ? nullptr : ::EVP_aes_256_cbc(),
                                           password.empty() ? nullptr : password.data(),
                                           static_cast<int>(password.size()), nullptr, nullptr) == 1,
       "the key cannot be written");
  return text_of(into);
}

namespace {

/// Writes and closes; on failure the file goes, and errno says why.
bool fill(net::Descriptor file, const std::string& path, const std::string& text, Access access) {
  bool good = ::fchmod(file.get(), access == Access::owner ? 0600 : 0644) == 0;
  for (std::size_t at = 0; good && at < text.size();) {
    const ssize_t count = ::write(file.get(), text.data() + at, text.size() - at);
    if (count < 0 && errno == EINTR) continue;
    good = count > 0;
    if (good) at += static_cast<std::size_t>(count);
  }
  good = good && ::fsync(file.get()) == 0;
  const int cause = errno;
  if (!good) ::unlink(path.c_str());
  errno = cause;
  return good;
}

}  // namespace

void write_file(const std::string& path, const std::string& text, Access access, bool replace) {
  if (!replace) {
    net::Descriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
    if (!file && errno == EEXIST) fail(path, "is there already; --force replaces it");
    if (!file || !fill(std::move(file), path, text, access)) fail_with_errno(path, "cannot be written");
    return;
  }
  if (std::filesystem::is_directory(path)) fail(path, "cannot be written: it is a folder");
  std::string beside = path + ".XXXXXX";
  net::Descriptor file(::mkostemp(beside.data(), O_CLOEXEC));
  if (!file || !fill(std::move(file), beside, text, access)) fail_with_errno(path, "cannot be written");
  if (::rename(beside.c_str(), path.c_str()) == 0) return;
  const int cause = errno;
  ::unlink(beside.c_str());
  errno = cause;
  fail_with_errno(path, "cannot be written");
}

}  // namespace tenon::cert
