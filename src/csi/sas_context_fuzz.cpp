// SPDX-License-Identifier: Apache-2.0
//
// Fuzzes the service context of CSIv2 as a server and a client get it. Invariants checked: what was read is written and read again as the
// same; a server admits nobody whose password it has not seen to be right, and nobody speaks for others without being trusted; each
// look at a password ends; a refusal says why.
#include <cstdlib>

#include "csi/gss.hpp"
#include "csi/judge.hpp"

namespace {

using namespace tenon;
using namespace tenon::csi;

void require(bool condition) {
  if (!condition) std::abort();
}

struct Counted final : Checks {
  bool admit() noexcept override {
    ++open;
    return true;
  }
  void done() noexcept override { --open; }
  int open = 0;
};

void judge_it(ByteView data, const Identity& peer, bool required) {
  bool right = false;
  bool trusted = false;
  Target target;
  target.domain = "bank";
  target.required = required;
  target.accepts = [&right](const Login& login) {
    require(!login.user.empty() && login.user.size() <= longest_user);
    require(login.password.size() <= longest_password && login.domain.size() <= longest_name);
    return right = login.password == "secret";
  };
  target.trusts = [&trusted](const Assertion& asked) { return trusted = asked.name.text == "bob"; };
  Counted checks;
  const Judgement judgement = judge(target, data, peer, checks);
  require(checks.open == 0);
  require(judgement.why.empty() == !judgement.refused);
  if (judgement.refused) {
    require(!judgement.caller);
    return;
  }
  require(judgement.caller.user.empty() == !right);
  require(!required || right);
  require(bool(judgement.caller.speaks_for) == trusted);
  require(judgement.reply && std::holds_alternative<CompleteEstablishContext>(*judgement.reply));
  static_cast<void>(judgement.caller.text());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static constexpr std::uint8_t nothing = 0;
  const ByteView given = size == 0 ? ByteView(&nothing, 0) : ByteView(data, size);
  if (const auto body = decode(given)) {
    const auto again = decode(encode(*body));
    require(again && *again == *body);
  }
  UserToken token;
  if (decode(given, token) == TokenFault::none) {
    UserToken again;
    require(decode(encode(token), again) == TokenFault::none && again == token);
  }
  if (const auto name = imported_name(given)) require(imported_name(export_name(*name)) == *name);
  static_cast<void>(decode_error(given));
  judge_it(given, {"tls", {{"version", "1.3"}}}, true);
  judge_it(given, {"unix", {{"uid", "0"}}}, false);
  judge_it(given, {}, false);
  return 0;
}
