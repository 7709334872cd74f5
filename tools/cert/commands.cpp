// SPDX-License-Identifier: Apache-2.0
#include "tools/cert/commands.hpp"

#include <algorithm>
#include <filesystem>

#include "base/error_text.hpp"
#include "tools/cert/files.hpp"
#include "tools/cert/words.hpp"

namespace tenon::cert {
namespace {

std::string path_in(const Place& place, const std::string& name) {
  return place.folder == "." ? name : (std::filesystem::path(place.folder) / name).string();
}

/// What options name: programs may start in another folder.
std::string absolute(const std::string& path) {
  std::error_code ignored;
  const std::filesystem::path whole = std::filesystem::absolute(path, ignored).lexically_normal();
  return quoted(ignored ? path : whole.string());
}

std::string option(const std::string& name, const std::string& path) {
  return "  -ORBProtocolOption ssliop." + name + "=" + absolute(path) + "\n";
}

/// libtenon-ssliop.so beside this program, where an installation has it.
std::string plugin_options() {
  std::error_code ignored;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", ignored);
  const std::filesystem::path library =
      (program.parent_path().parent_path() / TENON_LIBRARY_FOLDER / "tenon/libtenon-ssliop.so")
          .lexically_normal();
  const bool is_there = !ignored && std::filesystem::exists(library, ignored);
  return "  -ORBProtocolLibrary " + quoted(is_there ? library.string() : "libtenon-ssliop.so") + "\n";
}

Issued read_authority(const Place& place) {
  const std::string path = path_in(place, "authority.pem");
  if (!exists(path)) throw Problem(path + ": there is no authority yet; 'tenon-cert authority' makes one");
  Issued authority{read_certificate(path), nullptr};
  const std::string wrong = wrong_with_authority(*authority.certificate, std::time(nullptr));
  if (!wrong.empty()) throw Problem(path + ": " + wrong);
  const std::string key_path = path_in(place, "authority.key");
  authority.key = read_key(key_path, password_in(place.authority_password_file, "--authority-password-file"));
  if (::X509_check_private_key(authority.certificate.get(), authority.key.get()) != 1)
    throw Problem(key_path + ": this is not the key of " + path);
  return authority;
}

/// A name as a file may have it: nothing that leads elsewhere, is hidden or looks like an option.
std::string file_stem(const std::string& wanted, const std::string& otherwise) {
  if (wanted.find('/') != std::string::npos)
    throw Problem("'" + wanted + "' is no name for files: it has a '/'; --dir names their folder");
  std::string stem = wanted.empty() ? otherwise : wanted;
  for (char& c : stem) {
    const bool good = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                      c == '.' || c == '_' || c == '-' || c == '@';
    if (!good) c = '_';
  }
  if (stem.front() == '.' || stem.front() == '-') stem.front() = '_';
  if (stem == "authority")
    throw Problem("'authority' is the name of the authority's own files; give another one by --out");
  return stem;
}

struct Files {
  std::string certificate;
  std::string key;
};

Files files_of(const Place& place, const std::string& stem) {
  return {path_in(place, stem + ".pem"), path_in(place, stem + ".key")};
}

/// Before anything is made, so that a certificate never stands beside the key of another one.
void refuse_existing(const Place& place, const Files& files) {
  for (const std::string& path : {files.certificate, files.key}) {
    if (!place.replace && exists(path)) throw Problem(path + ": is there already; --force replaces it");
    if (std::filesystem::is_directory(path)) throw Problem(path + ": cannot be written: it is a folder");
  }
}

/// The key first: a certificate without its key is of no use.
void write_pair(const Place& place, const Files& files, const Issued& made) {
  const std::string password = place.password_file.empty() ? "" : read_password(place.password_file);
  write_file(files.key, pem_of(*made.key, password), Access::owner, place.replace);
  try {
    write_file(files.certificate, pem_of(*made.certificate), Access::everybody, place.replace);
  } catch (const Problem&) {
    std::error_code ignored;
    std::filesystem::remove(files.key, ignored);  // it would stand in the way of the next try
    throw;
  }
}

std::string pair_text(const Files& files, const Issued& made) {
  return files.certificate + ": certificate of " + subject_text(*made.certificate) + ", " +
         validity_text(*made.certificate, std::time(nullptr)) + "\n" + files.key +
         ": its key; only you can read it, keep it so\n";
}

std::string own_options(const Place& place, const Files& files) {
  std::string text = option("certificate", files.certificate) + option("key", files.key);
  if (!place.password_file.empty()) text += option("key_password_file", place.password_file);
  return text;
}

std::string shortened(const Place& place, const Issued& authority) {
  const std::time_t ends = time_of(::X509_get0_notAfter(authority.certificate.get()));
  if (ends >= valid_for(place.days).ends) return "";
  return "It ends with its authority, on " + time_text(ends) + ".\n";
}

/// An endpoint whose references name a host that the certificate is for.
std::string endpoint_of(const std::vector<Host>& hosts, bool is_this_machine) {
  const std::string& first = hosts.front().text;
  const std::string host = first.find(':') != std::string::npos ? "[" + first + "]" : first;
  if (is_this_machine || first.starts_with('*')) return "ssliop://:2810";
  if (first == "localhost" || first == "::1" || first.starts_with("127."))
    return "ssliop://" + host + ":2810";
  return "ssliop://:2810/publish=" + host + ":2810";
}

std::string listed_hosts(const X509& certificate) {
  return listed(alternative_names(certificate), "no host");
}

}  // namespace

std::string new_authority(const Place& place, const std::string& name) {
  std::error_code cause;
  std::filesystem::create_directories(place.folder, cause);
  if (cause) throw Problem(place.folder + ": the folder cannot be made: " + os_error_text(cause.value()));
  const Files files = files_of(place, "authority");
  refuse_existing(place, files);
  const Issued made = make_authority(name, valid_for(place.days), place.kind);
  write_pair(place, files, made);
  return pair_text(files, made) +
         "Whoever has the key can be any server and any client: it belongs on no other machine.\n"
         "Every server and client gets the certificate:\n" +
         option("authorities", files.certificate);
}

std::string new_server(const Place& place, const std::vector<std::string>& hosts, const std::string& name,
                       const std::string& file) {
  Wanted wanted{.name = name,
                .hosts = read_hosts(hosts.empty() ? this_machine() : hosts),
                .mail = "",
                .validity = valid_for(place.days),
                .kind = place.kind};
  const std::string& first = wanted.hosts.front().text;
  if (wanted.name.empty()) wanted.name = first.size() <= 64 ? first : "server";
  const Files files = files_of(place, file_stem(file, first));
  const Issued authority = read_authority(place);
  refuse_existing(place, files);
  const Issued made = make_certificate(authority, wanted);
  write_pair(place, files, made);
  return pair_text(files, made) + shortened(place, authority) + "It is for " +
         listed_hosts(*made.certificate) + ".\nOptions of the server:\n" + plugin_options() +
         "  -ORBListenEndpoints " + endpoint_of(wanted.hosts, hosts.empty()) + "\n" +
         own_options(place, files) + "Only clients with a certificate of this authority, too:\n" +
         option("authorities", path_in(place, "authority.pem")) +
         "  -ORBProtocolOption ssliop.verify=required\n" + "Options of clients:\n" + plugin_options() +
         "  -ORBProtocol ssliop\n" + option("authorities", path_in(place, "authority.pem"));
}

std::string new_client(const Place& place, const std::string& name, const std::vector<std::string>& hosts,
                       const std::string& file) {
  check_common_name(name);
  const Wanted wanted{.name = name,
                      .hosts = read_hosts(hosts),
                      .mail = name.find('@') != std::string::npos ? name : "",
                      .validity = valid_for(place.days),
                      .kind = place.kind};
  if (std::any_of(wanted.mail.begin(), wanted.mail.end(),
                  [](char c) { return static_cast<unsigned char>(c) >= 0x80; }))
    throw Problem("'" + name + "' is no mail address in ASCII, as a certificate has it");
  const Files files = files_of(place, file_stem(file, name));
  const Issued authority = read_authority(place);
  refuse_existing(place, files);
  const Issued made = make_certificate(authority, wanted);
  write_pair(place, files, made);
  std::string text = pair_text(files, made) + shortened(place, authority);
  if (!hosts.empty()) text += "As a server it is for " + listed_hosts(*made.certificate) + ".\n";
  return text + "Options of the client:\n" + plugin_options() + "  -ORBProtocol ssliop\n" +
         own_options(place, files) + option("authorities", path_in(place, "authority.pem"));
}

std::string revoke(const Place& place, const std::string& path) {
  const Issued authority = read_authority(place);
  const std::string list_path = path_in(place, "authority.crl");
  const RevocationList old = exists(list_path) ? read_revocation_list(list_path) : nullptr;
  if (old && ::X509_CRL_verify(old.get(), authority.key.get()) != 1)
    throw Problem(list_path + ": this list is not of " + path_in(place, "authority.pem") + "; move it away");
  const Certificate revoked = path.empty() ? nullptr : read_certificate(path);
  if (revoked && !has_issued(*authority.certificate, *revoked))
    throw Problem(path + ": it was issued by " + issuer_text(*revoked) + ", not by this authority (" +
                  path_in(place, "authority.pem") + ")");
  const auto since = revoked && old ? revoked_since(*old, *revoked) : std::nullopt;
  if (since) throw Problem(path + ": it is revoked already, since " + time_text(*since));
  const RevocationList made =
      make_revocation_list(authority, old.get(), revoked.get(), valid_for(place.days));
  write_file(list_path, pem_of(*made), Access::everybody, true);
  // OpenSSL counts -1 where there is no list at all.
  const int count = std::max(sk_X509_REVOKED_num(::X509_CRL_get_REVOKED(made.get())), 0);
  return (revoked ? path + ": revoked is " + subject_text(*revoked) + "\n" : "") + list_path +
         ": the authority's list, with " + std::to_string(count) +
         (count == 1 ? " certificate" : " certificates") + ", until " +
         time_text(time_of(::X509_CRL_get0_nextUpdate(made.get()))) +
         "\nGive it to every server and client that checks lists; 'tenon-cert revoke' without a file makes "
         "it anew "
         "before it ends.\n";
}

}  // namespace tenon::cert
