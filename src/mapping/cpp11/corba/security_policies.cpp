// SPDX-License-Identifier: Apache-2.0
#include "tenon/corba/security_policies.hpp"

#include <algorithm>
#include <list>

#include "base/joined.hpp"
#include "base/minor_codes.hpp"
#include "base/thread_annotations.hpp"
#include "mapping/cpp11/corba/own_policies.hpp"
#include "mapping/cpp11/corba/security_policies.hpp"
#include "orb/protocol_references.hpp"
#include "poa/secured.hpp"
#include "protocol/protection.hpp"
#include "tenon/corba/call_policies.hpp"
#include "tenon/corba/protocol_policies.hpp"

namespace tenon::gen {
namespace {

using protocol::Protection;
using Security::QOP;
using SecurityLevel2::EstablishTrustPolicy;
using SecurityLevel2::QOPPolicy;

static_assert(qop_policy_type == Security::SecQOPPolicy &&
              establish_trust_policy_type == Security::SecEstablishTrustPolicy);

/// Those that choose the connections of a call.
constexpr CORBA::PolicyType types_of_calls[] = {client_protocol_policy_type, qop_policy_type,
                                                establish_trust_policy_type};

/// Null: there is none, or one of another class, which a program's own factory has made.
template <typename Policy>
const Policy* policy_in(const orb::OwnPoliciesRef& from, CORBA::PolicyType type) noexcept {
  return from ? dynamic_cast<const Policy*>(own_policy(from, type).get()) : nullptr;
}
const QOPPolicy* qop_in(const orb::OwnPoliciesRef& from) noexcept {
  return policy_in<QOPPolicy>(from, qop_policy_type);
}
const EstablishTrustPolicy* trust_in(const orb::OwnPoliciesRef& from) noexcept {
  return policy_in<EstablishTrustPolicy>(from, establish_trust_policy_type);
}

/// What a QOP asks for, of protocol::Association.
std::uint16_t associations_of(QOP qop) noexcept {
  switch (qop) {
    case QOP::SecQOPNoProtection: break;
    case QOP::SecQOPIntegrity: return protocol::integrity;
    case QOP::SecQOPConfidentiality: return protocol::confidentiality;
    case QOP::SecQOPIntegrityAndConfidentiality: return protocol::integrity | protocol::confidentiality;
  }
  return 0;
}

/// What both policies together ask of connections.
struct Demands {
  explicit Demands(const orb::OwnPoliciesRef& from) noexcept : trust(trust_in(from)) {
    if (const QOPPolicy* const qop = qop_in(from)) associations = associations_of(qop->qop());
    client = trust != nullptr && trust->trust().trust_in_client();
    target = trust != nullptr && trust->trust().trust_in_target();
  }
  /// Whether ways in the clear are left out: nobody proves anything there.
  bool protection() const noexcept { return associations != 0 || client || target; }
  std::uint16_t all() const noexcept {
    return static_cast<std::uint16_t>(associations | (client ? protocol::trust_in_client : 0) |
                                      (target ? protocol::trust_in_target : 0));
  }

  std::uint16_t associations = 0;
  bool client = false;
  bool target = false;
  const EstablishTrustPolicy* trust;  ///< null: as the options say
};

class MakersWithSecurity final : public PolicyMakers {
 public:
  explicit MakersWithSecurity(std::shared_ptr<const PolicyMakers> of_program)
      : of_program_(std::move(of_program)) {}

  bool make(CORBA::PolicyType type) const override {
    return type == qop_policy_type || type == establish_trust_policy_type ||
           (of_program_ != nullptr && of_program_->make(type));
  }
  /// These two are in no reference: what servers want is in components.
  PolicyRef read(CORBA::PolicyType type, ByteView value) const override {
    return of_program_ != nullptr ? of_program_->read(type, value) : nullptr;
  }

 private:
  const std::shared_ptr<const PolicyMakers> of_program_;
};

std::shared_ptr<const PolicyMakers> makers_with_security(std::shared_ptr<const PolicyMakers> of_program) {
  return protocol_policies.makers(std::make_shared<const MakersWithSecurity>(std::move(of_program)));
}

// --- calls ---

bool are_same(CORBA::PolicyType type, const orb::OwnPoliciesRef& one, const orb::OwnPoliciesRef& other) {
  if (own_policy(one, type) == own_policy(other, type)) return true;
  if (type == qop_policy_type) {
    const QOPPolicy* const mine = qop_in(one);
    const QOPPolicy* const its = qop_in(other);
    return mine != nullptr && its != nullptr && mine->qop() == its->qop();
  }
  if (type == establish_trust_policy_type) {
    const EstablishTrustPolicy* const mine = trust_in(one);
    const EstablishTrustPolicy* const its = trust_in(other);
    return mine != nullptr && its != nullptr && mine->trust() == its->trust();
  }
  const auto* const mine = policy_in<RTCORBA::ClientProtocolPolicy>(one, type);
  const auto* const its = policy_in<RTCORBA::ClientProtocolPolicy>(other, type);
  return mine != nullptr && its != nullptr && mine->_same_as(*its);
}

/// Policies of a thread or an ORB: the reference's own ones are nearer, each for its type.
orb::Reference& reference_with_security(orb::Reference& reference) {
  const orb::OwnPoliciesRef own = reference.own_policies();
  const orb::OwnPoliciesRef farther =
      laid_over(own_policies_of_orb(reference.orb()), own_policies_of_thread());
  Ref<orb::OwnPolicies> added;
  for (const CORBA::PolicyType type : types_of_calls) {
    if (own_policy(own, type)) continue;
    if (const PolicyRef wanted = own_policy(farther, type)) put_own_policy(added, wanted);
  }
  if (!added) return reference;
  const orb::OwnPoliciesRef all = laid_over(own, added);
  // A thread's policies count for all ORBs of the process, and one without the part could not keep calls from going in the clear.
  if (reference.orb().parts().choose_profiles == nullptr && Demands(all).protection())
    raise_with_reason(errors::no_protected_way,
                      "the ORB's start-up does not name tenon::parts::security_policies");
  for (orb::Reference* each = reference.variant(); each != nullptr; each = each->variant()) {
    const orb::OwnPoliciesRef its = each->own_policies();
    if (std::ranges::all_of(types_of_calls, [&](CORBA::PolicyType type) { return are_same(type, all, its); }))
      return *each;
  }
  orb::PolicyOverrides overrides;
  if (reference.policies() != nullptr) overrides.calls = *reference.policies();
  overrides.own = all;
  auto made = make_ref<orb::Reference>(Ref(&reference.orb()), ior::Ior(reference.ior()),
                                       std::make_shared<const orb::PolicyOverrides>(std::move(overrides)));
  orb::Reference& result = *made;
  reference.add_variant(std::move(made));
  return result;
}

/// What the reference says of its server where one of the ORB's transports can read it.
std::optional<Protection::Offer> offer_of(const orb::UsableProfile& profile,
                                          const std::vector<orb::UsableProfile>& all) {
  for (const orb::UsableProfile& each : all) {
    if (each.index != profile.index) continue;
    if (const auto protection = protocol::protection_of(each.transport->profile_tag()))
      return protection->offer(each.view);
  }
  return std::nullopt;
}

/// Whether the server wants no calls in the clear, though an address for them stands in the profile.
bool forbids_clear(const std::optional<Protection::Offer>& offer) noexcept {
  return offer && (offer->requires_ & protocol::no_protection) == 0 &&
         (offer->requires_ & (protocol::integrity | protocol::confidentiality)) != 0;
}

/// Why calls with these demands may not go over the profile.
orb::Unreachable why_not(const orb::UsableProfile& profile, const std::vector<orb::UsableProfile>& all,
                         const Demands& wanted) {
  using orb::Unreachable;
  const auto protection = protocol::protection_of(profile.transport->profile_tag());
  const std::optional<Protection::Offer> offer = offer_of(profile, all);
  if (!protection)
    return wanted.protection() || forbids_clear(offer) ? Unreachable::by_protection : Unreachable::no;
  if (!offer) return wanted.protection() ? Unreachable::by_protection : Unreachable::no;
  if ((offer->supports & wanted.associations) != wanted.associations) return Unreachable::by_protection;
  // What the server requires of clients is not looked at here: omniORB's requires certificates in its references and takes clients without.
  if (wanted.client && !protection->standing(*profile.transport).shows_certificate)
    return Unreachable::by_certificate;
  const bool server_asks = (offer->requires_ & protocol::trust_in_client) != 0;
  if (wanted.client && !server_asks && (offer->supports & protocol::trust_in_client) == 0)
    return Unreachable::by_trust;
  const bool careless = wanted.trust != nullptr && !wanted.target;
  return careless && (offer->requires_ & protocol::trust_in_target) != 0 ? Unreachable::by_contradiction
                                                                         : Unreachable::no;
}

/// Has connections verify their peers, or not, where the plug-in's options say otherwise.
void set_trust(orb::UsableProfile& profile, const Demands& wanted) {
  const auto protection = protocol::protection_of(profile.transport->profile_tag());
  if (wanted.trust == nullptr || !protection) return;
  if (protection->standing(*profile.transport).verifies_targets == wanted.target) return;
  profile.properties = wanted.trust->_properties(
      profile.properties, wanted.target ? protocol::verified_target : protocol::unverified_target);
}

}  // namespace

orb::Unreachable choose_secured(const orb::Reference& reference, std::vector<orb::UsableProfile>& profiles) {
  const Demands wanted(reference.own_policies());
  if (!wanted.protection() && !protocol::any_protection()) return orb::Unreachable::no;
  const orb::Orb& orb = reference.orb();
  std::vector<orb::Unreachable> reasons;
  for (const orb::UsableProfile& each : profiles) {
    const bool here = orb.collocation() != nullptr && orb.is_local(each);
    reasons.push_back(here ? orb::Unreachable::no : why_not(each, profiles, wanted));
  }
  orb::Unreachable why = orb::Unreachable::no;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < profiles.size(); ++i) {
    if (reasons[i] != orb::Unreachable::no) {
      // What a protected way lacks says more than that there are others in the clear.
      if (why == orb::Unreachable::no || why == orb::Unreachable::by_protection) why = reasons[i];
      continue;
    }
    set_trust(profiles[i], wanted);
    if (kept != i) profiles[kept] = std::move(profiles[i]);
    ++kept;
  }
  while (profiles.size() > kept) profiles.pop_back();
  return profiles.empty() ? why : orb::Unreachable::no;
}

namespace {

// --- POAs ---

/// The tags of the endpoints over which references of such a POA lead, in their order.
std::vector<std::uint32_t> protected_tags(const orb::Server& server, const orb::OwnPoliciesRef& from,
                                          orb::Orb& orb) {
  const auto* policy = policy_in<RTCORBA::ServerProtocolPolicy>(from, server_protocol_policy_type);
  const orb::OwnPoliciesRef of_orb = policy == nullptr ? own_policies_of_orb(orb) : nullptr;
  if (policy == nullptr)
    policy = policy_in<RTCORBA::ServerProtocolPolicy>(of_orb, server_protocol_policy_type);
  std::vector<std::uint32_t> there;
  for (const orb::Server::Point& point : server.points()) {
    const std::uint32_t tag = point.transport->profile_tag();
    if (protocol::protection_of(tag) && std::ranges::find(there, tag) == there.end()) there.push_back(tag);
  }
  if (policy == nullptr) return there;
  std::vector<std::uint32_t> chosen;
  const auto choose = [&](std::uint32_t tag) {
    if (std::ranges::find(there, tag) != there.end() && std::ranges::find(chosen, tag) == chosen.end())
      chosen.push_back(tag);
  };
  for (const std::uint32_t tag : policy->_tags()) {
    if (tag == any_protocol) {
      std::ranges::for_each(there, choose);
    } else {
      choose(tag);
    }
  }
  return chosen;
}

Result<Ref<orb::Reference>> new_secured_reference(orb::Orb& orb, const orb::OwnPolicies* of_poa,
                                                  std::string_view type_id, ByteView key,
                                                  std::span<const orb::ExtraComponent> components,
                                                  std::string& why) {
  const orb::OwnPoliciesRef from(of_poa);
  const Demands wanted(from);
  if (!wanted.protection())
    return protocol_policies.new_reference(orb, of_poa, type_id, key, components, why);
  const auto server = orb.listening(&why);
  if (!server) return server.error();
  const std::vector<std::uint32_t> tags = protected_tags(**server, from, orb);
  auto made = orb::create_reference_over(orb, tags, type_id, key, components, &why);
  if (!made) {
    if (made.error() == errors::no_protocol_of_policy)
      why = "QOPPolicy or EstablishTrustPolicy of the POA wants an endpoint that protects, and there is none";
    return made;
  }
  ior::Ior all = (*made)->ior();
  for (const std::uint32_t tag : tags) {
    if (const auto protection = protocol::protection_of(tag)) protection->demand(all, wanted.all());
  }
  return orb.reference(std::move(all));
}

/// Whether a request for a POA with such policies may run as it has come.
Error admits(const poa::WholePoa& poa, const protocol::IncomingCall& call) noexcept {
  if (call.collocated()) return {};
  try {
    const Demands wanted(poa.own_policies());
    protocol::Identity caller;
    static_cast<void>(call.identify_caller(caller));
    if (!protocol::is_protected(caller)) return errors::came_unprotected;
    return wanted.client && !caller ? errors::caller_not_known : Error();
  } catch (...) {
    return errors::out_of_memory;
  }
}

/// What the ORB's endpoints lack for the demands of a POA; null: nothing.
const char* lacking(const orb::Server& server, const orb::OwnPoliciesRef& from, orb::Orb& orb,
                    const Demands& wanted) {
  const std::vector<std::uint32_t> tags = protected_tags(server, from, orb);
  if (tags.empty())
    return "it wants calls to be protected, and no endpoint of this POA's references does "
           "(-ORBListenEndpoints ssliop://)";
  for (const orb::Server::Point& point : server.points()) {
    const auto protection = protocol::protection_of(point.transport->profile_tag());
    if (wanted.client && protection && !protection->standing(*point.transport).asks_clients)
      return "it wants callers with certificates, and this ORB asks nobody for one (ssliop.authorities)";
  }
  return nullptr;
}

std::optional<PolicyFault> check_poa(orb::Orb& orb, const CORBA::PolicyList& list, poa::PoaExtras& extras) {
  if (const auto fault = protocol_policies.check_endpoints(orb, list, extras)) return fault;
  const Demands wanted(extras.own_policies);
  if (!wanted.protection()) return std::nullopt;
  std::string text;
  const auto server = orb.listening(&text);
  if (!server) raise_with_reason(server.error(), std::move(text));
  if (const char* const rule = lacking(**server, extras.own_policies, orb, wanted)) {
    const auto concerned = std::ranges::find_if(list, [](const PolicyRef& each) {
      return each && (dynamic_cast<const QOPPolicy*>(each.get()) != nullptr ||
                      dynamic_cast<const EstablishTrustPolicy*>(each.get()) != nullptr);
    });
    return PolicyFault{static_cast<std::uint16_t>(concerned - list.begin()), rule};
  }
  poa::admits_call.store(admits, std::memory_order_release);
  reference_over_protocols.store(new_secured_reference, std::memory_order_release);
  extras.secured = true;
  return std::nullopt;
}

void check_overrides_with_security(orb::Orb& orb, const CORBA::PolicyList& list, bool of_orb) {
  protocol_policies.check(orb, list, of_orb);
  protocols_applied.store(reference_with_security, std::memory_order_release);
}

}  // namespace

constinit const ProtocolPolicies security_and_protocol_policies{.makers = makers_with_security,
                                                                .reference_for_call = reference_with_security,
                                                                .check_endpoints = check_poa,
                                                                .new_reference = new_secured_reference,
                                                                .check = check_overrides_with_security};

}  // namespace tenon::gen

namespace SecurityLevel2 {
inline namespace cpp11 {

QOPPolicy::QOPPolicy(Security::QOP qop) : qop_(qop) {
  if (qop > Security::QOP::SecQOPIntegrityAndConfidentiality)
    tenon::gen::raise_with_reason(
        tenon::errors::unknown_policy_value,
        tenon::worded("QOPPolicy: there is no value %", {tenon::decimal(static_cast<std::uint32_t>(qop))}));
}

CORBA::object_reference<CORBA::Policy> QOPPolicy::copy() {
  return CORBA::object_reference<CORBA::Policy>(this);
}

/// One for each text that ClientProtocolPolicies give connections; those that have been given away stay where they are.
struct EstablishTrustPolicy::Texts {
  tenon::Mutex mutex;
  std::list<std::string> all TENON_GUARDED_BY(mutex);
};

EstablishTrustPolicy::EstablishTrustPolicy(Security::EstablishTrust trust)
    : trust_(trust), texts_(std::make_unique<Texts>()) {}
EstablishTrustPolicy::~EstablishTrustPolicy() = default;

CORBA::object_reference<CORBA::Policy> EstablishTrustPolicy::copy() {
  return CORBA::object_reference<CORBA::Policy>(this);
}

std::string_view EstablishTrustPolicy::_properties(std::string_view before, std::string_view added) const {
  const std::string wanted = tenon::joined({before, before.empty() ? "" : ",", added});
  const tenon::LockGuard lock(texts_->mutex);
  for (const std::string& each : texts_->all) {
    if (each == wanted) return each;
  }
  return texts_->all.emplace_back(wanted);
}

}  // namespace cpp11
}  // namespace SecurityLevel2
