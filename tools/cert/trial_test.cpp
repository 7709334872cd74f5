// SPDX-License-Identifier: Apache-2.0
//
// What is said of servers that are in order, and of those whose certificates are not: expired, for another host, of an authority that is
// unknown or has been made anew; of servers that want to know the client; and of what is no server of TLS.
#include "tools/cert/trial.hpp"

#include <gtest/gtest.h>
#include <openssl/ocsp.h>
#include <sys/socket.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <thread>

#include "net/address.hpp"
#include "net/descriptor.hpp"
#include "tools/cert/files.hpp"
#include "tools/cert/making.hpp"
#include "tools/cert/words.hpp"

namespace tenon::cert {
namespace {

constexpr std::time_t hour = 3600;

Validity hours(std::time_t begins, std::time_t ends) {
  const std::time_t now = std::time(nullptr);
  return {now + begins * hour, now + ends * hour};
}

/// Accepts one connection in a thread of its own. The first write of a client that is gone must not end the process: SIGPIPE is ignored.
class OneServer {
 public:
  explicit OneServer(std::function<void(int)> serve) {
    const auto loopback = net::numeric_address("127.0.0.1", 0);
    listener_.reset(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    EXPECT_EQ(::bind(listener_.get(), loopback->get(), loopback->size()), 0);
    EXPECT_EQ(::listen(listener_.get(), 1), 0);
    port_ = net::local_address(listener_.get()).port();
    thread_ = std::thread([this, serve = std::move(serve)] {
      const net::Descriptor accepted(::accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC));
      if (accepted) serve(accepted.get());
    });
  }
  ~OneServer() {
    ::shutdown(listener_.get(), SHUT_RDWR);
    thread_.join();
  }
  OneServer(const OneServer&) = delete;
  OneServer& operator=(const OneServer&) = delete;

  std::uint16_t port() const noexcept { return port_; }

 private:
  net::Descriptor listener_;
  std::uint16_t port_ = 0;
  std::thread thread_;
};

struct ServerSettings {
  const X509* wanted_authority = nullptr;  ///< clients must have a certificate of it
  int version = 0;                         ///< 0: any
  std::uint8_t status = 1;                 ///< of its LocateReply: the object is here
  std::string response;                    ///< of OCSP, in DER; empty: it shows none
};

/// For OpenSSL, when a client asks for a response.
int show_response(SSL* session, void* given) {
  const auto& octets = *static_cast<const std::string*>(given);
  if (octets.empty()) return SSL_TLSEXT_ERR_NOACK;
  const auto size = static_cast<long>(octets.size());
  SSL_set_tlsext_status_ocsp_resp(session, ::OPENSSL_memdup(octets.data(), octets.size()), size);
  return SSL_TLSEXT_ERR_OK;
}

/// TLS, then an answer to one GIOP message.
void serve_tls(int socket, const Issued& own, const ServerSettings& settings) {
  const SessionContext context(::SSL_CTX_new(::TLS_server_method()));
  ::SSL_CTX_use_certificate(context.get(), own.certificate.get());
  ::SSL_CTX_use_PrivateKey(context.get(), own.key.get());
  if (settings.version != 0) {
    ::SSL_CTX_set_min_proto_version(context.get(), settings.version);
    ::SSL_CTX_set_max_proto_version(context.get(), settings.version);
  }
  if (settings.wanted_authority != nullptr) {
    auto* const authority = const_cast<X509*>(settings.wanted_authority);
    ::X509_STORE_add_cert(::SSL_CTX_get_cert_store(context.get()), authority);
    ::SSL_CTX_add_client_CA(context.get(), authority);
    ::SSL_CTX_set_verify(context.get(), SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, nullptr);
  }
  SSL_CTX_set_tlsext_status_cb(context.get(), show_response);
  SSL_CTX_set_tlsext_status_arg(context.get(), const_cast<std::string*>(&settings.response));
  const Session session(::SSL_new(context.get()));
  ::SSL_set_fd(session.get(), socket);
  std::string octets(256, '\0');
  if (::SSL_accept(session.get()) == 1 && ::SSL_read(session.get(), octets.data(), 256) > 12) {
    std::string reply("GIOP\1\2\0\4\0\0\0\10\0\0\0\1\0\0\0", 19);
    reply += static_cast<char>(settings.status);
    ::SSL_write(session.get(), reply.data(), static_cast<int>(reply.size()));
  }
  // The client reads what was sent before this end comes as a reset.
  ::shutdown(socket, SHUT_WR);
  while (::recv(socket, octets.data(), octets.size(), 0) > 0) {}
}

class TryTls : public testing::Test {
 protected:
  TryTls() {
    std::signal(SIGPIPE, SIG_IGN);
    std::string name = ::testing::TempDir() + "tenon-try-XXXXXX";
    folder = ::mkdtemp(name.data());
    write_file(folder + "/ca.pem", pem_of(*authority.certificate), Access::everybody, false);
  }
  ~TryTls() override { std::filesystem::remove_all(folder); }

  Issued certificate(const std::vector<std::string>& hosts, Validity validity,
                     const Issued* by = nullptr) const {
    return make_certificate(by != nullptr ? *by : authority, {.name = hosts.empty() ? "a client" : "a server",
                                                              .hosts = read_hosts(hosts),
                                                              .mail = "",
                                                              .validity = validity});
  }
  std::string write(const std::string& name, const Issued& what) const {
    write_file(folder + "/" + name, pem_of(*what.certificate) + pem_of(*what.key, ""), Access::owner, true);
    return folder + "/" + name;
  }

  /// What is said of such a server.
  std::string said_of(const Issued& own, const ServerSettings& settings = {}) {
    const OneServer server([&](int socket) { serve_tls(socket, own, settings); });
    return said_at(server.port());
  }
  std::string said_at(std::uint16_t port) {
    trial.host = "127.0.0.1";
    trial.port = port;
    trial.timeout_ms = 60'000;
    if (trial.authorities.empty()) trial.authorities = folder + "/ca.pem";
    return try_tls(trial, reached);
  }

  std::string folder;
  Issued authority = make_authority("the lab", hours(-100, 100), KeyKind::ec);
  Trial trial;
  bool reached = false;
};

#define EXPECT_SAYS(...) expect_says(__LINE__, __VA_ARGS__)
void expect_says(int line, const std::string& said, const std::string& what) {
  EXPECT_NE(said.find(what), std::string::npos) << "line " << line << ": " << what << "\n" << said;
}

TEST_F(TryTls, AServerThatIsInOrder) {
  const Issued own = certificate({"127.0.0.1"}, hours(-1, 50));
  trial.object_key = {'k'};
  std::string said = said_of(own);
  EXPECT_TRUE(reached) << said;
  EXPECT_SAYS(said,
              "the server is CN=a server, issued by CN=the lab\n    for IP:127.0.0.1\n    valid until 2");
  EXPECT_SAYS(said, "fingerprint " + fingerprint_text(*own.certificate));
  EXPECT_SAYS(said, "they agree on TLSv1.3, ");
  EXPECT_SAYS(said, "the object is here");
  EXPECT_EQ(said.find("help"), std::string::npos) << said;
  said = said_of(own, {.version = TLS1_2_VERSION, .status = 0});
  EXPECT_FALSE(reached);
  EXPECT_SAYS(said, "they agree on TLSv1.2, ");
  EXPECT_SAYS(said, "the server does not know the object");
  trial.object_key.clear();
  EXPECT_SAYS(said_of(own), "the server speaks GIOP");
  EXPECT_TRUE(reached);
}

TEST_F(TryTls, AllFaultsOfTheCertificateAreFound) {
  const std::string said = said_of(certificate({"app.test", "192.0.2.1"}, hours(-90, -72)));
  EXPECT_FALSE(reached);
  EXPECT_SAYS(said,
              "WRONG: this side refuses the server: the server's certificate (CN=a server) has expired, 3 "
              "days ago, on 2");
  EXPECT_SAYS(said, "(CN=a server) is not for 127.0.0.1, but for DNS:app.test, IP:192.0.2.1\n");
  EXPECT_SAYS(said, "this machine's clock says 2");
  EXPECT_SAYS(said, "tenon-cert server 127.0.0.1 ... --force");
  EXPECT_EQ(said.find("GIOP"), std::string::npos) << "asked a server that it refuses: " << said;
}

TEST_F(TryTls, TheHostCanBeLeftOut) {
  trial.verify_host = false;
  (void)said_of(certificate({"app.test"}, hours(-1, 50)));
  EXPECT_TRUE(reached);
}

TEST_F(TryTls, CertificatesThatAreNotValidYet) {
  EXPECT_SAYS(said_of(certificate({"127.0.0.1"}, hours(2, 50))), "is not valid before 2");
}

TEST_F(TryTls, AuthoritiesThatAreUnknown) {
  const Issued other = make_authority("somebody else", hours(-1, 100), KeyKind::ec);
  std::string said = said_of(certificate({"127.0.0.1"}, hours(-1, 50), &other));
  EXPECT_SAYS(said,
              "the issuer of the server's certificate (CN=a server) is unknown here: CN=somebody else; this "
              "side knows " +
                  folder + "/ca.pem (CN=the lab)");
  EXPECT_SAYS(said, "give clients the certificate of CN=somebody else by ssliop.authorities");
  const Issued anew = make_authority("the lab", hours(-1, 100), KeyKind::ec);
  said = said_of(certificate({"127.0.0.1"}, hours(-1, 50), &anew));
  EXPECT_SAYS(said, "an authority of the same name, but with another key");
  said = said_of(anew);
  EXPECT_SAYS(said, "has signed itself");
  EXPECT_FALSE(reached);
}

TEST_F(TryTls, AuthoritiesThatHaveExpired) {
  const Issued old = make_authority("the old lab", hours(-100, -72), KeyKind::ec);
  trial.authorities = write("old.pem", old);
  const std::string said = said_of(certificate({"127.0.0.1"}, hours(-80, 50), &old));
  EXPECT_SAYS(said,
              "the certificate of an authority above the server's (CN=the old lab) has expired, 3 days ago");
}

TEST_F(TryTls, CertificatesThatAreRevoked) {
  const Issued own = certificate({"127.0.0.1"}, hours(-1, 50));
  const RevocationList list = make_revocation_list(authority, nullptr, own.certificate.get(), hours(-1, 50));
  write_file(folder + "/list.crl", pem_of(*list), Access::everybody, false);
  trial.lists = folder + "/list.crl";
  EXPECT_SAYS(said_of(own), "has been revoked by CN=the lab");
  EXPECT_FALSE(reached);
  (void)said_of(certificate({"127.0.0.1"}, hours(-1, 50)));
  EXPECT_TRUE(reached);
}

TEST_F(TryTls, AuthoritiesThatAreRevoked) {
  const RevocationList list =
      make_revocation_list(authority, nullptr, authority.certificate.get(), hours(-1, 50));
  write_file(folder + "/list.crl", pem_of(*list), Access::everybody, false);
  trial.lists = folder + "/list.crl";
  EXPECT_SAYS(said_of(certificate({"127.0.0.1"}, hours(-1, 50))),
              "the certificate of an authority above the server's (CN=the lab) has been revoked");
  EXPECT_FALSE(reached);
}

/// In DER: what `by` says by OCSP of a certificate of that authority, of now until then.
std::string response_of(const Issued& of, const Issued& authority, const Issued& by, int status,
                        std::time_t until, const EVP_MD* hash) {
  OCSP_BASICRESP* const basic = ::OCSP_BASICRESP_new();
  OCSP_CERTID* const id = ::OCSP_cert_to_id(hash, of.certificate.get(), authority.certificate.get());
  const Time made(::X509_gmtime_adj(nullptr, -2 * hour));
  const Time next(::X509_gmtime_adj(nullptr, until));
  ::OCSP_basic_add1_status(basic, id, status, OCSP_REVOKED_STATUS_NOSTATUS,
                           status == V_OCSP_CERTSTATUS_REVOKED ? made.get() : nullptr, made.get(),
                           next.get());
  EXPECT_EQ(::OCSP_basic_sign(basic, by.certificate.get(), by.key.get(), ::EVP_sha256(), nullptr, 0), 1);
  OCSP_RESPONSE* const whole = ::OCSP_response_create(OCSP_RESPONSE_STATUS_SUCCESSFUL, basic);
  unsigned char* octets = nullptr;
  const int size = ::i2d_OCSP_RESPONSE(whole, &octets);
  std::string text(reinterpret_cast<const char*>(octets), static_cast<std::size_t>(std::max(size, 0)));
  ::OPENSSL_free(octets);
  ::OCSP_RESPONSE_free(whole);
  ::OCSP_CERTID_free(id);
  ::OCSP_BASICRESP_free(basic);
  return text;
}

TEST_F(TryTls, ServersThatShowNoOcspResponse) {
  const Issued own = certificate({"127.0.0.1"}, hours(-1, 50));
  trial.ocsp = Ocsp::if_stapled;
  EXPECT_SAYS(said_of(own), "it shows no OCSP response, which ssliop.ocsp=if_stapled allows");
  EXPECT_TRUE(reached);
  trial.ocsp = Ocsp::required;
  const std::string said = said_of(own);
  EXPECT_FALSE(reached);
  EXPECT_SAYS(
      said,
      "WRONG: this side refuses the server: it shows no OCSP response, which ssliop.ocsp=required wants");
  EXPECT_SAYS(said, "have the server show one (ssliop.ocsp_response)");
  EXPECT_EQ(said.find("GIOP"), std::string::npos) << said;
}

TEST_F(TryTls, OcspResponsesAreJudged) {
  const Issued own = certificate({"127.0.0.1"}, hours(-1, 50));
  const Issued other = certificate({"127.0.0.1"}, hours(-1, 50));
  const Issued stranger = make_authority("somebody else", hours(-1, 100), KeyKind::ec);
  constexpr int good = V_OCSP_CERTSTATUS_GOOD;
  for (const Ocsp wanted : {Ocsp::if_stapled, Ocsp::required}) {
    trial.ocsp = wanted;
    for (const EVP_MD* const hash : {::EVP_sha1(), ::EVP_sha256()}) {
      EXPECT_SAYS(said_of(own, {.response = response_of(own, authority, authority, good, hour, hash)}),
                  "it shows an OCSP response, which is good");
      EXPECT_TRUE(reached);
    }
    const auto refused = [&](const std::string& response, const char* why) {
      EXPECT_SAYS(said_of(own, {.response = response}),
                  std::string("WRONG: this side refuses the server's certificate: its OCSP response ") + why);
      EXPECT_FALSE(reached);
    };
    const auto of = [&](const Issued& which, const Issued& by, int status, std::time_t until) {
      return response_of(which, authority, by, status, until, ::EVP_sha1());
    };
    refused(of(own, authority, V_OCSP_CERTSTATUS_REVOKED, hour), "says that it has been revoked");
    refused(of(own, authority, V_OCSP_CERTSTATUS_UNKNOWN, hour), "says that the authority does not know it");
    refused(of(own, authority, good, -hour), "is too old");
    refused(of(other, authority, good, hour), "is of another certificate");
    refused(of(own, stranger, good, hour), "is not signed by its authority");
    refused("no DER", "says nothing");
  }
}

TEST_F(TryTls, ThisSideMayNotMind) {
  trial.verify = Verify::none;
  const Issued other = make_authority("somebody else", hours(-100, 100), KeyKind::ec);
  const std::string said = said_of(certificate({"app.test"}, hours(-90, -72), &other));
  EXPECT_TRUE(reached) << said;
  EXPECT_SAYS(
      said,
      "this side does not mind, by ssliop.verify=none: the server's certificate (CN=a server) has expired");
  EXPECT_SAYS(
      said,
      "this side does not mind, by ssliop.verify=none: the server's certificate (CN=a server) is not for");
  EXPECT_SAYS(said, "the server speaks GIOP");
  EXPECT_EQ(said.find("WRONG"), std::string::npos) << said;
}

TEST_F(TryTls, CertificatesOfClientsAlone) {
  EXPECT_SAYS(said_of(certificate({}, hours(-1, 50))), "is not one for servers");
}

TEST_F(TryTls, ServersThatWantToKnowTheClient) {
  const Issued own = certificate({"127.0.0.1"}, hours(-1, 50));
  for (const int version : {TLS1_2_VERSION, TLS1_3_VERSION}) {
    const ServerSettings strict{.wanted_authority = authority.certificate.get(), .version = version};
    trial.certificate.clear();
    std::string said = said_of(own, strict);
    EXPECT_FALSE(reached);
    EXPECT_SAYS(said, "it asks for a client's certificate, of CN=the lab; this side has none");
    EXPECT_SAYS(said, "WRONG: the server refuses this side: it ");
    EXPECT_SAYS(said, "has got none");
    EXPECT_SAYS(said, "tenon-cert client NAME");
    const Issued other = make_authority("somebody else", hours(-1, 100), KeyKind::ec);
    trial.certificate = write("stranger.pem", certificate({}, hours(-1, 50), &other));
    said = said_of(own, strict);
    EXPECT_FALSE(reached);
    EXPECT_SAYS(
        said,
        "it does not know the issuer of this side's certificate (CN=a client, issued by CN=somebody else)");
    trial.certificate = write("client.pem", certificate({}, hours(-1, 50)));
    said = said_of(own, strict);
    EXPECT_TRUE(reached) << said;
  }
}

TEST_F(TryTls, WhatIsNoServerOfTls) {
  {
    const OneServer plain([](int socket) {
      const std::string_view text = "HTTP/1.0 400 Bad Request\r\n\r\n";
      ::send(socket, text.data(), text.size(), MSG_NOSIGNAL);
      std::string octets(4096, '\0');
      while (::recv(socket, octets.data(), octets.size(), 0) > 0) {}
    });
    EXPECT_SAYS(said_at(plain.port()), "WRONG: what the server sends is not TLS");
  }
  {
    const OneServer silent([](int socket) {
      char octet = 0;
      ::recv(socket, &octet, 1, 0);
    });
    EXPECT_SAYS(said_at(silent.port()), "WRONG: the ");
    EXPECT_FALSE(reached);
  }
  std::uint16_t gone = 0;
  {
    const OneServer short_lived([](int) {});
    gone = short_lived.port();
  }
  EXPECT_SAYS(said_at(gone), "no connection: Connection refused");
}

/// What is wrong with an option or a file of this side; empty: nothing.
std::string problem_of(const std::function<void()>& act) {
  try {
    act();
  } catch (const Problem& said) {
    return said.what();
  }
  return "";
}

TEST_F(TryTls, WhatThisSideLacksIsAProblem) {
  const auto problem = [&] { return problem_of([&] { (void)said_at(1); }); };
  trial.authorities = folder + "/none.pem";
  EXPECT_SAYS(problem(), "none.pem: cannot be read: No such file");
  trial.authorities = "";
  trial.certificate = write("client.pem", certificate({}, hours(-1, 50)));
  trial.key = write("other.pem", certificate({}, hours(-1, 50)));
  EXPECT_SAYS(problem(), "other.pem: this is not the key of the certificate");
}

TEST_F(TryTls, WhatAClientRefusesAtItsStartIsAProblem) {
  const auto problem = [&](const std::vector<std::string>& options) {
    trial = Trial();
    return problem_of([&] {
      for (const std::string& each : options) EXPECT_TRUE(set_option(trial, "ssliop." + each));
      (void)said_at(1);
    });
  };
  const std::string ca = folder + "/ca.pem";
  EXPECT_SAYS(problem({"crl=" + folder + "/none.crl"}),
              "/none.crl: cannot be read: No such file or directory");
  EXPECT_SAYS(problem({"crl=" + folder}), "wants a file, and this is a folder");
  EXPECT_SAYS(problem({"crl=" + ca}), "no revocation list in PEM can be read from it");
  EXPECT_SAYS(problem({"key=" + ca}), "a key without ssliop.certificate has no use");
  EXPECT_SAYS(problem({"verify=none", "crl=" + ca}), "with ssliop.verify=none no certificate is looked at");
  EXPECT_SAYS(problem({"verify=none", "ocsp=required"}),
              "option ssliop.ocsp=required: with ssliop.verify=none no certificate is looked at");
  EXPECT_SAYS(problem({"ciphers=nonsense"}), "option ssliop.ciphers=nonsense: wants ciphers of TLS 1.2");
  EXPECT_SAYS(problem({"ciphers=NULL-SHA256@SECLEVEL=0"}), "wants ciphers of TLS 1.2 that encrypt");
  EXPECT_SAYS(problem({"ciphersuites=nonsense"}), "wants cipher suites of TLS 1.3");
  EXPECT_SAYS(problem({"groups=nonsense"}), "wants groups that OpenSSL knows");
  trial = Trial();
  trial.verify = Verify::required;
  EXPECT_SAYS(problem_of([&] {
                bool good = false;
                (void)try_tls(trial, good);
              }),
              "wants ssliop.authorities, too");
}

TEST(OptionsOfTrials, AreThoseOfThePlugIn) {
  Trial trial;
  EXPECT_TRUE(set_option(trial, "ssliop.authorities=/etc/ca.pem"));
  EXPECT_TRUE(set_option(trial, "ssliop.verify_host=0"));
  EXPECT_TRUE(set_option(trial, "ssliop.min_version=1.3"));
  EXPECT_EQ(trial.authorities, "/etc/ca.pem");
  EXPECT_FALSE(trial.verify_host);
  EXPECT_TRUE(trial.tls_1_3_only);
  EXPECT_TRUE(set_option(trial, "ssliop.verify=none"));
  EXPECT_EQ(trial.verify, Verify::none);
  EXPECT_TRUE(set_option(trial, "ssliop.OCSP=if_stapled"));
  EXPECT_EQ(trial.ocsp, Ocsp::if_stapled);
  EXPECT_FALSE(set_option(trial, "ssliop.resumption=off"));
  EXPECT_FALSE(set_option(trial, "ssliop.ocsp_response=/etc/response"));
  EXPECT_THROW((void)set_option(trial, "iiop.pacing=5"), Problem);
}

TEST(OptionsOfTrials, WrongOnesAreSaidToBeSo) {
  for (const auto& [option, why] : std::initializer_list<std::pair<const char*, const char*>>{
           {"min_version=9", "option ssliop.min_version=9: wants 1.2 or 1.3"},
           {"verify=some", "option ssliop.verify=some: wants none, peer or required"},
           {"verify_host=", "option ssliop.verify_host=: wants 0 or 1"},
           {"resumption=2", "option ssliop.resumption=2: wants 0 or 1"},
           {"ocsp=1", "option ssliop.ocsp=1: wants off, if_stapled or required"},
           {"crl=", "option ssliop.crl=: wants a file"},
           {"crls=x", "option ssliop.crls: ssliop has no such option; it has certificate, key, "}}) {
    Trial trial;
    EXPECT_SAYS(problem_of([&] { (void)set_option(trial, std::string("ssliop.") + option); }), why);
  }
}

}  // namespace
}  // namespace tenon::cert
