// SPDX-License-Identifier: Apache-2.0
//
// The client's side: which credentials a call has, whether its server may get them and over which connections, and what the server says.
#include <algorithm>

#include "base/joined.hpp"
#include "base/minor_codes.hpp"
#include "csi/gss.hpp"
#include "csi/state.hpp"
#include "ior/security_mechanisms.hpp"
#include "mapping/cpp11/corba/own_policies.hpp"
#include "orb/reference.hpp"
#include "protocol/protection.hpp"
#include "tenon/corba/security_policies.hpp"

namespace tenon::csi {
namespace {

using ior::SecurityMechanism;
using PortableInterceptor::ClientInfoRef;
using PortableInterceptor::ClientRequestInfo;
using PortableInterceptor::ClientRequestInterceptor;

constexpr Error call_stopped{SystemException::no_permission, Completion::no, 0};

[[noreturn]] void stop_call(std::string why) { gen::raise_with_reason(call_stopped, std::move(why)); }

// --- ways to a server ---

enum class Way : std::uint8_t { secret, local, clear };

/// Who can read what goes over that profile's connections.
Way way_over(const orb::Orb& orb, const orb::UsableProfile& profile) {
  if (orb.collocation() != nullptr && orb.is_local(profile)) return Way::local;
  if (const auto protection = protocol::protection_of(profile.transport->profile_tag())) {
    if (profile.properties.ends_with(protocol::unverified_target)) return Way::clear;
    const bool verified = profile.properties.ends_with(protocol::verified_target) ||
                          protection->standing(*profile.transport).verifies_targets;
    return verified ? Way::secret : Way::clear;  // it is not known who would get the password
  }
  const std::string_view name = profile.transport->name();
  return name == "uiop" || name == "shmiop" || name == "inproc" ? Way::local : Way::clear;
}

struct Ways {
  explicit Ways(orb::Reference& to) {
    for (const orb::UsableProfile& each : to.profiles()) {
      switch (way_over(to.orb(), each)) {
        case Way::secret: secret = true; break;
        case Way::local: local = true; break;
        case Way::clear: clear = true; break;
      }
    }
  }
  bool secret = false;
  bool local = false;
  bool clear = false;
};

/// The same object with a policy that leaves ways in the clear out, which the reference keeps.
Ref<orb::Reference> over_secret_ways(orb::Reference& to) {
  for (orb::Reference* each = to.variant(); each != nullptr; each = each->variant()) {
    const Ways ways(*each);
    if (ways.secret && !ways.clear) return Ref(each);
  }
  static const auto closed =
      CORBA::make_reference<SecurityLevel2::QOPPolicy>(Security::QOP::SecQOPIntegrityAndConfidentiality);
  Ref<orb::OwnPolicies> added;
  gen::put_own_policy(added, closed);
  orb::PolicyOverrides overrides;
  if (to.policies() != nullptr) overrides.calls = *to.policies();
  overrides.own = orb::laid_over(to.own_policies(), added);
  auto made = make_ref<orb::Reference>(Ref(&to.orb()), ior::Ior(to.ior()),
                                       std::make_shared<const orb::PolicyOverrides>(std::move(overrides)));
  const Ways ways(*made);
  if (!ways.secret || ways.clear) return nullptr;
  to.add_variant(made);
  return made;
}

/// The same object with the profiles alone whose connections stay on this machine.
Ref<orb::Reference> over_local_ways(orb::Reference& to) {
  ior::Ior fewer;
  fewer.type_id = to.ior().type_id;
  for (std::size_t i = 0; i < to.ior().profiles.size(); ++i) {
    const bool local = std::ranges::any_of(to.profiles(), [&](const orb::UsableProfile& each) {
      return each.index == i && way_over(to.orb(), each) == Way::local;
    });
    if (local) fewer.profiles.push_back(to.ior().profiles[i]);
  }
  orb::PolicyOverrides overrides;
  if (to.policies() != nullptr) overrides.calls = *to.policies();
  overrides.own = to.own_policies();
  auto made = make_ref<orb::Reference>(Ref(&to.orb()), std::move(fewer),
                                       std::make_shared<const orb::PolicyOverrides>(std::move(overrides)));
  const Ways ways(*made);
  return ways.clear || !ways.local ? nullptr : made;
}

[[noreturn]] void go_over(Ref<orb::Reference> to) {
  throw PortableInterceptor::ForwardRequest(gen::make_stub<CORBA::Object>(std::move(to)));
}

/// Returns if credentials can go over each of the ways that the call may take; else sends it over those where they can.
void keep_out_of_clear(orb::Reference& to, const Credentials& own) {
  if (own.in_clear) return;
  const Ways ways(to);
  if (!ways.clear) return;
  if (ways.secret) {
    if (auto other = over_secret_ways(to)) go_over(std::move(other));
  }
  if (ways.local) {
    if (auto other = over_local_ways(to)) go_over(std::move(other));
  }
  stop_call(
      "this side refused to call: the credentials would go in the clear, or to a server that has not proved "
      "who it is; make the call over "
      "TLS, or set tenon::csi::Credentials::in_clear");
}

// --- what a call says ---

/// Null: nothing.
CORBA::object_reference<CredentialsPolicy> credentials_of(ClientRequestInfo& info) {
  const auto policy = info.get_request_policy(CREDENTIALS_POLICY_TYPE);
  return CORBA::object_reference<CredentialsPolicy>(dynamic_cast<CredentialsPolicy*>(policy.get()));
}

bool takes_password(const SecurityMechanism& mechanism) noexcept {
  return (mechanism.client_supports & protocol::trust_in_client) != 0 && is_gssup(mechanism.client_mechanism);
}
bool wants_client(const SecurityMechanism& mechanism) noexcept {
  return (mechanism.client_requires & protocol::trust_in_client) != 0;
}

std::uint32_t type_of(Name::Kind kind) noexcept {
  switch (kind) {
    case Name::Kind::absent: break;
    case Name::Kind::anonymous: return itt_anonymous;
    case Name::Kind::principal: return itt_principal_name;
    case Name::Kind::distinguished: return itt_distinguished_name;
  }
  return itt_absent;
}

bool takes_name(const SecurityMechanism& mechanism, const Name& name) noexcept {
  return (mechanism.attributes_support & ior::identity_assertion) != 0 &&
         (mechanism.identity_types & type_of(name.kind)) != 0;
}

IdentityToken token_of(const Name& name) {
  IdentityToken token{type_of(name.kind), {}};
  if (name.kind == Name::Kind::principal) token.value = wrapped(export_name(name.text));
  if (name.kind == Name::Kind::distinguished) token.value = name.der;
  return token;
}

/// The mechanism that the call uses: the first whose transport is that of the call's connections, as far as that can be told.
const SecurityMechanism& choose(const ior::SecurityMechanisms& all, bool over_tls) noexcept {
  const auto fits = [&](const SecurityMechanism& each) {
    return (each.transport.tag == ior::tag_tls_sec_trans) == over_tls &&
           (each.client_mechanism.empty() || is_gssup(each.client_mechanism));
  };
  const auto found = std::ranges::find_if(all.list, fits);
  return found != all.list.end() ? *found : all.list.front();
}

EstablishContext context_for(const SecurityMechanism& mechanism, const Credentials& own, bool with_password) {
  EstablishContext body;
  if (with_password) body.client_token = encode(UserToken{own.user, own.password, mechanism.target_name});
  body.identity = token_of(own.speaks_for);
  return body;
}

std::optional<ior::SecurityMechanisms> mechanisms_of(orb::Reference& to) {
  const auto* const binding = to.binding();
  if (binding == nullptr && to.profiles().empty()) return std::nullopt;
  const orb::UsableProfile& profile = binding != nullptr ? *binding->profile : to.profiles().front();
  auto all = ior::find_security_mechanisms(profile.view.components);
  if (all && all->list.empty()) return std::nullopt;
  return all;
}

bool is_for(const SecurityMechanism& mechanism, const std::string& domain) {
  if (domain.empty()) return true;
  const auto name = imported_name(mechanism.target_name);
  return name && (*name == domain || *name == "@" + domain);
}

class AtCalls final : public ClientRequestInterceptor {
 public:
  std::string name() override { return "tenon::csi"; }

  void send_request(ClientInfoRef info) override {
    const auto target = info->effective_target();
    orb::Reference* const to = target ? target->_reference().get() : nullptr;
    if (to == nullptr) return;
    const auto all = mechanisms_of(*to);
    if (!all) return;
    const Ways ways(*to);
    const SecurityMechanism& mechanism = choose(*all, ways.secret && !ways.clear);
    static const Credentials none;
    const auto policy = credentials_of(*info);
    const Credentials& own = policy ? policy->credentials() : none;

    const bool with_password = !own.user.empty() && takes_password(mechanism);
    if (with_password && !is_for(mechanism, own.domain))
      stop_call(worded(
          "this side refused to call: its password is for the domain '%', and the object's server is of "
          "another one",
          {own.domain}));
    if (wants_client(mechanism) && !with_password) {
      stop_call(takes_password(mechanism) ? "this side refused to call: the object's server wants a user and "
                                            "password, and the call has none "
                                            "(tenon::csi::set_credentials)"
                                          : "this side refused to call: the object's server wants an "
                                            "authentication other than by user and "
                                            "password (GSSUP)");
    }
    if (own.speaks_for && !takes_name(mechanism, own.speaks_for))
      stop_call(
          "this side refused to call: it would speak for another identity, and the object's server takes no "
          "such "
          "assertions");
    if ((mechanism.attributes_require & ior::delegation_by_client) != 0)
      stop_call(
          "this side refused to call: the object's server wants an authorization token, which this ORB has "
          "not");
    if (!with_password && !own.speaks_for) return;
    keep_out_of_clear(*to, own);
    info->add_request_service_context({sas_context, encode(context_for(mechanism, own, with_password))},
                                      true);
  }

  void receive_reply(ClientInfoRef info) override {
    const auto body = answer_in(*info);
    if (body && !std::holds_alternative<CompleteEstablishContext>(*body))
      gen::raise_with_reason(errors::bad_encapsulation.with(Completion::yes),
                             "a reply says by its service context that the call was refused (CSIv2)");
  }

  void receive_exception(ClientInfoRef info) override {
    const auto body = answer_in(*info);
    const ContextError* const error = body ? std::get_if<ContextError>(&*body) : nullptr;
    if (error == nullptr || info->received_exception_id() != repository_id(SystemException::no_permission))
      return;
    stop_call(words_of(*error));
  }

 private:
  /// What the server says; nullopt: nothing. MARSHAL if it is malformed.
  static std::optional<ContextBody> answer_in(ClientRequestInfo& info) {
    IOP::ServiceContext context;
    try {
      context = info.get_reply_service_context(sas_context);
    } catch (const CORBA::BAD_PARAM&) {
      return std::nullopt;
    }
    auto body = decode(context.context_data());
    if (!body)
      gen::raise_with_reason(errors::bad_encapsulation.with(Completion::yes),
                             "a reply's service context SecurityAttributeService is malformed");
    return body;
  }

  static std::string words_of(const ContextError& error) {
    static constexpr const char* meanings[] = {"invalid evidence", "invalid mechanism",
                                               "conflicting evidence", "no context"};
    const bool known = error.major_status >= 1 && error.major_status <= 4;
    const std::uint32_t code = decode_error(error.error_token);
    return worded("the server refused the credentials: CSIv2 status %.%%%",
                  {decimal(std::int64_t{error.major_status}), decimal(std::int64_t{error.minor_status}),
                   known ? worded(", %", {meanings[error.major_status - 1]}) : "",
                   code != 0 ? worded(", GSSUP error %", {decimal(code)}) : ""});
  }
};

}  // namespace

CORBA::object_reference<ClientRequestInterceptor> make_client_interceptor() {
  return CORBA::make_reference<AtCalls>();
}

}  // namespace tenon::csi
