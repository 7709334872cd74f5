// SPDX-License-Identifier: Apache-2.0
//
// Certificates that their authority has taken back: by a list, and by what a server shows.
#include "plugins/ssliop/revocation.hpp"

#include <filesystem>
#include <fstream>

#include "plugins/ssliop/meeting_test_support.hpp"
#include "plugins/ssliop/reload.hpp"

namespace tenon::ssliop {
namespace {

using protocol::Io;

/// Seconds from now.
struct Span {
  long from_s = -60;
  long until_s = 3600;
};

/// A list of PEM, behind what the file has already.
std::string add_list(std::string_view name, const Signed& by, const std::vector<const Signed*>& revoked,
                     Span when = {}) {
  X509_CRL* const list = ::X509_CRL_new();
  ::X509_CRL_set_version(list, 1);
  ::X509_CRL_set_issuer_name(list, ::X509_get_subject_name(by.certificate.get()));
  ASN1_TIME* const time = ::ASN1_TIME_new();
  ::X509_gmtime_adj(time, when.from_s);
  ::X509_CRL_set1_lastUpdate(list, time);
  for (const Signed* each : revoked) {
    X509_REVOKED* const entry = ::X509_REVOKED_new();
    ::X509_REVOKED_set_serialNumber(entry, ::X509_get_serialNumber(each->certificate.get()));
    ::X509_REVOKED_set_revocationDate(entry, time);
    ::X509_CRL_add0_revoked(list, entry);
  }
  ::X509_gmtime_adj(time, when.until_s);
  ::X509_CRL_set1_nextUpdate(list, time);
  ::ASN1_TIME_free(time);
  ::X509_CRL_sort(list);
  EXPECT_GT(::X509_CRL_sign(list, by.key.get(), ::EVP_sha256()), 0);
  const std::string path = world().folder.path(name);
  if (std::FILE* const file = std::fopen(path.c_str(), "ae")) {
    ::PEM_write_X509_CRL(file, list);
    std::fclose(file);
  }
  ::X509_CRL_free(list);
  return path;
}

std::string write_response(std::string_view name, const Signed& of, int status, const Signed& by,
                           Span when = {}) {
  OCSP_BASICRESP* const basic = ::OCSP_BASICRESP_new();
  OCSP_CERTID* const id = ::OCSP_cert_to_id(::EVP_sha1(), of.certificate.get(), world().ca.certificate.get());
  ASN1_TIME* const from = ::X509_gmtime_adj(nullptr, when.from_s);
  ASN1_TIME* const until = ::X509_gmtime_adj(nullptr, when.until_s);
  ::OCSP_basic_add1_status(basic, id, status, OCSP_REVOKED_STATUS_KEYCOMPROMISE,
                           status == V_OCSP_CERTSTATUS_REVOKED ? from : nullptr, from, until);
  EXPECT_EQ(::OCSP_basic_sign(basic, by.certificate.get(), by.key.get(), ::EVP_sha256(), nullptr, 0), 1);
  OCSP_RESPONSE* const response = ::OCSP_response_create(OCSP_RESPONSE_STATUS_SUCCESSFUL, basic);
  const std::string path = world().folder.path(name);
  BIO* const file = ::BIO_new_file(path.c_str(), "wb");
  i2d_OCSP_RESPONSE_bio(file, response);
  ::BIO_free(file);
  ::OCSP_RESPONSE_free(response);
  ::OCSP_BASICRESP_free(basic);
  ::OCSP_CERTID_free(id);
  ::ASN1_TIME_free(from);
  ::ASN1_TIME_free(until);
  return path;
}

const Signed& revoked_one() {
  static const Signed one = [] {
    Signed made = make_certificate({.name = "a revoked one"}, &world().ca);
    world().folder.write("revoked", made);
    return made;
  }();
  return one;
}

TEST(SsliopRevocation, WhoIsOnTheListIsRefused) {
  const std::string list = add_list("revoked.crl", world().ca, {&revoked_one()});
  const Meeting server(own("revoked"), trusting({{"crl", list}}));
  EXPECT_FALSE(server.connected);
  expect_in(server.client_says,
            "this side refused the peer's certificate (CN=a revoked one): it is on its authority's list");
  expect_in(server.server_says, "the peer refused this side: certificate revoked");
  const Meeting client(own("server", {{"crl", list}, {"verify", "required"}}), own("revoked"));
  EXPECT_NE(client.answered, Io::ok);
  expect_in(client.server_says, "(CN=a revoked one): it is on its authority's list");
  expect_in(client.client_says, "the peer refused this side: certificate revoked");
  const Meeting others(own("server", {{"crl", list}, {"verify", "required"}}),
                       own("client", {{"crl", list}}));
  EXPECT_EQ(others.answered, Io::ok) << others.client_says << others.server_says;
}

TEST(SsliopRevocation, ListsThatSayNothingRefuse) {
  const std::string old = add_list("old.crl", world().ca, {}, {.from_s = -7200, .until_s = -3600});
  const Meeting expired(own("server"), trusting({{"crl", old}}));
  EXPECT_FALSE(expired.connected);
  expect_in(expired.client_says, "(CN=a server): its authority's list of revoked certificates has expired");
  const Signed stranger = make_certificate({.name = "a strange authority", .hosts = nullptr}, nullptr);
  const Meeting none(own("server"), trusting({{"crl", add_list("strange.crl", stranger, {})}}));
  EXPECT_FALSE(none.connected);
  expect_in(none.client_says, "ssliop.crl has no list of revoked certificates of its authority");
}

// The whole chain is looked at: an authority between that was taken back, and one without a list.
TEST(SsliopRevocation, AuthoritiesBetweenAreLookedAt) {
  const Folder& folder = world().folder;
  const Signed between = make_certificate({.name = "one between", .hosts = nullptr}, &world().ca);
  folder.write("between", between);
  folder.write("far", make_certificate({.name = "far"}, &between));
  std::ofstream(folder.path("far.pem"), std::ios::app) << std::ifstream(folder.path("between.pem")).rdbuf();
  const std::string lists = add_list("chain.crl", world().ca, {});
  const Meeting missing(own("far"), trusting({{"crl", lists}}));
  EXPECT_FALSE(missing.connected);
  expect_in(missing.client_says, "(CN=far): ssliop.crl has no list of revoked certificates");
  add_list("chain.crl", between, {});
  const Meeting good(own("far"), trusting({{"crl", lists}}));
  EXPECT_EQ(good.answered, Io::ok) << good.client_says;
  std::filesystem::remove(lists);
  add_list("chain.crl", between, {});
  add_list("chain.crl", world().ca, {&between});
  const Meeting bad(own("far"), trusting({{"crl", lists}}));
  EXPECT_FALSE(bad.connected);
  expect_in(bad.client_says, "(CN=one between): it is on its authority's list");
}

TEST(SsliopRevocation, ANewListCountsForNewConnections) {
  Settings settings;
  std::string why;
  const std::string list = add_list("changing.crl", world().ca, {});
  ASSERT_TRUE(settings.set("authorities", world().ca_file(), why)) << why;
  ASSERT_TRUE(settings.set("crl", list, why)) << why;
  Contexts contexts(settings);
  const auto first = contexts.current(why);
  ASSERT_TRUE(first) << why;
  add_list("changing.crl", world().ca, {&revoked_one()});
  contexts.look();
  EXPECT_NE(contexts.current(why), first);
}

Meeting with_response(const std::string& response, const char* wanted) {
  return Meeting(own("stapled", {{"ocsp_response", response}}), trusting({{"ocsp", wanted}}));
}

TEST(SsliopRevocation, WhatAServerShowsIsJudged) {
  const Signed one = make_certificate({.name = "a stapled one"}, &world().ca);
  world().folder.write("stapled", one);
  const std::string good = write_response("good.ocsp", one, V_OCSP_CERTSTATUS_GOOD, world().ca);
  for (const char* wanted : {"off", "if_stapled", "required"}) {
    const Meeting both = with_response(good, wanted);
    EXPECT_EQ(both.answered, Io::ok) << wanted << both.client_says;
  }
  const auto refused = [](const std::string& response, const std::string& why) {
    for (const char* wanted : {"if_stapled", "required"}) {
      const Meeting both = with_response(response, wanted);
      EXPECT_FALSE(both.connected) << why;
      expect_in(both.client_says, "this side refused the peer's certificate (CN=a stapled one): " + why);
      expect_in(both.server_says, "the peer refused this side: bad certificate status response");
    }
    EXPECT_EQ(with_response(response, "off").answered, Io::ok);
  };
  refused(write_response("revoked.ocsp", one, V_OCSP_CERTSTATUS_REVOKED, world().ca),
          "its authority says by OCSP that it is revoked");
  refused(write_response("unknown.ocsp", one, V_OCSP_CERTSTATUS_UNKNOWN, world().ca),
          "its authority says by OCSP that it does not know it");
  refused(write_response("old.ocsp", one, V_OCSP_CERTSTATUS_GOOD, world().ca,
                         {.from_s = -7200, .until_s = -3600}),
          "the OCSP response that it shows has expired");
  const Signed stranger = make_certificate({.name = "a stranger"}, nullptr);
  refused(write_response("strange.ocsp", one, V_OCSP_CERTSTATUS_GOOD, stranger),
          "the OCSP response that it shows is not signed by its authority");
}

TEST(SsliopRevocation, AServerThatShowsNothing) {
  const Meeting required(own("server"), trusting({{"ocsp", "required"}}));
  EXPECT_FALSE(required.connected);
  expect_in(required.client_says,
            "(CN=a server): it shows no OCSP response, which ssliop.ocsp=required wants");
  const Meeting if_stapled(own("server"), trusting({{"ocsp", "if_stapled"}}));
  EXPECT_EQ(if_stapled.answered, Io::ok) << if_stapled.client_says;
}

std::string no_context(const Options& options) {
  Settings settings;
  std::string why;
  for (const auto& [name, value] : options) EXPECT_TRUE(settings.set(name, value, why)) << name << why;
  EXPECT_FALSE(make_context(settings, why));
  return why;
}

TEST(SsliopRevocation, WrongFilesAreExplained) {
  const std::string nonsense = world().folder.write_text("nonsense", "nothing\n");
  expect_in(no_context(trusting({{"crl", nonsense}})),
            "option ssliop.crl=" + nonsense + ": no revocation lists in PEM can be read from it");
  const std::string list = add_list("any.crl", world().ca, {});
  expect_in(no_context({{"crl", list}, {"verify", "none"}}), "no certificate is looked at");
  expect_in(no_context({{"ocsp", "required"}, {"verify", "none"}}), "no certificate is looked at");
  expect_in(no_context(own("server", {{"ocsp_response", nonsense}})), "no OCSP response in DER");
  const std::string other = write_response("other.ocsp", revoked_one(), V_OCSP_CERTSTATUS_GOOD, world().ca);
  expect_in(no_context(own("server", {{"ocsp_response", other}})), "it is not of the certificate");
  expect_in(no_context({{"ocsp_response", other}}), "without ssliop.certificate it is of none");
}

TEST(SsliopRevocation, GroupsAreThoseOfBoth) {
  const Meeting one(own("server", {{"groups", "P-256:P-384"}}), trusting({{"groups", "P-384"}}));
  EXPECT_EQ(one.answered, Io::ok) << one.client_says;
  const Meeting none(own("server", {{"groups", "P-256"}}), trusting({{"groups", "P-384"}}));
  EXPECT_FALSE(none.connected);
  expect_in(none.server_says, "they have no group in common (ssliop.groups)");
  Settings settings;
  std::string why;
  EXPECT_FALSE(settings.set("groups", "P-1", why));
  expect_in(why, "X25519:P-256");
  EXPECT_FALSE(settings.set("ocsp", "perhaps", why));
  expect_in(why, "wants off, if_stapled or required");
}

}  // namespace
}  // namespace tenon::ssliop
