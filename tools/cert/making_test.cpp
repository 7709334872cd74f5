// SPDX-License-Identifier: Apache-2.0
//
// What needs other times than now: authorities and certificates that have expired, or that nobody may use yet. The rest is in cert_test.py.
#include "tools/cert/making.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "tools/cert/commands.hpp"
#include "tools/cert/files.hpp"
#include "tools/cert/words.hpp"

namespace tenon::cert {
namespace {

constexpr std::time_t day = 86400;

Validity from_to(std::time_t begins, std::time_t ends) {
  const std::time_t now = std::time(nullptr);
  return {now + begins, now + ends};
}

/// A folder with an authority of that time, which goes with this object.
struct Lab {
  explicit Lab(Validity validity) : made(make_authority("the lab", validity, KeyKind::ec)) {
    std::string name = ::testing::TempDir() + "tenon-cert-XXXXXX";
    place.folder = ::mkdtemp(name.data());
    place.days = 10;
    write_file(path("authority.pem"), pem_of(*made.certificate), Access::everybody, false);
    write_file(path("authority.key"), pem_of(*made.key, ""), Access::owner, false);
  }
  ~Lab() { std::filesystem::remove_all(place.folder); }
  Lab(const Lab&) = delete;
  Lab& operator=(const Lab&) = delete;

  std::string path(const char* name) const { return place.folder + "/" + name; }
  /// What making a server says is wrong; empty: nothing.
  std::string refusal() const {
    try {
      (void)new_server(place, {"app.test"}, "", "");
    } catch (const Problem& problem) {
      return problem.what();
    }
    return "";
  }

  Issued made;
  Place place;
};

TEST(Authority, ThatHasExpiredIssuesNothing) {
  const Lab lab(from_to(-9 * day, -3 * day));
  const std::string said = lab.refusal();
  EXPECT_TRUE(said.starts_with(lab.path("authority.pem") + ": the authority has expired, 3 days ago (2"))
      << said;
  EXPECT_NE(said.find("make a new one"), std::string::npos) << said;
  EXPECT_FALSE(exists(lab.path("app.test.pem")) || exists(lab.path("app.test.key")));
  EXPECT_THROW((void)revoke(lab.place, ""), Problem);
}

TEST(Authority, ThatIsNotValidYetIssuesNothing) {
  const Lab lab(from_to(day, 3 * day));
  EXPECT_NE(lab.refusal().find("this machine's clock says"), std::string::npos) << lab.refusal();
}

TEST(Authority, ThatIsValidDoes) {
  const Lab lab(from_to(-day, 3 * day));
  EXPECT_EQ(lab.refusal(), "");
  const Certificate made = read_certificate(lab.path("app.test.pem"));
  EXPECT_TRUE(has_issued(*lab.made.certificate, *made));
  EXPECT_FALSE(has_issued(*make_authority("the lab", from_to(0, day), KeyKind::ec).certificate, *made))
      << "of the same name, with another key";
  EXPECT_EQ(time_text(time_of(::X509_get0_notAfter(made.get()))),
            time_text(time_of(::X509_get0_notAfter(lab.made.certificate.get()))));
}

TEST(Serials, AreRandomAndPositive) {
  const Issued one = make_authority("a", from_to(0, day), KeyKind::ec);
  const Issued two = make_authority("a", from_to(0, day), KeyKind::ec);
  const std::string first = serial_text(::X509_get0_serialNumber(one.certificate.get()));
  EXPECT_EQ(first.size(), 32U);
  EXPECT_LT(first.front(), '8');
  EXPECT_NE(first, serial_text(::X509_get0_serialNumber(two.certificate.get())));
}

TEST(Show, WhatCannotBeUsedNow) {
  const Lab lab(from_to(-9 * day, -3 * day));
  bool good = true;
  const std::string said = show(lab.path("authority.pem"), "", "", good);
  EXPECT_FALSE(good);
  EXPECT_NE(said.find("validity:    EXPIRED 3 days ago, on 2"), std::string::npos) << said;
  EXPECT_NE(said.find("authority.key is its key"), std::string::npos) << said;
  const Lab later(from_to(day, 3 * day));
  good = true;
  EXPECT_NE(show(later.path("authority.pem"), "", "", good).find("NOT VALID before"), std::string::npos);
  EXPECT_FALSE(good);
}

TEST(Show, AKeyWithAPasswordIsNoFault) {
  for (const bool expired : {false, true}) {
    const Lab lab(expired ? from_to(-9 * day, -3 * day) : from_to(-day, 3 * day));
    write_file(lab.path("authority.key"), pem_of(*lab.made.key, "secret"), Access::owner, true);
    bool good = true;
    const std::string said = show(lab.path("authority.pem"), "", "", good);
    EXPECT_EQ(good, !expired);
    EXPECT_NE(said.find("subject:     CN=the lab"), std::string::npos) << said;
    EXPECT_NE(said.find("authority.key has a password, so it was not compared"), std::string::npos) << said;
  }
}

TEST(Show, DamagedFilesAreNamed) {
  const Lab lab(from_to(-day, day));
  std::string text = read_file(lab.path("authority.pem"));
  text.insert(text.size() / 2, "*");
  write_file(lab.path("broken.pem"), text, Access::everybody, false);
  bool good = true;
  try {
    (void)show(lab.path("broken.pem"), "", "", good);
    ADD_FAILURE() << "a damaged certificate was shown";
  } catch (const Problem& problem) {
    EXPECT_NE(std::string(problem.what()).find("broken.pem: certificate 1 in it is damaged"),
              std::string::npos)
        << problem.what();
  }
}

TEST(TimesInWords, WhatIsLeftIsTheSameAMomentLater) {
  const Issued made = make_authority("a", from_to(0, 365 * day), KeyKind::ec);
  const std::time_t ends = time_of(::X509_get0_notAfter(made.certificate.get()));
  for (const std::time_t since : {0, 1, 600}) {
    const std::string said = validity_text(*made.certificate, ends - 365 * day + since);
    EXPECT_TRUE(said.ends_with("for 365 days more")) << said;
  }
}

TEST(TimesInWords, Spans) {
  EXPECT_EQ(ago(1), "1 second ago");
  EXPECT_EQ(ago(90), "1 minute ago");
  EXPECT_EQ(ago(7 * 3600), "7 hours ago");
  EXPECT_EQ(ago(40 * 3600), "40 hours ago");
  EXPECT_EQ(ago(50 * 3600), "2 days ago");
  EXPECT_EQ(time_text(1795761660), "2026-11-27 06:41 UTC");
}

TEST(ShellWords, AreQuotedWhereTheyMustBe) {
  EXPECT_EQ(quoted("/etc/app/server-1.pem"), "/etc/app/server-1.pem");
  EXPECT_EQ(quoted("my lab"), "'my lab'");
  EXPECT_EQ(quoted("it's"), "'it'\\''s'");
  EXPECT_EQ(quoted(""), "''");
}

}  // namespace
}  // namespace tenon::cert
