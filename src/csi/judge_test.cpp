// SPDX-License-Identifier: Apache-2.0
//
// What a server makes of contexts that a well-behaved client does not send.
#include "csi/judge.hpp"

#include <gtest/gtest.h>

#include "csi/gss.hpp"
#include "tests/wire/hex_sections.hpp"

namespace tenon::csi {
namespace {

const Identity over_tls{"tls", {{"version", "1.3"}, {"subject", "CN=gateway"}}};
const Identity over_tcp{};

struct Counted final : Checks {
  bool admit() noexcept override {
    if (left == 0) return false;
    ++open;
    return true;
  }
  void done() noexcept override { --open; }
  int left = 1;
  int open = 0;
};

struct Judging : ::testing::Test {
  Judging() {
    target.domain = "bank";
    target.accepts = [this](const Login& login) {
      logins.push_back(std::string(login.user) + "/" + std::string(login.password) + "/" +
                       std::string(login.domain));
      return login.password == "secret";
    };
    target.trusts = [](const Assertion& asked) { return asked.user == "alice"; };
  }
  Judgement judged(const EstablishContext& body, const Identity& peer = over_tls) {
    return judge(target, encode(ContextBody(body)), peer, checks);
  }
  /// "1.1: the sentence"
  static std::string refusal(const Judgement& judgement) {
    if (!judgement.refused) return "";
    const auto* const error = judgement.reply ? std::get_if<ContextError>(&*judgement.reply) : nullptr;
    const std::string status =
        error != nullptr ? std::to_string(error->major_status) + "." + std::to_string(error->minor_status)
                         : "";
    return std::string(name(judgement.refused.id)) + " " + status + ": " + judgement.why;
  }
  static EstablishContext with_token(const UserToken& token) {
    EstablishContext body;
    body.client_context_id = 7;
    body.client_token = encode(token);
    return body;
  }

  Target target;
  Counted checks;
  std::vector<std::string> logins;
};

TEST_F(Judging, WhatStandsInTheStandard) {
  const auto octets = wire::read_hex_sections("../../tests/wire/csi.hex");
  for (const char* const section : {"password", "password_little"}) {
    const Judgement yes = judge(target, octets.at(section), over_tls, checks);
    EXPECT_EQ(refusal(yes), "");
    EXPECT_EQ(yes.caller, (Caller{.user = "alice"}));
    EXPECT_EQ(yes.reply, ContextBody(CompleteEstablishContext{}));
  }
  EXPECT_EQ(logins, (std::vector<std::string>(2, "alice/secret/bank")));
  target.required = false;
  target.trusts = [](const Assertion&) { return true; };
  for (const char* const section : {"assertion", "assertion_little", "assertion_of_others"})
    EXPECT_EQ(judge(target, octets.at(section), over_tls, checks).caller.speaks_for, Name::principal("bob"));
  EXPECT_EQ(refusal(judge(target, octets.at("in_context"), over_tls, checks)),
            "NO_PERMISSION 4.1: this server keeps no security contexts (CSIv2)");
  for (const char* const section : {"complete", "error"})
    EXPECT_EQ(refusal(judge(target, octets.at(section), over_tls, checks)).substr(0, 7), "MARSHAL");
}

TEST_F(Judging, IdsAreGivenBack) {
  const Judgement yes = judged(with_token({"alice", "secret", {}}));
  EXPECT_EQ(yes.reply, ContextBody(CompleteEstablishContext{.client_context_id = 7}));
  const Judgement no = judged(with_token({"alice", "guess", {}}));
  ASSERT_TRUE(no.reply);
  EXPECT_EQ(std::get<ContextError>(*no.reply).client_context_id, 7U);
  EXPECT_EQ(decode_error(std::get<ContextError>(*no.reply).error_token), gssup_unspecified);
  EXPECT_EQ(no.user, "alice");
}

TEST_F(Judging, Domains) {
  EXPECT_EQ(refusal(judged(with_token({"alice", "secret", export_name("@bank")}))), "");
  EXPECT_EQ(judged(with_token({"alice@bank", "secret", {}})).caller.user, "alice");
  EXPECT_EQ(judged(with_token({"alice@shop", "secret", {}})).caller.user, "alice@shop");
  logins.clear();
  const Judgement other = judged(with_token({"alice", "secret", export_name("shop")}));
  EXPECT_EQ(refusal(other), "NO_PERMISSION 1.1: the password is for another domain than this server's");
  EXPECT_EQ(decode_error(std::get<ContextError>(*other.reply).error_token), gssup_bad_target);
  EXPECT_EQ(refusal(judged(with_token({"alice", "secret", {1, 2}}))),
            "NO_PERMISSION 1.1: a token of GSSUP has a malformed target name");
  EXPECT_TRUE(logins.empty());
}

TEST_F(Judging, NobodyIsNoUser) {
  EXPECT_EQ(refusal(judged(with_token({"", "secret", {}}))),
            "NO_PERMISSION 1.1: the user or the password is wrong");
  EXPECT_TRUE(logins.empty());
}

TEST_F(Judging, WhatIsNotUnderstood) {
  EstablishContext body = with_token({"alice", "secret", {}});
  body.authorizations.push_back({0x4f4d0001, {1}});
  EXPECT_EQ(refusal(judged(body)), "NO_PERMISSION 2.1: this server takes no authorization tokens (CSIv2)");
  body = with_token({"alice", "secret", {}});
  body.client_token[5] = 0x2a;
  EXPECT_EQ(refusal(judged(body)),
            "NO_PERMISSION 2.1: the client authenticates itself by another mechanism than GSSUP");
  body.client_token.resize(3);
  EXPECT_EQ(refusal(judged(body)), "NO_PERMISSION 1.1: a token of GSSUP is malformed");
  for (const std::uint32_t type : {4U, 16U, 3U, 0xffffffffU}) {
    body = with_token({"alice", "secret", {}});
    body.identity = {type, {0x30, 0}};
    EXPECT_EQ(refusal(judged(body)).substr(0, 41), "NO_PERMISSION 1.1: the asserted identity ") << type;
  }
  body.identity = {itt_principal_name, {4, 1, 0}};
  EXPECT_EQ(refusal(judged(body)).substr(0, 41), "NO_PERMISSION 1.1: the asserted identity ");
  EXPECT_TRUE(logins.empty());
  const Octets octets = encode(ContextBody(with_token({"alice", "secret", {}})));
  for (std::size_t size = 0; size < octets.size(); ++size)
    EXPECT_EQ(refusal(judge(target, {octets.data(), size}, over_tls, checks)).substr(0, 7), "MARSHAL")
        << size;
}

TEST_F(Judging, InTheClear) {
  const EstablishContext body = with_token({"alice", "secret", {}});
  EXPECT_EQ(refusal(judged(body, over_tcp)).substr(0, 49),
            "NO_PERMISSION 2.1: a password came in the clear, ");
  EXPECT_EQ(refusal(judged(body, {"unix", {{"uid", "1000"}}})), "");
  EXPECT_EQ(refusal(judged(body, {"self", {}})), "");
  EXPECT_EQ(refusal(judged(body, {"", {{"version", "1.3"}}})), "");  // TLS without a certificate
  target.in_clear = true;
  EXPECT_EQ(refusal(judged(body, over_tcp)), "");
}

TEST_F(Judging, ChecksEnd) {
  static_cast<void>(judged(with_token({"alice", "secret", {}})));
  target.accepts = [](const Login&) -> bool { throw 1; };
  EXPECT_EQ(refusal(judged(with_token({"alice", "secret", {}}))).substr(0, 18), "NO_PERMISSION 1.1:");
  EXPECT_EQ(checks.open, 0);
  checks.left = 0;
  EXPECT_EQ(refusal(judged(with_token({"alice", "secret", {}}))).substr(0, 11), "TRANSIENT :");
}

TEST_F(Judging, WithoutAPassword) {
  const Judgement none = judge(target, {}, over_tls, checks);
  EXPECT_EQ(refusal(none),
            "NO_PERMISSION : this server wants a user and password (CSIv2), and the call has none");
  EXPECT_FALSE(none.reply);
  EXPECT_EQ(refusal(judged({})),
            "NO_PERMISSION 1.1: this server wants a user and password (CSIv2), and the call has none");
  target.required = false;
  EXPECT_EQ(refusal(judge(target, {}, over_tls, checks)), "");
  EXPECT_EQ(refusal(judged({})), "");
  target.accepts = nullptr;
  EXPECT_EQ(refusal(judged(with_token({"alice", "secret", {}}))),
            "NO_PERMISSION 2.1: this server takes no passwords (CSIv2)");
}

}  // namespace
}  // namespace tenon::csi
