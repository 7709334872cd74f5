// SPDX-License-Identifier: Apache-2.0
#include "csi/judge.hpp"

#include <cstring>
#include <exception>

#include "base/joined.hpp"
#include "base/log.hpp"
#include "base/minor_codes.hpp"
#include "csi/gss.hpp"
#include "protocol/protection.hpp"

namespace tenon::csi {
namespace {

constexpr Error refused_here{SystemException::no_permission, Completion::no, 0};
constexpr Error too_many{SystemException::transient, Completion::no, 0};

Judgement refusal(std::string why) {
  Judgement no;
  no.refused = refused_here;
  no.why = std::move(why);
  return no;
}

Judgement refusal(std::uint64_t id, ErrorStatus status, std::string why, Octets token = {}) {
  Judgement no = refusal(std::move(why));
  no.reply = ContextError{.client_context_id = id,
                          .major_status = static_cast<std::int32_t>(status),
                          .minor_status = 1,
                          .error_token = std::move(token)};
  return no;
}

Judgement malformed() {
  Judgement no = refusal("the service context SecurityAttributeService is malformed");
  no.refused = errors::bad_encapsulation;
  return no;
}

/// Whether nobody on the way can read what this caller sends.
bool is_private(const Identity& peer) noexcept { return protocol::is_protected(peer) || peer.kind == "unix"; }

bool same_domain(std::string_view wanted, std::string_view own) noexcept {
  return wanted == own || (wanted.starts_with('@') && wanted.substr(1) == own);
}

/// A user's name without the domain, if it ends in the target's.
std::string_view without_domain(std::string_view user, std::string_view domain) noexcept {
  if (domain.empty() || !user.ends_with(domain)) return user;
  const std::string_view front = user.substr(0, user.size() - domain.size());
  return front.size() > 1 && front.ends_with('@') ? front.substr(0, front.size() - 1) : user;
}

void note_thrown(std::string_view name, std::string_view what) {
  if (log_enabled(LogLevel::warning))
    log(LogLevel::warning, "csi", joined({name, " has thrown, which counts as a no: ", what}));
}

/// Asks a function of the program, by its name. What it throws is a no, and is for the server's log alone.
template <typename Function, typename Question>
bool ask(std::string_view name, const Function& function, const Question& question) noexcept {
  try {
    return function && function(question);
  } catch (const std::exception& thrown) {
    note_thrown(name, thrown.what());
  } catch (...) {
    note_thrown(name, "no std::exception");
  }
  return false;
}

/// The client's token: sets the caller's user, or says why not.
std::optional<Judgement> authenticate(const Target& target, const EstablishContext& body,
                                      const Identity& peer, Checks& checks, std::string& user) {
  const std::uint64_t id = body.client_context_id;
  if (!target.accepts)
    return refusal(id, ErrorStatus::invalid_mechanism, "this server takes no passwords (CSIv2)");
  if (!target.in_clear && !is_private(peer))
    return refusal(
        id, ErrorStatus::invalid_mechanism,
        "a password came in the clear, which this server does not take; it counts as known to others");
  UserToken token;
  switch (decode(body.client_token, token)) {
    case TokenFault::none: break;
    case TokenFault::mechanism:
      return refusal(id, ErrorStatus::invalid_mechanism,
                     "the client authenticates itself by another mechanism than GSSUP");
    case TokenFault::malformed:
      return refusal(id, ErrorStatus::invalid_evidence, "a token of GSSUP is malformed");
  }
  std::string domain;
  if (!token.target_name.empty()) {
    auto name = imported_name(token.target_name);
    if (!name)
      return refusal(id, ErrorStatus::invalid_evidence, "a token of GSSUP has a malformed target name");
    domain = std::move(*name);
  }
  if (!domain.empty() && !target.domain.empty() && !same_domain(domain, target.domain)) {
    Judgement no =
        refusal(id, ErrorStatus::invalid_evidence, "the password is for another domain than this server's",
                encode_error(gssup_bad_target));
    no.user = std::move(token.user);
    return no;
  }
  if (!checks.admit()) {
    Judgement no = refusal("too many passwords are being looked at (tenon::csi::Target::checks_at_once)");
    no.refused = too_many;
    no.user = std::move(token.user);
    return no;
  }
  const std::string_view name = without_domain(token.user, target.domain);
  const bool right =
      !name.empty() && ask("Target::accepts", target.accepts, Login{name, token.password, domain, peer});
  checks.done();
  ::explicit_bzero(token.password.data(), token.password.size());
  if (!right) {
    Judgement no = refusal(id, ErrorStatus::invalid_evidence, "the user or the password is wrong",
                           encode_error(gssup_unspecified));
    no.user = std::move(token.user);
    return no;
  }
  user = name;
  return std::nullopt;
}

/// The identity token. nullopt: malformed, or of a type that is not supported.
std::optional<Name> name_in(const IdentityToken& token) {
  switch (token.type) {
    case itt_absent: return Name();
    case itt_anonymous: return Name::anonymous();
    case itt_principal_name: {
      const auto exported = unwrapped(token.value, exported_name_begins);
      auto name = exported ? imported_name(*exported) : std::nullopt;
      if (!name) return std::nullopt;
      return Name::principal(std::move(*name));
    }
    case itt_distinguished_name: {
      auto name = unwrapped(token.value, distinguished_name_begins);
      if (!name) return std::nullopt;
      return Name::distinguished(std::move(*name));
    }
    default: return std::nullopt;
  }
}

Judgement establish(const Target& target, const EstablishContext& body, const Identity& peer,
                    Checks& checks) {
  const std::uint64_t id = body.client_context_id;
  if (!body.authorizations.empty())
    return refusal(id, ErrorStatus::invalid_mechanism, "this server takes no authorization tokens (CSIv2)");
  std::optional<Name> name = name_in(body.identity);
  if (!name)
    return refusal(id, ErrorStatus::invalid_evidence,
                   "the asserted identity is malformed, or of a kind that this server does not take");
  Judgement yes;
  if (!body.client_token.empty()) {
    if (auto no = authenticate(target, body, peer, checks, yes.caller.user)) return std::move(*no);
  } else if (target.required) {
    return refusal(id, ErrorStatus::invalid_evidence,
                   "this server wants a user and password (CSIv2), and the call has none");
  }
  if (*name && !ask("Target::trusts", target.trusts, Assertion{yes.caller.user, peer, *name})) {
    Judgement no = refusal(id, ErrorStatus::invalid_evidence, "this caller may not speak for others");
    no.user = std::move(yes.caller.user);
    return no;
  }
  yes.caller.speaks_for = std::move(*name);
  yes.reply = CompleteEstablishContext{.client_context_id = id};
  return yes;
}

}  // namespace

Judgement judge(const Target& target, ByteView context, const Identity& peer, Checks& checks) {
  if (context.data() == nullptr) {
    if (target.required)
      return refusal("this server wants a user and password (CSIv2), and the call has none");
    return {};
  }
  const std::optional<ContextBody> body = decode(context);
  if (!body) return malformed();
  if (const auto* const asked = std::get_if<EstablishContext>(&*body))
    return establish(target, *asked, peer, checks);
  if (const auto* const kept = std::get_if<MessageInContext>(&*body))
    return refusal(kept->client_context_id, ErrorStatus::no_context,
                   "this server keeps no security contexts (CSIv2)");
  return malformed();
}

}  // namespace tenon::csi
