// SPDX-License-Identifier: Apache-2.0
#include "tools/cert/trial.hpp"

#include <openssl/err.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <optional>

#include "base/trail.hpp"
#include "net/connect.hpp"
#include "net/host_names.hpp"
#include "tools/cert/faults.hpp"
#include "tools/cert/files.hpp"
#include "tools/cert/ocsp.hpp"
#include "tools/cert/options.hpp"
#include "tools/cert/words.hpp"

namespace tenon::cert {
namespace {

/// What is said: what was seen, and what would help.
struct Report {
  std::string seen;
  std::string help;

  void see(const std::string& line) { seen += "  " + line + "\n"; }
  void wrong(const Sentence& sentence) {
    see("WRONG: " + sentence.what);
    if (!sentence.help.empty()) help += "  " + sentence.help + "\n";
  }
  std::string text() const { return seen + (help.empty() ? "" : "what would help:\n" + help); }
};

struct Heard {
  std::vector<Fault> faults;
  bool asked = false;  ///< for a client's certificate
};

bool is_about_issuer(int error) {
  return error == X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT ||
         error == X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY ||
         error == X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE ||
         error == X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN || error == X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT ||
         error == X509_V_ERR_CERT_SIGNATURE_FAILURE;
}

/// For OpenSSL, for each certificate that it looks at: notes each fault once, and lets it go on.
int note_fault(int good, X509_STORE_CTX* chain) {
  if (good == 1) return 1;
  const auto* const session =
      static_cast<SSL*>(::X509_STORE_CTX_get_ex_data(chain, ::SSL_get_ex_data_X509_STORE_CTX_idx()));
  auto& heard = *static_cast<Heard*>(SSL_get_app_data(session));
  const int error = ::X509_STORE_CTX_get_error(chain);
  const int depth = ::X509_STORE_CTX_get_error_depth(chain);
  for (const Fault& each : heard.faults) {
    if ((each.error == error && each.depth == depth) ||
        (is_about_issuer(each.error) && is_about_issuer(error)))
      return 1;
  }
  X509* const certificate = ::X509_STORE_CTX_get_current_cert(chain);
  if (certificate != nullptr) ::X509_up_ref(certificate);
  heard.faults.push_back({error, depth, Certificate(certificate)});
  return 1;
}

/// For OpenSSL, when the server asks for a certificate. Which one this side has stays as it is.
int note_question(SSL* session, void*) {
  static_cast<Heard*>(SSL_get_app_data(session))->asked = true;
  return 1;
}

bool is_folder(const std::string& path) {
  struct stat about{};
  return ::stat(path.c_str(), &about) == 0 && S_ISDIR(about.st_mode);
}

void load_authorities(SSL_CTX& context, const Trial& trial) {
  const std::string& path = trial.authorities;
  if (path.empty())
    return must(::SSL_CTX_set_default_verify_paths(&context) == 1, "the system's authorities");
  if (!is_folder(path) && certificates_in(read_file(path), path).empty())
    wrong_option("authorities", path, "has no certificate in PEM");
  const int loaded = is_folder(path) ? ::SSL_CTX_load_verify_dir(&context, path.c_str())
                                     : ::SSL_CTX_load_verify_file(&context, path.c_str());
  if (loaded != 1) wrong_option("authorities", path, newest_error());
}

void load_lists(SSL_CTX& context, const Trial& trial) {
  if (trial.lists.empty()) return;
  X509_STORE* const store = ::SSL_CTX_get_cert_store(&context);
  X509_LOOKUP* const files = ::X509_STORE_add_lookup(store, ::X509_LOOKUP_file());
  if (files == nullptr || ::X509_load_crl_file(files, trial.lists.c_str(), X509_FILETYPE_PEM) < 1)
    wrong_option("crl", trial.lists,
                 "no revocation list in PEM can be read from it (" + newest_error() + ")");
  // As with a client, each authority of the chain must have a list.
  ::X509_STORE_set_flags(store, X509_V_FLAG_CRL_CHECK | X509_V_FLAG_CRL_CHECK_ALL);
  ::ERR_clear_error();
}

/// A file goes before a variable, as with a client.
Password password_of(const Trial& trial) {
  const std::string option =
      "-ORBProtocolOption ssliop.key_password_file=FILE, or ssliop.key_password_env=NAME";
  const std::string& name = trial.key_password_env;
  if (!trial.key_password_file.empty() || name.empty()) {
    Password password = password_in(trial.key_password_file, "");
    password.option = option;
    return password;
  }
  const char* const value = std::getenv(name.c_str());
  return {value != nullptr ? value : "", "in the variable " + name, option};
}

void load_own(SSL_CTX& context, const Trial& trial) {
  if (trial.certificate.empty()) return;
  (void)read_certificate(trial.certificate);
  if (::SSL_CTX_use_certificate_chain_file(&context, trial.certificate.c_str()) != 1)
    wrong_option("certificate", trial.certificate, newest_error());
  const std::string& path = trial.key.empty() ? trial.certificate : trial.key;
  const Key key = read_key(path, password_of(trial));
  if (::SSL_CTX_use_PrivateKey(&context, key.get()) != 1)
    wrong_option("key", path, "this is not the key of the certificate");
}

SessionContext make_session_context(const Trial& trial) {
  SessionContext context(::SSL_CTX_new(::TLS_client_method()));
  must(context != nullptr, "OpenSSL makes no context");
  choose_algorithms(*context, trial);
  ::SSL_CTX_set_verify(context.get(), SSL_VERIFY_PEER, note_fault);
  ::SSL_CTX_set_cert_cb(context.get(), note_question, nullptr);
  load_authorities(*context, trial);
  load_lists(*context, trial);
  load_own(*context, trial);
  return context;
}

Known known_of(const Trial& trial) {
  Known known{trial.host, trial.authorities, {}};
  if (trial.authorities.empty() || is_folder(trial.authorities)) return known;
  for (const Certificate& each : certificates_in(read_file(trial.authorities), trial.authorities))
    known.authority_names.push_back(subject_text(*each));
  return known;
}

Shown shown_of(const Trial& trial) {
  if (trial.certificate.empty()) return {};
  const Certificate own = read_certificate(trial.certificate);
  return {false, subject_text(*own), issuer_text(*own)};
}

/// A socket that gives up after that time; none: `report` says why.
net::Descriptor connect(const Trial& trial, Report& report) {
  const net::HostPort where{trial.host, trial.port};
  const Deadline deadline = Deadline::after_ms(trial.timeout_ms);
  net::HostNames names(net::system_names());
  std::vector<net::SocketAddress> addresses;
  if (const auto numeric = net::numeric_address(where)) {
    addresses.push_back(*numeric);
  } else {
    net::HostNames::Answer answer = names.addresses(where, deadline);
    addresses = std::move(answer.addresses);
    if (addresses.empty()) {
      report.see("the host has no address: " +
                 (answer.why.empty() ? "the name service has not answered" : answer.why));
      return {};
    }
  }
  int os_error = 0;
  const std::int64_t began = steady_now();
  net::Descriptor socket = net::connect_stream(addresses, deadline, os_error);
  if (!socket) {
    report.see("no connection: " + net::error_text(os_error));
    return {};
  }
  report.see("connected to " + net::peer_address(socket.get()).text() + " in " +
             duration_text(steady_now() - began));
  const timeval limit{trial.timeout_ms / 1000, (trial.timeout_ms % 1000) * 1000};
  ::setsockopt(socket.get(), SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
  ::setsockopt(socket.get(), SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
  return socket;
}

/// After a step of OpenSSL that has failed.
Sentence failure(SSL& session, int result, int os_error, const Shown& shown) {
  const int kind = ::SSL_get_error(&session, result);
  const unsigned long code = ::ERR_peek_last_error();
  const int reason = ERR_GET_REASON(code);
  const bool of_tls = code != 0 && ERR_GET_LIB(code) == ERR_LIB_SSL;
  if (of_tls && reason > SSL_AD_REASON_OFFSET) return alert_in_words(reason - SSL_AD_REASON_OFFSET, shown);
  if (of_tls && (reason == SSL_R_WRONG_VERSION_NUMBER || reason == SSL_R_HTTP_REQUEST ||
                 reason == SSL_R_PACKET_LENGTH_TOO_LONG))
    return {"what the server sends is not TLS",
            "this port is one for connections in the clear, or of another program"};
  if (of_tls && (reason == SSL_R_UNSUPPORTED_PROTOCOL || reason == SSL_R_VERSION_TOO_LOW))
    return {"this side refuses the server's version of TLS", "compare ssliop.min_version of both sides"};
  if (kind == SSL_ERROR_WANT_READ || kind == SSL_ERROR_WANT_WRITE ||
      (kind == SSL_ERROR_SYSCALL && (os_error == EAGAIN || os_error == EWOULDBLOCK)))
    return {"the server has not answered in time",
            "it may wait for a client in the clear, be overloaded, or be another program"};
  if (kind == SSL_ERROR_ZERO_RETURN || (of_tls && reason == SSL_R_UNEXPECTED_EOF_WHILE_READING) ||
      (kind == SSL_ERROR_SYSCALL && os_error == 0))
    return {"the server has ended the connection without a word",
            "its log may say why; it may take no TLS at this port"};
  if (kind == SSL_ERROR_SYSCALL)
    return {"the connection broke: " + net::error_text(os_error), "the server's log may say why"};
  return {"OpenSSL says: " + newest_error(), ""};
}

void see_certificates(const SSL& session, Report& report) {
  STACK_OF(X509)* const chain = ::SSL_get_peer_cert_chain(&session);
  for (int i = 0; i < sk_X509_num(chain); ++i) {
    const X509& each = *sk_X509_value(chain, i);
    report.see((i == 0 ? "the server is " : "behind that it sends ") + subject_text(each) + ", issued by " +
               issuer_text(each));
    if (i == 0) report.see("  for " + listed(alternative_names(each), "no host"));
    report.see("  " + validity_text(each, std::time(nullptr)));
    if (i == 0) report.see("  fingerprint " + fingerprint_text(each));
  }
}

void see_question(const SSL& session, const Trial& trial, Report& report) {
  std::vector<std::string> names;
  const STACK_OF(X509_NAME)* const list = ::SSL_get0_peer_CA_list(&session);
  for (int i = 0; i < sk_X509_NAME_num(list); ++i) names.push_back(name_text(sk_X509_NAME_value(list, i)));
  report.see("it asks for a client's certificate, of " + listed(names, "any authority") +
             (trial.certificate.empty() ? "; this side has none (ssliop.certificate)" : ""));
}

void put(std::string& into, std::uint32_t value) {
  for (int shift = 24; shift >= 0; shift -= 8) into += static_cast<char>(value >> shift & 0xff);
}

/// GIOP §9.4.5 LocateRequest in big endian, as the one message of a connection.
std::string locate_request(const Trial& trial) {
  const std::string key =
      trial.object_key.empty() ? "?" : std::string(trial.object_key.begin(), trial.object_key.end());
  std::string body;
  put(body, 1);                        // request id
  if (trial.minor >= 2) put(body, 0);  // KeyAddr, and padding
  put(body, static_cast<std::uint32_t>(key.size()));
  body += key;
  std::string message = "GIOP";
  message += '\1';
  message += static_cast<char>(trial.minor);
  message += '\0';
  message += '\3';
  put(message, static_cast<std::uint32_t>(body.size()));
  return message + body;
}

std::uint32_t word_at(const std::string& octets, std::size_t at, bool little) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < 4; ++i)
    value |= static_cast<std::uint32_t>(static_cast<std::uint8_t>(octets[at + i]))
             << 8 * (little ? i : 3 - i);
  return value;
}

/// False: `result` and errno are of the step that failed.
bool read_whole(SSL& session, std::string& into, std::size_t size, int& result) {
  while (into.size() < size) {
    std::array<char, 4096> piece{};
    const std::size_t room = std::min(piece.size(), size - into.size());
    errno = 0;
    result = ::SSL_read(&session, piece.data(), static_cast<int>(room));
    if (result <= 0) return false;
    into.append(piece.data(), static_cast<std::size_t>(result));
  }
  return true;
}

/// What a server says to a LocateRequest. True: it has the object, or knows where it is, or none was meant.
bool see_answer(const std::string& head, const std::string& body, const Trial& trial, Report& report) {
  constexpr char locate_reply = 4;
  if (!head.starts_with("GIOP")) {
    report.wrong({"what the server sends is not GIOP", "the port is another program's"});
    return false;
  }
  if (head[7] != locate_reply || body.size() < 8) {
    report.see("the server speaks GIOP, and answers with a message of type " + std::to_string(head[7]));
    return trial.object_key.empty();
  }
  if (trial.object_key.empty()) {
    report.see("the server speaks GIOP; nothing was asked about an object");
    return true;
  }
  switch (word_at(body, 4, (head[6] & 1) != 0)) {
    case 0:
      report.wrong({"the server does not know the object",
                    "the object is gone, or the reference is older than the server: get a new reference"});
      return false;
    case 1: report.see("the object is here"); return true;
    case 2:
    case 3: report.see("the server says that the object is elsewhere"); return true;
    default: report.see("the server answers, and does not say whether it has the object"); return true;
  }
}

/// With TLS 1.3 a server refuses a client's certificate only now.
bool ask(SSL& session, const Trial& trial, const Shown& shown, Report& report) {
  const std::string request = locate_request(trial);
  ::ERR_clear_error();
  errno = 0;
  int result = ::SSL_write(&session, request.data(), static_cast<int>(request.size()));
  std::string head;
  std::string body;
  constexpr std::size_t most = 1 << 16;
  bool good = result > 0 && read_whole(session, head, 12, result);
  const std::size_t size = good && head.starts_with("GIOP") ? word_at(head, 8, (head[6] & 1) != 0) : 0;
  good = good && read_whole(session, body, std::min(size, most), result);
  if (!good) {
    report.wrong(failure(session, result, errno, shown));
    return false;
  }
  return see_answer(head, body, trial, report);
}

void want_host(SSL& session, const Trial& trial) {
  X509_VERIFY_PARAM* const wanted = ::SSL_get0_param(&session);
  if (net::in_numbers(trial.host)) {
    if (trial.verify_host) ::X509_VERIFY_PARAM_set1_ip_asc(wanted, trial.host.c_str());
    return;
  }
  ::SSL_set_tlsext_host_name(&session, trial.host.c_str());
  ::X509_VERIFY_PARAM_set_hostflags(wanted, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
  if (trial.verify_host) ::X509_VERIFY_PARAM_set1_host(wanted, trial.host.data(), trial.host.size());
}

/// Whether this side refuses the server, by what it shows of itself.
bool see_faults(const std::vector<Fault>& faults, const Trial& trial, const Known& known, Report& report) {
  for (const Fault& each : faults) {
    Sentence sentence = fault_in_words(each, known);
    if (trial.verify == Verify::none) {
      report.see("this side does not mind, by ssliop.verify=none: " + sentence.what);
      continue;
    }
    sentence.what = "this side refuses the server: " + sentence.what;
    report.wrong(sentence);
  }
  return !faults.empty() && trial.verify != Verify::none;
}

/// The same, by the OCSP response.
bool see_response(SSL& session, const Trial& trial, Report& report) {
  if (trial.ocsp == Ocsp::off) return false;
  const std::optional<std::string> wrong = wrong_with_response(session);
  if (wrong && !wrong->empty()) {
    report.wrong({"this side refuses the server's certificate: " + *wrong,
                  "have the server show its authority's present response (ssliop.ocsp_response)"});
    return true;
  }
  if (wrong || trial.ocsp == Ocsp::if_stapled) {
    report.see(wrong ? "it shows an OCSP response, which is good"
                     : "it shows no OCSP response, which ssliop.ocsp=if_stapled allows");
    return false;
  }
  report.wrong({"this side refuses the server: it shows no OCSP response, which ssliop.ocsp=required wants",
                "have the server show one (ssliop.ocsp_response), or give clients ssliop.ocsp=if_stapled"});
  return true;
}

}  // namespace

std::string try_tls(const Trial& trial, bool& reached) {
  reached = false;
  check_options(trial);
  const SessionContext context = make_session_context(trial);
  const Known known = known_of(trial);
  Shown shown = shown_of(trial);
  Report report;
  report.seen = "TLS at " + net::HostPort{trial.host, trial.port}.text() + ":\n";
  const net::Descriptor socket = connect(trial, report);
  if (!socket) return report.text();
  Heard heard;
  const Session session(::SSL_new(context.get()));
  must(session && ::SSL_set_fd(session.get(), socket.get()) == 1, "OpenSSL makes no session");
  SSL_set_app_data(session.get(), &heard);
  want_host(*session, trial);
  if (trial.ocsp != Ocsp::off) SSL_set_tlsext_status_type(session.get(), TLSEXT_STATUSTYPE_ocsp);
  ::ERR_clear_error();
  errno = 0;
  const int result = ::SSL_connect(session.get());
  shown.asked = heard.asked;
  const Sentence failed = result == 1 ? Sentence() : failure(*session, result, errno, shown);
  see_certificates(*session, report);
  if (heard.asked) see_question(*session, trial, report);
  bool refused = see_faults(heard.faults, trial, known, report);
  if (result != 1) {
    report.wrong(failed);
    return report.text();
  }
  report.see(std::string("they agree on ") + ::SSL_get_version(session.get()) + ", " +
             ::SSL_get_cipher_name(session.get()));
  refused = refused || see_response(*session, trial, report);
  if (!refused) reached = ask(*session, trial, shown, report);
  ::SSL_shutdown(session.get());
  return report.text();
}

}  // namespace tenon::cert
